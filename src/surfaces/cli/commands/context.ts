import { AGENT_CHOICES } from "../../../app/instructions/instructions.ts";
import { handKeptIn, locateInstructions, touchedPath } from "../../../app/instructions/instructions.ts";
import type { InstructionSet } from "../../../core/instructions/section.ts";
import { explain, type Explanation } from "../../../app/instructions/why.ts";
import type { AgentChoice } from "../../../core/instructions/view.ts";
import { type ContextSection, sessionContext } from "../../../app/recall/context.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError } from "../exit.ts";
import { type Io, json, line } from "../io.ts";
import { printContext } from "./context-text.ts";
import { asOfTime } from "./parse-input.ts";

export async function run(invocation: Invocation): Promise<number> {
  const asOf = invocation.option("as-of");
  return asOf === undefined ? showContext(invocation) : showPast(invocation, asOfTime(asOf));
}

/** The notes that a session started with then. Instruction files are a person's: how they were, git knows. */
async function showPast(invocation: Invocation, ms: number): Promise<number> {
  const { io } = invocation;
  if (["agent", "why"].some((name) => invocation.option(name) !== undefined) || invocation.options("touch").length > 0)
    throw new UsageError(
      "--as-of shows notes; --agent, --touch and --why are about instruction files, which memdir does not version",
    );
  const { openAsOf } = await import("../../../app/recall/as-of.ts"); // not for the short path
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

/** The command itself; the short path calls it too. */
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

/** One set after the other; what the later one loaded no longer waits. */
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
