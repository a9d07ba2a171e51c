import fs from "node:fs";
import path from "node:path";
import { type InstallRecord, type InstallRecords, openInstallRecords } from "../../adapters/files/install-records.ts";
import { makeMissingDirectories, readSettingsFile, replaceSettingsFile } from "../../adapters/files/settings-file.ts";
import { jsonSettings } from "../../adapters/settings/json-settings.ts";
import { tomlSettings } from "../../adapters/settings/toml-settings.ts";
import { AGENT_TITLES, AGENTS, type Program, serverArguments, serverSettings } from "../../core/install/agents.ts";
import { CLIENTS, OTHER_CLIENTS, PRINTED, PRINTED_CLIENTS, RULE } from "../../core/install/clients.ts";
import {
  type OwnEntry,
  type Refusal,
  type SettingsEditor,
  wholeFile,
  textBlock,
} from "../../core/install/settings-editor.ts";
import { type AgentDirectories, type Installable, type InstallScope, type Target, targetsOf } from "./targets.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { agentDirectories, installedProgram } from "./install-places.ts";
import type { Locations } from "../workspace/locations.ts";

/** What to install and where: everything the plans below depend on. */
export interface InstallPlace {
  readonly directories: AgentDirectories;
  readonly program: Program;
  readonly records: InstallRecords;
  readonly memdirHome: string;
  /** The user's home directory. */
  readonly home: string;
  /** Whether to put the rule for agents without hooks into the project's AGENTS.md. */
  readonly rule: boolean;
}

/** What an MCP client needs to start memdir's server. */
export function serverEntry(program: Program): ReturnType<typeof serverSettings> {
  return serverSettings("mcp", program.node, serverArguments(program));
}

export function clientTitle(agent: Installable): string {
  const known = AGENTS.find((one) => one === agent);
  const other = OTHER_CLIENTS.find((one) => one === agent);
  const printed = PRINTED_CLIENTS.find((one) => one === agent);
  if (known !== undefined) return AGENT_TITLES[known];
  if (other !== undefined) return CLIENTS[other].title;
  return printed === undefined ? "The MCP client" : PRINTED[printed].title;
}

/** Whether an agent lacks memdir's hooks, which would tell it what its memory is for. */
export function wantsRule(agent: Installable): boolean {
  const other = OTHER_CLIENTS.find((one) => one === agent);
  return other === undefined ? !AGENTS.some((one) => one === agent) : CLIENTS[other].wantsRule === true;
}

/** What the user pastes into the settings of a client that memdir does not edit. */
export function pastedSettings(agent: Installable, program: Program): { readonly file: string; readonly text: string } {
  const printed = PRINTED_CLIENTS.find((one) => one === agent);
  return printed === undefined
    ? {
        file: "whatever file it reads (--project writes it to .mcp.json)",
        text: JSON.stringify(serverEntry(program), undefined, 2),
      }
    : { file: PRINTED[printed].file, text: PRINTED[printed].text(program) };
}

export function installPlace(locations: Locations, { rule = false } = {}): InstallPlace {
  const { memdirHome, home, environment } = locations;
  return {
    directories: agentDirectories(locations),
    program: installedProgram(environment),
    records: openInstallRecords(installsDirectory(memdirHome)),
    memdirHome,
    home,
    rule,
  };
}

export function installsDirectory(memdirHome: string): string {
  return path.join(memdirHome, "installs");
}

/** What happens to one file. The texts are for display; they are read again when the change is made. */
export interface FilePlan {
  readonly agent: Installable;
  readonly scope: InstallScope;
  readonly file: string;
  readonly what: string;
  readonly outcome:
    | { readonly state: "same" }
    | {
        readonly state: "change";
        readonly before: string | undefined;
        readonly after: string | undefined;
        readonly had: readonly OwnEntry[];
        /** Why the client will not read it. */ readonly caution: string | undefined;
      }
    | { readonly state: "refused"; readonly line: number | undefined; readonly why: string };
}

