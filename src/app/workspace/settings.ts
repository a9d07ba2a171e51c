import path from "node:path";
import { nodeFiles, putFile } from "../../adapters/files/node-files.ts";
import { type Price, type Budget, DEFAULT_BUDGET } from "../../core/models/spend.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { record } from "../../core/shared/json.ts";

/** The settings about models in `~/.memdir/settings.json`. They never contain a key. */
export interface ModelSettings {
  /** `provider/model`, or `off`; `undefined` leaves it to detection. */
  readonly model: string | undefined;
  /** Address of an OpenAI-compatible server, with `/v1`. */
  readonly modelUrl: string | undefined;
  /** `provider/model` that compares descriptions when no model is asked; used only if explicitly chosen. */
  readonly embeddings: string | undefined;
  /** Whether the user's own agent may be run. */
  readonly agentCli: boolean;
  /** The user's own agent (`provider/model`) that may review finished sessions; `off` if the user declined. */
  readonly judge: string | undefined;
  readonly budget: Budget;
  readonly prices: Readonly<Record<string, Price>>;
  /** How long a side query may take (ms); `undefined` is the provider's default. */
  readonly sideQueryMs: number | undefined;
}

/** @throws MemoryError `invalid-input` for a file that is not JSON: the user's choices must not be ignored silently. */
export function readModelSettings(memdirHome: string): ModelSettings {
  const settings = readAllSettings(memdirHome);
  const budget = record(settings["budget"]);
  const limit = (name: keyof Budget): number => positive(budget[name]) ?? DEFAULT_BUDGET[name];
  const consent = settings["consent"];
  return {
    model: text(settings["model"]),
    modelUrl: text(settings["modelUrl"]),
    embeddings: text(settings["embeddings"]),
    agentCli: Array.isArray(consent) && consent.includes("agent-cli"),
    judge: text(settings["judge"]),
    budget: {
      requests: limit("requests"),
      tokens: limit("tokens"),
      seconds: limit("seconds"),
      dollars: limit("dollars"),
    },
    prices: Object.fromEntries(
      Object.entries(record(settings["prices"])).flatMap(([name, price]) => priceOf(name, price)),
    ),
    sideQueryMs: positive(settings["sideQueryMs"]),
  };
}

/** Time limits of background capture. */
export interface CaptureBounds {
  /** For the turns of one session (ms); the rest is left to the next run. */
  readonly jobMs: number;
  /** For everything that is waiting (ms). */
  readonly totalMs: number;
}

/** `capture.jobSeconds` and `capture.totalSeconds` of the settings, in milliseconds. @throws MemoryError `invalid-input` */
export function readCaptureBounds(memdirHome: string): CaptureBounds {
  const capture = record(readAllSettings(memdirHome)["capture"]);
  return {
    jobMs: (positive(capture["jobSeconds"]) ?? 120) * 1000,
    totalMs: (positive(capture["totalSeconds"]) ?? 300) * 1000,
  };
}

interface Person {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly memdirHome: string;
}

/** Whether the user chose a model, in the settings or with MEMDIR_MODEL; a key that is merely found is not a choice. */
export function isModelNamed({ environment, memdirHome }: Person): boolean {
  return isNamed(environment["MEMDIR_MODEL"], () => readModelSettings(memdirHome).model);
}

/** Whether the user chose a model or an embedder to refine recall. Settings are read at most once. */
export function isRefinerNamed({ environment, memdirHome }: Person): boolean {
  let read: ModelSettings | undefined;
  const settings = (): ModelSettings => (read ??= readModelSettings(memdirHome));
  return (
    isNamed(environment["MEMDIR_MODEL"], () => settings().model) ||
    isNamed(environment["MEMDIR_EMBEDDINGS"], () => settings().embeddings)
  );
}

/** The variable takes precedence over the setting, which is then not read. */
function isNamed(variable: string | undefined, setting: () => string | undefined): boolean {
  const named = (variable ?? "") === "" ? setting() : variable;
  return named !== undefined && named !== "auto" && named !== "off";
}

export interface SettingsChange {
  /** `undefined` removes the setting. */
  readonly model?: string | undefined;
  readonly modelUrl?: string | undefined;
  readonly embeddings?: string | undefined;
  readonly consent?: readonly string[] | undefined;
  readonly judge?: string | undefined;
  readonly modes?: object | undefined;
  readonly capture?: object | undefined;
  readonly groups?: object | undefined;
  readonly team?: object | undefined;
  readonly skills?: object | undefined;
}

/** Writes the change and keeps everything else in the file. */
export function changeSettings(memdirHome: string, change: SettingsChange): void {
  const file = settingsFile(memdirHome);
  const next = Object.fromEntries(
    Object.entries({ ...readAllSettings(memdirHome), ...change }).filter(([, value]) => value !== undefined),
  );
  nodeFiles.makeDirectory(path.dirname(file));
  putFile(file, `${JSON.stringify(next, undefined, 2)}\n`);
}

export function settingsFile(memdirHome: string): string {
  return path.join(memdirHome, "settings.json");
}

/** The content of settings.json; empty if missing. @throws MemoryError `invalid-input` for a file that is not JSON. */
export function readAllSettings(memdirHome: string): Readonly<Record<string, unknown>> {
  const file = settingsFile(memdirHome);
  const bytes = nodeFiles.read(file);
  if (bytes === undefined) return {};
  try {
    return record(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (error) {
    throw new MemoryError("invalid-input", `${file} is not JSON; fix it or remove it`, { cause: error });
  }
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/** Zero is a valid limit: nothing may be spent. */
function positive(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function priceOf(name: string, value: unknown): [string, Price][] {
  const price = record(value);
  const input = positive(price["input"]);
  const output = positive(price["output"]);
  return input === undefined || output === undefined
    ? []
    : [[name, { input, output, cached: positive(price["cached"]) ?? input }]];
}

const PROMPTS_KEPT = 100;

/** Number of prompts kept in the history per project (`"promptsKept"`, default 100; 0 keeps none). */
export function readPromptsKept(memdirHome: string): number {
  return Math.floor(positive(readAllSettings(memdirHome)["promptsKept"]) ?? PROMPTS_KEPT);
}

/** Whether checkpoints are saved before a compaction and at a session's end (`automaticCheckpoints`, default true). */
export function savesCheckpointsItself(memdirHome: string): boolean {
  return readAllSettings(memdirHome)["automaticCheckpoints"] !== false;
}

/** Whether the next session's agent is asked to judge one that was not judged (`"askNextSession"`, default true). */
export function asksNextSession(memdirHome: string): boolean {
  return readAllSettings(memdirHome)["askNextSession"] !== false;
}
