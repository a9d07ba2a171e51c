import {
  AGENT_CLIS,
  isAgentCli,
  type ModelName,
  parseModelName,
  type Provider,
  PROVIDERS,
  shownModel,
} from "../../core/models/model.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import type { Environment, Locations } from "../workspace/locations.ts";
import { type ModelSettings, readModelSettings } from "../workspace/settings.ts";

/** Which model answers side queries, if any. Decided without a connection or a process. */
export type ModelChoice =
  | { readonly kind: "none"; /** Why, in words. */ readonly reason: string }
  /** `blocked`: chosen, but something is missing. */
  | { readonly kind: "blocked"; readonly name: ModelName; readonly from: string; readonly reason: string }
  | { readonly kind: "chosen"; readonly name: ModelName; readonly from: string; readonly access: ModelAccess };

/** `provider/model`. */
export function nameOf({ name }: { readonly name: ModelName }): string {
  return shownModel(name);
}

/** What settings say about how to reach a provider. */
type Reach = Pick<ModelSettings, "agentCli" | "modelUrl">;

/** How to reach the chosen provider. */
export interface ModelAccess {
  readonly baseUrl: string;
  /** Empty if none is needed. Never shown. */
  readonly key: string;
}

interface ProviderFacts {
  /** The model used when only the provider is named: small, fast and cheap. */
  readonly model: string;
  /** Variables that may hold the key; the first one set is used. */
  readonly keys: readonly string[];
  readonly baseUrl: string;
  readonly urlVariable?: string;
  /** Appended to the address from the variable, which names only the host. */
  readonly urlPath?: string;
}

const FACTS: Readonly<Record<Provider, ProviderFacts>> = {
  anthropic: {
    model: "claude-haiku-4-5",
    keys: ["ANTHROPIC_API_KEY"],
    baseUrl: "https://api.anthropic.com",
    urlVariable: "ANTHROPIC_BASE_URL",
  },
  openai: {
    model: "gpt-4.1-mini",
    keys: ["OPENAI_API_KEY"],
    baseUrl: "https://api.openai.com/v1",
    urlVariable: "OPENAI_BASE_URL",
  },
  google: {
    model: "gemini-2.5-flash-lite",
    keys: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    baseUrl: "https://generativelanguage.googleapis.com",
    urlVariable: "GOOGLE_GEMINI_BASE_URL",
  },
  ollama: { model: "", keys: [], baseUrl: "http://127.0.0.1:11434/v1", urlVariable: "OLLAMA_HOST", urlPath: "/v1" },
  lmstudio: { model: "", keys: [], baseUrl: "http://127.0.0.1:1234/v1" },
  vllm: { model: "", keys: ["VLLM_API_KEY"], baseUrl: "http://127.0.0.1:8000/v1" },
  compatible: { model: "", keys: ["MEMDIR_MODEL_KEY"], baseUrl: "" },
  "claude-cli": { model: "haiku", keys: [], baseUrl: "" },
  "codex-cli": { model: "", keys: [], baseUrl: "" },
  "gemini-cli": { model: "", keys: [], baseUrl: "" },
};

/** The order in which keys are tried when no model was chosen. */
const KEYED = ["anthropic", "openai", "google"] as const;

/**
 * The model that was chosen (`MEMDIR_MODEL`, then settings), else a provider with a key in the environment, else a
 * server whose address is set, else the user's own agent if they consented.
 */
export function chooseModel(
  locations: Pick<Locations, "environment" | "memdirHome" | "mode">,
  settings: ModelSettings = readModelSettings(locations.memdirHome),
): ModelChoice {
  const { environment } = locations;
  if (locations.mode === "off") return { kind: "none", reason: "memory is off, and then no model is asked" };
  const asked = value(environment, "MEMDIR_MODEL");
  const wanted = asked ?? settings.model;
  const from = asked === undefined ? "settings.json" : "MEMDIR_MODEL";
  if (wanted === "off") return { kind: "none", reason: `switched off by ${from}` };
  if (wanted !== undefined && wanted !== "auto") return reachNamed(wanted, from, environment, settings);
  for (const provider of KEYED) {
    const variable = keyVariable(provider, environment);
    if (variable !== undefined)
      return reach({ provider, model: FACTS[provider].model }, `${variable} is set`, environment, settings);
  }
  if (serverUrl("compatible", environment, settings) !== "")
    return reach({ provider: "compatible", model: "" }, "an address of a server is set", environment, settings);
  if (settings.agentCli)
    return reach(
      { provider: "claude-cli", model: FACTS["claude-cli"].model },
      "consent to run your own agent",
      environment,
      settings,
    );
  return {
    kind: "none",
    reason: "no model is chosen, no key or server is set, and you have not allowed memdir to run your own agent",
  };
}

