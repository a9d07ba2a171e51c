import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { record } from "../../src/core/shared/json.ts";
import { DIST, startMemdirServer } from "../support/memdir-server.ts";
import { filesBelow, scratch } from "../support/scratch.ts";

/** A person's device: a home and a checkout of the project that the others have too. */
function device(root: string, name: string) {
  const home = path.join(root, `${name} Jané Döe`);
  const checkout = path.join(root, `checkout of ${name}`);
  fs.mkdirSync(home);
  fs.mkdirSync(checkout);
  for (const args of [
    ["init", "-q"],
    ["remote", "add", "origin", "https://example.com/shop/shop.git"],
  ])
    spawnSync("git", args, { cwd: checkout });
  const environment = { PATH: process.env["PATH"], HOME: home, XDG_CACHE_HOME: path.join(root, "cache") };
  const memdir = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(DIST, "memdir.cjs"), ...args], {
      cwd: checkout,
      env: environment,
      encoding: "utf8",
    });
    return { code: status, out: stdout, errors: stderr };
  };
  const fileOf = (note: string): string => {
    const found = [...filesBelow(home).keys()].find((file) => file.endsWith(`/memory/${note}`));
    if (found === undefined) throw new Error(`${name} has no ${note}`);
    return path.join(home, found);
  };
  /** As a client calls its hook: what it says, and when it has ended. */
  const hook = (client: string, event: Readonly<Record<string, string>>) => {
    const { status, stdout } = spawnSync(process.execPath, [path.join(DIST, "hook.cjs"), client], {
      cwd: checkout,
      env: environment,
      input: JSON.stringify({ session_id: "s", cwd: checkout, ...event }),
      encoding: "utf8",
    });
    return { code: status, out: stdout };
  };
  const startSession = () => hook("claude-code", { hook_event_name: "SessionStart", source: "startup" });
  /** The process that syncs, while it does. */
  const worker = (): number | undefined => {
    const mark = path.join(home, ".memdir", "sync", "worker");
    return fs.existsSync(mark) ? Number.parseInt(fs.readFileSync(mark, "utf8"), 10) : undefined;
  };
  const files = () => [...filesBelow(home).keys()].filter((file) => /\/memory\/[^/]+\.md$/u.test(file));
  return { home, memdir, fileOf, hook, startSession, worker, files };
}

const NOTE = "project_staging.md";

describe("two devices and a memdir-server", () => {
  it("share, merge, refuse and forget notes, and say when the server is gone", async () => {
    const root = scratch();
    const data = path.join(root, "data");
    const server = await startMemdirServer(data);
    const token = path.join(root, "token");
    fs.writeFileSync(token, server.token ?? "", { mode: 0o644 });
    const [a, b] = [device(root, "a"), device(root, "b")];
    const setup = [
      "sync",
      "setup",
      "--manual",
      "--remote",
      server.url,
      "--token-file",
      token,
      "--scope",
      "project",
      "--yes",
    ];
    a.memdir("remember", "Staging is deployed by the blue pipeline.", "--type", "project", "--name", "staging");
    const first = a.memdir(...setup);
    expect(first).toMatchObject({
      code: 0,
      errors: expect.stringMatching(/^other users .* `chmod 600 '.*token'`\n$/u),
    });
    fs.chmodSync(token, 0o600);
    const space = /, space (\S+)/u.exec(first.out)?.[1] ?? "none";
    expect(a.memdir("sync", "status").out).toContain(`space ${space}`);
    expect(b.memdir(...setup, "--space", space)).toMatchObject({ code: 0, errors: "" });
    expect(b.memdir("recall", "how is staging deployed").out).toContain("blue pipeline");

    fs.appendFileSync(a.fileOf(NOTE), "\nA line of a.\n");
    const text = fs.readFileSync(b.fileOf(NOTE), "utf8");
    fs.writeFileSync(b.fileOf(NOTE), text.replace(/^Staging/mu, "A line of b.\n\nStaging"));
    for (const one of [a, b, a]) expect(one.memdir("sync", "now")).toMatchObject({ code: 0 });
    expect(fs.readFileSync(a.fileOf(NOTE), "utf8")).toMatch(/A line of b\.\n\nStaging[^]*A line of a\./u);
    expect(fs.readFileSync(b.fileOf(NOTE), "utf8")).toBe(fs.readFileSync(a.fileOf(NOTE), "utf8"));

    const secret = ["AKIA", "QYLPMN5HFIQR7XYA"].join("");
    fs.writeFileSync(
      path.join(path.dirname(a.fileOf(NOTE)), "leak.md"),
      `---\nname: leak\ntype: project\n---\n${secret}\n`,
    );
    const refused = a.memdir("sync", "now", "--json");
    expect(refused.code).toBe(4);
    expect(JSON.stringify(record(JSON.parse(refused.out))["refused"])).toContain("leak.md");

    expect(a.memdir("forget", NOTE, "--yes").code).toBe(0);
    for (const one of [a, b]) one.memdir("sync", "now");
    expect(b.memdir("list").out).not.toContain("staging");
    // Both devices have the owner's token, so the server takes them for one.
    expect(b.memdir("sync", "receipts").out).toMatch(/purged on 1 device$/mu);
    expect(b.memdir("sync", "devices").out).toContain("has everything");
    await server.end();
    const holding = (words: string): readonly string[] =>
      [...filesBelow(root)].flatMap(([file, bytes]) => (bytes.includes(words) ? [file] : []));
    expect(holding("blue pipeline")).toEqual([]);
    // The secret stayed on the device where it was written.
    const leaked = holding(secret);
    expect(leaked).toContainEqual(expect.stringContaining("leak.md"));
    expect(leaked.filter((file) => !file.startsWith("a Jané Döe/"))).toEqual([]);

    const away = b.memdir("sync", "now");
    expect(away).toMatchObject({ code: 6, out: expect.stringContaining("cannot be reached") });
  }, 240_000);
});

