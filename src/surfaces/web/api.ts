/**
 * The API of `memdir web`, under `/api`. Types only: the page imports this file.
 *
 * Every request but `POST session` carries `Authorization: Bearer TOKEN`. Bodies are `application/json`, at most 1 MB.
 * A note is named by its id, which goes into a query with `encodeURIComponent`.
 *
 * | request | answer |
 * |---|---|
 * | `POST session` `SessionRequest` | `SessionAnswer` |
 * | `GET state` | `StateView` |
 * | `GET notes` | `NotesView`, superseded notes too |
 * | `GET note?id=` | `NoteView`; 410 `RemovedAnswer` for one that was removed |
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
 * Anything else is an `ErrorAnswer`: 400 for a request that makes no sense, 401 without a session (ask for a new link),
 * 403 where memory is off or only read (`refused`) or the request comes from elsewhere (`foreign`), 404, 405,
 * 409 `ConflictAnswer`, 413, 415, 422 for a text that the gate refuses (a secret, hidden characters),
 * 503 where the store is locked, the disk full or may only be read. A 500 is a bug.
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

/** The code from the fragment of the address: it works once, within 60 seconds. */
export interface SessionRequest {
  readonly code: string;
}

/** Kept in `sessionStorage`; the server forgets it when it ends, or after eight hours without a request. */
export interface SessionAnswer {
  readonly token: string;
}

/** Slow work, done beside the requests and kept as long as no note changes. */
export type Job<Result> =
  /** Nobody asked for it yet, or it was cancelled: `POST jobs` starts it. */
  | { readonly state: "idle" }
  /** `done` of `total` steps; `step` says which, for people. */
  | { readonly state: "working"; readonly step: string; readonly done: number; readonly total: number }
  /** `stale`: notes changed since; start it again. */
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
  /** What a session has already counts, as it does for its agent. */
  readonly session?: string;
  /** Also say why this note is not recalled. */
  readonly note?: NoteId;
}

/** What every change of a note says: which note, and which text of it was seen. */
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

/** Brings back what was superseded or removed; `seen` is left out for a note that is gone. */
export interface RestoreRequest {
  readonly id: NoteId;
  readonly seen?: TextHash;
}

/** Takes back the last change of a note, or the version `seq`; `seen` is left out for a note that is gone. */
export interface UndoRequest {
  readonly id: NoteId;
  readonly seen?: TextHash;
  readonly seq?: number;
}

export interface RedoRequest {
  readonly id: NoteId;
  readonly seen?: TextHash;
}

/** `by` holds in place of the note; both are of one scope. */
export interface SupersedeRequest extends NoteSeen {
  readonly by: NoteSeen;
}

export interface MoveRequest extends NoteSeen {
  readonly to: string;
}

/** `keep`: this note holds and supersedes what contradicts it. `both`: both hold, and nobody is asked again. */
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

/** `always`: from now on the same kind is saved without being asked about. */
export interface AcceptRequest extends ReviewSeen {
  readonly always?: boolean;
}

/** `never`: from now on the same kind is not proposed. */
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

/** Takes back the dream whose changes are version `seq` of a scope. */
export interface DreamUndoRequest {
  readonly scope: string;
  readonly seq: number;
}

/** What became of a change that was made. */
export interface Written {
  /** `written`, `merged`, `unchanged`, `removed`, `restored`, `undone`, `redone`, `superseded`, `moved`, `settled`, `accepted`, `known`, `rejected`, `edited`, `dropped`. */
  readonly outcome: string;
  /** For people: one sentence. */
  readonly says: string;
  /** Where the note is now, and its text's hash; absent where it is gone, or the change was not of one note. */
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
    /** What was to be written, or the text that was seen where the change has no text of its own. */
    readonly yours?: string;
    /** What stands there now; absent where the note is gone. */
    readonly theirs?: string;
    readonly version?: TextHash;
  };
}
