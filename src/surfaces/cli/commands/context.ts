import {
  AGENT_CHOICES,
  handKeptIn,
  locateInstructions,
  titleOf,
  touchedPath,
} from "../../../app/instructions/instructions.ts";
import { explain, type Explanation } from "../../../app/instructions/why.ts";
import type { InstructionSection, InstructionSet, NotLoaded } from "../../../core/instructions/section.ts";
import type { AgentChoice } from "../../../core/instructions/view.ts";
import { type ContextSection, sessionContext } from "../../../app/recall/context.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError, type Io, json, line, paint } from "../io.ts";
import { asOfTime } from "./parse-input.ts";
import type { Place } from "../../../core/instructions/clients/client.ts";
import { counted } from "../../../core/shared/text.ts";

interface ShownContext {
  readonly set: InstructionSet;
  readonly notes: readonly ContextSection[];
  readonly agent: AgentChoice;
  readonly place: Place;
  readonly mode: string;
  readonly modeReason: string | undefined;
  readonly withText: boolean;
}

/** For models, one token is about four characters of English. */
const CHARACTERS_PER_TOKEN = 4;

/** Items listed that did not load; further ones are only counted. */
const MOST_LISTED = 12;

function printContext(io: Io, context: ShownContext): void {
  const { set, notes, agent, place } = context;
  const own = set.sections.filter(({ flags }) => !flags.includes("inlined"));
  const total = [...own.map(({ characters }) => characters), ...notes.map(({ text }) => text.length)].reduce(
    (sum, one) => sum + one,
    0,
  );
  const who =
    agent === "all"
      ? "A session of any client"
      : `${/^[AEIOU]/u.test(titleOf(agent)) ? "An" : "A"} ${titleOf(agent)} session`;
  line(
    io,
    `${paint(io, "bold", `${who} starts here with`)} ${counted(own.length, "instruction file")} and ${counted(notes.length, "part")} of memory:`,
  );
  line(io, `${size(total)} in ${place.cwd}`);
  printInstructions(io, context);
  printNotes(io, context);
  const shown = (path: string): string => shortPath(path, place);
  printList(io, "Pending: imports that wait for `memdir instructions approve PATH`", set.pending, shown);
  printList(io, "Left out", set.excluded, shown);
  printList(io, "Unreadable", set.unreadable, shown);
  printWaiting(io, set, shown);
}

function printInstructions(io: Io, { set, place, withText }: ShownContext): void {
  if (set.sections.length > 0) line(io, `\n${paint(io, "bold", "Instructions")}, in load order; later ones win`);
  for (const [position, section] of set.sections.entries()) {
    line(
      io,
      `${String(position + 1).padStart(3)} ${section.importedBy === undefined ? "" : "↳ "}${paint(io, "cyan", shortPath(section.path, place))}`,
    );
    line(
      io,
      paint(
        io,
        "dim",
        `      ${section.scope}, ${because(section, place)}; ${size(section.characters)}${section.flags.length > 0 ? `; ${section.flags.map(flagWords).join(", ")}` : ""}`,
      ),
    );
    if (section.agents !== undefined) line(io, paint(io, "dim", `      for ${section.agents.join(", ")}`));
    if (withText && section.text !== "") line(io, `\n${section.text.trimEnd()}\n`);
  }
}

/** A file that memdir counts as loaded may still wait for approval in the client. */
function flagWords(flag: InstructionSection["flags"][number]): string {
  return flag === "approved-in-memdir" ? "approved in memdir; the client loads it only after its own approval" : flag;
}

function because({ reason, importedBy, touched, paths }: InstructionSection, place: Place): string {
  if (importedBy !== undefined) return `imported by ${shortPath(importedBy, place)}`;
  if (reason === "path-glob-match")
    return `its paths (${(paths ?? []).join(", ")}) match ${shortPath(touched ?? "", place)}`;
  return reason === "nested-traversal" ? `beside or above ${shortPath(touched ?? "", place)}` : "at start";
}