const PATIENCE = { timeout: 60_000, interval: 100 };

describe("two devices and a repository that nobody syncs by hand", () => {
  it("have a note of one on the other when its next session has begun, and no process stays", async () => {
    const root = scratch();
    const bare = path.join(root, "notes of Jané Döe.git");
    spawnSync("git", ["init", "--quiet", "--bare", bare]);
    const [a, b] = [device(root, "a"), device(root, "b")];
    for (const one of [a, b])
      expect(one.memdir("sync", "setup", bare, "--scope", "project", "--yes")).toMatchObject({ code: 0, errors: "" });
    const ended = async (one: typeof a): Promise<void> => {
      await expect.poll(() => one.worker(), PATIENCE).toBeUndefined();
    };

    a.memdir("remember", "Staging is deployed by the blue pipeline.", "--type", "project", "--name", "staging");
    const pid = a.worker();
    await ended(a);
    await expect.poll(() => pid !== undefined && isAlive(pid), PATIENCE).toBe(false);
    expect(b.startSession().code).toBe(0);
    await ended(b);
    expect(b.files()).toContainEqual(expect.stringContaining(NOTE));

    b.memdir("remove", "staging");
    await ended(b);
    expect(a.files()).toContainEqual(expect.stringContaining(NOTE));
    expect(a.startSession().code).toBe(0);
    await ended(a);
    expect(a.files()).not.toContainEqual(expect.stringContaining(NOTE));
  }, 240_000);
});

/** The event of a prompt, as each client that has hooks names it. */
const PROMPTS = {
  "claude-code": "UserPromptSubmit",
  codex: "UserPromptSubmit",
  gemini: "BeforeAgent",
  opencode: "UserPromptSubmit",
};
const CLIENTS = ["claude-code", "codex", "gemini", "opencode"] as const;

describe.each(["git", "server"] as const)("a note that was saved on one device, by %s", (kind) => {
  it("is in the next prompts of the other, in a session that had begun before, and an edit of it too", async () => {
    const root = scratch();
    const bare = path.join(root, "notes.git");
    spawnSync("git", ["init", "--quiet", "--bare", bare]);
    const server = kind === "server" ? await startMemdirServer(path.join(root, "data")) : undefined;
    const token = path.join(root, "token");
    fs.writeFileSync(token, server?.token ?? "", { mode: 0o600 });
    const remote = server === undefined ? [bare] : [server.url, "--token-file", token];
    const [a, b] = [device(root, "a"), device(root, "b")];
    const space = ["--space", "project-shop"];
    for (const one of [a, b])
      expect(one.memdir("sync", "setup", ...remote, "--scope", "project", ...space, "--yes")).toMatchObject({
        code: 0,
      });
    const ended = async (one: typeof a): Promise<void> => {
      await expect.poll(() => one.worker(), PATIENCE).toBeUndefined();
    };
    const prompted = (client: keyof typeof PROMPTS): string =>
      b.hook(client, { hook_event_name: PROMPTS[client], session_id: client, prompt: "how is staging deployed?" }).out;
    for (const client of CLIENTS) expect(prompted(client)).not.toContain("pipeline");

    a.memdir("remember", "Staging is deployed by the blue pipeline.", "--type", "project", "--name", "staging");
    await ended(a);
    expect(b.startSession().code).toBe(0);
    await ended(b);
    for (const client of CLIENTS) expect(prompted(client), client).toContain("blue pipeline");

    fs.writeFileSync(a.fileOf(NOTE), fs.readFileSync(a.fileOf(NOTE), "utf8").replaceAll("blue", "green"));
    expect(a.startSession().code).toBe(0);
    await ended(a);
    expect(b.startSession().code).toBe(0);
    await ended(b);
    // Each conversation is told a note once, so this is another one.
    const other = { hook_event_name: "UserPromptSubmit", session_id: "other", prompt: "how is staging deployed?" };
    expect(b.hook("claude-code", other).out).toContain("green pipeline");
    await server?.end();
  }, 240_000);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // it has ended
  }
}
