import { describe, expect, it } from "vitest";
import { allGroupsIn, groupsIn } from "../../../src/core/shared/ignoring-case.ts";

describe("matching that ignores case", () => {
  it("gives the groups as they are written", () => {
    expect(groupsIn(/^from (?<from>\S+) to (?<to>.+)$/du, "FROM Heroku to camelCase")).toEqual({
      from: "Heroku",
      to: "camelCase",
    });
    expect(groupsIn(/^from (?<from>\S+)$/du, "to Heroku")).toBeUndefined();
  });

  it("says of a group that took no part that it is not there", () => {
    expect(groupsIn(/(?<one>a)|(?<other>b)/du, "B")).toEqual({ one: undefined, other: "B" });
  });

  it("finds every match", () => {
    const found = allGroupsIn(/not (?<what>\p{L}+)/dgu, "Not Mocha, NOT Jest");
    expect(found.map(({ what }) => what)).toEqual(["Mocha", "Jest"]);
  });

  it("keeps its place where a letter has a longer small form", () => {
    expect(groupsIn(/from (?<from>\p{L}+)/du, "İİİ from İzmir")?.["from"]).toBe("İzmir");
  });
});
