/** A scratch copy of the project in which mutants are planted; the checkout itself is never changed. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { listFiles } from "../gates/files.mjs";
import { functionsOf } from "./operators.mjs";
import { instrument } from "./reach.mjs";

const MEMORY = "/dev/shm";

/**
 * Copies what git knows of `root`, the sources with notes of which functions run. Installed packages and the build are links.
 * `plant` puts a text in place of a source, or the source back.
 */
export function copyTree(root) {
  const base = realpathSync(mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), "memdir-mutants-")));
  const copy = join(base, "tree");
  const home = join(base, "home");
  mkdirSync(home);
  mkdirSync(copy);
  const paths = listFiles(root);
  const sources = paths.filter((path) => /^src\/.*\.ts$/u.test(path));
  for (const path of paths) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    copyFileSync(join(root, path), join(copy, path));
  }
  for (const link of ["node_modules", "dist"])
    if (existsSync(join(root, link))) symlinkSync(join(root, link), join(copy, link));
  const original = new Map(sources.map((path) => [path, readFileSync(join(root, path), "utf8")]));
  const first = new Map();
  const counts = new Map(sources.map((path) => [path, functionsOf(path, original.get(path)).length]));
  let functions = 0;
  for (const path of sources) {
    first.set(path, functions);
    functions += counts.get(path);
  }
  const changed = new Set();
  const plant = (path, text = original.get(path)) => {
    changed.add(path);
    writeFileSync(join(copy, path), instrument(path, text, first.get(path)));
  };
  for (const path of sources) plant(path);
  return {
    root: copy,
    home,
    sources: original,
    /** The number of a file's first function. */
    firstFunction: first,
    functionCounts: counts,
    tests: paths.filter((path) => /^test\/.*\.test\.ts$/u.test(path)),
    support: paths.filter((path) => /^test\/.*\.(?:[cm]?js|ts)$/u.test(path) && !path.endsWith(".test.ts")),
    plant,
    /** The files planted since this was last asked. */
    takeChanged() {
      const planted = [...changed];
      changed.clear();
      return planted;
    },
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}
