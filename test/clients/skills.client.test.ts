import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentGround, type AgentSession, layOutForAgents, memdirBlocks, occurrences } from "./agent-ground.ts";
import type { ToolCall } from "./fake-model.ts";
import { field, list, text } from "./json.ts";
import { REAL_AGENTS } from "./real-agents.ts";

const DAY_MS = 86_400_000;
/** A session takes seconds; those of OpenCode longer, where it cannot fetch a package of its own. */
const LIMITS = { retry: 0, timeout: 400_000 };
const FITTING = "Regenerate the typed client, since the schema of invoices changed.";
const OTHER = "Say which colours the stylesheet has.";
const NAME = "regenerate-typed-client";
const MOST_CHARACTERS = 160;

/** What the project has to be done with, and a file that makes its check fail. */
const SCRIPTS = {
  "scripts/read-schema.sh": "test -f schema.txt && echo read\n",
  "scripts/make-client.sh":
    '[ "$1" = --strict ] || { echo "error: the schema needs --strict" >&2; exit 1; }\necho made > client.txt; echo written\n',
  "scripts/check-client.sh":
    '[ -f client.txt ] && [ ! -f broken.flag ] || { echo "1 failed"; exit 1; }\necho "3 passed"\n',
  "schema.txt": "invoices\n",
  "client.txt": "made\n",
};
const STEPS = ["sh scripts/read-schema.sh", "sh scripts/make-client.sh --strict"];
const CHECK = "sh scripts/check-client.sh";
const DRAFT = JSON.stringify({
  operation: "create",
  revises: "",
  name: NAME,
  description: "Regenerates the typed client after a schema change. Use when the schema changed.",
  when: "After the schema changed.",
  steps: STEPS.map((command) => ({ text: "Run it.", command, call: "" })),
  pitfalls: ["Without --strict the client is not written."],
  check: CHECK,
});

interface Skill {
  readonly stage: string;
  readonly evidence: string;
  readonly why: string;
  readonly path: string;
}

