import fs from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { nodeFiles } from "../../../src/adapters/files/node-files.ts";
import { openKeptRecallLog } from "../../../src/adapters/files/recall-log.ts";
import { memoryDirectory, scratch } from "../../support/scratch.ts";

const NOW = Date.parse("2026-03-02T09:00:00Z");
const LIMIT = 2_000_000;

let root: string;
let own: string;

beforeEach(() => {
  root = scratch(memoryDirectory());
  own = `${root}/stores/own`;
});

const log = (): ReturnType<typeof openKeptRecallLog> =>
  openKeptRecallLog({ state: own, files: nodeFiles, clock: { now: () => NOW }, project: "/orders", keeps: "text" });

function write(store: string, file: string, ...lines: readonly string[]): string {
  fs.mkdirSync(`${root}/stores/${store}`, { recursive: true });
  fs.writeFileSync(`${root}/stores/${store}/${file}`, lines.map((line) => `${line}\n`).join(""));
  return `${root}/stores/${store}/${file}`;
}
const text = (file: string): string => fs.readFileSync(file, "utf8");
const isSecret = (line: string): boolean => line.includes("secret");

describe("forgetting in the log of recalls", () => {
  it("takes the lines that are meant from the log and the one before it, and keeps the others in order", () => {
    const files = ["recalls.jsonl", "recalls.old.jsonl"].map((name) =>
      write("own", name, "{1}", "{secret}", "", "{2}"),
    );
    log().drop(isSecret, false);
    expect(files.map(text)).toEqual(["{1}\n{2}\n", "{1}\n{2}\n"]);
    expect(files.map((file) => fs.statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
    expect(fs.readdirSync(own).toSorted()).toEqual(["recalls.jsonl", "recalls.old.jsonl"]);
  });

  it("leaves a file as it is that has none of them, whatever else stands beside it", () => {
    const file = write("own", "recalls.jsonl", "{1}", "{2}");
    const { ino } = fs.statSync(file);
    write("own", "notes.jsonl", "{secret}");
    log().drop(isSecret, false);
    expect([fs.statSync(file).ino, text(file)]).toEqual([ino, "{1}\n{2}\n"]);
    expect(text(`${own}/notes.jsonl`)).toContain("secret");
  });

  it("drops what cannot be read, as nobody knows what it is about", () => {
    const file = write("own", "recalls.jsonl", "{1}", '{"torn":"sec', '{"of":{"a":1},"torn":"sec', "{2}");
    log().drop(() => false, false);
    expect(text(file)).toBe("{1}\n{2}\n");
  });

  it("takes place in the logs of other projects only where it is to be everywhere", () => {
    const other = write("other", "recalls.jsonl", "{1}", "{secret}");
    fs.writeFileSync(`${root}/stores/a-file`, "{secret}\n");
    const link = `${own}/recalls.jsonl`;
    fs.mkdirSync(own);
    fs.symlinkSync(other, link);
    log().drop(isSecret, false);
    expect(text(other)).toBe("{1}\n{secret}\n");
    log().drop(isSecret, true);
    expect([text(other), text(`${root}/stores/a-file`), fs.lstatSync(link).isSymbolicLink()]).toEqual([
      "{1}\n",
      "{secret}\n",
      true,
    ]);
  });

  it("bounds a log that is longer than is ever read, though no line of it is meant", () => {
    const long = `{${"x".repeat(999)}}`;
    const file = write("own", "recalls.jsonl", "{first}", ...Array.from({ length: 2_100 }, () => long), "{last}");
    log().drop(() => false, false);
    expect(fs.statSync(file).size).toBeLessThanOrEqual(LIMIT);
    expect([text(file).includes("{first}"), text(file).endsWith("{last}\n")]).toEqual([false, true]);
    const { ino } = fs.statSync(file);
    log().drop(() => false, false);
    expect(fs.statSync(file).ino).toBe(ino);
  });

  it("needs no log, and replaces what a kill left half made", () => {
    expect(() => log().drop(isSecret, true)).not.toThrow();
    const file = write("own", "recalls.jsonl", "{1}", "{secret}");
    write("own", "recalls.jsonl.new", "{secret}");
    log().drop(isSecret, false);
    expect([text(file), fs.readdirSync(own)]).toEqual(["{1}\n", ["recalls.jsonl"]]);
  });
});

describe("the end of the log of recalls", () => {
  it("has the lines that stand whole in what is read of it, of the log before it too", () => {
    write("own", "recalls.jsonl", "{1}", "{2}");
    write("own", "recalls.old.jsonl", "{8}", "{9}");
    const tails = [16, 15, 13, 8, 7, 5, 0].map((bytes) => log().tail(bytes).join(""));
    expect(tails).toEqual(["{8}{9}{1}{2}", "{9}{1}{2}", "{9}{1}{2}", "{1}{2}", "{2}", "{2}", ""]);
  });
});

it("a line larger than a whole log takes the place of no log before it while this one is empty", () => {
  const older = write("own", "recalls.old.jsonl", "{8}");
  write("own", "recalls.jsonl");
  log().append(`{"${"x".repeat(1_000_000)}":1}`);
  expect(text(older)).toBe("{8}\n");
  log().append("{2}");
  expect([log().tail().at(-1), text(older).length > 1_000_000]).toEqual(["{2}", true]);
});

describe("the health of the log of recalls", () => {
  const problem = (): unknown => log().health().problem;
  const trace = (content: string): string => {
    const file = write("own", "recalls.problem");
    fs.writeFileSync(file, content);
    return file;
  };
  const FULL = JSON.stringify({ time: "2026-03-02T09:00:00.000Z", message: "full" });

  it("is good where nothing was logged yet, and counts the bytes of both files", () => {
    expect(log().health()).toEqual({ path: `${own}/recalls.jsonl`, bytes: 0, problem: undefined });
    write("own", "recalls.jsonl", "{12}");
    write("own", "recalls.old.jsonl", "{1234}");
    expect(log().health()).toEqual({ path: `${own}/recalls.jsonl`, bytes: 12, problem: undefined });
  });

  it("names what stands in its way now", () => {
    fs.mkdirSync(`${own}/recalls.jsonl`, { recursive: true });
    expect(problem()).toMatchObject({ time: "", message: expect.stringContaining("recalls.jsonl") });
  });

  it("names what stopped a recall, until one was logged since", () => {
    const [file, mark] = [write("own", "recalls.jsonl", "{1}"), trace(FULL)];
    const at = (logged: number, failed: number): unknown => {
      fs.utimesSync(file, logged, logged);
      fs.utimesSync(mark, failed, failed);
      return problem();
    };
    const told = { time: "2026-03-02T09:00:00.000Z", message: "full" };
    expect([at(1_000, 2_000), at(2_000, 2_000), at(2_000, 1_000)]).toEqual([told, told, undefined]);
    fs.rmSync(file);
    expect(problem()).toEqual(told);
  });

  it.each([
    ['{"time":"t"', { time: "", message: expect.stringMatching(/recalls\.problem cannot be read$/u) }],
    ["null", undefined],
    ['"text"', undefined],
    ['{"time":"t"}', undefined],
    ['{"message":"m"}', undefined],
    ['{"time":5,"message":6}', { time: "5", message: "6" }],
  ])("reads a trace that holds %s", (content, expected) => {
    trace(content);
    expect(problem()).toEqual(expected);
  });

  it("takes nothing for a trace that is no file", () => {
    fs.mkdirSync(`${own}/recalls.problem`, { recursive: true });
    expect(problem()).toBeUndefined();
  });
});
