import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { nodeFiles } from "../adapters/files/node-files.ts";
import { planMove } from "../core/memory/move.ts";
import { settleTransfer, type Settled, type Transfer, type TransferEnd, transferNotes, type TransferRecords } from "../core/memory/transfer.ts";
import type { NoteRef, ScopedStore } from "../core/memory/workspace.ts";
import { SCOPES, type Scope } from "../core/notes/note.ts";
import type { NoteStore } from "../core/notes/store.ts";
import { type Clock, systemClock } from "../core/shared/clock.ts";
import { MemoryError } from "../core/shared/errors.ts";
import { sha256 } from "../core/shared/hash.ts";
import type { Locations, StoreLocation } from "./locations.ts";
import { type OpenWorkspace, openStoreAt } from "./workspace.ts";
import { isRecord } from "../core/shared/json.ts";
import { isAlive } from "./alive.ts";

/** A finished transfer can be undone this long (days). */
const KEPT_DAYS = 30;

/** Moves one note to another scope, as `planMove` allows. */
export async function moveNote(workspace: OpenWorkspace, ref: NoteRef, scope: Scope, name?: string): Promise<{ readonly transfer: Transfer; readonly ref: NoteRef }> {
  const target = targetOf(workspace, scope);
  const planned = await planMove(workspace, ref, target, name);
  const transfer = runTransfer(workspace, { source: ref.scoped, target, files: [planned], verb: "moved" });
  return { transfer, ref: { scoped: target, file: planned.to } };
}

function targetOf(workspace: OpenWorkspace, scope: Scope): ScopedStore {
  const target = workspace.open(scope);
  if (target !== undefined) return target;
  const { untrustedTeam, agentType } = workspace.locations;
  if (scope === "team" && untrustedTeam !== undefined) throw new MemoryError("refused", `the team's notes in ${untrustedTeam} are not trusted on this machine; look at them with \`memdir team\`, then \`memdir team trust\``);
  if (scope === "group") throw new MemoryError("invalid-input", "this project is in no group; `memdir group add NAME` puts it into one");
  if (scope.startsWith("agent") && agentType === undefined) throw new MemoryError("invalid-input", `${scope} notes belong to a type of sub-agent: add --agent-type TYPE`);
  throw new MemoryError("invalid-input", `there is no ${scope} scope here; scopes: ${workspace.scopes.join(", ")}`);
}

export interface TransferRun {
  readonly source: ScopedStore;
  readonly target: ScopedStore;
  readonly files: Parameters<typeof transferNotes>[1]["files"];
  readonly verb: string;
}

export function runTransfer({ locations, clock }: Pick<OpenWorkspace, "locations" | "clock">, { source, target, files, verb }: TransferRun): Transfer {
  const order = { id: randomBytes(4).toString("hex"), time: new Date(clock.now()).toISOString(), pid: process.pid, from: endOf(locations, source), to: endOf(locations, target), files, verb };
  return transferNotes({ source: source.store, target: target.store }, order, recordsIn(locations.memdirHome));
}

function endOf({ stores }: Locations, { scope, store: { directory, state } }: ScopedStore): TransferEnd {
  const place = stores.find((one) => one.directory === directory);
  return { scope, directory, state, excluded: place?.excluded ?? ["team"], ...(place?.inRepository === true && { inRepository: true }) };
}

/** What was settled of transfers that a killed process left half done; costs one look at a directory when there are none. */
export function settleTransfers(locations: Pick<Locations, "memdirHome" | "hasGit" | "environment">, clock: Clock = systemClock): readonly Settled[] {
  const directory = transfersIn(locations.memdirHome);
  if (!fs.existsSync(directory)) return [];
  const records = recordsIn(locations.memdirHome);
  const all = fs.readdirSync(directory).flatMap((name) => readRecord(path.join(directory, name)));
  for (const { id, time, state } of all) if (state === "done" && clock.now() - Date.parse(time) > KEPT_DAYS * 86_400_000) records.drop(id);
  const pending = all.filter(({ state, pid }) => state === "pending" && (pid === process.pid || !isAlive(pid)));
  return pending.map((transfer) => withStores(locations, clock, transfer, (stores) => settleTransfer(stores, transfer, records)));
}

/** The record of a transfer; `undefined` after 30 days. */
export function findTransfer(memdirHome: string, id: string): Transfer | undefined {
  return readRecord(path.join(transfersIn(memdirHome), `${id}.json`))[0];
}

/** Transfers that can be undone, newest first. */
export function listTransfers(memdirHome: string): readonly Transfer[] {
  const directory = transfersIn(memdirHome);
  const names = fs.existsSync(directory) ? fs.readdirSync(directory) : [];
  return names.flatMap((name) => readRecord(path.join(directory, name))).toSorted((a, b) => (a.time < b.time ? 1 : -1));
}

