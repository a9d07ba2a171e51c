import type { ToolCall } from "../transcripts/turn.ts";

/**
 * The types that learning and storage exchange: tasks and their outcomes, candidates and recipes, draft proposals,
 * events of evidence and the states they add up to.
 */

/** What memdir does with skills. `observe`: candidates and drafts, no offers. `confirm`: the user agrees first. */
export const SKILLS_MODES = ["off", "observe", "confirm", "auto"] as const;
export type SkillsMode = (typeof SKILLS_MODES)[number];

export type SkillScope = "project" | "user";

/** A user's prompt and everything up to the next one that is more than "go on". */
export interface Task {
  readonly agent: string;
  readonly session: string;
  /** Id of the message with the prompt. */
  readonly id: string;
  readonly cwd: string | undefined;
  readonly prompt: string;
  /** ISO times of the prompt and of the last message; `undefined` if the transcript has none. */
  readonly time: string | undefined;
  readonly end: string | undefined;
  /** In order, with their results if the client recorded them. */
  readonly calls: readonly ToolCall[];
  /** The agent's last words. */
  readonly answer: string;
  /** The user's next words, once there are any. */
  readonly next: string | undefined;
  /** The user interrupted, or refused a call. */
  readonly interrupted: boolean;
}

export type OutcomeReason =
  | "check-passed"
  | "committed"
  | "pushed"
  | "thanked"
  | "interrupted"
  | "corrected"
  | "error-pasted"
  | "check-failed"
  | "calls-failed"
  | "gave-up"
  | "nothing-checkable";

/** How a task ended. It does not judge a skill; only the skill's own check does. */
export interface Outcome {
  readonly kind: "good" | "bad" | "unknown";
  readonly reasons: readonly OutcomeReason[];
}

export interface RecipeStep {
  /** Session values are replaced by placeholders such as `<version>`. */
  readonly command: string;
  /** The call that ran it. */
  readonly call: string;
}

/** A command failed and another of the same program then worked. */
export interface Pitfall {
  readonly failed: string;
  /** The first line of its output: data, at most 120 characters. */
  readonly error: string;
  readonly worked: string;
}

/** What a task's calls say without a model: a skeleton for the writer of the skill. */
export interface Recipe {
  /** The prompt's first sentence, truncated. */
  readonly description: string;
  readonly steps: readonly RecipeStep[];
  /** Files changed, as far as tools report them; the commands alone do not show this. */
  readonly edits?: readonly string[];
  readonly pitfalls: readonly Pitfall[];
  /** The last verification that passed after the last edit. */
  readonly check: string | undefined;
  /** Uncommon heads (`pnpm run codegen`) in order, then the check's head; this identifies the procedure. */
  readonly signature: readonly string[];
}

/** Why a candidate becomes a draft: it recurs in two sessions, recovers from an error, or was asked for or dictated. */
export type Want = "recurs" | "recovered" | "asked" | "dictated";

/** One line of candidates.jsonl. */
export interface Candidate {
  /** `c` and eight hex digits; the same task gives the same id. */
  readonly id: string;
  readonly agent: string;
  readonly session: string;
  /** Id of the message with the prompt. */
  readonly task: string;
  /** When the task ended (ms). */
  readonly time: number;
  readonly calls: number;
  readonly outcome: Outcome;
  readonly recipe: Recipe;
  readonly wants: readonly Want[];
  /** Gates that refuse a draft from it; if empty, it may become one. */
  readonly refused: readonly SkillGate[];
  /** A host agent was asked to write it (ms). */
  readonly askedAt?: number;
  /** The resulting draft: the skill's id, and who wrote it. */
  readonly draft?: string;
  readonly writer?: SkillAuthor;
}

/** Reason codes of the gates, for candidates and texts. */
export const SKILL_GATES = [
  "secret",
  "hidden-characters",
  "injected",
  "recalled",
  "from-a-skill",
  "dangerous",
  "derivable",
  "too-specific",
  "transient",
  "no-check",
  "human-exists",
  "duplicate",
  "not-from-the-task",
  "invalid",
] as const;
export type SkillGate = (typeof SKILL_GATES)[number];

/** Who wrote a text. A bare recipe never goes on trial. */
export type SkillAuthor = "recipe" | "model" | "host-agent" | "person";

export interface DraftStep {
  readonly text: string;
  readonly command?: string;
}

