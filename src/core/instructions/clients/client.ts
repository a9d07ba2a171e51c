import type { GlobMatcher, InstructionFiles } from "../ports.ts";
import type { Agent, InstructionSet } from "../section.ts";

/** The working directory and the client settings that apply there; built by the application. */
export interface Place {
  /** Absolute, `/`-separated, links resolved. */
  readonly cwd: string;
  readonly home: string;
  /** The nearest directory above with a `.git`: a worktree's own root, not the main checkout. */
  readonly gitRoot: string | undefined;
  /** The main checkout of the repository's worktrees; `gitRoot` itself when it is the only one. */
  readonly mainRoot: string | undefined;
  readonly files: InstructionFiles;
  readonly globs: GlobMatcher;
  /** The values of a TOML file; empty when it cannot be parsed. */
  readonly toml: (text: string) => Readonly<Record<string, unknown>>;
  /** Environment variables that clients use: `CLAUDE_CONFIG_DIR`, `CODEX_HOME`, `XDG_CONFIG_HOME`… */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Directory of the administrator's files for Claude Code on this platform. */
  readonly managedDirectory: string;
  /** Whether the user approved, in memdir, that this project's files import that file (its real path). */
  readonly approved: (realPath: string) => boolean;
}

/** Claude Code's directory without `CLAUDE_CONFIG_DIR`; other clients look only there. */
export function claudeDirectoryOfHome(place: Pick<Place, "home">): string {
  return `${place.home}/.claude`;
}

/** One client's view of a place; it remembers what it has loaded. */
export interface ClientView {
  /** What a session starts with. */
  start(): InstructionSet;
  /** What loads because these files (absolute, existing or not) are touched, unless loaded before. */
  touched(paths: readonly string[]): InstructionSet;
}

/** To add a client, define one such value in its own file and add one line in `profiles.ts`. */
export interface ClientProfile {
  readonly agent: Agent;
  /** The client's name for people. */
  readonly title: string;
  open(place: Place): ClientView;
}
