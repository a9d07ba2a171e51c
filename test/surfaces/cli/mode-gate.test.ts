import { expect, it } from "vitest";
import { locate } from "../../../src/app/workspace/locations.ts";
import { openWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import { isGated, isWriting, mayChangeNotes, requireMode } from "../../../src/surfaces/cli/mode-gate.ts";
import { person } from "../../support/person.ts";

const READS =
  "list log show history diff verify guard checkpoint audit dream why-not replay bench conflicts export".split(" ");
const WRITES =
  "remember capture edit pin remove forget undo redo link import promote demote mv supersede restore".split(" ");
const ASKS_NOTHING = ["mode", "doctor", "status", "recall", "review", "help"];

/** The commands that a mode lets through. */
function allowed(mode: string, commands: readonly string[]): readonly string[] {
  const { cwd, environment } = person();
  const workspace = openWorkspace(locate({ cwd, environment: { ...environment, MEMDIR_MODE: mode } }));
  try {
    return commands.filter((command) => {
      try {
        requireMode(command, workspace);
        return true;
      } catch {
        return false;
      }
    });
  } finally {
    workspace.close();
  }
}

it("a mode refuses the commands that do what it forbids, and no other", () => {
  expect(allowed("off", [...READS, ...WRITES])).toEqual([]);
  expect(allowed("recall-only", [...READS, ...WRITES])).toEqual(READS);
  expect(allowed("auto", [...READS, ...WRITES])).toEqual([...READS, ...WRITES]);
});

it("is asked for the commands that read or write notes; sync hears of those that may change them", () => {
  expect([...READS, ...WRITES, ...ASKS_NOTHING].filter(isGated)).toEqual([...READS, ...WRITES]);
  expect([...READS, ...WRITES, ...ASKS_NOTHING].filter(isWriting)).toEqual(WRITES);
  const may = ["guard", "dream", "conflicts", ...WRITES, "review"];
  expect([...READS, ...WRITES, ...ASKS_NOTHING].filter(mayChangeNotes).toSorted()).toEqual(may.toSorted());
});
