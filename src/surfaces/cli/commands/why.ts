import { shellWord } from "../../../core/shared/shell-word.ts";
import { noteReference } from "../../../core/shared/note-reference.ts";
import {
  explainLogged,
  explainPrompt,
  outcomeWords,
  percent,
  ruleSentence,
  verdictSentence,
  wordSentences,
} from "../../../app/recall/explain-recall.ts";
import { loggedRecalls } from "../../../app/recall/log-recall.ts";
import { namesEntry } from "../../../app/notes/log-entry.ts";
import { mayWrite } from "../../../app/workspace/modes.ts";
import type { ExplainedNote, Explanation } from "../../../app/recall/explanation.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import { stripHidden } from "../../../core/shared/hidden.ts";
import { safeId } from "../../../core/shared/sanitize.ts";
import { counted, oneLine, truncate } from "../../../core/shared/text.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError, type Io, json, line, paint } from "../io.ts";
import { paragraph } from "../wrap.ts";
import { promptOf, sessionOption } from "./parse-input.ts";

export async function run(invocation: Invocation): Promise<number> {
  const explanation = invocation.flag("last") ? explainLast(invocation) : await explainNow(invocation);
  if (invocation.flag("json")) json(invocation.io, { ...explanation, summary: verdictSentence(explanation) });
  else print(invocation, explanation);
  return EXIT.ok;
}

async function explainNow(invocation: Invocation): Promise<Explanation> {
  const prompt = await promptOf(
    invocation,
    invocation.positionals,
    "why",
    "`memdir why PROMPT` explains a prompt now, `memdir why --last` the last recall",
  );
  const session = sessionOption(invocation);
  const workspace = invocation.workspace();
  return explainPrompt(workspace, prompt, session);
}

function explainLast(invocation: Invocation): Explanation {
  if (invocation.positionals.length > 0) throw new UsageError("give a prompt or --last, not both");
  const workspace = invocation.workspace();
  const session = sessionOption(invocation);
  const last = loggedRecalls(workspace.recallLog).findLast(
    (logged) => session === undefined || logged.session === safeId(session),
  );
  if (last === undefined) throw new MemoryError("not-found", noneLogged(workspace, session));
  return explainLogged(workspace, last);
}

function noneLogged({ mode, recallLog }: ReturnType<Invocation["workspace"]>, session: string | undefined): string {
  const instead = "`memdir why PROMPT` explains a prompt now";
  if (!mayWrite(mode)) return `memory is ${mode}, so it logs no recalls; ${instead}`;
  if (recallLog.keeps === "nothing") return `recalls are not logged here (MEMDIR_RECALL_LOG=off); ${instead}`;
  return `no recall${session === undefined ? "" : ` of session ${session}`} is logged for ${recallLog.project}; ${instead}`;
}

function print(invocation: Invocation, explanation: Explanation): void {
  const { io } = invocation;
  const { prompt, scopes, candidates, remarks, verdict, loggedAt, session } = explanation;
  const reason = verdict === "off" ? ` (${invocation.workspace().locations.modeReason ?? "off"})` : "";
  paragraph(io, paint(io, "bold", verdictSentence(explanation)) + reason);
  if (verdict === "off" || verdict === "empty-prompt") return;
  line(io);
  paragraph(
    io,
    `Asked: ${prompt === undefined ? "(the log keeps no words of prompts here)" : shortPrompt(prompt)}`,
    "",
    "  ",
  );
  for (const sentence of wordSentences(explanation)) paragraph(io, sentence, "  ", "    ");
  if (loggedAt !== undefined)
    paragraph(
      io,
      `Logged ${loggedAt.slice(0, 16).replace("T", " ")} UTC${session === undefined ? "" : ` in session ${session}`}: scores are from then, words are compared with the notes as they are now.`,
      "  ",
      "    ",
    );
  const notes = scopes.reduce((sum, one) => sum + one.notes, 0);
  const entries = loggedAt === undefined ? (explanation.logEntries ?? 0) : 0;
  const looked = [
    ...(notes > 0
      ? [`${counted(notes, "note")} (${scopes.map((one) => `${one.scope} ${one.notes}`).join(", ")})`]
      : []),
    ...(entries > 0 ? [counted(entries, "log entry", "log entries")] : []),
  ];
  if (looked.length > 0) paragraph(io, `Looked through ${looked.join(" and ")}. ${ruleSentence(explanation)}`);
  if (candidates.length > 0) line(io);
  for (const note of candidates) printCandidate(io, note, explanation);
  if (explanation.more > 0) line(io, `  and ${explanation.more} more with lower scores`);
  for (const remark of remarks) paragraph(io, paint(io, "yellow", remark));
  printNext(io, explanation);
}

function printCandidate(io: Io, note: ExplainedNote, explanation: Explanation): void {
  const name = noteReference(note);
  const outcome = outcomeWords(note, explanation);
  paragraph(
    io,
    `${paint(io, "cyan", name)}: ${note.fate === "shown" ? paint(io, "green", outcome) : outcome}`,
    `  ${percent(note.score).padStart(5)}  `,
    "         ",
  );
  const words = [
    ["has", note.has],
    ["took the place of a note with", note.succeeds],
    ["has words related to", note.relates],
    ["stands next to", note.nearby],
    ["is linked from", note.linkedFrom],
    ["lacks", note.lacks],
  ] as const;
  const told = words.flatMap(([verb, list]) => (list.length === 0 ? [] : [`${verb} ${list.slice(0, 10).join(", ")}`]));
  if (note.has.length + note.succeeds.length + note.relates.length + note.nearby.length > 0)
    paragraph(io, paint(io, "dim", told.join("; ")), "         ");
}

/** Prints what to do about a note that was left out. */
function printNext(io: Io, { verdict, candidates, prompt }: Explanation): void {
  const out = candidates.find(({ fate, file }) => (fate === "unlikely" || fate === "pointed") && !namesEntry(file));
  if (out === undefined || prompt === undefined || verdict === "shown") return;
  line(io);
  line(io, `memdir why-not ${shellWord(noteReference(out))} ${shellWord(shortPrompt(prompt, 200))}`);
}

/** A prompt on one line, safe to print on a terminal. */
export function shortPrompt(prompt: string, most = 300): string {
  return truncate(oneLine(stripHidden(prompt)), most);
}