/** Takes a transfer back: every note returns with the bytes it had, or with the words it was given since. */
export function undoTransfer(workspace: Pick<OpenWorkspace, "locations" | "clock">, transfer: Transfer): Transfer {
  return withStores(workspace.locations, workspace.clock, transfer, ({ source, target }) => {
    const history = source.history();
    const files = transfer.files.map(({ from, to, made }) => {
      const current = target.read(to);
      if (current === undefined) throw new MemoryError("conflict", `${to} is no longer in ${transfer.to.directory}; nothing was moved back`);
      return { from: to, to: from, base: current, content: originalOf(history, source, transfer, from, to, current), made };
    });
    const stay = files.filter(({ made }) => !made);
    if (stay.length > 0) source.commit(stay.map(({ to, content }) => ({ kind: "create", file: to, content })), { actor: "undo", reason: `brought back (transfer ${transfer.id} undone)` });
    const back = files.filter(({ made }) => made).map(({ made: _made, ...file }) => file);
    if (back.length === 0) return transfer;
    const order = { id: randomBytes(4).toString("hex"), time: new Date(workspace.clock.now()).toISOString(), pid: process.pid, from: transfer.to, to: transfer.from, files: back, verb: `moved back (${transfer.id})` };
    return transferNotes({ source: target, target: source }, order, recordsIn(workspace.locations.memdirHome));
  });
}

/** The bytes it had before it moved, when nobody changed it since; else its present ones. */
function originalOf(history: ReturnType<NoteStore["history"]>, source: NoteStore, transfer: Transfer, from: string, to: string, current: Uint8Array): Uint8Array {
  if (source.read(from) !== undefined) throw new MemoryError("conflict", `there is a ${from} in ${transfer.from.directory} again; nothing was moved back`);
  const left = history.versions(from).find(({ reason }) => reason.endsWith(`(transfer ${transfer.id})`));
  const before = left === undefined ? undefined : history.contentAt(left.seq - 1, from);
  const isAsMoved = transfer.files.some((file) => file.to === to && file.after === sha256(current));
  return isAsMoved && before !== undefined ? before : current;
}

function withStores<T>(locations: Pick<Locations, "hasGit" | "environment">, clock: Clock, { from, to }: Transfer, work: (stores: { source: NoteStore; target: NoteStore }) => T): T {
  const place = (end: TransferEnd): StoreLocation => end;
  const source = openStoreAt(place(from), locations, clock);
  const target = openStoreAt(place(to), locations, clock);
  try {
    return work({ source, target });
  } finally {
    source.close();
    target.close();
  }
}

function transfersIn(memdirHome: string): string {
  return path.join(memdirHome, "transfers");
}

export function recordsIn(memdirHome: string): TransferRecords {
  const directory = transfersIn(memdirHome);
  const fileOf = (id: string): string => path.join(directory, `${id}.json`);
  return {
    save(transfer) {
      nodeFiles.makeDirectory(directory);
      const aside = `${fileOf(transfer.id)}.${process.pid}`;
      nodeFiles.remove(aside);
      nodeFiles.create(aside, new TextEncoder().encode(`${JSON.stringify(transfer, undefined, 1)}\n`));
      nodeFiles.rename(aside, fileOf(transfer.id));
      nodeFiles.syncDirectory(directory);
    },
    drop: (id) => nodeFiles.remove(fileOf(id)),
  };
}

function readRecord(file: string): Transfer[] {
  if (!file.endsWith(".json")) return [];
  const bytes = nodeFiles.read(file);
  if (bytes === undefined) return [];
  try {
    return toTransfer(JSON.parse(decode(bytes)));
  } catch (error) {
    if (error instanceof SyntaxError) return []; // not ours: a record appears whole or not at all
    throw error;
  }
}

function toTransfer(value: unknown): Transfer[] {
  if (typeof value !== "object" || value === null || !("id" in value) || !("from" in value) || !("to" in value) || !("files" in value) || !Array.isArray(value.files)) return [];
  const from = toEnd(value.from);
  const to = toEnd(value.to);
  if (from === undefined || to === undefined) return [];
  const files = value.files.filter(isRecord).map((file) => ({ from: String(file["from"]), to: String(file["to"]), before: String(file["before"]), after: String(file["after"]), made: file["made"] === true }));
  const { time, state, pid } = Object.fromEntries(Object.entries(value));
  return [{ id: String(value.id), time: String(time), state: state === "pending" ? "pending" : "done", pid: Number(pid), from, to, files }];
}

function toEnd(value: unknown): TransferEnd | undefined {
  const scope = isRecord(value) ? SCOPES.find((one) => one === value["scope"]) : undefined;
  if (!isRecord(value) || scope === undefined || typeof value["directory"] !== "string" || typeof value["state"] !== "string") return undefined;
  const excluded = Array.isArray(value["excluded"]) ? value["excluded"].map(String) : [];
  return { scope, directory: value["directory"], state: value["state"], excluded, ...(value["inRepository"] === true && { inRepository: true }) };
}

const decode = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
