import { noteReference } from "../../core/shared/note-reference.ts";
import path from "node:path";
import { openLateRecalls } from "../../adapters/files/recall-log.ts";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { type Scope, speaksOfProject } from "../../core/notes/note.ts";
import { dayIn } from "../../core/shared/clock.ts";
import { keepLate, type LateRecalls, takeLate } from "../../core/recall/ledger.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { isRecord, parseJson } from "../../core/shared/json.ts";
import { counted } from "../../core/shared/text.ts";
import { CAPTURES_FOLDER } from "../capture/capture-places.ts";
import type { RecallWorkspace } from "../recall/recall-notes.ts";
import type { Locations } from "../workspace/locations.ts";
import { mayWrite, modeIn } from "../workspace/modes.ts";

/** Leaves a line for the session's agent at its next prompt. */
export function leaveReminder({ memdirHome }: Pick<Locations, "memdirHome">, session: string, text: string): void {
  const now = Date.now();
  keepLate(lateIn(memdirHome, now), session, { turn: undefined, text, files: [], time: now, asksToSave: true });
}

/** Takes a session's late refined answer, or a reminder, once. With `turn` `undefined`, an answer for any turn. */
export function takeRefinedText(
  { memdirHome, modes }: Pick<Locations, "memdirHome" | "modes">,
  session: string,
  turn: string | undefined,
  now: number,
): string | undefined {
  // Checked first: naming the session's file needs a hash, and on most machines no model is asked.
  if (session === "" || (nodeFiles.list(`${memdirHome}/late`) ?? []).length === 0) return undefined;
  const late = takeLate(lateIn(memdirHome, now), session, turn, now);
  return late?.asksToSave === true && modeIn(modes, "project").mode !== "auto" ? undefined : late?.text;
}

function lateIn(memdirHome: string, now: number): LateRecalls {
  const directory = `${memdirHome}/late`;
  return openLateRecalls({ directory, files: nodeFiles, newId: () => String(process.pid), now: () => now });
}

/** The hand-kept index nearest to the session's directory, searched up to the root of its checkout. */
export function handKeptIndex({ cwd, project }: Pick<Locations, "cwd" | "project">): string | undefined {
  if (project === undefined) return undefined;
  for (let directory = cwd; ; directory = path.dirname(directory)) {
    const file = path.join(directory, ".claude", "MEMORY.md");
    const bytes = nodeFiles.stat(file)?.kind === "file" ? nodeFiles.read(file) : undefined;
    if (bytes !== undefined) return new TextDecoder().decode(bytes);
    const isTop = project.gitDirectory === undefined || nodeFiles.stat(path.join(directory, ".git")) !== undefined;
    if (isTop || path.dirname(directory) === directory) return undefined;
  }
}

/** Whether Claude Code itself shows the MEMORY.md of the project's store. */
export function isClaudesOwn({ stores, project, environment, memdirHome, configDirectory }: Locations): boolean {
  const directory = stores.find(({ scope }) => scope === "project")?.directory ?? "";
  if (isWithin(directory, configDirectory)) return true;
  return (
    project !== undefined &&
    (environment["CLAUDE_CODE_REMOTE_MEMORY_DIR"] ?? "") === "" &&
    !isWithin(directory, memdirHome)
  );
}

function isWithin(directory: string, root: string): boolean {
  return directory === root || directory.startsWith(`${root}/`);
}

/** Notes that capture wrote automatically and that the user was not told about; one file per project. */
const KEPT_FOLDER = `${CAPTURES_FOLDER}/kept`;
/** Names in the line; the rest are counted. */
const MOST_NAMED = 3;

interface KeptNote {
  readonly scope: Scope;
  readonly file: string;
}

/** Leaves what the user is told at the next session start in the project. */
export function leaveKept(place: Pick<Locations, "memdirHome" | "stores">, notes: readonly KeptNote[]): void {
  if (notes.length === 0) return;
  const lines = notes.map(({ scope, file }) => `${JSON.stringify({ scope, file })}\n`);
  nodeFiles.makeDirectory(`${place.memdirHome}/${KEPT_FOLDER}`);
  nodeFiles.jot(keptFile(place), new TextEncoder().encode(lines.join("")));
}

/** One line for the user, and a way to put it back if it was not delivered. */
export interface KeptNotice {
  readonly notice: string;
  readonly undelivered: () => void;
}

/** What capture kept since the user was last told. Told once: of two sessions that start together, one tells it. */
export function takeKept(
  locations: Pick<Locations, "memdirHome" | "stores" | "mode">,
  { stores, clock }: Pick<RecallWorkspace, "stores" | "clock">,
): KeptNotice | undefined {
  const { memdirHome, mode } = locations;
  if (!mayWrite(mode) || (nodeFiles.list(`${memdirHome}/${KEPT_FOLDER}`) ?? []).length === 0) return undefined;
  const taken = `${keptFile(locations)}.${process.pid}`;
  if (nodeFiles.rename(keptFile(locations), taken) !== "renamed") return undefined;
  const lines = new TextDecoder().decode(nodeFiles.read(taken) ?? new Uint8Array()).split("\n");
  nodeFiles.remove(taken);
  // Notes that were undone, retired or forgotten since then are left out.
  const notes = stores.flatMap(({ scope, store }) =>
    [...new Set(lines.flatMap((line) => keptIn(line, scope)))].flatMap((file): (KeptNote & { time: number })[] => {
      const entry = store.index.entry(file);
      return entry === undefined || entry.supersededBy !== undefined ? [] : [{ scope, file, time: entry.time }];
    }),
  );
  if (notes.length === 0) return undefined;
  const since = dayIn(clock.timeZone, Math.min(...notes.map(({ time }) => time)));
  return { notice: keptNotice(notes, since), undelivered: () => leaveKept(locations, notes) };
}

function keptIn(line: string, scope: Scope): string[] {
  const value = parseJson(line);
  return isRecord(value) && value["scope"] === scope && typeof value["file"] === "string" ? [value["file"]] : [];
}

/** Notes that hold in every project come first: they reach furthest. `since` is the day of the oldest. */
function keptNotice(notes: readonly KeptNote[], since: string): string {
  const ordered = notes.toSorted((a, b) => Number(speaksOfProject(a.scope)) - Number(speaksOfProject(b.scope)));
  const names = ordered.map(({ scope, file }) => noteReference({ scope, file: file.replace(/\.md$/u, "") }));
  const [first = ""] = names;
  const rest = names.length - MOST_NAMED;
  const more = rest > 0 ? ` and ${rest} more (\`memdir list --since ${since}\` lists them)` : "";
  const undo = names.length === 1 ? `\`memdir undo ${first}\` takes it back` : "`memdir undo NAME` takes one back";
  return `memdir kept ${counted(names.length, "note")}: ${names.slice(0, MOST_NAMED).join(", ")}${more}; ${undo}`;
}

function keptFile({ memdirHome, stores }: Pick<Locations, "memdirHome" | "stores">): string {
  return `${memdirHome}/${KEPT_FOLDER}/${sha256(stores[0]?.directory ?? "").slice(0, 16)}.jsonl`;
}
