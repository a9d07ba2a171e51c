import fs from "node:fs";
import path from "node:path";
import { nodeFiles, putFile } from "../../adapters/files/node-files.ts";
import { sha256 } from "../../core/shared/hash.ts";

export interface Approval {
  /** The project's root. */
  readonly project: string;
  /** The imported file's real path. */
  readonly file: string;
  readonly approvedAt: string;
}

/**
 * The files outside a project that its instruction files may import. Each approval is a small file of its own, so that
 * concurrent approvals are not lost. An unreadable file approves nothing.
 */
export interface Approvals {
  list(): readonly Approval[];
  isApproved(file: string): boolean;
  approve(file: string, approvedAt: string): "approved" | "already";
  revoke(file: string): boolean;
}

export function openApprovals(memdirHome: string, project: string): Approvals {
  const directory = path.join(memdirHome, "approvals");
  const fileOf = (file: string): string => path.join(directory, `${sha256(`${project}\n${file}`).slice(0, 32)}.json`);
  let known: readonly Approval[] | undefined;
  const list = (): readonly Approval[] =>
    (known ??= readAll(directory).filter((approval) => approval.project === project));
  return {
    list,
    isApproved: (file) => list().some((approval) => approval.file === file),
    approve(file, approvedAt) {
      if (list().some((approval) => approval.file === file)) return "already";
      nodeFiles.makeDirectory(directory);
      putFile(fileOf(file), `${JSON.stringify({ project, file, approvedAt }, undefined, 1)}\n`, { named: true });
      known = undefined;
      return "approved";
    },
    revoke(file) {
      const present = list().some((approval) => approval.file === file);
      if (present) nodeFiles.remove(fileOf(file));
      known = undefined;
      return present;
    },
  };
}

function readAll(directory: string): Approval[] {
  const names = nodeFiles.list(directory) ?? [];
  return names
    .filter(({ name, kind }) => kind === "file" && name.endsWith(".json"))
    .flatMap(({ name }) => readOne(path.join(directory, name)))
    .toSorted((a, b) => (a.file < b.file ? -1 : 1));
}

function readOne(file: string): Approval[] {
  try {
    const value: unknown = JSON.parse(fs.readFileSync(file, "utf8"));
    if (typeof value !== "object" || value === null || !("project" in value) || !("file" in value)) return [];
    return [
      {
        project: String(value.project),
        file: String(value.file),
        approvedAt: "approvedAt" in value ? String(value.approvedAt) : "",
      },
    ];
  } catch {
    return []; // revoked meanwhile, or damaged: only a readable approval counts
  }
}