/** The text of the index and of pinned notes is always printed, because it is what users come to see. */
function printNotes(io: Io, { notes, mode, modeReason, place }: ShownContext): void {
  if (mode === "off") line(io, `\nmemory is off (${modeReason ?? ""}): no notes`);
  else if (notes.length === 0) line(io, "\nNo notes yet in any scope.");
  else line(io, `\n${paint(io, "bold", "Notes")}`);
  for (const { scope, kind, path, text, cut } of notes) {
    line(
      io,
      paint(
        io,
        "cyan",
        `# ${kind === "pinned" ? "Pinned note" : "Memory index"} (${scope}): ${shortPath(path, place)}`,
      ),
    );
    line(io, paint(io, "dim", `  ${size(text.length)}${cut.length > 0 ? `; ${cut.length} left out` : ""}`));
    line(io, `${text}\n`);
  }
}

function printList(io: Io, title: string, entries: readonly NotLoaded[], shown: (path: string) => string): void {
  if (entries.length === 0) return;
  line(io, `\n${paint(io, "yellow", title)}`);
  for (const { path, why, importedBy } of entries.slice(0, MOST_LISTED)) {
    line(io, `  ${shown(path)}`);
    line(io, paint(io, "dim", `      ${why}${importedBy === undefined ? "" : ` (in ${shown(importedBy)})`}`));
  }
  if (entries.length > MOST_LISTED) line(io, `  and ${entries.length - MOST_LISTED} more: --json lists all`);
}

function printWaiting(io: Io, { waiting }: InstructionSet, shown: (path: string) => string): void {
  if (waiting.length === 0) return;
  line(
    io,
    `\n${paint(io, "bold", `${counted(waiting.length, "rule")} ${waiting.length === 1 ? "waits" : "wait"} for a matching file`)} (--touch PATH shows which load)`,
  );
  for (const { path, paths } of waiting.slice(0, MOST_LISTED))
    line(io, `  ${shown(path)}  ${paint(io, "dim", paths.join(", "))}`);
  if (waiting.length > MOST_LISTED) line(io, `  and ${waiting.length - MOST_LISTED} more: --json lists all`);
}

function size(characters: number): string {
  return `${grouped(characters)} characters, about ${grouped(Math.ceil(characters / CHARACTERS_PER_TOKEN))} tokens`;
}

function grouped(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/gu, ",");
}

