import path from "node:path";
import { type SpaceDevices, syncDevices } from "../../../app/sync/receipts.ts";
import { keysStatus, recoverSpace } from "../../../app/sync/key-operations.ts";
import {
  checkedSetup,
  endSync,
  pauseSync,
  resumeSync,
  notesStaying,
  setUpSync,
  syncLog,
  syncNow,
  syncStatus,
} from "../../../app/sync/sync.ts";
import { shellWord } from "../../../core/shared/shell-word.ts";
import { isOpenToOthers } from "../../../app/sync/open-transport.ts";
import { receiptId } from "../../../core/shared/text.ts";
import { spacesHere } from "../../../app/sync/spaces-here.ts";
import type { SpaceRun } from "../../../app/sync/reports.ts";
import type { SyncedSpace } from "../../../app/sync/spaces.ts";
import type { OpenWorkspace } from "../../../app/workspace/open-workspace.ts";
import { readTextFile } from "../../../app/workspace/text-file.ts";
import { runDetachedSync } from "../../../app/background/sync-worker.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError, type Io, json, line, paint, table, unknownAction } from "../io.ts";
import { approve, revoke } from "./sync-approve.ts";
import { exitOf, PATIENCE_MS, plain, printLog, printRun, printStatus, withoutSpaces } from "./sync-text.ts";
import { counted } from "../../../core/shared/text.ts";
import { type LoginPerson, tokenFileFor } from "../../../app/sync/log-in.ts";

function printDevices(io: Io, spaces: readonly SpaceDevices[]): void {
  for (const { scope, remote, devices, keys } of spaces) {
    line(io, `${scope}  ${plain(remote)}`);
    if (keys !== null) printHolders(io, keys);
    if (devices === undefined && keys === null) line(io, `  ${UNKNOWN}`);
    if (devices?.length === 0) line(io, "  no device has synced yet");
    const rows = (devices ?? []).map(({ device, user, seenAt, isCurrent }) => [
      `  ${plain(device)}`,
      plain(user),
      `seen ${timeOf(seenAt)}`,
      isCurrent ? "has everything" : "has not fetched the latest changes",
    ]);
    for (const row of table(rows)) line(io, row.trimEnd());
  }
}

/** Prints who can read an encrypted space. */
function printHolders(io: Io, { devices, requests }: NonNullable<SpaceDevices["keys"]>): void {
  const rows = devices.map(({ id, name, since, isHere, isRemoved }) => [
    `  ${plain(name)}`,
    id,
    isRemoved ? "has no key any more" : `has the key since ${timeOf(since)}`,
    isHere ? "this device" : "",
  ]);
  for (const row of table(rows)) line(io, row.trimEnd());
  if (requests > 0) line(io, `  ${counted(requests, "device asks", "devices ask")} for the key`);
}

/** The names are missing because the server forgot them too. */
function printReceipts(io: Io, spaces: readonly SpaceDevices[]): void {
  for (const { scope, remote, devices, receipts } of spaces) {
    line(io, `${scope}  ${plain(remote)}`);
    if (devices === undefined) line(io, `  ${NO_RECEIPTS}`);
    else if (receipts.length === 0) line(io, "  nothing was forgotten");
    for (const { lineage, forgottenAt, done, open } of receipts) {
      const purged = `purged on ${counted(done.length, "device")}`;
      const waits = open.length === 0 ? "" : paint(io, "yellow", `, not yet on ${plain(open.join(", "))}`);
      line(io, `  ${timeOf(forgottenAt)}  ${plain(receiptId(lineage))}  ${purged}${waits}`);
    }
  }
}

const NO_RECEIPTS =
  "a repository or store keeps no receipts: each device purges what was forgotten at its next sync, and nobody can tell which has";

const UNKNOWN = "a repository or store does not know which devices use it";

function timeOf(iso: string): string {
  return iso.slice(0, 16).replace("T", " ");
}

const ACTIONS: Readonly<Record<string, (invocation: Invocation) => Promise<number> | number>> = {
  setup,
  now,
  status,
  log,
  approve,
  revoke,
  devices: (invocation) => fromServers(invocation, printDevices),
  receipts: (invocation) => fromServers(invocation, printReceipts),
  pause: (invocation) => change(invocation, pauseSync, "paused"),
  resume: (invocation) => change(invocation, resumeSync, "resumed"),
  off: (invocation) => change(invocation, endSync, "off"),
};

