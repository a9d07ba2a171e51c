import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findRemovedNote, noteIfThere, noteInTime, noteNamed } from "../../../src/app/notes/find-note.ts";
import { locate } from "../../../src/app/workspace/locations.ts";
import { openWorkspace, type OpenWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import type { NoteRef } from "../../../src/app/workspace/workspace.ts";
import type { Scope } from "../../../src/core/notes/note.ts";
import { emptyHome } from "../../support/cli.ts";
import { memoryDirectory, scratch } from "../../support/scratch.ts";
import { noteText, steppingClock } from "../../support/store.ts";

let workspace: OpenWorkspace;
beforeEach(() => {
  const root = scratch(memoryDirectory());
  fs.mkdirSync(`${root}/shop/.git`, { recursive: true });
  workspace = openWorkspace(locate({ cwd: `${root}/shop`, environment: emptyHome(root) }), { clock: steppingClock() });
});
afterEach(() => workspace.close());

const directory = (scope: Scope): string => workspace.open(scope)?.store.directory ?? expect.unreachable();
function put(scope: Scope, file: string, name: string): void {
  const full = path.join(directory(scope), file);
  fs.mkdirSync(path.dirname(full), { recursive: true });
  fs.writeFileSync(full, noteText(name, `About ${name}`, "words"));
}
function gone(scope: Scope, file: string): void {
  put(scope, file, "gone");
  workspace.open(scope)?.store.reconcile("full");
  fs.rmSync(`${directory(scope)}/${file}`);
  workspace.open(scope)?.store.reconcile("full");
}
const shown = (ref: NoteRef | undefined): string | undefined => ref && `${ref.scoped.scope}:${ref.file}`;
function told(work: () => NoteRef | undefined): string {
  try {
    return shown(work()) ?? "none";
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
}

describe("a note that somebody names", () => {
  beforeEach(() => {
    put("project", "project_port.md", "staging port");
    put("project", "sub/rules.md", "House Rules");
    put("user", "user_role.md", "role");
    put("user", "project_twin.md", "a twin");
    put("project", "project_twin.md", "another twin");
  });

  it.each([
    ["project_port.md", "project:project_port.md"],
    ["project_port", "project:project_port.md"],
    ["./project_port.md", "project:project_port.md"],
    ["Project-Port", "project:project_port.md"],
    ["staging port", "project:project_port.md"],
    ["STAGING_PORT", "project:project_port.md"],
    ["sub/rules.md", "project:sub/rules.md"],
    ["rules", "project:sub/rules.md"],
    ["house rules", "project:sub/rules.md"],
    ["user:role", "user:user_role.md"],
    ["user:user_role.md", "user:user_role.md"],
    ["role", "user:user_role.md"],
    ["user:project_twin", "user:project_twin.md"],
    ["project:project_twin.md", "project:project_twin.md"],
    ["another twin", "project:project_twin.md"],
  ])("%s is %s, whichever way it is asked for", (reference, file) => {
    for (const find of [noteNamed, noteIfThere, noteInTime]) expect(told(() => find(workspace, reference))).toBe(file);
    expect(findRemovedNote(workspace, reference)).toBeUndefined();
  });

  it("and that could be several is none of them: all are told", () => {
    for (const find of [noteNamed, noteIfThere, noteInTime])
      expect(told(() => find(workspace, "project_twin"))).toMatch(
        /^more than one note is called "project_twin"; it could be (?:user:project_twin\.md, project_twin\.md|project_twin\.md, user:project_twin\.md)$/u,
      );
  });

  it("and that is not there is told with those that resemble it, or with how to see all", () => {
    for (const find of [noteNamed, noteInTime]) {
      expect(told(() => find(workspace, "port"))).toBe('there is no note "port"; did you mean project_port.md?');
      expect(told(() => find(workspace, "moon"))).toBe('there is no note "moon"; `memdir list` shows all');
      expect(told(() => find(workspace, "moon", "look at the list"))).toBe('there is no note "moon"; look at the list');
      expect(told(() => find(workspace, "project:role"))).toContain('there is no note "project:role"');
    }
    expect(told(() => noteIfThere(workspace, "moon"))).toBe("none");
    expect(told(() => noteNamed(workspace, "m".repeat(300))).length).toBeLessThan(250);
  });

  it.each([
    ["o", "a letter in many names"],
    ["md", "how every file ends"],
    [".", "no word at all"],
    ["ol", "a part of a word"],
    ["rul", "a part of a word"],
    ["", "nothing"],
  ])("suggests none for %j, %s", (reference) => {
    expect(told(() => noteNamed(workspace, reference))).toContain("`memdir list` shows all");
  });

  it.each(["prot", "projcet_port", "Prot.md", "project port.txt"])(
    "suggests for %s the note that was meant",
    (typed) => {
      expect(told(() => noteNamed(workspace, typed))).toContain("did you mean project_port.md?");
    },
  );

  it("names five of those that resemble it at most", () => {
    for (let at = 0; at < 6; at++) put("project", `many_${at}.md`, `many ${at}`);
    expect(told(() => noteNamed(workspace, "many")).match(/many_\d\.md/gu)).toHaveLength(5);
  });
});

describe("a note that was removed", () => {
  beforeEach(() => {
    gone("project", "project_port.md");
    gone("user", "feedback_tone.md");
    put("project", "project_here.md", "tone of voice");
  });

  it.each([
    ["project_port.md", "project:project_port.md"],
    ["project_port", "project:project_port.md"],
    ["port", "project:project_port.md"],
    ["Port", "project:project_port.md"],
    ["project:port", "project:project_port.md"],
    ["tone", "user:feedback_tone.md"],
    ["user:tone", "user:feedback_tone.md"],
    ["user:port", undefined],
    ["project:tone", undefined],
    ["MEMORY", undefined],
    ["MEMORY.md", undefined],
    ["here", undefined],
    ["ort", undefined],
  ])("is found as %s: %s", (reference, file) => {
    expect(shown(findRemovedNote(workspace, reference))).toBe(file);
    if (file === undefined) return;
    expect(shown(noteInTime(workspace, reference))).toBe(file);
    expect(noteIfThere(workspace, reference)).toBeUndefined();
  });

  it("counts no more where a note of that file or name is there", () => {
    put("project", "project_port.md", "another");
    expect(told(() => noteInTime(workspace, "project_port"))).toBe("project:project_port.md");
    expect(findRemovedNote(workspace, "project_port")).toBeUndefined();
    put("user", "elsewhere.md", "feedback tone");
    workspace.open("user")?.store.reconcile("full");
    expect(findRemovedNote(workspace, "feedback_tone")).toBeUndefined();
    expect(told(() => noteInTime(workspace, "feedback_tone"))).toBe("user:elsewhere.md");
  });

  it("under its whole name comes before one that has this name behind a type", () => {
    gone("project", "reference_plan.md");
    gone("project", "plan.md");
    expect(shown(findRemovedNote(workspace, "plan"))).toBe("project:plan.md");
  });
});
