import { existsSync, readFileSync, realpathSync } from "node:fs";
import type { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { compileFunction } from "node:vm";

type Require = ReturnType<typeof createRequire>;

/**
 * Loads libsql, sparing it the search for its own binary. Its loader asks two small packages whether this is glibc
 * or musl; they load node:child_process and make a diagnostic report of the whole process, which with Node's
 * package resolution comes to 18 of some 60 ms (Node 20, libsql 0.5.29). Where the file system answers without
 * doubt, libsql's entry is run with these questions answered and its parts found beside it; else libsql looks for itself.
 */
export function loadLibsql(require: Require, from: string): unknown {
  const target = certainTarget();
  const entry = target === undefined ? undefined : findEntry(from);
  if (target === undefined || entry === undefined) return require("libsql");
  const modules = join(dirname(entry), "..");
  const binary = join(modules, "@libsql", target, "index.node");
  if (!existsSync(binary)) return require("libsql");
  const load = (name: string): unknown => {
    if (name === "@neon-rs/load") return { currentTarget: () => target, load: require };
    if (name === "detect-libc") return { GLIBC: "glibc", MUSL: "musl", familySync: () => "glibc" };
    if (name === `@libsql/${target}`) return require(binary);
    return name.startsWith("./") ? runFile(`${join(dirname(entry), name)}.js`, load) : require(name);
  };
  try {
    return runFile(entry, load);
  } catch (error) {
    // Another libsql may be laid out otherwise; what is really wrong shows when Node loads it.
    if (error instanceof Error) return require("libsql");
    throw error;
  }
}

function runFile(file: string, require: (name: string) => unknown): unknown {
  const module: { exports: unknown } = { exports: {} };
  const body: unknown = compileFunction(
    readFileSync(file, "utf8"),
    ["exports", "require", "module", "__filename", "__dirname"],
    { filename: file },
  );
  if (typeof body === "function") body(module.exports, require, module, file, dirname(file));
  return module.exports;
}

/** `libsql/index.js` in the nearest node_modules above, as Node would find it, without reading any manifest. */
function findEntry(from: string): string | undefined {
  const start = dirname(from.startsWith("file:") ? fileURLToPath(from) : from);
  for (let directory = start; ; directory = dirname(directory)) {
    const entry = join(directory, "node_modules", "libsql", "index.js");
    // Node keeps modules by their real place, which is another one where packages are linked (pnpm, npm link).
    if (existsSync(entry)) return realpathSync(entry);
    if (dirname(directory) === directory) return undefined;
  }
}

/** Set only where there is no musl beside it: Alpine with a glibc shim has both loaders. */
function certainTarget(): string | undefined {
  if (process.platform !== "linux") return undefined;
  if (process.arch === "x64")
    return existsSync("/lib64/ld-linux-x86-64.so.2") && !existsSync("/lib/ld-musl-x86_64.so.1")
      ? "linux-x64-gnu"
      : undefined;
  if (process.arch === "arm64")
    return existsSync("/lib/ld-linux-aarch64.so.1") && !existsSync("/lib/ld-musl-aarch64.so.1")
      ? "linux-arm64-gnu"
      : undefined;
  return undefined;
}
