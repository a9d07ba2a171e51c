/** Kinds of things that a note can name and a working tree can answer for; the most telling first. */
export const CLAIM_KINDS = ["path", "script", "symbol", "flag", "package", "branch", "host"] as const;
export type ClaimKind = (typeof CLAIM_KINDS)[number];

/** Something that a note says is there. `text` stands in the note exactly so. */
export interface Claim {
  readonly kind: ClaimKind;
  readonly text: string;
  /** What to look for, where it is less than the text: `lint` of `npm run lint`. */
  readonly name: string;
  /** A script named by a full command (`npm run x`): that it is missing is certain, where `pnpm x` may be a tool. */
  readonly certain: boolean;
}

/**
 * `gone` is only said of what is known to have been there; what cannot be told, or was not told in time, is
 * `unchecked`: a wrong `gone` would be worse than none.
 */
export type Verdict = "holds" | "gone" | "renamed" | "unchecked";

export interface Check {
  readonly claim: string;
  readonly kind: ClaimKind;
  readonly verdict: Verdict;
  /** `deleted in 3f2a1b4, 2026-03-02`; for `renamed`, the new name first; for `unchecked`, why where it helps. */
  readonly detail?: string;
}

/** The detail of an `unchecked` claim for which there was no time; the next look may tell. */
export const NOT_CHECKED_YET = "not checked yet";
