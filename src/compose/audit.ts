import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { openNoteIndex } from "../adapters/sqlite/note-index.ts";
import { audit, type AuditFinding } from "../core/memory/audit.ts";
import type { ScopedStore } from "../core/memory/workspace.ts";
import { fillIndex } from "./fill-index.ts";
import type { OpenWorkspace } from "./workspace.ts";

/** Looks for rot in the notes of every scope in force. */
export function auditNotes(workspace: OpenWorkspace): Promise<readonly AuditFinding[]> {
  for (const { store } of workspace.stores) store.reconcile("full");
  return audit(workspace, { freshDigest: (scoped) => freshDigest(workspace, scoped) });
}

function freshDigest({ codec }: OpenWorkspace, { store }: ScopedStore): string {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "memdir-audit-"));
  const index = openNoteIndex(path.join(directory, "index.db"));
  try {
    fillIndex(index, store.index.entries(), (file) => store.read(file), codec);
    return index.digest();
  } finally {
    index.close();
    fs.rmSync(directory, { recursive: true, force: true });
  }
}
