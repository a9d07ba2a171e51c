import { noteReference } from "../../core/shared/note-reference.ts";
import { type AnsweredRecall, recall, type Verifier } from "../../app/recall/recall.ts";
import { recallWithSkills } from "../../app/skills/offer.ts";
import type { Locations } from "../../app/workspace/locations.ts";
import type { RecallOutcome, RecallWorkspace } from "../../app/recall/recall-notes.ts";
import { oneLine, truncate } from "../../core/shared/text.ts";
import { EXIT, UsageError, type Io, json, line, paint } from "./io.ts";
import { checksOf, factsOf } from "../../app/recall/facts-of-note.ts";
import type { Clock } from "../../core/shared/clock.ts";
import { fitted, paragraph } from "./wrap.ts";

/** Prints what recall found for a person at a terminal, without the fence and the advice that an agent gets. */
function printForPerson(io: Io, clock: Clock, { selected, pointed }: RecallOutcome): void {
  for (const [at, note] of selected.entries()) {
    if (at > 0) line(io);
    line(io, paint(io, "bold", note.entry.name));
    line(io, paint(io, "dim", `${noteReference(note)} (${factsOf(note, clock).join(", ")})`));
    for (const check of checksOf(note)) line(io, paint(io, "yellow", check));
    const body = note.body.trim();
    const description = oneLine(note.entry.description);
    if (!oneLine(body).includes(description)) paragraph(io, description);
    for (const text of body.split("\n")) line(io, text.trimEnd());
  }
  if (pointed.length === 0) return;
  if (selected.length > 0) line(io);
  line(io, paint(io, "dim", "Perhaps (`memdir show NOTE` prints one):"));
  const rows = pointed.map((note) => [`  ${noteReference(note)}`, oneLine(note.entry.description)]);
  for (const text of fitted(rows, io.width, true)) line(io, text);
}

/** The `recall` command, shared by the quick path and the full command line. */
export function recallCommand(
  workspace: RecallWorkspace,
  io: Io,
  prompt: string,
  options: {
    /** Where to look for skills; `undefined` for the past, which has none. */ readonly locations?: Locations;
    readonly json: boolean;
    readonly explain: boolean;
    /** Print the text that an agent gets, even at a terminal. */ readonly raw?: boolean;
    readonly verify?: Verifier | undefined;
    readonly session?: string | undefined;
    readonly touched?: readonly string[];
    /** A question about the past: neither counted nor logged. */ readonly past?: boolean;
  },
): number {
  if (prompt.trim() === "")
    throw new UsageError("recall needs a prompt: `memdir recall 'what the agent is asked'`, or `-` for standard input");
  const question = {
    prompt,
    verify: options.verify,
    session: options.session,
    touchedFiles: options.touched,
  };
  const { locations } = options;
  const answered =
    locations === undefined ? recall(workspace, question) : recallWithSkills(locations, workspace, question);
  if (options.json) json(io, recallJson(answered, options.explain));
  else {
    const { outcome, rendered } = answered;
    if (rendered.text === "") line(io, paint(io, "dim", emptySentence(workspace, outcome)));
    else if (io.isTerminal && options.raw !== true) printForPerson(io, workspace.clock, outcome);
    else line(io, rendered.text);
    if (options.explain) explainRecall(io, answered);
  }
  if (options.past !== true) answered.delivered();
  return EXIT.ok;
}

function recallJson({ outcome, rendered: { text } }: AnsweredRecall, explain: boolean): unknown {
  const { selected, pointed, ranked, abstained, details, judged, overridden } = outcome;
  const named = ({ file, score, scope, entry }: RecallOutcome["pointed"][number]) => ({
    file,
    score,
    scope,
    name: entry.name,
    description: entry.description,
  });
  return {
    selected: selected.map((note) => ({ ...named(note), ...(note.checks !== undefined && { checks: note.checks }) })),
    pointed: pointed.map(named),
    ranked,
    abstained,
    ...(overridden.length > 0 && { overridden }),
    text,
    ...(explain && {
      details: {
        rule: outcome.rule,
        terms: details.map(({ scope, recall: { terms } }) => ({ scope, terms })),
        candidates: judged.slice(0, 20).map(({ note, likelihood, evidence }) => ({
          file: note.file,
          scope: note.scope,
          likelihood,
          evidence,
          found: note.found,
        })),
      },
    }),
  };
}

/** Why nothing is shown. */
function emptySentence({ mode, stores, logs }: RecallWorkspace, { repeated }: RecallOutcome): string {
  if (mode === "off") return "Memory is off, so memdir recalls nothing; `memdir status` says why.";
  if (logs === undefined && stores.every(({ store }) => store.index.count() === 0))
    return "There are no notes here yet; `memdir remember TEXT` saves one.";
  if (repeated.length > 0)
    return `this session already has ${repeated.map(({ file }) => file).join(", ")}, and nothing in it has changed`;
  return "No note matches this prompt. `memdir why 'PROMPT'` says why, `memdir search TERM` looks for a word.";
}

const EXPLAINED = 12;

/** One line per candidate, with each reason as a number that the user can check; 80 columns if the names allow it. */
function explainRecall(io: Io, { outcome: { details, selected, pointed, judged, rule } }: AnsweredRecall): void {
  for (const {
    scope,
    recall: { terms: all },
  } of details) {
    const terms = all
      .slice(0, 12)
      .map(({ term, documents }) => `${term} (${documents})`)
      .join(", ");
    line(io, `\n${scope} terms: ${terms === "" ? "none" : terms}${all.length > 12 ? ", …" : ""}`);
  }
  if (judged.length === 0) return;
  line(io, `\nlikely to help: shown whole from ${percent(rule.whole)}, in one line from ${percent(rule.pointer)}`);
  line(io, paint(io, "dim", "                covers  in head  words   ahead     size"));
  const whole = new Set(selected.map(key));
  const lines = new Set(pointed.map(key));
  for (const { note, likelihood, evidence } of judged.slice(0, EXPLAINED)) {
    const grade = whole.has(key(note)) ? "whole" : lines.has(key(note)) ? "line" : "";
    const { coverage, head, words, lead, size } = evidence;
    const columns = [
      percent(coverage).padStart(8),
      percent(head).padStart(9),
      String(words).padStart(7),
      percent(lead).padStart(8),
      kilobytes(size).padStart(9),
    ].join("");
    line(io, `${grade.padEnd(6)} ${percent(likelihood).padStart(6)} ${columns}  ${truncate(note.file, 28)}`);
    line(io, paint(io, "dim", `              ${truncate(wordsFound(note.found), Math.max(40, io.width - 14))}`));
  }
}

/** The same file name may exist in several scopes. */
function key({ scope, file }: Pick<RecallOutcome["pointed"][number], "scope" | "file">): string {
  return `${scope}:${file}`;
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
