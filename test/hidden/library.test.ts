import fs from "node:fs";
import path from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { openMemory } from "../../src/index.ts";
import type { SecretScanner } from "../../src/core/shared/secrets/mask.ts";
import { homeOf, emptyHome } from "../support/cli.ts";
import { BLIND, planter, seedOfRun } from "../support/planted.ts";
import { scratch } from "../support/scratch.ts";

const SOURCES = [
  "app/notes/remember",
  "app/notes/revise",
  "app/notes/log-entry",
  "core/notes/note",
  "core/transcripts/turn",
  "app/checkpoints/checkpoints",
  "app/memory",
  "app/recall/refine-recall",
];

/** The fields of an interface that take a text, by their way: `evidence.session`, `turns[].id`. */
function textFields(name: string): readonly string[] {
  const found = SOURCES.flatMap((source) => {
    const file = path.join(import.meta.dirname, "../../src", `${source}.ts`);
    const tree = ts.createSourceFile(file, fs.readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
    return tree.statements.filter(ts.isInterfaceDeclaration).filter((one) => one.name.text === name);
  });
  const [declaration] = found;
  if (declaration === undefined) throw new Error(`no interface ${name} in ${SOURCES.join(", ")}`);
  return declaration.members.filter(ts.isPropertySignature).flatMap((member) => {
    const field = member.name.getText();
    const type = (member.type?.getText() ?? "").replace(/^readonly /u, "").replace(/ \| undefined$/u, "");
    if (type === "string") return [field];
    if (/^(?:readonly )?string\[\]$/u.test(type)) return [`${field}[]`];
    if (type === "unknown") return [field];
    if (type.includes("SectionName")) return [`${field}.*`];
    const inner = { 'NoteDraft["evidence"]': "Evidence", "Turn[]": "Turn", "ToolCall[]": "ToolCall" }[type];
    return inner === undefined
      ? []
      : textFields(inner).map((one) => `${field}${type.endsWith("[]") ? "[]" : ""}.${one}`);
  });
}

/** A value with a secret in one field. */
function withSecret(base: Readonly<Record<string, unknown>>, way: string, secret: string): Record<string, unknown> {
  const [step = "", ...rest] = way.split(".");
  const name = step.replace("[]", "");
  const key = name === "*" ? "goal" : name;
  const under = (value: unknown): unknown =>
    rest.length === 0 ? secret : withSecret(isRecord(value) ? value : {}, rest.join("."), secret);
  const present = base[key];
  const given = step.endsWith("[]")
    ? [under(Array.isArray(present) ? present[0] : undefined), ...(Array.isArray(present) ? present.slice(1) : [])]
    : under(present);
  return { ...base, [key]: given };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

const SAID = {
  role: "user",
  id: "m1",
  text: "From now on always squash merges before pushing.",
  time: "2026-03-02T09:00:00Z",
  toolCalls: [{ id: "t1", name: "Bash", input: "ls" }],
};
const SESSION = {
  agent: "claude-code",
  session: "s1",
  cwd: "/nowhere",
  turns: [SAID],
  toolTexts: ["a tool's text"],
  failedCalls: ["t0"],
  problems: [],
};

/** Every call of the library that takes texts: the interface they come in, and a call that would be taken. */
function calls(
  memory: ReturnType<typeof openMemory>,
): Readonly<
  Record<
    string,
    { readonly type: string; readonly base: Record<string, unknown>; readonly run: (given: never) => unknown }
  >
> {
  return {
    remember: {
      type: "RememberInput",
      base: { body: "Tests use the container.", evidence: { session: "s1", message: "m1" }, insist: true },
      run: (given) => memory.remember(given),
    },
    revise: { type: "Revision", base: {}, run: (given) => memory.revise("project_kept.md", given) },
    log: {
      type: "LogInput",
      base: { text: "The vendor moves the API.", session: "s1", message: "m1" },
      run: (given) => memory.log.append(given),
    },
    recall: {
      type: "RecallOptions",
      base: { session: "s1" },
      run: (given) => memory.recall("which port has the container", given),
    },
    capture: { type: "Transcript", base: SESSION, run: (given) => memory.capture(given) },
    checkpoint: {
      type: "CheckpointInput",
      base: { sections: { goal: "port the importer", next: "measure" } },
      run: (given) => memory.checkpoints.save(given),
    },
  };
}

/** Plants a secret in each field of each call, and says which of them reached the disk. */
async function plantEverywhere(
  seed: number,
  { secrets, mode = "auto" }: { readonly secrets?: SecretScanner; readonly mode?: "auto" | "confirm" } = {},
): Promise<{ readonly fields: readonly string[]; readonly leaks: readonly string[] }> {
  const root = scratch();
  const cwd = `${root}/orders`;
  fs.mkdirSync(`${cwd}/.git`, { recursive: true });
  const memory = openMemory({
    cwd,
    environment: { ...emptyHome(root), MEMDIR_MODE: mode },
    model: "off",
    ...(secrets && { secrets }),
  });
  await memory.remember({ body: "The container listens on port 5433.", name: "kept" });
  const { plant, planted, found } = planter(seed);
  for (const [name, { type, base, run }] of Object.entries(calls(memory))) {
    const fields = textFields(type);
    expect(fields.length, name).toBeGreaterThan(0);
    for (const field of fields) {
      const secret = plant(`${name}.${field}`);
      await quietly(() => run(withSecret(base, field, secret) as never));
      await quietly(() =>
        run(
          withSecret(
            base,
            field,
            `Remember that from now on the key is ${plant(`${name}.${field} in prose`)} always.`,
          ) as never,
        ),
      );
    }
  }
  const texts: readonly (readonly [string, (secret: string) => unknown])[] = [
    ["log text", (secret) => memory.log.append(secret)],
    ["recall prompt", (secret) => memory.recall(`which port has the container, token ${secret}`, { session: "s2" })],
    ["takeRefined", (secret) => memory.takeRefined(secret, secret)],
    ["capture path", (secret) => memory.capture(`/nowhere/${secret}.jsonl`)],
    [
      "capture words",
      (secret) =>
        memory.capture({
          ...SESSION,
          session: "s3",
          turns: [{ ...SAID, role: "user", text: `From now on always use ${secret} for the deploys.` }],
        }),
    ],
    ["approveImport", (secret) => memory.approveImport(`/nowhere/${secret}.md`)],
    ["branch", (secret) => memory.checkpoints.branch(undefined, secret)],
    ...(["show", "pin", "remove", "forget", "history", "undo"] as const).map(
      (name) => [name, (secret: string) => memory[name](secret)] as const,
    ),
  ];
  for (const [name, run] of texts) await quietly(() => run(plant(name)));
  memory.history();
  memory.close();
  return { fields: planted.map(({ field }) => field), leaks: found(homeOf(root), cwd) };
}

/** Refusals are the answer here. */
async function quietly(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Error && error.name === "MemoryError") && !(error instanceof TypeError)) throw error;
  }
}

describe("a secret that comes through the library", () => {
  it.each(["auto", "confirm"] as const)(
    "reaches no byte on the disk in mode %s, whatever field of whatever call it stands in",
    async (mode) => {
      const { fields, leaks } = await plantEverywhere(seedOfRun(), { mode });
      expect(fields.length).toBeGreaterThan(60);
      expect(leaks).toEqual([]);
    },
  );

  it("would be seen: with the gate removed the same search finds it in the note, its evidence and the log", async () => {
    const { leaks } = await plantEverywhere(seedOfRun(), { secrets: BLIND });
    expect(leaks).toEqual(
      expect.arrayContaining([
        "remember.body",
        "remember.source",
        "remember.evidence.session",
        "revise.description",
        "log.message",
        "checkpoint.sections.*",
        "checkpoint.by",
      ]),
    );
  });
});
