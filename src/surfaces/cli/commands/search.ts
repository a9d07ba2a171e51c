import { noteReference } from "../../../core/shared/note-reference.ts";
import {
  dropIndex,
  indexPast,
  type FoundNote,
  maskedText,
  openCommand,
  type PastMessage,
  searchNotes,
  searchPast,
  type SearchOptions,
  type SearchResult,
  linesAround,
} from "../../../app/past/search.ts";
import { SESSION_AGENTS } from "../../../app/past/past-sessions.ts";
import type { OpenWorkspace } from "../../../app/workspace/open-workspace.ts";
import { counted, oneLine, truncate } from "../../../core/shared/text.ts";
import { stripHidden } from "../../../core/shared/hidden.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError, type Io, json, line, paint } from "../io.ts";
import { countOption, sinceTime } from "./parse-input.ts";

export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const options = readOptions(invocation);
  requireOneWay(invocation);
  const term = invocation.positionals.join(" ");
  const workspace = invocation.workspace();
  io.ifInterrupted("nothing was changed");
  if (workspace.mode === "off") {
    if (invocation.flag("json")) json(io, { notes: [], messages: [], mode: "off" });
    else
      line(io, `memory is off (${workspace.locations.modeReason ?? ""}): memdir reads no notes and no past sessions`);
    return EXIT.ok;
  }
  const isCare = invocation.flag("index") || invocation.flag("drop-index");
  const index = isCare ? careForIndex(invocation, workspace, options) : undefined;
  if (term === "" && index !== undefined) {
    if (invocation.flag("json")) json(io, { index });
    return EXIT.ok;
  }
  if (term === "") throw new UsageError("search needs a term: `memdir search 'Cannot find module'`");
  // A named agent means only its sessions.
  const notes = options.agent === undefined ? searchNotes(workspace, term, options).map(toShownNote) : [];
  const result = await searchPast(workspace.locations, term, options);
  const shown = result.messages.map((message) => toShown(message, result));
  if (invocation.flag("json"))
    json(io, {
      notes,
      messages: shown,
      sessions: result.sessions,
      stopped: result.stopped,
      way: result.way,
      problems: result.problems,
      ...(index && { index }),
    });
  else {
    printNotes(io, notes, options.limit);
    print(io, term, shown, result, notes.length);
  }
  return EXIT.ok;
}

/** Options for the index exclude each other; to delete it is not a search. */
function requireOneWay({ flag, positionals }: Invocation): void {
  const given = ["index", "no-index", "drop-index"].filter((name) => flag(name)).map((name) => `--${name}`);
  if (given.length > 1) throw new UsageError(`give only one of ${given.join(" and ")}`);
  if (flag("drop-index") && positionals.length > 0)
    throw new UsageError("--drop-index deletes the index and searches nothing: leave the term out");
}

function readOptions(invocation: Invocation): SearchOptions & { readonly limit: number } {
  const limit = countOption(invocation, "limit") ?? 20;
  const agent = invocation.option("agent");
  if (agent !== undefined && !SESSION_AGENTS.some((one) => one === agent))
    throw new UsageError(`unknown agent "${agent}"; use one of ${SESSION_AGENTS.join(", ")}`);
  const since = invocation.option("since");
  return {
    limit,
    agent,
    sinceMs: since === undefined ? undefined : sinceTime(since),
    allProjects: invocation.flag("all-projects"),
    regex: invocation.flag("regex"),
    ignoreCase: invocation.flag("ignore-case"),
    ...(invocation.flag("no-index") && { way: "scan" }),
  };
}

interface IndexCare {
  readonly dropped?: boolean;
  readonly files?: number;
  readonly bytes?: number;
}

function careForIndex({ io, flag }: Invocation, { locations }: OpenWorkspace, options: SearchOptions): IndexCare {
  if (flag("drop-index")) {
    const dropped = dropIndex(locations);
    io.err(dropped ? "deleted the index; searches read the transcripts now\n" : "there is no index\n");
    return { dropped };
  }
  const { files, bytes } = indexPast(locations, { agent: options.agent, allProjects: options.allProjects === true });
  io.err(
    files === 0
      ? "the index is up to date\n"
      : `indexed ${(bytes / 1e6).toFixed(1)} MB of ${counted(files, "session")}\n`,
  );
  return { files, bytes };
}

