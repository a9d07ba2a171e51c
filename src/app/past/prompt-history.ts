import fs from "node:fs";
import path from "node:path";
import { claudeCodeHistory } from "../../adapters/agents/session-files.ts";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { holdSqliteLock } from "../../adapters/sqlite/lock.ts";
import { mayWrite } from "../workspace/modes.ts";
import {
  historyLine,
  type KeptPrompt,
  newestPrompts,
  readHistory,
  expandPastes,
  foldPastes,
} from "../../core/prompts/history-line.ts";
import { maskLines } from "../../core/shared/sanitize.ts";
import { findSecrets } from "../../core/shared/secrets/find-secrets.ts";
import { stripInjected } from "../../core/transcripts/said.ts";
import type { Locations } from "../workspace/locations.ts";
import { readPromptsKept } from "../workspace/settings.ts";

export type RememberedPrompt =
  | { readonly kept: true }
  /** `rule` names the kind of secret; the prompt itself is not kept. */
  | { readonly kept: false; readonly reason: "secret"; readonly rule: string }
  | { readonly kept: false; readonly reason: "mode" | "empty" | "no-history" };

export interface SubmittedPrompt {
  readonly prompt: string;
  readonly session: string | undefined;
  /** The client it was typed to. */
  readonly agent: string | undefined;
  /** When it was typed (ms). Default now. */
  readonly timeMs?: number;
}

type PromptPlaces = Pick<Locations, "mode" | "memdirHome" | "project" | "cwd">;

/**
 * Adds prompts to the history and drops the oldest of their project. Long pastes are first moved to files of their own.
 * Keeps nothing if the mode forbids writing, and no prompt that contains a secret.
 * @throws MemoryError when it cannot be written; background capture ignores that.
 */
export function rememberPrompts(
  locations: PromptPlaces,
  prompts: readonly SubmittedPrompt[],
): readonly RememberedPrompt[] {
  const outcomes = prompts.map((one) => rememberPrompt(locations, one));
  // Also if none was kept: the user may have reduced how many are kept, even to zero.
  trimPrompts(locations);
  return outcomes;
}

/** Appends one line; reads nothing but the settings. */
function rememberPrompt(
  locations: PromptPlaces,
  { prompt, session, agent, timeMs = Date.now() }: SubmittedPrompt,
): RememberedPrompt {
  if (!mayWrite(locations.mode)) return { kept: false, reason: "mode" };
  const typed = stripInjected(prompt);
  if (typed === "") return { kept: false, reason: "empty" };
  if (readPromptsKept(locations.memdirHome) === 0) return { kept: false, reason: "no-history" };
  const [secret] = findSecrets(typed);
  if (secret !== undefined) return { kept: false, reason: "secret", rule: secret.rule };
  const { shown, pastes } = foldPastes(typed);
  nodeFiles.makeDirectory(locations.memdirHome);
  for (const paste of pastes) keepPaste(locations, paste.sha256, paste.text);
  const line = historyLine({
    time: new Date(timeMs).toISOString(),
    project: projectOf(locations),
    session,
    agent,
    prompt: shown,
    pastes: pastes.map(({ sha256 }, at) => ({ number: at + 1, sha256 })),
  });
  // One write to a file opened for appending, so lines of several processes never mix.
  fs.appendFileSync(historyFile(locations), line, { mode: 0o600 });
  return { kept: true };
}

export interface PromptFilter {
  /** Includes every project. */
  readonly all?: boolean;
  readonly limit?: number;
}

/** Prompts, newest first, secrets redacted: memdir's own and those Claude Code keeps. Empty when memory is off. */
export function listPrompts(locations: Locations, { all = false, limit }: PromptFilter = {}): readonly KeptPrompt[] {
  if (locations.mode === "off") return [];
  const kept = readPromptsKept(locations.memdirHome);
  const own = historyFiles(locations).flatMap((file) => readHistory(textOf(file)));
  const known = new Set(own.map(({ session, prompt }) => JSON.stringify([session, prompt])));
  const theirs = claudeCodeHistory(textOf(path.join(locations.configDirectory, "history.jsonl"))).filter(
    ({ session, prompt }) => !known.has(JSON.stringify([session, prompt])),
  );
  const project = projectOf(locations);
  const here = newestPrompts(
    [...own, ...theirs].filter((one) => all || one.project === project || one.project.startsWith(`${project}/`)),
    kept,
  );
  return here.slice(0, limit ?? here.length).map((one) => ({ ...one, prompt: maskLines(one.prompt) }));
}

