import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentGround, type AgentSession, layOutForAgents, memdirBlocks, occurrences } from "./agent-ground.ts";
import { processesOf } from "./processes.ts";
import { type Piece, REAL_AGENTS, type RealAgent } from "./real-agents.ts";
import { treeOf } from "./with-memdir.ts";

const REASON = "mocked tests passed while the migration failed";
const PREFERENCE = `From now on always run the integration tests against the postgres container, never mocks: ${REASON}.`;
const FITTING = "Write the integration tests for the orders importer.";
const OTHER = "Rename the colour constants in the stylesheet.";
const MOST_CHARACTERS = 9500;
/** Somebody who may not write what root owns; where the tests run as root nothing else is read-only. */
const NOBODY = 65_534;

function sessionOf({ run }: AgentSession): void {
  expect(run.code, `${run.err}\n${run.out}`).toBe(0);
}

function firstOf({ requests }: AgentSession): readonly Piece[] {
  const [first] = requests;
  if (first === undefined) throw new Error("the client asked its model for nothing");
  return first;
}

function recalled(pieces: readonly Piece[]): readonly Piece[] {
  return memdirBlocks(pieces).filter(({ text }) => text.startsWith('<memdir-context source="recall"'));
}

/** The note is there once, where the client puts what a prompt hook says, behind the prompt it was found for, under the cap. */
function expectRecall(agent: RealAgent, session: AgentSession): void {
  const pieces = firstOf(session);
  const blocks = recalled(pieces);
  expect(blocks.map(({ role }) => role)).toEqual([agent.place]);
  expect(occurrences(pieces, REASON)).toBe(1);
  const [prompt, found] = [FITTING, REASON].map((words) => pieces.findLastIndex(({ text }) => text.includes(words)));
  expect(found).toBeGreaterThanOrEqual(prompt ?? 0);
  const total = memdirBlocks(pieces).map(({ text }) => text.length);
  expect(Math.max(...total)).toBeLessThanOrEqual(MOST_CHARACTERS);
}

function prepared(agents: readonly RealAgent[]): AgentGround {
  const ground = layOutForAgents({ home: Object.assign({}, ...agents.map(({ settings }) => settings)) });
  for (const { name } of agents) ground.memdir("install", name, "--yes");
  return ground;
}

function failures({ home }: AgentGround): string {
  const file = path.join(home, ".memdir", "hook-failures.jsonl");
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "";
}

