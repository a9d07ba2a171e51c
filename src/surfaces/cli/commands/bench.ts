import { readTextFile, writeNewFile } from "../../../app/workspace/text-file.ts";
import { absenceSentence, explainAbsence } from "../../../app/recall/explain-absence.ts";
import {
  type BenchMiss,
  benchRecall,
  labelledFromLog,
  type RecallBench,
  readLabelled,
  writeLabelled,
  type RecallFigures,
} from "../../../app/recall/bench-recall.ts";
import { missingNote } from "../../../app/notes/find-note.ts";
import { loggedRecalls } from "../../../app/recall/log-recall.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError, json, line, paint, table } from "../io.ts";
import { paragraph } from "../wrap.ts";
import { shortPrompt } from "./why.ts";
import { counted } from "../../../core/shared/text.ts";

const LISTED_MISSES = 10;
const STARTER_PROMPTS = 100;

export async function run(invocation: Invocation): Promise<number> {
  const [file] = invocation.positionals;
  const starter = invocation.option("init");
  if (starter !== undefined) {
    if (file !== undefined) throw new UsageError("give a file to measure or --init FILE, not both");
    return writeStarter(invocation, starter);
  }
  if (file === undefined)
    throw new UsageError(
      "bench needs a file of labelled prompts; `memdir bench --init prompts.jsonl` writes one to start from",
    );
  const bench = measure(invocation, file);
  if (invocation.flag("json")) json(invocation.io, jsonOf(invocation, bench));
  else print(invocation, bench);
  return EXIT.ok;
}

function measure(invocation: Invocation, file: string): RecallBench {
  const labelled = readLabelled(readTextFile(file, "labelled prompts"));
  if (!labelled.ok) throw new MemoryError("invalid-input", `${file}:${labelled.line}: ${labelled.message}`);
  const workspace = invocation.workspace();
  if (workspace.mode === "off")
    throw new MemoryError(
      "refused",
      `memory is off (${workspace.locations.modeReason ?? ""}): memdir recalls nothing, so there is nothing to measure`,
    );
  const result = benchRecall(workspace, labelled.prompts);
  if (result.ok) return result.bench;
  const { line: at, name, near, ambiguous } = result;
  throw new MemoryError("not-found", `${file}:${at}: ${missingNote(name, { near, ambiguous })}`);
}

function writeStarter(invocation: Invocation, file: string): number {
  const { io } = invocation;
  const labelled = labelledFromLog(
    loggedRecalls(invocation.workspace().recallLog).filter(({ by }) => by === "rules"),
  ).slice(-STARTER_PROMPTS);
  if (labelled.length === 0)
    throw new MemoryError(
      "not-found",
      'no recall is logged here yet, so there is no prompt to start from; write lines like {"prompt": "…", "notes": ["file-or-name"]} by hand',
    );
  writeNewFile(file, writeLabelled(labelled));
  if (invocation.flag("json")) json(io, { file, prompts: labelled.length });
  else
    paragraph(
      io,
      `${file} has ${counted(labelled.length, "prompt")} of the log, each with the notes it was shown. Now correct it: name the notes that should be shown, [] if none should, and add prompts that found nothing. Then: memdir bench ${file}`,
    );
  return EXIT.ok;
}

const ROWS: readonly (readonly [keyof RecallFigures, string, string])[] = [
  ["first", "R@1", "the best note is a wanted one"],
  ["five", "R@5", "wanted notes among the five best"],
  ["reciprocalRank", "MRR", "1 ÷ rank of the first wanted note"],
  ["precision", "precision", "of the notes shown whole, wanted ones"],
  ["recall", "recall", "of the wanted notes, shown whole"],
  ["f1", "F1", "of these two"],
  ["reach", "reach", "wanted notes shown or pointed at"],
  ["silent", "silent", "shows nothing where nothing is wanted"],
];

function print(invocation: Invocation, { memdir, plain, misses }: RecallBench): void {
  const { io } = invocation;
  line(io, `${counted(memdir.prompts, "prompt")}, ${memdir.negatives} of them with nothing to show\n`);
  const cell = (value: number | undefined): string =>
    (value === undefined ? "-" : `${(100 * value).toFixed(1)}%`).padStart(6);
  const rows = ROWS.map(([key, name, meaning]) => [
    name,
    cell(memdir[key]),
    cell(plain[key]),
    paint(io, "dim", meaning),
  ]);
  for (const row of table([
    ["", "memdir", " plain", paint(io, "dim", "(plain: BM25 over whole files, its five best)")],
    ...rows,
  ]))
    line(io, row.trimEnd());
  if (misses.length > 0) line(io, `\n${counted(misses.length, "prompt was", "prompts were")} answered wrongly:`);
  for (const miss of misses.slice(0, LISTED_MISSES)) printMiss(invocation, miss);
  if (misses.length > LISTED_MISSES) line(io, `and ${misses.length - LISTED_MISSES} more; --json lists all`);
}

function printMiss(invocation: Invocation, miss: BenchMiss): void {
  const { io } = invocation;
  paragraph(io, `${miss.line}: ${shortPrompt(miss.prompt, 200)}`, "  ", "     ");
  for (const { summary } of reasonsOf(invocation, miss)) paragraph(io, summary, "     ");
  if (miss.wrong.length > 0)
    paragraph(
      io,
      `Shown but not wanted: ${miss.wrong.map((key) => key.replace(/^project:/u, "")).join(", ")}.`,
      "     ",
    );
}

function jsonOf(invocation: Invocation, { memdir, plain, misses }: RecallBench): unknown {
  return {
    memdir,
    plain,
    misses: misses.map((miss) => ({
      line: miss.line,
      prompt: miss.prompt,
      missed: reasonsOf(invocation, miss),
      wrong: miss.wrong,
    })),
  };
}

function reasonsOf(invocation: Invocation, { missed, prompt }: BenchMiss) {
  return missed.map((ref) => {
    const absence = explainAbsence(invocation.workspace(), ref, prompt);
    return {
      scope: absence.scope,
      file: absence.file,
      reason: absence.reason,
      score: absence.score,
      summary: absenceSentence(absence),
    };
  });
}
