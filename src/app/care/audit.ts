import {
  type DreamNote,
  isOpen,
  type Statements,
  type DreamCause,
  type DreamOperation,
} from "../../core/dream/operation.ts";
import { planDream } from "../../core/dream/plan.ts";
import type { DateResolver } from "../../core/notes/dates/date-resolver.ts";
import { entryTarget } from "../../core/notes/index-file.ts";
import { INDEX_FILE } from "../../core/notes/names.ts";
import type { IndexEntry } from "../../core/notes/note-index.ts";
import type { Scope } from "../../core/notes/note.ts";
import { dreamNotes, isTakenBackIn } from "../dream/dream-notes.ts";
import { dreamsOf } from "../dream/dream.ts";
import type { ScopedStore, Workspace } from "../workspace/workspace.ts";
import { counted } from "../../core/shared/text.ts";
import { shellWord } from "../../core/shared/shell-word.ts";

/** What an audit can find, most serious first. */
export const AUDIT_CODES = [
  "secret",
  "contradiction",
  "stale-claim",
  "duplicate",
  "recall-loop",
  "conflict-copy",
  "unreadable",
  "orphan",
  "relative-date",
  "oversize",
  "index-drift",
  "never-recalled",
] as const;
export type AuditCode = (typeof AUDIT_CODES)[number];

export interface AuditFinding {
  readonly code: AuditCode;
  readonly scope: Scope;
  readonly files: readonly string[];
  readonly message: string;
  /** The command that fixes it, ready for a shell. */
  readonly mend: string;
  /** What to consider first, or what to do instead. */
  readonly hint?: string;
}

export interface AuditOptions {
  /** The digest that a store's index would have if rebuilt from the files. */
  readonly freshDigest: (scoped: ScopedStore) => string;
}

const DAY_MS = 86_400_000;
/** A note that no prompt has found for this long may not be worth its line (days). */
const FORGOTTEN_DAYS = 90;
/** With fewer notes than this, not being recalled says nothing about a note. */
const FEW_NOTES = 20;

/** Audits the notes of all scopes in use. Changes nothing. */
export async function audit(workspace: Workspace, options: AuditOptions): Promise<readonly AuditFinding[]> {
  const dates = await workspace.dates();
  const findings: AuditFinding[] = [];
  for (const scoped of workspace.stores) {
    findings.push(
      ...consolidation(workspace, scoped, dates),
      ...(await contents(workspace, scoped)),
      ...strays(workspace, scoped),
      ...drift(scoped, options),
      ...unused(workspace, scoped),
    );
  }
  return findings.toSorted((a, b) => AUDIT_CODES.indexOf(a.code) - AUDIT_CODES.indexOf(b.code));
}

/** Uses the checks of a dream, also for notes that a dream may not change. */
function consolidation(workspace: Workspace, scoped: ScopedStore, dates: DateResolver): AuditFinding[] {
  const { notes, successorOf } = dreamNotes(workspace, scoped);
  const statements: Statements = new Map();
  const plan = (some: readonly DreamNote[]): readonly DreamOperation[] =>
    planDream({ notes: some, dates, successorOf, timeZone: workspace.clock.timeZone, statements });
  const opened = plan(notes.map((note) => ({ ...note, author: "agent" as const, pinned: false })));
  // Only notes with a finding are planned again with their real author and pin: the others would yield nothing.
  const met = new Set(opened.flatMap(({ files }) => files));
  const byItself = new Set(
    (notes.every(isOpen) ? opened : plan(notes.filter(({ file }) => met.has(file))))
      .filter(({ edits, ask }) => edits.length > 0 && !ask)
      .map(keyOf),
  );
  const pinned = new Set(notes.flatMap((note) => (note.pinned ? [note.file] : [])));
  const wasTaken = isTakenBackIn(scoped, dreamsOf(scoped));
  return opened.flatMap((operation): AuditFinding[] => {
    if (wasTaken(operation)) return []; // the user has decided this already
    const { cause, files, reason } = operation;
    const dreams = byItself.has(keyOf(operation));
    return [
      {
        code: CODES[cause],
        scope: scoped.scope,
        files,
        message: reason,
        ...(dreams
          ? { mend: scoped.scope === "team" ? "memdir dream --apply --scope team" : "memdir dream --apply" }
          : byHand(operation, (file) => named(workspace, scoped, file), pinned)),
      },
    ];
  });
}

