import type { Author, DreamNote, DreamOperation, RefusedOperation } from "../../core/dream/operation.ts";
import type { FrontmatterCodec } from "../../core/notes/frontmatter.ts";
import type { Version } from "../../core/notes/history.ts";
import type { Note } from "../../core/notes/note.ts";
import { linksIn } from "../../core/notes/names.ts";
import { shownNote, baseName, filesIn, parseNote } from "../../core/notes/parse-note.ts";
import { saidAt } from "../../core/notes/dates/date-resolver.ts";
import { speaksOfProject, verifyNotes } from "../recall/verify-notes.ts";
import type { ScopedStore, Workspace } from "../workspace/workspace.ts";
import type { DreamLine, DreamRecord } from "../../core/dream/dream-log.ts";
import { takenBack } from "../notes/versions.ts";

/** Whether an earlier dream did this to these notes and a person took it back: nobody says that twice. */
export function isTakenBackIn(scoped: ScopedStore, dreams: readonly DreamRecord[]): (operation: DreamLine) => boolean {
  const applied = dreams.filter(({ version }) => version !== undefined);
  if (applied.length === 0) return () => false;
  const taken = takenBack(scoped);
  const lines = applied.filter(({ version }) => taken.has(String(version))).flatMap((dream) => dream.applied);
  const keys = new Set(lines.map(keyOf));
  return (operation) => keys.has(keyOf(operation));
}

/** Two notes that were not to be one stay two whatever they say by then; what is corrected in one may be something else. */
function keyOf({ kind, files, reason }: DreamLine): string {
  const isOfNotes = kind === "merge" || kind === "supersede" || kind === "retire";
  return JSON.stringify([kind, files.toSorted(), isOfNotes ? "" : reason]);
}

export function refusedAsTakenBack(operation: DreamOperation): RefusedOperation {
  return {
    operation,
    reason: "taken-back",
    message: "an earlier dream did this and it was taken back; do it by hand if you want it by now",
  };
}

export interface DreamNotes {
  readonly notes: readonly DreamNote[];
  readonly successorOf: (link: string) => string | "missing" | undefined;
}

/** Who signs a note with these, wrote it for an agent. */
const AGENT_SOURCES: ReadonlySet<string> = new Set(["rules", "model", "agent", "dream"]);

export interface DreamNotesOptions {
  /** No more is asked of the repository from then on. */
  readonly isLate?: (() => boolean) | undefined;
  /** Without it the repository is asked nothing. */
  readonly verifies?: boolean;
}

/** The live notes of one store with who wrote them and what the repository says of them, as far as there is time to ask it. */
export function dreamNotes(
  workspace: Workspace,
  scoped: ScopedStore,
  { isLate, verifies = true }: DreamNotesOptions = {},
): DreamNotes {
  scoped.store.reconcile("full");
  const entries = scoped.store.index.entries();
  // What is not here may well be in another project that these notes speak of.
  const verified =
    verifies && speaksOfProject(scoped.scope) ? verifyNotes(workspace, undefined, undefined, isLate) : undefined;
  const checks = new Map(
    (verified?.notes ?? []).filter(({ scope }) => scope === scoped.scope).map((note) => [note.file, note.checks]),
  );
  // A store without notes may not even be there, and looking makes none.
  const edited =
    entries.length === 0 ? new Map<string, "person" | "unknown">() : whoEdited(scoped.store.history().versions());
  const usage = scoped.store.usage();
  const notes = entries
    .filter(({ supersededBy }) => supersededBy === undefined)
    .flatMap((entry): DreamNote[] => {
      const bytes = scoped.store.read(entry.file);
      if (bytes === undefined) return [];
      const { note: asWritten, data } = readOnce(entry.file, bytes, workspace.codec);
      const note = shownNote(asWritten);
      // What cannot be rewritten safely is left alone.
      if (note.problems.some(({ code }) => UNWRITABLE.has(code))) return [];
      return [
        {
          file: entry.file,
          name: note.name,
          type: note.type,
          description: note.description,
          body: note.body.trim(),
          time: entry.time,
          said: saidAt(data, workspace.clock.timeZone),
          // No gate lets a secret through: a person put it there.
          author: holdsSecret(asWritten, note)
            ? "person"
            : authorOf(data, note.evidence !== undefined, edited.get(entry.file)),
          pinned: note.pinned,
          links: linksIn(note.body),
          settledWith: settledWith(data),
          checks: checks.get(entry.file) ?? [],
          shownInVain: usage.get(entry.file)?.shown ?? 0,
          hash: entry.hash,
        },
      ];
    });
  return { notes, successorOf: heirs(entries) };
}

