import { logRecall } from "../../core/memory/log-recall.ts";
import { type RecallOutcome, recallNotes, renderOutcome, type RecallWorkspace, recordRecall } from "../../core/memory/recall-notes.ts";
import { noteKey, surfacedIn } from "../../core/recall/ledger.ts";
import { SELECTION_RULE } from "../../core/recall/select.ts";
import { truncate } from "../../core/shared/text.ts";
import { EXIT, UsageError } from "./exit.ts";
import { type Io, json, line, paint } from "./io.ts";

/** Checks what selected notes claim; the short path loads it only when there are some. */
export type Verifier = (outcome: RecallOutcome) => RecallOutcome;

/** The `recall` command, shared by the quick start and the full command line. */
export function recallCommand(
  workspace: RecallWorkspace,
  io: Io,
  prompt: string,
  options: { readonly json: boolean; readonly explain: boolean; readonly verify?: Verifier | undefined; readonly session?: string | undefined; readonly touched?: readonly string[]; /** Asked of the past: neither counted nor logged. */ readonly past?: boolean },
): number {
  const { session } = options;
  // Not `performance`, which loads a module for some 2 ms of a cold process.
  const started = process.hrtime.bigint();
  if (prompt.trim() === "") throw new UsageError("recall needs a prompt: `memdir recall 'what the agent is asked'`, or `-` for standard input");
  const ledger = session === undefined ? undefined : surfacedIn(workspace.recallLog, session);
  const recalled = recallNotes(workspace, prompt, { ...ledger, touchedFiles: options.touched ?? [] });
  const outcome = recalled.selected.length === 0 || options.verify === undefined ? recalled : options.verify(recalled);
  const rendered = renderOutcome(workspace.clock, outcome, { sessionCharacters: ledger?.characters ?? 0 });
  const { text } = rendered;
  const ms = Number(process.hrtime.bigint() - started) / 1e6;
  if (options.json) json(io, recallJson(outcome, text, options.explain));
  else printRecall(io, outcome, text, emptySentence(workspace, outcome), options.explain);
  if (options.past === true) return EXIT.ok;
  recordRecall(workspace, outcome.selected);
  logRecall(workspace, { prompt, session, ledger, outcome, rendered, ms });
  return EXIT.ok;
}

function recallJson({ selected, pointed, ranked, abstained, details, judged, overridden }: RecallOutcome, text: string, explain: boolean): unknown {
  const named = ({ file, score, scope, entry }: RecallOutcome["pointed"][number]) => ({ file, score, scope, name: entry.name, description: entry.description });
  return {
    selected: selected.map((note) => ({ ...named(note), ...(note.checks !== undefined && { checks: note.checks }) })),
    pointed: pointed.map(named),
    ranked,
    abstained,
    ...(overridden.length > 0 && { overridden }),
    text,
    ...(explain && {
      details: {
        rule: SELECTION_RULE,
        terms: details.map(({ scope, recall }) => ({ scope, terms: recall.terms })),
        candidates: judged.slice(0, 20).map(({ note, likelihood, evidence }) => ({ file: note.file, scope: note.scope, likelihood, evidence, found: note.found })),
      },
    }),
  };
}

/** Says which emptiness it is. */
function emptySentence({ mode, stores, logs }: RecallWorkspace, { repeated }: RecallOutcome): string {
  if (mode === "off") return "memory is off, so nothing is recalled; `memdir status` says why";
  if (logs === undefined && stores.every(({ store }) => store.index.count() === 0)) return "there are no notes here yet; `memdir remember TEXT` saves one";
  if (repeated.length > 0) return `this session has ${repeated.map(({ file }) => file).join(", ")} already, unchanged`;
  return "nothing here is likely to help with that (an empty answer is a right answer); `memdir why 'PROMPT'` explains it";
}

function printRecall(io: Io, outcome: RecallOutcome, text: string, empty: string, explain: boolean): void {
  if (text !== "") line(io, text);
  else line(io, paint(io, "dim", empty));
  if (explain) explainRecall(io, outcome);
}

const EXPLAINED = 12;

/** One line a candidate, each reason as a number that a person can check; 80 columns where names allow. */
function explainRecall(io: Io, { details, selected, pointed, judged }: RecallOutcome): void {
  for (const { scope, recall } of details) {
    const terms = recall.terms.slice(0, 12).map(({ term, documents }) => `${term} (${documents})`).join(", ");
    line(io, `\n${scope} terms: ${terms === "" ? "none" : terms}${recall.terms.length > 12 ? ", …" : ""}`);
  }
  if (judged.length === 0) return;
  line(io, `\nlikely to help: shown whole from ${percent(SELECTION_RULE.whole)}, in one line from ${percent(SELECTION_RULE.pointer)}`);
  line(io, paint(io, "dim", "                covers  in head  words   ahead     size"));
  const whole = new Set(selected.map(noteKey));
  const lines = new Set(pointed.map(noteKey));
  for (const { note, likelihood, evidence } of judged.slice(0, EXPLAINED)) {
    const grade = whole.has(noteKey(note)) ? "whole" : lines.has(noteKey(note)) ? "line" : "";
    const { coverage, head, words, lead, size } = evidence;
    const columns = [percent(coverage).padStart(8), percent(head).padStart(9), String(words).padStart(7), percent(lead).padStart(8), kilobytes(size).padStart(9)].join("");
    line(io, `${grade.padEnd(6)} ${percent(likelihood).padStart(6)} ${columns}  ${truncate(note.file, 28)}`);
    line(io, paint(io, "dim", `              ${truncate(wordsFound(note.found), Math.max(40, io.width - 14))}`));
  }
}

function wordsFound(found: RecallOutcome["judged"][number]["note"]["found"]): string {
  const head = new Set([...found.name, ...found.description]);
  const body = found.body.filter((term) => !head.has(term));
  return `${[...head].join(" ")}${body.length === 0 ? "" : ` | ${body.join(" ")}`}`;
}

function percent(share: number): string {
  const value = share * 100;
  return `${Math.abs(value) < 9.95 ? value.toFixed(1) : value.toFixed(0)}%`;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
