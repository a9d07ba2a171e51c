import { shippedSession } from "../../../compose/demo-session.ts";
import { openScratch } from "../../../compose/scratch.ts";
import { readTranscriptFile } from "../../../compose/transcript.ts";
import type { OpenWorkspace } from "../../../compose/workspace.ts";
import { captureSession } from "../../../core/memory/capture-session.ts";
import { sessionContext } from "../../../core/memory/context.ts";
import { recallNotes, recallText } from "../../../core/memory/recall-notes.ts";
import { counted, oneLine, truncate } from "../../../core/shared/text.ts";
import type { Transcript } from "../../../core/transcripts/turn.ts";
import type { Invocation } from "../command.ts";
import { EXIT } from "../exit.ts";
import { type Io, json, line, paint } from "../io.ts";
import { printCapture } from "./capture-text.ts";

/** The main job in one go: a session goes in, notes come out, the next session starts with them. */
export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const [path] = invocation.positionals;
  const shipped = shippedSession();
  const transcript = readTranscriptFile(path ?? shipped.path);
  const prompt = invocation.option("prompt") ?? (path === undefined ? shipped.nextPrompt : firstPrompt(transcript));
  const kept = invocation.option("dir") !== undefined;
  const workspace = kept ? invocation.workspace() : openScratch();
  try {
    return await show(io, workspace, transcript, prompt, { asJson: invocation.flag("json"), kept, path: path ?? "the session that ships with memdir" });
  } finally {
    workspace.close();
  }
}

interface Showing {
  readonly asJson: boolean;
  readonly kept: boolean;
  readonly path: string;
}

async function show(io: Io, workspace: OpenWorkspace, transcript: Transcript, prompt: string, { asJson, kept, path }: Showing): Promise<number> {
  const started = performance.now();
  const outcome = await captureSession(workspace, transcript);
  const seconds = (performance.now() - started) / 1000;
  const context = sessionContext(workspace);
  const recalled = recallNotes(workspace, prompt);
  const text = recallText(workspace.clock, recalled);
  const directory = workspace.locations.stores[0]?.directory ?? "";
  if (asJson) {
    json(io, { session: transcript.session, directory, notes: outcome.notes.map(({ file, type, text: body, evidence }) => ({ file: file ?? null, type, text: body, evidence })), refused: outcome.refused, context, recall: { prompt, text } });
    return EXIT.ok;
  }
  heading(io, 1, "A session goes in", describe(transcript, path));
  heading(io, 2, "Notes come out", `rules only, no model, no network, ${seconds.toFixed(1)} s`);
  printCapture(io, outcome, false);
  const example = outcome.notes[0];
  if (example?.file !== undefined) printExample(io, example.file, directory, workspace);
  heading(io, 3, "The next session starts with", "what the agent is given before the first prompt");
  for (const section of context) line(io, section.text);
  if (context.length === 0) line(io, paint(io, "dim", "nothing: there was nothing to remember, and that is a right answer"));
  heading(io, 4, "…and is asked", truncate(oneLine(prompt), io.width - 18));
  line(io, text === "" ? paint(io, "dim", "no note is sure to help with that, so none is injected; the index above is there all the same") : text);
  line(io, `\nThe notes are plain Markdown in ${directory}`);
  if (!kept) line(io, paint(io, "dim", "(a scratch directory: your own memory was not touched; --dir DIR keeps them where you like)"));
  return EXIT.ok;
}

function heading(io: Io, number: number, title: string, detail: string): void {
  line(io, `\n${paint(io, "bold", `${number}. ${title}`)}  ${paint(io, "dim", detail)}\n`);
}

function printExample(io: Io, file: string, directory: string, workspace: OpenWorkspace): void {
  const bytes = workspace.stores[0]?.store.read(file);
  if (bytes === undefined) return;
  line(io, `\n${paint(io, "dim", `${directory}/${file}:`)}`);
  for (const text of new TextDecoder().decode(bytes).trimEnd().split("\n")) line(io, `  ${paint(io, "dim", "│")} ${text}`);
}

function describe({ turns, problems }: Transcript, path: string): string {
  const prompts = turns.filter(({ role }) => role === "user").length;
  const calls = turns.reduce((sum, { toolCalls }) => sum + toolCalls.length, 0);
  const odd = problems.length > 0 ? `, ${problems.length} unreadable lines skipped` : "";
  return `${path}: ${counted(prompts, "prompt")}, ${counted(calls, "tool call")}${odd}`;
}

function firstPrompt({ turns }: Transcript): string {
  return turns.find(({ role }) => role === "user")?.text ?? "where did we leave off?";
}
