import { findContradictions } from "./contradictions.ts";
import type { GlobMatcher } from "./ports.ts";
import { relativeTo } from "./paths.ts";
import type { InstructionFinding, InstructionSet } from "./section.ts";

/**
 * What is wrong with the instructions of a place. `projectFiles` are the absolute paths of the project's files,
 * or `undefined` where they could not be listed whole; rules are then not judged.
 */
export function checkInstructions(set: InstructionSet, globs: GlobMatcher, projectFiles: readonly string[] | undefined): InstructionFinding[] {
  return [...deadImports(set), ...deadRules(set, globs, projectFiles), ...tooLarge(set), ...unreadable(set), ...findContradictions(set.sections)];
}

function deadImports({ missing }: InstructionSet): InstructionFinding[] {
  return missing
    .filter(({ path, why }) => looksLikeFile(path, why))
    .map(({ path, importedBy, why }) => ({ kind: "dead-import", path: importedBy ?? path, message: `imports ${path}: ${why}`, suggestion: "mend the path, or put it in backticks if no import is meant" }));
}

/** Decorators, packages and handles are no imports that somebody forgot to mend. */
function looksLikeFile(path: string, why: string): boolean {
  const written = /`@([^`]+)`/u.exec(why)?.[1] ?? path;
  return /^(?:~|\.{1,2})?\//u.test(written) || /\.(?:md|mdx|txt|json|ya?ml|toml|rst)$/iu.test(written);
}

function deadRules({ waiting }: InstructionSet, globs: GlobMatcher, projectFiles: readonly string[] | undefined): InstructionFinding[] {
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
    .map(({ path, paths }) => ({ kind: "dead-rule", path, message: `no file of the project matches its paths: ${paths.join(", ")}`, suggestion: "mend the globs, or remove the rule" }));
}

function tooLarge({ sections }: InstructionSet): InstructionFinding[] {
  return sections.flatMap(({ path, characters, flags }): InstructionFinding[] => {
    if (flags.includes("cut")) return [{ kind: "cut", path, message: "the client's limit cuts it off", suggestion: "shorten it, or the files before it" }];
    if (!flags.includes("over-40000")) return [];
    return [{ kind: "over-40000", path, message: `${characters} characters in every session`, suggestion: "move what only some files need into rules with `paths:`" }];
  });
}

function unreadable(set: InstructionSet): InstructionFinding[] {
  return set.unreadable.map(({ path, why }) => ({ kind: "unreadable", path, message: why, suggestion: "mend or remove it; nothing of it reaches the agent" }));
}