/** The bytes of a change, and what its record says. */
type Change =
  | { readonly state: "same" }
  | { readonly state: "refused"; readonly line: number | undefined; readonly why: string }
  | {
      readonly state: "change";
      readonly target: string;
      readonly current: Uint8Array | undefined;
      readonly next: Uint8Array | undefined;
      readonly base: Uint8Array | undefined;
      readonly had: readonly OwnEntry[];
      readonly caution: string | undefined;
    };

/** Another program may write a settings file at any moment; it is read again up to this many times. */
const TRIES = 5;

export function planInstall(place: InstallPlace, agent: Installable, scope: InstallScope): readonly FilePlan[] {
  return targets(place, agent, scope).map((target) =>
    planOf(agent, scope, target, additionTo(target.file, editorOf(agent, target), place.records.find(target.file))),
  );
}

export function targets(place: InstallPlace, agent: Installable, scope: InstallScope): readonly Target[] {
  const own = targetsOf(agent, scope, place.directories, place.program, fs.existsSync);
  if (!place.rule || !wantsRule(agent)) return own;
  const file = `${place.directories.project}/AGENTS.md`;
  return [...own, { kind: "block", file, what: "rule", text: RULE }];
}

export function planOf(
  agent: Installable,
  scope: InstallScope,
  { file, what }: Pick<Target, "file" | "what">,
  change: Change,
): FilePlan {
  if (change.state !== "change") return { agent, scope, file, what, outcome: change };
  const shown = (bytes: Uint8Array | undefined): string | undefined =>
    bytes === undefined ? undefined : new TextDecoder().decode(bytes);
  return {
    agent,
    scope,
    file,
    what,
    outcome: {
      state: "change",
      before: shown(change.current),
      after: shown(change.next),
      had: change.had,
      caution: change.caution,
    },
  };
}

/** Makes the changes for one client, or none of them if one of its files is refused. @throws MemoryError */
export function install(
  place: InstallPlace,
  agent: Installable,
  scope: InstallScope,
  now: string,
): readonly FilePlan[] {
  const wanted = targets(place, agent, scope);
  for (const plan of planInstall(place, agent, scope)) requireAllowed(plan);
  return wanted.map((target) => {
    const change = repeated(target.file, () => addTo(place, agent, scope, target, now));
    return planOf(agent, scope, target, change);
  });
}

function requireAllowed({ file, outcome }: FilePlan): void {
  if (outcome.state === "refused") throw new MemoryError("refused", refusalText(file, outcome));
}

export function refusalText(file: string, { line, why }: Pick<Refusal, "line" | "why">): string {
  return `${file}${line === undefined ? "" : `, line ${line}`}: ${why}; nothing was changed`;
}

function addTo(
  { records }: InstallPlace,
  agent: Installable,
  scope: InstallScope,
  target: Target,
  now: string,
): Change | "again" {
  const known = records.find(target.file);
  const change = additionTo(target.file, editorOf(agent, target), known);
  if (change.state === "refused") throw new MemoryError("refused", refusalText(target.file, change));
  if (change.state === "same") {
    if (known !== undefined && !known.clients.includes(agent))
      records.save({ ...known, clients: [...known.clients, agent] });
    return change;
  }
  const made = makeMissingDirectories(path.dirname(change.target));
  const { next, base } = change;
  records.save({
    file: target.file,
    clients: [...new Set([...(known?.clients ?? []), agent])],
    scope,
    kind: target.kind,
    before: base,
    after: sha256(next ?? ""),
    directories: [...new Set([...(known?.directories ?? []), ...made])],
    installed: now,
  });
  return replaceSettingsFile(change.target, change.current, next) === "done" ? change : "again";
}