function keyOf({ kind, files }: DreamOperation): string {
  return [kind, ...files.toSorted()].join("\n");
}

/** What the user does when a dream may not. Pinned notes are never superseded. */
function byHand(
  { kind, files: [first = "", second = ""] }: DreamOperation,
  shown: (file: string) => string,
  pinned: ReadonlySet<string>,
): Pick<AuditFinding, "mend" | "hint"> {
  if (kind === "conflict") {
    const [holds, other] = pinned.has(second) ? [second, first] : [first, second];
    if (pinned.has(other))
      return {
        mend: `memdir conflicts both ${shown(holds)}`,
        hint: "both are pinned; unpin the one that no longer holds and remove it",
      };
    return {
      mend: `memdir conflicts keep ${shown(holds)}`,
      hint: `or \`memdir conflicts keep ${shown(other)}\`, or \`memdir conflicts both ${shown(holds)}\` where both hold`,
    };
  }
  if (kind !== "merge" && kind !== "supersede") return { mend: `memdir edit ${shown(first)}` };
  return {
    mend: pinned.has(second) ? `memdir remove ${shown(second)}` : `memdir supersede ${shown(second)} ${shown(first)}`,
  };
}

const CODES: Readonly<Record<DreamCause, AuditCode>> = {
  duplicate: "duplicate",
  contradiction: "contradiction",
  reference: "stale-claim",
  date: "relative-date",
  link: "orphan",
  length: "oversize",
  log: "duplicate",
  model: "duplicate",
  unused: "never-recalled",
};

/** Text that recall once gave an agent. A note made from it would teach memory its own words. */
const RECALLED = /(?:<|&lt;)\/?memdir-context|Notes from earlier sessions that seem to bear on this prompt/u;

async function contents(workspace: Workspace, scoped: ScopedStore): Promise<AuditFinding[]> {
  const findings: AuditFinding[] = [];
  for (const { file, problems } of scoped.store.index.entries()) {
    const bytes = scoped.store.read(file);
    if (bytes === undefined) continue;
    const text = new TextDecoder().decode(bytes);
    const shown = named(workspace, scoped, file);
    const at = { scope: scoped.scope, files: [file] };
    const [secret] = await workspace.secrets.scan(text);
    if (secret !== undefined)
      findings.push({
        ...at,
        code: "secret",
        message: `holds what looks like a secret (${secret.rule}); replace it where it is used, too`,
        mend: `memdir forget ${shown}`,
        hint: "it goes from history too and cannot be brought back",
      });
    if (RECALLED.test(text))
      findings.push({
        ...at,
        code: "recall-loop",
        message: "holds text that recall gave to an agent",
        mend: `memdir edit ${shown}`,
      });
    const bad = problems.find(({ code }) => UNSOUND.has(code));
    if (bad !== undefined)
      findings.push({
        ...at,
        code: bad.code === "oversize" ? "oversize" : "unreadable",
        message: bad.message,
        mend: `memdir edit ${shown}${BYTES.has(bad.code) ? " --convert" : ""}`,
      });
  }
  return findings;
}

const UNSOUND: ReadonlySet<string> = new Set([
  "malformed-frontmatter",
  "unclosed-frontmatter",
  "invalid-utf8",
  "nul-bytes",
  "oversize",
  "conflict-markers",
  "hidden-characters",
]);

/** Problems that an editor does not show; `--convert` turns them into text. */
const BYTES: ReadonlySet<string> = new Set(["invalid-utf8", "nul-bytes"]);