for (const agent of REAL_AGENTS)
  describe(`a skill in ${agent.title}`, () => {
    const isMissing = agent.program === undefined;
    let ground: AgentGround;
    let candidate: string;

    beforeAll(() => {
      if (isMissing) return;
      ground = layOutForAgents({
        // A login shell begins with a path of its own.
        home: { ...agent.settings, ".profile": 'PATH="{root}/bin:$PATH"\n' },
        project: SCRIPTS,
        projectName: "Jané Döe's shop",
        environment: { PATH: `{root}/bin:${process.env["PATH"] ?? ""}` },
      });
      const bin = path.join(ground.root, "bin");
      fs.mkdirSync(bin);
      const command = path.join(ground.program, "memdir.cjs");
      fs.writeFileSync(path.join(bin, "memdir"), `#!/bin/sh\nexec '${process.execPath}' '${command}' "$@"\n`, {
        mode: 0o755,
      });
      ground.memdir("install", agent.name, "--yes");
      ground.memdir("mode", "--skills", "auto");
    });
    afterAll(() => ground?.remove());

    const ask = async (prompt: string, calls: readonly ToolCall[]): Promise<AgentSession> => {
      const session = await ground.ask(agent, { prompt, calls });
      if (session.run.code !== 0) throw new Error(`${session.run.err}\n${session.run.out}`);
      return session;
    };
    const shell = (commands: readonly string[]): readonly ToolCall[] => commands.map((one) => agent.shell(one));
    const skill = (): Skill | undefined => skillIn(ground);
    /** A session in which the agent opens the skill that it is pointed to, and does what it says. */
    const use = async (load: ToolCall): Promise<string> => {
      const session = await ask(FITTING, [load, ...shell([...STEPS, CHECK])]);
      expect(results(session)).toContain("Run it.");
      return pointerIn(session);
    };

    it.skipIf(isMissing)("a finished task with a recovered error is a candidate", LIMITS, async () => {
      await ask(FITTING, shell(["cat schema.txt", STEPS[0] ?? "", "sh scripts/make-client.sh", STEPS[1] ?? "", CHECK]));
      const [only, ...others] = list(JSON.parse(ground.memdir("skill", "candidates", "--json")));
      expect({ others, refused: field(only, "refused"), wants: field(only, "wants") }).toEqual({
        others: [],
        refused: [],
        wants: ["recovered"],
      });
      candidate = text(field(only, "id"));
    });

    it.skipIf(isMissing)("the agent is asked once at a start, and writes the draft", LIMITS, async () => {
      const session = await ask(OTHER, [
        agent.shell(`memdir skill draft --from ${candidate}`),
        agent.shell(`memdir skill draft --from ${candidate} - <<'END'\n${DRAFT}\nEND`),
      ]);
      const question = `memdir skill draft --from ${candidate}`;
      expect(occurrences(memdirBlocks(session.requests[0] ?? []), question)).toBe(1);
      expect(results(session)).toContain("kept as a draft");
      expect(skill()?.stage).toBe("draft");
      expect(occurrences(memdirBlocks((await ask(OTHER, [])).requests[0] ?? []), question)).toBe(0);
    });

    it.skipIf(isMissing)("on trial it is offered by one line, and three passes promote it", LIMITS, async () => {
      expect(pointerIn(await ask(FITTING, []))).toBe("");
      ground.memdir("skill", "try", NAME, "--approve");
      expect(skill()?.stage).toBe("trial");
      const file = skill()?.path ?? "";
      expect(await use(agent.shell(`cat '${file}'`))).toContain("on trial");
      expect(await use(agent.memory("read", { note: `skill:${NAME}` }))).toContain("1 of 1");
      aDayPasses(file);
      expect(skill()?.stage).toBe("trial");
      expect(await use(agent.shell(`cat '${file}'`))).toContain("2 of 2");
      expect(skill()).toMatchObject({ stage: "promoted", evidence: "3 of 3 passed" });
    });

    it.skipIf(isMissing)("two fails in a row demote it, and it is offered no more", LIMITS, async () => {
      fs.writeFileSync(path.join(ground.project, "broken.flag"), "");
      const load = agent.shell(`cat '${skill()?.path ?? ""}'`);
      expect(await use(load)).not.toContain("on trial");
      expect(skill()?.stage).toBe("promoted");
      await use(load);
      expect(skill()).toMatchObject({ stage: "demoted", why: "2 fails in a row" });
      expect(pointerIn(await ask(FITTING, []))).toBe("");
    });
  });

function skillIn(ground: AgentGround): Skill | undefined {
  const [row] = list(field(JSON.parse(ground.memdir("skill", "list", "--json")), "skills"));
  const told = (name: string): string => text(field(row, name));
  return row === undefined
    ? undefined
    : { stage: told("stage"), evidence: told("evidence"), why: told("why"), path: told("path") };
}

/** What was noted so far becomes a day older. */
function aDayPasses(skillFile: string): void {
  const file = path.join(path.dirname(skillFile), "evidence.jsonl");
  const older = fs
    .readFileSync(file, "utf8")
    .replaceAll(/"time":(\d+)/gu, (_, time: string) => `"time":${String(Number(time) - DAY_MS)}`);
  fs.writeFileSync(file, older);
}

/** The line that points to the skill in the first request; empty where there is none. */
function pointerIn({ requests }: AgentSession): string {
  const lines = memdirBlocks(requests[0] ?? [])
    .flatMap((block) => block.text.split("\n"))
    .filter((line) => line.includes(`${NAME}`));
  expect(lines.length).toBeLessThanOrEqual(1);
  expect(lines[0]?.length ?? 0).toBeLessThanOrEqual(MOST_CHARACTERS);
  return lines[0] ?? "";
}

function results({ requests }: AgentSession): string {
  return (requests.at(-1) ?? [])
    .filter(({ role }) => role === "tool")
    .map((piece) => piece.text)
    .join("\n");
}
