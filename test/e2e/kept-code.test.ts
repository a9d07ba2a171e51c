import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { emptyHome, homeOf } from "../support/cli.ts";
import { scratch } from "../support/scratch.ts";

const DIST = fileURLToPath(new URL("../../dist/", import.meta.url));
const PROMPT = { hook_event_name: "UserPromptSubmit", prompt: "which container do the quokka tests need" };

let root: string;
const kept = (): string => path.join(homeOf(root), ".cache", "memdir");

beforeEach(() => {
  root = scratch();
  fs.mkdirSync(path.join(root, "project", ".git"), { recursive: true });
  run("memdir.cjs", ["remember", "The quokka tests need the postgres container.", "--name", "quokka"]);
});

function run(file: string, args: readonly string[], input = "", extra: Record<string, string> = {}) {
  const { status, stdout } = spawnSync(process.execPath, [path.join(DIST, file), ...args], {
    cwd: path.join(root, "project"),
    env: { ...emptyHome(root), ...extra },
    input,
    encoding: "utf8",
  });
  return { status, stdout };
}

function hook(session: string, extra: Record<string, string> = {}) {
  const event = { ...PROMPT, session_id: session, cwd: path.join(root, "project") };
  return run("hook.cjs", ["claude-code"], JSON.stringify(event), extra);
}

function keptFiles(): readonly string[] {
  return fs
    .readdirSync(kept(), { recursive: true, encoding: "utf8" })
    .map((name) => path.join(kept(), name))
    .filter((file) => fs.statSync(file).isFile());
}

describe("the compiled code that a process keeps", () => {
  it("is the person's alone, and the next process answers the same with it", () => {
    const first = hook("a");
    expect(first.stdout).toContain("postgres container");
    const names = keptFiles().map((file) => path.basename(file));
    expect(names).toEqual(expect.arrayContaining(["hooks", "reader-prompt"]));
    for (const file of keptFiles()) expect(fs.statSync(file).mode & 0o777, file).toBe(0o600);
    expect(hook("b")).toEqual(first);
  });

  it("is not taken where it is damaged", () => {
    const first = hook("a");
    for (const file of keptFiles()) {
      const bytes = fs.readFileSync(file);
      for (let at = 40; at < bytes.length / 2; at += 11) bytes[at] = (bytes[at] ?? 0) ^ 0x55;
      fs.writeFileSync(file, bytes);
    }
    expect(hook("b")).toEqual(first);
  });

  it.skipIf(process.platform === "win32")("is not taken where others may have written it", () => {
    const first = hook("a");
    for (const file of keptFiles()) {
      const half = fs.readFileSync(file);
      const bytes = half.subarray(0, half.length / 2);
      for (let at = 40; at < bytes.length; at += 11) bytes[at] = (bytes[at] ?? 0) ^ 0x55;
      fs.writeFileSync(file, Buffer.concat([bytes, bytes]));
      fs.chmodSync(file, 0o666);
    }
    expect(hook("b")).toEqual(first);
  });

  it("is missing where nothing can be kept, and nothing else is", () => {
    fs.writeFileSync(path.join(root, "file"), "");
    expect(hook("a", { XDG_CACHE_HOME: path.join(root, "file") }).stdout).toContain("postgres container");
    expect(hook("b", { XDG_CACHE_HOME: "relative" }).stdout).toContain("postgres container");
    expect(fs.existsSync(path.join(root, "project", "relative"))).toBe(false);
  });
});

it("A bundle says what its source says, words of other writings too: a password told in Russian is not logged.", () => {
  const [label, value] = ["пароль", ["k7Wq", "2mZp", "9"].join("")];
  const event = { ...PROMPT, prompt: `quokka tests container, ${label}: ${value}`, session_id: "a" };
  run("hook.cjs", ["claude-code"], JSON.stringify({ ...event, cwd: path.join(root, "project") }));
  const stores = path.join(homeOf(root), ".memdir", "stores");
  const logs = fs
    .readdirSync(stores, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith("recalls.jsonl"))
    .map((name) => fs.readFileSync(path.join(stores, name), "utf8"));
  expect(logs.join("")).toContain("quokka tests container");
  expect(logs.join("")).not.toContain(value);
});

it("What is waited for holds neither the YAML parser nor what writes notes or history.", () => {
  for (const name of ["hook.cjs", "hooks.cjs", "reader.cjs", "secrets.cjs", "verify.cjs"])
    expect(fs.readFileSync(path.join(DIST, name), "utf8"), name).not.toMatch(/YAMLParseError|fast-import|displaced\//u);
});
