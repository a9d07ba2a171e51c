import fs from "node:fs";
import path from "node:path";
import { APIError } from "@anthropic-ai/sdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openServer } from "../../src/app/server/open-server.ts";
import { MemoryServer } from "../support/memory-server.ts";
import { scratch } from "../support/scratch.ts";
import { mayMount, mountSmallDisk, unmount } from "../support/small-disk.ts";

const DISK_MB = 128;

describe.skipIf(!mayMount)("the embedded database of a server on a full disk", { timeout: 120_000 }, () => {
  let disk: string;
  beforeEach(() => {
    disk = scratch();
    mountSmallDisk(disk, `${DISK_MB}m`);
  });
  afterEach(() => unmount(disk));

  /** Leaves the disk this much room, whatever was written before. */
  function leaveRoom(megabytes: number): void {
    const file = path.join(disk, "filler");
    fs.rmSync(file, { force: true });
    const { bavail, bsize } = fs.statfsSync(disk);
    fs.writeFileSync(file, Buffer.alloc(bavail * bsize - megabytes * 1_000_000));
  }

  it("does not start, says why, and starts when there is room", async () => {
    leaveRoom(20);
    const directory = path.join(disk, "data");
    await expect(openServer({ directory })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/^The disk of .* is full: nothing is written until 48 MB are free\.$/u),
    });
    fs.rmSync(path.join(disk, "filler"));
    await (await openServer({ directory })).close();
  });

  it("refuses writes, keeps what was acknowledged, and writes again when there is room", async () => {
    const server = new MemoryServer();
    await server.start({ directory: path.join(disk, "data") });
    try {
      const { memoryStores } = (await server.client("ann")).beta;
      const { id } = await memoryStores.create({ name: "Shop" });
      const make = (name: string) => memoryStores.memories.create(id, { path: `/${name}.md`, content: name });
      await make("before");
      leaveRoom(2);
      const kept = ["before"];
      const refused: (number | undefined)[] = [];
      for (let n = 0; n < 20; n++)
        await make(`full-${n}`).then(
          () => kept.push(`full-${n}`),
          (error: unknown) => refused.push(error instanceof APIError ? error.status : 0),
        );
      expect(new Set(refused)).toEqual(new Set([503]));
      fs.rmSync(path.join(disk, "filler"));
      await make("after");
      const paths: string[] = [];
      for await (const item of memoryStores.memories.list(id)) paths.push(item.path);
      expect(paths).toEqual(["after", ...kept].toSorted().map((name) => `/${name}.md`));
    } finally {
      await server.stop();
    }
  });
});
