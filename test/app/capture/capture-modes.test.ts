import fs from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import {
  capturesToLog,
  captureToLog,
  mayCapture,
  refusalOf,
  sortOperations,
} from "../../../src/app/capture/capture-modes.ts";
import { locate } from "../../../src/app/workspace/locations.ts";
import { type OpenWorkspace, openWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import type { Mode } from "../../../src/app/workspace/modes.ts";
import type { Workspace } from "../../../src/app/workspace/workspace.ts";
import type { CaptureOperation } from "../../../src/core/capture/plan.ts";
import type { ReviewRule } from "../../../src/core/capture/review-queue.ts";
import type { Scope } from "../../../src/core/notes/note.ts";
import type { Turn } from "../../../src/core/transcripts/turn.ts";
import { emptyHome } from "../../support/cli.ts";
import { scratch } from "../../support/scratch.ts";

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

describe("what is captured to the log", () => {
  let workspace: OpenWorkspace | undefined;
  afterEach(() => {
    workspace?.close();
    workspace = undefined;
  });

  const SAID = "From now on always squash merges, because the history gets unreadable otherwise.";
  const turn = (id: string, text: string, time?: string): Turn => ({ role: "user", id, text, time, toolCalls: [] });

  function logging() {
    const root = scratch();
    fs.mkdirSync(`${root}/orders/.git`, { recursive: true });
    const opened = openWorkspace(locate({ cwd: `${root}/orders`, environment: emptyHome(root) }));
    workspace = opened;
    const clock = { now: () => Date.parse("2026-03-20T23:30:00.900Z"), timeZone: "Europe/Prague" };
    const here: OpenWorkspace = Object.create(opened, { clock: { value: clock } });
    return async (session: string, ...turns: readonly Turn[]) => {
      const { entries, refused } = await captureToLog(here, { ...TRANSCRIPT, session, turns }, [], {
        dryRun: false,
        instructions: "",
      });
      return [
        ...entries.map(({ day, time, offset }) => `${day} ${new Date(time).toISOString()} +${offset ?? 0}`),
        ...refused.map(({ reason }) => reason),
      ];
    };
  }

  it("stands on the local day on which it was said, to the second, else on the day of the capture; each message once", async () => {
    const capture = logging();
    const turns = [
      turn("u1", SAID, "2026-03-02T23:10:00.700Z"),
      turn("u2", "Never deploy the billing service on a Friday."),
    ];
    expect(await capture("s1", ...turns)).toEqual([
      "2026-03-03 2026-03-02T23:10:00.000Z +60",
      "2026-03-21 2026-03-20T23:30:00.000Z +60",
    ]);
    expect(await capture("s1", ...turns)).toEqual([]);
    // Another session has messages of the same names.
    expect(await capture("s2", turn("u1", "Always run the importer tests in the container."))).toHaveLength(1);
  });

  it("is recalled text where another session repeats it within a week, word for word", async () => {
    const capture = logging();
    expect(await capture("s1", turn("u1", SAID, "2026-03-02T09:00:00Z"))).toHaveLength(1);
    for (const day of ["02", "09"])
      expect(await capture(`s${day}`, turn("u1", SAID, `2026-03-${day}T10:00:00Z`))).toEqual(["recalled-text"]);
    expect(await capture("s3", turn("u1", SAID, "2026-03-10T10:00:00Z"))).toEqual([
      "2026-03-10 2026-03-10T10:00:00.000Z +60",
    ]);
  });
});
