import { createHash } from "node:crypto";
import fs from "node:fs";
import {
  type History,
  type HistoryArchive,
  type Transaction,
  type LifeStep,
  type Lives,
  traceLives,
} from "../../core/notes/history.ts";
import { codeOf, failureCode, MemoryError } from "../../core/shared/errors.ts";
import { type GitEnvironment, runGit } from "./command.ts";
import { type Commit, readCommits } from "./log.ts";
import { packFailure, packingOf, removeTries, tryName } from "./pack.ts";
import { oneLine, truncate } from "../../core/shared/text.ts";

/**
 * Transactions as a `git fast-import` stream onto `refs/heads/main`, after the commit `parent`. The commit is named by
 * its id, so that git refuses if another process has moved the branch in the meantime.
 */
export function importStream(transactions: readonly Transaction[], parent: string | undefined): Buffer {
  const parts: (string | Uint8Array)[] = [];
  transactions.forEach((transaction, position) => {
    const seconds = Math.max(0, Math.floor(Date.parse(transaction.time) / 1000));
    const who = transaction.actor.replace(/[<>\n]/gu, "");
    parts.push(
      "commit refs/heads/main\n",
      `author ${who} <${who}@memdir> ${seconds} +0000\n`,
      `committer memdir <memdir@memdir> ${seconds} +0000\n`,
    );
    parts.push(...data(Buffer.from(messageOf(transaction))));
    if (position === 0 && parent !== undefined) parts.push(`from ${parent}\n`);
    for (const { file, after } of transaction.changes) {
      if (after === undefined) parts.push(`D ${quoted(file)}\n`);
      else parts.push(`M 100644 inline ${quoted(file)}\n`, ...data(after));
    }
    parts.push("\n");
  });
  parts.push("done\n");
  return Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
}

function messageOf({ seq, time, actor, reason, changes }: Transaction): string {
  const lineages = changes.flatMap(({ file, lineage }) =>
    lineage === undefined ? [] : [`Memdir-Lineage: ${lineage} ${encodeURI(file)}\n`],
  );
  return `${truncate(plainLine(reason), 200) || "change"}\n\nMemdir-Seq: ${seq}\nMemdir-Time: ${time}\nMemdir-Actor: ${plainLine(actor)}\n${lineages.join("")}`;
}

/** Without control characters: the log is split at some of them. */
function plainLine(text: string): string {
  return oneLine(text.replace(/[\0-\x1f\x7f]/gu, " "));
}

function data(bytes: Uint8Array): (string | Uint8Array)[] {
  return [`data ${bytes.byteLength}\n`, bytes, "\n"];
}

function quoted(path: string): string {
  return `"${path.replace(/\\/gu, "\\\\").replace(/"/gu, '\\"').replace(/\n/gu, "\\n")}"`;
}

/**
 * A store's history as a bare git repository outside the store: one commit per transaction, written with `git
 * fast-import`, so no work tree is ever touched. Any git client can read it.
 */
export function openGitArchive(directory: string, environment: GitEnvironment): HistoryArchive {
  const git: Git = (args, input) => runGit(directory, environment, args, input);
  const log = openCommits(directory, git);
  const lastSeq = (): number => log.commits()[0]?.version.seq ?? 0;
  return {
    ...pastOf(git, log),
    lastSeq,
    append(transactions) {
      const last = lastSeq();
      const fresh = transactions.filter(({ seq }) => seq > last);
      if (fresh.length > 0) importInto(directory, environment, fresh, last > 0 ? log.head() : undefined);
    },
    rewrite(redaction) {
      if (!log.exists()) return;
      named(directory, () =>
        replaceRepository(directory, (next) =>
          importInto(next, environment, transactionsOf(git, log.commits()).map(redaction), undefined),
        ),
      );
      log.forget();
    },
    verify: () => (log.exists() ? verify(git) : []),
    packing() {
      if (!log.exists()) return undefined;
      const packing = packingNamed(directory, () => packingOf(directory, environment));
      return (
        packing && {
          work: (timeoutMs) => packingNamed(directory, () => packing.work(timeoutMs)),
          finish: () => packingNamed(directory, packing.finish),
        }
      );
    },
  };
}

/** The commits of the repository, newest first, read again when its head has moved. */
interface Commits {
  exists(): boolean;
  /** Empty if there is no commit. */
  head(): string;
  commits(): readonly Commit[];
  lives(): Lives;
  /** Drops cached data after the repository was replaced. */
  forget(): void;
}

function openCommits(directory: string, git: Git): Commits {
  let cache: { head: string; commits: readonly Commit[]; lives?: Lives } | undefined;
  const exists = (): boolean => {
    // Completes a rewrite that was stopped between its two renames.
    if (!fs.existsSync(directory) && fs.existsSync(`${directory}.old`)) fs.renameSync(`${directory}.old`, directory);
    return fs.existsSync(`${directory}/HEAD`);
  };
  const head = (): string =>
    exists()
      ? (readRef(directory) ?? git(["for-each-ref", "--format=%(objectname)", "refs/heads/main"]).toString().trim())
      : "";
  const commits = (): readonly Commit[] => {
    const now = head();
    if (now === "") return [];
    if (cache?.head !== now) cache = { head: now, commits: readCommits(git) };
    return cache.commits;
  };
  return {
    exists,
    head,
    commits,
    lives() {
      const all = commits();
      const lives = cache?.lives ?? traceLives(all.toReversed().map(lifeStep));
      if (cache !== undefined) cache.lives = lives;
      return lives;
    },
    forget: () => {
      cache = undefined;
    },
  };
}

