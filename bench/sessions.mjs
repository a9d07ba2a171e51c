/** Sessions of a client over a store of real notes, as the product opens them. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { startOfSession } from "../dist/app/recall/session-start.js";
import { notesShownInIndex } from "../dist/app/recall/recall-notes.js";
import { recall } from "../dist/app/recall/recall.js";
import { locate } from "../dist/app/workspace/locations.js";
import { openWorkspace } from "../dist/app/workspace/open-workspace.js";

/** `claude-code` shows MEMORY.md itself, `codex` shows nothing. */
export const CLIENTS = ["claude-code", "codex"];
/** The maximum size of one hook answer, in characters. */
const MOST = 9500;
let count = 0;

/** Copies DIR/realmem/stores/NAME into a new home while `use` runs. */
export function withStore(directory, name, use) {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "memdir-bench-"));
  const notes = path.join(home, "notes");
  fs.cpSync(path.join(directory, "realmem", "stores", name, "notes"), notes, { recursive: true });
  const workspace = openWorkspace(
    locate({ cwd: home, dir: notes, environment: { HOME: home, MEMDIR_HOME: path.join(home, ".memdir") } }),
  );
  try {
    for (const { store } of workspace.stores) store.reconcile("full");
    return use(workspace, notes);
  } finally {
    workspace.close();
    fs.rmSync(home, { recursive: true, force: true });
  }
}

/** Notes whose line the client shows on its own. */
export function shownBy(workspace, client) {
  return client === "claude-code" ? notesShownInIndex(workspace.stores) : new Set();
}

/** A new session: its start, and `ask` for each of its prompts. */
export function openSession(workspace, client) {
  const session = `${client}-${count++}`;
  const start = startOfSession(workspace, {
    session,
    goesOn: false,
    isCompacted: false,
    showsProjectIndex: client === "claude-code",
    readWith: "`memdir show FILE`",
    most: MOST,
  });
  start.delivered();
  const shownInIndex = shownBy(workspace, client);
  const ask = (prompt) => {
    const answer = recall(workspace, { prompt, session, given: start.given, shownInIndex, most: MOST });
    answer.delivered();
    return answer;
  };
  return { start, ask };
}