for (const agent of REAL_AGENTS)
  describe(`${agent.title}`, () => {
    let ground: AgentGround;
    let before: ReadonlyMap<string, string>;
    let place: string;
    const left: (readonly string[])[] = [];

    beforeAll(() => {
      if (agent.program === undefined) return;
      ground = layOutForAgents({ home: agent.settings });
      before = treeOf(ground.home);
    });
    afterAll(() => ground?.remove());

    const take = async (turn: Parameters<AgentGround["ask"]>[1]): Promise<AgentSession> => {
      const session = await ground.ask(agent, turn);
      left.push(session.left);
      sessionOf(session);
      return session;
    };

    it.skipIf(agent.program === undefined)(
      "install: one command, and the client starts without complaint",
      async () => {
        expect(ground.memdir("install", agent.name, "--yes")).toContain(`${agent.title}: installed`);
        const session = await take({ prompt: OTHER });
        expect(memdirBlocks(firstOf(session))).toEqual([]);
        expect(failures(ground)).toBe("");
      },
    );

    it.skipIf(agent.program === undefined)(
      "capture: a preference said in the first session is noted when its turn has ended",
      async () => {
        await take({ prompt: PREFERENCE });
        const [note, ...others] = listed(ground);
        expect(others).toEqual([]);
        place = path.join(note?.directory ?? "", note?.file ?? "");
        const text = fs.readFileSync(place, "utf8");
        expect(text).toContain(REASON);
        expect(text).toMatch(/evidence:\n\s+session: \S+\n\s+message: \S+/u);
      },
    );

    it.skipIf(agent.program === undefined)(
      "worktree: the second session, in another worktree, is given it once, in place, under the cap",
      async () => {
        const session = await take({ prompt: FITTING, cwd: ground.worktree });
        expectRecall(agent, session);
        // What was recalled is not captured as if somebody had said it.
        expect(listed(ground)).toHaveLength(1);
      },
    );

    it.skipIf(agent.program === undefined)("index: a note's line is paid for once", async () => {
      const pieces = firstOf(await take({ prompt: OTHER, cwd: ground.worktree }));
      // As MEMORY.md has it, and as the session's start lists it where the client does not show that.
      const [inPage, atStart] = [`](${path.basename(place)})`, `- ${path.basename(place)}: `];
      expect(occurrences(pieces, inPage) + occurrences(pieces, atStart)).toBe(1);
    });

    it.skipIf(agent.program === undefined)("other prompt: what does not bear on it is not recalled", async () => {
      const pieces = firstOf(await take({ prompt: OTHER }));
      expect(recalled(pieces)).toEqual([]);
      expect(occurrences(pieces, REASON)).toBe(0);
    });

    it.skipIf(agent.program === undefined)(
      "MCP: remember, recall and read answer through the installed server",
      async () => {
        const captured = listed(ground).find(({ file }) => file.startsWith("feedback_"));
        const calls = [
          agent.memory("remember", {
            text: "The staging cluster is called heron and runs in Dublin.",
            type: "project",
            name: "staging-cluster",
          }),
          agent.memory("recall", { prompt: "where does the staging cluster run" }),
          agent.memory("read", { note: captured?.file ?? "" }),
        ];
        const { requests } = await take({ prompt: OTHER, calls });
        const results =
          requests
            .at(-1)
            ?.filter(({ role }) => role === "tool")
            .map(({ text }) => text) ?? [];
        expect(results).toHaveLength(3);
        expect(results[1]).toContain("heron");
        expect(results[2]).toContain(REASON);
        expect(listed(ground).map(({ file }) => file)).toContain("project_staging_cluster.md");
      },
    );

    it.skipIf(agent.program === undefined)(
      "guards: deny stops a call, ask does not let it pass unasked, warn reaches the agent",
      async () => {
        const guarded = prepared([agent]);
        try {
          for (const action of ["deny", "ask", "warn"]) {
            guarded.memdir(
              "remember",
              `Take care with ${action}.flag, it erased work once.`,
              "--type",
              "feedback",
              "--name",
              `care-${action}`,
            );
            guarded.memdir(
              "guard",
              "set",
              `care-${action}`,
              "--tool",
              "Bash",
              "--pattern",
              `touch ${action}\\.flag`,
              "--action",
              action,
              "--message",
              `Reason to ${action}.`,
            );
            guarded.memdir("guard", "enable", `care-${action}`, "--yes");
          }
          const calls = ["deny", "ask", "warn"].map((action) => agent.shell(`touch ${action}.flag`));
          const session = await guarded.ask(agent, { prompt: OTHER, calls });
          sessionOf(session);
          const made = ["deny", "ask", "warn"].filter((action) =>
            fs.existsSync(path.join(guarded.project, `${action}.flag`)),
          );
          const last = session.requests.at(-1) ?? [];
          expect(made).toEqual(["warn"]);
          for (const action of ["deny", "warn"])
            expect(occurrences(last, `Reason to ${action}.`), action).toBeGreaterThanOrEqual(1);
          left.push(session.left);
          expect(failures(guarded)).toBe("");
        } finally {
          guarded.remove();
        }
      },
    );

    describe.concurrent("fail open", () => {
      const openly = async (
        spoil: (spoiled: AgentGround) => Partial<Parameters<AgentGround["ask"]>[1]>,
        afterwards?: (spoiled: AgentGround) => Promise<void>,
      ): Promise<AgentSession & { readonly ground: AgentGround }> => {
        const spoiled = prepared([agent]);
        try {
          spoiled.memdir("remember", PREFERENCE, "--type", "feedback", "--name", "no-mocks");
          const session = await spoiled.ask(agent, {
            prompt: FITTING,
            calls: [agent.shell("touch went.on")],
            ...spoil(spoiled),
          });
          sessionOf(session);
          expect(occurrences(firstOf(session), FITTING)).toBeGreaterThanOrEqual(1);
          expect(fs.existsSync(path.join(spoiled.project, "went.on"))).toBe(true);
          left.push(session.left);
          await afterwards?.(spoiled);
          return { ...session, ground: spoiled };
        } finally {
          spoiled.remove();
        }
      };

      it.skipIf(agent.program === undefined)(
        "memdir deleted: the turn goes on, and the person hears of it once",
        async () => {
          let later: AgentSession | undefined;
          const session = await openly(
            ({ program }) => {
              fs.rmSync(path.dirname(program), { recursive: true });
              return {};
            },
            async (spoiled) => {
              later = await spoiled.ask(agent, { prompt: FITTING });
              // OpenCode's plugin is no command of a shell; the others leave a mark when they have told it.
              const marks = fs
                .readdirSync(path.join(spoiled.home, ".memdir"))
                .filter((name) => name.startsWith("gone-"));
              expect(marks).toEqual(agent.name === "opencode" ? [] : [`gone-for-${agent.name}`]);
              if (agent.name !== "claude-code") return;
              const told = [...treeOf(spoiled.home)]
                .filter(([file]) => file.endsWith(".jsonl"))
                .map(([, text]) => text);
              expect(told.join("").split('"type":"hook_system_message"')).toHaveLength(2);
              expect(told.join("")).not.toMatch(/"type":"hook_(?:non_blocking_error|error|blocking_error)/u);
            },
          );
          expect(memdirBlocks(firstOf(session))).toEqual([]);
          const said = `${session.run.out}${session.run.err}${later?.run.out ?? ""}${later?.run.err ?? ""}`;
          expect(said).not.toMatch(/Cannot find module|MODULE_NOT_FOUND|command not found/u);
          expect(later?.run.code).toBe(0);
          expect(`${later?.run.out ?? ""}${later?.run.err ?? ""}`).not.toContain("memdir is not where");
        },
      );

      it.skipIf(agent.program === undefined)(
        "store read-only: the turn goes on, and what is known is recalled",
        async ({ skip }) => {
          skip(
            !mayBeReadOnly(agent),
            `somebody else (user ${String(NOBODY)}) may not run ${agent.program ?? agent.name}: make its directories readable`,
          );
          const session = await openly((spoiled) => readOnlyStore(spoiled));
          expect(occurrences(firstOf(session), REASON)).toBeGreaterThanOrEqual(1);
        },
      );

      it.skipIf(agent.program === undefined)(
        "index corrupt: the turn goes on, and what is known is recalled",
        async () => {
          const session = await openly(({ home, root }) => {
            const indexes = [...treeOf(home).keys()].filter((file) => /\.(?:db|sqlite)$/u.test(file));
            expect(indexes, root).not.toEqual([]);
            for (const file of indexes) fs.writeFileSync(path.join(home, file), "no index");
            return {};
          });
          expect(occurrences(firstOf(session), REASON)).toBeGreaterThanOrEqual(1);
        },
      );

      it.skipIf(agent.program === undefined)("hook killed: the turn goes on", async () => {
        let killed = 0;
        await openly(({ home }) => ({
          beside: () => {
            const timer = setInterval(() => (killed += killHooks(home)), 5);
            return () => clearInterval(timer);
          },
        }));
        expect(killed).toBeGreaterThan(0);
      });
    });

    it.skipIf(agent.program === undefined)("uninstall: files are as they were before, and notes stay", () => {
      const notes = fs.readFileSync(place, "utf8");
      ground.memdir("uninstall", agent.name, "--yes");
      const after = treeOf(ground.home);
      for (const [file, bytes] of [...before].filter(([name]) => !agent.rewrites.includes(name)))
        expect(after.get(file), file).toBe(bytes);
      const kept = [...after.keys()].filter((file) => !before.has(file) && !file.startsWith(".memdir/"));
      expect(kept.filter((file) => /(?:^|\/)(?:memdir[^/]*|hooks\.json)$/u.test(file))).toEqual([]);
      for (const file of agent.rewrites) expect(after.get(file) ?? "").not.toMatch(/memdir\.cjs|hook\.cjs/u);
      expect(fs.readFileSync(place, "utf8")).toBe(notes);
    });

    it.skipIf(agent.program === undefined)(
      "processes: none is left after any session but the worker, and that ends",
      () => {
        expect(left.length).toBeGreaterThan(5);
        expect(left.flat()).toEqual([]);
        expect(processesOf(ground.home)).toEqual([]);
      },
    );
  });

for (const agent of REAL_AGENTS)
  describe(`${agent.title}`, () => {
    const [first] = REAL_AGENTS.filter(({ name, program }) => name !== agent.name && program !== undefined);

    it.skipIf(agent.program === undefined || first === undefined)(
      "another client: what was said in a session of another client is given to it",
      async () => {
        if (first === undefined) return;
        const ground = prepared([first, agent]);
        try {
          sessionOf(await ground.ask(first, { prompt: PREFERENCE }));
          expect(listed(ground)).toHaveLength(1);
          const session = await ground.ask(agent, { prompt: FITTING });
          sessionOf(session);
          expectRecall(agent, session);
          expect(recalled(firstOf(await ground.ask(agent, { prompt: OTHER })))).toEqual([]);
        } finally {
          ground.remove();
        }
      },
    );
  });

const [claude] = REAL_AGENTS;

describe("Claude Code", () => {
  it.skipIf(claude?.program === undefined)(
    "compaction: pinned notes and session notes come back byte for byte, and what was recalled may be again",
    async () => {
      if (claude === undefined) return;
      const ground = prepared([claude]);
      const session = randomUUID();
      try {
        ground.memdir("remember", "I am called dev and prefer short answers.", "--type", "user", "--name", "who-i-am");
        ground.memdir("pin", "who-i-am");
        ground.memdir("remember", PREFERENCE, "--type", "feedback", "--name", "no-mocks");
        fs.writeFileSync(
          path.join(ground.project, "long.txt"),
          "One line of many that a build prints while it works.\n".repeat(900),
        );
        const begun = await ground.ask(claude, {
          prompt: FITTING,
          more: ["--session-id", session],
          calls: [
            ...["head", "tail", "head"].map((half) => claude.shell(`${half} -c 20000 long.txt`)),
            claude.shell("ls missing"),
          ],
        });
        const again = await ground.ask(claude, { prompt: FITTING, more: ["--resume", session] });
        expect(recalled(again.requests.at(-1) ?? []), "a note that the session has is not recalled twice").toHaveLength(
          1,
        );
        const notes = blockOf(ground.memdir("session", "show", session));
        const pinned =
          firstOf(begun)
            .map(({ text }) => /## Pinned[\s\S]*?(?=\n\n## |\n<\/memdir)/u.exec(text)?.[0])
            .find((text) => text !== undefined) ?? "nothing pinned";
        const compacted = await ground.ask(claude, { prompt: "/compact", more: ["--resume", session] });
        sessionOf(compacted);
        const next = await ground.ask(claude, { prompt: FITTING, more: ["--resume", session] });
        sessionOf(next);
        const blocks = memdirBlocks(next.requests.at(-1) ?? []).map(({ text }) => text);
        // What is said before a compaction is in the request that compacts; the client also repeats it in its record of the command.
        expect(memdirBlocks(compacted.requests.at(-1) ?? []).map(({ text }) => text)).toContain(notes);
        expect(blocks).toContain(notes);
        expect(
          blocks.filter((text) => text.includes('source="after-compaction"') && text.includes(pinned)),
        ).toHaveLength(1);
        expect(recalled(next.requests.at(-1) ?? []), "recalled anew").toHaveLength(1);
        expect(failures(ground)).toBe("");
      } finally {
        ground.remove();
      }
    },
  );
});

function blockOf(text: string): string {
  return /<memdir-context[\s\S]*<\/memdir-context>/u.exec(text)?.[0] ?? "no notes of the session";
}

interface ListedNote {
  readonly file: string;
  readonly directory: string;
}

function listed(ground: AgentGround): readonly ListedNote[] {
  const files = treeOf(ground.home);
  return [...files.keys()]
    .filter((file) => /\/memory\/(?!MEMORY\.md)[^/]+\.md$/u.test(file) && !file.split("/").includes("tmp"))
    .map((file) => ({ file: path.basename(file), directory: path.join(ground.home, path.dirname(file)) }));
}

/** Root writes what is read-only, so the client must then be within reach of somebody else. */
function mayBeReadOnly({ program }: RealAgent): boolean {
  if (program === undefined || process.getuid?.() !== 0) return true;
  return (
    spawnSync(program, ["--version"], { uid: NOBODY, gid: NOBODY, cwd: "/", env: {}, timeout: 30_000 }).error ===
    undefined
  );
}

/** Nothing of memdir's can be written: the client runs as somebody else where this is root, for whom nothing is read-only. */
function readOnlyStore({ root, home }: AgentGround): { readonly uid?: number } {
  const isRoot = process.getuid?.() === 0;
  const walk = (directory: string, visit: (file: string) => void): void => {
    for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
      const file = path.join(directory, entry.name);
      if (entry.isSymbolicLink()) continue;
      if (entry.isDirectory()) walk(file, visit);
      visit(file);
    }
  };
  if (isRoot) {
    walk(root, (file) => fs.lchownSync(file, NOBODY, NOBODY));
    fs.chownSync(root, NOBODY, NOBODY);
  }
  const stores = [path.join(home, ".memdir"), path.join(home, ".claude", "projects")].filter((directory) =>
    fs.existsSync(directory),
  );
  for (const directory of stores) {
    const lock = (file: string): void => fs.chmodSync(file, fs.statSync(file).isDirectory() ? 0o555 : 0o444);
    if (directory.endsWith(".memdir")) {
      walk(directory, lock);
      lock(directory);
    } else walk(directory, (file) => /\/memory(?:\/|$)/u.test(file) && lock(file));
  }
  return isRoot ? { uid: NOBODY } : {};
}

/** Ends hooks of this home as soon as they are seen; says how many. */
function killHooks(home: string): number {
  const hooks = processesOf(home).filter(
    ({ line }) => line.includes("hook.cjs") && !line.startsWith("/bin/sh") && !line.startsWith("sh "),
  );
  for (const { id } of hooks) {
    try {
      process.kill(id, "SIGKILL");
    } catch {
      // It was done already.
    }
  }
  return hooks.length;
}
