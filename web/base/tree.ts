/** A piece of rendered Markdown: text, or a branch with a tag that the page knows. */
export type Tree = string | Branch;

export interface Branch {
  readonly tag: string;
  /** Of `a`, `note`, `address` and `image`. */
  readonly target?: string;
  /** Of an ordered list. */
  readonly start?: number;
  readonly align?: string;
  readonly children: readonly Tree[];
}