export async function run(invocation: Invocation): Promise<number> {
  const [action = "status"] = invocation.positionals;
  const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (act === undefined) throw unknownAction(action, Object.keys(ACTIONS));
  return act(invocation);
}

const CUT_OFF = "what was sent or fetched by then is complete and stays; the next sync does the rest";

async function setup(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const [, second] = invocation.positionals;
  const remote = invocation.option("remote") ?? second;
  if (second !== undefined && remote !== second) throw new UsageError("give the remote once, with --remote or without");
  if (remote === undefined) throw new UsageError("setup needs a remote: `memdir sync setup --remote URL`");
  const workspace = invocation.workspace();
  io.ifInterrupted("nothing was sent, and nothing was set up");
  const [scope, tokenFile, space, login] = ["scope", "token-file", "space", "login"].map(invocation.option);
  const { cwd } = workspace.locations;
  const asked = {
    remote,
    isDirect: invocation.flag("direct"),
    isManual: invocation.flag("manual"),
    isEncrypted: invocation.flag("encrypt"),
    ...(scope !== undefined && { scope }),
    ...(space !== undefined && { space }),
    ...(login !== undefined && { login }),
  };
  checkedSetup(workspace, asked);
  if (!(await agrees(invocation, remote))) {
    line(io, "nothing was sent, and nothing was set up");
    return EXIT.ok;
  }
  const token =
    tokenFile === undefined ? await tokenFileFor(workspace, remote, personAt(io)) : path.resolve(cwd, tokenFile);
  if (token !== undefined && isOpenToOthers(token))
    io.err(`other users of this machine can read the token; run \`chmod 600 ${shellWord(token)}\`\n`);
  const before = spacesHere(workspace.locations, scope).length;
  const recovery = recoveryGiven(invocation, cwd);
  io.ifInterrupted(`it may be set up (\`memdir sync status\` says so); ${CUT_OFF}`);
  const made = await setUpSync(workspace, { ...asked, ...(token !== undefined && { tokenFile: token }) });
  const isNew = spacesHere(workspace.locations, scope).length > before;
  if (recovery !== undefined) await recovered(workspace, made, recovery, isNew);
  const first = await syncNow(workspace, { scope: made.scope });
  const [ran] = first.spaces;
  if (ran !== undefined && isNew && isWrongAddress(ran)) {
    endSync(workspace, made.scope);
    throw new MemoryError("unavailable", `${ran.message}; nothing was set up`);
  }
  if (invocation.flag("json"))
    json(io, {
      scope: made.scope,
      remote: made.remote,
      kind: made.kind,
      space: made.space,
      name: made.name ?? made.space,
      encrypted: made.isEncrypted === true,
      keys: keysStatus(workspace.locations.memdirHome, made),
      run: withoutSpaces(first),
    });
  else {
    line(io, `the notes of the ${made.scope} scope sync with ${made.remote}${nameOf(made)}`);
    printRun(io, first);
    printStaying(io, workspace);
  }
  // A device that waits for its key counts as set up.
  return ran?.state === "key" ? EXIT.ok : exitOf(first);
}

/** Undo a mistyped address. One that answered before it went offline is right: the next run continues. */
function isWrongAddress({ state, pulled, pushed }: SpaceRun): boolean {
  return state === "paused" || (state === "offline" && pulled + pushed === 0);
}

/** The name that others need to join the space. */
function nameOf({ kind, space, name = space }: SyncedSpace): string {
  return kind === "server" ? `, space ${plain(name)} (others join it with \`--space ${plain(name)}\`)` : "";
}

/** Tells users who expect all notes to travel which ones do not. */
function printStaying(io: Io, workspace: OpenWorkspace): void {
  for (const { scope, notes } of notesStaying(workspace))
    line(io, `  ${counted(notes, "note")} of the ${scope} scope ${notes === 1 ? "stays" : "stay"} on this device`);
}

async function recovered(workspace: OpenWorkspace, made: SyncedSpace, recovery: string, isNew: boolean): Promise<void> {
  try {
    await recoverSpace(workspace, made, recovery);
  } catch (error) {
    if (isNew) endSync(workspace, made.scope);
    throw error;
  }
}

