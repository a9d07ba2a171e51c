import { rmSync } from "node:fs";
import { shippedSession } from "../../../app/care/state-size.ts";
import { openScratch, type OpenWorkspace } from "../../../app/workspace/open-workspace.ts";
import { readTranscriptFile } from "../../../app/past/transcript.ts";
import { captureSession } from "../../../app/capture/capture-session.ts";
import { questionAbout } from "../../../app/capture/next-session.ts";
import { sessionContext } from "../../../app/recall/context.ts";
import { recall } from "../../../app/recall/recall.ts";
import { counted, oneLine, truncate } from "../../../core/shared/text.ts";
import type { Transcript } from "../../../core/transcripts/turn.ts";
import type { Invocation } from "../command.ts";
import { EXIT, type Io, json, line, paint } from "../io.ts";
import { paragraph } from "../wrap.ts";
import { transcriptAt } from "./transcript-file.ts";
import { printCapture } from "./review-text.ts";

/** Shows the main use at once: a session goes in, notes come out, the next session starts with them. */
export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const [path] = invocation.positionals;
  const shipped = shippedSession();
  const transcript = path === undefined ? readTranscriptFile(shipped.path) : transcriptAt(path);
  const prompt = invocation.option("prompt") ?? (path === undefined ? shipped.nextPrompt : firstPrompt(transcript));
  const scratch = invocation.option("dir") === undefined ? openScratch() : undefined;
  const workspace = scratch ?? invocation.workspace();
  const kept = scratch === undefined || invocation.flag("keep");
  const clear = (): void => {
    if (scratch !== undefined && !kept) rmSync(scratch.root, { recursive: true, force: true });
  };
  process.once("exit", clear); // Ctrl-C ends the process at once
  try {
    return await show(io, workspace, transcript, prompt, {
      asJson: invocation.flag("json"),
      kept,
      path: path ?? "the session that ships with memdir",
    });
  } finally {
    workspace.close();
    clear();
    process.off("exit", clear);
  }
}

interface Showing {
  readonly asJson: boolean;
  readonly kept: boolean;
  readonly path: string;
}

async function show(
  io: Io,
  workspace: OpenWorkspace,
  transcript: Transcript,
  prompt: string,
  { asJson, kept, path }: Showing,
): Promise<number> {
  const started = performance.now();
  const outcome = await captureSession(workspace, transcript);
  const seconds = (performance.now() - started) / 1000;
  const context = sessionContext(workspace);
  const asked = await questionAbout(workspace, transcript);
  const { rendered, delivered } = recall(workspace, { prompt, verify: undefined });
  const { text } = rendered;
  delivered();
  const directory = workspace.locations.stores[0]?.directory ?? "";
  if (asJson) {
    json(io, {
      session: transcript.session,
      directory,
      notes: outcome.notes.map(({ file, type, text: body, evidence }) => ({
        file: file ?? null,
        type,
        text: body,
        evidence,
      })),
      refused: outcome.refused,
      context,
      asked: asked ?? null,
      recall: { prompt, text },
    });
    return EXIT.ok;
  }
  heading(io, 1, "A session goes in", describe(transcript, path));
  heading(io, 2, "Notes come out", `rules only, no model, no network, ${seconds.toFixed(1)} s`);
  printCapture(io, outcome, false);
  const example = outcome.notes[0];
  if (example?.file !== undefined) printExample(io, example.file, directory, workspace);
  heading(io, 3, "The next session starts with", "what the agent gets before the first prompt");
  for (const section of context) line(io, section.text);
  if (context.length === 0) line(io, paint(io, "dim", "no index: the session left no note"));
  if (asked !== undefined)
    line(io, `\n${paint(io, "dim", "and is asked once about what no rule was sure of:")}\n\n${asked}`);
  heading(io, 4, "…and gets this prompt", truncate(oneLine(prompt), io.width - 26));
  line(
    io,
    text === ""
      ? paint(io, "dim", "No note matches this prompt, so none is added. The agent still has the index above.")
      : text,
  );
  line(io);
  paragraph(
    io,
    kept
      ? `The notes are plain Markdown in ${directory}`
      : "The notes were plain Markdown in a scratch directory, which is deleted now. --keep keeps it, --dir DIR writes them elsewhere. Your own memory stays untouched.",
  );
  return EXIT.ok;
}

function heading(io: Io, number: number, title: string, detail: string): void {
  line(io, `\n${paint(io, "bold", `${number}. ${title}`)}  ${paint(io, "dim", detail)}\n`);
}

function printExample(io: Io, file: string, directory: string, workspace: OpenWorkspace): void {
  const bytes = workspace.stores[0]?.store.read(file);
  if (bytes === undefined) return;
  line(io, `\n${paint(io, "dim", `${directory}/${file}:`)}`);
  for (const text of new TextDecoder().decode(bytes).trimEnd().split("\n"))
    line(io, `  ${paint(io, "dim", "│")} ${text}`);
}

function describe({ turns, problems }: Transcript, path: string): string {
  const prompts = turns.filter(({ role, text }) => role === "user" && text !== "").length;
  const calls = turns.reduce((sum, { toolCalls }) => sum + toolCalls.length, 0);
  const odd = problems.length > 0 ? `, ${problems.length} unreadable lines skipped` : "";
  return `${path}: ${counted(prompts, "prompt")}, ${counted(calls, "tool call")}${odd}`;
}

function firstPrompt({ turns }: Transcript): string {
  return turns.find(({ role, text }) => role === "user" && text !== "")?.text ?? "where did we leave off?";
}
