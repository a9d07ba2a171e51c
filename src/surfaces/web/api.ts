/**
 * The API of `memdir web`, under `/api`. Types only: the page imports this file.
 *
 * Every request except `POST session` has `Authorization: Bearer TOKEN`. Bodies are `application/json`, at most 1 MB.
 * A note is named by its id, encoded with `encodeURIComponent` in a query.
 *
 * | request | answer |
 * |---|---|
 * | `POST session` `SessionRequest` | `SessionAnswer` |
 * | `GET state` | `StateView` |
 * | `GET notes` | `NotesView`, including superseded notes |
 * | `GET note?id=` | `NoteView`; 410 `RemovedAnswer` for a removed note |
 * | `GET version?scope=&seq=[&id=]` | `VersionView` |
 * | `GET timeline?[before=][&limit=][&kind=]` | `TimelineView`; limit at most 500, default 100 |
 * | `GET graph` | `GraphView` |
 * | `GET review` | `ReviewView` |
 * | `GET dreams` | `DreamsView` |
 * | `GET sessions`, `GET session?id=` | `SessionsView`, `SessionView` |
 * | `GET cost` | `CostView` |
 * | `GET skills` | `SkillsView` |
 * | `GET sync`, `GET devices` | `SyncView`, and `DevicesView`, which asks servers over the network |
 * | `GET conflicts`, `GET health` | `Job<ConflictsView>`, `Job<HealthView>` |
 * | `POST jobs` `JobRequest` | `JobAnswer` |
 * | `POST ask` `AskRequest` | `AskView` |
 * | `POST pin`, `revise`, `remove`, `restore`, `undo`, `redo`, `supersede`, `move` | `Written` |
 * | `POST conflicts` `SettleRequest` | `Written` |
 * | `POST review/accept`, `review/reject`, `review/edit`, `review/drop-rule` | `Written` |
 * | `POST dreams/undo` `DreamUndoRequest` | `Written` |
 *
 * Anything else is an `ErrorAnswer`: 400 for an invalid request, 401 without a session (get a new link), 403 if memory
 * is off or read-only (`refused`) or the request comes from elsewhere (`foreign`), 404, 405, 409 `ConflictAnswer`, 413,
 * 415, 422 for a text that the gate refuses (a secret, hidden characters), 503 if the store is locked, or the disk is
 * full or read-only. A 500 is a bug.
 */
export type {
  AskedNote,
  AskedWord,
  AskView,
  ConflictItem,
  ConflictNote,
  ConflictsView,
  CostView,
  DreamItem,
  DreamLineItem,
  DreamsView,
  GivenNote,
  GraphView,
  HealthFinding,
  HealthView,
  ReviewItem,
  ReviewRuleItem,
  ReviewView,
  SessionEvent,
  SessionItem,
  SessionsView,
  SessionView,
  TimelineEvent,
  TimelineView,
  WhyNot,
} from "../../app/browse/activity-shapes.ts";
export type {
  ChainNote,
  CheckedClaim,
  GuardView,
  LinkedNote,
  NoteId,
  NoteItem,
  NoteRecall,
  NotesView,
  NoteView,
  RemovedNote,
  ScopeState,
  StateView,
  TextHash,
  VersionItem,
  VersionView,
} from "../../app/browse/shapes.ts";
export type {
  DevicesView,
  SkillCandidate,
  SkillItem,
  SkillsView,
  SyncItem,
  SyncView,
} from "../../app/browse/tend-shapes.ts";
import type { NoteId, RemovedNote, TextHash } from "../../app/browse/shapes.ts";

/** The code from the address's fragment: it works once, within 60 seconds. */
export interface SessionRequest {
  readonly code: string;
}

/** Kept in `sessionStorage`; the server forgets it when it ends, or after eight hours without a request. */
export interface SessionAnswer {
  readonly token: string;
}

/** Slow work, done in parallel with requests; its result is kept until a note changes. */
export type Job<Result> =
  /** Not requested yet, or cancelled: `POST jobs` starts it. */
  | { readonly state: "idle" }
  /** `done` of `total` steps; `step` names the current one, for people. */
  | { readonly state: "working"; readonly step: string; readonly done: number; readonly total: number }
  /** `stale`: notes have changed since; start it again. */
  | {
      readonly state: "ready";
      readonly time: string;
      readonly ms: number;
      readonly stale: boolean;
      readonly result: Result;
    }
  | { readonly state: "failed"; readonly message: string };

