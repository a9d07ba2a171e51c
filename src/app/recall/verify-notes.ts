import { checkClaims } from "../../core/notes/claims/check.ts";
import type { Check, Claim } from "../../core/notes/claims/claim.ts";
import { extractClaims } from "../../core/notes/claims/extract.ts";
import { projectOfEntry } from "../../core/notes/daily-log.ts";
import { splitFrontmatter } from "../../core/notes/frontmatter.ts";
import { shownText } from "../../core/notes/parse-note.ts";
import { type Scope, speaksOfProject } from "../../core/notes/note.ts";
import type { Verifier } from "./recall.ts";
import type { RecallOutcome, RecallWorkspace, RecalledNote } from "./recall-notes.ts";
import { liveEntries, type NoteRef, type Workspace } from "../workspace/workspace.ts";

/** `false` leaves notes unchecked; `true` allows up to a second; otherwise the time allowed. */
export type Verify = boolean | { readonly budgetMs: number };

/** While a prompt waits (ms). */
const HOT_BUDGET_MS = 40;
/** When a check was requested (ms). */
const ASKED_BUDGET_MS = 1000;
/** When a whole store is checked, per batch of notes (ms). */
const STORE_BUDGET_MS = 10_000;

function budgetOf(verify: Verify | undefined): number {
  if (verify === undefined) return HOT_BUDGET_MS;
  if (typeof verify === "boolean") return verify ? ASKED_BUDGET_MS : 0;
  return verify.budgetMs;
}

/** The selected notes with claims checked, except notes of wider scopes that are not log entries of this project. */
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

/** `verifySelected` as a step of `recall`. */
export function verifierOf(workspace: Pick<RecallWorkspace, "tree">, verify?: Verify): Verifier {
  return (outcome) => verifySelected(workspace, outcome, verify);
}

function withChecks(note: RecalledNote, checks: readonly Check[]): RecalledNote {
  return checks.length === 0 ? note : { ...note, checks };
}

function claimsOf({ entry, body }: RecalledNote): readonly Claim[] {
  return extractClaims(withDescription(entry.description, body));
}

export interface VerifiedNote {
  readonly scope: Scope;
  readonly file: string;
  readonly checks: readonly Check[];
}

export interface Verification {
  /** Every note that makes a claim. */
  readonly notes: readonly VerifiedNote[];
  /** Number of notes read. */
  readonly count: number;
}

/** Notes checked at once: enough to need few processes, few enough for a command line. */
const BATCH = 25;

/**
 * Checks every live note of the project's scopes, or one note; `undefined` without a working tree. When `isLate` is
 * true, it stops before the next batch, and the remaining notes have no checks.
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

/** One line for the user: `gone: src/a.ts (deleted in 3f2a1b4, 2026-03-02)`. */
export function checkLine({ claim, verdict, detail }: Pick<Check, "claim" | "verdict" | "detail">): string {
  if (verdict === "renamed") return `renamed: ${claim} is now ${detail ?? "elsewhere"}`;
  return `${verdict}: ${claim}${detail === undefined ? "" : ` (${detail})`}`;
}

function textOf(description: string, bytes: Uint8Array): string {
  const body = splitFrontmatter(shownText(bytes)).body.replace(/\r\n?/gu, "\n");
  return withDescription(description, body);
}

/** The whole text of a note. Its description is often its first sentence. */
function withDescription(description: string, body: string): string {
  return body.includes(description) ? body : `${description}\n\n${body}`;
}
