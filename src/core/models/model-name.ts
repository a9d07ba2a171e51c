import { MemoryError } from "../shared/errors.ts";

/** Providers by the name they have in `provider/model`. */
export const PROVIDERS = [
  "anthropic",
  "openai",
  "google",
  "ollama",
  "lmstudio",
  "vllm",
  "compatible",
  "claude-cli",
  "codex-cli",
  "gemini-cli",
] as const;
export type Provider = (typeof PROVIDERS)[number];

/** Providers that run the person's own agent without a screen. */
export const AGENT_CLIS = ["claude-cli", "codex-cli", "gemini-cli"] as const satisfies readonly Provider[];
export type AgentCli = (typeof AGENT_CLIS)[number];

export interface ModelName {
  readonly provider: Provider;
  /** As the provider calls it; may itself contain slashes. Empty leaves it to the provider's default. */
  readonly model: string;
}

/** Reads `provider/model`, or a provider alone. @throws MemoryError `invalid-input` for an unknown provider or odd characters. */
export function parseModelName(text: string): ModelName {
  const [, provider = "", model = ""] = /^([^/]*)\/?(.*)$/su.exec(text.trim()) ?? [];
  const known = PROVIDERS.find((one) => one === provider.toLowerCase());
  if (known === undefined)
    throw new MemoryError(
      "invalid-input",
      `"${text}" names no provider; write PROVIDER/MODEL with one of ${PROVIDERS.join(", ")}`,
    );
  if (!/^[\w.:/@+-]*$/u.test(model) || model.startsWith("-"))
    throw new MemoryError(
      "invalid-input",
      `"${model}" cannot be the name of a model; letters, digits and . : / @ + - _ are allowed`,
    );
  return { provider: known, model };
}

export function isAgentCli(provider: Provider): provider is AgentCli {
  return AGENT_CLIS.some((one) => one === provider);
}

export function shownModel({ provider, model }: ModelName): string {
  return model === "" ? provider : `${provider}/${model}`;
}
