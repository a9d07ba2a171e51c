import { linkStore } from "../../../app/workspace/aliases.ts";
import {
  examineProjects,
  listProjects,
  planProjectMove,
  type ProjectMove,
  type StorePlan,
} from "../../../app/transfer/projects.ts";
import { findOperation, type ProjectOperation } from "../../../app/workspace/operation-records.ts";
import { undoOperation } from "../../../app/transfer/project-operations.ts";
import { findTransfer } from "../../../app/workspace/transfer-records.ts";
import { undoTransfer } from "../../../app/transfer/transfers.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError, type Io, json, line, table, unknownAction } from "../io.ts";
import { counted } from "../../../core/shared/text.ts";

export async function run(invocation: Invocation): Promise<number> {
  const [what = "list", first, second] = invocation.positionals;
  const workspace = invocation.workspace();
  switch (what) {
    case "list":
      return list(invocation);
    case "doctor":
      return examine(invocation);
    case "link":
      return link(invocation, needed(first, "link DIR"));
    case "mv":
      return move(
        invocation,
        planProjectMove(workspace, needed(first, "mv OLD-DIR [NEW-DIR]"), second, { mustBeEmpty: true }),
      );
    case "merge":
      return move(invocation, planProjectMove(workspace, needed(first, "merge DIR [INTO-DIR]"), second));
    case "split":
      return move(
        invocation,
        planProjectMove(
          workspace,
          workspace.locations.project?.root ?? workspace.locations.cwd,
          needed(second, "split WORDS DIR"),
          { matches: needed(first, "split WORDS DIR") },
        ),
      );
    case "undo":
      return undo(invocation, first);
    default:
      throw unknownAction(what, ["list", "doctor", "link", "mv", "merge", "split", "undo"]);
  }
}

function needed(argument: string | undefined, usage: string): string {
  if (argument === undefined || argument.trim() === "")
    throw new UsageError(`an argument is missing: \`memdir project ${usage}\``);
  return argument;
}

function list({ io, flag, workspace }: Invocation): number {
  const projects = listProjects(workspace().locations);
  if (flag("json")) json(io, { projects });
  else if (projects.length === 0) line(io, "no project has notes yet");
  else
    for (const row of table(
      projects.map(({ root, slug, notes, directory, isHere }) => [
        isHere ? "*" : " ",
        root ?? slug,
        `${counted(notes, "note")}`,
        directory,
      ]),
    ))
      line(io, row);
  return EXIT.ok;
}

function examine({ io, flag, workspace }: Invocation): number {
  const findings = examineProjects(workspace().locations);
  if (flag("json")) json(io, { findings });
  else if (findings.length === 0) line(io, "every project has its notes in one place");
  else for (const { message, remedy } of findings) line(io, `${message}\n  ${remedy}`);
  return findings.length === 0 ? EXIT.ok : EXIT.failed;
}

async function link(invocation: Invocation, directory: string): Promise<number> {
  if (!(await agrees(invocation, `Use the notes in ${directory} for this project?`))) return EXIT.ok;
  const linked = linkStore(invocation.workspace().locations, directory);
  if (invocation.flag("json")) json(invocation.io, linked);
  else line(invocation.io, `linked: ${linked.link} -> ${linked.directory}`);
  return EXIT.ok;
}

async function move(invocation: Invocation, { plan, apply }: ProjectMove): Promise<number> {
  const { io } = invocation;
  const asJson = invocation.flag("json");
  if (!asJson) for (const one of plan) print(io, one);
  if (invocation.flag("dry-run")) {
    if (asJson) json(io, { plan, transfers: [] });
    return EXIT.ok;
  }
  if (!(await agrees(invocation, "Move them?"))) return EXIT.ok;
  const { id, done, checkpoints, lines, settings } = apply();
  if (asJson) json(io, { plan, operation: id, transfers: done.map((transfer) => transfer.id) });
  else {
    const notes = done.reduce((sum, { files }) => sum + files.length, 0);
    const saved = checkpoints.filter(({ to }) => to.endsWith(".md")).length;
    const more = [
      ...(saved > 0 ? [counted(saved, "checkpoint")] : []),
      ...(lines.length > 0 ? ["your own lines of MEMORY.md"] : []),
      ...(settings === undefined ? [] : ["the project's settings"]),
    ];
    line(io, `moved ${[counted(notes, "note"), ...more].join(", ")} (\`memdir project undo ${id}\` takes it back)`);
  }
  return EXIT.ok;
}

function print(io: Io, { scope, from, to, moved, known, both }: StorePlan): void {
  line(
    io,
    `${scope}: ${from.directory}\n  to ${to.directory}: ${moved.length} moved, ${known.length} already there, ${both.length} conflicting`,
  );
  for (const { file, as } of both.slice(0, 10)) line(io, `  both kept: ${file} comes as ${as}`);
}

async function undo(invocation: Invocation, id: string | undefined): Promise<number> {
  const workspace = invocation.workspace();
  const { memdirHome } = workspace.locations;
  const operation = findOperation(memdirHome, id);
  if (operation !== undefined) return undoWhole(invocation, operation);
  const transfer = id === undefined ? undefined : findTransfer(memdirHome, id);
  if (transfer === undefined)
    throw new MemoryError(
      "not-found",
      id === undefined ? "no move between projects to undo" : `unknown transfer ${id}`,
    );
  if (
    !(await agrees(
      invocation,
      `Move ${counted(transfer.files.length, "note")} back from ${transfer.to.directory} to ${transfer.from.directory}?`,
    ))
  )
    return EXIT.ok;
  const back = undoTransfer(workspace, transfer);
  if (invocation.flag("json")) json(invocation.io, { undone: transfer.id, transfer: back.id });
  else line(invocation.io, `moved ${transfer.files.length} back to ${transfer.from.directory}`);
  return EXIT.ok;
}

async function undoWhole(invocation: Invocation, operation: ProjectOperation): Promise<number> {
  const day = operation.time.slice(0, 16).replace("T", " ");
  if (!(await agrees(invocation, `Undo what project ${operation.id} moved at ${day} UTC?`))) return EXIT.ok;
  const back = undoOperation(invocation.workspace(), operation);
  const notes = back.reduce((sum, { files }) => sum + files.length, 0);
  if (invocation.flag("json")) json(invocation.io, { undone: operation.id, transfers: back.map(({ id }) => id) });
  else line(invocation.io, `moved ${counted(notes, "note")} back, with everything that came with them`);
  return EXIT.ok;
}

async function agrees(invocation: Invocation, question: string): Promise<boolean> {
  if (invocation.flag("yes")) return true;
  const answer = await invocation.io.confirm(question);
  if (answer === undefined)
    throw new UsageError(
      "this moves notes between projects: look first with --dry-run, then add --yes to do it without a terminal",
    );
  return answer;
}
