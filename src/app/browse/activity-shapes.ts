import type { NoteId, TextHash, VersionItem } from "./shapes.ts";

/** What happened and what is to be decided, as JSON: the other part of what the page reads. Types only. */

/** A word of a prompt, and how many live notes contain it. */
export interface AskedWord {
  readonly word: string;
  readonly notes: number;
  /** `false` for a word too common to help. */
  readonly telling: boolean;
}

/** A note that recall considered for a prompt. */
export interface AskedNote {
  readonly id: NoteId;
  readonly file: string;
  readonly scope: string;
  readonly name: string;
  readonly description: string;
  readonly score: number;
  readonly fate: string;
  /** The outcome, in words. */
  readonly says: string;
  /** The prompt's words that the note contains, those that match a related word, and those that are missing. */
  readonly has: readonly string[];
  readonly relates: readonly string[];
  readonly lacks: readonly string[];
}

/** Why a note was not recalled, or that it was. */
export interface WhyNot {
  readonly id: NoteId;
  readonly reason: string;
  /** The reason, in words. */
  readonly says: string;
  readonly score: number;
  readonly rank?: number;
  /** Where in the note the prompt's words are. */
  readonly places: readonly string[];
  /** What would help, in words: usually a better description. */
  readonly remedy?: string;
}

export interface AskView {
  readonly prompt: string;
  readonly verdict: string;
  /** The verdict, in words. */
  readonly says: string;
  /** How likely a note must be to help, 0 to 1: to be shown whole, and to be shown as one line. */
  readonly floors: { readonly whole: number; readonly pointer: number };
  readonly words: readonly AskedWord[];
  /** Best first, at most ten. */
  readonly candidates: readonly AskedNote[];
  readonly more: number;
  /** What an agent is given, verbatim; one entry for all clients that are given the same text. */
  readonly given: readonly { readonly clients: readonly string[]; readonly text: string; readonly tokens: number }[];
  readonly ms?: number;
  readonly remarks: readonly string[];
  /** Set when the request named a note. */
  readonly whyNot?: WhyNot;
}

/** One event; a timeline lists the newest first. */
export type TimelineEvent =
  | {
      readonly kind: "recall";
      readonly time: string;
      readonly session?: string;
      readonly prompt?: string;
      readonly shown: readonly NoteId[];
      readonly pointed: readonly NoteId[];
      readonly tokens: number;
      readonly by: "rules" | "model";
    }
  /** `capture`: written from a session; `dream`: tidied; `edit`: by the user or another program; `undo`. */
  | {
      readonly kind: "capture" | "dream" | "edit" | "undo";
      readonly time: string;
      readonly session?: string;
      readonly version: VersionItem;
    }
  | { readonly kind: "start"; readonly time: string; readonly session: string; readonly notes: readonly NoteId[] };

export interface TimelineView {
  readonly events: readonly TimelineEvent[];
  /** Pass this as `before` to get older events; absent at the end. */
  readonly before?: string;
  /** Why recalls are missing, when the log is off. */
  readonly missing?: string;
}

export interface GraphView {
  /** Notes with a link or a backlink. */
  readonly nodes: readonly {
    readonly id: NoteId;
    readonly name: string;
    readonly type: string;
    readonly scope: string;
    readonly out: number;
    readonly in: number;
  }[];
  /** Pairs of indexes into `nodes`: from, to. */
  readonly edges: readonly (readonly [from: number, to: number])[];
  /** Links to no note, at most 500. */
  readonly dead: readonly { readonly id: NoteId; readonly target: string }[];
  /** Live notes without links in either direction. */
  readonly orphans: number;
}

/** A proposal that waits for the user. */
export interface ReviewItem {
  readonly id: string;
  /** Version of the proposal; accept, reject and edit name the one they saw. */
  readonly version: TextHash;
  readonly time: string;
  readonly scope: string;
  readonly kind: "create" | "supersede" | "revise" | "retire";
  /** The note to be changed, or replaced by the new one; absent for `create`. */
  readonly target?: { readonly id: NoteId; readonly text?: string };
  /** The successor of the note, for `retire`. */
  readonly by?: string;
  readonly type?: string;
  readonly name?: string;
  readonly description?: string;
  readonly body?: string;
  /** The proposal as a file, to edit; absent for `retire`. */
  readonly text?: string;
  /** Why it waits. */
  readonly reason: string;
  /** It always waits: an "always" rule does not apply. */
  readonly doubtful: boolean;
  readonly source: "rules" | "model";
  readonly quote: string;
  readonly evidence: { readonly session: string; readonly message: string };
  /** Why it cannot be accepted as it is. */
  readonly stale?: string;
}

export interface ReviewRuleItem {
  readonly id: string;
  readonly verdict: "always" | "never";
  /** In words: "always create a feedback note, said as a wish". */
  readonly says: string;
  readonly time: string;
}

export interface ReviewView {
  readonly waiting: readonly ReviewItem[];
  readonly rules: readonly ReviewRuleItem[];
  /** What lapsed unseen, in words. */
  readonly lapsed?: string;
  readonly damaged: readonly string[];
}

