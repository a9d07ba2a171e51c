import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

/**
 * Text, in which `{root}` stands for the folder that holds project, home and the rest, and `{at}` for an at
 * sign where the source would look as if it held an e-mail address. Bytes are written as they are.
 */
export type Content = string | Uint8Array;

export interface Settings {
  readonly user?: object;
  readonly project?: object;
  readonly local?: object;
}

/** One arrangement of instruction files, and the question that it answers about a client. */
export interface Layout {
  /** Short and unique within its client: it names the row of the table. */
  readonly name: string;
  /** What equality here proves, as a clause: "an import in a code span is text". */
  readonly proves: string;
  /** By path relative to the project. */
  readonly project?: Readonly<Record<string, Content>>;
  /** By path relative to the home directory. */
  readonly home?: Readonly<Record<string, Content>>;
  /** By path relative to the folder that holds both, so `CLAUDE.md` lies in the directory above the project. */
  readonly outside?: Readonly<Record<string, Content>>;
  /** Claude Code's settings files, by level. */
  readonly settings?: Settings;
  /** Symbolic links, path and target; both relative to the root, an absolute target stays as it is. */
  readonly links?: Readonly<Record<string, string>>;
  /** Notes of the project as the client keeps them, by file name. */
  readonly memory?: Readonly<Record<string, Content>>;
  /** `project` makes the project a repository; `worktree` makes it a second worktree of one beside it. Default `project`. */
  readonly git?: "project" | "worktree" | "none" | "outside";
  /** Name of the project's folder. Default `project`. */
  readonly projectName?: string;
  /** Where the client is started, relative to the project. */
  readonly start?: string;
  /** The person has allowed this project to import files from outside. */
  readonly externalApproved?: boolean;
  /** Variables for client and memdir; `{root}` is replaced. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Files that the agent reads during the session, in order, relative to the project. */
  readonly touch?: readonly string[];
  /** Client and memdir both cut a text here and each says so in words of its own; what stands above them is compared. */
  readonly ownWords?: true;
}

