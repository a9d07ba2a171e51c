import { expect, it } from "vitest";
import { directoriesBetween, isInside, relativeTo } from "../../../src/core/instructions/paths.ts";

it.each([
  ["/a/b", "/a/b", true],
  ["/a/b/c", "/a/b", true],
  ["/a/bc", "/a/b", false],
  ["/a/b-secrets/c", "/a/b", false],
  ["/a", "/a/b", false],
  ["/a", "/", true],
  ["C:/x", "C:/", true],
])("%s is inside %s: %s", (path, directory, wanted) => {
  expect(isInside(path, directory)).toBe(wanted);
  expect(relativeTo(path, directory) !== undefined).toBe(wanted && path !== directory);
});

it("directories between two are those below the first, and none beside it", () => {
  expect(directoriesBetween("/a", "/a/b/c")).toEqual(["/a/b", "/a/b/c"]);
  expect(directoriesBetween("/a/b", "/a/bc/d")).toEqual([]);
});
