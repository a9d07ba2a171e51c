import fs from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { locate } from "../../../src/app/workspace/locations.ts";
import { listPastSessions } from "../../../src/app/past/past-sessions.ts";
import { dropIndex, indexPast, type SearchOptions, searchPast } from "../../../src/app/past/search.ts";
import { cli } from "../../support/cli.ts";
import { claudeLine, writeOpenCode, writeSession } from "../../support/past.ts";
import { scratch } from "../../support/scratch.ts";

const CODEX_ID = "01a201b0-4768-7173-9497-951f68fb9103";
const record = (value: unknown): string => `${JSON.stringify(value)}\n`;

/** A project with a session of each client, in the order of their times, and a session of another project. */
function world() {
  const root = scratch();
  const home = `${root}/home`;
  const cwd = `${root}/shop`;
  fs.mkdirSync(cwd, { recursive: true });
  writeSession(
    home,
    "claude-code",
    cwd,
    "c1",
    [
      claudeLine("user", "Why does it say ECONNREFUSED?", { uuid: "u1", cwd, timestamp: "2026-03-10T10:00:00Z" }),
      claudeLine(
        "user",
        [
          {
            type: "tool_result",
            content: 'first line\nError: connect ECONNREFUSED "db"\nlast line\nECONNREFUSED again',
          },
        ],
        { uuid: "u2", cwd, timestamp: "2026-03-10T10:00:01Z" },
      ),
      record({ type: "attachment", attachment: { content: "ECONNREFUSED in an instruction file" }, sessionId: "c1" }),
    ],
    "2026-03-10T10:00:01Z",
  );
  writeSession(
    home,
    "codex",
    `${cwd}/sub`,
    CODEX_ID,
    [
      record({ type: "session_meta", payload: { id: CODEX_ID, cwd: `${cwd}/sub` } }),
      record({
        timestamp: "2026-03-11T10:00:00Z",
        type: "response_item",
        payload: { type: "function_call", name: "exec", arguments: JSON.stringify({ cmd: 'grep "ECONNREFUSED" log' }) },
      }),
    ],
    "2026-03-11T10:00:00Z",
  );
  writeSession(
    home,
    "gemini",
    cwd,
    "g1",
    [
      record({ sessionId: "g1", projectHash: "h" }),
      record({ id: "m1", timestamp: "2026-03-12T10:00:00Z", type: "gemini", content: "It was ECONN" }),
      record({ id: "m1", timestamp: "2026-03-12T10:00:00Z", type: "gemini", content: "It was ECONNREFUSED" }),
      record({ id: "m1", timestamp: "2026-03-12T10:00:00Z", type: "gemini", content: "It was ECONNREFUSED, once" }),
    ],
    "2026-03-12T10:00:00Z",
  );
  writeOpenCode(`${home}/.local/share/opencode`, [
    { id: "ses_1", directory: cwd, said: ["econnrefused", "still ECONNREFUSED"] },
    { id: "ses_2", directory: "/elsewhere", said: ["ECONNREFUSED"] },
  ]);
  const environment = { HOME: home, PATH: process.env["PATH"] };
  const locations = locate({ cwd, environment });
  return {
    root,
    home,
    cwd,
    environment,
    locations,
    find: async (term: string, options?: SearchOptions) => (await searchPast(locations, term, options)).messages,
  };
}

describe("past sessions", () => {
  it("are those of this project and its sub-directories, of every client, newest first", () => {
    const { locations, cwd } = world();
    expect(listPastSessions(locations).map(({ agent, session, cwd: at }) => [agent, session, at])).toEqual(
      [
        ["gemini", "session-g1", cwd],
        ["codex", CODEX_ID, `${cwd}/sub`],
        ["claude-code", "c1", cwd],
        ["opencode", "ses_1", cwd],
      ].toSorted((a, b) => (a[0] === "opencode" ? 1 : b[0] === "opencode" ? -1 : 0)),
    );
    expect(listPastSessions(locations, { allProjects: true, agent: "opencode" }).map(({ session }) => session)).toEqual(
      ["ses_2", "ses_1"],
    );
    expect(listPastSessions(locations, { sinceMs: Date.parse("2026-03-12") }).map(({ agent }) => agent)).toEqual([
      "gemini",
    ]);
  });

  it("are not there where no client is", () => {
    const root = scratch();
    expect(listPastSessions(locate({ cwd: root, environment: { HOME: `${root}/home` } }))).toEqual([]);
  });
});

