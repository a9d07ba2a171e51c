/** Clients whose instruction files memdir knows; each has a file in `clients/`. */
export const AGENTS = ["claude-code", "codex", "gemini", "opencode"] as const;
export type Agent = (typeof AGENTS)[number];

/** Whose instructions they are, by ascending priority. */
export type InstructionScope = "managed" | "user" | "project" | "local";

/** Why a file is in the context. */
export type LoadReason = "session-start" | "include" | "nested-traversal" | "path-glob-match";

export type SectionFlag =
  /** More than 40,000 characters; loaded whole anyway. */
  | "over-40000"
  | "comments-stripped"
  | "frontmatter-stripped"
  | "invalid-utf8"
  | "bom"
  /** Truncated by a limit of the client. */
  | "cut"
  /** Its text is part of its importer's text. */
  | "inlined"
  /** Reached through a symbolic link. */
  | "link"
  /** Approved in memdir, but not in the client itself. */
  | "approved-in-memdir";

/** One loaded file, as the client shows it. */
export interface InstructionSection {
  /** Absolute path as found, not resolved. */
  readonly path: string;
  /** In the client's wording; `undefined` when it shows the file without a label. */
  readonly label: string | undefined;
  readonly scope: InstructionScope;
  readonly reason: LoadReason;
  /** The importing file; `undefined` for a file found by its location. */
  readonly importedBy: string | undefined;
  /** Length of `text` (UTF-16 units, as in JavaScript and the client). */
  readonly characters: number;
  readonly flags: readonly SectionFlag[];
  readonly text: string;
  /** Globs of a rule's `paths:`. */
  readonly paths?: readonly string[];
  /** The touched file that made it load. */
  readonly touched?: string;
  /** The clients that load it, when several were requested. */
  readonly agents?: readonly Agent[];
}

/** A file that is not loaded, with the reason in words. */
export interface NotLoaded {
  readonly path: string;
  readonly why: string;
  readonly importedBy?: string;
}

/** The result of an instruction view, in load order. */
export interface InstructionSet {
  readonly sections: readonly InstructionSection[];
  /** Left out because of a setting, a limit or the client's own rules. */
  readonly excluded: readonly NotLoaded[];
  /** Imports that need approval first. */
  readonly pending: readonly NotLoaded[];
  readonly unreadable: readonly NotLoaded[];
  /** Imports of files that do not exist; clients ignore them silently. */
  readonly missing: readonly NotLoaded[];
  /** Rules with `paths:` that wait for a matching file. */
  readonly waiting: readonly WaitingRule[];
}

export interface WaitingRule {
  readonly path: string;
  readonly scope: InstructionScope;
  /** As written. */
  readonly paths: readonly string[];
  /** Used for matching, with gitignore semantics, on paths relative to `base`. */
  readonly patterns: readonly string[];
  readonly base: string;
}

/** A problem in the instruction files that should be fixed. */
export interface InstructionFinding {
  readonly kind: "dead-import" | "dead-rule" | "over-40000" | "cut" | "unreadable" | "contradiction";
  readonly path: string;
  readonly message: string;
  readonly suggestion: string;
}
