import path from "node:path";
import fs from "node:fs";
import type { Clock } from "../../../core/shared/clock.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import type { Cursor, HeadAnswer, NoAnswer } from "../../../core/sync/transport.ts";
import type { GitEnvironment } from "../command.ts";
import { INCOMING, type Mirror, openMirror } from "./mirror.ts";
import { type Network, noAnswer, openNetwork } from "./network.ts";
import { EMPTY_SPACE, isObjectId, type SpaceTree } from "./space-tree.ts";
import { isLineage } from "../../../core/notes/history.ts";
import { isRecord, parseJson } from "../../../core/shared/json.ts";

/**
 * The contents of the branch at commits that a squash removed: names, lineages and ids of texts, without forgotten
 * notes. A client that last synced at such a commit can then learn what changed since.
 */
interface Listings {
  read(commit: string): SpaceTree | undefined;
  /** Stores the listings of `commits`; everything that `now` marks as forgotten is removed from all listings. */
  keep(commits: ReadonlyMap<string, SpaceTree>, now: SpaceTree): void;
  /** Removes all listings but that of `commit`. */
  keepOnly(commit: string): void;
}

function openListings(directory: string): Listings {
  const fileOf = (commit: string): string => path.join(directory, `${commit}.json`);
  const kept = (): readonly string[] =>
    namesIn(directory)
      .filter((name) => name.endsWith(".json"))
      .map((name) => name.slice(0, -5))
      .filter(isObjectId);
  const read = (commit: string): SpaceTree | undefined =>
    isObjectId(commit) ? parse(readText(fileOf(commit))) : undefined;
  return {
    read,
    keep(commits, now) {
      fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
      const all = new Map(commits);
      for (const commit of kept()) {
        const space = all.get(commit) ?? read(commit);
        if (space !== undefined) all.set(commit, space);
      }
      for (const [commit, space] of all) write(fileOf(commit), textOf(space, now));
    },
    keepOnly(commit) {
      for (const one of kept()) if (one !== commit) fs.rmSync(fileOf(one), { force: true });
    },
  };
}

function textOf({ live, deleted, forgotten }: SpaceTree, now: SpaceTree): string {
  const isKept = ([, { lineage }]: readonly [string, { readonly lineage: string }]): boolean =>
    !now.forgotten.has(lineage);
  return JSON.stringify({
    live: [...live].filter(isKept).map(([key, { lineage, blob, bytes }]) => [key, lineage, blob, bytes]),
    deleted: [...deleted].filter(isKept).map(([key, { lineage, day }]) => [key, lineage, day]),
    forgotten: [...forgotten.keys()],
  });
}

function parse(text: string | undefined): SpaceTree | undefined {
  const value = text === undefined ? undefined : parseJson(text);
  if (!isRecord(value)) return undefined;
  const rows = (name: string): readonly (readonly unknown[])[] => {
    const list = value[name];
    return Array.isArray(list) ? list.filter((row) => Array.isArray(row)) : [];
  };
  const forgotten = Array.isArray(value["forgotten"]) ? value["forgotten"].filter(isLineage) : [];
  return {
    ...EMPTY_SPACE,
    live: new Map(
      rows("live").map(([key, lineage, blob, bytes]) => [
        String(key),
        { lineage: String(lineage), blob: String(blob), bytes: Number(bytes) },
      ]),
    ),
    deleted: new Map(
      rows("deleted").map(([key, lineage, day]) => [String(key), { lineage: String(lineage), day: String(day) }]),
    ),
    forgotten: new Map(forgotten.map((lineage) => [lineage, { day: "", names: [] }])),
  };
}

/** Written as a whole: a truncated listing would look like deletions. */
function write(file: string, text: string): void {
  const aside = `${file}.tmp`;
  const open = fs.openSync(aside, "w", 0o600);
  try {
    fs.writeSync(open, text);
    fs.fsyncSync(open);
  } finally {
    fs.closeSync(open);
  }
  fs.renameSync(aside, file);
}

function readText(file: string): string | undefined {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined; // none was kept
    throw error;
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return fs.readdirSync(directory);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return []; // no squash yet
    throw error;
  }
}

