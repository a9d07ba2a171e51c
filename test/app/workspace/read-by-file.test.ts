import { describe, expect, it } from "vitest";
import { guardReason } from "../../../src/app/guards/guard-words.ts";
import { readByFile } from "../../../src/app/workspace/read-by-file.ts";

const PLACES = [
  { scope: "project", directory: "/home/Jané Döe/notes" },
  { scope: "user", directory: "/home/Jané Döe/.memdir/user" },
] as const;

describe("what a hook says of opening a note", () => {
  it("names the read tool and the file, since no memdir command need be on the path", () => {
    const read = readByFile(PLACES);
    expect(read("feedback_x.md")).toBe("memdir's read tool or from `/home/Jané Döe/notes/feedback_x.md`");
    expect(read("user:role.md")).toBe("memdir's read tool or from `/home/Jané Döe/.memdir/user/role.md`");
    expect(read("FILE")).toBe(
      "memdir's read tool or from its file (FILE in `/home/Jané Döe/notes`, user:FILE in `/home/Jané Döe/.memdir/user`)",
    );
    expect(readByFile(PLACES)("FILE")).toBe(read("FILE"));
    expect(readByFile([])("x.md")).toBe("memdir's read tool");
  });

  it("cites a guard's note with its file, and no path ends the code span", () => {
    const guard = { tool: "Bash", pattern: "x", action: "deny", message: undefined } as const;
    expect(
      guardReason([{ scope: "project", directory: "/a`b", file: "feedback_x.md", name: "x", guard }], "deny"),
    ).toContain("(feedback_x.md; its file is `/a?b/feedback_x.md`)");
  });
});
