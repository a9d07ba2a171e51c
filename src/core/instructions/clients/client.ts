import type { GlobMatcher, InstructionFiles } from "../ports.ts";
import type { Agent, InstructionSet } from "../section.ts";

/** Where someone works, and what clients are told there; put together by the application. */
export interface Place {
  /** Absolute, `/`-separated, links resolved. */
  readonly cwd: string;
  readonly home: string;
  /** The nearest directory above with a `.git`: a worktree's own root, not the main checkout. */
  readonly gitRoot: string | undefined;
  /** The checkout that the repository's worktrees share; `gitRoot` itself where there is only one. */
  readonly mainRoot: string | undefined;
  readonly files: InstructionFiles;
  readonly globs: GlobMatcher;
  /** The values of a TOML file; none where it cannot be parsed. */
  readonly toml: (text: string) => Readonly<Record<string, unknown>>;
  /** Environment variables that clients honour: `CLAUDE_CONFIG_DIR`, `CODEX_HOME`, `XDG_CONFIG_HOME`… */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Where an administrator puts Claude Code's files on this platform. */
  readonly managedDirectory: string;
  /** Whether someone approved, in memdir, that this project's files import that file (its real path). */
  readonly approved: (realPath: string) => boolean;
}

/** Where Claude Code's own files are when `CLAUDE_CONFIG_DIR` says nothing; other clients look there and nowhere else. */
export function claudeDirectoryOfHome(place: Pick<Place, "home">): string {
  return `${place.home}/.claude`;
}

/** One client's view of a place; remembers what it has loaded. */
export interface ClientView {
  /** What a session starts with. */
  start(): InstructionSet;
  /** What loads now that these files (absolute, existing or not) are touched, and was not loaded before. */
  touched(paths: readonly string[]): InstructionSet;
}

/** Adding a client is one such value in a file of its own, and one line in `profiles.ts`. */
export interface ClientProfile {
  readonly agent: Agent;
  /** The client's name for people. */
  readonly title: string;
  open(place: Place): ClientView;
}
