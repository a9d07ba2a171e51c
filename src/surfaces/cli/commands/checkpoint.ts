import {
  type CheckpointInput,
  type Checkpoints,
  openCheckpoints,
  type SavedCheckpoint,
  type SaveResult,
  sectionsOf,
} from "../../../app/checkpoints/checkpoints.ts";
import { HEADINGS, SECTIONS } from "../../../app/checkpoints/checkpoint-text.ts";
import type { SectionName } from "../../../core/checkpoints/checkpoint.ts";
import { oneLine, truncate } from "../../../core/shared/text.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError, type Io, json, line, paint, table, unknownAction } from "../io.ts";

const ACTIONS = ["save", "list", "show", "restore", "branch", "diff", "dismiss", "remove"] as const;

export async function run(invocation: Invocation): Promise<number> {
  const [action, ...rest] = invocation.positionals;
  const workspace = invocation.workspace();
  const checkpoints = openCheckpoints(workspace);
  switch (action) {
    case "save":
      return said(invocation, await checkpoints.save(await inputOf(invocation, rest)));
    case "list":
      return list(invocation, checkpoints);
    case "show":
      return show(invocation, checkpoints.find(rest[0]));
    case "restore":
      return restore(invocation, checkpoints, rest[0]);
    case "branch": {
      const [first, second] = rest;
      if (first === undefined) throw new UsageError("branch needs a name: `memdir checkpoint branch [ID] NAME`");
      return said(invocation, await checkpoints.branch(second === undefined ? undefined : first, second ?? first));
    }
    case "diff":
      return diff(invocation, checkpoints, rest);
    case "dismiss": {
      const { id, name } = checkpoints.dismiss(rest[0]);
      if (invocation.flag("json")) json(invocation.io, { dismissed: id });
      else
        line(
          invocation.io,
          `dismissed: ${id} (${name}); sessions no longer mention it; \`memdir checkpoint restore ${id}\` still works`,
        );
      return EXIT.ok;
    }
    case "remove": {
      if (rest[0] === undefined) throw new UsageError("remove needs a checkpoint: `memdir checkpoint remove ID`");
      const gone = checkpoints.remove(rest[0]);
      if (invocation.flag("json")) json(invocation.io, { removed: gone.id });
      else line(invocation.io, `removed: ${gone.id} (${gone.name})`);
      return EXIT.ok;
    }
    default:
      if (action === undefined) throw new UsageError(`checkpoint needs one of ${ACTIONS.join(", ")}`);
      throw unknownAction(action, ACTIONS);
  }
}

/** These sections grow; the others are replaced. */
const GROWING: ReadonlySet<SectionName> = new Set(["done", "decisions", "notes"]);
const OPTIONS: Readonly<Record<SectionName, string>> = {
  goal: "goal",
  plan: "plan",
  done: "done",
  next: "next",
  decisions: "decision",
  questions: "question",
  notes: "note",
};

async function inputOf(invocation: Invocation, words: readonly string[]): Promise<CheckpointInput> {
  if (words.length > 0 && (words.length > 1 || words[0] !== "-"))
    throw new UsageError(
      "save takes its sections as options (--goal, --next …), or Markdown with headings from standard input (`-`)",
    );
  const name = invocation.option("name");
  const fresh = invocation.flag("fresh");
  const sections: Partial<Record<SectionName, string>> =
    words[0] === "-" ? { ...sectionsOf(await invocation.io.readInput()) } : {};
  const added: Partial<Record<SectionName, string>> = {};
  for (const section of SECTIONS) {
    const given = invocation.options(OPTIONS[section]).filter((text) => text.trim() !== "");
    if (given.length === 0) continue;
    const isList = given.length > 1 || section === "next" || GROWING.has(section);
    const text = isList ? given.map(asItem).join("\n") : given.join("\n");
    if (GROWING.has(section)) added[section] = text;
    else sections[section] = sections[section] === undefined ? text : `${sections[section].trim()}\n${text}`;
  }
  const session = invocation.option("session");
  return {
    sections,
    added,
    fresh,
    ...(name === undefined ? {} : { name }),
    ...(session === undefined ? {} : { session }),
  };
}

/** A text with its own lines or list markers keeps them. */
function asItem(text: string): string {
  const trimmed = text.trim();
  return /\n|^(?:[-*+]|\d+[.)])\s/u.test(trimmed) ? trimmed : `- ${trimmed}`;
}

function said({ io, flag }: Invocation, result: SaveResult): number {
  if (flag("json")) json(io, result);
  if (result.kind === "refused") {
    if (!flag("json")) io.err(`memdir: ${result.message}\n`);
    return EXIT.refused;
  }
  if (flag("json")) return EXIT.ok;
  const { id, name, git, path } = result.checkpoint;
  const dirty = git === undefined ? "" : `, ${git.dirty.length + git.more} uncommitted`;
  line(
    io,
    `saved: ${paint(io, "green", id)} (${name}${git?.commit === undefined ? "" : `, at ${git.commit.slice(0, 10)}${git.branch === undefined ? "" : ` on ${git.branch}`}`}${dirty})`,
  );
  line(io, paint(io, "dim", path));
  return EXIT.ok;
}

