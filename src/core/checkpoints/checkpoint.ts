import { type FrontmatterCodec, splitFrontmatter } from "../notes/frontmatter.ts";
import { sha256 } from "../shared/hash.ts";
import { oneLine } from "../shared/text.ts";

/** Sections of a long task's state, in reading order. */
export const SECTIONS = ["goal", "plan", "done", "next", "decisions", "questions", "notes"] as const;
export type SectionName = (typeof SECTIONS)[number];

export const HEADINGS: Readonly<Record<SectionName, string>> = {
  goal: "Goal",
  plan: "Plan",
  done: "Done",
  next: "Next",
  decisions: "Decisions",
  questions: "Open questions",
  notes: "Notes",
};

/** A file that differed from the commit when the checkpoint was saved. */
export interface DirtyFile {
  readonly path: string;
  readonly state: "modified" | "added" | "deleted" | "untracked";
  /** SHA-256 of its content; `undefined` for deleted and very large files. */
  readonly hash: string | undefined;
}

/** State of a repository. */
export interface GitState {
  readonly commit: string | undefined;
  /** `undefined` with a detached head. */
  readonly branch: string | undefined;
  /** The newest entry of the stash. */
  readonly stash: string | undefined;
  /** Absolute path of the worktree that has the uncommitted changes. */
  readonly checkout: string | undefined;
  readonly dirty: readonly DirtyFile[];
  /** Number of further dirty files not listed. */
  readonly more: number;
}

/** When memdir saves a checkpoint without being asked. */
export const AUTOMATIC = ["before-compaction", "session-end"] as const;
export type AutomaticKind = (typeof AUTOMATIC)[number];

/** The state of a long task at one moment. */
export interface Checkpoint {
  /** Ten hexadecimal digits of the content's hash. */
  readonly id: string;
  /** The task, shared by all its checkpoints. */
  readonly name: string;
  /** The checkpoint that this one continues. */
  readonly parent: string | undefined;
  /** ISO time. */
  readonly saved: string;
  readonly session: string | undefined;
  /** Who saved it: `user`, or the name of an agent. */
  readonly by: string;
  /** The trigger of an automatic save; `undefined` when someone asked for it. */
  readonly automatic: AutomaticKind | undefined;
  readonly git: GitState | undefined;
  /** Markdown; a missing section is empty. */
  readonly sections: Readonly<Partial<Record<SectionName, string>>>;
}

export type CheckpointFile = Omit<Checkpoint, "id">;

/** A Markdown file that a person can read and edit without memdir. */
export function writeCheckpoint(checkpoint: CheckpointFile, codec: FrontmatterCodec): string {
  const { name, parent, saved, session, by, automatic, git } = checkpoint;
  const head = codec.create({
    name: oneLine(name),
    parent,
    saved,
    session,
    by,
    automatic,
    ...(git !== undefined && {
      git: { commit: git.commit, branch: git.branch, stash: git.stash, checkout: git.checkout },
    }),
  });
  const sections = SECTIONS.flatMap((section) => {
    const text = checkpoint.sections[section]?.trim() ?? "";
    return text === "" ? [] : [`## ${HEADINGS[section]}\n\n${text}`];
  });
  const dirty =
    git === undefined || git.dirty.length === 0
      ? []
      : [`## Working tree\n\n${git.dirty.map(dirtyLine).join("\n")}${git.more > 0 ? `\n- and ${git.more} more` : ""}`];
  return `---\n${head}---\n\n${[...sections, ...dirty].join("\n\n")}\n`;
}

export function checkpointId(text: string): string {
  return sha256(text).slice(0, 10);
}

/** `undefined` when the file is not a checkpoint: no name, or no time. */
export function readCheckpoint(id: string, text: string, codec: FrontmatterCodec): Checkpoint | undefined {
  const parts = splitFrontmatter(text);
  const { data } = codec.read(parts.block);
  const name = stringOf(data["name"]);
  const saved = timeOf(data["saved"]);
  if (name === undefined || saved === undefined) return undefined;
  const { sections, tree } = readSections(parts.body);
  const git = recordOf(data["git"]);
  const hasGit = data["git"] !== undefined || tree !== "";
  return {
    id,
    name,
    saved,
    parent: stringOf(data["parent"]),
    session: stringOf(data["session"]),
    by: stringOf(data["by"]) ?? "user",
    automatic: AUTOMATIC.find((kind) => kind === data["automatic"]),
    sections,
    git: hasGit
      ? {
          commit: stringOf(git["commit"]),
          branch: stringOf(git["branch"]),
          stash: stringOf(git["stash"]),
          checkout: stringOf(git["checkout"]),
          ...dirtyFiles(tree),
        }
      : undefined,
  };
}

/** Headings may have any level; text before the first one is the goal. */
export function readSections(body: string): {
  readonly sections: Readonly<Partial<Record<SectionName, string>>>;
  readonly tree: string;
} {
  const sections: Partial<Record<SectionName, string>> = {};
  let tree = "";
  for (const part of body.replace(/\r\n?/gu, "\n").split(/\n(?=#{1,6} )/u)) {
    const heading = /^#{1,6} +(.+?) *#* *$/mu.exec(part.startsWith("#") ? part : "")?.[1]?.toLowerCase();
    const text =
      heading === undefined
        ? part.trim()
        : part.slice(part.indexOf("\n") === -1 ? part.length : part.indexOf("\n")).trim();
    if (heading === "working tree") tree = text;
    else {
      const section =
        heading === undefined
          ? "goal"
          : (SECTIONS.find((one) => HEADINGS[one].toLowerCase() === heading || one === heading) ?? "plan");
      if (text !== "") sections[section] = sections[section] === undefined ? text : `${sections[section]}\n\n${text}`;
    }
  }
  return { sections, tree };
}

const DIRTY = /^- (modified|added|deleted|untracked) `(.+)`(?: \(([0-9a-f]{64})\))?$/u;

function dirtyLine({ path, state, hash }: DirtyFile): string {
  return `- ${state} \`${path.replaceAll("`", "'")}\`${hash === undefined ? "" : ` (${hash})`}`;
}

function dirtyFiles(text: string): Pick<GitState, "dirty" | "more"> {
  const dirty = text.split("\n").flatMap((line): DirtyFile[] => {
    const [, state, path = "", hash] = DIRTY.exec(line) ?? [];
    return state === "modified" || state === "added" || state === "deleted" || state === "untracked"
      ? [{ path, state, hash }]
      : [];
  });
  return { dirty, more: Number(/^- and (\d+) more$/mu.exec(text)?.[1] ?? 0) };
}

function stringOf(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function timeOf(value: unknown): string | undefined {
  const ms = value instanceof Date ? value.getTime() : typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isFinite(ms) ? new Date(ms).toISOString() : undefined;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
