import fs from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { locate } from "../../../src/app/workspace/locations.ts";
import { type OpenWorkspace, openWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import type { CaptureOperation } from "../../../src/core/capture/plan.ts";
import { mayCapture, sortOperations } from "../../../src/app/capture/capture-modes.ts";
import {
  captureFate,
  everyScope,
  mayWrite,
  type Mode,
  modeIn,
  MODES,
  refusedByMode,
  type ScopeModes,
  widestMode,
  withoutWrites,
} from "../../../src/app/workspace/modes.ts";
import type { ReviewQueue, ReviewRule } from "../../../src/core/capture/review-queue.ts";
import type { NoteDraft, Scope } from "../../../src/core/notes/note.ts";
import { emptyHome } from "../../support/cli.ts";
import { memoryDirectory, scratch } from "../../support/scratch.ts";
import { sessionOf } from "../../core/capture/session.ts";

let workspace: OpenWorkspace;

beforeEach(() => {
  const root = scratch(memoryDirectory());
  fs.mkdirSync(`${root}/orders/.git`, { recursive: true });
  workspace = openWorkspace(locate({ cwd: `${root}/orders`, environment: emptyHome(root) }));
});

afterEach(() => workspace.close());

const modes = (by: Partial<Record<Scope, Mode>>): ScopeModes =>
  new Map(
    (["project", "user", "group", "team", "agent"] as const).flatMap((scope) => {
      const mode = by[scope];
      return mode === undefined ? [] : [[scope, { mode, reason: `set for ${scope}` }] as const];
    }),
  );

describe("a mode", () => {
  it.each([
    ["auto", true, "write", "write"],
    ["confirm", true, "queue", "queue"],
    ["manual", true, "write", "nothing"],
    ["recall-only", false, "nothing", "nothing"],
    ["off", false, "nothing", "nothing"],
  ] as const)("%s: may write %s; capture for a person: %s, by itself: %s", (mode, writes, asked, itself) => {
    expect([mayWrite(mode), captureFate(mode, "person"), captureFate(mode, "itself")]).toEqual([writes, asked, itself]);
  });

  it("is auto in a scope of which nobody said anything", () => {
    expect(modeIn(modes({ user: "off" }), "project")).toEqual({ mode: "auto", reason: undefined });
    expect(modeIn(modes({ user: "off" }), "user")).toEqual({ mode: "off", reason: "set for user" });
    expect(modeIn(everyScope({ mode: "manual", reason: "r" }), "team")).toEqual({ mode: "manual", reason: "r" });
  });

  it("of several scopes is that of the one that does most, of those that are asked about", () => {
    for (const [at, mode] of MODES.entries())
      for (const other of MODES.slice(at)) {
        const both = modes({ project: mode, user: other, team: "auto" });
        expect(widestMode(both, ["project", "user"]).mode).toBe(mode);
        expect(widestMode(both, ["user", "project"]).mode).toBe(mode);
      }
    expect(widestMode(modes({ project: "off" }), [])).toEqual({ mode: "auto", reason: undefined });
  });

  it("says in one sentence what it refuses, why, and what shows it", () => {
    expect(refusedByMode("memory", { mode: "off", reason: "MEMDIR_MODE=off" })).toMatchObject({
      code: "refused",
      message: "memory is off (MEMDIR_MODE=off), so nothing is read or written; `memdir mode` shows and changes it",
    });
    expect(refusedByMode("the team scope", { mode: "recall-only", reason: undefined }).message).toBe(
      "the team scope is recall-only, so nothing is written; `memdir mode` shows and changes it",
    );
  });
});

describe("a store without writes", () => {
  it("refuses whatever changes a note, records nothing, and reads as ever", () => {
    const scoped = workspace.open("project");
    if (scoped === undefined) throw new Error("no project scope");
    const asked: string[] = [];
    const store = {
      ...scoped.store,
      recordUse: () => void asked.push("use"),
      tidy: () => void asked.push("tidy"),
      read: () => (asked.push("read"), new Uint8Array([1])),
    };
    const closed = withoutWrites("project", store, { mode: "recall-only", reason: "r" });
    const refusal = "memory of the project scope is recall-only (r)";
    expect(() => closed.commit([], { actor: "a", reason: "r" })).toThrow(refusal);
    expect(() => closed.adoptHistory([])).toThrow(refusal);
    expect(() => closed.forget("a.md")).toThrow(refusal);
    expect(() => closed.forgetLineages(new Set())).toThrow(refusal);
    expect(() => closed.rebuildIndexFile()).toThrow(refusal);
    closed.recordUse(["a.md"]);
    closed.tidy(1);
    expect([closed.read("a.md"), asked]).toEqual([new Uint8Array([1]), ["read"]]);
  });
});

describe("whether capture has anything to do", () => {
  it.each([
    [{ project: "auto", user: "off" }, true, true],
    [{ project: "off", user: "confirm" }, true, true],
    [{ project: "manual", user: "off" }, true, false],
    [{ project: "recall-only", user: "off" }, false, false],
    [{ project: "off", user: "off", team: "auto" }, false, false],
  ] as const)("with %j: for a person %s, by itself %s", (by, asked, itself) => {
    const here = { ...workspace, modes: modes(by) };
    expect([mayCapture(here, "person"), mayCapture(here, "itself")]).toEqual([asked, itself]);
  });

  it("asks about scopes that are here only", () => {
    const here = { ...workspace, modes: modes({ project: "off", user: "auto" }) };
    expect(mayCapture(here, "person")).toBe(true);
    expect(mayCapture({ ...here, scopes: ["project", "team"] }, "person")).toBe(false);
  });
});

describe("what becomes of what capture found", () => {
  const SQUASH = "From now on always squash merges.";
  const transcript = sessionOf([SQUASH]);
  const evidence = { session: transcript.session, message: "u1" };
  const draft: NoteDraft = { type: "feedback", name: "squash", description: "Squash merges", body: SQUASH, evidence };
  const create: CaptureOperation = { kind: "create", draft };
  const ofUser: CaptureOperation = { kind: "create", draft: { ...draft, type: "user" } };
  const retire: CaptureOperation = { kind: "retire", file: "user:a.md", evidence };
  const rule = (verdict: ReviewRule["verdict"], more: Partial<ReviewRule> = {}): ReviewRule => ({
    id: "1",
    verdict,
    kind: "create",
    type: "feedback",
    saidAs: "wish",
    time: "",
    ...more,
  });

  const sort = (
    mode: Mode,
    rules: readonly ReviewRule[],
    {
      doubt,
      operation = create,
      askedBy = "itself",
    }: {
      doubt?: string;
      operation?: CaptureOperation;
      askedBy?: "itself" | "person";
    } = {},
  ): ReturnType<typeof sortOperations> => {
    const review: ReviewQueue = { ...workspace.review, rules: () => rules };
    const here = { ...workspace, review, modes: modes({ project: mode, user: "manual" }) };
    const input =
      doubt === undefined ? { operations: [operation] } : { operations: [], proposed: [{ operation, reason: doubt }] };
    return sortOperations(here, transcript, input, askedBy);
  };
  const fate = (...given: Parameters<typeof sort>): string => {
    const { write, propose, refused } = sort(...given);
    return [
      ...write.map(() => "written"),
      ...propose.map(({ reason, doubtful }) => `waits${doubtful ? " in doubt" : ""}: ${reason}`),
      ...refused.map(({ reason }) => reason),
    ].join();
  };
  const CONFIRM = "waits: held for you in confirm mode";

  it.each([
    ["auto", [], "written"],
    ["confirm", [], CONFIRM],
    ["manual", [], "mode-forbids"],
    ["recall-only", [], "mode-forbids"],
    ["off", [], "mode-forbids"],
    ["confirm", [rule("always")], "written"],
    ["auto", [rule("never")], "never-like-this"],
    ["confirm", [rule("never")], "never-like-this"],
    ["recall-only", [rule("always")], "mode-forbids"],
    ["auto", [rule("never"), rule("always")], "written"],
    ["auto", [rule("always"), rule("never")], "never-like-this"],
    ["auto", [rule("never", { saidAs: "prohibition" })], "written"],
    ["auto", [rule("never", { kind: "revise" })], "written"],
    ["auto", [rule("never", { type: "project" })], "written"],
    ["confirm", [rule("always", { type: "user" })], CONFIRM],
  ] as const)("in %s mode with %j: %s", (mode, rules, expected) => {
    expect(fate(mode, rules)).toBe(expected);
  });

  it("in manual mode is written when a person asked for it", () => {
    expect(fate("manual", [], { askedBy: "person" })).toBe("written");
  });

  it("waits for a person wherever there is a doubt, whatever the mode allows and a rule says, unless they forbid it", () => {
    expect(fate("auto", [], { doubt: "why" })).toBe("waits in doubt: why");
    expect(fate("auto", [rule("always")], { doubt: "why" })).toBe("waits in doubt: why");
    expect(fate("auto", [rule("never")], { doubt: "why" })).toBe("never-like-this");
    expect(fate("off", [], { doubt: "why" })).toBe("mode-forbids");
  });

  it("goes by the mode of the scope that it is for", () => {
    expect(fate("auto", [], { operation: ofUser })).toBe("mode-forbids");
    expect(fate("off", [], { operation: ofUser, askedBy: "person" })).toBe("written");
    expect(fate("off", [], { operation: retire, askedBy: "person" })).toBe("written");
  });

  it("is told with its words and where they were said when it is refused", () => {
    expect(sort("off", []).refused).toEqual([{ reason: "mode-forbids", text: "Squash merges", evidence }]);
    expect(sort("off", [], { operation: retire }).refused).toEqual([
      { reason: "mode-forbids", text: "retire user:a.md", evidence },
    ]);
    const { type, name, description, body } = draft;
    const unsaid = { type, name, description, body };
    expect(sort("off", [], { operation: { kind: "create", draft: unsaid } }).refused).toMatchObject([
      { evidence: { session: "", message: "" } },
    ]);
  });

  it("asks nobody for rules when nothing was found", () => {
    const review: ReviewQueue = {
      ...workspace.review,
      rules: () => {
        throw new Error("asked");
      },
    };
    const nothing = { write: [], propose: [], refused: [] };
    expect(sortOperations({ ...workspace, review }, transcript, { operations: [] }, "itself")).toEqual(nothing);
    expect(() => sortOperations({ ...workspace, review }, transcript, { operations: [create] }, "itself")).toThrow(
      "asked",
    );
  });
});
