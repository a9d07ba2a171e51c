import path from "node:path";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { mentionsName } from "../../adapters/files/forget.ts";
import { isRecord, parseJson, record } from "../../core/shared/json.ts";
import { transfersIn } from "./pending-transfers.ts";

/** The settings of single projects, by their roots. */
export type ProjectSettings = Readonly<Record<"modes" | "team" | "capture" | "groups", unknown>>;

/** What `project mv`, `merge` or `split` did, in every store and outside them; undone as one. */
export interface ProjectOperation {
  readonly id: string;
  /** ISO time. */
  readonly time: string;
  readonly transfers: readonly string[];
  /** Hand-written lines that were added to the other MEMORY.md. */
  readonly lines: CarriedLines;
  /** Hand-written lines that it removed again. */
  readonly gone: CarriedLines;
  /** Files that were moved, by absolute path. */
  readonly checkpoints: readonly { readonly from: string; readonly to: string }[];
  readonly settings: { readonly before: ProjectSettings; readonly after: ProjectSettings } | undefined;
  /** An operation that undoes another one. It is found only by its transfers, to redo the other one. */
  readonly isUndo: boolean;
}

export type CarriedLines = readonly { readonly directory: string; readonly lines: readonly string[] }[];

function operationsIn(memdirHome: string): string {
  return path.join(transfersIn(memdirHome), "operations");
}

export function writeOperation(memdirHome: string, operation: ProjectOperation): void {
  const directory = operationsIn(memdirHome);
  nodeFiles.makeDirectory(directory);
  nodeFiles.create(path.join(directory, `${operation.id}.json`), encode(operation));
  nodeFiles.syncDirectory(directory);
}

/** The newest operation that is not an undo, or the one with this id or transfer. */
export function findOperation(memdirHome: string, id?: string): ProjectOperation | undefined {
  const directory = operationsIn(memdirHome);
  return (nodeFiles.list(directory) ?? [])
    .flatMap(({ name }) => toOperation(parseJson(new TextDecoder().decode(nodeFiles.read(path.join(directory, name))))))
    .toSorted((a, b) => (a.time < b.time ? 1 : -1))
    .find((one) => (id === undefined ? !one.isUndo : one.id === id || one.transfers.includes(id)));
}

/** Removes lines that name a forgotten note from the records for undo. */
export function dropFromOperations(memdirHome: string, names: ReadonlySet<string>): void {
  const directory = operationsIn(memdirHome);
  const isKept = (line: string): boolean => ![...names].some((name) => mentionsName(line, name));
  for (const { name } of nodeFiles.list(directory) ?? []) {
    const file = path.join(directory, name);
    const text = new TextDecoder().decode(nodeFiles.read(file));
    const [operation] = toOperation(parseJson(text));
    if (operation === undefined || isKept(text)) continue;
    const without = (all: CarriedLines): CarriedLines =>
      all.flatMap((one) => someLines(one.directory, one.lines.filter(isKept)));
    const aside = `${file}.${process.pid}`;
    nodeFiles.remove(aside);
    nodeFiles.create(aside, encode({ ...operation, lines: without(operation.lines), gone: without(operation.gone) }));
    nodeFiles.rename(aside, file);
    nodeFiles.syncDirectory(directory);
  }
}

function encode(operation: ProjectOperation): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(operation, undefined, 1)}\n`);
}

function toOperation(value: unknown): ProjectOperation[] {
  if (!isRecord(value) || typeof value["id"] !== "string" || !Array.isArray(value["transfers"])) return [];
  const list = (field: unknown): readonly Readonly<Record<string, unknown>>[] =>
    Array.isArray(field) ? field.filter(isRecord) : [];
  const linesIn = (field: unknown): CarriedLines =>
    list(field).map(({ directory, lines }) => ({
      directory: String(directory),
      lines: Array.isArray(lines) ? lines.map(String) : [],
    }));
  const { before, after } = record(value["settings"]);
  return [
    {
      id: value["id"],
      time: String(value["time"]),
      transfers: value["transfers"].map(String),
      lines: linesIn(value["lines"]),
      gone: linesIn(value["gone"]),
      checkpoints: list(value["checkpoints"]).map(({ from, to }) => ({ from: String(from), to: String(to) })),
      settings: before === undefined ? undefined : { before: sections(before), after: sections(after) },
      isUndo: value["isUndo"] === true,
    },
  ];
}

function sections(value: unknown): ProjectSettings {
  const { modes, team, capture, groups } = record(value);
  return { modes, team, capture, groups };
}

export function someLines(directory: string, lines: readonly string[]): CarriedLines {
  return lines.length === 0 ? [] : [{ directory, lines }];
}

export function dropOperation(memdirHome: string, id: string): void {
  nodeFiles.remove(path.join(operationsIn(memdirHome), `${id}.json`));
}
