import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { pairsOf } from "./history.ts";
import type { Look } from "./look.ts";

/** Files of the commit checked out that are not in the working tree any more. */
export interface Uncommitted {
  readonly removed: readonly string[];
  /** Where git or an equal content tells: old name to new name. */
  readonly renamed: ReadonlyMap<string, string>;
}

/** Untracked files looked at for the contents of a removed one. */
const MOST_CANDIDATES = 200;
const LARGEST_CANDIDATE_BYTES = 4 << 20;

/** What was removed or renamed since the commit, staged or not; `undefined` when there was no time to tell. */
export function uncommittedChanges({ git, head, checkout: { root } }: Look): Uncommitted | undefined {
  if (head === undefined) return { removed: [], renamed: new Map() };
  const answer = git([
    "diff",
    "--raw",
    "-z",
    "-M",
    "--no-abbrev",
    "--diff-filter=DR",
    "--no-ext-diff",
    "--no-textconv",
    "--ignore-submodules=all",
    head,
    "--",
  ]);
  if (answer?.complete !== true) return undefined;
  const words = answer.text.split("\0");
  const removed = new Map<string, string>();
  const plain: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const [, , blob = "", , letter = ""] = (words[i] ?? "").split(" ");
    if (!(words[i] ?? "").startsWith(":")) continue;
    removed.set(words[i + 1] ?? "", letter.startsWith("R") ? "" : blob);
    if (letter.startsWith("R")) plain.push(letter, words[i + 1] ?? "", words[i + 2] ?? "");
  }
  const renamed = pairsOf(plain);
  const bare = new Map([...removed].filter(([, blob]) => blob !== ""));
  if (bare.size > 0) {
    const untracked = git(["ls-files", "--others", "--exclude-standard", "-z"]);
    if (untracked?.complete !== true) return undefined;
    for (const [from, to] of movedFiles(
      root,
      bare,
      untracked.text.split("\0").filter((name) => name !== ""),
    ))
      renamed.set(from, to);
  }
  return { removed: [...removed.keys()], renamed };
}

/** Removed files whose exact content is in an untracked file of the same ending. */
function movedFiles(
  root: string,
  removed: ReadonlyMap<string, string>,
  untracked: readonly string[],
): Map<string, string> {
  const endings = new Set([...removed.keys()].map((file) => path.extname(file)));
  const byBlob = new Map<string, string>();
  for (const file of untracked.filter((name) => endings.has(path.extname(name))).slice(0, MOST_CANDIDATES)) {
    const stat = fs.lstatSync(path.join(root, file), { throwIfNoEntry: false });
    if (stat?.isFile() !== true || stat.size > LARGEST_CANDIDATE_BYTES || stat.size === 0) continue;
    const content = fs.readFileSync(path.join(root, file));
    const sample = [...removed.values()][0] ?? "";
    byBlob.set(
      createHash(sample.length === 64 ? "sha256" : "sha1")
        .update(`blob ${content.byteLength}\0`)
        .update(content)
        .digest("hex"),
      file,
    );
  }
  return new Map(
    [...removed].flatMap(([from, blob]): [string, string][] => {
      const to = byBlob.get(blob);
      return to === undefined ? [] : [[from, to]];
    }),
  );
}