export function repeated<T>(file: string, attempt: () => T | "again"): T {
  for (let tries = 0; tries < TRIES; tries++) {
    const outcome = attempt();
    if (outcome !== "again") return outcome;
  }
  throw new MemoryError(
    "conflict",
    `${file} is being written by another program again and again; close it and try again`,
  );
}

export function editorOf(agent: Installable, target: Target): SettingsEditor {
  switch (target.kind) {
    case "json":
      return jsonSettings(agent, target.tree);
    case "toml":
      return tomlSettings(target.command, target.args);
    case "block":
      return textBlock(target.text);
    case "file":
      return wholeFile(target.text, target.paths);
  }
}

function additionTo(file: string, editor: SettingsEditor, record: InstallRecord | undefined): Change {
  const there = readText(file);
  if (there.state !== "read") return there;
  const { text, bytes, target } = there;
  const found = text === undefined ? { ok: true as const, entries: [] } : editor.find(text);
  if (!found.ok) return refused(found);
  const had = found.entries;
  if (isSame(had, editor.wanted)) return { state: "same" };
  const isUntouched = bytes !== undefined && record?.after === sha256(bytes);
  const base = isUntouched
    ? { ok: true as const, text: decode(record.before) }
    : had.length === 0 || text === undefined
      ? { ok: true as const, text }
      : editor.remove(text, decode(record?.before));
  if (!base.ok) return refused(base);
  const added = editor.add(base.text);
  if (!added.ok) return refused(added);
  return {
    state: "change",
    target,
    current: bytes,
    next: encode(added.text),
    base: encode(base.text),
    had,
    caution: added.caution,
  };
}

function isSame(had: readonly OwnEntry[], wanted: readonly OwnEntry[]): boolean {
  const key = (entries: readonly OwnEntry[]): string =>
    JSON.stringify(entries.map(({ place, content }) => `${place} ${content}`).toSorted());
  return key(had) === key(wanted);
}

/** A file without memdir's entries: byte for byte as it was before, if unchanged since. */
export function removalFrom(file: string, editor: SettingsEditor, record: InstallRecord | undefined): Change {
  const there = readText(file);
  if (there.state !== "read") return there;
  const { text, bytes, target } = there;
  if (text === undefined || bytes === undefined) return { state: "same" };
  if (record?.after === sha256(bytes))
    return {
      state: "change",
      target,
      current: bytes,
      next: record.before,
      base: undefined,
      had: [],
      caution: undefined,
    };
  const found = editor.find(text);
  if (!found.ok) return refused(found);
  if (found.entries.length === 0) return { state: "same" };
  const removed = editor.remove(text, decode(record?.before));
  if (!removed.ok) return refused(removed);
  return {
    state: "change",
    target,
    current: bytes,
    next: encode(removed.text),
    base: undefined,
    had: found.entries,
    caution: undefined,
  };
}

type TextRead =
  | {
      readonly state: "read";
      readonly target: string;
      readonly bytes: Uint8Array | undefined;
      readonly text: string | undefined;
    }
  | Extract<Change, { state: "refused" }>;

function readText(file: string): TextRead {
  const there = readSettingsFile(file);
  if (there.state === "unreadable") return { state: "refused", line: undefined, why: there.why };
  if (there.state === "absent") return { state: "read", target: there.target, bytes: undefined, text: undefined };
  try {
    return { state: "read", target: there.target, bytes: there.bytes, text: decode(there.bytes) };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { state: "refused", line: undefined, why: "it is not UTF-8 text; save it as UTF-8 and try again" };
  }
}

/** Throws a TypeError for invalid UTF-8; a byte order mark stays. */
function decode(bytes: Uint8Array): string;
function decode(bytes: Uint8Array | undefined): string | undefined;
function decode(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

function encode(text: string | undefined): Uint8Array | undefined {
  return text === undefined ? undefined : new TextEncoder().encode(text);
}

function refused({ line, why }: Refusal): Change {
  return { state: "refused", line, why };
}
