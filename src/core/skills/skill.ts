import type { FrontmatterCodec } from "../notes/frontmatter.ts";
import { splitFrontmatter } from "../notes/frontmatter.ts";
import { isRecord } from "../shared/json.ts";
import { oneLine, truncate } from "../shared/text.ts";
import type { DraftProposal, SkillText } from "./types.ts";

/** Limits for memdir's own skills (characters, lines, counts). The standard allows more of each. */
const SKILL_LIMITS = {
  name: 64,
  description: 300,
  compatibility: 500,
  bodyLines: 80,
  body: 6_000,
  steps: 12,
  pitfalls: 8,
  from: 5,
} as const;

/** The keys of a SKILL.md; validators of the standard refuse any other. */
const KEYS: ReadonlySet<string> = new Set([
  "name",
  "description",
  "license",
  "compatibility",
  "metadata",
  "allowed-tools",
]);
const STANDARD_DESCRIPTION = 1_024;

export const SKILL_FILE = "SKILL.md";

function isSkillName(name: string): boolean {
  return name.length <= SKILL_LIMITS.name && /^[a-z0-9]+(?:-[a-z0-9]+)*$/u.test(name);
}

/** A skill's file. The same skill gives the same bytes: state and counts are not in it. */
export function renderSkill(skill: SkillText, codec: FrontmatterCodec): string {
  const block = codec.create({
    name: skill.name,
    description: oneLine(skill.description),
    ...(skill.compatibility !== undefined && { compatibility: oneLine(skill.compatibility) }),
    metadata: {
      "memdir-skill": skill.id,
      "memdir-revision": String(skill.revision),
      ...(skill.from.length > 0 && { "memdir-from": skill.from.join(",") }),
      ...(skill.check !== undefined && { "memdir-check": skill.check }),
      "memdir-learnt": skill.learnt,
    },
  });
  return `---\n${block}---\n\n${skill.body.trim()}\n`;
}

/** The body of a proposal: when, steps, pitfalls, check. */
export function bodyOf({ when, steps, pitfalls, check }: DraftProposal): string {
  const numbered = steps.map(({ text, command }, at) => {
    const head = `${at + 1}. ${oneLine(text)}`;
    return command === undefined ? head : `${head}\n${codeBlock(command, "   ")}`;
  });
  const sections = [
    `## When\n\n${oneLine(when)}`,
    `## Steps\n\n${numbered.join("\n")}`,
    ...(pitfalls.length === 0 ? [] : [`## Pitfalls\n\n${pitfalls.map((one) => `- ${oneLine(one)}`).join("\n")}`]),
    ...(check === undefined ? [] : [`## Check\n\n${codeBlock(check, "")}`]),
  ];
  return sections.join("\n\n");
}

