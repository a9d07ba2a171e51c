import type { GlobMatcher } from "./ports.ts";
import { relativeTo } from "./paths.ts";
import type { Agent, InstructionFinding, InstructionSection, InstructionSet } from "./section.ts";
import { scanBlocks } from "./markdown-blocks.ts";

/**
 * Problems in the instructions of a place. `projectFiles` are the absolute paths of the project's files, or `undefined`
 * when not all could be listed; rules are then not checked.
 */
export function checkInstructions(
  set: InstructionSet,
  globs: GlobMatcher,
  projectFiles: readonly string[] | undefined,
): InstructionFinding[] {
  return [
    ...deadImports(set),
    ...deadRules(set, globs, projectFiles),
    ...tooLarge(set),
    ...unreadable(set),
    ...findContradictions(set.sections),
  ];
}

function deadImports({ missing }: InstructionSet): InstructionFinding[] {
  return missing
    .filter(({ path, why }) => looksLikeFile(path, why))
    .map(({ path, importedBy, why }) => ({
      kind: "dead-import",
      path: importedBy ?? path,
      message: `imports ${path}: ${why}`,
      suggestion: "fix the path, or put it in backticks if no import is meant",
    }));
}

/** Excludes decorators, packages and handles, which are not broken imports. */
function looksLikeFile(path: string, why: string): boolean {
  const written = /`@([^`]+)`/u.exec(why)?.[1] ?? path;
  return /^(?:~|\.{1,2})?\//u.test(written) || /\.(?:md|mdx|txt|json|ya?ml|toml|rst)$/iu.test(written);
}

function deadRules(
  { waiting }: InstructionSet,
  globs: GlobMatcher,
  projectFiles: readonly string[] | undefined,
): InstructionFinding[] {
  if (projectFiles === undefined) return [];
  return waiting
    .filter(({ scope }) => scope === "project")
    .filter(({ patterns, base }) => {
      const matches = globs.gitignore(patterns);
      return !projectFiles.some((file) => {
        const relative = relativeTo(file, base);
        return relative !== undefined && matches(relative);
      });
    })
    .map(({ path, paths }) => ({
      kind: "dead-rule",
      path,
      message: `no file of the project matches its paths: ${paths.join(", ")}`,
      suggestion: "fix the globs, or remove the rule",
    }));
}

function tooLarge({ sections }: InstructionSet): InstructionFinding[] {
  return sections.flatMap(({ path, characters, flags }): InstructionFinding[] => {
    if (flags.includes("cut"))
      return [
        {
          kind: "cut",
          path,
          message: "the client's limit cuts it off",
          suggestion: "shorten it, or the files before it",
        },
      ];
    if (!flags.includes("over-40000")) return [];
    return [
      {
        kind: "over-40000",
        path,
        message: `${characters} characters in every session`,
        suggestion: "move what only some files need into rules with `paths:`",
      },
    ];
  });
}

function unreadable(set: InstructionSet): InstructionFinding[] {
  return set.unreadable.map(({ path, why }) => ({
    kind: "unreadable",
    path,
    message: why,
    suggestion: "fix or remove it; nothing of it reaches the agent",
  }));
}

/** Alternatives of which a project uses one; values are patterns of the usual words. */
const CHOICES: readonly {
  readonly subject: string;
  readonly values: readonly (readonly [name: string, pattern: string])[];
}[] = [
  {
    subject: "indentation",
    values: [
      ["tabs", "tabs"],
      ["spaces", "(?:\\d|two|four|eight)?[ -]?spaces"],
    ],
  },
  {
    subject: "package manager",
    values: [
      ["npm", "npm"],
      ["pnpm", "pnpm"],
      ["yarn", "yarn"],
      ["bun", "bun"],
    ],
  },
  {
    subject: "quotes",
    values: [
      ["single quotes", "single[ -]quotes?"],
      ["double quotes", "double[ -]quotes?"],
    ],
  },
];
/** Words of a request; a bare mention is not an instruction. */
const ASKS = /\b(?:use|uses|using|indent|prefer|always|never|must|run|install|don't|do not|avoid)\b/iu;
const DENIES =
  /(?:\bnever\b|\bnot\b|\bdon't\b|\bavoid\b|\bno\b|\binstead of\b|\brather than\b|\bover\b)[^.;,]{0,40}$/iu;
/** Longest sentence checked; a longer one says more than one thing. */
const LONGEST_SENTENCE = 300;

interface Statement {
  readonly subject: string;
  readonly value: string;
  readonly wanted: boolean;
  readonly path: string;
  readonly sentence: string;
  /** Clients that load it; `undefined` when only one was requested. */
  readonly agents: readonly Agent[] | undefined;
}

/**
 * Pairs of files that ask for opposite things, judged by words alone: one of a few known choices (tabs or spaces, npm
 * or pnpm…), or the same clause after "always" and "never". Rules with `paths:` are left out, since they may differ.
 */
function findContradictions(sections: readonly InstructionSection[]): InstructionFinding[] {
  const statements = sections
    .filter(({ paths }) => paths === undefined)
    .flatMap((section) =>
      statementsOf(section).map((statement): Statement => ({ ...statement, agents: section.agents })),
    );
  const found = new Map<string, InstructionFinding>();
  for (const [at, first] of statements.entries()) {
    for (const second of statements.slice(at + 1)) {
      if (
        first.path === second.path ||
        first.subject !== second.subject ||
        !meet(first, second) ||
        !oppose(first, second)
      )
        continue;
      const key = `${first.path}\n${second.path}\n${first.subject}`;
      if (!found.has(key))
        found.set(key, {
          kind: "contradiction",
          path: second.path,
          message: `"${second.sentence}" against "${first.sentence}" in ${first.path}`,
          suggestion: "keep one; the later file wins only if the model notices",
        });
    }
  }
  return [...found.values()];
}

/** Whether any client loads both files. */
function meet(first: Statement, second: Statement): boolean {
  return (
    first.agents === undefined ||
    second.agents === undefined ||
    first.agents.some((agent) => second.agents?.includes(agent) === true)
  );
}

function oppose(first: Statement, second: Statement): boolean {
  if (first.value === second.value) return first.wanted !== second.wanted;
  return first.wanted && second.wanted && !first.subject.startsWith("always ");
}

type Said = Omit<Statement, "agents">;

function statementsOf({ path, text }: InstructionSection): Said[] {
  const plain = text.replace(/\r\n?/gu, "\n");
  const prose = scanBlocks(plain).prose.map((lines) =>
    lines.map(({ start, end }) => plain.slice(start, end)).join(" "),
  );
  const sentences = prose
    .flatMap((paragraph) => paragraph.split(/(?<=[.!?;])\s+/u))
    .filter((sentence) => sentence.length <= LONGEST_SENTENCE && ASKS.test(sentence));
  return sentences.flatMap((sentence) => [...choicesIn(sentence, path), ...habitsIn(sentence, path)]);
}

function choicesIn(sentence: string, path: string): Said[] {
  return CHOICES.flatMap(({ subject, values }) =>
    values.flatMap(([value, pattern]): Said[] => {
      const match = new RegExp(`(?<![\\w/.-])(?:${pattern})(?![\\w/-])`, "iu").exec(sentence);
      return match === null
        ? []
        : [{ subject, value, wanted: !DENIES.test(sentence.slice(0, match.index)), path, sentence }];
    }),
  );
}

/** "Always squash commits" and "never squash commits". */
function habitsIn(sentence: string, path: string): Said[] {
  const match = /\b(always|never)\s+(.+)$/iu.exec(sentence);
  if (match === null) return [];
  const clause = (match[2] ?? "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N} ]/gu, "")
    .split(/\s+/u)
    .slice(0, 4)
    .join(" ")
    .trim();
  return clause.includes(" ")
    ? [{ subject: `always ${clause}`, value: clause, wanted: match[1]?.toLowerCase() === "always", path, sentence }]
    : [];
}
