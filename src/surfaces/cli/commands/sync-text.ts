import type { SpaceRun, SpaceStatus, SyncLogLine, SyncNow, SyncStatus } from "../../../app/sync/reports.ts";
import { stripHidden } from "../../../core/shared/hidden.ts";
import { counted, oneLine } from "../../../core/shared/text.ts";
import { EXIT, type Io, line, paint, table } from "../io.ts";

/** Names and messages come from other devices, so hidden characters are removed. */
export function plain(text: string): string {
  return oneLine(stripHidden(text));
}

export function printRun(io: Io, now: SyncNow): void {
  for (const run of now.spaces) printSpaceRun(io, run);
}

export function printSpaceRun(io: Io, run: SpaceRun): void {
  const counts = `${run.pulled} pulled, ${run.pushed} pushed${run.merged.length === 0 ? "" : `, ${run.merged.length} merged`}`;
  const where = `${run.scope}  ${plain(run.remote)}`;
  if (run.state === "idle") line(io, `${where}  ${counts}`);
  else line(io, `${where}  ${counts}; ${paint(io, "yellow", plain(run.message))}`);
  for (const { key, copy } of run.conflicts)
    line(io, `  both texts of ${plain(key)} stay: the other one is ${plain(copy)}; \`memdir conflicts\` shows them`);
  for (const refused of run.refused) line(io, `  ${refusalText(refused)}`);
  for (const key of run.held) line(io, `  ${plain(key)} stays away: it cannot be the name of a note here`);
  for (const key of run.toReview)
    line(io, `  ${plain(key)} was forgotten elsewhere; your unsent lines wait in \`memdir review\``);
  for (const notice of run.notices) line(io, `  ${plain(notice)}`);
}

/** Notes named; further ones are only counted. */
const MOST_NAMED = 20;

export function printStopped(io: Io, scope: string, { where, keys }: NonNullable<SpaceRun["stopped"]>): void {
  line(
    io,
    `${scope}: ${counted(keys.length, "note")} would be removed ${where === "here" ? "here" : "from the remote"}:`,
  );
  for (const key of keys.slice(0, MOST_NAMED)) line(io, `  ${plain(key)}`);
  if (keys.length > MOST_NAMED) line(io, `  and ${keys.length - MOST_NAMED} more`);
}

function refusalText({ key, reason, rule, limitBytes }: SpaceRun["refused"][number]): string {
  if (reason === "sealed")
    return `${plain(key)} was not taken: ${PROBLEMS[rule ?? ""] ?? "the space takes encrypted texts only"}; \`memdir sync approve\` sends the text of this device`;
  if (limitBytes !== undefined)
    return `${plain(key)} was not sent: it has more than ${limitBytes.toLocaleString("en")} bytes`;
  return `${plain(key)} was not sent: ${REASONS[reason]}${rule === undefined ? "" : ` (${plain(rule)})`}`;
}

const REASONS: Readonly<Record<SpaceRun["refused"][number]["reason"], string>> = {
  secret: "it holds a secret",
  hidden: "it holds characters that a reader cannot see",
  person: "it is about a person, and others would read it",
  personal: "it holds a personal fact, such as an e-mail address, and others would read it; take it out",
  size: "it is too large",
  text: "it is not UTF-8 text; save it as UTF-8",
  key: "its name cannot travel",
  sealed: "",
};

/** Why this device rejects the remote's version of an encrypted note; the local note stays as it is. */
const PROBLEMS: Readonly<Record<string, string>> = {
  damaged: "what the remote has of it was damaged, or belongs to another note",
  older: "what the remote has of it is older than what this device has seen",
  retired: "what the remote has of it was written with a key that was replaced",
  unsealed: "what the remote has of it was not written by a device with the key",
  "no-key": "what the remote has of it was written with an unknown key",
};

