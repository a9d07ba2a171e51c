import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type AgentGround,
  type AgentSession,
  layOutForAgents,
  memdirBlocks,
  occurrences,
  type Turn,
} from "./agent-ground.ts";
import type { ToolCall } from "./fake-model.ts";
import { type Piece, REAL_AGENTS, type RealAgent } from "./real-agents.ts";

/** Words at the end of each note, which no line of an index has room for. */
const NOTE = "because the mock lied in March";
const PIN = "at most five lines each";
const CHANGED = "at most six lines each";
const ASKED = "which container do the quokka tests need";
/** OpenCode starts slowly where it cannot fetch a package of its own; a step has up to three turns. */
const STEP_MS = 400_000;
/** More than any model here takes. */
const TOO_MANY_TOKENS = 1_100_000;

/** How one client's sessions are begun and gone on with from a script. */
interface Life {
  /** What starts a session of this id, where the client lets one choose it. */
  begin(id: string): readonly string[];
  /** The id of the session that just ran, where it was not chosen. */
  idOf(session: AgentSession, ground: AgentGround): string | undefined;
  resume(id: string): readonly string[];
  /** `undefined` where the client has none. */
  fork?(id: string): readonly string[];
  /** The call that starts a sub-agent, and what switches that on. */
  readonly subAgent: ToolCall;
  /** A command typed as a prompt that compacts; `undefined` where there is none without a terminal. */
  readonly compact?: string;
  /** A command typed as a prompt that begins anew. */
  readonly clear?: string;
  /** The turn that makes the client compact without being asked, during it or before the next. */
  fill(id: string): Partial<Turn>;
}

const LOOK: ToolCall = { tool: "list_directory", input: { dir_path: "." } };
const TASK = { description: "look", prompt: "look at it" };
const LIVES: Readonly<Record<RealAgent["name"], Life>> = {
  "claude-code": {
    begin: (id) => ["--session-id", id],
    idOf: ({ run }) => /"session_id":"([^"]+)"/u.exec(run.out)?.[1],
    resume: (id) => ["--resume", id],
    fork: (id) => ["--resume", id, "--fork-session"],
    subAgent: { tool: "Agent", input: { ...TASK, subagent_type: "general-purpose" } },
    compact: "/compact",
    clear: "/clear",
    fill: (id) => ({ more: ["--resume", id], tokens: TOO_MANY_TOKENS }),
  },
  codex: {
    begin: () => [],
    idOf: ({ run }) => /"thread_id":"([^"]+)"/u.exec(run.out)?.[1],
    resume: (id) => ["resume", id],
    fork: (id) => ["fork", id],
    subAgent: { tool: "spawn_agent", input: { message: TASK.prompt } },
    fill: (id) => ({ more: ["-c", "model_auto_compact_token_limit=50", "resume", id] }),
  },
  gemini: {
    begin: (id) => ["--session-id", id],
    idOf: ({ run }) => /"session_id": "([^"]+)"/u.exec(run.out)?.[1],
    resume: () => ["--resume", "latest"],
    subAgent: { tool: "invoke_agent", input: { agent_name: "generalist", prompt: TASK.prompt } },
    compact: "/compress",
    clear: "/clear",
    // It compacts between two requests of a turn; results of earlier calls count as steps of the script.
    fill: () => ({ more: ["--resume", "latest"], tokens: 900_000, calls: Array.from({ length: 3 }, () => LOOK) }),
  },
  opencode: {
    begin: () => [],
    // It prints none; the latest session in the log of recalls is this one.
    idOf: (_, ground) =>
      logOf(ground)
        .match(/"session":"(ses_[^"]+)"/gu)
        ?.at(-1)
        ?.slice(11, -1),
    resume: (id) => ["--session", id],
    fork: (id) => ["--session", id, "--fork"],
    subAgent: { tool: "task", input: { ...TASK, subagent_type: "general" } },
    fill: (id) => ({ more: ["--session", id], tokens: TOO_MANY_TOKENS }),
  },
};

function logOf({ home }: AgentGround): string {
  return fs
    .readdirSync(path.join(home, ".memdir", "stores"), { recursive: true, encoding: "utf8" })
    .filter((name) => path.basename(name) === "recalls.jsonl")
    .map((name) => fs.readFileSync(path.join(home, ".memdir", "stores", name), "utf8"))
    .join("");
}

/** What a request holds: of each note how often its end stands in a block of memdir's, and the person's words in it. */
function held(pieces: readonly Piece[], said: readonly string[]): object {
  const blocks = memdirBlocks(pieces);
  return {
    note: occurrences(blocks, NOTE),
    pin: occurrences(blocks, PIN),
    changed: occurrences(blocks, CHANGED),
    said: said.map((word) => `${word} ${String(occurrences(pieces, word))}`),
  };
}

function once(said: readonly string[], more: object = {}): object {
  return { note: 1, pin: 1, changed: 0, said: said.map((word) => `${word} 1`), ...more };
}

