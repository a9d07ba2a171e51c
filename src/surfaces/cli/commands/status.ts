import { findOtherStores } from "../../../compose/aliases.ts";
import { type CaptureStatus, captureStatus } from "../../../compose/capture-status.ts";
import { installPlace } from "../../../compose/install.ts";
import { installedAgents, installedLine } from "../../../compose/install-state.ts";
import { dreamStatus } from "../../../compose/dream.ts";
import { stayedBehind } from "../../../compose/projects.ts";
import { chooseModel } from "../../../compose/models.ts";
import { openLedger } from "../../../compose/open-model.ts";
import { readModelSettings } from "../../../compose/settings.ts";
import { hookLines, hookStatus } from "./hook-status.ts";
import type { OpenWorkspace } from "../../../compose/workspace.ts";
import { mayWrite } from "../../../core/memory/modes.ts";
import { loggedRecalls } from "../../../core/memory/logged-recalls.ts";
import { loadIndex } from "../../../core/notes/index-file.ts";
import { INDEX_FILE } from "../../../core/notes/names.ts";
import type { Invocation } from "../command.ts";
import { EXIT } from "../exit.ts";
import { spentToday } from "../../../core/models/spend.ts";
import { type Io, json, line, paint } from "../io.ts";
import { modeLines, modesJson } from "./mode.ts";
import { lapsedSentence } from "./review-text.ts";
import { choiceJson, choiceLine, spentLine } from "./models.ts";
import { paragraph } from "../wrap.ts";
import { counted } from "../../../core/shared/text.ts";

export async function run(invocation: Invocation): Promise<number> {
  const workspace = invocation.workspace();
  const scopes = workspace.stores.map((scoped) => scopeStatus(scoped));
  const elsewhere = findOtherStores(workspace.locations, scopes.find(({ scope }) => scope === "project")?.notes ?? 0);
  const { project, memdirHome, mode, modeReason, modes, stores } = workspace.locations;
  const models = modelStatus(workspace);
  const agents = installedAgents(installPlace(workspace.locations));
  // Off is off: not even memdir's own state is looked at.
  const background = mode === "off" ? undefined : captureStatus(workspace.locations);
  const hooks = mode === "off" ? undefined : hookStatus(workspace.locations);
  const dailyLog = dailyLogStatus(workspace);
  const status = { mode, modeReason, modes: modesJson(modes, stores.map(({ scope }) => scope)), review: reviewStatus(workspace), model: models.json, project: project?.root, home: memdirHome, git: workspace.locations.hasGit(), scopes, ...(dailyLog !== undefined && { dailyLog }), recallLog: logStatus(workspace), dream: mode === "off" ? undefined : dreamStatus(workspace), capture: background, hooks, agents, elsewhere, stayedBehind: mode === "off" ? undefined : stayedBehind(workspace.locations), untrustedTeam: workspace.locations.untrustedTeam };
  if (invocation.flag("json")) json(invocation.io, status);
  else print(invocation.io, workspace, status, [...models.lines, ...(hooks === undefined ? [] : hookLines(hooks))]);
  return EXIT.ok;
}

function modelStatus({ locations, clock }: OpenWorkspace) {
  const settings = readModelSettings(locations.memdirHome);
  const choice = chooseModel(locations, settings);
  const spent = spentToday(openLedger(locations), clock.now(), clock.timeZone);
  const lines = [`model     ${choiceLine(choice)}`, ...(spent.requests === 0 ? [] : [`today     ${spentLine(spent, settings)}`])];
  return { lines, json: { ...choiceJson(choice), spent, budget: settings.budget } };
}

function scopeStatus({ scope, store }: OpenWorkspace["stores"][number]) {
  const { skipped } = store.reconcile("full");
  const entries = store.index.entries();
  const bytes = store.read(INDEX_FILE);
  const loaded = loadIndex(new TextDecoder().decode(bytes ?? new Uint8Array()));
  return {
    scope,
    directory: store.directory,
    notes: entries.filter(({ supersededBy }) => supersededBy === undefined).length,
    superseded: entries.filter(({ supersededBy }) => supersededBy !== undefined).length,
    pinned: entries.filter(({ pinned }) => pinned).length,
    malformed: entries.filter(({ problems }) => problems.length > 0).map(({ file, problems }) => ({ file, problems: problems.map(({ message }) => message) })),
    skipped,
    indexFile: { lines: loaded.lines, characters: loaded.characters, cut: loaded.cut.length },
    degraded: store.index.degraded,
  };
}

/** The logs of the person's days, where there are any. */
function dailyLogStatus({ logs, captureTo, mode }: OpenWorkspace) {
  if (logs === undefined || mode === "off") return undefined;
  logs.store.reconcile("full");
  const days = logs.store.days();
  return { directory: logs.store.directory, days: days.length, entries: logs.store.index.count(), first: days[0], last: days.at(-1), captureTo: captureTo ?? "notes" };
}

function logStatus({ recallLog, mode }: OpenWorkspace) {
  const recalls = loggedRecalls(recallLog);
  return { ...recallLog.health(), keeps: mayWrite(mode) ? recallLog.keeps : "nothing", recalls: recalls.length, first: recalls[0]?.time, last: recalls.at(-1)?.time };
}

function reviewStatus({ review }: OpenWorkspace) {
  return { waiting: review.entries().length, lapsed: review.lapsed() };
}

