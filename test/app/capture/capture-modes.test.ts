import { describe, expect, it } from "vitest";
import { capturesToLog, mayCapture, refusalOf, sortOperations } from "../../../src/app/capture/capture-modes.ts";
import type { Mode } from "../../../src/app/workspace/modes.ts";
import type { Workspace } from "../../../src/app/workspace/workspace.ts";
import type { CaptureOperation } from "../../../src/core/capture/plan.ts";
import type { ReviewRule } from "../../../src/core/capture/review-queue.ts";
import type { Scope } from "../../../src/core/notes/note.ts";

interface Place {
  readonly project?: Mode;
  readonly user?: Mode;
  readonly scopes?: readonly Scope[];
  readonly captureTo?: "notes" | "log";
  readonly rules?: readonly ReviewRule[];
}

function place({
  project = "auto",
  user = "auto",
  scopes = ["project", "user"],
  captureTo = "log",
  rules = [],
}: Place) {
  const modes = new Map([
    ["project", { mode: project, reason: undefined }],
    ["user", { mode: user, reason: undefined }],
  ]);
  return { captureTo, scopes, modes, review: { rules: () => rules } } as unknown as Workspace;
}

const EVIDENCE = { session: "s1", message: "u1" };
const WISH = "From now on always squash merges.";
const TRANSCRIPT = {
  agent: "test",
  session: "s1",
  cwd: undefined,
  turns: [{ role: "user", id: "u1", text: WISH, time: undefined, toolCalls: [] }],
  toolTexts: [],
  problems: [],
} as const;
const wish = (evidence = EVIDENCE): CaptureOperation => ({
  kind: "create",
  draft: {
    type: "feedback",
    name: "squash",
    description: "Squash merges",
    body: "Always squash merges.",
    source: "rules",
    evidence,
  },
});
const retire: CaptureOperation = { kind: "retire", file: "project:old.md", evidence: EVIDENCE };

describe("what is captured goes to the log", () => {
  it.each<[string, Place, "person" | "itself", boolean]>([
    ["where a person chose that", {}, "itself", true],
    ["not where a person chose notes", { captureTo: "notes" }, "itself", false],
    ["not where there is no scope for a person's own", { scopes: ["project"] }, "itself", false],
    ["not unseen, where that scope waits for a person", { user: "confirm" }, "person", false],
    ["where somebody asks for it in a scope that writes only then", { user: "manual" }, "person", true],
    ["not by itself there", { user: "manual" }, "itself", false],
    ["whatever the project's own scope may", { project: "off" }, "itself", true],
  ])("%s", (_, here, askedBy, isLogged) => {
    expect(capturesToLog(place(here), askedBy)).toBe(isLogged);
  });
});

describe("a capture has something to do", () => {
  it.each<[string, Place, "person" | "itself", boolean]>([
    ["where one of its scopes may be written", { project: "off" }, "itself", true],
    ["where the other one may", { user: "off" }, "itself", true],
    ["where it waits for a person", { project: "confirm", user: "off" }, "itself", true],
    ["not where neither may", { project: "recall-only", user: "off" }, "person", false],
    ["not by itself where both write only what is asked for", { project: "manual", user: "manual" }, "itself", false],
    ["when it is asked for there", { project: "manual", user: "manual" }, "person", true],
    ["not for a scope that is not here", { project: "off", scopes: ["project"] }, "person", false],
  ])("%s", (_, here, askedBy, may) => {
    expect(mayCapture(place(here), askedBy)).toBe(may);
  });
});

describe("what capture found", () => {
  const rule = (verdict: ReviewRule["verdict"]): ReviewRule => {
    return { id: "r1", verdict, kind: "create", type: "feedback", saidAs: "wish", time: "2026-03-02T09:00:00.000Z" };
  };
  const sorted = (here: Place, doubt?: "may-be-known") => {
    const doubtful = doubt === undefined ? [] : [{ operation: wish(), reason: doubt }];
    const given = { operations: doubt === undefined ? [wish()] : [], proposed: doubtful };
    const { write, propose, refused } = sortOperations(place(here), TRANSCRIPT, given, "itself");
    return [
      ...write.map(() => "written"),
      ...propose.map(({ reason, doubtful: isDoubtful }) => `${isDoubtful ? "doubt" : "waits"}: ${reason}`),
      ...refused.map(({ reason, text }) => `${reason}: ${text}`),
    ];
  };

  it.each<[Place, "may-be-known" | undefined, string]>([
    [{}, undefined, "written"],
    [{ project: "confirm" }, undefined, "waits: held for you in confirm mode"],
    [{ project: "manual" }, undefined, "mode-forbids: Squash merges"],
    [{}, "may-be-known", "doubt: may-be-known"],
    [{ project: "off" }, "may-be-known", "mode-forbids: Squash merges"],
    [{ rules: [rule("never")] }, undefined, "never-like-this: Squash merges"],
    [{ rules: [rule("never")] }, "may-be-known", "never-like-this: Squash merges"],
    [{ project: "confirm", rules: [rule("always")] }, undefined, "written"],
    [{ project: "confirm", rules: [rule("always")] }, "may-be-known", "doubt: may-be-known"],
    [{ project: "off", rules: [rule("always")] }, undefined, "mode-forbids: Squash merges"],
  ])("%j, in doubt: %s, is %s", (here, doubt, fate) => {
    expect(sorted(here, doubt)).toEqual([fate]);
  });

  it("and is not done is told in its own words, with where it was said", () => {
    expect(refusalOf(wish(), "mode-forbids")).toEqual({
      reason: "mode-forbids",
      text: "Squash merges",
      evidence: EVIDENCE,
    });
    expect(refusalOf(retire, "mode-forbids")).toEqual({
      reason: "mode-forbids",
      text: "retire project:old.md",
      evidence: EVIDENCE,
    });
    expect(refusalOf(wish({ session: "", message: "" }), "mode-forbids").evidence).toEqual({
      session: "",
      message: "",
    });
  });
});
