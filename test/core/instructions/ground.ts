import fs from "node:fs";
import path from "node:path";
import {
  locateInstructions,
  openSession,
  type SessionInstructions,
} from "../../../src/app/instructions/instructions.ts";
import { locate } from "../../../src/app/workspace/locations.ts";
import type { AgentChoice } from "../../../src/core/instructions/view.ts";
import { scratch } from "../../support/scratch.ts";

export interface Ground {
  readonly root: string;
  readonly project: string;
  readonly environment: Record<string, string | undefined>;
  /** Opens a session as a client would see it. */
  open(agent?: AgentChoice, start?: string): SessionInstructions;
  /** Paths of what loads at the start, relative to the root. */
  paths(agent?: AgentChoice, start?: string): string[];
  short(file: string): string;
}

/** Files on disk by path relative to a new folder with `project` and `home` in it. */
export function ground(
  files: Readonly<Record<string, string | Uint8Array>>,
  links: Readonly<Record<string, string>> = {},
): Ground {
  const root = scratch();
  for (const directory of ["project/.git", "home", "managed"])
    fs.mkdirSync(path.join(root, directory), { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), content);
  }
  for (const [name, target] of Object.entries(links)) {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.symlinkSync(target, path.join(root, name));
  }
  const environment = { HOME: `${root}/home`, PATH: process.env["PATH"], MEMDIR_MANAGED_DIR: `${root}/managed` };
  const open = (agent: AgentChoice = "claude-code", start = ""): SessionInstructions =>
    openSession(locateInstructions(locate({ cwd: path.join(root, "project", start), environment }), agent));
  const short = (file: string): string => (file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file);
  return {
    root,
    project: `${root}/project`,
    environment,
    open,
    short,
    paths: (agent, start) => open(agent, start).sections.map(({ path: file }) => short(file)),
  };
}
