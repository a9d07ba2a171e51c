import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { transcriptLines } from "../../adapters/files/transcript-lines.ts";
import { briefCharacters } from "../../core/capture/extract/brief.ts";
import { type ModelName, shownModel } from "../../core/models/model.ts";
import { dollarsOf, priceOf } from "../../core/models/spend.ts";
import { identifyProject } from "../../core/notes/project.ts";
import { slugOf } from "../../core/notes/names.ts";
import { BEGINNING } from "../../core/transcripts/windows.ts";
import { newWindows } from "./capture-file.ts";
import type { Locations } from "../workspace/locations.ts";
import type { ModelSettings } from "../workspace/settings.ts";
import { formatOf } from "../past/transcript.ts";

export function isDirectory(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Transcripts in a directory, oldest first: later statements correct earlier ones. */
export function transcriptsIn(directory: string): readonly string[] {
  return byAge(filesIn(directory));
}

/**
 * Every transcript that Claude Code keeps of this project: of its checkout, its worktrees and the directories in them.
 * A session belongs to the project it ran in; directory names alone are ambiguous (`app`, `app-two`). Oldest first.
 */
export function projectTranscripts({ configDirectory, project, pathRules, cwd }: Locations): ProjectTranscripts {
  const root = project?.root ?? cwd;
  const projects = path.join(configDirectory, "projects");
  const checkouts = [root, ...worktrees(project?.gitDirectory)];
  const prefixes = checkouts.map((checkout) => slugOf(checkout).slice(0, 200));
  const isOurs = (where: string | undefined, file: string): boolean => {
    if (where === undefined) return isNamedAfterUs(file);
    const of = identifyProject(where, nodeFiles, pathRules);
    return of.gitDirectory === undefined && project?.gitDirectory === undefined
      ? where === root || where.startsWith(`${root}/`)
      : of.root === root;
  };
  const isNamedAfterUs = (file: string): boolean =>
    checkouts.some((checkout) => path.basename(path.dirname(file)) === slugOf(checkout));
  const directories = namesIn(projects).filter((name) =>
    prefixes.some((prefix) => name === prefix || name.startsWith(prefix)),
  );
  const found = directories
    .flatMap((name) => filesIn(path.join(projects, name)))
    .map((file) => ({ file, where: startedIn(file) }));
  const ours = found.filter(({ file, where }) => isOurs(where, file)).map(({ file }) => file);
  // Sessions of other projects are expected in directories whose names only begin like this one's (`app-two`).
  const elsewhere = found
    .filter(({ file, where }) => !isOurs(where, file) && isNamedAfterUs(file))
    .flatMap(({ file, where }) => (where === undefined ? [] : [{ file, where }]));
  return { files: byAge(ours), elsewhere };
}

export interface ProjectTranscripts {
  readonly files: readonly string[];
  /** Sessions stored under this project's name that began in another project's directory, `where`. */
  readonly elsewhere: readonly { readonly file: string; readonly where: string }[];
}

function filesIn(directory: string): readonly string[] {
  return namesIn(directory)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => path.join(directory, name));
}

function namesIn(directory: string): readonly string[] {
  return (nodeFiles.list(directory) ?? []).map(({ name }) => name);
}

function byAge(files: readonly string[]): readonly string[] {
  return files
    .map((file) => ({ file, time: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .toSorted((a, b) => a.time - b.time)
    .map(({ file }) => file);
}

/** Git keeps a small directory for each worktree, which names the worktree's `.git` file. */
function worktrees(gitDirectory: string | undefined): readonly string[] {
  if (gitDirectory === undefined) return [];
  const kept = path.join(gitDirectory, "worktrees");
  if (nodeFiles.stat(kept)?.kind !== "directory") return [];
  return readdirSync(kept).flatMap((name) => {
    const file = path.join(kept, name, "gitdir");
    return nodeFiles.stat(file) === undefined ? [] : [path.dirname(readFileSync(file, "utf8").trim())];
  });
}

const LINES_TO_NAME = 50;

function startedIn(file: string): string | undefined {
  const reader = formatOf(file).open();
  for (const { text, number } of transcriptLines(file, BEGINNING)) {
    if (text !== undefined && text.trim() !== "") reader.read(text, number);
    const { cwd } = reader.transcript();
    if (cwd !== undefined || number >= LINES_TO_NAME) return cwd;
  }
  return undefined;
}

export interface Estimate {
  readonly sessions: number;
  /** One per window; a model that first reads a note makes one more. */
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** By list prices; `undefined` if the model's price is unknown. */
  readonly dollars: number | undefined;
}

/** Characters per token, with some margin: prose has about 4, code and other scripts fewer. */
const CHARACTERS_A_TOKEN = 3.5;
/** Instructions, known notes and instruction files, sent with each request; mostly read from the provider's cache. */
const PREFIX_CHARACTERS = 20_000;
const OUTPUT_TOKENS = 400;

/** Estimates the requests to a model for these sessions. Sends nothing. */
export function estimateCapture(
  locations: Locations,
  files: readonly string[],
  model: ModelName,
  settings: Pick<ModelSettings, "prices">,
  again: boolean,
): Estimate {
  let [sessions, requests, characters] = [0, 0, 0];
  for (const file of files) {
    const before = requests;
    for (const { transcript, turns } of newWindows(locations, file, { again, model: true })) {
      if (turns === 0 || !transcript.turns.some(({ role }) => role === "user")) continue;
      requests++;
      characters += PREFIX_CHARACTERS + transcript.turns.reduce((sum, turn) => sum + briefCharacters(turn), 0);
    }
    if (requests > before) sessions++;
  }
  const usage = {
    inputTokens: Math.ceil(characters / CHARACTERS_A_TOKEN),
    outputTokens: requests * OUTPUT_TOKENS,
    cachedTokens: 0,
  };
  const price = priceOf(shownModel(model), "network", settings.prices);
  return {
    sessions,
    requests,
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    dollars: price.known ? dollarsOf(usage, price) : undefined,
  };
}
