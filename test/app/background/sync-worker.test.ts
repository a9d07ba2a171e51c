import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { runSyncWorker } from "../../../src/app/background/sync-worker.ts";
import { syncWishes, syncWorkerAtWork, wantSync } from "../../../src/app/background/want-sync.ts";
import { waitingForPerson, syncNotice } from "../../../src/app/sync/sync-notice.ts";
import { endSync, pauseSync, resumeSync, syncStatus } from "../../../src/app/sync/sync.ts";
import { locate } from "../../../src/app/workspace/locations.ts";
import { noteSaying, syncDevice } from "../../support/sync-device.ts";
import { type SpaceServer, startSpaceServer } from "../../support/sync-server.ts";

const DAY_MS = 86_400_000;

/** A device that syncs by itself; its worker runs here instead of in a process of its own. */
async function automatic(server: SpaceServer) {
  const one = await syncDevice(server, { isManual: false });
  const { cwd, environment, memdirHome } = one;
  const located = (more: Record<string, string> = {}) => locate({ cwd, environment: { ...environment, ...more } });
  let starts = 0;
  const start = (): undefined => void (starts += 1);
  return {
    ...one,
    located,
    /** How many processes would be started. */
    wants: (why: "change" | "session" = "session", more: Record<string, string> = {}): number => {
      const before = starts;
      wantSync(located(more), why, start);
      return starts - before;
    },
    waits: () => syncWishes(memdirHome).next()?.wish.why,
    work: () => runSyncWorker({ memdirHome, environment }),
    space: async () => (await one.using((workspace) => syncStatus(workspace))).spaces[0],
  };
}

describe("sync by itself", () => {
  it("brings a note from one device to the other when a session begins, and leaves nothing behind", async () => {
    const server = await startSpaceServer();
    const [one, two] = [await automatic(server), await automatic(server)];
    one.write("project_a.md", noteSaying("The port is 8080."));
    expect(one.wants()).toBe(1);
    expect(await one.work()).toBe(1);
    expect(two.wants()).toBe(1);
    expect(await two.work()).toBe(1);
    expect(two.read("project_a.md")).toBe(one.read("project_a.md"));
    expect(fs.readdirSync(`${two.memdirHome}/sync`).toSorted()).toEqual(["spaces.json", "wanted", "worker.lock.db"]);
    expect([fs.readdirSync(`${two.memdirHome}/sync/wanted`), syncWorkerAtWork(two.memdirHome)]).toEqual([
      [],
      undefined,
    ]);
  });

  it("keeps one record of many changes, and hurries it when a session ends", async () => {
    const one = await automatic(await startSpaceServer());
    for (let n = 0; n < 3; n++) one.wants("change");
    expect(one.waits()).toBe("change");
    one.wants("session");
    expect(one.waits()).toBe("session");
    expect(await one.work()).toBe(1);
  });

  it("starts nothing while paused, off, asked for by hand only, or where the mode forbids to write", async () => {
    const server = await startSpaceServer();
    const one = await automatic(server);
    expect(one.wants("session", { MEMDIR_MODE: "recall-only" })).toBe(0);
    await one.using((workspace) => pauseSync(workspace));
    expect(one.wants()).toBe(0);
    await one.using((workspace) => resumeSync(workspace));
    expect(one.wants()).toBe(1);
    await one.using((workspace) => endSync(workspace));
    expect(one.wants()).toBe(0);
    expect(await one.work()).toBe(1);
    expect(server.received()).not.toContain("/changes");
    const byHand = await syncDevice(server);
    wantSync(locate({ cwd: byHand.cwd, environment: byHand.environment }), "session", () => expect.fail("started"));
  });

  it("waits after failures, longer each time, says so, and forgets them with the first success", async () => {
    const server = await startSpaceServer();
    const one = await automatic(server);
    one.write("project_a.md", noteSaying("waits"));
    server.answerWith(503, { "retry-after": "600" });
    one.wants();
    await one.work();
    const failed = await one.space();
    expect(failed).toMatchObject({ state: "offline", pending: 1, automatic: true });
    expect(Date.parse(failed?.retryAt ?? "")).toBeGreaterThan(Date.parse(failed?.lastRun ?? "") + 599_000);
    expect(one.wants()).toBe(0);
    const { out } = await one.memdir(["status"]);
    expect(out.replace(/\s+/gu, " ")).toMatch(/ sync project: offline, 1 change to send, .*, tried again from \d/u);
    server.answerWith(undefined);
    await one.sync();
    expect(await one.space()).toMatchObject({ state: "idle", pending: 0, retryAt: null });
    expect(one.wants()).toBe(1);
  });

  it("lets stand what the person decided while a run went on", async () => {
    const server = await startSpaceServer();
    const one = await automatic(server);
    server.answerWith(401);
    await one.using(async (workspace) => {
      const running = one.sync();
      pauseSync(workspace);
      await running;
    });
    expect(await one.space()).toMatchObject({ state: "paused", message: "paused by you" });
  });
});

describe("what a session is told of sync when it starts", () => {
  it("is nothing while all is well, and one line, once a day, for what waits for a person", async () => {
    const server = await startSpaceServer();
    const [one, two] = [await automatic(server), await automatic(server)];
    one.write("project_a.md", noteSaying("from one"));
    await one.sync();
    const now = Date.now();
    expect(syncNotice(one.located(), now)).toBeUndefined();
    two.write("project_a.md", noteSaying("from two"));
    await two.sync();
    const secret = ["ghp", "_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("");
    two.write("project_b.md", noteSaying(`The token is ${secret}`));
    await two.sync();
    const text =
      "sync of project: 1 note with two texts (`memdir conflicts`), 1 note refused and not sent (`memdir sync status`)";
    expect(syncNotice(two.located(), now)).toBe(text);
    expect(syncNotice(two.located(), now + 1000)).toBeUndefined();
    expect(syncNotice(two.located(), now + DAY_MS)).toBe(text);
    for (const file of two.files()) if (file.includes(".conflict-")) two.remove(file);
    expect(waitingForPerson(two.located(), now)).not.toContain("two texts");
  });

  it("names a removal that waits for an answer, a remote that is away for days, and a pause by the server", async () => {
    const server = await startSpaceServer();
    const one = await automatic(server);
    for (let n = 0; n < 12; n++) one.write(`project_n${n}.md`, noteSaying(`number ${n}`));
    await one.sync();
    for (const file of one.files()) one.remove(file);
    await one.sync();
    const now = Date.now();
    expect(waitingForPerson(one.located(), now)).toContain("`memdir sync approve`");
    server.answerWith(503);
    await one.sync();
    expect(waitingForPerson(one.located(), now + DAY_MS)).toBeUndefined();
    expect(waitingForPerson(one.located(), now + 3 * DAY_MS)).toContain("was not reached since");
    server.answerWith(401);
    await one.sync();
    expect(waitingForPerson(one.located(), now)).toContain("stopped");
    await one.using((workspace) => pauseSync(workspace));
    expect(waitingForPerson(one.located(), now)).toBeUndefined();
  });
});