export type JobName = "conflicts" | "health";

export interface JobRequest {
  readonly job: JobName;
  readonly do: "start" | "cancel";
}

export interface JobAnswer {
  readonly state: "idle" | "working" | "ready" | "failed";
}

export interface AskRequest {
  readonly prompt: string;
  /** Notes that the session already has are considered, as for its agent. */
  readonly session?: string;
  /** Also say why this note is not recalled. */
  readonly note?: NoteId;
}

/** The fields of every change of a note: which note, and which text of it was seen. */
export interface NoteSeen {
  readonly id: NoteId;
  readonly seen: TextHash;
}

export interface PinRequest extends NoteSeen {
  readonly pinned: boolean;
}

/** The whole file, frontmatter included. */
export interface ReviseRequest extends NoteSeen {
  readonly text: string;
}

export type RemoveRequest = NoteSeen;

/** Restores a superseded or removed note; `seen` is left out for a note that is gone. */
export interface RestoreRequest {
  readonly id: NoteId;
  readonly seen?: TextHash;
}

/** Undoes the last change of a note, or the version `seq`; `seen` is left out for a note that is gone. */
export interface UndoRequest {
  readonly id: NoteId;
  readonly seen?: TextHash;
  readonly seq?: number;
}

export interface RedoRequest {
  readonly id: NoteId;
  readonly seen?: TextHash;
}

/** `by` replaces the note; both are in the same scope. */
export interface SupersedeRequest extends NoteSeen {
  readonly by: NoteSeen;
}

export interface MoveRequest extends NoteSeen {
  readonly to: string;
}

/** `keep`: this note supersedes those that contradict it. `both`: all hold, and the question is not asked again. */
export interface SettleRequest extends NoteSeen {
  readonly settle: "keep" | "both";
  /** The others, as they were seen. */
  readonly others: readonly NoteSeen[];
}

/** A proposal, as it was seen. */
export interface ReviewSeen {
  readonly id: string;
  readonly seen: TextHash;
}

/** `always`: from now on this kind is saved without asking. */
export interface AcceptRequest extends ReviewSeen {
  readonly always?: boolean;
}

/** `never`: from now on this kind is not proposed. */
export interface RejectRequest extends ReviewSeen {
  readonly never?: boolean;
}

/** The proposal as a file. */
export interface EditRequest extends ReviewSeen {
  readonly text: string;
}

export interface DropRuleRequest {
  readonly rule: string;
}

/** Undoes the dream whose changes are version `seq` of a scope. */
export interface DreamUndoRequest {
  readonly scope: string;
  readonly seq: number;
}

/** The outcome of a change. */
export interface Written {
  /** `written`, `merged`, `unchanged`, `removed`, `restored`, `undone`, `redone`, `superseded`, `moved`, `settled`, `accepted`, `known`, `rejected`, `edited`, `dropped`. */
  readonly outcome: string;
  /** For people: one sentence. */
  readonly says: string;
  /** The note's current id and its text's hash; absent if it is gone, or if the change was not of one note. */
  readonly id?: NoteId;
  readonly version?: TextHash;
  /** The command that undoes it. */
  readonly undo?: string;
}

export interface ErrorAnswer {
  readonly error: {
    /** `session`, `foreign`, `refused`, `not-found`, `removed`, `conflict`, `invalid-input`, `too-large`, `secret`, `hidden-characters`, `locked`, `permission`, `disk-full`, `method`, `type`, `bug`. */
    readonly code: string;
    /** For people: what failed and what to do. */
    readonly message: string;
  };
}

/** Status 410. */
export interface RemovedAnswer extends ErrorAnswer {
  readonly removed: RemovedNote;
}

/** Status 409: nothing was written. */
export interface ConflictAnswer extends ErrorAnswer {
  readonly conflict: {
    readonly id: NoteId;
    /** The text to be written, or the text that was seen if the change has no text of its own. */
    readonly yours?: string;
    /** The current text; absent if the note is gone. */
    readonly theirs?: string;
    readonly version?: TextHash;
  };
}
