import fs from "node:fs";
import { expect, it } from "vitest";
import { exportAll } from "../../../src/app/transfer/export.ts";
import { importArchive } from "../../../src/app/transfer/import-archive.ts";
import { openArchive } from "../../../src/app/transfer/read-archive.ts";
import { moveNote } from "../../../src/app/transfer/transfers.ts";
import { undoAnywhere } from "../../../src/app/transfer/undo.ts";
import { remember } from "../../../src/app/notes/remember.ts";
import { locate } from "../../../src/app/workspace/locations.ts";
import { openWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import { recordsIn, settleTransfers } from "../../../src/app/workspace/transfer-records.ts";
import { emptyHome } from "../../support/cli.ts";
import { memoryDirectory, scratch } from "../../support/scratch.ts";

const DESCRIPTORS = "/proc/self/fd";

function openBelow(root: string): number {
  return fs.readdirSync(DESCRIPTORS).filter((descriptor) => {
    const link = `${DESCRIPTORS}/${descriptor}`;
    return fs.existsSync(link) && fs.readlinkSync(link).startsWith(`${root}/`);
  }).length;
}

// A connection that is closed waits for the next one who opens the file: the number stays the same, however often that is.
it.skipIf(!fs.existsSync(DESCRIPTORS))(
  "exports, imports, moves, their undo and their settling hold no more files the more often they are run",
  async () => {
    const root = scratch(memoryDirectory());
    fs.mkdirSync(`${root}/shop/.git`, { recursive: true });
    const locations = locate({ cwd: `${root}/shop`, environment: emptyHome(root) });
    const clock = { now: () => Date.parse("2026-03-02T09:00:00Z"), timeZone: "UTC" };
    const round = async (at: number): Promise<number> => {
      const workspace = openWorkspace(locations, { clock });
      const made = await remember(workspace, { body: `Words of ${at}`, name: `note ${at}`, insist: true });
      if (made.outcome !== "created") throw new Error(made.outcome);
      exportAll(workspace, `${root}/out-${at}`, { all: true });
      importArchive(workspace, await openArchive(workspace, `${root}/out-${at}`), { write: true });
      const { transfer, ref } = await moveNote(workspace, made.ref, "user");
      expect(undoAnywhere(workspace, ref.scoped, undefined)).toMatchObject({ outcome: "undone" });
      workspace.close();
      recordsIn(locations.memdirHome).begin({ ...transfer, id: `0000000${at}` });
      expect(settleTransfers({ ...locations, modes: workspace.modes }, clock).map(({ kind }) => kind)).toEqual([
        "dropped",
      ]);
      return openBelow(root);
    };
    await round(0);
    const first = await round(1);
    for (const at of [2, 3]) expect(await round(at)).toBe(first);
  },
);
