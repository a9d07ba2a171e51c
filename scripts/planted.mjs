/**
 * Tests of gates with violations in separate trees. They read nothing of the project except the gates, their rules and
 * the installed packages, so a pass stays valid until one of these changes.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./ensure-build.mjs";

/** The files of these tests; the other gate tests also read sources and pages, and always run. */
export const PLANTED = ["boundaries", "format", "lint", "size", "types", "unused"].map(
  (gate) => `test/gates/${gate}.test.ts`,
);

const KEPT = join("node_modules", ".cache", "memdir-check", "planted");

/** The gates, their tests and support files, and every settings file at the top. */
function inputsOf(root) {
  const below = ["scripts", "test/gates", "test/support"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name)),
  );
  const settings = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".md"))
    .map(({ name }) => join(root, name));
  return [...below, ...settings].toSorted();
}

function digestOf(root) {
  const hash = createHash("sha256").update(process.version);
  for (const file of inputsOf(root)) hash.update(`\0${file}\0`).update(readFileSync(file));
  return hash.digest("hex");
}

/** Whether gates and rules are the same as at the last pass. */
export function rulesStand(root = ROOT) {
  try {
    return readFileSync(join(root, KEPT), "utf8") === digestOf(root);
  } catch (error) {
    if (error.code === "ENOENT") return false; // nothing passed here yet
    throw error;
  }
}

/** Call this after they have passed. */
export function rulesPassed(root = ROOT) {
  mkdirSync(join(root, KEPT, ".."), { recursive: true });
  writeFileSync(join(root, KEPT), digestOf(root));
}
