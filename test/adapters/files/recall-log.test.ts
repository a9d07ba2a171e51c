import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { nodeFiles } from "../../../src/adapters/files/node-files.ts";
import { openKeptRecallLog } from "../../../src/adapters/files/recall-log.ts";
import type { KeptRecallLog } from "../../../src/core/recall/log-line.ts";
import { scratch } from "../../support/scratch.ts";

const NOW = Date.parse("2026-03-02T09:00:00Z");
const DAY_MS = 86_400_000;

function logIn(state: string, now = NOW): KeptRecallLog {
  return openKeptRecallLog({
    state,
    files: nodeFiles,
    clock: { now: () => now },
    project: "/home/dev/orders",
    keeps: "text",
  });
}

const lineAt = (ms: number, extra = ""): string => JSON.stringify({ time: new Date(ms).toISOString(), extra });

describe("the recall log", () => {
  it("keeps lines in order in a file that only the user can read", () => {
    const root = scratch();
    for (const one of ["a", "b"]) logIn(root).append(`{"time":"${one}"}`);
    expect(logIn(root).tail()).toEqual(['{"time":"a"}', '{"time":"b"}']);
    expect(fs.statSync(`${root}/recalls.jsonl`).mode & 0o777).toBe(0o600);
  });

  it("takes back permissions that somebody else gave", () => {
    const root = scratch();
    fs.writeFileSync(`${root}/recalls.jsonl`, "", { mode: 0o644 });
    logIn(root).append("{}");
    expect(fs.statSync(`${root}/recalls.jsonl`).mode & 0o777).toBe(0o600);
  });

  it("makes the place of a project whose notes are all in other scopes", () => {
    const root = scratch();
    logIn(`${root}/stores/orders`).append("{}");
    expect(logIn(`${root}/stores/orders`).tail()).toEqual(["{}"]);
  });

  it("begins a line of its own after a torn one", () => {
    const root = scratch();
    fs.writeFileSync(`${root}/recalls.jsonl`, '{"time":"2026-03-02T08:00:00Z","prompt":"to');
    logIn(root).append("{}");
    expect(logIn(root).tail()).toEqual(['{"time":"2026-03-02T08:00:00Z","prompt":"to', "{}"]);
  });

  it("keeps every line of two processes that append at once", async () => {
    const root = scratch();
    const module = fileURLToPath(new URL("../../../dist/adapters/files/recall-log.js", import.meta.url));
    const files = fileURLToPath(new URL("../../../dist/adapters/files/node-files.js", import.meta.url));
    const script = `import(${JSON.stringify(module)}).then(async ({ openRecallLog }) => {
      const { nodeFiles } = await import(${JSON.stringify(files)});
      const log = openRecallLog({ state: ${JSON.stringify(root)}, files: nodeFiles, clock: Date, project: "", keeps: "text" });
      for (let i = 0; i < 200; i++) log.append(JSON.stringify({ time: new Date().toISOString(), id: process.argv[1] + i, filler: "x".repeat(2000) }));
    })`;
    const ends = ["a", "b"].map(
      (name) =>
        new Promise((resolve) =>
          spawn(process.execPath, ["-e", script, name], { stdio: "inherit" }).on("close", resolve),
        ),
    );
    expect(await Promise.all(ends)).toEqual([0, 0]);
    const ids = logIn(root)
      .tail()
      .map((line) => String(JSON.parse(line).id));
    expect(new Set(ids).size).toBe(400);
    expect(ids.filter((id) => id.startsWith("a"))).toEqual(Array.from({ length: 200 }, (_, i) => `a${i}`));
  });

  it("is set aside when it has grown, and the one before goes", () => {
    const root = scratch();
    const log = logIn(root);
    for (let i = 0; i < 5; i++) log.append(lineAt(NOW, String(i).repeat(450_000)));
    const { bytes } = log.health();
    expect(bytes).toBeGreaterThan(900_000);
    expect(bytes).toBeLessThan(2_000_000);
    expect(log.tail().map((line) => JSON.parse(line).extra[0])).toEqual(["2", "3", "4"]);
    expect(fs.readdirSync(root).toSorted()).toEqual(["recalls.jsonl", "recalls.old.jsonl"]);
  });

  it.runIf(process.platform === "linux")("leaves no file open, however often it is set aside", () => {
    const root = scratch();
    const log = logIn(root);
    const open = (): readonly string[] =>
      fs.readdirSync("/proc/self/fd").flatMap((fd) => {
        try {
          return [fs.readlinkSync(`/proc/self/fd/${fd}`)].filter((file) => file.startsWith(root));
        } catch {
          return [];
        }
      });
    for (let i = 0; i < 6; i++) log.append(lineAt(NOW, String(i).repeat(450_000)));
    expect(fs.existsSync(`${root}/recalls.old.jsonl`)).toBe(true);
    expect(open()).toEqual([]);
  });

  it("is set aside when its first line is older than 30 days", () => {
    const root = scratch();
    logIn(root, NOW - 31 * DAY_MS).append(lineAt(NOW - 31 * DAY_MS));
    logIn(root).append(lineAt(NOW));
    expect(fs.readFileSync(`${root}/recalls.jsonl`, "utf8").trim()).toBe(lineAt(NOW));
  });

  it("reads the end of a log of 100 MB and no more of it", () => {
    const root = scratch();
    fs.writeFileSync(`${root}/recalls.jsonl`, `${lineAt(NOW)}\n`);
    fs.truncateSync(`${root}/recalls.jsonl`, 100_000_000);
    fs.appendFileSync(`${root}/recalls.jsonl`, `\n${lineAt(NOW, "last")}\n`);
    const before = process.memoryUsage().arrayBuffers;
    const lines = logIn(root).tail();
    expect(lines.at(-1)).toBe(lineAt(NOW, "last"));
    expect(lines.join("").length).toBeLessThan(3_000_000);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
  });

  it.each([
    ["a directory", (file: string) => fs.mkdirSync(file)],
    ["a link", (file: string) => fs.symlinkSync(`${file}.elsewhere`, file)],
    ["a pipe that nobody reads", (file: string) => execFileSync("sh", ["-c", 'mkfifo "$0"', file])],
  ])("never waits for %s in its place, says so, and logs again when it is gone", (_, put) => {
    const root = scratch();
    put(`${root}/recalls.jsonl`);
    const log = logIn(root);
    log.append("{}");
    expect(log.tail()).toEqual([]);
    expect(log.health().problem?.message).toContain("recalls.jsonl");
    fs.rmSync(`${root}/recalls.jsonl`, { recursive: true });
    expect(log.health().problem, "the trace stays until a recall is logged").toMatchObject({
      time: "2026-03-02T09:00:00.000Z",
    });
    fs.utimesSync(`${root}/recalls.problem`, new Date(NOW), new Date(NOW));
    log.append("{}");
    expect(log.health().problem).toBeUndefined();
    expect(fs.existsSync(`${root}/recalls.jsonl.elsewhere`)).toBe(false);
  });

  it("fails open where nothing can be written", () => {
    const root = scratch();
    fs.writeFileSync(`${root}/state`, "a file where the directory should be");
    const log = logIn(`${root}/state`);
    expect(() => log.append("{}")).not.toThrow();
    expect(log.tail()).toEqual([]);
  });

  it.skipIf(process.platform === "win32")("fails open on a full disk, and the line after it can be read", () => {
    const root = scratch();
    const dist = fileURLToPath(new URL("../../../dist/adapters/files/", import.meta.url));
    const script = `import(${JSON.stringify(`${dist}recall-log.js`)}).then(async ({ openRecallLog }) => {
      const { nodeFiles } = await import(${JSON.stringify(`${dist}node-files.js`)});
      openRecallLog({ state: ${JSON.stringify(root)}, files: nodeFiles, clock: Date, project: "", keeps: "text" }).append(JSON.stringify({ time: "t", filler: "x".repeat(5000) }));
    })`;
    execFileSync("sh", ["-c", 'ulimit -f 2; exec "$0" -e "$1"', process.execPath, script], { stdio: "ignore" });
    expect(fs.statSync(`${root}/recalls.jsonl`).size).toBeLessThan(3000);
    expect(logIn(root).health().problem?.message).toMatch(/recalls\.jsonl/u);
    logIn(root).append('{"time":"after"}');
    expect(logIn(root).tail().at(-1)).toBe('{"time":"after"}');
  });

  it("drops lines and what it cannot read, from the log set aside and from other projects where asked", () => {
    const root = scratch();
    for (const project of ["one", "two"]) {
      fs.mkdirSync(`${root}/${project}`);
      fs.writeFileSync(`${root}/${project}/recalls.old.jsonl`, '{"n":"secret"}\n{"n":"plain"}\n');
      fs.writeFileSync(`${root}/${project}/recalls.jsonl`, '{"n":"secret"}\n{"n":"sec');
    }
    logIn(`${root}/one`).drop((line) => line.includes("secret"), false);
    expect([logIn(`${root}/one`).tail(), logIn(`${root}/two`).tail().length]).toEqual([['{"n":"plain"}'], 4]);
    logIn(`${root}/one`).drop((line) => line.includes("secret"), true);
    expect(logIn(`${root}/two`).tail()).toEqual(['{"n":"plain"}']);
    expect(fs.statSync(`${root}/two/recalls.jsonl`).mode & 0o777).toBe(0o600);
  });
});