for (const agent of REAL_AGENTS)
  describe(`the life of a session in ${agent.title}`, () => {
    const life = LIVES[agent.name];
    let ground: AgentGround;
    let id: string = randomUUID();
    const said: string[] = [];

    beforeAll(() => {
      if (agent.program === undefined) return;
      ground = layOutForAgents({ home: agent.settings });
      ground.memdir("install", agent.name, "--yes");
      const remember = (text: string, type: string, name: string): string =>
        ground.memdir("remember", text, "--type", type, "--name", name);
      remember(
        `The quokka tests need the container, never a mocked quokka service, in each repository that we have, ${NOTE}.`,
        "feedback",
        "quokka-tests",
      );
      remember(
        `I am called dev and prefer short answers in plain English to every question that I ask, ${PIN}.`,
        "user",
        "who-i-am",
      );
      ground.memdir("pin", "who-i-am");
    });
    afterAll(() => ground?.remove());

    const ask = async (turn: Turn): Promise<AgentSession> => {
      const session = await ground.ask(agent, turn);
      if (session.run.code !== 0) throw new Error(`${session.run.err}\n${session.run.out}`);
      return session;
    };
    /** A turn whose prompt begins with a word that no other has; what its last request held. */
    const say = async (word: string, turn: Partial<Turn>): Promise<AgentSession> => {
      said.push(word);
      return ask({ prompt: `${word} ${ASKED}`, ...turn });
    };
    const last = ({ requests }: AgentSession): readonly Piece[] => requests.at(-1) ?? [];
    const go = (): Partial<Turn> => ({ more: life.resume(id) });

    const isMissing = agent.program === undefined;
    const limits = { retry: 0, timeout: STEP_MS };

    it.skipIf(isMissing)("start: each note once", limits, async () => {
      const session = await say("ALPHA", { more: life.begin(id) });
      expect(held(last(session), said)).toEqual(once(said));
      id = life.idOf(session, ground) ?? "no id";
    });

    it.skipIf(isMissing)("resume: nothing again, and every prompt of the person is there", limits, async () => {
      expect(held(last(await say("BRAVO", go())), said)).toEqual(once(said));
      expect(held(last(await say("CHARLIE", go())), said)).toEqual(once(said));
    });

    it.skipIf(isMissing)("resume after a pinned note was edited: the new text once", limits, async () => {
      const file = path.join(ground.home, ".memdir", "user", "memory", "user_who_i_am.md");
      fs.writeFileSync(file, fs.readFileSync(file, "utf8").replaceAll(PIN, CHANGED));
      expect(held(last(await say("DELTA", go())), said)).toEqual(once(said, { changed: 1 }));
      expect(held(last(await say("ECHO", go())), said)).toEqual(once(said, { changed: 1 }));
    });

    it.skipIf(isMissing || life.fork === undefined)(
      "fork: it has what its origin had, and is resumed as another",
      limits,
      async () => {
        const before = [...said];
        const session = await say("FOXTROT", { more: life.fork?.(id) ?? [] });
        expect(held(last(session), said)).toEqual(once(said, { changed: 1 }));
        const forked = life.idOf(session, ground) ?? "no id";
        expect(forked).not.toBe(id);
        expect(held(last(await say("GOLF", { more: life.resume(forked) })), said)).toEqual(once(said, { changed: 1 }));
        said.splice(0, said.length, ...before);
      },
    );

    it.skipIf(isMissing)("sub-agent: it is given no start, and the session has nothing twice", limits, async () => {
      const { requests } = await say("HOTEL", { ...go(), calls: [life.subAgent] });
      const own = requests.filter((pieces) => occurrences(pieces, "HOTEL") === 0);
      for (const pieces of own) expect(memdirBlocks(pieces)).toEqual([]);
      expect(held(requests.at(-1) ?? [], said)).toEqual(once(said, { changed: 1 }));
    });

    it.skipIf(isMissing || life.compact === undefined)(
      "compaction, asked for: the next prompt has each note once",
      limits,
      async () => {
        await ask({ prompt: life.compact ?? "", ...go() });
        said.splice(0);
        expect(held(last(await say("INDIA", go())), said)).toEqual(once(said, { pin: 0, changed: 1 }));
      },
    );

    it.skipIf(isMissing)("compaction, not asked for: the next prompts have each note once", limits, async () => {
      // So long that what Gemini CLI keeps beside its summary is this prompt alone.
      await ask({ prompt: `JULIET ${"many words. ".repeat(2000)} ${ASKED}`, ...life.fill(id) });
      await ask({ prompt: `KILO ${ASKED}`, ...go() });
      said.splice(0);
      const compacted = await say("LIMA", go());
      // Codex keeps every prompt of the person beside its summary, and Gemini CLI the latest third.
      const keepsPrompts = agent.name === "codex" || agent.name === "gemini";
      expect(keepsPrompts || occurrences(last(compacted), "HOTEL") === 0, "it was compacted").toBe(true);
      expect(held(last(compacted), said)).toEqual(once(said, { pin: 0, changed: 1 }));
      expect(held(last(await say("MIKE", go())), said)).toEqual(once(said, { pin: 0, changed: 1 }));
    });

    it.skipIf(isMissing || life.clear === undefined)("clear: a new session, with its own start", limits, async () => {
      const cleared = await ask({ prompt: life.clear ?? "", ...go() });
      said.splice(0);
      const fresh = life.idOf(cleared, ground) ?? "no id";
      expect(held(last(await say("NOVEMBER", { more: life.resume(fresh) })), [...said, "MIKE"])).toEqual({
        ...once(said, { pin: 0, changed: 1 }),
        said: ["NOVEMBER 1", "MIKE 0"],
      });
    });

    it.skipIf(isMissing)("no hook failed", limits, async () => {
      expect(fs.existsSync(path.join(ground.home, ".memdir", "hook-failures.jsonl"))).toBe(false);
      expect(logOf(ground)).toContain('"started"');
      await Promise.resolve();
    });
  });
