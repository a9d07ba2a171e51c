import fs from "node:fs";
import { expect, test } from "vitest";
import { remember } from "../../../src/app/notes/remember.ts";
import { pin, revise } from "../../../src/app/notes/revise.ts";
import { locate } from "../../../src/app/workspace/locations.ts";
import { openWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import type { NoteRef } from "../../../src/app/workspace/workspace.ts";
import { emptyHome } from "../../support/cli.ts";
import { memoryDirectory, scratch } from "../../support/scratch.ts";
import { steppingClock } from "../../support/store.ts";

test("a change counts as help of the note, unless it pins no more, changes nothing or finds no note", async () => {
  const root = scratch(memoryDirectory());
  const workspace = openWorkspace(locate({ cwd: root, environment: emptyHome(root) }), { clock: steppingClock() });
  const made = await remember(workspace, { body: "The port is 8080", name: "port" });
  if (made.outcome !== "created") throw new Error(made.outcome);
  const { ref } = made;
  const { store } = ref.scoped;
  const helped = (): number => store.usage().get(ref.file)?.helped ?? 0;
  const isHelp = async (change: () => unknown, outcome: string): Promise<boolean> => {
    const before = helped();
    expect(await change()).toMatchObject({ outcome });
    return helped() > before;
  };
  expect(await isHelp(() => revise(workspace, ref, { body: "The port is 9090" }), "written")).toBe(true);
  expect(await isHelp(() => revise(workspace, ref, { body: "The port is 9090" }), "unchanged")).toBe(false);
  expect(await isHelp(() => pin(workspace, ref, true), "written")).toBe(true);
  expect(await isHelp(() => pin(workspace, ref, false), "written")).toBe(false);
  const removed: NoteRef = {
    ...ref,
    scoped: {
      ...ref.scoped,
      store: {
        ...store,
        commit: (changes, by) => (fs.rmSync(`${store.directory}/${ref.file}`), store.commit(changes, by)),
      },
    },
  };
  expect(await isHelp(() => revise(workspace, removed, { body: "The port is 7070" }), "gone")).toBe(false);
  workspace.close();
});
