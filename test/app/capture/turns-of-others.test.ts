import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { captureSession } from "../../../src/app/capture/capture-session.ts";
import { locate } from "../../../src/app/workspace/locations.ts";
import { openWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import { emptyHome } from "../../support/cli.ts";
import { scratch } from "../../support/scratch.ts";

const NOTES = 250;
const WISHES = ["Remember: always squash merges.", "Remember: never push on a Friday.", "Remember: we ship at noon."];

/** Counts how often others of this process, a signal for one, had their turn. */
function otherTurns(): { readonly count: () => number; readonly stop: () => void } {
  let turns = 0;
  let next = setImmediate(function again() {
    turns++;
    next = setImmediate(again);
  });
  return { count: () => turns, stop: () => clearImmediate(next) };
}

describe("a capture that compares a session with many notes", () => {
  it("lets others have their turn, so that Ctrl-C is heard: between notes that it reads and before each wish", async () => {
    const root = scratch();
    fs.mkdirSync(`${root}/notes`);
    for (let at = 0; at < NOTES; at++)
      fs.writeFileSync(`${root}/notes/n${at}.md`, `Module ${at} is built with its own compiler.\n`);
    const opened = openWorkspace(locate({ dir: `${root}/notes`, cwd: root, environment: emptyHome(root) }));
    for (const { store } of opened.stores) store.reconcile("full");
    const others = otherTurns();
    const readAt: number[] = [];
    const scannedAt: number[] = [];
    const workspace: typeof opened = {
      ...opened,
      stores: opened.stores.map((scoped) => ({
        ...scoped,
        store: {
          ...scoped.store,
          read: (file) => {
            readAt.push(others.count());
            return scoped.store.read(file);
          },
        },
      })),
      secrets: {
        scan: async (text) => {
          scannedAt.push(others.count());
          return opened.secrets.scan(text);
        },
      },
    };
    const turns = WISHES.map((text, at) => ({
      id: `m${at}`,
      role: "user" as const,
      text,
      toolCalls: [],
      time: undefined,
    }));
    const session = { agent: "test", session: "s1", cwd: root, turns, toolTexts: [], problems: [] };
    const { notes } = await captureSession(workspace, session, { dryRun: true });
    others.stop();
    opened.close();
    expect(notes).toHaveLength(WISHES.length);
    expect(readAt.length).toBeGreaterThanOrEqual(NOTES);
    // Of one stretch all would have happened at the same turn.
    expect(new Set(readAt.slice(0, NOTES)).size).toBe(Math.ceil(NOTES / 100));
    expect(new Set(scannedAt).size).toBeGreaterThanOrEqual(WISHES.length);
  });
});
