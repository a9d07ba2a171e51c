import fs from "node:fs";
import path from "node:path";
import { setUpSync, syncNow } from "../../src/app/sync/sync.ts";
import { locate } from "../../src/app/workspace/locations.ts";
import { openWorkspace, type OpenWorkspace } from "../../src/app/workspace/open-workspace.ts";
import { homeOf } from "./cli.ts";
import { person } from "./person.ts";
import type { SpaceServer } from "./sync-server.ts";

export const noteSaying = (words: string): string =>
  `---\nname: note\ndescription: what was said\ntype: project\n---\n${words}\n`;

/** One device of a user, with its own home and its own notes of the project. `isManual`: no automatic syncs. */
export async function syncDevice(
  server: Pick<SpaceServer, "url" | "token">,
  { scope = "project", isManual = true, remote = server.url } = {},
) {
  const { root, cwd, environment, memdir } = person();
  const tokenFile = `${root}/token`;
  fs.writeFileSync(tokenFile, `${server.token}\n`);
  const using = async <T>(work: (workspace: OpenWorkspace) => T | Promise<T>): Promise<T> => {
    const workspace = openWorkspace(locate({ cwd, environment }));
    try {
      return await work(workspace);
    } finally {
      workspace.close();
    }
  };
  const directory = await using(
    (workspace) => workspace.open(scope === "user" || scope === "team" ? scope : "project")?.store.directory ?? "",
  );
  fs.mkdirSync(directory, { recursive: true });
  await using((workspace) => setUpSync(workspace, { remote, scope, tokenFile, isManual }));
  return {
    root,
    cwd,
    environment,
    memdirHome: `${homeOf(root)}/.memdir`,
    directory,
    memdir,
    using,
    sync: (options: Parameters<typeof syncNow>[1] = {}) => using((workspace) => syncNow(workspace, options)),
    write: (file: string, text: string) => fs.writeFileSync(path.join(directory, file), text),
    remove: (file: string) => fs.rmSync(path.join(directory, file)),
    read: (file: string) => {
      const place = path.join(directory, file);
      return fs.existsSync(place) ? fs.readFileSync(place, "utf8") : undefined;
    },
    files: () => fs.readdirSync(directory).filter((file) => file.endsWith(".md") && file !== "MEMORY.md"),
    lineageOf: (file: string) =>
      using((workspace) => workspace.open("project")?.store.lives().present.get(file)?.lineage),
  };
}
