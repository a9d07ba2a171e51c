/**
 * What the page and `--json` read of a memory, as JSON gives it. Types only and nothing imported, so that the page's
 * own sources may use them. An optional member is absent where there is nothing to say. Times are ISO.
 */

/** `scope:file`, as in `project:feedback_tests.md`: names a note here and nowhere else. */
export type NoteId = string;

/** Beginning of the SHA-256 of a file's text; every write says which one its writer saw. */
export type TextHash = string;

/** A note as the list shows it. */
export interface NoteItem {
  readonly id: NoteId;
  readonly file: string;
  readonly scope: string;
  readonly name: string;
  readonly description: string;
  /** `user`, `feedback`, `project`, `reference`, or what the file says instead. */
  readonly type: string;
  readonly version: TextHash;
  /** When it was changed last. */
  readonly time: string;
  readonly pinned?: true;
  /** It carries a guard that a person approved. */
  readonly guard?: true;
  /** File that holds in its place. */
  readonly supersededBy?: string;
  /** What is wrong with the file, for people. */
  readonly problems?: readonly string[];
  /** How often the log of recalls has it, shown whole or as one line, and when last; absent for never. */
  readonly recalled?: { readonly times: number; readonly last: string };
}

export interface NotesView {
  readonly notes: readonly NoteItem[];
  /** Changes whenever a note does. */
  readonly stamp: string;
}

/** Another note that this one names or is named by. */
export interface LinkedNote {
  /** As the text has it. */
  readonly target: string;
  /** Absent for a dead link. */
  readonly id?: NoteId;
  readonly name?: string;
  readonly description?: string;
}

/** Something that a note claims about the project, checked against the working tree. */
export interface CheckedClaim {
  readonly claim: string;
  readonly kind: string;
  readonly verdict: "holds" | "gone" | "renamed" | "unchecked";
  /** One line for people: `gone: src/a.ts (deleted in 3f2a1b4, 2026-03-02)`. */
  readonly line: string;
}

/** A recall of the log that considered a note. */
export interface NoteRecall {
  readonly time: string;
  readonly session?: string;
  /** Absent where the log keeps only a hash of it. */
  readonly prompt?: string;
  /** That the note helps, as recall judged: 0 to 1. */
  readonly score: number;
  /** `shown` whole, `pointed` at in one line, or why not: `surfaced`, `no-room`, `unlikely`, `too-many`. */
  readonly fate: string;
  readonly by: "rules" | "model";
}

/** A change of a store, as its history tells it. */
export interface VersionItem {
  readonly scope: string;
  /** Counts up within the scope. */
  readonly seq: number;
  readonly time: string;
  /** `user`, `rules`, `model`, `dream`, `external` (an editor or another agent), `undo`, … */
  readonly actor: string;
  readonly reason: string;
  /** The session whose words it rests on, where the note that it wrote says so. */
  readonly session?: string;
  /** At most 20 are named. */
  readonly files: readonly { readonly file: string; readonly kind: "added" | "changed" | "deleted" }[];
  /** How many files more it changed. */
  readonly more?: number;
}

/** The texts of a version: of the note that was asked for, or of every file that it changed. */
export interface VersionView {
  readonly version: VersionItem;
  readonly files: readonly {
    readonly file: string;
    readonly kind: "added" | "changed" | "deleted";
    /** Just before the version; absent where there was no file. */
    readonly before?: string;
    /** Just after it. */
    readonly after?: string;
  }[];
  /** How many more files it changed; at most 50 come with their texts. */
  readonly more: number;
}

/** One fact of a chain of notes that superseded one another; the oldest first. */
export interface ChainNote {
  readonly id: NoteId;
  readonly description: string;
  readonly validFrom?: string;
  /** Absent for the fact that holds. */
  readonly validTo?: string;
}

/** A rule of the note that warns of, asks about or denies a tool call. */
export interface GuardView {
  readonly state: "approved" | "waiting" | "invalid";
  readonly tool?: string;
  readonly pattern?: string;
  readonly action?: string;
  readonly message?: string;
  /** Why it cannot be used, when `invalid`. */
  readonly reason?: string;
  /** The command that approves it; the page shows it and does not run it. */
  readonly command?: string;
}

/** One note with all that is known of it. */
export interface NoteView extends NoteItem {
  /** Absolute path of the file. */
  readonly path: string;
  /** The whole file, frontmatter included. */
  readonly text: string;
  /** Markdown after the frontmatter. */
  readonly body: string;
  /** `false` where the file is not UTF-8: it can be read here and not edited. */
  readonly editable: boolean;
  readonly validFrom?: string;
  readonly validTo?: string;
  /** Where its words came from. `quotation`: what the person said there, where the transcript is still on disk. */
  readonly evidence?: { readonly session: string; readonly message: string; readonly quotation?: string };
  readonly links: readonly LinkedNote[];
  readonly backlinks: readonly LinkedNote[];
  /** Absent where there is no working tree to look at. */
  readonly claims?: readonly CheckedClaim[];
  /** Newest first, at most 100. */
  readonly recalls: readonly NoteRecall[];
  /** What an undo would take back, or do again; absent where there is nothing. */
  readonly undo?: { readonly again: boolean; readonly what: string };
  /** Newest first, at most 100. */
  readonly versions: readonly VersionItem[];
  /** The note alone where nothing superseded anything. */
  readonly chain: readonly ChainNote[];
  /** Notes that it contradicts, unsettled. */
  readonly contradicts: readonly NoteId[];
  /** Its rule, where it has one, approved or not. */
  readonly guardRule?: GuardView;
  /** The nearer scope whose note of the same name counts here instead. */
  readonly overriddenBy?: string;
  /** Scopes that it can be moved to. */
  readonly movesTo: readonly string[];
  /** `memdir forget …`: purges it, and cannot be undone. The page shows it and does not run it. */
  readonly forgetCommand: string;
}

/** A note that is gone but has a past (status 410). */
export interface RemovedNote {
  readonly id: NoteId;
  /** When it went, by whom and why. */
  readonly version: VersionItem;
  /** Its last text. */
  readonly text?: string;
}

/** One scope of notes. */
export interface ScopeState {
  readonly scope: string;
  readonly directory: string;
  /** `auto`, `confirm`, `manual`, `recall-only` or `off`. */
  readonly mode: string;
  /** Where the mode comes from. */
  readonly modeReason?: string;
  /** Live notes; 0 where nothing was saved yet. */
  readonly notes: number;
  readonly exists: boolean;
  /** Why nothing can be written: the mode, or a directory that may only be read. Absent where it can. */
  readonly readOnly?: string;
}

/** Asked every few seconds: small, and says when the rest is to be asked again. */
export interface StateView {
  readonly version: string;
  /** What the page calls the memory: the project's directory name. */
  readonly name: string;
  readonly project: string;
  /** What is done at most, of all scopes; `off` means that nothing is read. */
  readonly mode: string;
  readonly modeReason?: string;
  readonly scopes: readonly ScopeState[];
  /** Changes whenever a note does. */
  readonly stamp: string;
  /** Changes with a recall, a dream or a proposal. */
  readonly activity: string;
  /** Proposals that wait for a person. */
  readonly waiting: number;
  /** `text`, `hash` or `nothing`: what the log keeps of prompts; `problem` where it cannot be written. */
  readonly recallLog: { readonly keeps: string; readonly path: string; readonly problem?: string };
  readonly now: string;
  readonly timeZone?: string;
}
