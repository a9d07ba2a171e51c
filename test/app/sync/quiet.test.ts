import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { expect, test } from "vitest";
import { forgetNote } from "../../../src/app/care/forget.ts";
import { type Heard, statusQuietly, syncQuietly } from "../../../src/app/sync/quiet.ts";
import { endSync, pauseSync, setUpSync, syncStatus } from "../../../src/app/sync/sync.ts";
import { findNote } from "../../../src/app/workspace/workspace.ts";
import { locate } from "../../../src/app/workspace/locations.ts";
import { scratch } from "../../support/scratch.ts";
import { noteSaying as note, syncDevice } from "../../support/sync-device.ts";
import { startSpaceServer } from "../../support/sync-server.ts";

type Device = Awaited<ReturnType<typeof syncDevice>>;

const quietly = ({ cwd, environment }: Device) => syncQuietly(locate({ cwd, environment }), undefined, Date.now);

/** Two devices that have nothing to do: by a repository, or by a server. */
async function devices(kind: "git" | "server") {
  const server = await startSpaceServer();
  const [one, two] = [await syncDevice(server), await syncDevice(server)];
  if (kind === "git") {
    const remote = `${scratch()}/notes.git`;
    execFileSync("git", ["init", "--quiet", "--bare", remote]);
    for (const { using } of [one, two]) {
      await using((workspace) => endSync(workspace));
      await using((workspace) => setUpSync(workspace, { remote, scope: "project", isManual: true }));
    }
  }
  for (const file of ["project_a.md", "project_b.md", "project_c.md"]) one.write(file, note(`${file} says one.`));
  for (const device of [one, two, one, two]) await device.sync();
  return { one, two, server };
}

test.each(["git", "server"] as const)("where nothing is new, a sync by %s opens no store and says so", async (kind) => {
  const { one, server } = await devices(kind);
  const before = server.received();
  const { runs } = await quietly(one);
  expect(runs).toMatchObject([{ scope: "project", state: "idle", pulled: 0, pushed: 0, refused: [], notices: [] }]);
  const asked = server.received().slice(before.length).split("/v1/").length - 1;
  expect(asked).toBe(kind === "server" ? 1 : 0);
  const place = locate({ cwd: one.cwd, environment: one.environment });
  expect(statusQuietly(place, undefined)).toEqual(await one.using((workspace) => syncStatus(workspace)));
});

test.each(["git", "server"] as const)("nothing that either device does escapes a sync by %s", async (kind) => {
  const { one, two } = await devices(kind);
  const forget = (device: Device, file: string) =>
    device.using((workspace) => {
      const found = findNote(workspace, file);
      if (found.found) forgetNote(workspace, found.ref);
    });
  const steps: readonly (readonly [string, () => unknown])[] = [
    ["an edit here", () => one.write("project_a.md", note("project_a.md says two."))],
    ["an edit of the same size here", () => one.write("project_a.md", note("project_a.md says six."))],
    ["a new note here", () => one.write("project_d.md", note("four"))],
    ["a rename here", () => fs.renameSync(`${one.directory}/project_d.md`, `${one.directory}/project_e.md`)],
    ["a deletion here", () => one.remove("project_e.md")],
    ["a line in MEMORY.md", () => fs.appendFileSync(`${one.directory}/MEMORY.md`, "\n- by hand\n")],
    ["a forget here", () => forget(one, "project_c.md")],
    ["an edit there", async () => (two.write("project_b.md", note("from two")), two.sync())],
    ["a forget there", async () => (await forget(two, "project_b.md"), two.sync())],
  ];
  let quiet = 0;
  for (const [what, step] of steps) {
    // Until the copies that were moved aside are old enough to go, each run looks at everything.
    await one.sync();
    quiet += (await quietly(one)).runs?.length ?? 0;
    await step();
    expect((await quietly(one)).runs, what).toBeUndefined();
    const { pulled, pushed } = await one.sync();
    expect(pulled + pushed, what).toBeGreaterThanOrEqual(
      what === "a line in MEMORY.md" || /forget/u.test(what) ? 0 : 1,
    );
    await two.sync();
    expect(one.files().map(one.read)).toEqual(one.files().map(two.read));
  }
  expect(quiet).toBeGreaterThanOrEqual(6);
});

test("a paused space, a mode that forbids writing and another memdir's record are left to a sync that looks closer", async () => {
  const { one } = await devices("server");
  expect((await quietly(one)).runs).toBeDefined();
  const file = fs
    .readdirSync(one.memdirHome, { recursive: true, encoding: "utf8" })
    .find((name) => name.endsWith("settled.json"));
  const settled = `${one.memdirHome}/${file ?? ""}`;
  const text = fs.readFileSync(settled, "utf8");
  for (const bad of [text.replace(/"version":"[^"]*"/u, '"version":"0.0.0"'), text.slice(0, 20), ""]) {
    fs.writeFileSync(settled, bad);
    expect((await quietly(one)).runs).toBeUndefined();
  }
  fs.writeFileSync(settled, text);
  expect((await quietly(one)).runs).toBeDefined();
  const locations = locate({ cwd: one.cwd, environment: { ...one.environment, MEMDIR_MODE: "recall-only" } });
  expect((await syncQuietly(locations, undefined, Date.now)).runs).toBeUndefined();
  await one.using((workspace) => pauseSync(workspace));
  expect((await quietly(one)).runs).toBeUndefined();
});

test("a remote that gives no answer, or stands elsewhere, is not asked a second time by the run that follows", async () => {
  const { one, two, server } = await devices("server");
  server.answerWith(503);
  const { runs, heard } = await quietly(one);
  expect(runs).toBeUndefined();
  const before = server.received().length;
  expect((await one.sync({ heard })).spaces[0]).toMatchObject({ state: "offline" });
  expect(server.received().length).toBe(before);
  server.answerWith(undefined);
  expect((await one.sync()).spaces[0]).toMatchObject({ state: "idle" });

  const git = await devices("git");
  git.two.write("project_b.md", note("from two"));
  await git.two.sync();
  const moved: Heard = (await quietly(git.one)).heard;
  expect([...moved.values()]).toMatchObject([{ outcome: "head" }]);
  expect(await git.one.sync({ heard: moved })).toMatchObject({ pulled: 1 });
  expect(two.files()).toEqual(one.files());
});