/**
 * The user's own agent, if it may read finished sessions: the user allowed that, or chose the agent for everything a
 * model does. A model reached by a key already reads each turn, so it needs no judge.
 */
export function chooseJudge(
  { environment, memdirHome, mode }: Pick<Locations, "environment" | "memdirHome" | "mode">,
  settings: ModelSettings = readModelSettings(memdirHome),
): ModelChoice {
  const asked = value(environment, "MEMDIR_MODEL");
  const wanted = asked ?? settings.model ?? "auto";
  if (mode === "off" || wanted === "off") return { kind: "none", reason: "no model is asked" };
  if (wanted !== "auto") {
    const named = reachNamed(wanted, asked === undefined ? "settings.json" : "MEMDIR_MODEL", environment, settings);
    return named.kind === "chosen" && !isAgentCli(named.name.provider)
      ? { kind: "none", reason: "the chosen model reads each turn" }
      : named;
  }
  if (settings.judge === undefined || settings.judge === "off")
    return { kind: "none", reason: "you have not allowed an agent to do it" };
  const judge = reachNamed(settings.judge, "settings.json", environment, { ...settings, agentCli: true });
  return judge.kind === "chosen" && !isAgentCli(judge.name.provider)
    ? { kind: "none", reason: "only your own agent looks through finished sessions" }
    : judge;
}

/** Checks the name of an agent that the user allows to judge. @throws MemoryError `invalid-input` */
export function requireJudge(text: string): string {
  // Only these can judge, so the error for an unknown name lists them and not every provider.
  const agent = AGENT_CLIS.find((one) => one === text.trim().split("/")[0]?.toLowerCase());
  if (agent === undefined)
    throw new MemoryError(
      "invalid-input",
      `"${text}" is not an agent that can judge sessions; use ${AGENT_CLIS.join(", ")}, with a model after a slash, or none`,
    );
  const name = withDefaultModel(parseModelName(text));
  return shownModel(name);
}

/** Providers whose embeddings API is known. */
const EMBEDDING_PROVIDERS: readonly Provider[] = ["openai", "ollama", "lmstudio", "vllm", "compatible"];

/** The embedder that compares descriptions: `MEMDIR_EMBEDDINGS`, then settings; never chosen automatically. */
export function chooseEmbedder(
  { environment, memdirHome, mode }: Pick<Locations, "environment" | "memdirHome" | "mode">,
  settings: ModelSettings = readModelSettings(memdirHome),
): ModelChoice {
  if (mode === "off") return { kind: "none", reason: "memory is off" };
  const asked = value(environment, "MEMDIR_EMBEDDINGS");
  const wanted = asked ?? settings.embeddings;
  const from = asked === undefined ? "settings.json" : "MEMDIR_EMBEDDINGS";
  if (wanted === undefined) return { kind: "none", reason: "none is chosen" };
  if (wanted === "off") return { kind: "none", reason: `switched off by ${from}` };
  const choice = reachNamed(wanted, from, environment, settings);
  return choice.kind === "chosen" && !EMBEDDING_PROVIDERS.includes(choice.name.provider)
    ? {
        kind: "none",
        reason: `${from}: ${shownModel(choice.name)} gives no embeddings that memdir can ask for; use ${EMBEDDING_PROVIDERS.join(", ")}`,
      }
    : choice;
}

/** @throws MemoryError `invalid-input` if it cannot be an embedder. */
export function requireEmbedder(text: string): string {
  const name = parseModelName(text);
  if (!EMBEDDING_PROVIDERS.includes(name.provider) || name.model === "")
    throw new MemoryError(
      "invalid-input",
      `"${text}" cannot be asked for embeddings; write PROVIDER/MODEL with one of ${EMBEDDING_PROVIDERS.join(", ")}`,
    );
  return shownModel(name);
}

/** For an unknown name no model is asked: guessing another would send notes where the user did not want them. */
function reachNamed(wanted: string, from: string, environment: Environment, settings: ModelSettings): ModelChoice {
  try {
    return reach(withDefaultModel(parseModelName(wanted)), from, environment, settings);
  } catch (error) {
    if (error instanceof MemoryError) return { kind: "none", reason: `${from}: ${error.message}` };
    throw error;
  }
}

