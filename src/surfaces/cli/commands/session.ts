import { requireModel } from "../../../app/capture/extractor.ts";
import {
  listSessionNotes,
  readSessionNotes,
  removeSessionNotes,
  sessionNotesText,
  updateSessionNotes,
  writeTemplate,
} from "../../../app/session-notes/session-notes.ts";
import { transcriptAt } from "./transcript-file.ts";
import { modeIn, mayWrite, refusedByMode } from "../../../app/workspace/modes.ts";
import type { SessionNotes } from "../../../core/session-notes/notes.ts";
import { tokensOf } from "../../../app/session-notes/session-notes.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError, json, line, paint, table, unknownAction } from "../io.ts";

export async function run(invocation: Invocation): Promise<number> {
  const { locations } = invocation.workspace();
  const choice = modeIn(locations.modes, "project");
  const [verb = "list", argument] = invocation.positionals;
  const writes = verb !== "list" && verb !== "show";
  if (choice.mode === "off" || (writes && !mayWrite(choice.mode)))
    throw refusedByMode("memory of the project scope", choice);
  switch (verb) {
    case "list":
      return list(invocation);
    case "show":
      return show(invocation, argument);
    case "update":
      return update(invocation, argument);
    case "template":
      return template(invocation);
    case "remove":
      return remove(invocation, argument);
    default:
      throw unknownAction(verb, ["list", "show", "update", "template", "remove"]);
  }
}

function summary({ session, project, updated, by, progress, sections }: SessionNotes): {
  readonly session: string;
  readonly project: string;
  readonly updated: string;
  readonly by: string;
  readonly contextTokens: number;
  readonly toolCalls: number;
  readonly tokens: number;
} {
  return {
    session,
    project,
    updated,
    by,
    contextTokens: progress.tokens,
    toolCalls: progress.toolCalls,
    tokens: tokensOf(sections),
  };
}

function list({ io, flag, workspace }: Invocation): number {
  const notes = listSessionNotes(workspace().locations, flag("all")).map(summary);
  if (flag("json")) json(io, { sessions: notes });
  else if (notes.length === 0)
    line(io, `no session notes${flag("all") ? "" : " of this project; --all shows those of every project"}`);
  else
    for (const row of table(
      notes.map(({ session, updated, by, tokens, contextTokens }) => [
        paint(io, "cyan", session),
        updated.slice(0, 16).replace("T", " "),
        by,
        `about ${tokens} tokens of notes on ${contextTokens}`,
      ]),
    ))
      line(io, row);
  return EXIT.ok;
}

/** By id, by the beginning of an id, or the newest of this project. @throws MemoryError `not-found`. */
function requireNotes({ workspace }: Invocation, wanted: string | undefined): SessionNotes {
  const { locations } = workspace();
  const all = listSessionNotes(locations, wanted !== undefined);
  const found =
    wanted === undefined
      ? all.slice(0, 1)
      : [readSessionNotes(locations, wanted)].filter((notes) => notes !== undefined);
  const near =
    found.length > 0 || wanted === undefined || wanted === ""
      ? found
      : all.filter(({ session }) => session.startsWith(wanted));
  const [notes] = near;
  if (notes === undefined || near.length > 1)
    throw new MemoryError(
      "not-found",
      wanted === undefined
        ? "no session notes of this project"
        : `${near.length > 1 ? "more than one session begins with" : "no session notes of"} "${wanted}"; \`memdir session list --all\` shows them`,
    );
  return notes;
}

function show(invocation: Invocation, wanted: string | undefined): number {
  const notes = requireNotes(invocation, wanted);
  if (invocation.flag("json"))
    json(invocation.io, {
      ...summary(notes),
      sections: notes.sections,
      text: sessionNotesText(invocation.workspace().locations, notes.session),
    });
  else
    line(invocation.io, sessionNotesText(invocation.workspace().locations, notes.session) ?? "these notes are empty");
  return EXIT.ok;
}

async function update(invocation: Invocation, path: string | undefined): Promise<number> {
  const { io, flag } = invocation;
  if (path === undefined) throw new UsageError("update needs a session transcript: `memdir session update FILE.jsonl`");
  const workspace = invocation.workspace();
  const transcript = transcriptAt(path);
  const model = flag("model") ? await requireModel(workspace) : undefined;
  const result = await updateSessionNotes(workspace, transcript, {
    asked: true,
    ...(model === undefined ? {} : { model }),
  });
  if (result.warning !== undefined) io.err(`memdir: ${result.warning}\n`);
  if (result.kind === "kept") io.err(`memdir: the notes are unchanged: ${result.reason}\n`);
  const notes = result.kind === "written" || result.kind === "kept" ? summary(result.notes) : undefined;
  if (flag("json")) json(io, { outcome: result.kind, notes });
  else if (notes !== undefined)
    line(
      io,
      `${result.kind === "written" ? "updated" : "kept"}: ${notes.session}, about ${notes.tokens} tokens by ${notes.by}; \`memdir session show ${notes.session}\``,
    );
  return EXIT.ok;
}

function template({ io, flag, workspace }: Invocation): number {
  const { file, created, problem } = writeTemplate(workspace().locations);
  if (flag("json")) json(io, { file, created, problem });
  else line(io, `${created ? "written" : "already there"}: ${file}`);
  if (problem !== undefined) io.err(`memdir: ${problem}\n`);
  return EXIT.ok;
}

function remove(invocation: Invocation, wanted: string | undefined): number {
  if (wanted === undefined) throw new UsageError("remove needs a session: an id from `memdir session list`");
  const { session } = requireNotes(invocation, wanted);
  removeSessionNotes(invocation.workspace().locations, session);
  line(invocation.io, `removed: the notes of session ${session}`);
  return EXIT.ok;
}
