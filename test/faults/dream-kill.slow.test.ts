import { spawn, spawnSync, type SpawnSyncReturns } from "node:child_process";
import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { emptyHome } from "../support/cli.ts";
import { agentNote, textsIn } from "../support/dream-store.ts";
import { scratch } from "../support/scratch.ts";

const COMMAND = fileURLToPath(new URL("../../dist/memdir.cjs", import.meta.url));
const PRELOAD = fileURLToPath(new URL("../support/kill-at-step.cjs", import.meta.url));
/** More than a dream of this store has; a run that never ends is a failure of its own. */
const MOST_STEPS = 400;
/** Every step with KILL_EVERY=1 (a minute); each is a process killed and two that look after it. */
const EVERY = Number(process.env["KILL_EVERY"] ?? 3);

const NOTES: Readonly<Record<string, string>> = {
  "project_a.md": agentNote("a", "Integration tests use the postgres container.", "2025-01-02T09:00:00Z"),
  "project_b.md": agentNote(
    "b",
    "Please remember: Integration tests use the postgres container.",
    "2025-02-02T09:00:00Z",
  ),
  "project_c.md": agentNote("c", "Releases go out on Monday.", "2025-01-02T09:00:00Z"),
  "project_d.md": agentNote("d", "Releases now go out on Thursday.", "2025-03-02T09:00:00Z"),
  ...Object.fromEntries(
    ["espresso machine", "parking permit", "fire drill", "fridge key", "label printer", "meeting room"].map(
      (thing, index) => [
        `project_other_${index}.md`,
        agentNote(`other ${index}`, `The ${thing} is looked after by Ann.`, "2025-01-02T09:00:00Z"),
      ],
    ),
  ),
};

/** A step is named by what the process is about to do: `rename MEMORY.md`. */
function dreamIn(root: string, killAt = 0): SpawnSyncReturns<string> {
  return spawnSync(
    process.execPath,
    ["--require", PRELOAD, COMMAND, "dream", "--apply", "--json", "--dir", `${root}/notes`],
    { cwd: root, env: { ...emptyHome(root), KILL_AT: String(killAt) }, encoding: "utf8" },
  );
}

function copyOf(base: string, name: string): string {
  const copy = `${scratch()}/${name}`;
  fs.cpSync(base, copy, { recursive: true, preserveTimestamps: true });
  return copy;
}

describe("a dream killed with SIGKILL before any of its steps", () => {
  it("leaves every note as before or as after, and the next one takes the lock and comes to the same end", () => {
    // The state directory is named after the notes' path, so every run happens at the same path.
    const root = `${scratch()}/store`;
    fs.mkdirSync(`${root}/notes`, { recursive: true });
    for (const [file, text] of Object.entries(NOTES)) fs.writeFileSync(`${root}/notes/${file}`, text);
    spawnSync(process.execPath, [COMMAND, "list", "--dir", `${root}/notes`], { cwd: root, env: emptyHome(root) });
    const lockTime = new Date("2026-01-05T10:00:00Z");
    fs.writeFileSync(`${root}/notes/.consolidate-lock`, "");
    fs.utimesSync(`${root}/notes/.consolidate-lock`, lockTime, lockTime);
    const base = copyOf(root, "base");
    const restart = (): void => {
      fs.rmSync(root, { recursive: true });
      fs.cpSync(base, root, { recursive: true, preserveTimestamps: true });
    };
    const before = textsIn(`${root}/notes`);
    expect(dreamIn(root).status).toBe(0);
    const after = textsIn(`${root}/notes`);
    expect(after).not.toEqual(before);
    const seen = { before: 0, after: 0 };
    let steps = 0;
    let ended: Pick<SpawnSyncReturns<string>, "status" | "stderr"> = { status: null, stderr: "never" };
    for (let at = 1; at <= MOST_STEPS; at += EVERY) {
      restart();
      const { signal, status, stderr } = dreamIn(root, at);
      if (signal === null) {
        ended = { status, stderr };
        steps = at - 1;
        break;
      }
      const where = /killed before (.*)/u.exec(stderr)?.[1] ?? `step ${at}`;
      // What a person sees after the kill: any command completes or takes back what was begun.
      const looked = spawnSync(process.execPath, [COMMAND, "status", "--json", "--dir", `${root}/notes`], {
        cwd: root,
        env: emptyHome(root),
        encoding: "utf8",
      });
      const left = textsIn(`${root}/notes`);
      const isBefore = JSON.stringify(left) === JSON.stringify(before);
      const isAfter = JSON.stringify(left) === JSON.stringify(after);
      expect({ where, sound: isBefore || isAfter }).toEqual({ where, sound: true });
      seen[isBefore ? "before" : "after"]++;
      const { dream } = JSON.parse(looked.stdout);
      const rolledBack = isBefore ? dream.last : lockTime.toISOString();
      expect({ where, rolledBack }).toEqual({ where, rolledBack: lockTime.toISOString() });
      const next = dreamIn(root);
      expect({ where, status: next.status, err: next.stderr }).toMatchObject({ where, status: 0 });
      expect({ where, notes: textsIn(`${root}/notes`) }).toEqual({ where, notes: after });
      expect({
        where,
        strays: fs.readdirSync(`${root}/notes`).filter((name) => name.startsWith(".consolidate-lock.")),
      }).toEqual({ where, strays: [] });
    }
    expect(ended).toMatchObject({ status: 0 });
    expect(steps).toBeGreaterThan(10);
    expect(seen.before).toBeGreaterThan(3);
    expect(seen.after).toBeGreaterThan(3);
  }, 900_000);
});

describe("sessions that write while dreams run", () => {
  it("lose no note and no word", async () => {
    const root = scratch();
    fs.mkdirSync(`${root}/notes`);
    for (const [file, text] of Object.entries(NOTES)) fs.writeFileSync(`${root}/notes/${file}`, text);
    const run = (argv: readonly string[], input: string): Promise<number | null> =>
      new Promise((resolve) => {
        const child = spawn(process.execPath, [COMMAND, ...argv, "--dir", `${root}/notes`], {
          cwd: root,
          env: emptyHome(root),
          stdio: ["pipe", "ignore", "ignore"],
        });
        child.on("close", resolve);
        child.stdin.end(input);
      });
    const said = Array.from({ length: 12 }, (_, index) => `Shelf ${index} in the archive belongs to team ${index}.`);
    const writers = Promise.all(
      said.map(async (text, index) => run(["remember", "--type", "project", "--name", `shelf ${index}`], text)),
    );
    const dreams = Promise.all(Array.from({ length: 4 }, () => run(["dream", "--apply"], "")));
    expect(new Set(await writers)).toEqual(new Set([0]));
    // One dreams, the others are told so.
    expect((await dreams).every((code) => code === 0 || code === 6)).toBe(true);
    const texts = Object.values(textsIn(`${root}/notes`));
    for (const text of [...said, ...Object.values(NOTES).map((note) => note.split("\n\n").at(-1)?.trim() ?? "")])
      expect(
        texts.some((note) => note.includes(text)),
        text,
      ).toBe(true);
    expect(await run(["dream", "--apply"], "")).toBe(0);
    expect(
      spawnSync(process.execPath, [COMMAND, "doctor", "--dir", `${root}/notes`], { cwd: root, env: emptyHome(root) })
        .status,
    ).toBe(0);
  }, 240_000);
});
