/** Skills and sync, as JSON for the page. Types only. */

/** A use of a skill, or a statement about it; lists show the newest first. */
export interface SkillEvent {
  readonly time: string;
  readonly revision: number;
  readonly kind: string;
  /** The event, in words. */
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
  /** Why it is in this stage, in words. */
  readonly why: string;
  /** In words: "3 of 4 passed". */
  readonly evidence: string;
  readonly sessions: number;
  readonly lastUse?: string;
  /** Where it is offered, in words. */
  readonly where: string;
  readonly pinned?: true;
  /** What it refers to no longer exists. */
  readonly stale?: string;
  readonly path: string;
  readonly text: string;
  readonly check?: string;
  /** A newer revision that is being tried alongside it. */
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
  /** Why it may become one, in words. */
  readonly wants: readonly string[];
  /** Why it does not become one, in words. */
  readonly refused: readonly string[];
  /** The skill made from it. */
  readonly draft?: string;
  readonly steps: readonly string[];
  readonly check?: string;
}

/** A question about skills for the user; the page shows the commands. */
export interface SkillQuestion {
  readonly name: string;
  /** The question, in words. */
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
  /** How many skills were written by people; memdir reads them and never changes them. */
  readonly people: number;
  readonly damaged: readonly string[];
}

/** A store that is synced with other devices. */
export interface SyncItem {
  readonly scope: string;
  readonly directory: string;
  readonly remote: string;
  /** `git`, `server` (memdir-server) or `store` (of the memory API). */
  readonly kind: string;
  readonly space: string;
  readonly state: "never-run" | "idle" | "offline" | "paused" | "ask" | "key";
  /** The reason, and what to do about it; empty when idle. */
  readonly message: string;
  /** Local changes that have not been pushed. */
  readonly pending: number;
  readonly conflicts: readonly string[];
  readonly refused: readonly { readonly path: string; readonly why: string }[];
  readonly lastRun?: string;
  readonly retryAt?: string;
  readonly automatic: boolean;
  /** For an encrypted space. */
  readonly keys?: SyncKeys;
}

export interface SyncKeys {
  readonly words?: string;
  readonly devices: readonly { readonly id: string; readonly name: string; readonly here: boolean }[];
  /** How many devices ask for the keys. */
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
  /** What waits for the user, or why that is unknown. */
  readonly waiting?: string;
  /** A process is syncing now. */
  readonly working: boolean;
  /** Newest first, at most 20. */
  readonly runs: readonly SyncRun[];
}

/** What servers know about the devices that read a space; requires the network. */
export interface DevicesView {
  readonly spaces: readonly {
    readonly scope: string;
    readonly remote: string;
    readonly kind: "git" | "server" | "store";
    /** Absent for a git repository or a store of the memory API, which do not know their readers. */
    readonly devices?: readonly {
      readonly device: string;
      readonly user: string;
      readonly seen: string;
      /** It has everything in the space. */
      readonly current: boolean;
    }[];
    /** Forgotten notes that some device may still have. */
    readonly openForgets: number;
  }[];
}