interface Status {
  readonly modes: ReturnType<typeof modesJson>;
  readonly review: ReturnType<typeof reviewStatus>;
  readonly modeReason: string | undefined;
  readonly project: string | undefined;
  readonly home: string;
  readonly git: boolean;
  readonly scopes: readonly ReturnType<typeof scopeStatus>[];
  readonly dailyLog?: ReturnType<typeof dailyLogStatus>;
  readonly recallLog: ReturnType<typeof logStatus>;
  readonly capture: CaptureStatus | undefined;
  readonly agents: ReturnType<typeof installedAgents>;
  readonly dream: ReturnType<typeof dreamStatus>;
  readonly stayedBehind: ReturnType<typeof stayedBehind>;
  readonly untrustedTeam: string | undefined;
  readonly elsewhere: readonly { readonly directory: string; readonly notes: number; readonly reason: string }[];
}

function print(io: Io, workspace: OpenWorkspace, status: Status, models: readonly string[]): void {
  for (const text of modeLines(status.modes)) line(io, `mode      ${text}`);
  const { waiting, lapsed } = status.review;
  if (waiting > 0) line(io, `review    ${counted(waiting, "note waits", "notes wait")} for review: \`memdir review\``);
  if (lapsed !== undefined) line(io, paint(io, "yellow", `review    ${lapsedSentence(lapsed)}`));
  if (status.project !== undefined) line(io, `project   ${status.project}`);
  line(io, `state     ${status.home}`);
  line(io, `history   ${status.git ? "git" : "journal only: install git for diffs and compact history"}`);
  for (const text of models) line(io, text);
  printAgents(io, status.agents);
  if (status.dream !== undefined) line(io, `dream     ${status.dream.line}`);
  if (status.dailyLog !== undefined) printDailyLog(io, status.dailyLog);
  printLog(io, status.recallLog);
  if (status.capture !== undefined) printBackground(io, status.capture);
  for (const { scope, directory, notes, superseded, pinned, indexFile, malformed, skipped, degraded } of status.scopes) {
    line(io, `\n${paint(io, "bold", scope)}  ${directory}`);
    line(io, `  ${counted(notes, "note")} (${pinned} pinned, ${superseded} superseded); MEMORY.md ${indexFile.lines} of 200 lines, ${indexFile.characters} of 25000 characters`);
    for (const { file, problems } of malformed.slice(0, 5)) line(io, paint(io, "yellow", `  ${file}: ${problems.join("; ")}`));
    for (const { file, reason } of skipped.slice(0, 5)) line(io, paint(io, "yellow", `  ${file} is not read: ${reason}`));
    if (degraded !== undefined) line(io, paint(io, "yellow", `  ${degraded}`));
  }
  if (status.scopes.length === 0) line(io, `\nno notes in any scope yet; this project's will be in ${workspace.locations.stores[0]?.directory ?? ""}`);
  if (status.stayedBehind !== undefined) line(io, paint(io, "yellow", `\n${status.stayedBehind.message}\n  ${status.stayedBehind.remedy}`));
  if (status.untrustedTeam !== undefined) line(io, paint(io, "yellow", `\nthe team's notes in ${status.untrustedTeam} are not trusted, so nobody reads them: \`memdir team\``));
  for (const { directory, notes, reason } of status.elsewhere.filter((one) => status.stayedBehind?.message.includes(one.directory) !== true)) {
    line(io, paint(io, "yellow", `\n${counted(notes, "note")} of what may be this project ${notes === 1 ? "is" : "are"} in ${directory} (${reason})`));
    line(io, `  use them here with: memdir link '${directory}'`);
  }
}

/** Nothing runs unless a turn ended: then one process, for minutes at most. */
function printBackground(io: Io, { pending, worker, lastRun, lastFailure }: CaptureStatus): void {
  const works = worker === undefined ? "nothing runs" : `process ${worker} captures`;
  const waits = pending === 0 ? "nothing waits" : `${counted(pending, "session waits", "sessions wait")}`;
  line(io, `capture   ${works}, ${waits}`);
  if (lastRun !== undefined) line(io, `          last run ${timeOf(lastRun.time)}, ${(lastRun.ms / 1000).toFixed(1)} s: ${counted(lastRun.turns, "turn")} of ${counted(lastRun.sessions, "session")} by ${lastRun.by}, ${counted(lastRun.notes, "note")}, ${lastRun.refused} refused`);
  if (lastFailure !== undefined) paragraph(io, paint(io, "yellow", `last failure ${timeOf(lastFailure.time)}: ${lastFailure.message}`), "          ");
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace("T", " ");
}

function printAgents(io: Io, agents: Status["agents"]): void {
  const { text, problem } = installedLine(agents);
  line(io, `agents    ${text}`);
  if (problem !== undefined) paragraph(io, paint(io, "yellow", problem), "          ");
}

function printDailyLog(io: Io, { entries, days, last, captureTo }: NonNullable<Status["dailyLog"]>): void {
  const count = `${counted(entries, "entry", "entries")} of ${counted(days, "day")}`;
  line(io, `log       ${count}${last === undefined ? "" : `, the newest of ${last}`}${captureTo === "log" ? "; what is captured goes there" : ""}`);
}

const KEEPS = { text: "with their prompts, secrets redacted", hash: "with a hash of their prompts", nothing: "not logged now" } as const;

function printLog(io: Io, { recalls, first, keeps, problem, path }: Status["recallLog"]): void {
  const count = recalls === 0 ? "none logged" : `${recalls} logged since ${first?.slice(0, 10) ?? ""}`;
  line(io, `recalls   ${count}, ${KEEPS[keeps]}; on this machine only`);
  if (problem !== undefined) paragraph(io, paint(io, "yellow", `a recall could not be logged${problem.time === "" ? "" : ` at ${problem.time}`}: ${problem.message} (${path})`), "          ");
}
