import { captureFile, isCaptured, type FileCapture } from "../../../app/capture/capture-file.ts";
import {
  isDirectory,
  type ProjectTranscripts,
  projectTranscripts,
  transcriptsIn,
  type Estimate,
  estimateCapture,
} from "../../../app/capture/capture-history.ts";
import { handOver } from "../../../app/background/hand-over.ts";
import { runDetachedWorker } from "../../../app/background/capture-worker.ts";
import {
  captureSession,
  joinOutcomes,
  NOTHING_CAPTURED,
  type Extractor,
} from "../../../app/capture/capture-session.ts";
import { instructionText, openExtractor } from "../../../app/capture/extractor.ts";
import { readGivenTranscript } from "../../../app/capture/given-turn.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import { counted } from "../../../core/shared/text.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError, json, line } from "../io.ts";
import { unreadable } from "./transcript-file.ts";
import { captureJson, printCapture, progressOf } from "./review-text.ts";
import path from "node:path";
import type { OpenWorkspace } from "../../../app/workspace/open-workspace.ts";
import { chooseModel, nameOf } from "../../../app/models/models.ts";
import { readModelSettings } from "../../../app/workspace/settings.ts";

/** Says what asking the model will cost, and asks for consent. `declined`: the user said no. */
export async function allowedExtractor(
  invocation: Invocation,
  files: readonly string[],
  again: boolean,
): Promise<Extractor | "declined"> {
  const { io } = invocation;
  const workspace = invocation.workspace();
  const { locations } = workspace;
  const settings = readModelSettings(locations.memdirHome);
  const choice = chooseModel(locations, settings);
  const extractor = await openExtractor(workspace);
  if (choice.kind !== "chosen") return extractor;
  const estimate = estimateCapture(locations, files, choice.name, settings, again);
  if (estimate.requests === 0) return extractor;
  io.err(
    `memdir: ${estimateLine(nameOf(choice), estimate)}; today's budget is ${settings.budget.requests} requests, ${settings.budget.tokens} tokens, $${settings.budget.dollars.toFixed(2)}\n`,
  );
  if (invocation.flag("yes")) return extractor;
  const answer = await io.confirm(`Ask ${nameOf(choice)}?`);
  if (answer === undefined) throw new UsageError("a model costs tokens: add --yes to agree without a terminal");
  return answer ? extractor : "declined";
}

function estimateLine(model: string, { sessions, requests, inputTokens, outputTokens, dollars }: Estimate): string {
  const money =
    dollars === undefined
      ? "price unknown"
      : dollars === 0
        ? "no money"
        : `about $${dollars.toFixed(3)} without the provider's cache`;
  return `${model} would be asked about ${counted(sessions, "session")}: at least ${counted(requests, "request")}, about ${inputTokens} tokens in and ${outputTokens} out, ${money}`;
}

/** Captures sessions one after another; a session that was already captured to its end is skipped at once. */
export async function captureMany(invocation: Invocation, files: readonly string[]): Promise<number> {
  const { io } = invocation;
  const again = invocation.flag("again");
  const extractor = invocation.flag("model") ? await allowedExtractor(invocation, files, again) : undefined;
  if (extractor === "declined") return EXIT.refused;
  const sum = new Sum();
  for (const [index, file] of files.entries()) {
    const captured = await captureOne(invocation.workspace(), file, {
      again,
      dryRun: invocation.flag("dry-run"),
      onProgress: progressOf(io, file),
      ...(extractor === undefined ? {} : { extractor }),
    });
    sum.add(captured);
    io.err(
      `memdir: ${index + 1} of ${files.length} ${path.basename(file)}: ${captured.kind === "failed" ? captured.message : shortly(captured.capture)}\n`,
    );
  }
  const { capture, failed } = sum;
  if (capture.outcome.modelFailure !== undefined)
    io.err(`memdir: the model did not answer (${capture.outcome.modelFailure}); rules did its part\n`);
  if (invocation.flag("json"))
    json(io, {
      ...captureJson(capture.outcome),
      sessions: files.length,
      failed,
      turns: capture.turns,
      leftToAgent: capture.saved,
    });
  else if (files.length === 0) line(io, "no session transcripts here");
  else {
    printCapture(io, capture.outcome, invocation.flag("dry-run"));
    line(
      io,
      `${counted(capture.turns, "new turn")} in ${counted(files.length - failed.length, "session")}${failed.length > 0 ? `; ${counted(failed.length, "file was", "files were")} not read` : ""}${capture.saved > 0 ? `; ${capture.saved} skipped because the agent saved notes there` : ""}`,
    );
  }
  return failed.length === 0 ? EXIT.ok : EXIT.failed;
}

type One =
  | { readonly kind: "captured"; readonly capture: FileCapture }
  | { readonly kind: "failed"; readonly file: string; readonly message: string };

/** One bad file does not stop the others. */
async function captureOne(
  workspace: OpenWorkspace,
  file: string,
  options: Parameters<typeof captureFile>[2],
): Promise<One> {
  try {
    return { kind: "captured", capture: await captureFile(workspace, file, options) };
  } catch (error) {
    if (
      error instanceof MemoryError &&
      (error.code === "invalid-input" || error.code === "not-found" || error.code === "permission")
    )
      return { kind: "failed", file, message: error.message };
    throw error;
  }
}

