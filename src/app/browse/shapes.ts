/**
 * What the page and `--json` read of a memory, as JSON. Types only, with no imports, so that the page's own sources can
 * use them. An optional member is absent when there is nothing to say. Times are ISO.
 */

/** `scope:file`, such as `project:feedback_tests.md`: names a note here and nowhere else. */
export type NoteId = string;

/** The first characters of the SHA-256 of a file's text. Every write names the one its writer saw. */
export type TextHash = string;

/** A note as the list shows it. */
export interface NoteItem {
  readonly id: NoteId;
  readonly file: string;
  readonly scope: string;
  readonly name: string;
  readonly description: string;
  /** `user`, `feedback`, `project`, `reference`, or another type that the file states. */
  readonly type: string;
  readonly version: TextHash;
  /** When it was last changed. */
  readonly time: string;
  readonly pinned?: true;
  /** It has a guard that the user approved. */
  readonly guard?: true;
  /** The file of its successor. */
  readonly supersededBy?: string;
  /** Problems of the file, in words. */
  readonly problems?: readonly string[];
  /** How often and when last it was recalled, whole or as one line, according to the log; absent for never. */
  readonly recalled?: { readonly times: number; readonly last: string };
}

export interface NotesView {
  readonly notes: readonly NoteItem[];
  /** Changes whenever a note changes. */
  readonly stamp: string;
}

/** A note that this one links to, or that links to it. */
export interface LinkedNote {
  /** As written in the text. */
  readonly target: string;
  /** Absent for a dead link. */
  readonly id?: NoteId;
  readonly name?: string;
  readonly description?: string;
}

/** A note's claim about the project, checked against the working tree. */
export interface CheckedClaim {
  readonly claim: string;
  readonly kind: string;
  readonly verdict: "holds" | "gone" | "renamed" | "unchecked";
  /** One line in words: `gone: src/a.ts (deleted in 3f2a1b4, 2026-03-02)`. */
  readonly line: string;
}

/** A logged recall that considered a note. */
export interface NoteRecall {
  readonly time: string;
  readonly session?: string;
  /** Absent when the log keeps only a hash of it. */
  readonly prompt?: string;
  /** Estimated probability that the note helps: 0 to 1. */
  readonly score: number;
  /** `shown` whole, `pointed` to in one line, or why not: `surfaced`, `no-room`, `unlikely`, `too-many`. */
  readonly fate: string;
  readonly by: "rules" | "model";
}

/** A change of a store, from its history. */
export interface VersionItem {
  readonly scope: string;
  /** Increases within the scope. */
  readonly seq: number;
  readonly time: string;
  /** `user`, `rules`, `model`, `dream`, `external` (an editor or another agent), `undo`, … */
  readonly actor: string;
  readonly reason: string;
  /** The session it was captured from, if the written note names one. */
  readonly session?: string;
  /** At most 20 are listed. */
  readonly files: readonly { readonly file: string; readonly kind: "added" | "changed" | "deleted" }[];
  /** How many more files it changed. */
  readonly more?: number;
}

/** The texts of a version: of the requested note, or of every file that it changed. */
export interface VersionView {
  readonly version: VersionItem;
  readonly files: readonly {
    readonly file: string;
    readonly kind: "added" | "changed" | "deleted";
    /** Just before the version; absent if the file did not exist. */
    readonly before?: string;
    /** Just after it. */
    readonly after?: string;
  }[];
  /** How many more files it changed; at most 50 are included with their texts. */
  readonly more: number;
}

/** One fact in a chain of notes that supersede each other; the oldest comes first. */
export interface ChainNote {
  readonly id: NoteId;
  readonly description: string;
  readonly validFrom?: string;
  /** Absent for the current fact. */
  readonly validTo?: string;
}

/** A note's rule that warns about, asks about or denies a tool call. */
export interface GuardView {
  readonly state: "approved" | "waiting" | "invalid";
  readonly tool?: string;
  readonly pattern?: string;
  readonly action?: string;
  readonly message?: string;
  /** Why it cannot be used, if `invalid`. */
  readonly reason?: string;
  /** The command that approves it. The page shows it but does not run it. */
  readonly command?: string;
}

/** A note with everything known about it. */
export interface NoteView extends NoteItem {
  /** Absolute path of the file. */
  readonly path: string;
  /** The whole file, frontmatter included. */
  readonly text: string;
  /** Markdown after the frontmatter. */
  readonly body: string;
  /** `false` if the file is not UTF-8: it can then be read here but not edited. */
  readonly editable: boolean;
  readonly validFrom?: string;
  readonly validTo?: string;
  /** Where the note came from. `quotation`: what the user said there, if the transcript is still on disk. */
  readonly evidence?: { readonly session: string; readonly message: string; readonly quotation?: string };
  readonly links: readonly LinkedNote[];
  readonly backlinks: readonly LinkedNote[];
  /** Absent without a working tree to check. */
  readonly claims?: readonly CheckedClaim[];
  /** Newest first, at most 100. */
  readonly recalls: readonly NoteRecall[];
  /** What an undo would revert, or redo if `again`; absent if nothing. */
  readonly undo?: { readonly again: boolean; readonly what: string };
  /** Newest first, at most 100. */
  readonly versions: readonly VersionItem[];
  /** Contains only this note if nothing was superseded. */
  readonly chain: readonly ChainNote[];
  /** Unsettled contradictions with these notes. */
  readonly contradicts: readonly NoteId[];
  /** Its rule, if it has one, approved or not. */
  readonly guardRule?: GuardView;
  /** The nearer scope that has a note of the same name, which applies instead. */
  readonly overriddenBy?: string;
  /** Scopes it can be moved to. */
  readonly movesTo: readonly string[];
  /** `memdir forget …`: purges it and cannot be undone. The page shows it but does not run it. */
  readonly forgetCommand: string;
}

/** A removed note that has a history (status 410). */
export interface RemovedNote {
  readonly id: NoteId;
  /** When and why it was removed, and by whom. */
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
  /** Why this mode applies. */
  readonly modeReason?: string;
  /** Live notes; 0 if nothing has been saved yet. */
  readonly notes: number;
  readonly exists: boolean;
  /** Why it cannot be written: its mode, or a read-only directory. Absent when it can. */
  readonly readOnly?: string;
}

/** Requested every few seconds: small, and tells when to request the rest again. */
export interface StateView {
  readonly version: string;
  /** The memory's name on the page: the name of the project directory. */
  readonly name: string;
  readonly project: string;
  /** The most permissive mode of all scopes; `off` means that nothing is read. */
  readonly mode: string;
  readonly modeReason?: string;
  readonly scopes: readonly ScopeState[];
  /** Changes whenever a note changes. */
  readonly stamp: string;
  /** Changes with a recall, a dream or a proposal. */
  readonly activity: string;
  /** How many proposals wait for the user. */
  readonly waiting: number;
  /** `text`, `hash` or `nothing`: what the log keeps of prompts; `problem` if it cannot be written. */
  readonly recallLog: { readonly keeps: string; readonly path: string; readonly problem?: string };
  readonly now: string;
  readonly timeZone?: string;
}