/** Prints to the error output, so that `--json` stays JSON. */
function personAt(io: Io): LoginPerson | undefined {
  if (!io.canAsk) return undefined;
  return {
    async choose(hosts) {
      const typed = (await io.ask(`log in with ${hosts.map(plain).join(" or ")}? `))?.trim() ?? "";
      return hosts.find((host) => typed !== "" && host.startsWith(typed));
    },
    show: ({ page, code }) => io.err(`to log in, open ${plain(page)} and type this code: ${plain(code)}\n`),
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  };
}

/** A phrase on a command line would stay in the shell's history. */
function recoveryGiven(invocation: Invocation, cwd: string): string | undefined {
  const file = invocation.option("recovery");
  if (file === undefined) return undefined;
  if (!invocation.flag("encrypt")) throw new UsageError("--recovery is for an encrypted space: add --encrypt");
  return readTextFile(path.resolve(cwd, file), "the recovery phrase");
}

async function agrees(invocation: Invocation, remote: string): Promise<boolean> {
  if (invocation.flag("yes")) return true;
  const answer = await invocation.io.confirm(
    invocation.flag("encrypt")
      ? `${remote} will get these notes encrypted: only devices that you approve can read them. Send them there?`
      : `Everybody with access to ${remote} can then read these notes and what they said before. Send them there?`,
  );
  if (answer === undefined)
    throw new UsageError("setup sends notes to another place: add --yes to do it without a terminal");
  return answer;
}

async function now(invocation: Invocation): Promise<number> {
  const workspace = invocation.workspace();
  if (invocation.flag("pending")) {
    await runDetachedSync(workspace.locations);
    if (invocation.flag("json")) json(invocation.io, { done: true });
    return EXIT.ok;
  }
  const scope = invocation.option("scope");
  const spaces = spacesHere(workspace.locations, scope);
  invocation.io.ifInterrupted(CUT_OFF);
  if (spaces.length === 0)
    throw new MemoryError("not-found", "nothing here syncs yet; begin with `memdir sync setup --remote URL`");
  const result = await syncNow(workspace, {
    waitMs: PATIENCE_MS,
    acceptRemovals: invocation.flag("accept-removals") ? Infinity : 0,
    heard: invocation.heard,
    ...(scope !== undefined && { scope }),
  });
  if (invocation.flag("json")) json(invocation.io, result);
  else {
    printRun(invocation.io, result);
    const ran = new Set(result.spaces.map(({ directory }) => directory));
    const left = spaces.filter(({ directory }) => !ran.has(directory));
    for (const { scope: paused } of left)
      line(invocation.io, `the ${paused} scope is paused; \`memdir sync resume\` lets it go on`);
  }
  return exitOf(result);
}

function status(invocation: Invocation): number {
  const found = syncStatus(invocation.workspace(), invocation.option("scope"));
  if (invocation.flag("json")) json(invocation.io, found);
  else printStatus(invocation.io, found);
  return EXIT.ok;
}

function log(invocation: Invocation): number {
  const lines = syncLog(invocation.workspace(), undefined, invocation.option("scope"));
  if (invocation.flag("json")) json(invocation.io, { runs: lines });
  else printLog(invocation.io, lines);
  return EXIT.ok;
}

/** The only two actions that ask the servers but sync nothing. */
async function fromServers(invocation: Invocation, print: typeof printDevices): Promise<number> {
  const spaces = await syncDevices(invocation.workspace(), invocation.option("scope"));
  if (spaces.length === 0)
    throw new MemoryError("not-found", "nothing here syncs yet; begin with `memdir sync setup --remote URL`");
  if (invocation.flag("json")) json(invocation.io, { spaces });
  else print(invocation.io, spaces);
  return EXIT.ok;
}

function change(invocation: Invocation, act: typeof pauseSync, done: string): number {
  const scopes = act(invocation.workspace(), invocation.option("scope"));
  if (scopes.length === 0)
    throw new MemoryError("not-found", "nothing here syncs; `memdir sync status` lists what does");
  if (invocation.flag("json")) json(invocation.io, { scopes, state: done });
  else line(invocation.io, `${scopes.join(", ")}: ${done}${done === "off" ? "; the notes stay here and there" : ""}`);
  return EXIT.ok;
}
