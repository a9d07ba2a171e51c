import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { install, installPlace, type InstallPlace, planInstall } from "../../../src/app/install/install.ts";
import { agentsHere } from "../../../src/app/install/install-places.ts";
import { installedAgents, installedLine } from "../../../src/app/install/install-state.ts";
import { locate } from "../../../src/app/workspace/locations.ts";
import { planUninstall, uninstall } from "../../../src/app/install/uninstall.ts";
import { AGENTS } from "../../../src/core/install/agents.ts";
import { filesBelow, scratch } from "../../support/scratch.ts";

const NOW = "2026-11-22T00:00:00.000Z";
const EVERYTHING = { clients: [], scope: undefined };

/** A home with settings of all four clients, as people write them. */
function ground(settings: Readonly<Record<string, string | Uint8Array>> = {}) {
  const root = scratch();
  const home = path.join(root, "home");
  const project = path.join(root, "project");
  const files = {
    "home/.claude/settings.json": '{ "model": "opus" }\n',
    "home/.claude.json": '{"numStartups": 3,\n "projects": {}}',
    "home/.codex/config.toml": 'model = "x" # mine',
    "home/.gemini/settings.json": '\u{FEFF}{\r\n\t// theme\r\n\t"ui": {}\r\n}',
    ...settings,
  };
  for (const [name, content] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), content);
  }
  fs.mkdirSync(path.join(project, ".git"), { recursive: true });
  const locations = locate({ cwd: project, environment: { HOME: home, PATH: "" } });
  const at = (dist: string): InstallPlace => ({
    ...installPlace(locations),
    program: { node: process.execPath, hook: path.join(dist, "hook.cjs"), command: path.join(dist, "memdir.cjs") },
  });
  return { root, home, project, locations, at, place: at(path.join(root, 'it\'s $HOME "m"')) };
}

function everywhere(place: InstallPlace): void {
  for (const agent of AGENTS) for (const scope of ["user", "project"] as const) install(place, agent, scope, NOW);
}

function foldersBelow(directory: string): readonly string[] {
  return fs
    .readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted();
}

describe("installing", () => {
  it("into every client, in the user's settings and the project's, and out again leaves no difference, not even a folder", () => {
    const { root, place } = ground();
    const before = [filesBelow(root), foldersBelow(root)];
    everywhere(place);
    expect(filesBelow(root).size).toBeGreaterThan(20);
    uninstall(place, EVERYTHING);
    expect([filesBelow(root), foldersBelow(root)]).toEqual(before);
  });

  it("does nothing the second time", () => {
    const { root, place } = ground();
    everywhere(place);
    const before = filesBelow(root);
    for (const agent of AGENTS)
      expect(planInstall(place, agent, "user").map(({ outcome }) => outcome.state)).not.toContain("change");
    everywhere(place);
    expect(filesBelow(root)).toEqual(before);
  });

  it("from another place replaces what was there, and going back still leaves no difference", () => {
    const { root, at, place } = ground();
    const before = filesBelow(root);
    everywhere(place);
    const moved = at(path.join(root, "moved"));
    expect(planInstall(moved, "codex", "user")[0]?.outcome).toMatchObject({
      state: "change",
      had: expect.arrayContaining([expect.objectContaining({ place: "hooks.Stop" })]),
    });
    everywhere(moved);
    for (const [file, bytes] of [...filesBelow(path.join(root, "home"))].filter(
      ([name]) => !name.startsWith(".memdir"),
    ))
      expect(bytes.toString(), file).not.toContain("it's");
    uninstall(moved, EVERYTHING);
    expect(filesBelow(root)).toEqual(before);
  });

  it("keeps a link a link, and the mode of what it leads to", () => {
    const { root, home, place } = ground({ "dotfiles/claude.json": '{ "model": "opus" }' });
    const file = path.join(home, ".claude", "settings.json");
    const real = path.join(root, "dotfiles", "claude.json");
    fs.rmSync(file);
    fs.symlinkSync(path.relative(path.dirname(file), real), file);
    fs.chmodSync(real, 0o640);
    install(place, "claude-code", "user", NOW);
    expect(fs.lstatSync(file).isSymbolicLink()).toBe(true);
    expect(fs.readFileSync(real, "utf8")).toContain("hook.cjs");
    expect(fs.statSync(real).mode & 0o777).toBe(0o640);
    uninstall(place, EVERYTHING);
    expect([fs.lstatSync(file).isSymbolicLink(), fs.readFileSync(real, "utf8")]).toEqual([true, '{ "model": "opus" }']);
  });

  it("keeps the bytes from before, for the person alone", () => {
    const { home, place } = ground();
    install(place, "claude-code", "user", NOW);
    const backup = place.records.backupOf(path.join(home, ".claude", "settings.json"));
    expect(fs.readFileSync(backup, "utf8")).toBe('{ "model": "opus" }\n');
    expect(fs.statSync(backup).mode & 0o077).toBe(0);
  });

  it("touches nothing of a client when one of its files cannot be understood, and says which line", () => {
    const broken: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
      ["home/.claude.json", '{\n "a": 1,,\n}', /\.claude\.json, line 2: it is not JSON/u],
      ["home/.claude/settings.json", new Uint8Array([0x7b, 0xff, 0x7d]), /settings\.json: it is not UTF-8/u],
      ["home/.claude.json", '{"mcpServers": {"memdir": {"command": "other"}}}', /"mcpServers.memdir" already exists/u],
    ];
    for (const [file, content, message] of broken) {
      const { root, place } = ground({ [file]: content });
      const before = filesBelow(root);
      expect(() => install(place, "claude-code", "user", NOW)).toThrow(message);
      expect(filesBelow(root)).toEqual(before);
    }
  });

  it("says of a link to nothing that it leads nowhere", () => {
    const { home, place } = ground();
    fs.rmSync(path.join(home, ".codex", "config.toml"));
    fs.symlinkSync("nowhere", path.join(home, ".codex", "config.toml"));
    expect(() => install(place, "codex", "user", NOW)).toThrow(/a link to nothing/u);
  });
});