function list({ io, flag }: Invocation, checkpoints: Checkpoints): number {
  const all = checkpoints.list();
  if (flag("json"))
    json(
      io,
      all.map((one) => ({ ...one, mark: checkpoints.markOf(one) })),
    );
  else if (all.length === 0)
    line(io, "there is no checkpoint here yet; `memdir checkpoint save --goal TEXT --next TEXT` saves one");
  else for (const row of table(all.map((one) => listed(one, checkpoints, io.width)))) line(io, row);
  return EXIT.ok;
}

function listed(checkpoint: SavedCheckpoint, checkpoints: Checkpoints, width: number): readonly string[] {
  const { id, saved, name, automatic, sections } = checkpoint;
  const marks = [...(automatic === undefined ? [] : ["automatic"]), checkpoints.markOf(checkpoint) ?? []].flat();
  const task = marks.length === 0 ? name : `${name} (${marks.join(", ")})`;
  return [
    id,
    saved.slice(0, 16).replace("T", " "),
    task,
    truncate(
      oneLine((sections.next ?? sections.goal ?? "").replace(/^- /u, "")),
      Math.max(20, width - 42 - name.length),
    ),
  ];
}

function show({ io, flag }: Invocation, checkpoint: SavedCheckpoint): number {
  if (flag("json")) {
    json(io, checkpoint);
    return EXIT.ok;
  }
  line(io, paint(io, "bold", `${checkpoint.name}  ${checkpoint.id}`));
  line(
    io,
    paint(
      io,
      "dim",
      `${checkpoint.saved.slice(0, 16).replace("T", " ")}${checkpoint.parent === undefined ? "" : `, continues ${checkpoint.parent}`}${checkpoint.automatic === undefined ? "" : `, saved automatically (${checkpoint.automatic})`}`,
    ),
  );
  for (const section of SECTIONS) {
    const text = checkpoint.sections[section];
    if (text !== undefined) line(io, `\n${paint(io, "bold", HEADINGS[section])}\n${text.trim()}`);
  }
  const { git } = checkpoint;
  if (git !== undefined) {
    line(
      io,
      `\n${paint(io, "bold", "Repository")}\n${git.commit ?? "no commit yet"}${git.branch === undefined ? "" : ` on ${git.branch}`}${git.stash === undefined ? "" : `, stash ${git.stash.slice(0, 10)}`}`,
    );
    for (const { state, path } of git.dirty) line(io, `  ${state.padEnd(9)}  ${path}`);
    if (git.more > 0) line(io, `  and ${git.more} more`);
  }
  return EXIT.ok;
}

async function restore(
  { io, flag }: Invocation,
  checkpoints: Checkpoints,
  reference: string | undefined,
): Promise<number> {
  const kept = await checkpoints.adopt(reference);
  const { checkpoint, text, changes, missingNotes } = checkpoints.restore(
    kept?.kind === "saved" ? kept.checkpoint.id : reference,
  );
  if (kept?.kind === "refused")
    io.err(
      `memdir: ${kept.message}; memdir shows the file but does not keep it, so \`memdir checkpoint save\` does not continue it\n`,
    );
  if (flag("json")) json(io, { id: checkpoint.id, name: checkpoint.name, text, changes, missingNotes });
  else line(io, text);
  for (const name of missingNotes) io.err(`memdir: the checkpoint names the note ${name}, which is not here\n`);
  return EXIT.ok;
}

function diff(invocation: Invocation, checkpoints: Checkpoints, references: readonly string[]): number {
  const { io } = invocation;
  const [first, second] = references;
  const newer = checkpoints.find(second ?? (first === undefined ? undefined : first));
  const older =
    second !== undefined
      ? checkpoints.find(first)
      : newer.parent === undefined
        ? undefined
        : checkpoints.find(newer.parent);
  if (older === undefined)
    throw new UsageError(`${newer.id} continues no other checkpoint: name two, \`memdir checkpoint diff ID ID\``);
  const { lineDiff } = invocation.workspace();
  const parts = SECTIONS.filter((section) => (older.sections[section] ?? "") !== (newer.sections[section] ?? "")).map(
    (section) => ({
      section,
      diff: lineDiff(`${older.sections[section] ?? ""}\n`, `${newer.sections[section] ?? ""}\n`),
    }),
  );
  if (invocation.flag("json")) json(io, { from: older.id, to: newer.id, sections: parts });
  else printDiff(io, older, newer, parts);
  return EXIT.ok;
}

function printDiff(
  io: Io,
  older: SavedCheckpoint,
  newer: SavedCheckpoint,
  parts: readonly { readonly section: SectionName; readonly diff: string }[],
): void {
  line(
    io,
    `${older.id} (${older.saved.slice(0, 16).replace("T", " ")}) → ${newer.id} (${newer.saved.slice(0, 16).replace("T", " ")})`,
  );
  if (parts.length === 0) line(io, "the sections are the same");
  for (const { section, diff: text } of parts) line(io, `\n${paint(io, "bold", HEADINGS[section])}\n${text.trimEnd()}`);
  if (older.git?.commit !== newer.git?.commit)
    line(io, `\ncommit ${older.git?.commit?.slice(0, 10) ?? "none"} → ${newer.git?.commit?.slice(0, 10) ?? "none"}`);
}
