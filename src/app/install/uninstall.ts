import fs from "node:fs";
import path from "node:path";
import type { InstallRecord } from "../../adapters/files/install-records.ts";
import { removeIfEmpty, replaceSettingsFile } from "../../adapters/files/settings-file.ts";
import { clearGone } from "../background/hook-trace.ts";
import { openCodePlugin } from "../../core/install/opencode-plugin.ts";
import type { SettingsEditor } from "../../core/install/settings-editor.ts";
import { FOUND_CLIENTS, INSTALLABLE, type Installable, type InstallScope, type Target } from "./targets.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";
import {
  editorOf,
  type FilePlan,
  type InstallPlace,
  installsDirectory,
  planOf,
  refusalText,
  removalFrom,
  repeated,
  targets,
} from "./install.ts";

/** The installations to remove; empty means all. */
export interface Wanted {
  readonly clients: readonly Installable[];
  readonly scope: InstallScope | undefined;
}

interface Place {
  readonly agent: Installable;
  readonly scope: InstallScope;
  readonly file: string;
  readonly what: string;
  readonly kind: Target["kind"];
  readonly editor: SettingsEditor;
  readonly record: InstallRecord | undefined;
}

const SCOPES = ["user", "project"] as const;

/** memdir's own folders that exist and contain notes: deleting them deletes notes. */
export function noteFolders(memdirHome: string): readonly string[] {
  return ["user", "local", "projects"].filter((name) => holdsNote(path.join(memdirHome, name)));
}

function holdsNote(directory: string): boolean {
  if (!fs.existsSync(directory)) return false;
  return fs
    .readdirSync(directory, { recursive: true, encoding: "utf8" })
    .some((file) => file.endsWith(".md") && file.split(path.sep).includes("memory"));
}

/** What uninstalling would change: recorded files, also of other projects, and the clients' own files present here. */
export function planUninstall(at: InstallPlace, wanted: Wanted): readonly FilePlan[] {
  return places(at, wanted)
    .map((place) => planOf(place.agent, place.scope, place, removal(place, wanted)))
    .filter(({ outcome }) => outcome.state !== "same");
}

/** Removes memdir's entries from the files of the wanted installations. @throws MemoryError */
export function uninstall(at: InstallPlace, wanted: Wanted): readonly FilePlan[] {
  const all = places(at, wanted);
  const plans = all.map((place) => {
    const change = repeated(place.file, () => {
      const next = removal(place, wanted);
      if (next.state === "refused") return next;
      return next.state === "same" || replaceSettingsFile(next.target, next.current, next.next) === "done"
        ? next
        : "again";
    });
    if (change.state !== "refused") settle(at, place, wanted);
    return planOf(place.agent, place.scope, place, change);
  });
  for (const agent of FOUND_CLIENTS)
    if (wanted.clients.length === 0 || wanted.clients.includes(agent)) clearGone(at.home, agent);
  const directories = all.flatMap(({ record }) => record?.directories ?? []).toSorted((a, b) => b.length - a.length);
  for (const directory of directories) removeIfEmpty(directory);
  for (const directory of [installsDirectory(at.memdirHome), at.memdirHome]) removeIfEmpty(directory);
  const refusal = plans.find(({ outcome }) => outcome.state === "refused");
  if (refusal?.outcome.state === "refused")
    throw new MemoryError(
      "refused",
      refusalText(refusal.file, refusal.outcome).replace(
        "nothing was changed",
        "this file was not changed, every other was",
      ),
    );
  return plans.filter(({ outcome }) => outcome.state !== "same");
}

/** A file that another client still uses keeps its entries. */
function isShared({ record }: Place, { clients }: Wanted): boolean {
  return clients.length > 0 && (record?.clients ?? []).some((client) => !clients.some((one) => one === client));
}

function removal(place: Place, wanted: Wanted): ReturnType<typeof removalFrom> {
  if (isShared(place, wanted)) return { state: "same" };
  const change = removalFrom(place.file, place.editor, place.record);
  const isEdited =
    place.kind === "file" &&
    change.state === "change" &&
    place.record !== undefined &&
    change.current !== undefined &&
    sha256(change.current) !== place.record.after;
  return isEdited
    ? { state: "refused", line: undefined, why: "it was changed by hand since memdir wrote it; remove it yourself" }
    : change;
}

function settle({ records }: InstallPlace, place: Place, wanted: Wanted): void {
  const { record } = place;
  if (record === undefined) return;
  if (isShared(place, wanted))
    records.save({
      ...record,
      clients: record.clients.filter((client) => !wanted.clients.some((one) => one === client)),
    });
  else records.drop(record.file);
}

function places(at: InstallPlace, { clients, scope }: Wanted): readonly Place[] {
  const isWanted = (agent: string, where: InstallScope): boolean =>
    (clients.length === 0 || clients.some((one) => one === agent)) && (scope === undefined || scope === where);
  const recorded = at.records
    .list()
    .filter(
      (record) =>
        record.clients.some((client) => isWanted(client, record.scope)) &&
        (scope !== "project" || !path.relative(at.directories.project, record.file).startsWith("..")),
    );
  const known = new Set(at.records.list().map(({ file }) => file));
  const found = (clients.length === 0 ? FOUND_CLIENTS : clients).flatMap((agent) =>
    SCOPES.filter((where) => isWanted(agent, where)).flatMap((where) =>
      targets(at, agent, where)
        .filter(({ file }) => !known.has(file) && fs.existsSync(file))
        .map((target): Place => ({
          agent,
          scope: where,
          file: target.file,
          what: target.what,
          kind: target.kind,
          editor: editorOf(agent, target),
          record: undefined,
        })),
    ),
  );
  return [...recorded.map(ofRecord), ...found];
}

function ofRecord(record: InstallRecord): Place {
  const { file, kind, scope } = record;
  const agent = INSTALLABLE.find((one) => record.clients.includes(one)) ?? "mcp";
  const target: Target =
    kind === "json"
      ? { kind, file, what: "", tree: {} }
      : kind === "block"
        ? { kind, file, what: "", text: "" }
        : kind === "toml"
          ? { kind, file, what: "", command: "", args: [] }
          : { kind, file, what: "", text: openCodePlugin([]), paths: [] };
  return { agent, scope, file, what: "entries", kind, editor: editorOf(agent, target), record };
}