/** A layout on disk. */
export interface Ground {
  readonly root: string;
  readonly home: string;
  readonly project: string;
  readonly cwd: string;
  /** All that a process started here may see of the environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly touch: readonly string[];
  remove(): void;
}

/** Instruction files above the temporary directory would reach every client, and make every comparison worthless. */
const READ_ABOVE = [
  "CLAUDE.md",
  "CLAUDE.local.md",
  ".claude/CLAUDE.md",
  ".claude/rules",
  "AGENTS.md",
  "AGENTS.override.md",
  "GEMINI.md",
  ".git",
];

function refuseInstructionsAbove(directory: string): void {
  for (let folder = directory; ; folder = path.dirname(folder)) {
    const found = READ_ABOVE.map((name) => path.join(folder, name)).find((file) => fs.existsSync(file));
    if (found !== undefined)
      throw new Error(
        `${found} would be seen by the clients under test; set TMPDIR to a folder with no instruction files above it`,
      );
    if (folder === path.dirname(folder)) return;
  }
}

function git(directory: string, ...args: readonly string[]): void {
  const environment = {
    PATH: process.env["PATH"],
    HOME: directory,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: os.devNull,
  };
  execFileSync(
    "git",
    ["-c", "user.name=dev", "-c", "user.email=dev@example.test", "-c", "init.defaultBranch=main", ...args],
    { cwd: directory, env: environment, stdio: "pipe" },
  );
}

function makeRepository(directory: string): void {
  fs.mkdirSync(directory, { recursive: true });
  git(directory, "init", "--quiet");
  git(directory, "commit", "--quiet", "--allow-empty", "--message=first");
}

function prepareGit(layout: Layout, root: string, project: string): void {
  const kind = layout.git ?? "project";
  if (kind === "project") makeRepository(project);
  if (kind === "outside") makeRepository(root);
  if (kind === "worktree") {
    makeRepository(path.join(root, "main"));
    git(path.join(root, "main"), "worktree", "add", "--quiet", "-b", "side", project);
  }
}

function put(base: string, files: Readonly<Record<string, Content>> | undefined, root: string): void {
  for (const [name, content] of Object.entries(files ?? {})) {
    const file = path.join(base, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(
      file,
      typeof content === "string" ? content.replaceAll("{root}", root).replaceAll("{at}", "@") : content,
    );
  }
}

function putSettings(base: string, name: string, settings: object | undefined, root: string): void {
  if (settings !== undefined) put(base, { [name]: JSON.stringify(settings) }, root);
}

function link(links: Layout["links"], root: string): void {
  for (const [name, target] of Object.entries(links ?? {})) {
    const file = path.join(root, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.symlinkSync(path.isAbsolute(target) ? target : path.join(root, target), file);
  }
}

/** The folder of a project's notes: the path of the repository that all its worktrees share, made harmless. */
function memoryDirectory(layout: Layout, config: string, root: string, project: string): string {
  const shared = { project, none: project, outside: root, worktree: path.join(root, "main") }[layout.git ?? "project"];
  return path.join(config, "projects", shared.replaceAll(/[^A-Za-z0-9]/gu, "-"), "memory");
}

function environmentOf(layout: Layout, root: string, home: string): Record<string, string> {
  const own = Object.fromEntries(
    Object.entries(layout.environment ?? {}).map(([name, value]) => [name, value.replaceAll("{root}", root)]),
  );
  return {
    PATH: process.env["PATH"] ?? "",
    TERM: "xterm",
    LANG: "C.UTF-8",
    NO_COLOR: "1",
    HOME: home,
    XDG_CONFIG_HOME: path.join(home, ".config"),
    XDG_DATA_HOME: path.join(home, ".local", "share"),
    XDG_CACHE_HOME: path.join(home, ".cache"),
    XDG_STATE_HOME: path.join(home, ".local", "state"),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: os.devNull,
    ...own,
  };
}

function writeApproval(layout: Layout, config: string, home: string, project: string): void {
  const answers = {
    hasTrustDialogAccepted: true,
    hasClaudeMdExternalIncludesApproved: true,
    hasClaudeMdExternalIncludesWarningShown: true,
  };
  const state = {
    hasCompletedOnboarding: true,
    projects: layout.externalApproved === true ? { [project]: answers } : {},
  };
  const file =
    config === path.join(home, ".claude") ? path.join(home, ".claude.json") : path.join(config, ".claude.json");
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify(state));
}

/** Writes a layout into a new folder of its own, with an empty home and nothing of this machine in the environment. */
export function layOut(layout: Layout): Ground {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "memdir-clients-")));
  refuseInstructionsAbove(root);
  const [home, project] = [path.join(root, "home"), path.join(root, layout.projectName ?? "project")];
  const environment = environmentOf(layout, root, home);
  const config = environment["CLAUDE_CONFIG_DIR"] ?? path.join(home, ".claude");
  prepareGit(layout, root, project);
  for (const directory of [home, project, path.join(project, layout.start ?? "")])
    fs.mkdirSync(directory, { recursive: true });
  put(root, layout.outside, root);
  put(home, layout.home, root);
  put(project, layout.project, root);
  put(memoryDirectory(layout, config, root, project), layout.memory, root);
  putSettings(config, "settings.json", layout.settings?.user, root);
  putSettings(project, ".claude/settings.json", layout.settings?.project, root);
  putSettings(project, ".claude/settings.local.json", layout.settings?.local, root);
  writeApproval(layout, config, home, project);
  link(layout.links, root);
  return {
    root,
    home,
    project,
    cwd: path.join(project, layout.start ?? ""),
    environment,
    touch: (layout.touch ?? []).map((file) => path.join(project, file)),
    remove: () => fs.rmSync(root, { recursive: true, force: true }),
  };
}