/** What a writer submits; the form is the same for a host agent, a model, a person and a recipe. */
export interface DraftProposal {
  readonly author: SkillAuthor;
  readonly scope: SkillScope;
  readonly name: string;
  readonly description: string;
  readonly when: string;
  readonly steps: readonly DraftStep[];
  readonly pitfalls: readonly string[];
  readonly check: string | undefined;
  /** Programs that the steps need. */
  readonly programs: readonly string[];
  /** Evidence ids `agent:session:message`, at most 5. */
  readonly from: readonly string[];
  readonly candidate: string | undefined;
  /** If set, the proposal is a new revision of this skill (its id). */
  readonly revises?: string;
}

export type DraftVerdict =
  | { readonly kind: "kept"; readonly skill: string; readonly name: string; readonly revision: number }
  | { readonly kind: "waits"; readonly reasons: readonly SkillGate[]; readonly item: string }
  | { readonly kind: "refused"; readonly reasons: readonly SkillGate[]; readonly message: string };

/** The six keys of SKILL.md, and its body. */
export interface SkillText {
  readonly name: string;
  readonly description: string;
  readonly compatibility: string | undefined;
  /** `memdir-skill`; it survives a rename. */
  readonly id: string;
  readonly revision: number;
  readonly from: readonly string[];
  readonly check: string | undefined;
  /** ISO date. */
  readonly learnt: string;
  readonly body: string;
}

/** The task that an event of evidence is about. */
export interface EvidencePlace {
  readonly agent: string;
  readonly session: string;
  readonly task: string;
}

interface EventBase {
  /** The same fact has the same id, so it counts once even if read twice. */
  readonly id: string;
  /** When it happened (ms). */
  readonly time: number;
  /** The revision that the evidence is about. */
  readonly revision: number;
}

/** Lines of evidence.jsonl, append-only. */
export type EvidenceEvent = EventBase &
  (
    | {
        readonly kind: "written";
        readonly author: SkillAuthor;
        readonly sha256: string;
        readonly check: string | undefined;
        /** Commands and check are unchanged, so the evidence of that revision still holds. */
        readonly keeps?: number;
      }
    | { readonly kind: "offered"; readonly place: EvidencePlace }
    | { readonly kind: "loaded"; readonly place: EvidencePlace }
    | {
        /** Its own uncommon commands ran after the load; `result` is that of its own check after the last of them. */
        readonly kind: "followed";
        readonly place: EvidencePlace;
        readonly result: "pass" | "fail" | "unknown";
        readonly calls: number;
        readonly minutes: number | undefined;
      }
    | { readonly kind: "corrected"; readonly place: EvidencePlace }
    | {
        readonly kind: "harm";
        readonly place: EvidencePlace;
        readonly how: "reverted" | "rejected" | "guard-denied";
      }
    | {
        /** The check in the sandbox, or why it cannot run there. It never counts as a use. */
        readonly kind: "tried";
        readonly result: "passed" | "failed" | "vacuous" | "not-isolated";
        readonly note: string;
        readonly head?: string;
        /** The skills mode when it was tried. */
        readonly mode?: SkillsMode;
      }
    | { readonly kind: "stale"; readonly what: string }
    | { readonly kind: "wanted"; readonly place: EvidencePlace }
    | {
        readonly kind: "person";
        readonly action: "try" | "promote" | "demote" | "retire" | "pin" | "unpin" | "rollback" | "edited";
        readonly to?: number;
      }
  );

export type SkillStage = "draft" | "trial" | "promoted" | "demoted" | "retired" | "human";

/** What the events add up to; never stored in the skill's file. */
export interface SkillState {
  readonly stage: SkillStage;
  readonly revision: number;
  readonly pinned: boolean;
  /** Of the revision in force. */
  readonly passes: number;
  readonly fails: number;
  readonly sessions: number;
  readonly loads: number;
  readonly offers: number;
  /** When it was last followed (ms). */
  readonly lastFollow: number | undefined;
  /** Why it is in this stage, for people. */
  readonly why: string;
}

/** A skill with what is needed to judge its uses. */
export interface KnownSkill {
  readonly id: string;
  readonly name: string;
  readonly revision: number;
  readonly stage: SkillStage;
  /** Absolute path of SKILL.md. */
  readonly path: string;
  /** Commands of its steps, in order. */
  readonly commands: readonly string[];
  readonly check: string | undefined;
}

/** The store of skills as the learning code needs it. */
export interface SkillShelf {
  /** memdir's own skills of the scopes in force. */
  known(): readonly KnownSkill[];
  /** Skills written or installed by people, in any client's folder. */
  human(): readonly { readonly name: string; readonly description: string }[];
  /** Runs the gates, then keeps a draft, queues an item for review, or refuses. */
  propose(proposal: DraftProposal): Promise<DraftVerdict>;
  /** On disk when this returns; known ids are skipped. */
  record(skill: string, events: readonly EvidenceEvent[]): void;
}
