import { addToLog, entryRef, entryTime, type LoggedDay, readLog, today } from "../../../app/notes/log-entry.ts";
import { modeIn, refusedByMode } from "../../../app/workspace/modes.ts";
import type { LogEntry } from "../../../core/notes/daily-log.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError, type Io, json, line, paint } from "../io.ts";

export async function run(invocation: Invocation): Promise<number> {
  const { positionals } = invocation;
  const isAsking = invocation.option("date") !== undefined || invocation.option("days") !== undefined;
  if (positionals.length > 0 && isAsking)
    throw new UsageError(
      "--date and --days show entries and cannot be combined with a text; a new entry always belongs to today",
    );
  const given = positionals.join(" ");
  const text = await (given === "-"
    ? invocation.io.readInput()
    : given !== "" || isAsking
      ? given
      : invocation.io.shellInput());
  if (positionals.length > 0 || text.trim() !== "") return add(invocation, text);
  if (invocation.flag("no-project"))
    throw new UsageError("--no-project is for a new entry: give its text, or `-` for standard input");
  return show(invocation);
}

async function add(invocation: Invocation, text: string): Promise<number> {
  const { io } = invocation;
  const result = await addToLog(invocation.workspace(), {
    text,
    project: invocation.flag("no-project") ? "none" : "here",
  });
  if (result.outcome === "refused") {
    if (invocation.flag("json")) json(io, result);
    else io.err(`memdir: refused: ${result.message}\n`);
    return EXIT.refused;
  }
  if (invocation.flag("json")) json(io, entryJson(result.entry, result.file));
  else line(io, `logged: ${entryRef(result.entry)}`);
  return EXIT.ok;
}

function show(invocation: Invocation): number {
  const { io } = invocation;
  const workspace = invocation.workspace();
  const choice = modeIn(workspace.modes, "user");
  if (choice.mode === "off") throw refusedByMode("memory of the user scope", choice);
  const day = dayOption(invocation.option("date"));
  const days = daysOption(invocation.option("days"));
  const logged = readLog(workspace, { ...(day === undefined ? {} : { day }), days });
  if (invocation.flag("json"))
    json(
      io,
      logged.map(({ day: of, file, entries }) => ({
        day: of,
        file,
        entries: entries.map((entry) => entryJson(entry, file)),
      })),
    );
  else print(io, logged, day ?? today(workspace), days);
  return EXIT.ok;
}

function dayOption(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const time = /^\d{4}-\d{2}-\d{2}$/u.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // JavaScript reads November 31 as December 1.
  if (!Number.isFinite(time) || new Date(time).toISOString().slice(0, 10) !== text)
    throw new MemoryError("invalid-input", `"${text}" is not a day; write 2026-11-22`);
  return text;
}

function daysOption(text: string | undefined): number {
  if (text === undefined) return 1;
  const days = Number(text);
  if (!/^\d{1,5}$/u.test(text) || days < 1)
    throw new MemoryError("invalid-input", `"${text}" is not a number of days; write 7 for a week`);
  return days;
}

function print(io: Io, logged: readonly LoggedDay[], day: string, days: number): void {
  if (logged.length === 0)
    line(
      io,
      paint(
        io,
        "dim",
        `nothing logged ${days === 1 ? `on ${day}` : `in the ${days} days up to ${day}`}; \`memdir log TEXT\` adds an entry`,
      ),
    );
  for (const { day: of, file, entries } of logged) {
    line(io, `${paint(io, "bold", of)}  ${file}`);
    for (const entry of entries) for (const text of entryLines(entry, io)) line(io, text);
  }
}

/** An entry for display: key, time, project and origin, then its text. */
export function entryLines(entry: LogEntry, io: Pick<Io, "color">): readonly string[] {
  const { key, project, session, message, text } = entry;
  const origin =
    session === undefined ? [] : [`session ${session}${message === undefined ? "" : `, message ${message}`}`];
  const facts = [...(project === undefined ? [] : [project]), ...origin].join(", ");
  const time = entryTime(entry);
  return [
    `  #${key}  ${paint(io, "green", time)}${facts === "" ? "" : `  ${paint(io, "dim", facts)}`}`,
    ...text.split("\n").map((row) => (row === "" ? "" : `      ${row}`)),
  ];
}

export function entryJson(entry: LogEntry, file: string): object {
  const { day, number, time, project, session, message, text } = entry;
  return {
    id: entryRef(entry),
    day,
    number,
    time: new Date(time).toISOString(),
    project: project ?? null,
    session: session ?? null,
    message: message ?? null,
    text,
    path: file,
  };
}