describe("a search", () => {
  it("finds what was said, asked of tools and returned by them, and says who; a message written twice is one", async () => {
    const { find } = world();
    expect(
      (await find("ECONNREFUSED")).map(({ session, speaker, text }) => [session.agent, speaker, text.slice(0, 20)]),
    ).toEqual([
      ["gemini", "agent", "It was ECONNREFUSED,"],
      ["codex", "agent", 'exec\ngrep "ECONNREFU'],
      ["claude-code", "tool", "first line\nError: co"],
      ["claude-code", "you", "Why does it say ECON"],
      ["opencode", "you", "still ECONNREFUSED"],
    ]);
  });

  it("finds text that JSON writes otherwise: quotation marks, line ends, twice over", async () => {
    const { find } = world();
    expect((await find('ECONNREFUSED "db"')).map(({ session }) => session.session)).toEqual(["c1"]);
    expect((await find("first line\nError")).map(({ session }) => session.session)).toEqual(["c1"]);
    expect((await find('"ECONNREFUSED"')).map(({ session }) => session.agent)).toEqual(["codex"]);
  });

  it("takes capitals as they are unless told otherwise, and patterns when asked", async () => {
    const { find } = world();
    expect(await find("econnrefused")).toHaveLength(1);
    expect(await find("econnrefused", { ignoreCase: true })).toHaveLength(6);
    expect((await find("ECONN[A-Z]+,", { regex: true })).map(({ session }) => session.agent)).toEqual(["gemini"]);
    await expect(find("(", { regex: true })).rejects.toThrow("not a regular expression");
  });

  it("stops at the newest ones that were asked for", async () => {
    const { locations } = world();
    const result = await searchPast(locations, "ECONNREFUSED", { limit: 2 });
    expect(result.messages.map(({ session }) => session.agent)).toEqual(["gemini", "codex"]);
    expect(result.stopped).toBe(true);
  });

  it("finds lines wherever the pieces fall in which a file is read", async () => {
    const { home, cwd, locations } = world();
    const long = "x".repeat(700_000);
    const lines = Array.from({ length: 8 }, (_, n) =>
      claudeLine("user", `${long.slice(0, 524_000 + n * 37)} NEEDLE-${n} ${n % 3 === 0 ? long : ""}`, {
        uuid: `n${n}`,
        cwd,
      }),
    );
    writeSession(home, "claude-code", cwd, "long", lines);
    for (const options of [{}, { ignoreCase: true }]) {
      expect(
        (await searchPast(locations, "NEEDLE-", { ...options, agent: "claude-code" })).messages
          .map(({ text }) => /NEEDLE-\d/u.exec(text)?.[0])
          .toSorted(),
      ).toEqual(Array.from({ length: 8 }, (_, n) => `NEEDLE-${n}`));
    }
  });
});

