import { expect, it } from "vitest";
import { codeOf, failureCode } from "../../../src/core/shared/errors.ts";

const failed = (code: unknown): Error => Object.assign(new Error("failed"), { code });

it.each([
  ["EACCES", "permission"],
  ["EPERM", "permission"],
  ["EROFS", "permission"],
  ["ENOSPC", "disk-full"],
  ["EDQUOT", "disk-full"],
  ["EIO", "io"],
  ["toString", "io"],
])("%s of the system means %s", (code, meaning) => expect(failureCode(failed(code))).toBe(meaning));

it("what has no code of the system's has none", () => {
  expect([failed("ENOENT"), failed(2), failed(undefined), new Error("x"), { code: "EIO" }, "EIO"].map(codeOf)).toEqual([
    "ENOENT",
    "",
    "",
    "",
    "",
    "",
  ]);
});
