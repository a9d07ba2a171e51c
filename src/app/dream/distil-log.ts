import type { CaptureOperation } from "../../core/capture/plan.ts";
import { type DreamNote, isOpen, type DreamEdit, type DreamOperation } from "../../core/dream/operation.ts";
import { entryId, entryLabel, type LogEntry } from "../../core/notes/daily-log.ts";
import { newNoteFile } from "../../core/notes/names.ts";
import type { NoteDraft } from "../../core/notes/note.ts";
import { serialiseDraft } from "../../core/notes/frontmatter.ts";
import { oneLine, truncate } from "../../core/shared/text.ts";
import type { Transcript, Turn } from "../../core/transcripts/turn.ts";
import { scopeOf, targetFile } from "../capture/apply-capture.ts";
import { type Extractor, planSession } from "../capture/capture-session.ts";
import type { ScopedStore, Workspace } from "../workspace/workspace.ts";

/** Entries of daily logs that no dream of this store has read yet. */
export interface LogNews {
  readonly entries: readonly LogEntry[];
  /** A model that proposes what to remember from them; without one, rules do. */
  readonly extractor?: Extractor;
  /** The text of the project's instruction files. */
  readonly instructions: () => string;
}

/** A note made from log entries, before it is decided whether to write it. */
export interface DistilledNote {
  readonly note: DreamNote;
  readonly content: string;
  /** The entry it comes from, quoted. */
  readonly reason: string;
  /** The note in this store that it says is no longer true. */
  readonly retires: string | undefined;
}

/** The session in the evidence of a distilled note; the message is the entry's id. */
const LOG_SESSION = "daily-log";
const QUOTED = 120;

/**
 * What the user's log entries ask to remember in this store, through the same gates and rules as capture. Entries
 * without a project always belong to the user's scope; of a project's entries only those about the user do.
 */
export async function distilLog(
  workspace: Workspace,
  scoped: ScopedStore,
  { entries, ...how }: LogNews,
): Promise<readonly DistilledNote[]> {
  const said = new Map(entries.map((entry) => [entryId(entry), entry]));
  if (said.size === 0) return [];
  const { plan, by } = await planSession(workspace, transcriptOf(entries), how);
  const taken = new Set<string>();
  return plan.operations.flatMap((operation): DistilledNote[] => {
    if (operation.kind !== "create" && operation.kind !== "supersede") return [];
    const entry = said.get(operation.draft.evidence?.message ?? "");
    if (entry === undefined || scopeFor(workspace, operation, entry) !== scoped.scope) return [];
    const note = distilled(workspace, scoped, { ...operation.draft, source: by }, entry, taken);
    taken.add(note.note.file);
    return [
      {
        ...note,
        retires:
          operation.kind === "supersede" && operation.file.startsWith(`${scoped.scope}:`)
            ? targetFile(operation.file)
            : undefined,
      },
    ];
  });
}

function scopeFor(workspace: Workspace, operation: CaptureOperation, { project }: LogEntry): ScopedStore["scope"] {
  return project === undefined
    ? "user"
    : scopeOf(workspace, operation.kind === "supersede" ? { kind: "create", draft: operation.draft } : operation);
}

function transcriptOf(entries: readonly LogEntry[]): Transcript {
  const turns = entries.map((entry): Turn => ({
    role: "user",
    id: entryId(entry),
    text: entry.text,
    time: new Date(entry.time).toISOString(),
    toolCalls: [],
  }));
  return { agent: LOG_SESSION, session: LOG_SESSION, cwd: undefined, turns, toolTexts: [], problems: [] };
}

function distilled(
  { codec }: Workspace,
  { store }: ScopedStore,
  draft: NoteDraft,
  entry: LogEntry,
  taken: ReadonlySet<string>,
): Omit<DistilledNote, "retires"> {
  const file = newNoteFile(
    draft.type,
    draft.name,
    (name) => taken.has(name) || store.index.hasFile(name) || store.read(name) !== undefined,
  );
  const { name, description, type } = draft;
  const body = draft.body.replace(/\r\n?/gu, "\n").trim();
  return {
    note: {
      file,
      name,
      type,
      description,
      body,
      time: entry.time,
      said: entry.time,
      author: "agent",
      pinned: false,
      links: [],
      checks: [],
      hash: "",
    },
    // Dated like the entry: distilling it today does not make it newer knowledge.
    content: serialiseDraft(draft, new Date(entry.time).toISOString(), codec),
    reason: `${entryLabel(entry)} (${entryId(entry)}): "${truncate(oneLine(entry.text), QUOTED)}"`,
  };
}

/**
 * Joins distilled notes with the rules' operations on all notes, including these. A distilled note that repeats an
 * existing one is left out; what it corrects, retires or takes over becomes one operation with it.
 */
export function withDistilled(
  rules: readonly DreamOperation[],
  fresh: readonly DistilledNote[],
  notes: readonly DreamNote[],
  unsigned: boolean,
): readonly DreamOperation[] {
  if (fresh.length === 0) return rules;
  const files = new Set(fresh.map(({ note }) => note.file));
  const isAboutFresh = ({ files: named }: DreamOperation): boolean => named.some((file) => files.has(file));
  const said = new Set(
    rules.flatMap(({ edits }) =>
      edits.flatMap((edit) => (edit.kind === "retire" && files.has(edit.file) ? [edit.file] : [])),
    ),
  );
  const creations = fresh
    .filter(({ note }) => !said.has(note.file))
    .map((one) => creation(one, rules, notes, { unsigned, said }));
  return [...rules.filter((operation) => !isAboutFresh(operation)), ...creations];
}

function creation(
  { note, content, reason, retires }: DistilledNote,
  rules: readonly DreamOperation[],
  notes: readonly DreamNote[],
  { unsigned, said }: { readonly unsigned: boolean; readonly said: ReadonlySet<string> },
): DreamOperation {
  const own = rules.filter(({ files, edits, ask }) => files[0] === note.file && edits.length > 0 && (unsigned || !ask));
  const edits = own
    .flatMap((operation) => operation.edits)
    .filter((edit) => !(edit.kind === "retire" && said.has(edit.file)));
  const old = notes.find(({ file }) => file === retires);
  const isRetired = edits.some((edit) => edit.kind === "retire" && edit.file === retires);
  const replaced: DreamEdit[] =
    old !== undefined && isOpen(old) && !isRetired ? [{ kind: "retire", file: old.file, by: note.file }] : [];
  const all: readonly DreamEdit[] = [{ kind: "create", file: note.file, content }, ...edits, ...replaced];
  return {
    kind: "distil",
    cause: "log",
    files: [...new Set(all.map(({ file }) => file))],
    reason: [reason, ...own.map((one) => one.reason)].join("; "),
    edits: all,
    ask: false,
  };
}

/** Whether an operation was skipped in a way that the next dream must read its entry again. */
export function isPutOff(reason: string): boolean {
  return reason === "limit" || reason === "changed-meanwhile" || reason === "out-of-time";
}