class Sum {
  capture: Pick<FileCapture, "outcome" | "turns" | "saved"> = { outcome: NOTHING_CAPTURED, turns: 0, saved: 0 };
  readonly failed: { readonly file: string; readonly message: string }[] = [];

  add(one: One): void {
    if (one.kind === "failed") {
      this.failed.push({ file: one.file, message: one.message });
      return;
    }
    const { outcome, turns, saved } = one.capture;
    const { outcome: before } = this.capture;
    this.capture = {
      turns: this.capture.turns + turns,
      saved: this.capture.saved + saved,
      outcome: joinOutcomes(before, outcome),
    };
  }
}

function shortly({ turns, outcome: { notes } }: FileCapture): string {
  if (turns === 0) return "nothing new";
  return `${counted(turns, "turn")}, ${counted(notes.length, "note")}`;
}

export async function run(invocation: Invocation): Promise<number> {
  if (invocation.flag("pending")) return runPending(invocation);
  const turn = invocation.option("turn");
  const { io } = invocation;
  const [file] = invocation.positionals;
  const all = invocation.flag("all");
  if (turn !== undefined) return runTurn(invocation, turn);
  if (file === undefined && !all)
    throw new UsageError(
      "capture needs a session transcript: `memdir capture FILE.jsonl`, a directory of them, or --all for this project's sessions",
    );
  if (file !== undefined && all) throw new UsageError("give a path or --all, not both");
  const workspace = invocation.workspace();
  if (file === undefined || isDirectory(file))
    return file === undefined
      ? captureAll(invocation, projectTranscripts(workspace.locations))
      : captureMany(invocation, transcriptsIn(file));
  // A session captured to its end is read again when the user names it; an interrupted capture continues.
  const again = invocation.flag("again") || isCaptured(workspace.locations, file) === true;
  const extractor = invocation.flag("model") ? await allowedExtractor(invocation, [file], again) : undefined;
  if (extractor === "declined") return EXIT.refused;
  const captured = await captureFile(workspace, file, {
    again,
    dryRun: invocation.flag("dry-run"),
    onProgress: progressOf(io, file),
    ...(extractor === undefined ? {} : { extractor }),
  }).catch((error: unknown) => {
    throw unreadable(error);
  });
  const { outcome } = captured;
  if (outcome.modelFailure !== undefined)
    io.err(`memdir: the model did not answer (${outcome.modelFailure}); rules did its work\n`);
  if (invocation.flag("json"))
    json(io, { ...captureJson(outcome), turns: captured.turns, leftToAgent: captured.saved });
  else {
    printCapture(io, outcome, invocation.flag("dry-run"));
    if (captured.saved > 0) line(io, `${counted(captured.saved, "turn")} skipped: the agent saved notes there`);
  }
  for (const { line: number, reason } of captured.problems.slice(0, 3))
    io.err(`memdir: ${file} line ${number}: ${reason}\n`);
  return EXIT.ok;
}

/** A turn that a program reports about itself, as a client's hook would: the user did not ask for it. */
async function runTurn(invocation: Invocation, source: string): Promise<number> {
  const { io } = invocation;
  if (source !== "-" || invocation.positionals.length > 0 || invocation.flag("all") || invocation.flag("model"))
    throw new UsageError("a turn comes from standard input and stands alone: `memdir capture --turn - < turn.json`");
  const transcript = readGivenTranscript(await io.readInput());
  const workspace = invocation.workspace();
  if (!invocation.flag("dry-run") && !invocation.flag("wait")) {
    const queued = await handOver(workspace, transcript);
    if (invocation.flag("json")) json(io, { queued: queued === "kept", turns: transcript.turns.length });
    else line(io, queued === "kept" ? "queued; capture goes on in the background" : "nothing to capture here");
    return EXIT.ok;
  }
  const outcome = await captureSession(workspace, transcript, {
    dryRun: invocation.flag("dry-run"),
    askedBy: "itself",
    instructions: () => instructionText(workspace),
  });
  if (invocation.flag("json")) json(io, { ...captureJson(outcome), turns: transcript.turns.length });
  else printCapture(io, outcome, invocation.flag("dry-run"));
  return EXIT.ok;
}

async function captureAll(invocation: Invocation, { files, elsewhere }: ProjectTranscripts): Promise<number> {
  const code = await captureMany(invocation, files);
  const [first] = elsewhere;
  if (first !== undefined)
    invocation.io.err(
      `memdir: ${counted(elsewhere.length, "session")} kept under this project's name ${elsewhere.length === 1 ? "was" : "were"} skipped, because they began in another directory (${[...new Set(elsewhere.map(({ where }) => where))].slice(0, 3).join(", ")}); \`memdir capture ${first.file}\` captures one here anyway\n`,
    );
  return code;
}

/** What the detached worker runs; for users it does the same in the foreground. */
async function runPending({ workspace, io, flag }: Invocation): Promise<number> {
  const done = await runDetachedWorker(workspace().locations);
  if (flag("json")) json(io, done ?? { busy: true });
  return EXIT.ok;
}
