import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { allowAgain, forgottenIds, recordForgotten } from "../../../src/adapters/files/forgotten.ts";
import { anonymousId } from "../../../src/core/notes/names.ts";
import { nodeFiles } from "../../../src/adapters/files/node-files.ts";
import { scratch } from "../../support/scratch.ts";

const TIME = "2026-03-02T09:00:00.000Z";

function place() {
  const state = scratch();
  const file = `${state}/forgotten`;
  return { at: { state, files: nodeFiles }, state, file, text: () => fs.readFileSync(file, "utf8") };
}

describe("the record of forgotten names", () => {
  it("tells names without holding them, the same for one name however it is written", () => {
    const { at, text } = place();
    expect(forgottenIds(at)).toEqual(new Set());
    recordForgotten(at, ["a.md", "caf\u0065\u0301.md"], TIME);
    recordForgotten(at, ["b.md"], TIME);
    expect(forgottenIds(at)).toEqual(new Set(["a.md", "café.md", "b.md"].map(anonymousId)));
    expect(text()).not.toMatch(/\.md/u);
    expect(
      text()
        .split("\n")
        .filter((line) => line !== ""),
    ).toEqual(["a.md", "café.md", "b.md"].map((name) => `${anonymousId(name)} ${TIME}`));
    expect(anonymousId("a.md")).toMatch(/^[0-9a-f]{32}$/u);
    expect(new Set(["a.md", "b.md", "A.md", "a.md "].map(anonymousId)).size).toBe(4);
  });

  it("is not spoilt by a line that a killed process left torn", () => {
    const { at, file } = place();
    fs.writeFileSync(file, "\n0123456789");
    recordForgotten(at, ["a.md"], TIME);
    expect(forgottenIds(at)).toEqual(new Set(["0123456789", anonymousId("a.md")]));
    expect(forgottenIds(at).has("")).toBe(false);
  });

  it("lets names go that are wanted again, and only those", () => {
    const { at, state, text } = place();
    recordForgotten(at, ["a.md", "b.md", "c.md"], TIME);
    fs.writeFileSync(`${state}/forgotten.new`, "left of a killed process");
    allowAgain(at, ["a.md", "c.md", "never.md"]);
    expect(text()).toBe(`${anonymousId("b.md")} ${TIME}\n`);
    expect(fs.readdirSync(state)).toEqual(["forgotten"]);
    recordForgotten(at, ["a.md"], TIME);
    expect(forgottenIds(at)).toEqual(new Set(["a.md", "b.md"].map(anonymousId)));
  });

  it("is not written where nothing of it changes", () => {
    const { at, state, file } = place();
    allowAgain(at, ["a.md"]);
    expect(fs.readdirSync(state)).toEqual([]);
    recordForgotten(at, ["b.md"], TIME);
    const { ino } = fs.statSync(file);
    allowAgain(at, ["a.md"]);
    expect(fs.statSync(file).ino).toBe(ino);
    allowAgain(at, ["b.md"]);
    expect(fs.readFileSync(file, "utf8")).toBe("");
  });
});