export function printStatus(io: Io, { spaces }: SyncStatus): void {
  if (spaces.length === 0) return line(io, "nothing here syncs; `memdir sync setup URL` begins");
  for (const space of spaces) printSpace(io, space);
}

function printSpace(io: Io, space: SpaceStatus): void {
  const state = space.state === "idle" ? paint(io, "green", space.state) : paint(io, "yellow", space.state);
  const name = space.kind === "server" ? `  space ${plain(space.name)}` : "";
  line(io, `${space.scope}  ${plain(space.remote)}${name}  ${state}`);
  line(
    io,
    `  ${space.pending === 0 ? "nothing waits to be sent" : `${counted(space.pending, "change")} to send`}; last run: ${space.lastRun ?? "never"}`,
  );
  if (space.message !== "") line(io, `  ${plain(space.message)}`);
  if (space.retryAt !== null)
    line(io, `  tries again automatically from ${space.retryAt.slice(0, 19)}Z on; \`memdir sync now\` tries at once`);
  if (!space.automatic && space.state !== "paused") line(io, "  nothing runs automatically; `memdir sync now` syncs");
  if (space.conflicts.length > 0)
    line(
      io,
      `  ${counted(space.conflicts.length, "conflict copy", "conflict copies")}: \`memdir conflicts\` shows them`,
    );
  for (const refused of space.refused) line(io, `  ${refusalText(refused)}`);
  if (space.unread.length > 0) line(io, `  ${unreadText(space.unread)}`);
  for (const text of keyLines(space)) line(io, `  ${text}`);
}

/** To have the note again, remember a note of that name. */
function unreadText(files: readonly string[]): string {
  const named = files.slice(0, MOST_UNREAD).map(plain).join(", ");
  const others = files.length > MOST_UNREAD ? ` and ${files.length - MOST_UNREAD} more` : "";
  return `not read and not sent: ${named}${others}; a note of that name was forgotten, so save it under another name`;
}

const MOST_UNREAD = 5;

function keyLines({ keys }: SpaceStatus): readonly string[] {
  if (keys === null) return [];
  const { words, devices, requests, recovery } = keys;
  const holders = devices.filter(({ isRemoved }) => !isRemoved).length;
  return [
    holders === 0 ? "encrypted" : `encrypted; ${counted(holders, "device has", "devices have")} the key`,
    ...(words === null ? [] : [`on a device that has the key run: memdir sync approve --device ${words}`]),
    ...(requests === 0
      ? []
      : [`${counted(requests, "device asks", "devices ask")} for the key: memdir sync approve --device WORDS`]),
    ...(recovery === null
      ? []
      : [`the recovery phrase still lies in ${plain(recovery)}: keep it elsewhere and remove the file`]),
  ];
}

export function printLog(io: Io, lines: readonly SyncLogLine[]): void {
  if (lines.length === 0) return line(io, "no sync did anything yet");
  const rows = lines.map((one) => [
    one.time.slice(0, 19).replace("T", " "),
    one.scope,
    `${one.pulled} pulled, ${one.pushed} pushed, ${counted(one.conflicts, "conflict")}, ${one.refused} refused`,
    one.state === "idle" ? "" : `${one.state}: ${plain(one.message)}`,
  ]);
  for (const row of table(rows)) line(io, row.trimEnd());
}

/** How long to wait for a run that began automatically (ms). */
export const PATIENCE_MS = 30_000;

export function withoutSpaces({ spaces: _, ...sums }: SyncNow): Omit<SyncNow, "spaces"> {
  return sums;
}

export function exitOf({
  refused,
  spaces,
}: {
  readonly refused: readonly unknown[];
  readonly spaces: readonly SpaceRun[];
}): number {
  if (refused.length > 0 || spaces.some(({ state }) => state === "ask" || state === "key")) return EXIT.refused;
  return spaces.some(({ state }) => state === "offline" || state === "paused") ? EXIT.unavailable : EXIT.ok;
}
