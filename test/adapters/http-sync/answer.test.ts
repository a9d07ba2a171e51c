import { describe, expect, it } from "vitest";
import { parseCommon, parsePage, parsePushed } from "../../../src/adapters/http-sync/answer.ts";
import { broken } from "../../support/broken.ts";

const TOLD = { by: "laptop", at: "2026-03-02T09:00:00.000Z" };
const PAGE = {
  head: 3,
  headMark: "m",
  next: 3,
  mark: "m",
  changes: [
    { state: "live", key: "a", lineage: "l1", revision: 1, body: "words", ...TOLD },
    { state: "deleted", key: "b", lineage: "l2", revision: 2, ...TOLD },
    { state: "forgotten", lineage: "l3", names: ["n"] },
  ],
};
const PUSHED = {
  head: 4,
  mark: "m",
  prev: { head: 3, mark: "l" },
  outcomes: [
    { outcome: "stale", key: "a", revision: 2 },
    { outcome: "forgotten", key: "b" },
    { outcome: "taken", key: "c" },
    { outcome: "group", key: "d" },
    { outcome: "refused", key: "e", reason: "secret", rule: "r" },
    { outcome: "done", key: "f", revision: 5 },
    { outcome: "done", forget: "g" },
  ],
};

/** What an answer may leave out; a name of another kind is passed over. */
const OPTIONAL = /\.(?:by|at|rule)$|\.names\.\d+$/u;

describe("an answer of a server", () => {
  it.each([
    ["a page", PAGE, parsePage],
    ["what became of a push", PUSHED, parsePushed],
    ["a common version", { seq: 0 }, parseCommon],
  ] as const)(
    "with %s is read as it was sent, and not at all where a part is missing or of another kind",
    (_, sent, parse) => {
      expect(parse(sent)).toEqual(sent);
      for (const other of [undefined, null, "text", [], {}]) expect(parse(other)).toBeUndefined();
      const read = [true, -1, 1.5].flatMap((wrong) =>
        [...broken(sent, wrong)].map(([path, one]) => [path, parse(one)] as const),
      );
      for (const [path, one] of read.filter(([at]) => !OPTIONAL.test(at))) expect(one, path).toBeUndefined();
      for (const [path, one] of read.filter(([at]) => OPTIONAL.test(at))) expect(one, path).toBeDefined();
      expect(JSON.stringify(read)).not.toMatch(/true|-1|1\.5/u);
    },
  );
});