function holdsSecret(written: Note, shown: Note): boolean {
  return written.body !== shown.body || written.description !== shown.description || written.name !== shown.name;
}

interface ReadFile {
  readonly note: Note;
  /** All of its frontmatter. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Of a large store reading the frontmatter is the most of the work, so it is read once for both. */
function readOnce(file: string, bytes: Uint8Array, codec: FrontmatterCodec): ReadFile {
  let data: ReadFile["data"] = {};
  const note = parseNote(file, bytes, {
    ...codec,
    read: (block) => {
      const read = codec.read(block);
      data = read.data;
      return read;
    },
  });
  return { note, data };
}

const UNWRITABLE: ReadonlySet<string> = new Set([
  "malformed-frontmatter",
  "unclosed-frontmatter",
  "invalid-utf8",
  "nul-bytes",
  "conflict-markers",
  "oversize",
]);

function authorOf(
  data: Readonly<Record<string, unknown>>,
  hasEvidence: boolean,
  edited: "person" | "unknown" | undefined,
): Author {
  const source = metadataOf(data)["source"];
  if (edited === "person" || source === "user") return "person";
  if (typeof source === "string" && AGENT_SOURCES.has(source)) return edited ?? "agent";
  return source === undefined && hasEvidence ? "agent" : "unknown";
}

/** What a person changed through memdir is theirs; what someone else changed in a note of ours may be. */
function whoEdited(versions: readonly Version[]): ReadonlyMap<string, "person" | "unknown"> {
  const edited = new Map<string, "person" | "unknown">();
  for (const { actor, files } of versions) {
    if (actor !== "user" && actor !== "external") continue;
    for (const { file, kind } of files) {
      if (actor === "user") edited.set(file, "person");
      else if (kind === "changed" && edited.get(file) === undefined) edited.set(file, "unknown");
    }
  }
  return edited;
}

function metadataOf(data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const metadata = data["metadata"];
  return typeof metadata === "object" && metadata !== null ? Object.fromEntries(Object.entries(metadata)) : {};
}

/** Where a link leads after retirements: the heir's name, `missing`, or `undefined` where nothing is to be mended. */
function heirs(
  entries: readonly { readonly file: string; readonly name: string; readonly supersededBy: string | undefined }[],
): DreamNotes["successorOf"] {
  const byName = new Map(
    entries.flatMap((entry) =>
      [entry.file, baseName(entry.file), entry.name].map((name) => [name.toLowerCase(), entry] as const),
    ),
  );
  return (link) => {
    const first = byName.get(link.toLowerCase());
    if (first === undefined) return "missing";
    const seen = new Set<string>();
    let entry = first;
    while (entry.supersededBy !== undefined && !seen.has(entry.file)) {
      seen.add(entry.file);
      const next = byName.get(entry.supersededBy.toLowerCase());
      if (next === undefined) return undefined;
      entry = next;
    }
    return entry === first ? undefined : entry.name;
  };
}

/** Files that a person said do not contradict this note. */
function settledWith(data: Readonly<Record<string, unknown>>): readonly string[] {
  return filesIn(metadataOf(data)["agreesWith"]);
}
