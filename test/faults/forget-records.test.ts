import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { beginForget, endForget, pendingForgets } from "../../src/app/workspace/settle-forgets.ts";
import { recordDisk } from "../support/recorded-disk.ts";
import { scratch } from "../support/scratch.ts";

describe("the record of what is to be forgotten", () => {
  it("is on disk with its name when it was begun, and its end is", () => {
    const home = scratch();
    const disk = recordDisk(home);
    const record = { id: "0123abcd", time: "2026-03-02T09:00:00.000Z", pid: 7, lineages: [] };
    beginForget(home, record);
    expect([disk.unsyncedFiles(), disk.unsyncedNames(), disk.syncs > 0]).toEqual([[], [], true]);
    expect(pendingForgets(home)).toEqual([record]);
    fs.writeFileSync(`${home}/forgets/torn.json`, '{"lineages":');
    fs.writeFileSync(`${home}/forgets/other.json`, '{"time":"t"}');
    fs.writeFileSync(`${home}/forgets/half.tmp`, JSON.stringify(record));
    expect(pendingForgets(home)).toEqual([record]);
    endForget(home, record.id);
    expect([disk.unsyncedNames(), pendingForgets(home)]).toEqual([[], []]);
  });
});
