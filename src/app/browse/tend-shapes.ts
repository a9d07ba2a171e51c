/** Skills, and meeting with other devices, as JSON gives them to the page. Types only. */

/** A use of a skill, or a word on it; newest first in a list. */
export interface SkillEvent {
  readonly time: string;
  readonly revision: number;
  readonly kind: string;
  /** What it was, for people. */
  readonly says: string;
  readonly session?: string;
}

export interface SkillRevision {
  readonly revision: number;
  readonly stage: string;
  readonly author: string;
  readonly passes: number;
  readonly fails: number;
}

/** A skill that memdir learnt. */
export interface SkillItem {
  readonly name: string;
  readonly scope: string;
  readonly description: string;
  readonly stage: string;
  /** Why it is in this stage, for people. */
  readonly why: string;
  /** For people: "3 of 4 passed". */
  readonly evidence: string;
  readonly sessions: number;
  readonly lastUse?: string;
  /** Where it is offered, for people. */
  readonly where: string;
  readonly pinned?: true;
  /** What it names is gone. */
  readonly stale?: string;
  readonly path: string;
  readonly text: string;
  readonly check?: string;
  /** A newer revision that is tried beside it. */
  readonly next?: { readonly revision: number; readonly stage: string; readonly evidence: string };
  readonly revisions: readonly SkillRevision[];
  /** At most 30. */
  readonly events: readonly SkillEvent[];
  readonly offers: number;
  readonly loads: number;
  readonly follows: number;
}

/** A finished task that may become a skill. */
export interface SkillCandidate {
  readonly id: string;
  readonly time: string;
  readonly description: string;
  /** Why it may become one, for people. */
  readonly wants: readonly string[];
  /** Why it does not, for people. */
  readonly refused: readonly string[];
  /** The skill that came of it. */
  readonly draft?: string;
  readonly steps: readonly string[];
  readonly check?: string;
}

/** What a person is to say about skills; the page shows the command. */
export interface SkillQuestion {
  readonly name: string;
  /** For people. */
  readonly says: string;
  readonly commands: readonly string[];
}

export interface SkillsView {
  readonly mode: string;
  readonly skills: readonly SkillItem[];
  /** Newest first, at most 50. */
  readonly candidates: readonly SkillCandidate[];
  readonly moreCandidates: number;
  readonly waiting: readonly SkillQuestion[];
  /** So many skills of people, which memdir reads and never changes. */
  readonly people: number;
  readonly damaged: readonly string[];
}

/** A store that meets with the same notes on other devices. */
export interface SyncItem {
  readonly scope: string;
  readonly directory: string;
  readonly remote: string;
  /** `git`, `server` (memdir-server) or `store` (of the memory API). */
  readonly kind: string;
  readonly space: string;
  readonly state: "never-run" | "idle" | "offline" | "paused" | "ask" | "key";
  /** Why, and what to do about it; empty when idle. */
  readonly message: string;
  /** Changes here that are not there yet. */
  readonly pending: number;
  readonly conflicts: readonly string[];
  readonly refused: readonly { readonly path: string; readonly why: string }[];
  readonly lastRun?: string;
  readonly retryAt?: string;
  readonly automatic: boolean;
  /** Of an encrypted space. */
  readonly keys?: SyncKeys;
}

export interface SyncKeys {
  readonly words?: string;
  readonly devices: readonly { readonly id: string; readonly name: string; readonly here: boolean }[];
  /** So many devices ask for the keys. */
  readonly requests: number;
}

/** A run that did something or failed. */
export interface SyncRun {
  readonly time: string;
  readonly scope: string;
  readonly state: string;
  readonly message: string;
  readonly pulled: number;
  readonly pushed: number;
  readonly conflicts: number;
  readonly refused: number;
}

export interface SyncView {
  readonly spaces: readonly SyncItem[];
  /** What waits for a person, or why that cannot be told. */
  readonly waiting?: string;
  /** A process syncs now. */
  readonly working: boolean;
  /** Newest first, at most 20. */
  readonly runs: readonly SyncRun[];
}

/** What servers know of the devices that read a space; asked over the network. */
export interface DevicesView {
  readonly spaces: readonly {
    readonly scope: string;
    readonly remote: string;
    readonly kind: "git" | "server" | "store";
    /** Absent for a repository or a store of the memory API, which do not know who reads them. */
    readonly devices?: readonly {
      readonly device: string;
      readonly user: string;
      readonly seen: string;
      /** It has all that the space has. */
      readonly current: boolean;
    }[];
    /** Forgotten notes that some device still has. */
    readonly openForgets: number;
  }[];
}
