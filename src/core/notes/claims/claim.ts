/** One commit, in readable form. */
export interface CommitMark {
  /** Abbreviated id. */
  readonly commit: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
}

export type PathFact =
  /** `at`: where it was found, if under another directory than the note says. */
  | { readonly state: "here"; readonly at?: string }
  | { readonly state: "renamed"; readonly to: string; readonly by: CommitMark | undefined }
  /** `as`: the full path that was deleted, if longer than the one asked for or the end of a chain of renames. */
  | { readonly state: "deleted"; readonly by: CommitMark | undefined; readonly as?: string }
  /** Not here, and no git to tell if it ever was; its top-level directory exists. */
  | { readonly state: "absent" }
  /** Not here, and git has no trace of it. */
  | { readonly state: "never" }
  /** Outside the project, through `..`, an absolute path or a link. */
  | { readonly state: "outside" };

export type WordFact =
  | { readonly state: "here" }
  /** In no file now; `file` was the last to contain it. */
  | { readonly state: "former"; readonly by: CommitMark; readonly file: string }
  | { readonly state: "never" };

export type ScriptFact = { readonly state: "here" } | { readonly state: "absent" };

export type PackageFact =
  | { readonly state: "here" }
  | { readonly state: "former"; readonly by: CommitMark }
  | { readonly state: "never" };

export type BranchFact = { readonly state: "here" } | { readonly state: "former" };

/** All questions in one query, so that few processes can answer them. */
export interface TreeQuery {
  /** `/` between segments; a directory ends with `/` or has no extension. */
  readonly paths: readonly string[];
  /** Searched verbatim, as whole words, in files that git tracks (except documents). */
  readonly words: readonly string[];
  readonly scripts: readonly string[];
  readonly packages: readonly string[];
  readonly branches: readonly string[];
}

/** The answers. A question without an entry has no answer, or got none in time. */
export interface TreeFacts {
  readonly paths: ReadonlyMap<string, PathFact>;
  readonly words: ReadonlyMap<string, WordFact>;
  readonly scripts: ReadonlyMap<string, ScriptFact>;
  readonly packages: ReadonlyMap<string, PackageFact>;
  readonly branches: ReadonlyMap<string, BranchFact>;
  /** Time ran out before every question was examined. */
  readonly outOfTime?: boolean;
}

/** The files that the user works on, and their history. Nothing there is ever written or run, nothing fetched. */
export interface WorkingTree {
  /** Never throws because of a tree's contents, and takes little longer than `budgetMs`. */
  ask(query: TreeQuery, budgetMs: number): TreeFacts;
  /** All files that git tracks or would track, `/` between segments; `undefined` without git or in too little time. */
  files(budgetMs: number): readonly string[] | undefined;
}

/** Kinds of things that a note can name and a working tree can confirm; the most informative first. */
export const CLAIM_KINDS = ["path", "script", "symbol", "flag", "package", "branch", "host"] as const;

export type ClaimKind = (typeof CLAIM_KINDS)[number];

/** Something that a note says exists. `text` is verbatim from the note. */
export interface Claim {
  readonly kind: ClaimKind;
  readonly text: string;
  /** What to look for, which may be only part of the text: `lint` of `npm run lint`. */
  readonly name: string;
  /** A script named by a full command (`npm run x`): if missing, it is surely gone, while `pnpm x` may be a tool. */
  readonly certain: boolean;
}

/**
 * `gone` applies only to what is known to have existed. What cannot be determined, at all or in time, is
 * `unchecked`: a wrong `gone` would be worse than none.
 */
export type Verdict = "holds" | "gone" | "renamed" | "unchecked";

export interface Check {
  readonly claim: string;
  readonly kind: ClaimKind;
  readonly verdict: Verdict;
  /** `deleted in 3f2a1b4, 2026-03-02`; for `renamed`, the new name first; for `unchecked`, the reason if it helps. */
  readonly detail?: string;
}

/** The detail of an `unchecked` claim for which there was no time; the next check may decide it. */
export const NOT_CHECKED_YET = "not checked yet";
