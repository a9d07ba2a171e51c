import { checkClaims } from "../../core/notes/claims/check.ts";
import type { Check, Claim } from "../../core/notes/claims/claim.ts";
import { extractClaims } from "../../core/notes/claims/extract.ts";
import { projectOfEntry } from "../../core/notes/daily-log.ts";
import { splitFrontmatter } from "../../core/notes/frontmatter.ts";
import { shownText } from "../../core/notes/parse-note.ts";
import type { Scope } from "../../core/notes/note.ts";
import type { Verifier } from "./recall.ts";
import type { RecallOutcome, RecallWorkspace, RecalledNote } from "./recall-notes.ts";
import { liveEntries, type NoteRef, type Workspace } from "../workspace/workspace.ts";

/** `false` leaves notes unchecked; `true` takes up to a second; else the time allowed. */
export type Verify = boolean | { readonly budgetMs: number };

/** Where someone waits for the prompt (ms). */
const HOT_BUDGET_MS = 40;
/** Where someone asked for it (ms). */
const ASKED_BUDGET_MS = 1000;
/** For a whole store, for each batch of notes (ms). */
const STORE_BUDGET_MS = 10_000;

function budgetOf(verify: Verify | undefined): number {
  if (verify === undefined) return HOT_BUDGET_MS;
  if (typeof verify === "boolean") return verify ? ASKED_BUDGET_MS : 0;
  return verify.budgetMs;
}

/** The selected notes with what they claim checked. Those of scopes that reach beyond the project are left alone; entries of a log that name this one are not. */
export function verifySelected(
  workspace: Pick<RecallWorkspace, "tree">,
  outcome: RecallOutcome,
  verify?: Verify,
): RecallOutcome {
  const budgetMs = budgetOf(verify);
  if (workspace.tree === undefined || outcome.selected.length === 0 || verify === false) return outcome;
  const claims = outcome.selected.map((note) =>
    speaksOfProject(note.scope) || projectOfEntry(note.entry) !== undefined ? claimsOf(note) : [],
  );
  if (claims.every((own) => own.length === 0)) return outcome;
  const checks = checkClaims(claims, workspace.tree, budgetMs);
  return { ...outcome, selected: outcome.selected.map((note, index) => withChecks(note, checks[index] ?? [])) };
}

/** The same as a step of `recall`. */
export function verifierOf(workspace: Pick<RecallWorkspace, "tree">, verify?: Verify): Verifier {
  return (outcome) => verifySelected(workspace, outcome, verify);
}

function withChecks(note: RecalledNote, checks: readonly Check[]): RecalledNote {
  return checks.length === 0 ? note : { ...note, checks };
}

function claimsOf({ entry, body }: RecalledNote): readonly Claim[] {
  return extractClaims(withDescription(entry.description, body));
}

/** Whether notes of a scope are about this project; a person's own, a group's and those of a sub-agent everywhere may speak of any. */
export function speaksOfProject(scope: Scope): boolean {
  return scope !== "user" && scope !== "group" && scope !== "agent-user";
}

export interface VerifiedNote {
  readonly scope: Scope;
  readonly file: string;
  readonly checks: readonly Check[];
}

export interface Verification {
  /** Every note that claims anything. */
  readonly notes: readonly VerifiedNote[];
  /** Notes looked at. */
  readonly count: number;
}

/** Notes asked about at once: enough to need few processes, few enough for a command line. */
const BATCH = 25;

/**
 * Checks every live note of the project's scopes, or one; `undefined` where there is no working tree. `isLate`: whether
 * to stop before the next batch, so that the notes left have no checks.
 */
export function verifyNotes(
  workspace: Workspace,
  only?: NoteRef,
  budgetMs = STORE_BUDGET_MS,
  isLate = (): boolean => false,
): Verification | undefined {
  const { tree } = workspace;
  if (tree === undefined) return undefined;
  for (const { store } of workspace.stores) store.reconcile("full");
  const refs =
    only === undefined
      ? liveEntries(workspace)
          .filter(({ scoped }) => speaksOfProject(scoped.scope))
          .map(({ scoped, entry }) => ({ scoped, file: entry.file }))
      : [only];
  const claimed = refs.flatMap(({ scoped, file }) => {
    const bytes = scoped.store.read(file);
    const claims =
      bytes === undefined ? [] : extractClaims(textOf(scoped.store.index.entry(file)?.description ?? "", bytes));
    return claims.length === 0 ? [] : [{ scope: scoped.scope, file, claims }];
  });
  const notes: VerifiedNote[] = [];
  for (let start = 0; start < claimed.length && !isLate(); start += BATCH) {
    const batch = claimed.slice(start, start + BATCH);
    const checks = checkClaims(
      batch.map(({ claims }) => claims),
      tree,
      budgetMs,
    );
    notes.push(...batch.map(({ scope, file }, index) => ({ scope, file, checks: checks[index] ?? [] })));
  }
  return { notes, count: refs.length };
}

/** One line for a person: `gone: src/a.ts (deleted in 3f2a1b4, 2026-03-02)`. */
export function checkLine({ claim, verdict, detail }: Pick<Check, "claim" | "verdict" | "detail">): string {
  if (verdict === "renamed") return `renamed: ${claim} is now ${detail ?? "elsewhere"}`;
  return `${verdict}: ${claim}${detail === undefined ? "" : ` (${detail})`}`;
}

function textOf(description: string, bytes: Uint8Array): string {
  const body = splitFrontmatter(shownText(bytes)).body.replace(/\r\n?/gu, "\n");
  return withDescription(description, body);
}

/** All that a note says: its description is often its first sentence. */
function withDescription(description: string, body: string): string {
  return body.includes(description) ? body : `${description}\n\n${body}`;
}