/** A path relative to the current directory, otherwise with `~` for the home directory. */
function shortPath(path: string, { cwd, home }: Place): string {
  if (path.startsWith(`${cwd}/`)) return path.slice(cwd.length + 1);
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

export async function run(invocation: Invocation): Promise<number> {
  const asOf = invocation.option("as-of");
  return asOf === undefined ? showContext(invocation) : showPast(invocation, asOfTime(asOf));
}

/** The notes that a session started with at that time. Instruction files belong to the user; git knows their past. */
async function showPast(invocation: Invocation, ms: number): Promise<number> {
  const { io } = invocation;
  if (["agent", "why"].some((name) => invocation.option(name) !== undefined) || invocation.options("touch").length > 0)
    throw new UsageError(
      "--as-of shows notes; --agent, --touch and --why are about instruction files, which memdir does not version",
    );
  const { openAsOf } = await import("../../../app/recall/as-of.ts"); // not loaded on the short path
  const past = openAsOf(invocation.workspace(), ms);
  try {
    const notes = sessionContext(past);
    const time = new Date(ms).toISOString();
    if (invocation.flag("json")) {
      json(io, {
        asOf: time,
        notes: notes.map(({ path, label, scope, kind, text, cut }) => ({
          path,
          label,
          scope,
          kind,
          cut,
          characters: text.length,
          text,
        })),
      });
      return EXIT.ok;
    }
    line(
      io,
      `Notes that a session started with at ${time}. Instruction files are not shown: memdir does not version them.`,
    );
    for (const { scope, kind, path, text, cut } of notes)
      line(
        io,
        `\n# ${kind === "pinned" ? "Pinned note" : "Memory index"} (${scope}): ${path}${cut.length > 0 ? `; ${cut.length} left out` : ""}\n${text}`,
      );
    if (notes.length === 0) line(io, "\nno notes then");
    return EXIT.ok;
  } finally {
    past.close();
  }
}

/** The command itself, also called by the short path. */
export function showContext(invocation: Pick<Invocation, "io" | "option" | "options" | "flag" | "workspace">): number {
  const workspace = invocation.workspace();
  const instructions = locateInstructions(workspace.locations, agentOf(invocation.option("agent")));
  const view = instructions.open();
  const started = view.start();
  const touched = view.touched(invocation.options("touch").map((path) => touchedPath(instructions.place, path)));
  const set = join(started, touched);
  const why = invocation.option("why");
  if (why !== undefined)
    return printWhy(
      invocation.io,
      explain(instructions.place, view, set, touchedPath(instructions.place, why)),
      invocation.flag("json"),
    );
  const notes = [...handKeptIn(workspace.locations, instructions.place), ...sessionContext(workspace)];
  const { agent, place } = instructions;
  if (invocation.flag("json"))
    json(invocation.io, { mode: workspace.mode, agent, ...toJson(set, notes, invocation.flag("text")) });
  else
    printContext(invocation.io, {
      set,
      notes,
      agent,
      place,
      mode: workspace.mode,
      modeReason: workspace.locations.modeReason,
      withText: invocation.flag("text"),
    });
  return EXIT.ok;
}

function printWhy(io: Io, explanation: Explanation, asJson: boolean): number {
  if (asJson) json(io, explanation);
  else line(io, `${explanation.path}\n  ${explanation.state.replace("-", " ")}: ${explanation.why}`);
  return EXIT.ok;
}

export function agentOf(given: string | undefined): AgentChoice | undefined {
  const found = AGENT_CHOICES.find((one) => one === given);
  if (given !== undefined && found === undefined)
    throw new UsageError(`unknown agent "${given}"; use one of ${AGENT_CHOICES.join(", ")}`);
  return found;
}

/** Joins two sets; what the second one loaded is no longer pending. */
function join(first: InstructionSet, then: InstructionSet): InstructionSet {
  const loaded = new Set(then.sections.map(({ path }) => path));
  return {
    sections: [...first.sections, ...then.sections],
    excluded: [...first.excluded, ...then.excluded],
    pending: [...first.pending, ...then.pending],
    unreadable: [...first.unreadable, ...then.unreadable],
    missing: [...first.missing, ...then.missing],
    waiting: [...first.waiting, ...then.waiting].filter(({ path }) => !loaded.has(path)),
  };
}

function toJson(set: InstructionSet, notes: readonly ContextSection[], withText: boolean): Record<string, unknown> {
  const instructions = set.sections.map(
    ({ path, label, scope, reason, importedBy, characters, flags, paths, touched, agents, text }) => ({
      path,
      label: label ?? null,
      scope,
      reason,
      importedBy: importedBy ?? null,
      characters,
      flags,
      kind: "instructions",
      ...(paths !== undefined && { paths }),
      ...(touched !== undefined && { touched }),
      ...(agents !== undefined && { agents }),
      ...(withText && { text }),
    }),
  );
  const remembered = notes.map(({ path, label, scope, kind, text, cut }) => ({
    path,
    label,
    scope,
    reason: "session-start",
    importedBy: null,
    characters: text.length,
    flags: cut.length > 0 ? ["cut"] : [],
    kind,
    cut,
    ...(withText && { text }),
  }));
  const { excluded, pending, unreadable, waiting } = set;
  return { sections: [...instructions, ...remembered], excluded, pending, unreadable, waiting };
}