/** The original prompt, with its pastes in place. */
export function expandPrompt(locations: PromptPlaces, { prompt, pastes }: KeptPrompt): string {
  return expandPastes(prompt, (number) => {
    const paste = pastes.find((one) => one.number === number);
    const bytes = paste === undefined ? undefined : nodeFiles.read(pasteFile(locations, paste.sha256));
    return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
  });
}

/** An unreferenced paste may belong to a line that is still being written (ms). */
const PASTE_GRACE_MS = 3_600_000;

/**
 * Keeps the newest prompts of each project and removes the others, along with unreferenced pastes. One process at a
 * time: if another is trimming, it does the work of both.
 */
export function trimPrompts(locations: PromptPlaces, nowMs = Date.now()): void {
  if (!mayWrite(locations.mode) || !historyFiles(locations).some((file) => fs.existsSync(file))) return;
  const lock = holdSqliteLock(path.join(locations.memdirHome, "history.lock.db"), 0);
  if (lock === undefined) return;
  try {
    const kept = readPromptsKept(locations.memdirHome);
    if (isOverfull(locations, kept)) dropLines(locations, kept);
    dropPastes(locations, nowMs);
  } finally {
    lock.release();
  }
}

/** A project has more prompts than are kept, or a trim was interrupted. */
function isOverfull(locations: PromptPlaces, kept: number): boolean {
  if (fs.existsSync(asideFile(locations))) return true;
  const prompts = readHistory(textOf(historyFile(locations)));
  return newestPrompts(prompts, kept).length < prompts.length;
}

/** The old file is moved aside, read, and read once more before it is deleted: lines appended meanwhile stay. */
function dropLines(locations: PromptPlaces, perProject: number): void {
  const [file, aside] = [historyFile(locations), asideFile(locations)];
  if (!fs.existsSync(aside) && nodeFiles.rename(file, aside) !== "renamed") return;
  const before = textOf(aside);
  const since = readHistory(textOf(file));
  const present = new Set(since.map(historyLine));
  const lines = newestPrompts([...readHistory(before), ...since], perProject)
    .map(historyLine)
    .filter((line) => !present.has(line))
    .toReversed();
  const late = textOf(aside).slice(before.length);
  fs.appendFileSync(file, lines.join("") + late, { mode: 0o600 });
  fs.rmSync(aside, { force: true });
}

function dropPastes(locations: PromptPlaces, nowMs: number): void {
  const prompts = historyFiles(locations).flatMap((file) => readHistory(textOf(file)));
  const named = new Set(prompts.flatMap(({ pastes }) => pastes.map(({ sha256 }) => sha256)));
  const directory = path.join(locations.memdirHome, "pastes");
  for (const { name } of nodeFiles.list(directory) ?? []) {
    const full = path.join(directory, name);
    if (!named.has(name) && (fs.statSync(full, { throwIfNoEntry: false })?.mtimeMs ?? nowMs) < nowMs - PASTE_GRACE_MS)
      fs.rmSync(full, { force: true });
  }
}

/** Named by its content, so any earlier writer wrote the same. */
function keepPaste(locations: PromptPlaces, sha256: string, text: string): void {
  const file = pasteFile(locations, sha256);
  if (fs.existsSync(file)) return;
  nodeFiles.makeDirectory(path.dirname(file));
  const temporary = `${file}.${process.pid}`;
  fs.writeFileSync(temporary, text, { mode: 0o600 });
  fs.renameSync(temporary, file);
}

function projectOf({ project, cwd }: PromptPlaces): string {
  return project?.root ?? cwd;
}

function historyFile({ memdirHome }: Pick<Locations, "memdirHome">): string {
  return path.join(memdirHome, "history.jsonl");
}

function asideFile({ memdirHome }: Pick<Locations, "memdirHome">): string {
  return path.join(memdirHome, "history.jsonl.old");
}

/** The second one exists only during a trim, or after an interrupted one. */
function historyFiles(locations: PromptPlaces): readonly string[] {
  return [historyFile(locations), asideFile(locations)];
}

function pasteFile({ memdirHome }: Pick<Locations, "memdirHome">, sha256: string): string {
  return path.join(memdirHome, "pastes", sha256);
}

function textOf(file: string): string {
  const bytes = nodeFiles.read(file);
  return bytes === undefined ? "" : new TextDecoder().decode(bytes);
}