describe("the index of past sessions", () => {
  it("finds the same as a scan, before and after sessions grow, shrink or are rewritten", async () => {
    const { home, cwd, locations } = world();
    const words = ["parseConfig", "config", "Étage", "ECONNREFUSED", "src/load.ts", "日本語", "tabs", "a b"];
    const terms = [...words, "onfi", "ECONN", "log", "tage", "日本", "nowhere", "load.ts", "b"];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        fc.boolean(),
        async (messages, append, refresh) => {
          const file = `${home}/.claude/projects/${cwd.replace(/[^A-Za-z0-9]/gu, "-")}/grow.jsonl`;
          const text = messages.map((said, n) => claudeLine("user", said.join("\n"), { uuid: `g${n}`, cwd })).join("");
          if (append && fs.existsSync(file)) fs.appendFileSync(file, text);
          else fs.writeFileSync(file, text);
          if (refresh) indexPast(locations);
          for (const term of terms) {
            for (const ignoreCase of [false, true]) {
              const [scanned, looked] = [
                await searchPast(locations, term, { ignoreCase, limit: 1000, way: "scan" }),
                await searchPast(locations, term, { ignoreCase, limit: 1000 }),
              ];
              expect(looked.messages).toEqual(scanned.messages);
            }
          }
        },
      ),
      { numRuns: 8 },
    );
    indexPast(locations);
    expect((await searchPast(locations, "ECONN")).way).toBe("index");
  });

  it("reads nothing again that has not changed, and only the new part of what grew", async () => {
    const { home, cwd, locations } = world();
    expect(indexPast(locations).files).toBe(3);
    expect(indexPast(locations)).toEqual({ files: 0, bytes: 0 });
    const added = claudeLine("user", "grown", { uuid: "u9", cwd });
    fs.appendFileSync(`${home}/.claude/projects/${cwd.replace(/[^A-Za-z0-9]/gu, "-")}/c1.jsonl`, added);
    expect(indexPast(locations)).toEqual({ files: 1, bytes: Buffer.byteLength(added) });
  });

  it("is begun again when it is damaged, and can be deleted", async () => {
    const { locations } = world();
    indexPast(locations);
    fs.writeFileSync(
      `${locations.memdirHome}/past.db`,
      "no database at all, but long enough to be read as one".repeat(200),
    );
    expect((await searchPast(locations, "ECONNREFUSED")).messages).toHaveLength(5);
    expect(dropIndex(locations)).toBe(true);
    expect(dropIndex(locations)).toBe(false);
  });
});

describe("memdir search", () => {
  it("prints who said it, when, the line with its neighbours and how to open the session", async () => {
    const { cwd, environment } = world();
    const { code, out } = await cli(["search", "ECONNREFUSED", "--agent", "claude-code"], { cwd, environment });
    expect(code).toBe(0);
    expect(out).toContain("tool 2026-03-10 10:00  claude-code");
    expect(out).toContain(
      '  first line\n> Error: connect ECONNREFUSED "db"\n  last line\n  and 1 more line in this message',
    );
    expect(out).toContain("claude --resume c1");
  });

  it("masks secrets in what it prints, even where the search is for them", async () => {
    const { home, cwd, environment } = world();
    const token = ["ghp", "0123456789abcdefghijABCDEFGHIJ456789"].join("_");
    const key = [
      "-----BEGIN RSA",
      "PRIVATE KEY-----\nTHEMIDDLEOFIT\nTHEENDOFIT\n-----END RSA",
      "PRIVATE KEY-----",
    ].join(" ");
    writeSession(home, "claude-code", cwd, "secret", [
      claudeLine("user", `deploy with ${token} now`, { uuid: "t", cwd }),
      claudeLine("user", key, { uuid: "k", cwd }),
    ]);
    for (const term of ["deploy with", "ghp_0123", "THEMIDDLE"]) {
      for (const json of [[], ["--json"]]) {
        const { out } = await cli(["search", term, "--agent", "claude-code", ...json], { cwd, environment });
        expect(out).not.toMatch(/0123456789abc|MIDDLEOFIT\n|THEENDOFIT/u);
        expect(out).toContain("•••");
      }
    }
  });

  it("says so when nothing is found, and reads nothing where memory is off", async () => {
    const { cwd, environment } = world();
    expect((await cli(["search", "nowhere to be found"], { cwd, environment })).out).toContain(
      "no message in 4 past sessions does",
    );
    expect(
      (await cli(["search", "ECONNREFUSED"], { cwd, environment: { ...environment, MEMDIR_MODE: "off" } })).out,
    ).toContain("memory is off");
    expect((await cli(["search"], { cwd, environment })).code).toBe(2);
    expect((await cli(["search", "--index"], { cwd, environment })).err).toContain("indexed");
  });
});