/** Copies left by conflicts, missing successors, and dead lines in the index. */
function strays(workspace: Workspace, scoped: ScopedStore): AuditFinding[] {
  const entries = scoped.store.index.entries();
  const known = new Set(entries.flatMap(({ file, name }) => [file, name, file.replace(/\.md$/u, "")]));
  const copies = entries
    .filter(({ file }) => /\.conflict-\d+\.md$/u.test(file))
    .map(({ file }): AuditFinding => ({
      code: "conflict-copy",
      scope: scoped.scope,
      files: [file],
      message: `is a version that two writers could not be merged into; ${file.replace(/\.conflict-\d+\.md$/u, ".md")} is the other`,
      mend: `memdir remove ${named(workspace, scoped, file)}`,
      hint: "when its words are in the other",
    }));
  const heirless = entries
    .filter(({ supersededBy }) => supersededBy !== undefined && supersededBy !== "nothing" && !known.has(supersededBy))
    .map(({ file, supersededBy }): AuditFinding => ({
      code: "orphan",
      scope: scoped.scope,
      files: [file],
      message: `was retired for ${supersededBy ?? ""}, which is not here`,
      mend: `memdir restore ${named(workspace, scoped, file)}`,
      hint: `or \`memdir remove ${named(workspace, scoped, file)}\` when it no longer holds`,
    }));
  const page = scoped.store.read(INDEX_FILE);
  const lines = page === undefined ? [] : new TextDecoder().decode(page).split("\n");
  const dead = lines
    .map(entryTarget)
    .filter(
      (target) =>
        target !== undefined && /\.md$/iu.test(target) && !known.has(target) && scoped.store.read(target) === undefined,
    );
  const stale = dead.map((target): AuditFinding => ({
    code: "orphan",
    scope: scoped.scope,
    files: [INDEX_FILE],
    message: `has a line for ${target ?? ""}, which is not here`,
    mend: `"${"$"}{EDITOR:-vi}" ${shellWord(`${scoped.store.directory}/${INDEX_FILE}`)}`,
    hint: "a person wrote the line, so memdir leaves it",
  }));
  return [...copies, ...heirless, ...stale];
}

function drift(scoped: ScopedStore, { freshDigest }: AuditOptions): AuditFinding[] {
  if (scoped.store.index.digest() === freshDigest(scoped)) return [];
  return [
    {
      code: "index-drift",
      scope: scoped.scope,
      files: [],
      message: "the search index is not what the notes would make of it",
      mend: "memdir doctor",
      hint: "it makes the index again from the notes",
    },
  ];
}

function unused(workspace: Workspace, scoped: ScopedStore): AuditFinding[] {
  const entries = scoped.store.index.entries();
  const live = entries.filter(({ supersededBy }) => supersededBy === undefined);
  // Successors are kept: without its successor a retired note would point to nothing.
  const successors = new Set(entries.flatMap(({ supersededBy: by }) => (by === undefined ? [] : [by, `${by}.md`])));
  const now = workspace.clock.now();
  const usage = scoped.store.usage();
  const isForgotten = ({ file, pinned, time }: IndexEntry): boolean =>
    !usage.has(file) && !successors.has(file) && !pinned && now - time > FORGOTTEN_DAYS * DAY_MS;
  if (live.length < FEW_NOTES || !live.some(({ file }) => usage.has(file))) return [];
  return live.filter(isForgotten).map(({ file, time }): AuditFinding => ({
    code: "never-recalled",
    scope: scoped.scope,
    files: [file],
    message: `was recalled for no prompt in ${counted(Math.floor((now - time) / DAY_MS), "day")}`,
    mend: `memdir remove ${named(workspace, scoped, file)}`,
    hint: `or \`memdir pin ${named(workspace, scoped, file)}\` to keep it`,
  }));
}

function named({ scopes }: Workspace, { scope }: ScopedStore, file: string): string {
  return shellWord(scope === scopes[0] ? file : `${scope}:${file}`);
}
