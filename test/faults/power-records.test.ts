import { describe, expect, it } from "vitest";
import { openCheckpointFiles } from "../../src/adapters/files/checkpoint-files.ts";
import { recordsIn } from "../../src/app/workspace/transfer-records.ts";
import type { Transfer } from "../../src/app/workspace/transfer.ts";
import { createPowerDisk, type PowerDisk } from "../support/power-disk.ts";

const HOME = "/person/.memdir";
const END = { scope: "project", directory: "/a", state: "/b", excluded: [] } as const;
const TRANSFER: Transfer = { id: "0123abcd", time: "2026-03-02T09:00:00.000Z", pid: 1, from: END, to: END, files: [] };

/** The disk where nothing was written out that nobody asked for. */
const afterLoss = (disk: PowerDisk): PowerDisk => disk.afterPowerLoss(() => false);
const textOn = (disk: PowerDisk, file: string): string => new TextDecoder().decode(disk.read(file));

describe("after a power loss", () => {
  it("a move that began is known, one that ended is not begun any more, and one that was dropped is gone", () => {
    const disk = createPowerDisk();
    const records = recordsIn(HOME, disk);
    records.begin(TRANSFER);
    const begun = afterLoss(disk);
    expect(JSON.parse(textOn(begun, `${HOME}/transfers/pending/0123abcd.json`))).toEqual(TRANSFER);
    records.finish(TRANSFER.id);
    const ended = afterLoss(disk);
    expect(ended.list(`${HOME}/transfers/pending`)).toEqual([]);
    expect(JSON.parse(textOn(ended, `${HOME}/transfers/0123abcd.json`))).toEqual(TRANSFER);
    recordsIn(HOME, begun).drop(TRANSFER.id);
    expect(afterLoss(begun).list(`${HOME}/transfers/pending`)).toEqual([]);
  });

  it("a checkpoint that was saved is there, whole, and can be saved again over a cut-off try", () => {
    const disk = createPowerDisk();
    disk.makeDirectory("/checkpoints");
    disk.note(`/checkpoints/20260302-task-0123456789.md.${process.pid}.tmp`, Buffer.from("half"));
    openCheckpointFiles("/checkpoints", disk).add("20260302-task", "0123456789", "the whole text\n");
    const left = openCheckpointFiles("/checkpoints", afterLoss(disk));
    expect(left.all()).toEqual([
      { id: "0123456789", text: "the whole text\n", path: "/checkpoints/20260302-task-0123456789.md" },
    ]);
  });
});
