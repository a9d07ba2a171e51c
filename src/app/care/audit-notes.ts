import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { openNoteIndex } from "../../adapters/sqlite/note-index.ts";
import { audit, type AuditFinding } from "./audit.ts";
import { shellWord } from "../../core/shared/shell-word.ts";
import type { ScopedStore } from "../workspace/workspace.ts";
import { fillIndex } from "../workspace/open-store.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";

/** Audits the notes of all scopes in use. */
export async function auditNotes(workspace: OpenWorkspace): Promise<readonly AuditFinding[]> {
  for (const { store } of workspace.stores) store.reconcile("full");
  const findings = await audit(workspace, { freshDigest: (scoped) => freshDigest(workspace, scoped) });
  const place = placeOf(workspace);
  return findings.map((finding) =>
    finding.mend.startsWith("memdir ") ? { ...finding, mend: `${finding.mend}${place}` } : finding,
  );
}

/** The options a command needs to find the audited notes, if they are not those of the directory it is run in. */
function placeOf({ locations: { project, stores, agentType, environment } }: OpenWorkspace): string {
  const [own] = stores;
  const directory =
    project === undefined && (environment["MEMDIR_DIR"] ?? "") === "" && own !== undefined
      ? ` --dir ${shellWord(own.directory)}`
      : "";
  return agentType === undefined || environment["MEMDIR_AGENT"] === agentType
    ? directory
    : `${directory} --agent-type ${agentType}`;
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