function codeBlock(command: string, indent: string): string {
  const fence = "`".repeat(Math.max(3, 1 + Math.max(0, ...(command.match(/`+/gu) ?? []).map(({ length }) => length))));
  const lines = [`${fence}sh`, ...command.trim().split("\n"), fence];
  return lines.map((line) => `${indent}${line}`).join("\n");
}

/** The commands of the steps, in order: the code blocks below `## Steps`. */
export function commandsOf(body: string): readonly string[] {
  const steps = /^## Steps[ \t]*\n([\s\S]*?)(?=^## |(?![\s\S]))/mu.exec(`${body}\n`)?.[1] ?? "";
  return [...steps.matchAll(/^([ \t]*)(`{3,})[^\n`]*\n([\s\S]*?)^[ \t]*\2[ \t]*$/gmu)].map(
    ([, indent = "", , code = ""]) =>
      code
        .split("\n")
        .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
        .join("\n")
        .trim(),
  );
}

export type ReadSkill =
  | { readonly kind: "skill"; readonly skill: SkillText }
  /** A skill that memdir did not write. */
  | { readonly kind: "foreign"; readonly name: string; readonly description: string }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

/** Reads a SKILL.md; `folder` is the name of its directory. */
export function readSkill(folder: string, text: string, codec: FrontmatterCodec): ReadSkill {
  const { block, body, state } = splitFrontmatter(text);
  const { data, problem } = codec.read(block);
  const problems = [
    ...(state === "closed" ? [] : ["it does not begin with a block of `---` lines"]),
    ...(problem === undefined ? [] : [problem]),
    ...formProblems(folder, data),
  ];
  if (problems.length > 0) return { kind: "invalid", problems };
  const name = String(data["name"]);
  const description = String(data["description"]);
  const metadata = isRecord(data["metadata"]) ? data["metadata"] : {};
  const told = (key: string): string | undefined => {
    const value = metadata[`memdir-${key}`];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const id = told("skill");
  const revision = Number(told("revision"));
  if (id === undefined || !Number.isInteger(revision) || revision < 1) return { kind: "foreign", name, description };
  return {
    kind: "skill",
    skill: {
      name,
      description,
      compatibility: typeof data["compatibility"] === "string" ? data["compatibility"] : undefined,
      id,
      revision,
      from: told("from")?.split(",") ?? [],
      check: told("check"),
      learnt: told("learnt") ?? "",
      body: body.trim(),
    },
  };
}

/** Violations of the standard; empty for a valid skill. */
function formProblems(folder: string, data: Readonly<Record<string, unknown>>): readonly string[] {
  const { name, description, metadata, compatibility } = data;
  const problems: string[] = [];
  const odd = Object.keys(data).filter((key) => !KEYS.has(key));
  if (odd.length > 0) problems.push(`it has keys that no client knows: ${truncate(odd.join(", "), 100)}`);
  if (typeof name !== "string" || !isSkillName(name))
    problems.push("its name must be lower-case letters, digits and single hyphens, at most 64");
  else if (name !== folder) problems.push(`its name is ${name}, its directory ${folder}; both must be the same`);
  if (typeof description !== "string" || description.trim() === "" || description.length > STANDARD_DESCRIPTION)
    problems.push(`its description must have 1 to ${STANDARD_DESCRIPTION} characters`);
  if (compatibility !== undefined && (typeof compatibility !== "string" || compatibility.length > 500))
    problems.push("its compatibility must be a text of at most 500 characters");
  if (
    metadata !== undefined &&
    !(isRecord(metadata) && Object.values(metadata).every((one) => typeof one === "string"))
  )
    problems.push("its metadata must be texts by name");
  return problems;
}

/** What is too long or missing in one of memdir's own skills; empty if it fits. */
export function sizeProblems({ name, description, body, compatibility }: SkillText): readonly string[] {
  const steps = (/^## Steps[\s\S]*?(?=^## |(?![\s\S]))/mu.exec(body)?.[0].match(/^\d+\. /gmu) ?? []).length;
  const pitfalls = (/^## Pitfalls[\s\S]*?(?=^## |(?![\s\S]))/mu.exec(body)?.[0].match(/^- /gmu) ?? []).length;
  const lines = body.split("\n").length;
  const limits: readonly (readonly [boolean, string])[] = [
    [isSkillName(name), "the name must be lower-case letters, digits and single hyphens, at most 64"],
    [description.trim() !== "", "it has no description"],
    [
      description.length <= SKILL_LIMITS.description,
      `the description has more than ${SKILL_LIMITS.description} characters`,
    ],
    [(compatibility ?? "").length <= SKILL_LIMITS.compatibility, "the list of programs is too long"],
    [steps > 0, "it has no steps"],
    [steps <= SKILL_LIMITS.steps, `it has more than ${SKILL_LIMITS.steps} steps`],
    [pitfalls <= SKILL_LIMITS.pitfalls, `it has more than ${SKILL_LIMITS.pitfalls} pitfalls`],
    [lines <= SKILL_LIMITS.bodyLines, `it has more than ${SKILL_LIMITS.bodyLines} lines`],
    [body.length <= SKILL_LIMITS.body, `it has more than ${SKILL_LIMITS.body} characters`],
  ];
  return limits.flatMap(([fits, problem]) => (fits ? [] : [problem]));
}
