import fs from "node:fs";
import path from "node:path";
import { nodeFiles, putFile } from "../../adapters/files/node-files.ts";
import { type Transfer, type TransferEnd, type TransferRecords, settleTransfer, type Settled } from "./transfer.ts";
import type { FilePort } from "../../core/notes/file-port.ts";
import { SCOPES } from "../../core/notes/note.ts";
import { isRecord } from "../../core/shared/json.ts";
import { isAlive } from "./alive.ts";
import { pendingTransfersIn, transfersIn, isTransferPending } from "./pending-transfers.ts";
import { mayWrite, modeIn } from "./modes.ts";
import type { NoteStore } from "../../core/notes/store.ts";
import type { Clock } from "../../core/shared/clock.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import type { Locations } from "./locations.ts";
import { openStoreAt } from "./open-store.ts";

/** How long a finished transfer can be undone (days). */
const KEPT_DAYS = 30;

/** One file per transfer. Its directory tells whether it is finished, so that one rename finishes it. */
export function recordsIn(memdirHome: string, files: FilePort = nodeFiles): TransferRecords {
  const [done, pending] = [transfersIn(memdirHome), pendingTransfersIn(memdirHome)];
  const nameOf = (id: string): string => `${id}.json`;
  return {
    begin(transfer) {
      files.makeDirectory(pending);
      const aside = `${done}/${nameOf(transfer.id)}.${process.pid}`;
      const text = `${JSON.stringify(transfer, undefined, 1)}\n`;
      putFile(`${pending}/${nameOf(transfer.id)}`, text, { files, aside, named: true });
    },
    finish(id) {
      files.rename(`${pending}/${nameOf(id)}`, `${done}/${nameOf(id)}`);
      files.syncDirectory(done);
      files.syncDirectory(pending);
    },
    drop(id) {
      files.remove(`${pending}/${nameOf(id)}`);
      files.syncDirectory(pending);
    },
  };
}

/** Transfers that began but are not known to have ended. */
function pendingTransfers(memdirHome: string): readonly Transfer[] {
  return recordsOf(pendingTransfersIn(memdirHome));
}

/** The record of a finished transfer; `undefined` after 30 days. */
export function findTransfer(memdirHome: string, id: string): Transfer | undefined {
  return readRecord(path.join(transfersIn(memdirHome), `${id}.json`))[0];
}

/** Transfers that can be undone, newest first. */
function listTransfers(memdirHome: string): readonly Transfer[] {
  return recordsOf(transfersIn(memdirHome)).toSorted((a, b) => (a.time < b.time ? 1 : -1));
}

/**
 * Removes records too old to be undone, and what a process left that died before its transfer began. Files that are not
 * records are moved aside; otherwise checks for pending moves would wait for them for ever.
 */
export function sweepTransfers(memdirHome: string, now: number): void {
  const directory = transfersIn(memdirHome);
  for (const { id, time } of listTransfers(memdirHome))
    if (now - Date.parse(time) > KEPT_DAYS * 86_400_000) nodeFiles.remove(path.join(directory, `${id}.json`));
  for (const { name } of nodeFiles.list(directory) ?? []) {
    const pid = /\.json\.(\d+)$/u.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) nodeFiles.remove(path.join(directory, name));
  }
  const pending = pendingTransfersIn(memdirHome);
  for (const { name } of nodeFiles.list(pending) ?? []) {
    if (readRecord(path.join(pending, name)).length === 0)
      nodeFiles.rename(path.join(pending, name), path.join(directory, `${name}.unreadable`));
  }
}

/** Removes the names of forgotten notes from records; a record that names nothing else is removed. */
export function dropFromTransfers(memdirHome: string, names: ReadonlySet<string>): void {
  for (const directory of [transfersIn(memdirHome), pendingTransfersIn(memdirHome)]) {
    for (const { name, kind } of nodeFiles.list(directory) ?? []) {
      const file = path.join(directory, name);
      if (kind === "file") dropNames(file, readRecord(file)[0], names);
    }
  }
}

function dropNames(file: string, transfer: Transfer | undefined, names: ReadonlySet<string>): void {
  const text = new TextDecoder().decode(nodeFiles.read(file));
  if (![...names].some((name) => text.includes(JSON.stringify(name)))) return;
  const files = transfer?.files.filter(({ from, to }) => !names.has(from) && !names.has(to)) ?? [];
  if (transfer === undefined || files.length === 0) nodeFiles.remove(file);
  else putFile(file, `${JSON.stringify({ ...transfer, files }, undefined, 1)}\n`);
}

