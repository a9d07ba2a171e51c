/** A scratch copy of the project in which tests run; the checkout itself is never changed. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { listFiles } from "../gates/files.mjs";
import { functionsOf } from "./operators.mjs";

const MEMORY = "/dev/shm";

/** Copies the files of `root` that git knows. Installed packages and the build are links. */
export function copyTree(root) {
  const base = realpathSync(mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), "memdir-mutants-")));
  const copy = join(base, "tree");
  mkdirSync(copy);
  const paths = listFiles(root).filter((path) => existsSync(join(root, path)));
  for (const path of paths) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    copyFileSync(join(root, path), join(copy, path));
  }
  for (const link of ["node_modules", "dist"])
    if (existsSync(join(root, link))) symlinkSync(join(root, link), join(copy, link));
  const sources = paths.filter((path) => /^src\/.*\.ts$/u.test(path));
  const texts = new Map(sources.map((path) => [path, readFileSync(join(root, path), "utf8")]));
  const counts = new Map(sources.map((path) => [path, functionsOf(path, texts.get(path)).length]));
  const first = new Map();
  let functions = 0;
  for (const path of sources) {
    first.set(path, functions);
    functions += counts.get(path);
  }
  return {
    base,
    root: copy,
    sources: texts,
    /** The number of a file's first function. */
    firstFunction: first,
    functionCounts: counts,
    functions,
    tests: paths.filter((path) => /^test\/.*\.test\.ts$/u.test(path)),
    support: paths.filter((path) => /^test\/.*\.(?:[cm]?js|ts)$/u.test(path) && !path.endsWith(".test.ts")),
    setUp: paths.filter((path) => path === "test/support/set-up.ts"),
    remove: () => rmSync(base, { recursive: true, force: true, maxRetries: 3 }),
  };
}
