import { describe, expect, it } from "vitest";
import { ArgumentError, readArguments } from "../../../src/surfaces/mcp/arguments.ts";

describe("the arguments of mcp", () => {
  it("choose the tools that a session needs, on standard input, by default", () => {
    expect(readArguments([])).toMatchObject({ http: undefined, dir: undefined });
    expect(readArguments([]).tools).toEqual(["recall", "remember", "forget", "read"]);
    expect(readArguments(["--profile", "full"]).tools).toHaveLength(8);
    expect(readArguments(["--tools", "recall, read"]).tools).toEqual(["recall", "read"]);
    expect(readArguments(["--http", "--port=0", "--project", "a", "--project", "b"]).http).toEqual({
      port: 0,
      tokenFile: undefined,
      projects: ["a", "b"],
    });
  });

  it.each([
    ["--tools", "nothing"],
    ["--tools", ","],
    ["--profile", "huge"],
    ["--profile", "full", "--tools", "recall"],
    ["--port", "80"],
    ["--http", "--port", "many"],
    ["--http", "--dir", "x", "--project", "y"],
    ["--nothing"],
    ["word"],
  ])("refuse %s %s", (...argv) => {
    expect(() => readArguments(argv)).toThrow(ArgumentError);
  });
});
