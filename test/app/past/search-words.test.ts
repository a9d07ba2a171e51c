import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { locate } from "../../../src/app/workspace/locations.ts";
import { openPast } from "../../../src/app/past/past.ts";
import { indexPast } from "../../../src/app/past/search.ts";
import { MemoryError } from "../../../src/core/shared/errors.ts";
import { claudeLine, writeOpenCode, writeSession } from "../../support/past.ts";
import { scratch } from "../../support/scratch.ts";

const NOBODY = { agent: undefined, meta: {} };
const DAY = "2026-03-10T10:00:00Z";
let uuid = 0;

function world() {
  const home = `${scratch()}/home`;
  const cwd = `${home}/shop`;
  fs.mkdirSync(cwd, { recursive: true });
  const write = (session: string, texts: readonly (readonly ["user" | "assistant", unknown])[], time = DAY): void => {
    const lines = texts.map(([role, content]) =>
      claudeLine(role, content, { uuid: `u${uuid++}`, cwd, timestamp: time, sessionId: session }),
    );
    writeSession(home, "claude-code", cwd, session, lines, time);
  };
  const environment: Record<string, string> = { HOME: home, CLAUDE_CONFIG_DIR: `${home}/.claude` };
  const locations = () => locate({ cwd, environment });
  const search = async (
    query: string,
    running: Parameters<NonNullable<ReturnType<typeof openPast>>>[1]["running"] = NOBODY,
  ) =>
    (await openPast(locations())?.(query, { most: 10, running, signal: new AbortController().signal })) ?? {
      hits: [],
      total: -1,
    };
  return { home, cwd, write, search, locations, environment };
}

describe("search_past", () => {
  it("finds words that stand apart in one message, best first, in every client", async () => {
    const { home, cwd, write, search } = world();
    write("one", [
      ["user", "Kafka was mentioned here"],
      ["assistant", "After the broker restarts, Kafka has to be told that the replay begins at offset 12."],
      ["user", "replay the tape"],
    ]);
    writeOpenCode(`${home}/.local/share/opencode`, [
      { id: "ses_1", directory: cwd, said: ["and the Replay of kafka topics is slow"] },
    ]);
    const { hits, total } = await search("Kafka replay");
    expect(total).toBe(4);
    expect(
      hits
        .slice(0, 2)
        .map(({ agent }) => agent)
        .toSorted(),
    ).toEqual(["claude-code", "opencode"]);
    expect(hits.find(({ agent }) => agent === "claude-code")?.text).toContain("the replay begins at offset 12");
    expect(hits.slice(2).map(({ text }) => text)).toContain("replay the tape");
  });

  it("finds the same with an index", async () => {
    const { write, search, locations } = world();
    write("one", [
      ["user", "Kafka was mentioned here"],
      ["assistant", `${"filler ".repeat(2000)} the replay of Kafka`],
    ]);
    const scanned = await search("Kafka replay");
    indexPast(locations());
    expect(await search("Kafka replay")).toEqual(scanned);
    expect(scanned.total).toBe(2);
  });

  it("shows the words with what stands around them, secrets masked", async () => {
    const { write, search } = world();
    const key = ["AKIA", "IOSFODNN7", "EXAMPLQ"].join("");
    write("one", [["user", `${"before ".repeat(500)} the flux capacitor has key ${key} ${"after ".repeat(500)}`]]);
    const text = (await search("capacitor flux")).hits[0]?.text ?? "";
    expect(text).toContain("flux capacitor has key");
    expect(text).not.toContain(key);
    expect(text.length).toBeLessThan(800);
  });

  it("leaves out what memdir itself was asked and answered", async () => {
    const { write, search } = world();
    write("one", [
      ["assistant", [{ type: "tool_use", id: "t1", name: "mcp__memdir__search_past", input: { query: "zeppelin" } }]],
      [
        "user",
        [
          {
            type: "tool_result",
            tool_use_id: "t1",
            content: '<memdir-context source="past">zeppelin</memdir-context>',
          },
        ],
      ],
      ["user", "where did we park the zeppelin?"],
    ]);
    expect((await search("zeppelin")).hits.map(({ text }) => text)).toEqual(["where did we park the zeppelin?"]);
  });

  it("needs a word, and says so", async () => {
    const { search } = world();
    await expect(search("of the")).rejects.toThrow(MemoryError);
  });
});

describe("the session that asks", () => {
  const now = (): string => new Date().toISOString();

  it("is left out where its client names it: in the environment, or with the call", async () => {
    const { write, search, environment } = world();
    write("session-old", [["user", "zeppelin in hangar two"]]);
    write("session-now", [["user", "do you remember the zeppelin?"]], now());
    const named = await search("zeppelin", { agent: "codex", meta: { context: { threadId: "session-now" } } });
    expect(named.hits.map(({ session }) => session)).toEqual(["session-old"]);
    environment["CLAUDE_CODE_SESSION_ID"] = "session-now";
    expect((await search("zeppelin")).hits.map(({ session }) => session)).toEqual(["session-old"]);
  });

  it("is left out by the call that stands in its transcript, and another running session is not", async () => {
    const { write, search } = world();
    const call = {
      type: "tool_use",
      id: "toolu_0123456789",
      name: "mcp__memdir__search_past",
      input: { query: "zeppelin" },
    };
    write(
      "session-now",
      [
        ["user", "do you remember the zeppelin?"],
        ["assistant", [call]],
      ],
      now(),
    );
    write("session-beside", [["user", "a zeppelin for lunch"]], now());
    const meta = { "claudecode/toolUseId": "toolu_0123456789" };
    const { hits } = await search("zeppelin", { agent: "claude-code", meta });
    expect(hits.map(({ session }) => session)).toEqual(["session-beside"]);
  });

  it("is the client's newest where nothing names it, if that is still being written", async () => {
    const { write, search } = world();
    write("session-old", [["user", "zeppelin in hangar two"]]);
    expect((await search("zeppelin", { agent: "claude-code", meta: {} })).total).toBe(1);
    write("session-now", [["user", "do you remember the zeppelin?"]], now());
    const { hits } = await search("zeppelin", { agent: "claude-code", meta: {} });
    expect(hits.map(({ session }) => session)).toEqual(["session-old"]);
  });
});
