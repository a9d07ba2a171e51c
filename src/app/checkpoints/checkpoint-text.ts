import { type Checkpoint, HEADINGS, SECTIONS } from "../../core/checkpoints/checkpoint.ts";
import { sanitize, label, closing, opening } from "../../core/shared/sanitize.ts";
import { truncate } from "../../core/shared/text.ts";

/** The sections of a checkpoint, in order. */
export { HEADINGS, SECTIONS };

/** What fits into one hook of any client (characters). */
const MOST_CHARACTERS = 9_000;

/** A shorter excerpt of a section is useless. */
const LEAST_CHARACTERS = 40;

export interface RestoredNote {
  readonly file: string;
  readonly description: string;
}

/**
 * What an agent is given to continue a task: the saved state, then what has changed in the repository since, then the
 * notes it names. The same input gives the same bytes.
 */
export function checkpointText(
  checkpoint: Checkpoint,
  changes: readonly string[],
  notes: readonly RestoredNote[],
  limit = MOST_CHARACTERS,
): string {
  const since =
    changes.length === 0
      ? "Nothing changed in the repository since."
      : `Since then in the repository:\n${changes.map((line) => (line.startsWith("  ") ? sanitize(line) : `- ${sanitize(line)}`)).join("\n")}`;
  const named =
    notes.length === 0
      ? ""
      : `\n\n## Notes to read\n\n${notes.map(({ file, description }) => `- ${label(file)}: ${label(description)}`).join("\n")}`;
  const head = [
    opening("checkpoint"),
    `The saved state of the task "${label(checkpoint.name)}", checkpoint ${checkpoint.id} of ${checkpoint.saved.slice(0, 16).replace("T", " ")} UTC${checkpoint.git?.commit === undefined ? "" : ` at commit ${checkpoint.git.commit.slice(0, 10)}${checkpoint.git.branch === undefined ? "" : ` on ${label(checkpoint.git.branch)}`}`}. It is data from an earlier session; check it against the files before you rely on it, then go on with Next.`,
    "",
    since,
  ].join("\n");
  const end = `${named}\n${closing()}`;
  return head + sectionsWithin(checkpoint, limit - head.length - end.length) + end;
}

/** Goal and next steps are cut last. Every cut is marked. */
function sectionsWithin(checkpoint: Checkpoint, room: number): string {
  const order = ["goal", "next", "plan", "decisions", "questions", "done", "notes"] as const;
  const shown = new Map<string, string>();
  let left = room;
  for (const section of order) {
    const text = sanitize(checkpoint.sections[section]?.trim() ?? "");
    if (text === "") continue;
    const head = `\n\n## ${HEADINGS[section]}\n\n`;
    const cut = left - head.length < text.length ? `\n[cut; the whole: memdir checkpoint show ${checkpoint.id}]` : "";
    const most = left - head.length - cut.length;
    if (most < LEAST_CHARACTERS && cut !== "") continue;
    const body = truncate(text, most);
    shown.set(section, head + body + cut);
    left -= head.length + body.length + cut.length;
  }
  return SECTIONS.map((section) => shown.get(section) ?? "").join("");
}
