import type { SecretScanner } from "../../core/capture/plan.ts";
import { SECRET_RULES } from "./rules.ts";
import type { SecretRule } from "./secret-rule.ts";

type Finding = Awaited<ReturnType<SecretScanner["scan"]>>[number];

/**
 * Secrets by secretlint's recommended preset and rules of our own. Each range covers the secret and,
 * for a rule without a value of its own, the words that give it away. Overlapping findings are joined.
 */
export function createSecretScanner(): SecretScanner {
  return {
    async scan(text) {
      if (text === "") return [];
      const own = scanByRules(text);
      const preset = await findByPreset(text);
      return joinOverlaps([...own, ...preset]);
    },
  };
}

/** By rules of our own alone: at once, without loading the library; for what stands in the way of a person. */
export function scanByRules(text: string): readonly Finding[] {
  return SECRET_RULES.flatMap((rule) => findByRule(rule, text));
}

function findByRule(rule: SecretRule, text: string): Finding[] {
  return [...text.matchAll(rule.pattern)].flatMap((match) => {
    const value = match.slice(1).find((group) => group !== undefined);
    if (rule.accepts !== undefined && !rule.accepts(value ?? match[0])) return [];
    const start = value === undefined ? match.index : match.index + match[0].lastIndexOf(value);
    return [{ start, end: start + (value ?? match[0]).length, rule: rule.name }];
  });
}

async function findByPreset(text: string): Promise<Finding[]> {
  const { lint, rules } = await loadSecretlint();
  const result = await lint({
    // The preset picks rules by file name; an `.env`-like name would switch on rules that need one.
    source: { filePath: "note.md", content: text, ext: ".md", contentType: "text" },
    options: { config: { rules: [rules] }, noPhysicFilePath: true },
  });
  return result.messages.map((message) => ({ start: message.range[0], end: message.range[1], rule: message.ruleId }));
}

// Loaded on the first scan: reading a store must not pay the 48 ms that the library takes to load.
let loading: Promise<Awaited<ReturnType<typeof importSecretlint>>> | undefined;

function loadSecretlint(): ReturnType<typeof importSecretlint> {
  loading ??= importSecretlint();
  return loading;
}

async function importSecretlint() {
  const [core, preset] = await Promise.all([import("@secretlint/core"), import("@secretlint/secretlint-rule-preset-recommend")]);
  return {
    lint: core.lintSource,
    rules: { id: "@secretlint/secretlint-rule-preset-recommend", rule: preset.creator },
  };
}

function joinOverlaps(findings: readonly Finding[]): readonly Finding[] {
  const joined: Finding[] = [];
  for (const finding of findings.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = joined.at(-1);
    if (last === undefined || finding.start >= last.end) joined.push(finding);
    else if (finding.end > last.end) joined[joined.length - 1] = { ...last, end: finding.end };
  }
  return joined;
}
