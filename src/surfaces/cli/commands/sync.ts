import path from "node:path";
import { syncDevices } from "../../../app/sync/receipts.ts";
import { endSync, pauseSync, resumeSync, setUpSync, syncLog, syncNow, syncStatus } from "../../../app/sync/sync.ts";
import type { SpaceRun, SyncNow } from "../../../app/sync/reports.ts";
import { runDetachedSync } from "../../../app/background/sync-worker.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import { counted } from "../../../core/shared/text.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError } from "../exit.ts";
import { json, line } from "../io.ts";
import { printDevices, printReceipts } from "./sync-devices-text.ts";
import { printLog, printRun, printSpaceRun, printStatus, printStopped } from "./sync-text.ts";

const ACTIONS: Readonly<Record<string, (invocation: Invocation) => Promise<number> | number>> = {
  setup,
  now,
  status,
  log,
  approve,
  devices: (invocation) => fromServers(invocation, printDevices),
  receipts: (invocation) => fromServers(invocation, printReceipts),
  pause: (invocation) => change(invocation, pauseSync, "paused"),
  resume: (invocation) => change(invocation, resumeSync, "resumed"),
  off: (invocation) => change(invocation, endSync, "off"),
};

export async function run(invocation: Invocation): Promise<number> {
  const [action = "status", extra] = invocation.positionals;
  const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (act === undefined)
    throw new UsageError(`unknown action "${action}"; use one of ${Object.keys(ACTIONS).join(", ")}`);
  if (extra !== undefined && action !== "setup") throw new UsageError(`unexpected argument "${extra}"`);
  return act(invocation);
}

async function setup(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const remote = invocation.option("remote") ?? invocation.positionals[1];
  if (remote === undefined) throw new UsageError("setup needs a remote: `memdir sync setup --remote URL`");
  if (invocation.flag("encrypt"))
    throw new MemoryError("refused", "notes cannot be encrypted end to end yet, so nothing was set up");
  const workspace = invocation.workspace();
  const [scope, tokenFile, space, login] = ["scope", "token-file", "space", "login"].map(invocation.option);
  const { cwd } = workspace.locations;
  const input = {
    remote,
    isDirect: invocation.flag("direct"),
    isManual: invocation.flag("manual"),
    ...(scope !== undefined && { scope }),
    ...(tokenFile !== undefined && { tokenFile: path.resolve(cwd, tokenFile) }),
    ...(space !== undefined && { space }),
    ...(login !== undefined && { login }),
  };
  if (!(await agrees(invocation, remote))) return EXIT.ok;
  const before = syncStatus(workspace, scope).spaces.length;
  const made = await setUpSync(workspace, input);
  const first = await syncNow(workspace, { scope: made.scope });
  const [ran] = first.spaces;
  // A slip in the address must not stay behind; where the remote is only away, the next run goes on.
  if (ran?.state === "paused" && syncStatus(workspace, scope).spaces.length > before) {
    endSync(workspace, made.scope);
    throw new MemoryError("unavailable", `${ran.message}; nothing was set up`);
  }
  if (invocation.flag("json"))
    json(io, {
      scope: made.scope,
      remote: made.remote,
      kind: made.kind,
      space: made.space,
      run: withoutSpaces(first),
    });
  else {
    line(io, `the notes of the ${made.scope} scope sync with ${made.remote}`);
    printRun(io, first);
  }
  return exitOf(first);
}

async function agrees(invocation: Invocation, remote: string): Promise<boolean> {
  if (invocation.flag("yes")) return true;
  const answer = await invocation.io.confirm(
    `Everybody who can read ${remote} will read these notes, and what they said before. Send them there?`,
  );
  if (answer === undefined)
    throw new UsageError("setup sends notes to another place: add --yes to do it without a terminal");
  return answer;
}

/** A run that began by itself is waited for (ms). */
const PATIENCE_MS = 30_000;

async function now(invocation: Invocation): Promise<number> {
  const workspace = invocation.workspace();
  if (invocation.flag("pending")) {
    await runDetachedSync(workspace.locations);
    return EXIT.ok;
  }
  const scope = invocation.option("scope");
  if (syncStatus(workspace, scope).spaces.length === 0)
    throw new MemoryError("not-found", "nothing here syncs yet; begin with `memdir sync setup --remote URL`");
  const result = await syncNow(workspace, {
    waitMs: PATIENCE_MS,
    acceptRemovals: invocation.flag("accept-removals") ? Infinity : 0,
    ...(scope !== undefined && { scope }),
  });
  if (invocation.flag("json")) json(invocation.io, result);
  else {
    printRun(invocation.io, result);
    const ran = new Set(result.spaces.map(({ directory }) => directory));
    const left = syncStatus(workspace, scope).spaces.filter(({ directory }) => !ran.has(directory));
    for (const { scope: paused } of left)
      line(invocation.io, `the ${paused} scope is paused; \`memdir sync resume\` lets it go on`);
  }
  return exitOf(result);
}

/** Names what a sync stopped at, and removes it when the person agrees: that, and not more. */
async function approve(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const workspace = invocation.workspace();
  const scope = invocation.option("scope");
  const asks = syncStatus(workspace, scope).spaces.filter(({ state }) => state === "ask");
  if (asks.length === 0) throw new MemoryError("not-found", "no sync waits for your word");
  const runs: SpaceRun[] = [];
  for (const { directory } of asks) {
    const [looked] = (await syncNow(workspace, { directory, waitMs: PATIENCE_MS })).spaces;
    if (looked?.stopped === undefined) {
      if (looked !== undefined) runs.push(looked);
      continue;
    }
    if (!invocation.flag("json")) printStopped(io, looked.scope, looked.stopped);
    if (!(await allows(invocation, looked.stopped.keys.length))) {
      runs.push(looked);
      continue;
    }
    const acceptRemovals = looked.stopped.keys.length;
    runs.push(...(await syncNow(workspace, { directory, waitMs: PATIENCE_MS, acceptRemovals })).spaces);
  }
  if (invocation.flag("json")) json(io, { spaces: runs });
  else for (const one of runs) printSpaceRun(io, one);
  return exitOf({ refused: runs.flatMap(({ refused }) => refused), spaces: runs });
}

async function allows(invocation: Invocation, removals: number): Promise<boolean> {
  if (invocation.flag("yes")) return true;
  const answer = await invocation.io.confirm(
    `Remove these ${counted(removals, "note")}? History keeps what is not forgotten.`,
  );
  if (answer === undefined) throw new UsageError("approve removes notes: add --yes to do it without a terminal");
  return answer;
}

function withoutSpaces({ spaces: _, ...sums }: SyncNow): Omit<SyncNow, "spaces"> {
  return sums;
}

function exitOf({
  refused,
  spaces,
}: {
  readonly refused: readonly unknown[];
  readonly spaces: readonly SpaceRun[];
}): number {
  if (refused.length > 0 || spaces.some(({ state }) => state === "ask")) return EXIT.refused;
  return spaces.some(({ state }) => state === "offline" || state === "paused") ? EXIT.unavailable : EXIT.ok;
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

/** The only two that ask the servers and sync nothing. */
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
