import { existsSync, realpathSync } from "node:fs";
import type { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

type Require = ReturnType<typeof createRequire>;

/**
 * Loads libsql, sparing it the search for its own binary. Its loader asks two small packages whether this is glibc
 * or musl; they load node:child_process and make a diagnostic report of the whole process, which with Node's
 * package resolution comes to 15 of some 60 ms (Node 20, libsql 0.5.29). Where the file system answers without
 * doubt and node_modules is flat, both are answered for the length of this one synchronous call; else libsql
 * looks for itself.
 */
export function loadLibsql(require: Require, from: string): unknown {
  const target = certainTarget();
  const entry = target === undefined ? undefined : findFlat(from);
  if (target === undefined || entry === undefined) return require("libsql");
  const modules = join(dirname(entry), "..");
  const takeBack = [
    answer(require, join(modules, "detect-libc", "lib", "detect-libc.js"), { GLIBC: "glibc", MUSL: "musl", familySync: () => "glibc" }),
    answer(require, join(modules, "@neon-rs", "load", "dist", "index.js"), { currentTarget: () => target, load: require }),
  ];
  try {
    return require(entry);
  } finally {
    for (const undo of takeBack) undo();
  }
}

/** `libsql/index.js` in the nearest node_modules above, as Node would find it, without reading any manifest. */
function findFlat(from: string): string | undefined {
  const start = dirname(from.startsWith("file:") ? fileURLToPath(from) : from);
  for (let directory = start; ; directory = dirname(directory)) {
    const entry = join(directory, "node_modules", "libsql", "index.js");
    // Node keeps modules by their real place, which is another one where packages are linked (pnpm, npm link).
    if (existsSync(entry)) return realpathSync(entry);
    if (dirname(directory) === directory) return undefined;
  }
}

/** Puts a module's exports in place before it is loaded; the returned function takes them away again. */
function answer(require: Require, file: string, exports: unknown): () => void {
  if (require.cache[file] !== undefined || !existsSync(file)) return () => undefined;
  require.cache[file] = { id: file, filename: file, path: dirname(file), loaded: true, exports, children: [], paths: [], parent: undefined, require, isPreloading: false };
  return () => {
    delete require.cache[file];
  };
}

/** Set only where there is no musl beside it: Alpine with a glibc shim has both loaders. */
function certainTarget(): string | undefined {
  if (process.platform !== "linux") return undefined;
  if (process.arch === "x64") return existsSync("/lib64/ld-linux-x86-64.so.2") && !existsSync("/lib/ld-musl-x86_64.so.1") ? "linux-x64-gnu" : undefined;
  if (process.arch === "arm64") return existsSync("/lib/ld-linux-aarch64.so.1") && !existsSync("/lib/ld-musl-aarch64.so.1") ? "linux-arm64-gnu" : undefined;
  return undefined;
}
