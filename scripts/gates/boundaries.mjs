/** The layer boundaries of src. Usage: node scripts/gates/boundaries.mjs [ROOT] */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { cruise } from "dependency-cruiser";
import { APP_ON_DISK } from "./app-on-disk.mjs";
import { BOUNDARY_RULES } from "./boundary-rules.mjs";
import { listFiles, readText } from "./files.mjs";
import { isMain, report } from "./report.mjs";

const SOURCE = /\.ts$/u;
const PACKAGE_TYPES = new Set(["npm", "npm-dev", "npm-optional", "npm-peer", "npm-no-pkg", "npm-unknown"]);

/** `src/adapters/sqlite/driver.ts` belongs to `src/adapters/sqlite`, `src/app/recall/replay.ts` to `src/app/recall`, `src/app/memory.ts` to `src/app`. */
function folderOf(path) {
  const [source, wing, ...rest] = path.split("/");
  return rest.length > 1 ? `${source}/${wing}/${rest[0]}` : `${source}/${wing}`;
}

function packageOf(specifier) {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

/** A package that two folders import is a decision that was never made. */
function packagesInSeveralFolders(modules) {
  const folders = new Map();
  for (const { source, dependencies } of modules) {
    for (const { module, dependencyTypes } of dependencies) {
      if (!SOURCE.test(source) || !dependencyTypes.some((type) => PACKAGE_TYPES.has(type))) continue;
      const name = packageOf(module);
      folders.set(name, (folders.get(name) ?? new Set()).add(folderOf(source)));
    }
  }
  return [...folders]
    .filter(([, where]) => where.size > 1)
    .map(([name, where]) => ({
      rule: "package-in-one-folder",
      path: [...where].toSorted().join(", "),
      message: `${name} is imported in ${where.size} folders`,
    }));
}

/** Folders that import each other, directly or through others, are really one folder. */
function circlesOfFolders(modules) {
  const below = new Map();
  for (const { source, dependencies } of modules) {
    const from = folderOf(source);
    const to = dependencies.map(({ resolved }) => resolved).filter((path) => path.startsWith("src/"));
    below.set(from, new Set([...(below.get(from) ?? []), ...to.map(folderOf).filter((folder) => folder !== from)]));
  }
  const reached = (start) => {
    const seen = new Set();
    const open = [...(below.get(start) ?? [])];
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      if (seen.has(folder)) continue;
      seen.add(folder);
      open.push(...(below.get(folder) ?? []));
    }
    return seen;
  };
  return [...below.keys()]
    .filter((folder) => reached(folder).has(folder))
    .map((folder) => ({
      rule: "no-circle-of-folders",
      path: folder,
      message: [...below.get(folder)].filter((other) => reached(other).has(folder)).join(", "),
    }));
}

/** A module that no longer needs the disk must leave the list; otherwise the need could return unnoticed. */
function listedForNothing(modules) {
  const outside = (path) => !path.startsWith("src/core/") && !path.startsWith("src/app/");
  const pure = modules.filter(({ dependencies }) => !dependencies.some(({ resolved }) => outside(resolved)));
  return pure
    .filter(({ source }) => APP_ON_DISK.includes(source))
    .map(({ source }) => ({
      rule: "listed-for-nothing",
      path: source,
      message: "is pure: take it from app-on-disk.mjs",
    }));
}

function violationsOf(summary) {
  return summary.violations.map(({ rule, from, to, cycle }) => ({
    rule: rule.name,
    path: from,
    message: cycle === undefined ? to : cycle.map(({ name }) => name).join(" → "),
  }));
}

/** Files of src that were not checked would be free of every rule. */
function unseen(root, modules) {
  const seen = new Set(modules.map(({ source }) => source));
  return readdirSync(join(root, "src"), { recursive: true })
    .map((path) => `src/${String(path).replaceAll("\\", "/")}`)
    .filter((path) => SOURCE.test(path) && !seen.has(path))
    .map((path) => ({ rule: "unseen-module", path, message: "dependency-cruiser did not look at this file" }));
}

const LOADS_BUILT = /^(?:bench|scripts|test)\/.*\.(?:mjs|ts)$/u;
const BUILT_MODULE = /["'`/]((?:core|adapters|app|surfaces)\/[\w./-]+)\.js["'`]/gu;

/** Benchmarks and some tests load built modules by name, which no compiler follows: each must still have its source. */
function goneModules(root) {
  return listFiles(root)
    .filter((path) => LOADS_BUILT.test(path) && !path.startsWith("test/gates/"))
    .flatMap((path) =>
      [...(readText(join(root, path)) ?? "").matchAll(BUILT_MODULE)]
        .filter(([, module]) => !existsSync(join(root, "src", `${module}.ts`)))
        .map(([, module]) => ({ rule: "no-such-module", path, message: `src/${module}.ts does not exist` })),
    );
}

export async function checkBoundaries(root) {
  const options = {
    baseDir: root,
    validate: true,
    ruleSet: { forbidden: BOUNDARY_RULES },
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    detectProcessBuiltinModuleCalls: true,
  };
  const resolution = {
    extensions: [".ts", ".js", ".mjs", ".cjs", ".json"],
    exportsFields: ["exports"],
    conditionNames: ["import", "node", "types", "default"],
  };
  const { output } = await cruise(["src"], options, resolution);
  const modules = output.modules.filter(({ source }) => source.startsWith("src/"));
  return {
    checked: modules.length,
    findings: [
      ...violationsOf(output.summary),
      ...packagesInSeveralFolders(modules),
      ...circlesOfFolders(modules),
      ...listedForNothing(modules),
      ...unseen(root, modules),
      ...goneModules(root),
    ],
  };
}

if (isMain(import.meta.url))
  process.exitCode = report("boundaries", await checkBoundaries(process.argv[2] ?? process.cwd()));
