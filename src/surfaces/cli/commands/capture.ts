import { captureFile, isCaptured } from "../../../app/capture/capture-file.ts";
import {
  isDirectory,
  type ProjectTranscripts,
  projectTranscripts,
  transcriptsIn,
} from "../../../app/capture/capture-history.ts";
import { handOver } from "../../../app/background/hand-over.ts";
import { runDetachedWorker } from "../../../app/background/capture-worker.ts";
import { captureSession } from "../../../app/capture/capture-session.ts";
import { instructionText } from "../../../app/capture/extractor.ts";
import { readGivenTranscript } from "../../../app/capture/given-turn.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import { counted } from "../../../core/shared/text.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError } from "../exit.ts";
import { json, line } from "../io.ts";
import { allowedExtractor } from "./capture-cost.ts";
import { captureMany } from "./capture-many.ts";
import { captureJson, printCapture, progressOf } from "./capture-text.ts";

export async function run(invocation: Invocation): Promise<number> {
  if (invocation.flag("pending")) return runPending(invocation);
  const turn = invocation.option("turn");
  const { io } = invocation;
  const [path] = invocation.positionals;
  const all = invocation.flag("all");
  if (turn !== undefined) return runTurn(invocation, turn);
  if (path === undefined && !all)
    throw new UsageError(
      "capture needs a session transcript: `memdir capture FILE.jsonl`, a directory of them, or --all for this project's sessions",
    );
  if (path !== undefined && all) throw new UsageError("give a path or --all, not both");
  const workspace = invocation.workspace();
  if (path === undefined || isDirectory(path))
    return path === undefined
      ? captureAll(invocation, projectTranscripts(workspace.locations))
      : captureMany(invocation, transcriptsIn(path));
  // What was captured to its end is looked at again when somebody asks for it; what was interrupted goes on.
  const again = invocation.flag("again") || isCaptured(workspace.locations, path) === true;
  const extractor = invocation.flag("model") ? await allowedExtractor(invocation, [path], again) : undefined;
  if (extractor === "declined") return EXIT.refused;
  const captured = await orUnreadable(
    captureFile(workspace, path, {
      again,
      dryRun: invocation.flag("dry-run"),
      onProgress: progressOf(io, path),
      ...(extractor === undefined ? {} : { extractor }),
    }),
  );
  if (typeof captured === "string") {
    io.err(`memdir: ${captured}\n`);
    return EXIT.failed;
  }
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
    io.err(`memdir: ${path} line ${number}: ${reason}\n`);
  return EXIT.ok;
}

/** What is wrong with a file that is there; the command line was right. */
async function orUnreadable<Captured>(capturing: Promise<Captured>): Promise<Captured | string> {
  try {
    return await capturing;
  } catch (error) {
    if (error instanceof MemoryError && error.code === "invalid-input") return error.message;
    throw error;
  }
}

/** What a program says of its own turn, as a client's hook would leave it: nobody asked for it. */
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

/** What the detached worker runs; for people it does the same, in front of them. */
async function runPending({ workspace }: Invocation): Promise<number> {
  await runDetachedWorker(workspace().locations);
  return EXIT.ok;
}
