import path from "node:path";
import { openLateRecalls } from "../../adapters/files/late-recalls.ts";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { takeLate } from "../../core/recall/late-recall.ts";
import type { Locations } from "../workspace/locations.ts";

/** The late refined answer of a session, once. `turn` is `undefined` where any turn's answer will do. */
export function takeRefinedText(
  { memdirHome }: Pick<Locations, "memdirHome">,
  session: string,
  turn: string | undefined,
  now: number,
): string | undefined {
  const directory = `${memdirHome}/late`;
  // Asked first, since naming the session's file needs a hash, and most machines ask no model.
  if (session === "" || (nodeFiles.list(directory) ?? []).length === 0) return undefined;
  const late = openLateRecalls({ directory, files: nodeFiles, newId: () => String(process.pid), now: () => now });
  return takeLate(late, session, turn, now)?.text;
}

/** The index that people keep by hand, nearest to where the session is, up to the checkout it is in. */
export function handKeptIndex({ cwd, project }: Pick<Locations, "cwd" | "project">): string | undefined {
  if (project === undefined) return undefined;
  for (let directory = cwd; ; directory = path.dirname(directory)) {
    const file = path.join(directory, ".claude", "MEMORY.md");
    const bytes = nodeFiles.stat(file)?.kind === "file" ? nodeFiles.read(file) : undefined;
    if (bytes !== undefined) return new TextDecoder().decode(bytes);
    const isTop = project.gitDirectory === undefined || nodeFiles.stat(path.join(directory, ".git")) !== undefined;
    if (isTop || path.dirname(directory) === directory) return undefined;
  }
}

/** Whether Claude Code itself shows the MEMORY.md of the project's store. */
export function isClaudesOwn({ stores, project, environment, memdirHome, configDirectory }: Locations): boolean {
  const directory = stores.find(({ scope }) => scope === "project")?.directory ?? "";
  if (isWithin(directory, configDirectory)) return true;
  return (
    project !== undefined &&
    (environment["CLAUDE_CODE_REMOTE_MEMORY_DIR"] ?? "") === "" &&
    !isWithin(directory, memdirHome)
  );
}

function isWithin(directory: string, root: string): boolean {
  return directory === root || directory.startsWith(`${root}/`);
}