/** Queries of the history. */
function pastOf(git: Git, { commits, lives }: Commits): History & Pick<HistoryArchive, "holds"> {
  const blobAt = (seq: number, file: string): string | undefined =>
    commits()
      .find(({ version, blobs }) => version.seq <= seq && blobs.has(file))
      ?.blobs.get(file);
  return {
    versions: (file) =>
      commits()
        .map(({ version }) => version)
        .filter(({ files }) => file === undefined || files.some((change) => change.file === file)),
    contentAt(seq, file) {
      const blob = blobAt(seq, file);
      return blob === undefined ? undefined : git(["cat-file", "blob", blob]);
    },
    filesAt: (seq) => [...filesAt(commits(), seq).keys()].toSorted(),
    contentsAt(seq) {
      const files = filesAt(commits(), seq);
      const contents = readBlobs(git, [...files.values()]);
      return new Map(
        [...files].flatMap(([file, blob]) => {
          const content = contents.get(blob);
          return content === undefined ? [] : [[file, content] as const];
        }),
      );
    },
    lives,
    transactions: () => (commits().length === 0 ? [] : transactionsOf(git, commits())),
    holds: (file, content) => blobAt(Number.POSITIVE_INFINITY, file) === blobId(content),
  };
}

function packingNamed<T>(directory: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw packFailure(directory, error);
  }
}

function importInto(
  directory: string,
  environment: GitEnvironment,
  transactions: readonly Transaction[],
  parent: string | undefined,
): void {
  if (!fs.existsSync(`${directory}/HEAD`)) {
    named(directory, () => fs.mkdirSync(directory, { recursive: true, mode: 0o700 }));
    runGit(directory, environment, ["init", "--quiet", "--bare", "--template=", "--initial-branch=main", directory]);
  }
  runGit(directory, environment, ["fast-import", "--quiet", "--done"], importStream(transactions, parent));
}

/** `make` fills a new repository, which then replaces the old one. */
function replaceRepository(directory: string, make: (next: string) => void): void {
  const old = `${directory}.old`;
  // A git process of a killed memdir may still be writing to the last attempt, so attempts are never shared.
  removeTries(directory);
  const next = tryName(directory);
  fs.rmSync(old, { recursive: true, force: true });
  make(next);
  fs.renameSync(directory, old);
  fs.renameSync(next, directory);
  fs.rmSync(old, { recursive: true, force: true, maxRetries: 3 });
}

/** Turns a file system failure into the error that callers expect. */
function named<T>(directory: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error) || error instanceof MemoryError || codeOf(error) === "") throw error;
    throw new MemoryError(failureCode(error), `the history in ${directory} cannot be written: ${error.message}`, {
      cause: error,
    });
  }
}

/** The newest commit without starting a git process; `undefined` if the branch is stored in another form. */
function readRef(directory: string): string | undefined {
  try {
    const id = fs.readFileSync(`${directory}/refs/heads/main`, "utf8").trim();
    return /^[0-9a-f]{40,64}$/u.test(id) ? id : undefined;
  } catch (error) {
    // Packed, in a reftable, or no commit yet: git can tell.
    if (codeOf(error) !== "") return undefined;
    throw error;
  }
}

/** Files that existed just after a version, each with its blob. */
function filesAt(commits: readonly Commit[], seq: number): Map<string, string> {
  const files = new Map<string, string>();
  for (const { version, blobs } of commits.toReversed()) {
    if (version.seq > seq) break;
    for (const [file, blob] of blobs) {
      if (blob === undefined) files.delete(file);
      else files.set(file, blob);
    }
  }
  return files;
}

type Git = (args: readonly string[], input?: Uint8Array) => Buffer;

/** The whole history, read back from the repository itself. */
function transactionsOf(git: Git, commits: readonly Commit[]): Transaction[] {
  const contents = readBlobs(
    git,
    commits.flatMap(({ blobs }) => [...blobs.values()].filter((blob) => blob !== undefined)),
  );
  return commits.toReversed().map(({ version: { seq, time, actor, reason }, blobs, lineages }) => ({
    seq,
    time,
    actor,
    reason,
    changes: [...blobs].map(([file, blob]) => {
      const lineage = lineages.get(file);
      return {
        file,
        before: undefined,
        after: blob === undefined ? undefined : contents.get(blob),
        ...(lineage !== undefined && { lineage }),
      };
    }),
  }));
}

function lifeStep({ version, blobs, lineages }: Commit): LifeStep {
  return {
    ...version,
    changes: [...blobs].map(([file, content]) => ({ file, content, lineage: lineages.get(file) })),
  };
}

/** Contents by blob id, read by one process. */
function readBlobs(git: Git, ids: readonly string[]): Map<string, Uint8Array> {
  const out = new Map<string, Uint8Array>();
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return out;
  const answer = git(["cat-file", "--batch"], Buffer.from(`${wanted.join("\n")}\n`));
  for (let at = 0; at < answer.length;) {
    const end = answer.indexOf(10, at);
    const [id, kind, size] = answer.subarray(at, end).toString().split(" ");
    if (id === undefined || kind !== "blob")
      throw new MemoryError(
        "corrupt",
        `the history lacks an object: ${answer.subarray(at, end).toString()}; run \`memdir doctor\``,
      );
    out.set(id, answer.subarray(end + 1, end + 1 + Number(size)));
    at = end + 1 + Number(size) + 1;
  }
  return out;
}

/** The id that git gives a content. */
function blobId(content: Uint8Array): string {
  return createHash("sha1").update(`blob ${content.byteLength}\0`).update(content).digest("hex");
}

function verify(git: Git): string[] {
  try {
    git(["fsck", "--no-progress", "--no-dangling", "--strict"]);
    return [];
  } catch (error) {
    if (error instanceof MemoryError) return [error.message];
    throw error;
  }
}
