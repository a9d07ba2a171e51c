import fs from "node:fs";
import { describe, expect, it } from "vitest";
import type { SecretScanner } from "../../src/core/shared/secrets/mask.ts";
import { COMMANDS, COMMON_OPTIONS } from "../../src/surfaces/cli/catalogue.ts";
import { homeOf } from "../support/cli.ts";
import { person } from "../support/person.ts";
import { BLIND, planter, seedOfRun } from "../support/planted.ts";
import { memoryDirectory } from "../support/scratch.ts";
import { sessionFile } from "../support/session-file.ts";

/** Ways in which a command gets as far as writing; a command that is not here is tried without arguments. */
const GOOD: Readonly<Record<string, readonly (readonly string[])[]>> = {
  capture: [["SESSION"]],
  recall: [["which port has the container"]],
  why: [["which port"]],
  "why-not": [["kept", "which port"]],
  remember: [
    ["Tests use the container.", "--force"],
    ["Tests use it too.", "--force", "--scope", "agent", "--agent-type", "reviewer"],
  ],
  show: [["kept"]],
  edit: [["kept"], ["kept", "--description", "where the container listens"], ["kept", "--body", "-"]],
  pin: [["kept"]],
  history: [["kept"]],
  diff: [["kept"]],
  undo: [["kept"]],
  verify: [["kept"]],
  models: [["--use", "ollama/qwen3:4b"]],
  link: [["DIR", "--yes"]],
  checkpoint: [
    ["save", "--goal", "port the importer"],
    ["save", "-"],
    ["branch", "ID", "another task"],
    ["restore"],
    ["dismiss"],
  ],
  guard: [
    ["set", "rule", "--tool", "Bash", "--pattern", "git push", "--message", "ask first"],
    ["enable", "rule", "--yes"],
    ["test", "rule", "Bash", "git push"],
    ["try", "rule"],
  ],
  log: [["The vendor moves the API"], ["-"]],
  mode: [["auto"], ["auto", "--scope", "user"], ["--capture-to", "notes"]],
  review: [
    ["accept", "all"],
    ["edit", "ID"],
    ["reject", "ID"],
  ],
  session: [["update", "SESSION"], ["show"], ["template"]],
  search: [["container"]],
  import: [["claude-code", "DIR", "--yes"]],
  promote: [["kept", "--to", "user"]],
  demote: [["kept", "--to", "local"]],
  mv: [["kept", "user:kept"]],
  project: [
    ["list"],
    ["link", "DIR", "--yes"],
    ["mv", "DIR", "--yes"],
    ["merge", "DIR", "--yes"],
    ["split", "container", "DIR", "--yes"],
    ["undo"],
  ],
  group: [
    ["add", "shops"],
    ["add", "shops", "DIR"],
    ["remove", "shops", "--yes"],
  ],
  team: [
    ["use", "notes/team"],
    ["use", "private"],
    ["trust", "--yes"],
  ],
  supersede: [["kept", "rule"]],
  restore: [["kept"]],
  instructions: [["approve", "FILE", "--yes"]],
  install: [["claude-code", "--dry-run"]],
  uninstall: [["claude-code", "--dry-run"]],
  dream: [["--apply"]],
};

/** Whole commands that are about something else than memory, or run for ever. */
const LEFT_OUT = new Set(["demo", "mcp", "bench"]);

/** What help shows as the value says what is taken. */
function shaped(value: string | undefined, secret: string): string {
  if (value === "URL") return `https://example.com/${secret}/v1`;
  return value === "PROVIDER/MODEL" ? `ollama/${secret}` : secret;
}

/** A place that the person names themselves is made as they name it. */
const PLACES = new Set(["--dir", "export [more]"]);

async function plantEverywhere(seed: number, secrets?: SecretScanner) {
  const { root, cwd, memdir } = person(memoryDirectory());
  const { plant, planted, found } = planter(seed);
  fs.writeFileSync(`${root}/page.md`, "# Style\n\nTabs.\n");
  fs.mkdirSync(`${root}/elsewhere`);
  sessionFile(`${root}/session.jsonl`).say("From now on always squash merges before pushing.");
  const run = (argv: readonly string[], input = "words on standard input", edit?: string) =>
    memdir(
      argv.map((word) =>
        word
          .replace("SESSION", `${root}/session.jsonl`)
          .replace(/^DIR$/u, `${root}/elsewhere`)
          .replace(/^FILE$/u, `${root}/page.md`),
      ),
      { input, edit: (text) => edit ?? text, answer: true, ...(secrets && { secrets }) },
    );
  const prepare = async (): Promise<void> => {
    await run(["remember", "The container listens on port 5433.", "--name", "kept", "--force"]);
    await run(["remember", "Never force a push.", "--name", "rule", "--type", "feedback", "--force"]);
  };
  await prepare();
  for (const { name, options } of COMMANDS) {
    if (LEFT_OUT.has(name)) continue;
    for (const good of GOOD[name] ?? [[]]) {
      const text = [name, ...good].join(" ");
      await run([name, ...good], plant(`${text} <stdin>`), plant(`${text} (editor)`));
      for (const [at, word] of good.entries())
        if (!word.startsWith("-")) await run([name, ...good.with(at, plant(`${text} [${at}]`))]);
      if (!PLACES.has(`${text} [more]`)) await run([name, ...good, plant(`${text} [more]`)]);
      for (const [option, { type, value }] of Object.entries({ ...options, ...COMMON_OPTIONS }))
        if (type === "string" && !PLACES.has(`--${option}`))
          await run([name, ...good, `--${option}`, shaped(value, plant(`${text} --${option}`))]);
      await run([name, ...good]);
    }
    await prepare();
  }
  return { fields: planted.map(({ field }) => field), leaks: found(homeOf(root), cwd) };
}

describe("a secret that comes through the command line", () => {
  it("reaches no byte on the disk, whatever argument, option or input it stands in", { timeout: 120_000 }, async () => {
    const { fields, leaks } = await plantEverywhere(seedOfRun());
    expect(fields.length).toBeGreaterThan(200);
    expect(leaks).toEqual([]);
  });

  it(
    "would be seen: with the gate removed the same search finds it",
    { timeout: 120_000, tags: ["slow"] },
    async () => {
      const { leaks } = await plantEverywhere(seedOfRun(), BLIND);
      expect(leaks).toEqual(
        expect.arrayContaining(["log - <stdin>", "checkpoint save --goal port the importer --next"]),
      );
    },
  );
});
