import { type RecallOutcome, recallNotes, recallText, type RecallWorkspace, recordRecall } from "../../core/memory/recall-notes.ts";
import { verifySelected } from "../../core/memory/verify-notes.ts";
import { EXIT, UsageError } from "./exit.ts";
import { type Io, json, line, paint } from "./io.ts";

/** The `recall` command, shared by the quick start and the full command line. */
export function recallCommand(
  workspace: RecallWorkspace,
  io: Io,
  prompt: string,
  options: { readonly json: boolean; readonly explain: boolean; readonly verify: boolean },
): number {
  if (prompt.trim() === "") throw new UsageError("recall needs a prompt: `memdir recall 'what the agent is asked'`, or `-` for standard input");
  const recalled = recallNotes(workspace, prompt);
  const outcome = options.verify ? verifySelected(workspace, recalled) : recalled;
  const text = recallText(workspace.clock, outcome);
  if (options.json) json(io, recallJson(outcome, text, options.explain));
  else printRecall(io, outcome, text, options.explain);
  recordRecall(workspace, outcome.selected);
  return EXIT.ok;
}

function recallJson({ selected, ranked, abstained, details }: RecallOutcome, text: string, explain: boolean): unknown {
  return {
    selected: selected.map(({ file, score, scope, entry, checks }) => ({ file, score, scope, name: entry.name, description: entry.description, ...(checks !== undefined && { checks }) })),
    ranked,
    abstained,
    text,
    ...(explain && { details: details.map(({ scope, recall }) => ({ scope, floor: recall.floor, terms: recall.terms, candidates: recall.candidates.slice(0, 10).map(({ file, score, found }) => ({ file, score, found })) })) }),
  };
}

function printRecall(io: Io, outcome: RecallOutcome, text: string, explain: boolean): void {
  if (text !== "") line(io, text);
  else line(io, paint(io, "dim", `nothing here is sure to help with that (an empty answer is a right answer)${explain ? "" : "; `--explain` shows what came close"}`));
  if (explain) explainRecall(io, outcome);
}

function explainRecall(io: Io, { details, selected }: RecallOutcome): void {
  for (const { scope, recall } of details) {
    line(io, `\n${scope}: a note is shown when it covers ${Math.round(recall.floor * 100)}% of the prompt or more, and nearly as much as the best`);
    line(io, `  terms: ${recall.terms.slice(0, 12).map(({ term, documents }) => `${term} (${documents})`).join(", ")}`);
    for (const { file, score, found } of recall.candidates.slice(0, 8)) {
      const mark = selected.some((note) => note.scope === scope && note.file === file) ? "shown" : "     ";
      line(io, `  ${mark} ${(score * 100).toFixed(0).padStart(3)}%  ${file}  ${paint(io, "dim", [...new Set([...found.name, ...found.description, ...found.body])].slice(0, 8).join(" "))}`);
    }
  }
}
