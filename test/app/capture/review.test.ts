import fs from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { locate } from "../../../src/app/workspace/locations.ts";
import { type OpenWorkspace, openWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import type { CaptureOperation } from "../../../src/core/capture/plan.ts";
import { applyOperation, scopeOf } from "../../../src/app/capture/apply-capture.ts";
import {
  acceptEntry,
  editEntry,
  entryText,
  propose,
  type Proposed,
  quoteFor,
  rejectEntry,
  ruleFor,
  ruleOf,
} from "../../../src/app/capture/review.ts";
import type { ReviewEntry } from "../../../src/core/capture/review-queue.ts";
import type { NoteDraft } from "../../../src/core/notes/note.ts";
import { sha256 } from "../../../src/core/shared/hash.ts";
import type { SecretScanner } from "../../../src/core/shared/secrets/mask.ts";
import { emptyHome } from "../../support/cli.ts";
import { memoryDirectory, scratch } from "../../support/scratch.ts";
import { noteText } from "../../support/store.ts";
import { MARKED_SECRET, deps, sessionOf } from "../../core/capture/session.ts";

let workspace: OpenWorkspace;

beforeEach(() => {
  const root = scratch(memoryDirectory());
  fs.mkdirSync(`${root}/orders/.git`, { recursive: true });
  workspace = openWorkspace(locate({ cwd: `${root}/orders`, environment: emptyHome(root) }));
  write("one", "Words of one.");
});

afterEach(() => workspace.close());

const directory = (): string => workspace.locations.stores[0]?.directory ?? "";
const text = (file: string): string => fs.readFileSync(`${directory()}/${file}`, "utf8");
const files = (): readonly string[] => fs.readdirSync(directory()).filter((name) => name !== "MEMORY.md");
/** As another program writes it. */
function write(name: string, body: string): void {
  fs.mkdirSync(directory(), { recursive: true });
  fs.writeFileSync(`${directory()}/${name}.md`, noteText(name, `about ${name}`, body));
}

const evidence = { session: "s1", message: "u1" };
const draft = (more: Partial<NoteDraft> = {}): NoteDraft => ({
  type: "feedback",
  name: "squash",
  description: "Squash merges",
  body: "Squash merges on the release branch.",
  evidence,
  ...more,
});
function withoutEvidence(name: string): NoteDraft {
  const { type, description, body } = draft();
  return { type, name, description, body };
}
const create = (more: Partial<NoteDraft> = {}): CaptureOperation => ({ kind: "create", draft: draft(more) });
const onOne = (kind: "revise" | "supersede", more: Partial<NoteDraft> = {}): CaptureOperation => ({
  kind,
  file: "project:one.md",
  draft: draft({ type: "project", name: "one", ...more }),
});
const retire: CaptureOperation = { kind: "retire", file: "project:one.md", evidence };
const session = sessionOf(["Fine. Please squash merges on the release branch from now on. And thanks."]);

const proposed = (operation: CaptureOperation, dryRun = false, transcript = session): Promise<Proposed> =>
  propose(workspace, transcript, [{ operation, reason: "why", doubtful: true }], { by: "rules", dryRun });

async function waiting(operation: CaptureOperation, transcript = session): Promise<ReviewEntry> {
  const { queued } = await proposed(operation, false, transcript);
  const [entry] = queued;
  if (entry === undefined) throw new Error("nothing waits");
  return entry;
}

describe("what is proposed", () => {
  it("waits with what it is, why, whose words it rests on and what it would change", async () => {
    const entry = await waiting(onOne("revise"));
    expect(entry).toMatchObject({
      scope: "project",
      reason: "why",
      doubtful: true,
      by: "rules",
      evidence,
      quote: "Please squash merges on the release branch from now on.",
      saidAs: "wish",
      seen: sha256(fs.readFileSync(`${directory()}/one.md`)),
    });
    expect(workspace.review.entries()).toEqual([entry]);
    expect((await waiting(create())).seen).toBeUndefined();
    expect(await waiting(create({ type: "user" }))).toMatchObject({ scope: "user" });
    const unsaid = withoutEvidence("unsaid");
    expect((await waiting({ kind: "create", draft: unsaid })).evidence).toEqual({ session: "s1", message: "" });
  });

  it("is one entry however often it is proposed, and another where anything of it differs", async () => {
    const ids = new Set<string>();
    for (const one of [
      create(),
      create(),
      create({ body: "Other words." }),
      create({ name: "other" }),
      create({ description: "Other" }),
      create({ type: "user" }),
      onOne("revise"),
      onOne("supersede"),
      { ...onOne("revise"), file: "project:two.md" } as CaptureOperation,
      retire,
    ])
      ids.add((await waiting(one)).id);
    expect([ids.size, workspace.review.entries().length]).toEqual([9, 9]);
  });

  it("waits nowhere in a dry run, nor when it is too long or was rejected before", async () => {
    expect((await proposed(create(), true)).queued).toHaveLength(1);
    expect(workspace.review.entries()).toEqual([]);
    const reasons = async (operation: CaptureOperation): Promise<unknown> =>
      (await proposed(operation)).refused.map(({ reason, evidence: said }) => [reason, said]);
    expect(await reasons(create({ body: "x".repeat(20_001) }))).toEqual([["too-long", evidence]]);
    expect(await reasons(create({ body: "x".repeat(20_000) }))).toEqual([]);
    const { id } = await waiting(retire);
    expect([rejectEntry(workspace, id), rejectEntry(workspace, id)]).toEqual([true, false]);
    expect(await reasons(retire)).toEqual([["rejected-before", evidence]]);
  });

  it("quotes the sentence that it shares most words with, masked and on one line, up to 400 characters", async () => {
    const quote = (words: string, operation = create()): string => quoteFor(sessionOf([words]), operation);
    expect(quote("Squash it. Always squash merges on the release branch.")).toBe(
      "Always squash merges on the release branch.",
    );
    expect(quote("Thanks. Drop that note.", retire)).toBe("Thanks.");
    expect(quoteFor(sessionOf([]), create())).toBe("");
    workspace.close();
    workspace = openWorkspace(workspace.locations, { secrets: deps.secrets });
    const long = `Squash merges with ${MARKED_SECRET} ${"and more ".repeat(60)}`;
    const entry = await waiting(create(), sessionOf([long]));
    expect(entry.quote).toContain("Squash merges with [secret] and");
    expect([entry.quote.length, JSON.stringify(entry).includes(MARKED_SECRET)]).toEqual([400, false]);
    const { queued, refused } = await proposed(create({ body: `Log in with ${MARKED_SECRET}.` }));
    expect([queued, refused.map(({ reason }) => reason)]).toEqual([[], ["secret"]]);
    expect(workspace.review.entries()).toHaveLength(1);
  });
});

describe("a rule", () => {
  it("is made of what was done, what for and how it was said, and a later verdict takes its place", async () => {
    const entry = await waiting(create());
    const [always, never] = [ruleOf(entry, "always", 0), ruleOf(entry, "never", 9)];
    expect(always).toMatchObject({
      verdict: "always",
      kind: "create",
      type: "feedback",
      saidAs: "wish",
      time: "1970-01-01T00:00:00.000Z",
    });
    expect([never.id, always.id, entry.id]).toEqual([
      always.id,
      expect.stringMatching(/^[0-9a-f]{6}$/u),
      expect.stringMatching(/^[0-9a-f]{8}$/u),
    ]);
    const others = [
      ruleOf(await waiting(retire), "always", 0),
      ruleOf(await waiting(create({ type: "user" })), "always", 0),
      ruleOf({ ...entry, saidAs: "other" }, "always", 0),
    ];
    expect(new Set([always, ...others].map(({ id }) => id)).size).toBe(4);
    expect(others[0]).toMatchObject({ kind: "retire", type: undefined });
  });

  it("holds for the same kind and type, said the same way, and the newest of them counts", async () => {
    const entry = await waiting(create());
    const [always, never] = [ruleOf(entry, "always", 0), ruleOf(entry, "never", 9)];
    const retiring = ruleOf(await waiting(retire), "always", 0);
    expect(ruleFor([always, never], create(), "wish")).toBe(never);
    expect(ruleFor([never, always, retiring], create(), "wish")).toBe(always);
    expect(ruleFor([always, retiring], retire, retiring.saidAs)).toBe(retiring);
    for (const operation of [create({ type: "user" }), onOne("supersede", { type: "feedback" }), retire])
      expect(ruleFor([always], operation, "wish")).toBeUndefined();
    expect(ruleFor([always], create(), "other")).toBeUndefined();
  });
});

describe("an entry that is accepted", () => {
  it.each([
    ["makes a note", create(), "feedback_squash.md"],
    ["revises one", onOne("revise"), "one.md"],
    ["retires one", retire, "one.md"],
  ] as const)("%s, and is gone then", async (_, operation, file) => {
    const { id } = await waiting(operation);
    expect(await acceptEntry(workspace, id)).toMatchObject({ outcome: "accepted", note: { file } });
    expect([await acceptEntry(workspace, id), workspace.review.entries()]).toEqual([{ outcome: "gone" }, []]);
  });

  it("is known where the store says it by then, and gone", async () => {
    const entries = [await waiting(create()), await waiting(onOne("revise"))];
    applyOperation(workspace, create(), { actor: "user", dryRun: false, session: "s" });
    write("one", draft().body);
    expect([
      await acceptEntry(workspace, entries[0]?.id ?? ""),
      await acceptEntry(workspace, entries[1]?.id ?? ""),
    ]).toEqual([
      { outcome: "known", file: "feedback_squash.md" },
      { outcome: "known", file: "one.md" },
    ]);
    expect(workspace.review.entries()).toEqual([]);
  });

  it.each([
    ["gone", () => fs.rmSync(`${directory()}/one.md`), "one.md is gone since"],
    ["changed", () => write("one", "Other words."), "one.md was changed since"],
    [
      "retired",
      () => {
        const retired = text("one.md").replace("metadata:\n", "metadata:\n  supersededBy: two.md\n");
        fs.writeFileSync(`${directory()}/one.md`, retired);
      },
      "one.md was retired since",
    ],
  ])("stays where its note is %s by then, and changes nothing", async (_, happen, why) => {
    for (const operation of [onOne("revise"), onOne("supersede"), retire]) {
      write("one", "Words of one.");
      workspace.stores[0]?.store.reconcile("full");
      const { id } = await waiting(operation);
      happen();
      const before = files().map(text);
      expect(await acceptEntry(workspace, id)).toEqual({ outcome: "stale", why });
      expect([
        files().map(text),
        workspace.review
          .entries()
          .map((one) => one.id)
          .includes(id),
      ]).toEqual([before, true]);
    }
  });
});

describe("an entry that waited", () => {
  const reopen = (secrets: SecretScanner, instructions = ""): void => {
    workspace.close();
    workspace = openWorkspace(workspace.locations, { secrets, instructions: async () => instructions });
  };

  it("is not accepted where it is a secret by what is known now, and stays", async () => {
    reopen({ scan: async () => [] });
    const { id } = await waiting(create({ body: `Log in with ${MARKED_SECRET}.` }));
    reopen(deps.secrets);
    expect(await acceptEntry(workspace, id)).toMatchObject({ outcome: "refused", reason: "secret" });
    expect([files(), workspace.review.entries().length]).toEqual([["one.md"], 1]);
  });

  it("is not accepted where it is edited at that moment: nobody has read those words", async () => {
    const { id } = await waiting(create());
    const file = entryText(workspace, await waiting(create())) ?? "";
    let isEdited = false;
    reopen({
      scan: async () => {
        if (isEdited) return [];
        isEdited = true;
        await editEntry(workspace, id, file.replace("release", "main"));
        return [];
      },
    });
    expect(await acceptEntry(workspace, id)).toEqual({
      outcome: "stale",
      why: "the proposal was edited at this moment",
    });
    expect(files()).toEqual(["one.md"]);
    expect(await acceptEntry(workspace, id)).toMatchObject({ outcome: "accepted" });
    expect(text("feedback_squash.md")).toContain("Squash merges on the main branch.");
  });

  it("is accepted in the name of who proposed it", async () => {
    const { queued } = await propose(workspace, session, [{ operation: create(), reason: "why", doubtful: true }], {
      by: "model",
      dryRun: false,
    });
    await acceptEntry(workspace, queued[0]?.id ?? "");
    expect(workspace.stores[0]?.store.history().versions("feedback_squash.md")).toMatchObject([{ actor: "model" }]);
  });

  it("is accepted though the repository says it, where a person insisted on it, or where it is about the person", async () => {
    const { id } = await waiting(create());
    const file = (entryText(workspace, await waiting(create())) ?? "").replace(
      "Squash merges on the release branch.",
      "src/a.ts\nsrc/b.ts\nsrc/c.ts",
    );
    expect(await editEntry(workspace, id, file)).toMatchObject({ outcome: "refused", reason: "code-structure" });
    expect(await editEntry(workspace, id, file, { insist: true })).toEqual({ outcome: "edited" });
    expect(await acceptEntry(workspace, id)).toMatchObject({ outcome: "accepted" });
    const body = "Always squash merges on the release branch of the shop.";
    reopen(deps.secrets, `- ${body}\n`);
    const [project, user] = [await waiting(create({ body })), await waiting(create({ body, type: "user" }))];
    expect(await acceptEntry(workspace, project.id)).toMatchObject({ outcome: "refused", reason: "instructions" });
    expect(await acceptEntry(workspace, user.id)).toMatchObject({ outcome: "accepted" });
  });
});

describe("an entry that is rejected", () => {
  it("and that would have retired a note in favour of another lets both hold from then on", async () => {
    write("two", "Words of two.");
    workspace.stores[0]?.store.reconcile("full");
    const { id } = await waiting({ ...retire, by: "two.md" });
    expect(rejectEntry(workspace, id)).toBe(true);
    expect(text("two.md")).toMatch(/^ {2}agreesWith:.*one\.md/mu);
    expect(text("one.md")).not.toContain("supersededBy");
    // Where the other is gone by then, nothing is left to record.
    const other = await waiting({ ...retire, file: "project:two.md", by: "gone.md" });
    expect(rejectEntry(workspace, other.id)).toBe(true);
  });
});

describe("an entry that is edited", () => {
  it("takes the new words, through the gates that a person's text passes", async () => {
    const { id, operation } = await waiting(create());
    const file = entryText(workspace, await waiting(create())) ?? "";
    expect(file).toContain("Squash merges on the release branch.");
    expect(await editEntry(workspace, id, file.replace("release branch", "main\u0008 branch"))).toEqual({
      outcome: "edited",
    });
    expect(workspace.review.entries()[0]?.operation).toEqual({
      ...operation,
      draft: { ...draft(), body: "Squash merges on the main branch." },
    });
    const renamed = file.replace("description: Squash merges", "description: Squash merges of main");
    expect(await editEntry(workspace, id, renamed.replace("release", "main"))).toEqual({ outcome: "edited" });
    expect(workspace.review.entries()[0]?.operation).toMatchObject({
      draft: { description: "Squash merges of main", body: "Squash merges on the main branch." },
    });
    const refused = async (given: string): Promise<string> => {
      const result = await editEntry(workspace, id, given);
      return result.outcome === "refused" ? result.message : result.outcome;
    };
    expect(await refused(file.replace("release", "rel\u202Eease"))).toMatch(
      /^the text contains hidden or bidirectional/u,
    );
    expect(await refused(file.replace(/Squash merges on the release branch\.\s*$/u, " \n"))).toBe(
      "the edited note cannot be taken: the text is empty",
    );
    expect(await refused(file.replace("type: feedback", "kind: x"))).toMatch(/^the edited note cannot be taken: /u);
    expect(await refused("no frontmatter at all")).toMatch(/^the edited note cannot be taken: /u);
    expect(workspace.review.entries()[0]?.operation).toMatchObject({
      draft: { body: "Squash merges on the main branch." },
    });
  });

  it("is gone where it is not there, or has no words", async () => {
    const entry = await waiting(retire);
    const file = entryText(workspace, await waiting(create())) ?? "";
    expect(entryText(workspace, entry)).toBeUndefined();
    expect(await editEntry(workspace, entry.id, file)).toEqual({ outcome: "gone" });
    expect(await editEntry(workspace, "ffffffff", file)).toEqual({ outcome: "gone" });
    expect(workspace.review.entries()).toHaveLength(2);
  });
});

describe("an operation that is applied", () => {
  const options = { actor: "rules", dryRun: false, session: "s9" };

  it("keeps of a revised note its name, type and whatever else it says", () => {
    fs.writeFileSync(
      `${directory()}/one.md`,
      noteText("one", "about one", "Words of one.").replace("metadata:\n", "own: 7\nmetadata:\n"),
    );
    const { note, headroom } = applyOperation(workspace, onOne("revise", { name: "x", said: "2026-03-01" }), options);
    expect([note.file, headroom === undefined]).toEqual(["one.md", false]);
    for (const part of [
      "name: one",
      "own: 7",
      "type: project",
      "description: Squash merges",
      "session: s1",
      "message: u1",
    ])
      expect(text("one.md")).toContain(part);
    expect(text("one.md")).toMatch(/\n {2}said: "?2026-03-01"?\n/u);
    expect(text("one.md")).toMatch(/\n {2}modified: /u);
    expect(text("one.md")).toMatch(/\n {2}evidence:\n {4}session: s1\n {4}message: u1\n/u);
    expect(text("one.md")).toContain("Squash merges on the release branch.");
    expect(text("one.md")).not.toContain("Words of one.");
    expect(workspace.stores[0]?.store.history().versions("one.md").length).toBeGreaterThan(0);
  });

  it("does nothing to a note that is not as expected, not there, or no text", () => {
    const expected = sha256("something else");
    expect(applyOperation(workspace, onOne("revise"), { ...options, expected })).toMatchObject({
      note: { file: undefined },
      headroom: undefined,
    });
    fs.writeFileSync(`${directory()}/one.md`, Buffer.from([0xff, 0xfe, 0x00]));
    expect(applyOperation(workspace, onOne("revise"), options).note.file).toBeUndefined();
    fs.rmSync(`${directory()}/one.md`);
    for (const operation of [onOne("revise"), retire])
      expect(applyOperation(workspace, operation, options).note.file).toBeUndefined();
    expect(files()).toEqual([]);
  });

  it("retires the note whose place a new one takes", () => {
    workspace.stores[0]?.store.reconcile("full");
    const { note } = applyOperation(workspace, onOne("supersede", { name: "two" }), options);
    expect([note.file, note.superseded]).toEqual(["project_two.md", "one.md"]);
    expect(text("one.md")).toContain("supersededBy: project_two.md");
    expect(text("project_two.md")).toMatch(/source: rules/u);
    const unsaid = withoutEvidence("three");
    expect(applyOperation(workspace, { kind: "create", draft: unsaid }, options).note).toMatchObject({
      evidence: { session: "s9", message: "" },
      superseded: undefined,
    });
  });

  it("goes to the scope of its note, what is known of the person to theirs, else to the project", () => {
    const ofUser = create({ type: "user" });
    expect(scopeOf(workspace, create())).toBe("project");
    expect(scopeOf(workspace, ofUser)).toBe("user");
    expect(scopeOf({ ...workspace, scopes: ["project"] }, ofUser)).toBe("project");
    expect(scopeOf(workspace, { ...retire, file: "user:a.md" })).toBe("user");
    expect(scopeOf(workspace, { ...retire, file: "elsewhere:a.md" })).toBe("project");
    expect(scopeOf(workspace, onOne("revise", { type: "user" }))).toBe("project");
    const nowhere = { ...workspace, open: () => undefined };
    expect(() => applyOperation(nowhere, create(), options)).toThrow("there is no project scope here");
    expect(
      applyOperation(workspace, { ...onOne("supersede"), file: "elsewhere:one.md" } as CaptureOperation, options).note,
    ).toMatchObject({ superseded: undefined });
    expect(text("one.md")).not.toContain("supersededBy");
  });
});