export interface DreamLineItem {
  readonly kind: string;
  readonly files: readonly string[];
  readonly reason: string;
}

/** A finished dream; its texts before and after are those of its version. */
export interface DreamItem {
  readonly scope: string;
  readonly time: string;
  readonly notes: number;
  readonly ms: number;
  /** The `seq` of its changes; absent if it changed nothing. */
  readonly version?: number;
  /** All of its changes were undone. */
  readonly undone: boolean;
  readonly applied: readonly DreamLineItem[];
  readonly refused: readonly (DreamLineItem & { readonly why: string })[];
  readonly told: readonly DreamLineItem[];
  readonly failure?: string;
  readonly model?: { readonly id: string; readonly inputTokens: number; readonly outputTokens: number };
}

export interface DreamsView {
  readonly last?: string;
  /** When the next dream comes, or why none does, in words. */
  readonly next: string;
  /** Newest first. */
  readonly dreams: readonly DreamItem[];
}

/** Notes that contradict each other; one entry per subject. */
export interface ConflictItem {
  readonly newer: ConflictNote;
  readonly older: ConflictNote;
  readonly reason: string;
  /** More notes in the same contradiction. */
  readonly others: readonly NoteId[];
  /** How many more are not listed. */
  readonly more: number;
}

export interface ConflictNote {
  readonly id: NoteId;
  readonly name: string;
  readonly body: string;
  readonly version: TextHash;
  readonly time: string;
  readonly pinned?: true;
}

export interface ConflictsView {
  /** At most 100. */
  readonly conflicts: readonly ConflictItem[];
  /** How many more there are. */
  readonly omitted: number;
}

/** A finding, with the command that fixes it. */
export interface HealthFinding {
  /** `doctor` checks the installation, `audit` the notes. */
  readonly from: "doctor" | "audit";
  readonly check: string;
  readonly level: "ok" | "warn" | "fail";
  readonly message: string;
  readonly why?: string;
  readonly notes: readonly NoteId[];
  readonly command?: string;
  readonly hint?: string;
}

export interface HealthView {
  readonly findings: readonly HealthFinding[];
  /** The number of findings left out: only the first 50 of each kind are listed. */
  readonly omitted: number;
}

export interface CostView {
  /** Days of the log, oldest first; days without recalls are omitted. */
  readonly days: readonly {
    /** `YYYY-MM-DD` in the time zone of the machine. */
    readonly day: string;
    readonly recalls: number;
    /** Estimated tokens of the text that agents were given. */
    readonly tokens: number;
    readonly sessions: number;
  }[];
  /** The notes given most often, at most 20. */
  readonly notes: readonly { readonly id: NoteId; readonly times: number }[];
  /** What each scope's MEMORY.md costs at the start of a session. */
  readonly start: readonly { readonly scope: string; readonly tokens: number; readonly lines: number }[];
  /** Spending on models, by day; empty if none was asked. */
  readonly models: readonly {
    readonly day: string;
    readonly requests: number;
    readonly tokens: number;
    readonly dollars: number;
  }[];
}

/** A session of the log. */
export interface SessionItem {
  readonly id: string;
  /** Its first prompt, if the log keeps prompts. */
  readonly prompt?: string;
  /** Proposals from this session that wait in the review. */
  readonly waiting: number;
  readonly first: string;
  readonly last: string;
  readonly recalls: number;
  readonly tokens: number;
}

export interface SessionsView {
  /** Most recent first. */
  readonly sessions: readonly SessionItem[];
}

/** A note as a session received it. */
export interface GivenNote {
  readonly id: NoteId;
  readonly score?: number;
  /** Its end was cut off. */
  readonly cut?: true;
  /** The note has changed or was removed since. */
  readonly since?: "changed" | "gone";
}

/** An event of a session, in order of time. */
export type SessionEvent =
  /** The session's start: pinned notes in full, other notes as one line each. */
  | {
      readonly kind: "start";
      readonly time: string;
      readonly pinned: readonly GivenNote[];
      readonly listed: readonly NoteId[];
    }
  | {
      readonly kind: "prompt";
      readonly time: string;
      readonly prompt?: string;
      readonly shown: readonly GivenNote[];
      readonly pointed: readonly GivenNote[];
      readonly tokens: number;
      readonly by: "rules" | "model";
      /** The session's budget was used up. */
      readonly spent?: true;
    }
  /** A tool call named what these notes are about: one line each. */
  | { readonly kind: "trigger"; readonly time: string; readonly pointed: readonly NoteId[] }
  /** The session was compacted: its model no longer sees earlier notes. */
  | { readonly kind: "compacted"; readonly time: string }
  | { readonly kind: "forked"; readonly time: string; readonly from: string };

export interface SessionView extends Omit<SessionItem, "waiting"> {
  readonly events: readonly SessionEvent[];
  /** Notes whose evidence is this session. */
  readonly captured: readonly { readonly id: NoteId; readonly name: string; readonly description: string }[];
  /** Ids of proposals from this session that wait. */
  readonly waiting: readonly string[];
}
