import fs from "node:fs";
import path from "node:path";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { runGit } from "../../adapters/git/command.ts";
import { modeIn } from "./modes.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { rememberCheckout } from "./checkouts.ts";
import type { Locations } from "./locations.ts";
import { knownElsewhere, leftBehind, otherPlace, type OtherStore, ownDirectory } from "./other-stores.ts";

/**
 * Looks for a populated store that may hold this project's notes: under another spelling of its path, or of a checkout
 * with the same git identity that was moved, renamed or cloned again. Only when the project's own store is empty.
 */
export function findOtherStores(locations: Locations, ownNotes: number): OtherStore[] {
  const { project } = locations;
  if (project === undefined || modeIn(locations.modes, "project").mode === "off") return [];
  const identity = gitIdentity(locations);
  if (ownNotes > 0) {
    remember(locations, identity);
    return [...otherPlace(locations), ...leftBehind(locations)];
  }
  return knownElsewhere(locations, identity === undefined ? [] : [identity]);
}

/** Puts a link in place of the project's own directory. @throws MemoryError if that has files or no target exists. */
export function linkStore(locations: Locations, target: string): { readonly link: string; readonly directory: string } {
  const directory = path.resolve(target);
  if (!fs.existsSync(directory) || !fs.statSync(directory).isDirectory())
    throw new MemoryError("not-found", `${directory} is not a directory`);
  const link = ownDirectory(locations);
  if (link === undefined)
    throw new MemoryError("invalid-input", "link works on a project's own directory; it has no meaning with --dir");
  const present = fs.lstatSync(link, { throwIfNoEntry: false });
  if (present?.isSymbolicLink() === true)
    throw new MemoryError("conflict", `${link} is a link already, to ${fs.readlinkSync(link)}`);
  if (present !== undefined && fs.readdirSync(link).length > 0)
    throw new MemoryError("conflict", `${link} has files of its own; move them first, nothing was changed`);
  if (present !== undefined) fs.rmdirSync(link);
  nodeFiles.makeDirectory(path.dirname(link));
  fs.symlinkSync(directory, link, process.platform === "win32" ? "junction" : "dir");
  return { link, directory };
}

/** The remote's URL, otherwise the first commit; `undefined` without git. */
function gitIdentity(locations: Locations): string | undefined {
  const { project, environment } = locations;
  if (project?.gitDirectory === undefined || !locations.hasGit()) return undefined;
  const ask = (args: readonly string[]): string | undefined => {
    try {
      return runGit(project.gitDirectory ?? "", environment, args)
        .toString("utf8")
        .trim()
        .split("\n")[0];
    } catch (error) {
      if (error instanceof MemoryError) return undefined; // no remote, or no commit yet
      throw error;
    }
  };
  const remote = ask(["config", "--get", "remote.origin.url"]);
  if (remote !== undefined && remote !== "")
    return `remote ${remote.replace(/\/\/[^@/]*@/u, "//").replace(/(?:\.git)?\/?$/u, "")}`;
  const commit = ask(["rev-list", "--max-parents=0", "HEAD"]);
  return commit === undefined || commit === "" ? undefined : `commit ${commit}`;
}

/** Records which repository this store belongs to, so that it is found again after a move. */
function remember(locations: Locations, identity: string | undefined): void {
  const directory = ownDirectory(locations);
  if (directory === undefined || locations.project === undefined) return;
  rememberCheckout(locations.memdirHome, locations.project, directory, identity === undefined ? [] : [identity]);
}
