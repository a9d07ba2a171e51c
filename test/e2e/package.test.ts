import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
const textOf = (name: string): string => fs.readFileSync(path.join(PROJECT, name), "utf8");
/** What each client reads first of its plugin. */
const PLUGINS = [
  "claude-code/.claude-plugin/plugin.json",
  "codex/.codex-plugin/plugin.json",
  "gemini/gemini-extension.json",
  "opencode/package.json",
  "openclaw/openclaw.plugin.json",
  "openclaw/index.js",
  "openclaw/plugin.js",
];

it("The package is small, holds what its manifest names and no compiled code.", { timeout: 120_000 }, () => {
  const out = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: PROJECT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [packed] = JSON.parse(out);
  const names: readonly string[] = packed.files.map((file: { readonly path: string }) => file.path);
  // Eight of them are the page.
  expect(names.length).toBeLessThanOrEqual(66);
  expect(packed.size).toBeLessThanOrEqual(3_000_000);
  const holdDays = names.filter((name) => /\.c?js$/u.test(name)).filter((name) => textOf(name).includes("vorgestern"));
  expect(holdDays, "the words for days lie once").toEqual(["dist/dates.cjs"]);
  const { bin, exports, man } = JSON.parse(fs.readFileSync(path.join(PROJECT, "package.json"), "utf8"));
  const wanted = [
    bin.memdir,
    man,
    "dist/hook.cjs",
    ...Object.values<{ default: string }>(exports).map((one) => one.default),
  ];
  expect(names).toEqual(expect.arrayContaining(wanted.map((file) => file.replace(/^\.\//u, ""))));
  expect(names).toEqual(expect.arrayContaining(PLUGINS.map((file) => `dist/plugins/${file}`)));
  for (const list of [".claude-plugin/marketplace.json", ".agents/plugins/marketplace.json"]) {
    expect(names).toContain(`dist/plugins/${list}`);
    const { plugins } = JSON.parse(fs.readFileSync(path.join(PROJECT, "dist/plugins", list), "utf8"));
    for (const { source } of plugins)
      for (const file of ["README.md", "LICENSE", "run.cjs"])
        expect(names).toContain(path.posix.join("dist/plugins", source.path ?? source, file));
  }
  expect(names.filter((name) => name.endsWith(".cache") || name.endsWith(".js.map"))).toEqual([]);
  const required = names
    .filter((name) => name.endsWith(".cjs"))
    .flatMap((name) => [...fs.readFileSync(path.join(PROJECT, name), "utf8").matchAll(/require\("\.\/([^"]+)"\)/gu)])
    .map(([, file]) => `dist/${file}`);
  expect(names).toEqual(expect.arrayContaining(required));
});

it("The MCP registry is told the package's own name, version and repository.", () => {
  const read = (file: string): Record<string, never> => JSON.parse(fs.readFileSync(path.join(PROJECT, file), "utf8"));
  const { name, version, description, mcpName, repository } = read("package.json");
  const server = read("server.json");
  expect(server).toMatchObject({
    name: mcpName,
    version,
    description,
    packages: [{ registryType: "npm", identifier: name, version, packageArguments: [{ value: "mcp" }] }],
  });
  // As the registry's schema has it.
  expect(mcpName).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/u);
  expect(String(description).length).toBeLessThanOrEqual(100);
  expect(repository).toEqual({ type: "git", url: `git+${server["repository"]?.["url"]}.git` });
});
