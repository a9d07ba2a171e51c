import { dropIndex, indexPast, maskedText, openCommand, type PastMessage, searchPast, type SearchOptions, type SearchResult } from "../../../compose/search.ts";
import { SESSION_AGENTS } from "../../../compose/past-sessions.ts";
import type { OpenWorkspace } from "../../../compose/workspace.ts";
import { counted, oneLine, truncate } from "../../../core/shared/text.ts";
import { linesAround } from "../../../core/transcripts/find-said.ts";
import { stripHidden } from "../../../core/shared/hidden.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError } from "../exit.ts";
import { type Io, json, line, paint } from "../io.ts";
import { sinceTime } from "./parse-input.ts";

export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const options = readOptions(invocation);
  const term = invocation.positionals.join(" ");
  const workspace = invocation.workspace();
  if (workspace.mode === "off") {
    if (invocation.flag("json")) json(io, { messages: [], mode: "off" });
    else line(io, `memory is off (${workspace.locations.modeReason ?? ""}): past sessions are not read`);
    return EXIT.ok;
  }
  const isCare = invocation.flag("index") || invocation.flag("drop-index");
  if (isCare) careForIndex(invocation, workspace, options);
  if (term === "" && isCare) return EXIT.ok;
  if (term === "") throw new UsageError("search needs a term: `memdir search 'Cannot find module'`");
  const result = searchPast(workspace.locations, term, options);
  const shown = result.messages.map((message) => toShown(message, result));
  if (invocation.flag("json")) json(io, { messages: shown, sessions: result.sessions, stopped: result.stopped, way: result.way, problems: result.problems });
  else print(io, term, shown, result);
  return EXIT.ok;
}

function readOptions(invocation: Invocation): SearchOptions & { readonly limit: number } {
  const limit = Number(invocation.option("limit") ?? 20);
  if (!Number.isInteger(limit) || limit < 1) throw new UsageError("--limit takes a whole number from 1 on");
  const agent = invocation.option("agent");
  if (agent !== undefined && !SESSION_AGENTS.some((one) => one === agent)) throw new UsageError(`--agent takes ${SESSION_AGENTS.join(", ")}`);
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

function careForIndex({ io, flag }: Invocation, { locations }: OpenWorkspace, options: SearchOptions): void {
  if (flag("drop-index")) io.err(dropIndex(locations) ? "the index is deleted; searches read the transcripts\n" : "there is no index\n");
  if (!flag("index")) return;
  const { files, bytes } = indexPast(locations, { agent: options.agent, allProjects: options.allProjects === true });
  io.err(files === 0 ? "the index is up to date\n" : `the index took in ${(bytes / 1e6).toFixed(1)} MB of ${counted(files, "session")}\n`);
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
  /** Lines of the same message that have the term too. */
  readonly more: number;
  readonly open: string;
}

/** Longest line that is shown, the term in its middle (characters). */
const LINE_LIMIT = 240;
function toShown({ session, speaker, timeMs, text, at }: PastMessage, { term }: SearchResult): Shown {
  const masked = maskedText({ text, at });
  const { more } = linesAround(text, at, term);
  const { line: found, before, after } = linesAround(masked, at, term);
  const start = at - (at === 0 ? 0 : masked.lastIndexOf("\n", at - 1) + 1);
  const cut = Math.max(0, start - LINE_LIMIT / 3);
  const clean = (one: string): string => truncate(stripHidden(one.replace(/\t/gu, "  ")), LINE_LIMIT).trimEnd();
  return { agent: session.agent, session: session.session, time: new Date(timeMs).toISOString(), speaker, cwd: session.cwd, path: session.path, before: clean(before), line: (cut > 0 ? "…" : "") + clean(found.slice(cut)), after: clean(after), more, open: openCommand(session) };
}

function print(io: Io, term: string, shown: readonly Shown[], { sessions, stopped, problems }: SearchResult): void {
  if (shown.length === 0) line(io, `nothing in ${counted(sessions, "session")} says ${oneLine(term)}`);
  for (const { agent, time, speaker, cwd, before, line: found, after, more, open } of shown) {
    line(io, `${paint(io, "bold", speaker)} ${paint(io, "dim", `${time.slice(0, 16).replace("T", " ")}  ${agent}  ${cwd ?? ""}`)}`);
    if (before.trim() !== "") line(io, paint(io, "dim", `  ${before}`));
    line(io, `> ${found}`);
    if (after.trim() !== "") line(io, paint(io, "dim", `  ${after}`));
    if (more > 0) line(io, paint(io, "dim", `  and ${counted(more, "line")} more of this message`));
    line(io, paint(io, "dim", `  ${open}`));
    line(io);
  }
  if (stopped) line(io, `the ${shown.length} newest; older sessions were not looked at (--limit N)`);
  for (const problem of problems.slice(0, 5)) io.err(`memdir: ${problem}\n`);
}