describe("uninstalling", () => {
  it("takes only memdir's entries where the client or the person wrote since", () => {
    const { home, place } = ground();
    everywhere(place);
    const state = path.join(home, ".claude.json");
    fs.writeFileSync(
      state,
      JSON.stringify({ ...JSON.parse(fs.readFileSync(state, "utf8")), numStartups: 4 }, undefined, 2),
    );
    fs.appendFileSync(
      path.join(home, ".codex", "config.toml"),
      '\n[mcp_servers.memdir.tools.recall]\napproval_mode = "approve"\n\n# trusted\n[projects."/p"]\ntrust_level = "trusted"\n',
    );
    const settings = path.join(home, ".claude", "settings.json");
    fs.writeFileSync(settings, fs.readFileSync(settings, "utf8").replace('"opus"', '"sonnet"'));
    uninstall(place, EVERYTHING);
    expect(fs.readFileSync(state, "utf8")).toBe(JSON.stringify({ numStartups: 4, projects: {} }, undefined, 2));
    expect(fs.readFileSync(path.join(home, ".codex", "config.toml"), "utf8")).toBe(
      'model = "x" # mine\n\n# trusted\n[projects."/p"]\ntrust_level = "trusted"\n',
    );
    expect(fs.readFileSync(settings, "utf8")).toBe('{ "model": "sonnet" }\n');
  });

  it("works when memdir's own state was deleted", () => {
    const { root, home, place, locations } = ground();
    const before = filesBelow(root);
    everywhere(place);
    fs.rmSync(locations.memdirHome, { recursive: true });
    uninstall(place, EVERYTHING);
    const after = filesBelow(root);
    // How the last line ended is known to the record alone.
    for (const [file, bytes] of before)
      expect(after.get(file)?.toString().trimEnd(), file).toBe(bytes.toString().trimEnd());
    expect([...after.keys()].toSorted()).toEqual([...before.keys()].toSorted());
    expect(fs.existsSync(path.join(home, ".memdir"))).toBe(false);
  });

  it("of one client leaves the others, and what another one shares", () => {
    const { project, place } = ground();
    for (const agent of ["claude-code", "mcp", "gemini"] as const) install(place, agent, "project", NOW);
    uninstall(place, { clients: ["claude-code"], scope: undefined });
    expect(fs.readFileSync(path.join(project, ".mcp.json"), "utf8")).toContain("memdir.cjs");
    expect(installedAgents(place).map(({ agent, parts }) => [agent, parts])).toEqual([
      ["claude-code", ["MCP server"]],
      ["gemini", ["hooks and MCP server"]],
    ]);
    uninstall(place, { clients: ["mcp"], scope: "project" });
    expect(fs.existsSync(path.join(project, ".mcp.json"))).toBe(false);
  });

  it("leaves a plugin file that a person changed, and says so", () => {
    const { home, place } = ground();
    install(place, "opencode", "user", NOW);
    const file = path.join(home, ".config", "opencode", "plugins", "memdir.js");
    fs.appendFileSync(file, "// mine\n");
    expect(() => uninstall(place, EVERYTHING)).toThrow(/changed by hand/u);
    expect(fs.existsSync(file)).toBe(true);
    expect(planUninstall(place, EVERYTHING)).toHaveLength(1);
  });

  it("keeps notes", () => {
    const { home, place } = ground();
    const note = path.join(home, ".memdir", "user", "memory", "a.md");
    fs.mkdirSync(path.dirname(note), { recursive: true });
    fs.writeFileSync(note, "a note");
    everywhere(place);
    uninstall(place, EVERYTHING);
    expect(fs.readFileSync(note, "utf8")).toBe("a note");
  });
});

describe("what is installed", () => {
  it("is read from the clients' own files, with the paths that are gone", () => {
    const { place } = ground();
    expect(installedLine(installedAgents(place))).toMatchObject({
      problem: undefined,
      text: expect.stringContaining("memdir install"),
    });
    install(place, "gemini", "user", NOW);
    expect(installedAgents(place)).toEqual([
      {
        agent: "gemini",
        scope: "user",
        parts: ["hooks and MCP server"],
        missing: [place.program.hook, place.program.command],
      },
    ]);
    expect(installedLine(installedAgents(place)).problem).toContain("`memdir install gemini` fixes that");
    fs.mkdirSync(path.dirname(place.program.hook));
    for (const file of [place.program.hook, place.program.command]) fs.writeFileSync(file, "");
    expect(installedLine(installedAgents(place)).problem).toBeUndefined();
  });

  it("can be into clients whose folder is here", () => {
    const { locations, place, home } = ground();
    expect(agentsHere(locations, place.directories)).toEqual(["claude-code", "codex", "gemini"]);
    fs.mkdirSync(path.join(home, ".config", "opencode"), { recursive: true });
    expect(agentsHere(locations, place.directories)).toContain("opencode");
  });
});