function recordsOf(directory: string): readonly Transfer[] {
  const names = fs.existsSync(directory) ? fs.readdirSync(directory) : [];
  return names.flatMap((name) => readRecord(path.join(directory, name)));
}

function readRecord(file: string): Transfer[] {
  if (!file.endsWith(".json")) return [];
  const bytes = nodeFiles.read(file);
  if (bytes === undefined) return [];
  try {
    return toTransfer(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (error) {
    if (error instanceof SyntaxError) return []; // not a record: memdir writes records whole
    throw error;
  }
}

function toTransfer(value: unknown): Transfer[] {
  if (
    typeof value !== "object" ||
    value === null ||
    !("id" in value) ||
    !("from" in value) ||
    !("to" in value) ||
    !("files" in value) ||
    !Array.isArray(value.files)
  )
    return [];
  const from = toEnd(value.from);
  const to = toEnd(value.to);
  if (from === undefined || to === undefined) return [];
  const files = value.files.filter(isRecord).map((file) => ({
    from: String(file["from"]),
    to: String(file["to"]),
    before: String(file["before"]),
    after: String(file["after"]),
    made: file["made"] === true,
  }));
  const { time, pid } = Object.fromEntries(Object.entries(value));
  return [{ id: String(value.id), time: String(time), pid: Number(pid), from, to, files }];
}

function toEnd(value: unknown): TransferEnd | undefined {
  const scope = isRecord(value) ? SCOPES.find((one) => one === value["scope"]) : undefined;
  if (
    !isRecord(value) ||
    scope === undefined ||
    typeof value["directory"] !== "string" ||
    typeof value["state"] !== "string"
  )
    return undefined;
  const excluded = Array.isArray(value["excluded"]) ? value["excluded"].map(String) : [];
  return {
    scope,
    directory: value["directory"],
    state: value["state"],
    excluded,
    ...(value["inRepository"] === true && { inRepository: true }),
  };
}

/** The outcome of a transfer that a killed process left incomplete. */
export type CutOff = Settled | { readonly kind: "stuck"; readonly transfer: Transfer; readonly message: string };

/** No move takes longer than this (ms): by then the process id belongs to another process. */
const LONGEST_MS = 600_000;

/**
 * Completes what killed processes left between two stores; costs one directory read if there is nothing. Transfers wait
 * if the mode of either scope forbids writing.
 */
export function settleTransfers(
  locations: Pick<Locations, "memdirHome" | "hasGit" | "environment" | "modes">,
  clock: Clock,
  lockTimeoutMs?: number,
): readonly CutOff[] {
  const { memdirHome } = locations;
  if (!isTransferPending(memdirHome)) return [];
  sweepTransfers(memdirHome, clock.now());
  const records = recordsIn(memdirHome);
  const isAtWork = ({ pid, time }: Transfer): boolean =>
    pid !== process.pid && isAlive(pid) && clock.now() - Date.parse(time) <= LONGEST_MS;
  const isAllowed = ({ from, to }: Transfer): boolean =>
    [from, to].every(({ scope }) => mayWrite(modeIn(locations.modes, scope).mode));
  return pendingTransfers(memdirHome)
    .filter((transfer) => isAllowed(transfer) && !isAtWork(transfer))
    .map((transfer): CutOff => {
      try {
        return withStores(
          locations,
          clock,
          transfer,
          (stores) => settleTransfer(stores, transfer, records),
          lockTimeoutMs,
        );
      } catch (error) {
        if (error instanceof MemoryError) return { kind: "stuck", transfer, message: error.message }; // tried again by the next command
        throw error;
      }
    });
}

/** Opens both ends of a transfer while `work` runs. */
export function withStores<T>(
  locations: Pick<Locations, "hasGit" | "environment">,
  clock: Clock,
  { from, to }: Transfer,
  work: (stores: { source: NoteStore; target: NoteStore }) => T,
  lockTimeoutMs?: number,
): T {
  const source = openStoreAt(from, locations, clock, lockTimeoutMs);
  const target = openStoreAt(to, locations, clock, lockTimeoutMs);
  try {
    return work({ source, target });
  } finally {
    source.close();
    target.close();
  }
}
