/** One commit, as people name it. */
export interface CommitMark {
  /** Abbreviated id. */
  readonly commit: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
}

export type PathFact =
  /** `at` where it was found under another directory than the note says. */
  | { readonly state: "here"; readonly at?: string }
  | { readonly state: "renamed"; readonly to: string; readonly by: CommitMark | undefined }
  /** `as`: the whole path that was deleted, where it is longer than asked or the end of a chain of renames. */
  | { readonly state: "deleted"; readonly by: CommitMark | undefined; readonly as?: string }
  /** Not here, where no git could say whether it ever was; its directory at the top is. */
  | { readonly state: "absent" }
  /** Not here, and git has no trace of it. */
  | { readonly state: "never" }
  /** Beyond the project, through `..`, an absolute path or a link. */
  | { readonly state: "outside" };

export type WordFact =
  | { readonly state: "here" }
  /** In no file now; the last that had it. */
  | { readonly state: "former"; readonly by: CommitMark; readonly file: string }
  | { readonly state: "never" };

export type ScriptFact = { readonly state: "here" } | { readonly state: "absent" };

export type PackageFact =
  | { readonly state: "here" }
  | { readonly state: "former"; readonly by: CommitMark }
  | { readonly state: "never" };

export type BranchFact = { readonly state: "here" } | { readonly state: "former" };

/** Everything that is asked at once, so that few processes can answer. */
export interface TreeQuery {
  /** `/` between segments; a directory ends with `/` or has no extension. */
  readonly paths: readonly string[];
  /** Looked for verbatim, as whole words, in what git tracks (documents left out). */
  readonly words: readonly string[];
  readonly scripts: readonly string[];
  readonly packages: readonly string[];
  readonly branches: readonly string[];
}

/** What was found out. A question without an entry has no answer, or had none in time. */
export interface TreeFacts {
  readonly paths: ReadonlyMap<string, PathFact>;
  readonly words: ReadonlyMap<string, WordFact>;
  readonly scripts: ReadonlyMap<string, ScriptFact>;
  readonly packages: ReadonlyMap<string, PackageFact>;
  readonly branches: ReadonlyMap<string, BranchFact>;
  /** The time was over before every question was looked into. */
  readonly outOfTime?: boolean;
}

/** The files that a person works on, and their past. Nothing is ever written there, run there or fetched. */
export interface WorkingTree {
  /** Never throws for what a tree may contain, and takes little longer than `budgetMs`. */
  ask(query: TreeQuery, budgetMs: number): TreeFacts;
}

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
