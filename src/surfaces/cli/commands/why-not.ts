import { noteInTime } from "../../../app/notes/find-note.ts";
import { namesEntry } from "../../../app/notes/log-entry.ts";
import {
  absenceSentence,
  placeSentences,
  remedySentence,
  explainAbsence,
} from "../../../app/recall/explain-absence.ts";
import { ruleSentence } from "../../../app/recall/explain-recall.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import type { NoteRef } from "../../../app/workspace/workspace.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError, json, line, paint } from "../io.ts";
import { paragraph } from "../wrap.ts";
import { promptOf, sessionOption } from "./parse-input.ts";
import { shortPrompt } from "./why.ts";

export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const [reference, ...words] = invocation.positionals;
  if (reference === undefined)
    throw new UsageError(
      "why-not needs a note and a prompt: `memdir why-not NOTE 'PROMPT'`, with a name from `memdir list --all`",
    );
  if (namesEntry(reference))
    throw new UsageError(
      `${reference} is an entry of a daily log, and why-not compares notes only; \`memdir why PROMPT\` says what became of the likeliest entries`,
    );
  const ref = presentNote(invocation, reference);
  const prompt = await promptOf(
    invocation,
    words,
    "why-not",
    `\`memdir why-not ${reference} 'what the agent was asked'\``,
  );
  const session = sessionOption(invocation);
  const workspace = invocation.workspace();
  const absence = explainAbsence(workspace, ref, prompt, session);
  const remedy = remedySentence(absence);
  if (invocation.flag("json")) {
    json(io, { ...absence, summary: absenceSentence(absence), advice: remedy });
    return EXIT.ok;
  }
  const reason = absence.reason === "off" ? ` (${workspace.locations.modeReason ?? "off"})` : "";
  paragraph(io, paint(io, "bold", absenceSentence(absence)) + reason);
  if (absence.reason === "off") return EXIT.ok;
  line(io);
  paragraph(io, `Asked: ${shortPrompt(prompt)}`, "", "  ");
  if (absence.reason === "superseded")
    paragraph(
      io,
      `\`memdir show ${absence.file}\` prints it; \`memdir why-not ${absence.supersededBy ?? "NOTE"} '…'\` explains the newer one.`,
      "  ",
    );
  else for (const sentence of placeSentences(absence)) paragraph(io, sentence, "  ", "    ");
  if (absence.reason !== "superseded") paragraph(io, ruleSentence(absence.explanation), "  ", "    ");
  if (remedy !== undefined) paragraph(io, remedy);
  for (const remark of absence.explanation.remarks) paragraph(io, paint(io, "yellow", remark));
  return EXIT.ok;
}

/** @throws MemoryError `not-found` for a removed note, because its removal is the reason. */
function presentNote(invocation: Invocation, reference: string): NoteRef {
  const ref = noteInTime(invocation.workspace(), reference);
  if (ref.scoped.store.index.entry(ref.file) !== undefined) return ref;
  throw new MemoryError(
    "not-found",
    `${ref.file} was removed, so it is not recalled; \`memdir undo ${ref.file}\` brings it back`,
  );
}
