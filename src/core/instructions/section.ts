/** Clients whose instruction files memdir knows; each has a file in `clients/`. */
export const AGENTS = ["claude-code", "codex", "gemini", "opencode"] as const;
export type Agent = (typeof AGENTS)[number];

/** Whose instructions they are, lowest priority first. */
export type InstructionScope = "managed" | "user" | "project" | "local";

/** Why a file is in the context. */
export type LoadReason = "session-start" | "include" | "nested-traversal" | "path-glob-match";

export type SectionFlag =
  /** More than 40,000 characters; loaded whole all the same. */
  | "over-40000"
  | "comments-stripped"
  | "frontmatter-stripped"
  | "invalid-utf8"
  | "bom"
  /** A limit of the client left part of it out. */
  | "cut"
  /** Its text stands inside its importer's, not on its own. */
  | "inlined"
  /** Reached through a symbolic link. */
  | "link"
  /** Loaded because memdir was told to; the client itself has not been. */
  | "approved-in-memdir";

/** One file that is loaded, as the client shows it. */
export interface InstructionSection {
  /** Absolute, as it was found (not resolved). */
  readonly path: string;
  /** As the client words it; `undefined` where it shows the file without a label. */
  readonly label: string | undefined;
  readonly scope: InstructionScope;
  readonly reason: LoadReason;
  /** The importing file; `undefined` for a file that was found by its place. */
  readonly importedBy: string | undefined;
  /** Of `text` (UTF-16 units, as JavaScript and the client count). */
  readonly characters: number;
  readonly flags: readonly SectionFlag[];
  readonly text: string;
  /** Globs of a rule's `paths:`. */
  readonly paths?: readonly string[];
  /** The touched file that made it load. */
  readonly touched?: string;
  /** Which clients load it, where several were asked for. */
  readonly agents?: readonly Agent[];
}

/** A file that is not loaded, and why, in words. */
export interface NotLoaded {
  readonly path: string;
  readonly why: string;
  readonly importedBy?: string;
}

/** Everything that an instruction view answers with, in load order. */
export interface InstructionSet {
  readonly sections: readonly InstructionSection[];
  /** Left out by a setting, a limit or the client's own rules. */
  readonly excluded: readonly NotLoaded[];
  /** Imports that need approval first. */
  readonly pending: readonly NotLoaded[];
  readonly unreadable: readonly NotLoaded[];
  /** Imports that lead nowhere; clients pass over them in silence. */
  readonly missing: readonly NotLoaded[];
  /** Rules with `paths:` that wait for a matching file. */
  readonly waiting: readonly WaitingRule[];
}

export interface WaitingRule {
  readonly path: string;
  readonly scope: InstructionScope;
  /** As written. */
  readonly paths: readonly string[];
  /** As they are matched, with gitignore semantics, over paths relative to `base`. */
  readonly patterns: readonly string[];
  readonly base: string;
}

/** Something about the instruction files that someone should mend. */
export interface InstructionFinding {
  readonly kind: "dead-import" | "dead-rule" | "over-40000" | "cut" | "unreadable" | "contradiction";
  readonly path: string;
  readonly message: string;
  readonly suggestion: string;
}
