import fs from "node:fs";
import path from "node:path";

const FILES = ["package.json", "Makefile", "justfile", "Taskfile.yml", "CONTRIBUTING.md", "README.md"];
const WORKFLOWS = path.join(".github", "workflows");
const MOST_BYTES = 200_000;
const MOST_WORKFLOWS = 10;

/** Texts in which a project declares its procedures: scripts, targets, CI jobs, the guide for contributors. */
export function declaredTexts(root: string | undefined): readonly string[] {
  if (root === undefined) return [];
  const workflows = names(path.join(root, WORKFLOWS))
    .filter((name) => /\.ya?ml$/u.test(name))
    .slice(0, MOST_WORKFLOWS)
    .map((name) => path.join(WORKFLOWS, name));
  return [...FILES, ...workflows].flatMap((name) => textOf(path.join(root, name)) ?? []);
}

function names(directory: string): readonly string[] {
  try {
    return fs.readdirSync(directory).toSorted();
  } catch (error) {
    if (error instanceof Error && "code" in error) return []; // most projects have none
    throw error;
  }
}

function textOf(file: string): string | undefined {
  try {
    return fs.statSync(file).size > MOST_BYTES ? undefined : fs.readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined; // missing, or a directory
    throw error;
  }
}
