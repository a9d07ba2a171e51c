import type { ToolCall } from "../transcripts/turn.ts";

/**
 * What learns and what keeps say to one another: tasks and their outcomes, candidates and recipes, proposals of a draft,
 * events of evidence and the states they add up to.
 */

/** What memdir does with skills. `observe`: candidates and drafts, nothing offered. `confirm`: a person agrees first. */
export const SKILLS_MODES = ["off", "observe", "confirm", "auto"] as const;
export type SkillsMode = (typeof SKILLS_MODES)[number];

export type SkillScope = "project" | "user";

/** A person's prompt and everything until the next one that is more than "go on". */
export interface Task {
  readonly agent: string;
  readonly session: string;
  /** The message of the prompt. */
  readonly id: string;
  readonly cwd: string | undefined;
  readonly prompt: string;
  /** ISO times of the prompt and of the last message; `undefined` where the transcript has none. */
  readonly time: string | undefined;
  readonly end: string | undefined;
  /** In order, with their results where the client recorded them. */
  readonly calls: readonly ToolCall[];
  /** What the agent said last. */
  readonly answer: string;
  /** The person's next words, once there are any. */
  readonly next: string | undefined;
  /** The person broke in, or would not allow a call. */
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

/** How a task ended. It says nothing about a skill: only the skill's own check does. */
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

/** A command failed and another one of the same program then worked. */
export interface Pitfall {
  readonly failed: string;
  /** First line of what it said: data, at most 120 characters. */
  readonly error: string;
  readonly worked: string;
}

/** What the calls of a task say without a model: a skeleton for whoever writes the skill. */
export interface Recipe {
  /** The person's own first sentence, cut. */
  readonly description: string;
  readonly steps: readonly RecipeStep[];
  /** Files that were changed, as far as tools say so: what the commands alone do not tell. */
  readonly edits?: readonly string[];
  readonly pitfalls: readonly Pitfall[];
  /** The last verification that passed after the last edit. */
  readonly check: string | undefined;
  /** Uncommon heads (`pnpm run codegen`) in order, then the check's head: what makes two tasks the same procedure. */
  readonly signature: readonly string[];
}

/** Why a candidate becomes a draft: recurs in two sessions, a recovered error, asked for, steps dictated as a correction. */
export type Want = "recurs" | "recovered" | "asked" | "dictated";

/** One line of candidates.jsonl. */
export interface Candidate {
  /** `c` and eight hex digits: the same task gives the same id. */
  readonly id: string;
  readonly agent: string;
  readonly session: string;
  /** The message of the prompt. */
  readonly task: string;
  /** When the task ended (ms). */
  readonly time: number;
  readonly calls: number;
  readonly outcome: Outcome;
  readonly recipe: Recipe;
  readonly wants: readonly Want[];
  /** Gates that refuse a draft from it; empty: may become one. */
  readonly refused: readonly SkillGate[];
  /** A host agent was asked to write it (ms). */
  readonly askedAt?: number;
  /** The draft that came of it: the skill's id, and who wrote it. */
  readonly draft?: string;
  readonly writer?: SkillAuthor;
}

/** Reason codes of the gates, for candidates as for texts. */
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

/** What a writer hands in: host agent, model, person or recipe, all by the same form. */
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
  /** Set: a new revision of this skill (its id). */
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
  /** `memdir-skill`: survives a rename. */
  readonly id: string;
  readonly revision: number;
  readonly from: readonly string[];
  readonly check: string | undefined;
  /** ISO date. */
  readonly learnt: string;
  readonly body: string;
}

/** Which task an event of evidence tells of. */
export interface EvidencePlace {
  readonly agent: string;
  readonly session: string;
  readonly task: string;
}

interface EventBase {
  /** The same fact has the same id: read twice, it counts once. */
  readonly id: string;
  /** When it happened (ms). */
  readonly time: number;
  /** Evidence belongs to a revision. */
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
        /** Commands and check as before: the evidence of that revision still holds. */
        readonly keeps?: number;
      }
    | { readonly kind: "offered"; readonly place: EvidencePlace }
    | { readonly kind: "loaded"; readonly place: EvidencePlace }
    | {
        /** Its own uncommon commands were run after the load; `result` is that of its own check after the last of them. */
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
        /** The check in the sandbox, or why it cannot run there. Never a use. */
        readonly kind: "tried";
        readonly result: "passed" | "failed" | "vacuous" | "not-isolated";
        readonly note: string;
        readonly head?: string;
        /** What memdir did with skills when it was tried. */
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

/** What the events add up to; never written into the skill's file. */
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
  /** Of the last follow (ms). */
  readonly lastFollow: number | undefined;
  /** Why it is in this stage, for people. */
  readonly why: string;
}

/** A skill as those who judge uses need it. */
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

/** What the learning part asks of the shelf on which skills are kept. */
export interface SkillShelf {
  /** memdir's own skills of the scopes in force. */
  known(): readonly KnownSkill[];
  /** Skills that people wrote or installed, in any client's folder: name and description. */
  human(): readonly { readonly name: string; readonly description: string }[];
  /** Gates, then a draft, an item of the review queue, or a refusal. */
  propose(proposal: DraftProposal): Promise<DraftVerdict>;
  /** On disk when it returns; an id that is there already is passed over. */
  record(skill: string, events: readonly EvidenceEvent[]): void;
}
