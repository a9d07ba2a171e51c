/** The layer boundaries of src. Usage: node scripts/gates/boundaries.mjs [ROOT] */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { cruise } from "dependency-cruiser";
import { BOUNDARY_RULES } from "./boundary-rules.mjs";
import { isMain, report } from "./report.mjs";

const SOURCE = /\.ts$/u;
const PACKAGE_TYPES = new Set(["npm", "npm-dev", "npm-optional", "npm-peer", "npm-no-pkg", "npm-unknown"]);

/** `src/adapters/sqlite/driver.ts` belongs to `src/adapters/sqlite`, `src/compose/parts.ts` to `src/compose`. */
function folderOf(path) {
  const [source, wing, ...rest] = path.split("/");
  return rest.length > 1 ? `${source}/${wing}/${rest[0]}` : `${source}/${wing}`;
}

function packageOf(specifier) {
  return specifier.split("/").slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
}

/** A package that is imported in two folders is a decision nobody made. */
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

function violationsOf(summary) {
  return summary.violations.map(({ rule, from, to, cycle }) => ({
    rule: rule.name,
    path: from,
    message: cycle === undefined ? to : cycle.map(({ name }) => name).join(" → "),
  }));
}

/** Files of src that were not looked at would be free of every rule. */
function unseen(root, modules) {
  const seen = new Set(modules.map(({ source }) => source));
  return readdirSync(join(root, "src"), { recursive: true })
    .map((path) => `src/${String(path).replaceAll("\\", "/")}`)
    .filter((path) => SOURCE.test(path) && !seen.has(path))
    .map((path) => ({ rule: "unseen-module", path, message: "dependency-cruiser did not look at this file" }));
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
  const resolution = { extensions: [".ts", ".js", ".mjs", ".cjs", ".json"], exportsFields: ["exports"], conditionNames: ["import", "node", "types", "default"] };
  const { output } = await cruise(["src"], options, resolution);
  const modules = output.modules.filter(({ source }) => source.startsWith("src/"));
  return {
    checked: modules.length,
    findings: [...violationsOf(output.summary), ...packagesInSeveralFolders(modules), ...unseen(root, modules)],
  };
}

if (isMain(import.meta.url)) process.exitCode = report("boundaries", await checkBoundaries(process.argv[2] ?? process.cwd()));