interface Shown {
  readonly agent: string;
  readonly session: string;
  readonly time: string;
  readonly speaker: string;
  readonly cwd: string | undefined;
  readonly path: string;
  readonly before: string;
  readonly line: string;
  readonly after: string;
  /** The number of further lines of the same message that contain the term. */
  readonly more: number;
  readonly open: string;
}

interface ShownNote {
  readonly scope: string;
  readonly file: string;
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly line: string;
}

function toShownNote({ scoped, entry, text, at }: FoundNote): ShownNote {
  const masked = maskedText({ text, at });
  return {
    scope: scoped.scope,
    file: entry.file,
    name: entry.name,
    description: entry.description,
    type: entry.shownType,
    line: cutAround(masked, at).trim(),
  };
}

/** The line around the position, cut so that the position stays visible. */
function cutAround(text: string, at: number): string {
  const start = at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
  const end = text.indexOf("\n", at);
  const cut = Math.max(0, at - start - LINE_LIMIT / 3);
  return (cut > 0 ? "…" : "") + clean(text.slice(start + cut, end === -1 ? undefined : end));
}

function clean(text: string): string {
  return truncate(stripHidden(text.replace(/\t/gu, "  ")), LINE_LIMIT).trimEnd();
}

function printNotes(io: Io, notes: readonly ShownNote[], limit: number): void {
  for (const { scope, file, type, line: found } of notes.slice(0, limit)) {
    line(io, `${paint(io, "bold", noteReference({ scope, file }))} ${paint(io, "dim", `note, ${type}`)}`);
    line(io, `> ${found}`);
    line(io);
  }
  if (notes.length > limit) line(io, `and ${counted(notes.length - limit, "note")} more (--limit N)\n`);
}

function emptySentence(term: string, notes: number, sessions: number): string {
  const past =
    sessions === 0 ? "there are no past sessions here" : `no message in ${counted(sessions, "past session")} does`;
  return notes === 0
    ? `no note holds "${oneLine(term)}", and ${past}`
    : `${past.replace(/ does$/u, "")} holds "${oneLine(term)}"`;
}

/** The longest line shown, with the term in the middle (characters). */
const LINE_LIMIT = 240;

function toShown({ session, speaker, timeMs, text, at }: PastMessage, { term }: SearchResult): Shown {
  const masked = maskedText({ text, at });
  const { more } = linesAround(text, at, term);
  const { before, after } = linesAround(masked, at, term);
  return {
    agent: session.agent,
    session: session.session,
    time: new Date(timeMs).toISOString(),
    speaker,
    cwd: session.cwd,
    path: session.path,
    before: clean(before),
    line: cutAround(masked, at),
    after: clean(after),
    more,
    open: openCommand(session),
  };
}

function print(
  io: Io,
  term: string,
  shown: readonly Shown[],
  { sessions, stopped, problems }: SearchResult,
  notes: number,
): void {
  if (shown.length === 0 && (notes === 0 || sessions > 0)) line(io, emptySentence(term, notes, sessions));
  for (const { agent, time, speaker, cwd, before, line: found, after, more, open } of shown) {
    line(
      io,
      `${paint(io, "bold", speaker)} ${paint(io, "dim", `${time.slice(0, 16).replace("T", " ")}  ${agent}  ${cwd ?? ""}`)}`,
    );
    if (before.trim() !== "") line(io, paint(io, "dim", `  ${before}`));
    line(io, `> ${found}`);
    if (after.trim() !== "") line(io, paint(io, "dim", `  ${after}`));
    if (more > 0) line(io, paint(io, "dim", `  and ${counted(more, "more line")} in this message`));
    line(io, paint(io, "dim", `  ${open}`));
    line(io);
  }
  if (stopped) line(io, `the ${shown.length} newest; older sessions were not searched (--limit N)`);
  for (const problem of problems.slice(0, 5)) io.err(`memdir: ${problem}\n`);
}
