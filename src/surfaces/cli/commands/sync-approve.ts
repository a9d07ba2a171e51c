import { approveDevice, revokeDevice } from "../../../app/sync/key-operations.ts";
import type { SpaceRun, SyncNow } from "../../../app/sync/reports.ts";
import { syncNow, syncStatus } from "../../../app/sync/sync.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import { counted } from "../../../core/shared/text.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError, json, line } from "../io.ts";
import { exitOf, PATIENCE_MS, plain, printRun, printSpaceRun, printStopped, withoutSpaces } from "./sync-text.ts";

/** Names what a sync stopped at, and removes exactly that if the user agrees. */
export async function approve(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const workspace = invocation.workspace();
  const scope = invocation.option("scope");
  const words = invocation.option("device");
  if (words !== undefined) return approveNew(invocation, words);
  const { spaces } = syncStatus(workspace, scope);
  const asks = spaces.filter(
    ({ state, refused }) => state === "ask" || refused.some(({ reason }) => reason === "sealed"),
  );
  if (asks.length === 0 && spaces.some(({ keys }) => (keys?.requests ?? 0) > 0)) {
    const typed = await io.ask("A device asks for the key. Type the six words that it shows: ");
    if (typed === undefined) throw new UsageError("add --device WORDS, with the words that the other device shows");
    return approveNew(invocation, typed);
  }
  if (asks.length === 0) throw new MemoryError("not-found", "no sync waits for your word");
  const runs: SpaceRun[] = [];
  for (const { directory } of asks) {
    const [looked] = (await syncNow(workspace, { directory, waitMs: PATIENCE_MS })).spaces;
    const sealed = looked?.refused.filter(({ reason }) => reason === "sealed") ?? [];
    if (looked !== undefined && looked.stopped === undefined && sealed.length > 0) {
      if (!invocation.flag("json")) printSpaceRun(io, looked);
      const isAllowed = await asked(
        invocation,
        `Send the texts of this device in place of ${counted(sealed.length, "entry", "entries")} of the remote?`,
      );
      const replaced = isAllowed
        ? await syncNow(workspace, { directory, waitMs: PATIENCE_MS, replaceSealed: true })
        : undefined;
      runs.push(...(replaced?.spaces ?? [looked]));
      continue;
    }
    if (looked?.stopped === undefined) {
      if (looked !== undefined) runs.push(looked);
      continue;
    }
    if (!invocation.flag("json")) printStopped(io, looked.scope, looked.stopped);
    const removals = counted(looked.stopped.keys.length, "note");
    if (!(await asked(invocation, `Remove these ${removals}? History keeps what is not forgotten.`))) {
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

async function asked(invocation: Invocation, question: string): Promise<boolean> {
  if (invocation.flag("yes")) return true;
  const answer = await invocation.io.confirm(question);
  if (answer === undefined) throw new UsageError("approve asks first: add --yes to do it without a terminal");
  return answer;
}

/** Gives the keys of the spaces here to another device of the user or the team. */
async function approveNew(invocation: Invocation, words: string): Promise<number> {
  const { io } = invocation;
  const workspace = invocation.workspace();
  const scope = invocation.option("scope");
  await syncNow(workspace, { waitMs: PATIENCE_MS, ...(scope !== undefined && { scope }) });
  const approved = await approveDevice(workspace, words, scope);
  if (invocation.flag("json")) json(io, { approved });
  else
    for (const { scope: of, device } of approved) line(io, `${plain(device.name)} has the key of the ${of} scope now`);
  return EXIT.ok;
}

/** For a lost device or a member who leaves. */
export async function revoke(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const [, device] = invocation.positionals;
  if (device === undefined || device === "")
    throw new UsageError("revoke needs a device: `memdir sync devices` lists them");
  if (!(await agreesToRevoke(invocation, device))) {
    line(io, "nothing was revoked");
    return EXIT.ok;
  }
  const workspace = invocation.workspace();
  const scope = invocation.option("scope");
  const sync = (): Promise<SyncNow> =>
    syncNow(workspace, { waitMs: PATIENCE_MS, ...(scope !== undefined && { scope }) });
  await sync();
  const revoked = await revokeDevice(workspace, device, scope);
  const run = await sync();
  if (invocation.flag("json")) json(io, { revoked, run: withoutSpaces(run) });
  else {
    for (const { scope: of, device: gone, recovery } of revoked)
      line(
        io,
        `${plain(gone.name)} gets nothing new of the ${of} scope; the new recovery phrase is in ${plain(recovery)}`,
      );
    line(io, "what it had, it has; take its access to the remote away too");
    printRun(io, run);
  }
  return exitOf(run);
}

async function agreesToRevoke(invocation: Invocation, device: string): Promise<boolean> {
  if (invocation.flag("yes")) return true;
  const answer = await invocation.io.confirm(
    `Replace the keys, so that ${plain(device)} reads nothing new? The device stays out until you approve it again.`,
  );
  if (answer === undefined) throw new UsageError("revoke asks first: add --yes to do it without a terminal");
  return answer;
}
