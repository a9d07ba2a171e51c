import fs from "node:fs";
import { expect, it } from "vitest";
import { queueCapture } from "../../../src/app/background/capture-jobs.ts";
import { runCaptureWorker } from "../../../src/app/background/capture-worker.ts";
import { trimPrompts } from "../../../src/app/past/prompt-history.ts";
import { dream } from "../../../src/app/dream/dream.ts";
import { locate } from "../../../src/app/workspace/locations.ts";
import { stateSize } from "../../../src/app/care/state-size.ts";
import { openWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import { cli, emptyHome, homeOf } from "../../support/cli.ts";
import { filesBelow, scratch } from "../../support/scratch.ts";
import { sessionFile } from "../../support/session-file.ts";

const DAYS = 18;
const PARTS = 3;
/** A project keeps its last 100; what is beyond waits for the next write. */
const MOST_PROMPTS = 150;
const LOG = Array.from({ length: 60 }, (_, n) => `12:00:${n} worker ${n} took ${n * 7} ms`).join("\n");
const WORDS = "orders invoices parcels refunds batches tickets quotas ledgers".split(" ");

/** A day of use: a session with wishes, questions and a pasted log, some recalls, an edit, a look at the history, a dream. */
async function liveThrough(day: number, root: string): Promise<void> {
  const environment = emptyHome(root);
  const cwd = `${homeOf(root)}/shop`;
  const memdir = (...argv: string[]): ReturnType<typeof cli> => cli(argv, { cwd, environment });
  const locations = locate({ cwd, environment });
  const session = sessionFile(`${root}/sessions/${day}.jsonl`, `s${day}`, cwd);
  const word = WORDS[day % WORDS.length] ?? "";
  session.say(`From now on always check table ${word}_${day} twice before a release, because it broke on day ${day}.`);
  for (let n = 0; n < 6; n++)
    session.say(`Why is service ${day}-${n} slow?\n${LOG} ${day} ${n}`, [
      { name: "Edit", input: { file_path: `src/${word}${n}.ts`, old_string: "a", new_string: "b" } },
    ]);
  queueCapture(locations, {
    agent: "claude-code",
    session: `s${day}`,
    transcript: session.path,
    checkpoint: "session-end",
  });
  await runCaptureWorker(
    { memdirHome: locations.memdirHome, environment },
    { bounds: { jobMs: 60_000, totalMs: 60_000 } },
  );
  await memdir("remember", `The ${word} queue of site ${day} is looked after by team ${day}.`, "--name", `site-${day}`);
  for (let n = 0; n < 4; n++) await memdir("recall", `check table ${word}_${day - n} before the release`);
  await memdir("history");
  const workspace = openWorkspace(locations);
  for (const scoped of workspace.stores) await dream(workspace, scoped, { dryRun: false, unsigned: false });
  workspace.close();
}

function promptsIn(home: string): readonly string[] {
  return fs.readFileSync(`${home}/history.jsonl`, "utf8").trim().split("\n");
}

it("what memdir keeps grows in proportion to use, and each log within its bound", { timeout: 400_000 }, async () => {
  const root = scratch();
  fs.mkdirSync(`${homeOf(root)}/shop`, { recursive: true });
  fs.mkdirSync(`${root}/sessions`);
  const home = `${homeOf(root)}/.memdir`;
  const locations = locate({ cwd: `${homeOf(root)}/shop`, environment: emptyHome(root) });
  const sizes = [0];
  let mostPrompts = 0;
  for (let day = 0; day < DAYS; day++) {
    await liveThrough(day, root);
    if ((day + 1) % (DAYS / PARTS) !== 0) continue;
    // Before anything but the writes themselves has trimmed it.
    mostPrompts = Math.max(mostPrompts, promptsIn(home).length);
    // Pastes are kept for an hour beyond the lines that named them.
    trimPrompts(locations, Date.now() + 7_200_000);
    // SQLite's own files grow to a bound and stay there.
    const kept = [...filesBelow(home)].filter(([file]) => !/\.db(?:-\w+)?$/u.test(file));
    sizes.push(kept.reduce((sum, [, content]) => sum + content.length, 0));
  }
  const grown = sizes.slice(1).map((size, part) => size - (sizes[part] ?? 0));
  // Each part is as much use as the one before: what grows with the square of use would grow by two thirds more.
  const [, middle = 0, last = 0] = grown;
  expect(last).toBeLessThan(1.25 * middle);
  expect(mostPrompts).toBeLessThanOrEqual(MOST_PROMPTS);
  expect([promptsIn(home).length, fs.readdirSync(`${home}/pastes`).length]).toEqual([100, 100]);
  const status = await cli(["status"], { cwd: `${homeOf(root)}/shop`, environment: emptyHome(root) });
  expect(status.out).toMatch(/state {5}.+, [\d.]+ (?:KB|MB) \(/u);
  expect(stateSize(locations).bytes).toBeGreaterThan(sizes.at(-1) ?? 0);
});
