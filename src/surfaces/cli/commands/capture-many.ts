import path from "node:path";
import { captureFile, type FileCapture } from "../../../app/capture/capture-file.ts";
import type { OpenWorkspace } from "../../../app/workspace/open-workspace.ts";
import { joinOutcomes, NOTHING_CAPTURED } from "../../../app/capture/capture-session.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import type { Invocation } from "../command.ts";
import { EXIT } from "../exit.ts";
import { json, line } from "../io.ts";
import { allowedExtractor } from "./capture-cost.ts";
import { captureJson, printCapture, progressOf } from "./capture-text.ts";
import { counted } from "../../../core/shared/text.ts";

/** Sessions one after the other; each that was captured to its end before is passed over at once. */
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
      `${counted(capture.turns, "new turn")} in ${counted(files.length, "session")}${capture.saved > 0 ? `; ${capture.saved} skipped because the agent saved notes there` : ""}`,
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
