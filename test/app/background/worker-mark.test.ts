import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { CAPTURES_FOLDER, WORKER_FILE } from "../../../src/app/capture/capture-places.ts";
import { markWorker, startMarked, workerAtWork } from "../../../src/app/background/worker-mark.ts";
import { scratch } from "../../support/scratch.ts";

function home(): string {
  const root = scratch();
  fs.mkdirSync(`${root}/${CAPTURES_FOLDER}`, { recursive: true });
  return root;
}

/** The id of a process that has ended. */
function ended(): number {
  return spawnSync(process.execPath, ["--version"]).pid;
}

describe("the start of a worker", () => {
  it("is asked for once by hooks that follow each other before it works", async () => {
    const root = home();
    const worker = spawn(process.execPath, ["--eval", "setTimeout(() => {}, 20_000)"], { stdio: "ignore" });
    try {
      let starts = 0;
      const start = (): number | undefined => (starts++, worker.pid);
      for (let hook = 0; hook < 5; hook++) startMarked(root, start);
      expect(starts).toBe(1);
      expect(workerAtWork(root)).toBe(worker.pid);
    } finally {
      worker.kill("SIGKILL");
      await once(worker, "exit");
    }
    let again = 0;
    startMarked(root, () => (again++, ended()));
    expect(again).toBe(1);
  });

  it("is asked for again when it failed or the process is gone, and groups that a killed worker left are kept", () => {
    const root = home();
    fs.writeFileSync(`${root}/${WORKER_FILE}`, [ended(), 4242, 4243].join("\n"));
    const started: number[] = [];
    startMarked(root, () => {
      started.push(1);
      return ended();
    });
    startMarked(root, () => {
      started.push(2);
      return undefined;
    });
    expect(started).toEqual([1, 2]);
    expect(fs.existsSync(`${root}/${WORKER_FILE}`)).toBe(false);
    fs.writeFileSync(`${root}/${WORKER_FILE}`, [ended(), 4242, 4243].join("\n"));
    startMarked(root, ended);
    const { mark, left } = markWorker(root);
    mark.remove();
    expect(left).toEqual([4242, 4243]);
  });

  it("is asked for where nothing can be written: the worker's lock decides", () => {
    let starts = 0;
    startMarked(`${scratch()}/missing`, () => (starts++, undefined));
    expect(starts).toBe(1);
  });
});
