import fs from "node:fs";
import { userInfo } from "node:os";
import path from "node:path";
import { MemoryError } from "../../core/shared/errors.ts";

/** The branch of a space in a repository, without `refs/heads/`. */
export function branchOf(space: string): string {
  const branch = `memdir/${space}`;
  if (!/^[A-Za-z0-9_-]+(?:[./][A-Za-z0-9_-]+)*$/u.test(space) || /\.lock(?:\/|$)/u.test(space))
    throw new MemoryError("invalid-input", `"${space}" cannot name a branch; use letters, digits, - and _`);
  return branch;
}

/** Next to the team's branch, not below it: git cannot hold both `memdir/team` and `memdir/team/jane`. */
export function proposalBranch(space: string, login = userInfo().username): string {
  const name = login.normalize("NFKD").replace(/[^A-Za-z0-9_-]+/gu, "");
  if (name === "") throw new MemoryError("invalid-input", "give the end of your branch with --login NAME");
  return `${branchOf(space)}-${name}`;
}

/** Resolves a path now, because later runs start elsewhere. @throws MemoryError `invalid-input` for other words. */
export function addressOf(remote: string, cwd: string): string {
  const isUrl = /^[a-z][a-z0-9+.-]*:\/\//iu.test(remote);
  const isScp = /^[^/]+:/u.test(remote) && !fs.existsSync(path.resolve(cwd, remote));
  if (remote === "" || isUrl || isScp) return remote;
  const place = path.resolve(cwd, remote);
  // For a path that does not exist git gives its own error; a bare word is more likely a mistake.
  if (/[./\\]/u.test(remote) || fs.existsSync(place)) return place;
  throw new MemoryError(
    "invalid-input",
    `"${remote}" is neither an address nor a directory here; give a server (https://…), a repository (git@HOST:ME/NOTES.git, https://….git, a path) or a store (anthropic:memstore_…)`,
  );
}