export interface SyncPlace {
  /** The repository's address, in any form that git accepts. */
  readonly remote: string;
  /** Without `refs/heads/`. */
  readonly branch: string;
  /** The space's own directory, which holds the mirror. */
  readonly directory: string;
  readonly environment: GitEnvironment;
  /** The branch on which changes wait for a pull request; without it they go to `branch`. */
  readonly proposals?: string;
  readonly clock: Clock;
  /** The remote's answer from a moment ago, used for the first look. */
  readonly heard?: HeadAnswer;
}

/** The branch of a space as this device sees it, or the remote's answer if it could not be read. */
export type Look = { readonly outcome: "seen"; readonly head: string | undefined } | NoAnswer;

/** One branch of a repository and its mirror. */
export interface Branch {
  readonly mirror: Mirror;
  readonly network: Network;
  readonly listings: Listings;
  readonly ref: string;
  /** Asks for the branch's commit and fetches it. One process if nothing is new. */
  look(): Promise<Look>;
  /** Makes `commit` the head; contents no longer in it leave this disk, except the listings of `stands`. */
  adopt(commit: string, stands: readonly Cursor[]): void;
  /** The contents of the branch at `commit`; `undefined` if this device does not have them. */
  spaceAt(commit: string | undefined): SpaceTree | undefined;
  /** Whether `commit` is `head` or an ancestor of it, squashed or not. */
  isPast(commit: string, head: string): boolean;
  /** The client's position at its last request. */
  standing: readonly Cursor[];
}

const FETCH_TIMEOUT_MS = 50_000;

export function openBranch({ remote, branch, directory, environment, heard }: SyncPlace): Branch {
  const mirror = openMirror(path.join(directory, "sync.git"), environment);
  const network = openNetwork(mirror.directory, remote, environment);
  const listings = openListings(path.join(directory, "squashed"));
  const ref = `refs/heads/${branch}`;
  let told = heard;
  const headThere = (): HeadAnswer | Promise<HeadAnswer> => {
    const answer = told ?? network.headOf(ref);
    told = undefined;
    return answer;
  };
  const self: Branch = {
    mirror,
    network,
    listings,
    ref,
    standing: [],
    async look() {
      mirror.prepare();
      const asked = await headThere();
      if (asked.outcome !== "head") return asked;
      const there = asked.head;
      const known = mirror.head();
      if (there === undefined) {
        if (known !== undefined) mirror.setHead(undefined);
        return { outcome: "seen", head: undefined };
      }
      if (there === known) return { outcome: "seen", head: known };
      const fetched = await network.talk(
        ["fetch", ...FETCH_OPTIONS, "--", remote, `+${ref}:${INCOMING}`],
        FETCH_TIMEOUT_MS,
      );
      if (fetched.outcome !== "ok") return noAnswer(fetched);
      self.adopt(mirror.incoming(), self.standing);
      return { outcome: "seen", head: mirror.head() };
    },
    adopt(commit, stands) {
      const known = mirror.head();
      if (known === undefined || mirror.ancestors(commit).includes(known)) return mirror.setHead(commit);
      const now = self.spaceAt(commit) ?? EMPTY_SPACE;
      const kept = [known, ...stands.filter(isObjectId)].flatMap((stand) => {
        const space = self.spaceAt(stand);
        return space === undefined ? [] : [[stand, space] as const];
      });
      listings.keep(new Map(kept), now);
      mirror.setHead(commit);
      mirror.prune();
    },
    spaceAt(commit) {
      return commit === undefined ? EMPTY_SPACE : (mirror.space(commit) ?? listings.read(commit));
    },
    isPast(commit, head) {
      if (commit === head) return true;
      return mirror.ancestors(head).includes(commit) || self.spaceAt(head)?.past.includes(commit) === true;
    },
  };
  return self;
}

const FETCH_OPTIONS = [
  "--quiet",
  "--no-tags",
  "--no-write-fetch-head",
  "--no-recurse-submodules",
  "--no-auto-maintenance",
];

/**
 * The mirror can always be fetched again. If git cannot read it, or a kill or a full disk damaged it, it is created
 * again once; a second failure is reported.
 */
export async function withMirror<T>(branch: Branch, work: () => Promise<T>): Promise<T | NoAnswer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    branch.mirror.remove();
  }
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return { outcome: "offline", message: error.message };
  }
}