function reach(name: ModelName, from: string, environment: Environment, settings: Reach): ModelChoice {
  const blocked = (reason: string): ModelChoice => ({ kind: "blocked", name, from, reason });
  const { provider, model } = name;
  if (isAgentCli(provider))
    return settings.agentCli
      ? { kind: "chosen", name, from, access: { baseUrl: "", key: "" } }
      : blocked("running your own agent needs your consent: `memdir models --consent agent-cli`");
  const { keys } = FACTS[provider];
  const variable = keyVariable(provider, environment);
  if (KEYED.some((one) => one === provider) && variable === undefined)
    return blocked(`no key: set ${keys.join(" or ")}`);
  const baseUrl = serverUrl(provider, environment, settings);
  if (!/^https?:\/\//iu.test(baseUrl) || !URL.canParse(baseUrl))
    return blocked(
      `no address: \`memdir models --use ${shownModel(name)} --url http://HOST:PORT/v1\` or MEMDIR_MODEL_URL`,
    );
  if (model === "") return blocked(`no name of a model: \`memdir models --use ${provider}/MODEL\``);
  return {
    kind: "chosen",
    name,
    from,
    access: { baseUrl, key: variable === undefined ? "" : (value(environment, variable) ?? "") },
  };
}

function serverUrl(provider: Provider, environment: Environment, settings: Reach): string {
  const { baseUrl, urlVariable, urlPath } = FACTS[provider];
  const isServer = !KEYED.some((one) => one === provider);
  const given = isServer ? (value(environment, "MEMDIR_MODEL_URL") ?? settings.modelUrl) : undefined;
  const named = urlVariable === undefined ? undefined : value(environment, urlVariable);
  const url =
    given ??
    (named === undefined
      ? baseUrl
      : `${/^https?:\/\//iu.test(named) ? named : `http://${named}`}`.replace(/\/+$/u, "") + (urlPath ?? ""));
  return url.replace(/\/+$/u, "");
}

function withDefaultModel({ provider, model }: ModelName): ModelName {
  return { provider, model: model === "" ? FACTS[provider].model : model };
}

function keyVariable(provider: Provider, environment: Environment): string | undefined {
  return FACTS[provider].keys.find((name) => value(environment, name) !== undefined);
}

function value(environment: Environment, name: string): string | undefined {
  const text = environment[name]?.trim();
  return text === undefined || text === "" ? undefined : text;
}

export interface ProviderState {
  readonly provider: Provider;
  readonly defaultModel: string;
  /** What is set and what is missing, without values. */
  readonly state: string;
}

/** Every provider, and what it needs here. */
export function providerStates(environment: Environment, settings: ModelSettings): ProviderState[] {
  return PROVIDERS.map((provider) => ({
    provider,
    defaultModel: FACTS[provider].model,
    state: stateOf(provider, environment, settings),
  }));
}

function stateOf(provider: Provider, environment: Environment, settings: ModelSettings): string {
  if (isAgentCli(provider)) return settings.agentCli ? "may be run: you consented" : "needs your consent";
  if (KEYED.some((one) => one === provider)) {
    const variable = keyVariable(provider, environment);
    return variable === undefined ? `no key: ${FACTS[provider].keys.join(" or ")} is not set` : `${variable} is set`;
  }
  const url = serverUrl(provider, environment, settings);
  return url === "" ? "no address set" : `would be asked at ${withoutLogin(url)}`;
}

/** The address may contain a password. */
function withoutLogin(url: string): string {
  return url.replace(/\/\/[^@/]*@/u, "//");
}

/** Checks a model for a server, without agents or settings. @throws MemoryError `invalid-input` if unusable. */
export function requireAskable(text: string, environment: Environment): void {
  const name = withDefaultModel(parseModelName(text));
  const choice = reach(name, "", environment, { agentCli: false, modelUrl: undefined });
  if (choice.kind === "chosen") return;
  const reason = isAgentCli(name.provider) ? "a server runs no agents" : choice.reason;
  throw new MemoryError("invalid-input", `${shownModel(name)} cannot be asked: ${reason}`);
}

/** Checks the value of `--use`. @throws MemoryError `invalid-input` */
export function requireChoosable(text: string): string {
  if (text === "auto") return text;
  const name = withDefaultModel(parseModelName(text));
  if (name.model === "" && !isAgentCli(name.provider))
    throw new MemoryError("invalid-input", `${name.provider} needs the name of a model: ${name.provider}/MODEL`);
  return shownModel(name);
}
