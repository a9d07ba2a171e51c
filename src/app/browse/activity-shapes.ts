import type { NoteId, TextHash, VersionItem } from "./shapes.ts";

/** What happened and what is to be decided, as JSON gives it: the rest of what the page reads. Types only. */

/** A word of a prompt, with how many live notes have it. */
export interface AskedWord {
  readonly word: string;
  readonly notes: number;
  /** `false` for a word too common to tell anything. */
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
  /** The fate, for people. */
  readonly says: string;
  /** The prompt's words that the note has, those it answers by a related word, and those it lacks. */
  readonly has: readonly string[];
  readonly relates: readonly string[];
  readonly lacks: readonly string[];
}

/** Why a note was not recalled, or that it was. */
export interface WhyNot {
  readonly id: NoteId;
  readonly reason: string;
  /** For people. */
  readonly says: string;
  readonly score: number;
  readonly rank?: number;
  /** Where the note has the prompt's words. */
  readonly places: readonly string[];
  /** What would help, for people: mostly a better description. */
  readonly remedy?: string;
}

export interface AskView {
  readonly prompt: string;
  readonly verdict: string;
  /** The verdict, for people. */
  readonly says: string;
  /** How likely a note has to be to help: to be shown whole, and in one line; 0 to 1. */
  readonly floors: { readonly whole: number; readonly pointer: number };
  readonly words: readonly AskedWord[];
  /** Best first, at most ten. */
  readonly candidates: readonly AskedNote[];
  readonly more: number;
  /** What an agent is given, word for word; one for all clients that are given the same. */
  readonly given: readonly { readonly clients: readonly string[]; readonly text: string; readonly tokens: number }[];
  readonly ms?: number;
  readonly remarks: readonly string[];
  /** Set when a note was asked about. */
  readonly whyNot?: WhyNot;
}

/** Something that happened; newest first in a timeline. */
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
  /** `capture`: written from a session; `dream`: tidied; `edit`: by a person or another program; `undo`. */
  | {
      readonly kind: "capture" | "dream" | "edit" | "undo";
      readonly time: string;
      readonly session?: string;
      readonly version: VersionItem;
    }
  | { readonly kind: "start"; readonly time: string; readonly session: string; readonly notes: readonly NoteId[] };

export interface TimelineView {
  readonly events: readonly TimelineEvent[];
  /** Give it as `before` for the next older ones; absent at the end. */
  readonly before?: string;
  /** Why recalls are missing, where the log is off. */
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
  /** Pairs of places in `nodes`: from, to. */
  readonly edges: readonly (readonly [from: number, to: number])[];
  /** Links that lead nowhere, at most 500. */
  readonly dead: readonly { readonly id: NoteId; readonly target: string }[];
  /** Live notes without a link either way. */
  readonly orphans: number;
}

/** A proposal that waits for a person. */
export interface ReviewItem {
  readonly id: string;
  /** Of the proposal as it is now; accept, reject and edit say which they saw. */
  readonly version: TextHash;
  readonly time: string;
  readonly scope: string;
  readonly kind: "create" | "supersede" | "revise" | "retire";
  /** The note that is to change, or that the new one replaces; absent for `create`. */
  readonly target?: { readonly id: NoteId; readonly text?: string };
  /** The note that holds in its place, for `retire`. */
  readonly by?: string;
  readonly type?: string;
  readonly name?: string;
  readonly description?: string;
  readonly body?: string;
  /** The proposal as a file, to edit; absent for `retire`. */
  readonly text?: string;
  /** Why it waits. */
  readonly reason: string;
  /** It always waits: "always like this" does not apply. */
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
  /** For people: "always create a feedback note, said as a wish". */
  readonly says: string;
  readonly time: string;
}

export interface ReviewView {
  readonly waiting: readonly ReviewItem[];
  readonly rules: readonly ReviewRuleItem[];
  /** For people: what lapsed unseen. */
  readonly lapsed?: string;
  readonly damaged: readonly string[];
}

export interface DreamLineItem {
  readonly kind: string;
  readonly files: readonly string[];
  readonly reason: string;
}

/** A dream that ran; its texts before and after are those of its version. */
export interface DreamItem {
  readonly scope: string;
  readonly time: string;
  readonly notes: number;
  readonly ms: number;
  /** The `seq` that holds its changes; absent where it changed nothing. */
  readonly version?: number;
  /** Every change of it was taken back. */
  readonly undone: boolean;
  readonly applied: readonly DreamLineItem[];
  readonly refused: readonly (DreamLineItem & { readonly why: string })[];
  readonly told: readonly DreamLineItem[];
  readonly failure?: string;
  readonly model?: { readonly id: string; readonly inputTokens: number; readonly outputTokens: number };
}

export interface DreamsView {
  readonly last?: string;
  /** For people: when the next one comes, or why none does. */
  readonly next: string;
  /** Newest first. */
  readonly dreams: readonly DreamItem[];
}

/** Notes that contradict one another, one entry for all of a subject. */
export interface ConflictItem {
  readonly newer: ConflictNote;
  readonly older: ConflictNote;
  readonly reason: string;
  /** More notes of the same contradiction. */
  readonly others: readonly NoteId[];
  /** How many of those are not named. */
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

/** One finding, with the command that fixes it. */
export interface HealthFinding {
  /** `doctor` looks at the installation, `audit` at the notes. */
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
  /** Findings of one kind beyond the first 50 are counted here. */
  readonly omitted: number;
}

export interface CostView {
  /** Oldest first, of the log's time; a day without recalls is left out. */
  readonly days: readonly {
    /** `YYYY-MM-DD` in the time zone of the machine. */
    readonly day: string;
    readonly recalls: number;
    /** Of text that agents were given, estimated. */
    readonly tokens: number;
    readonly sessions: number;
  }[];
  /** Notes that were given most often, at most 20. */
  readonly notes: readonly { readonly id: NoteId; readonly times: number }[];
  /** What each scope's MEMORY.md costs at the start of a session. */
  readonly start: readonly { readonly scope: string; readonly tokens: number; readonly lines: number }[];
  /** Spent on models, by day; empty where none was asked. */
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
  /** Its first prompt, where the log keeps prompts. */
  readonly prompt?: string;
  /** Proposals from it that wait in the review. */
  readonly waiting: number;
  readonly first: string;
  readonly last: string;
  readonly recalls: number;
  readonly tokens: number;
}

export interface SessionsView {
  /** The latest first. */
  readonly sessions: readonly SessionItem[];
}

/** A note as a session was given it. */
export interface GivenNote {
  readonly id: NoteId;
  readonly score?: number;
  /** Its end was left out. */
  readonly cut?: true;
  /** It was changed since, or is gone. */
  readonly since?: "changed" | "gone";
}

/** What happened to a session, in its order. */
export type SessionEvent =
  /** It was given its start: pinned notes, and a line each for others. */
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
      /** The session's budget had ended. */
      readonly spent?: true;
    }
  /** A tool call named what these are about: a line each. */
  | { readonly kind: "trigger"; readonly time: string; readonly pointed: readonly NoteId[] }
  /** What it had before is no longer in front of its model. */
  | { readonly kind: "compacted"; readonly time: string }
  | { readonly kind: "forked"; readonly time: string; readonly from: string };

export interface SessionView extends Omit<SessionItem, "waiting"> {
  readonly events: readonly SessionEvent[];
  /** Notes that rest on it. */
  readonly captured: readonly { readonly id: NoteId; readonly name: string; readonly description: string }[];
  /** Proposals from it that wait. */
  readonly waiting: readonly string[];
}
