import { findOtherStores } from "../../../app/workspace/aliases.ts";
import { type CaptureStatus, captureStatus } from "../../../app/background/capture-status.ts";
import { installPlace } from "../../../app/install/install.ts";
import { installedAgents, installedLine } from "../../../app/install/install-state.ts";
import { dreamStatus } from "../../../app/dream/dream-schedule.ts";
import { stayedBehind } from "../../../app/transfer/stayed-behind.ts";
import { chooseModel } from "../../../app/models/models.ts";
import { spentOnModels } from "../../../app/models/open-model.ts";
import { readModelSettings } from "../../../app/workspace/settings.ts";
import { shownBytes, stateSize, type StateSize } from "../../../app/care/state-size.ts";
import { hookLines, hookStatus } from "./hook-status.ts";
import type { OpenWorkspace } from "../../../app/workspace/open-workspace.ts";
import { obstaclesToFirst } from "../../../app/workspace/saving.ts";
import { countedNotes } from "../../../app/workspace/note-count.ts";
import { mayWrite } from "../../../app/workspace/modes.ts";
import { loggedRecalls } from "../../../app/recall/log-recall.ts";
import { loadedIndex } from "../../../app/recall/context.ts";
import type { Invocation } from "../command.ts";
import { EXIT, type Io, json, line, paint } from "../io.ts";
import { modeLines, modesJson } from "./mode.ts";
import { countSkills, skillsLine } from "../../../app/skills/skills.ts";
import { lapsedSentence } from "../../../app/capture/review.ts";
import { type SyncHere, syncHere } from "../../../app/browse/sync-view.ts";
import { syncLines } from "./sync-status-lines.ts";
import { choiceJson, choiceLine, spentLine } from "./models.ts";
import { keepWhole, keyed, paragraph, placesOf } from "../wrap.ts";
import { counted } from "../../../core/shared/text.ts";

export async function run(invocation: Invocation): Promise<number> {
  const workspace = invocation.workspace();
  const scopes = workspace.stores.map((scoped) => scopeStatus(scoped));
  const elsewhere = findOtherStores(workspace.locations, scopes.find(({ scope }) => scope === "project")?.notes ?? 0);
  const { project, memdirHome, mode, modeReason, modes, stores } = workspace.locations;
  const models = modelStatus(workspace);
  const agents = installedAgents(installPlace(workspace.locations));
  // When memory is off, not even memdir's own state is read.
  const background = mode === "off" ? undefined : captureStatus(workspace.locations);
  const hooks = mode === "off" ? undefined : hookStatus(workspace.locations);
  const sync = mode === "off" ? undefined : syncHere(workspace);
  const dailyLog = dailyLogStatus(workspace);
  const status = {
    mode,
    modeReason,
    modes: modesJson(
      modes,
      stores.map(({ scope }) => scope),
    ),
    review: reviewStatus(workspace),
    skills: mode === "off" ? undefined : countSkills(workspace),
    model: models.json,
    project: project?.root,
    home: memdirHome,
    size: mode === "off" ? undefined : stateSize(workspace.locations),
    git: workspace.locations.hasGit(),
    scopes,
    ...(dailyLog !== undefined && { dailyLog }),
    recallLog: logStatus(workspace),
    dream: mode === "off" ? undefined : dreamStatus(workspace),
    capture: background,
    sync,
    hooks,
    agents,
    elsewhere,
    stayedBehind: mode === "off" ? undefined : stayedBehind(workspace.locations),
    untrustedTeam: workspace.locations.untrustedTeam,
  };
  if (invocation.flag("json")) json(invocation.io, status);
  else print(invocation.io, workspace, status, [...models.lines, ...(hooks === undefined ? [] : hookLines(hooks))]);
  return EXIT.ok;
}

function modelStatus({ locations, clock }: OpenWorkspace) {
  const settings = readModelSettings(locations.memdirHome);
  const choice = chooseModel(locations, settings);
  const spent = spentOnModels(locations, clock);
  const lines: (readonly string[])[] = [
    ["model", choiceLine(choice)],
    ...(spent.requests === 0 ? [] : [["today", spentLine(spent, settings)]]),
  ];
  return { lines, json: { ...choiceJson(choice), spent, budget: settings.budget } };
}

function scopeStatus({ scope, store }: OpenWorkspace["stores"][number]) {
  const { skipped } = store.reconcile("full");
  const entries = store.index.entries();
  const loaded = loadedIndex(store);
  return {
    scope,
    directory: store.directory,
    notes: entries.filter(({ supersededBy }) => supersededBy === undefined).length,
    superseded: entries.filter(({ supersededBy }) => supersededBy !== undefined).length,
    pinned: entries.filter(({ pinned, supersededBy }) => pinned && supersededBy === undefined).length,
    malformed: entries
      .filter(({ problems }) => problems.length > 0)
      .map(({ file, problems }) => ({ file, problems: problems.map(({ message }) => message) })),
    skipped,
    indexFile: { lines: loaded.lines, characters: loaded.characters, cut: loaded.cut.length },
    degraded: store.index.degraded,
  };
}

/** The user's daily logs, if there are any. */
function dailyLogStatus({ logs, captureTo, mode }: OpenWorkspace) {
  if (logs === undefined || mode === "off") return undefined;
  logs.store.reconcile("full");
  const days = logs.store.days();
  return {
    directory: logs.store.directory,
    days: days.length,
    entries: logs.store.index.count(),
    first: days[0],
    last: days.at(-1),
    captureTo: captureTo ?? "notes",
  };
}

function logStatus({ recallLog, mode }: OpenWorkspace) {
  const recalls = loggedRecalls(recallLog);
  return {
    ...recallLog.health(),
    keeps: mayWrite(mode) ? recallLog.keeps : "nothing",
    recalls: recalls.length,
    first: recalls[0]?.time,
    last: recalls.at(-1)?.time,
  };
}

function reviewStatus({ review }: OpenWorkspace) {
  return { waiting: review.entries().length, lapsed: review.lapsed() };
}

interface Status {
  readonly modes: ReturnType<typeof modesJson>;
  readonly review: ReturnType<typeof reviewStatus>;
  readonly skills: ReturnType<typeof countSkills> | undefined;
  readonly modeReason: string | undefined;
  readonly project: string | undefined;
  readonly home: string;
  readonly size: StateSize | undefined;
  readonly git: boolean;
  readonly scopes: readonly ReturnType<typeof scopeStatus>[];
  readonly dailyLog?: ReturnType<typeof dailyLogStatus>;
  readonly recallLog: ReturnType<typeof logStatus>;
  readonly capture: CaptureStatus | undefined;
  readonly sync: SyncHere | undefined;
  readonly agents: ReturnType<typeof installedAgents>;
  readonly dream: ReturnType<typeof dreamStatus>;
  readonly stayedBehind: ReturnType<typeof stayedBehind>;
  readonly untrustedTeam: string | undefined;
  readonly elsewhere: readonly { readonly directory: string; readonly notes: number; readonly reason: string }[];
}

function isOff({ modes }: Pick<Status, "modes">): boolean {
  return Object.values(modes).every(({ mode }) => mode === "off");
}

function print(io: Io, workspace: OpenWorkspace, status: Status, models: readonly (readonly string[])[]): void {
  const places = placesOf(workspace);
  for (const text of modeLines(status.modes)) keyed(io, "mode", text);
  const { waiting, lapsed } = status.review;
  if (waiting > 0) keyed(io, "review", `${counted(waiting, "note waits", "notes wait")} for you: \`memdir review\``);
  if (lapsed !== undefined) warn(io, "review", lapsedSentence(lapsed));
  if (status.project !== undefined) keyed(io, "project", keepWhole(status.project, places));
  keyed(
    io,
    "state",
    keepWhole(`${status.home}${status.size === undefined ? "" : `, ${sizeWords(status.size)}`}`, places),
  );
  keyed(io, "history", status.git ? "git" : "journal only; install git for diffs and compact history");
  for (const [key = "", text = ""] of models) keyed(io, key, text);
  printAgents(io, status.agents);
  if (status.dream !== undefined) keyed(io, "dream", status.dream.line);
  const skills = status.skills === undefined ? undefined : skillsLine(status.skills);
  if (skills !== undefined) keyed(io, "skills", skills);
  if (status.dailyLog !== undefined) printDailyLog(io, status.dailyLog);
  if (!isOff(status)) printLog(io, status.recallLog);
  if (status.capture !== undefined) printBackground(io, status.capture);
  if (status.sync !== undefined) printSync(io, status.sync);
  for (const scope of status.scopes) printScope(io, scope);
  if (status.scopes.length === 0) {
    line(io);
    const place = workspace.locations.stores[0]?.directory ?? "";
    const sentence = isOff(status)
      ? `memory is off, so nobody looked for notes in ${place}; \`memdir mode default\` turns it on`
      : noNotesYet(workspace.locations.stores[0]);
    paragraph(io, keepWhole(sentence, places));
  }
  if (status.stayedBehind !== undefined) attention(io, status.stayedBehind.message, status.stayedBehind.remedy);
  if (status.untrustedTeam !== undefined)
    attention(
      io,
      `memdir does not read the team's notes in ${status.untrustedTeam}: you have not trusted them`,
      "memdir team",
    );
  printElsewhere(io, status);
}

function noNotesYet(place: OpenWorkspace["locations"]["stores"][number] | undefined): string {
  const obstacle = place === undefined ? undefined : obstaclesToFirst(place)[0];
  return obstacle === undefined
    ? `no notes yet; the notes of this project will be in ${place?.directory ?? ""}`
    : `no notes, and none can be saved in ${place?.directory ?? ""}: ${obstacle}`;
}

/** Prints what the user has to decide, with the command that settles it. */
function attention(io: Io, message: string, remedy: string): void {
  line(io);
  paragraph(io, paint(io, "yellow", message));
  line(io, `  ${remedy}`);
}

function warn(io: Io, key: string, text: string): void {
  keyed(io, key, paint(io, "yellow", text));
}

function printScope(
  io: Io,
  { scope, directory, notes, superseded, pinned, indexFile, malformed, skipped, degraded }: Status["scopes"][number],
): void {
  line(io);
  line(io, `${paint(io, "bold", scope)}  ${directory}`);
  paragraph(
    io,
    `${countedNotes(notes, superseded)}, ${pinned} pinned; MEMORY.md ${indexFile.lines} of 200 lines, ${indexFile.characters} of 25000 characters`,
    "  ",
  );
  const odd = [
    ...malformed.slice(0, 5).map(({ file, problems }) => `${file}: ${problems.join("; ")}`),
    ...skipped.slice(0, 5).map(({ file, reason }) => `memdir does not read ${file}: ${reason}`),
    ...(degraded === undefined ? [] : [degraded]),
  ];
  for (const text of odd) paragraph(io, paint(io, "yellow", text), "  ", "    ");
}

function printElsewhere(io: Io, { elsewhere, stayedBehind: stayed }: Status): void {
  for (const { directory, notes, reason } of elsewhere)
    if (stayed?.message.includes(directory) !== true)
      attention(
        io,
        `${counted(notes, "note")} that may belong to this project ${notes === 1 ? "is" : "are"} in ${directory} (${reason})`,
        `memdir link '${directory}'`,
      );
}

/** `1.2 MB (history.git 0.3 MB, recalls.jsonl 210 KB)`. */
function sizeWords({ bytes, parts, isCut }: StateSize): string {
  const largest = parts.filter((part) => part.bytes >= bytes / 10);
  const named = largest.map((part) => `${part.name} ${shownBytes(part.bytes)}`).join(", ");
  return `${isCut ? "more than " : ""}${shownBytes(bytes)}${named === "" ? "" : ` (${named})`}`;
}

/** Nothing runs unless a turn ended: then one process, for minutes at most. */
function printBackground(io: Io, { waiting, missed, worker, lastRun, lastFailure }: CaptureStatus): void {
  const works = worker === undefined ? "nothing runs" : `process ${worker} captures`;
  const waits =
    waiting.length === 0
      ? "nothing waits"
      : `${counted(waiting.length, "session waits", "sessions wait")} (${namesOf(waiting)})`;
  keyed(io, "capture", `${works}, ${waits}`);
  if (missed.length > 0)
    warn(
      io,
      "",
      `${counted(missed.length, "session was", "sessions were")} missed because memdir could not write (${namesOf(missed)}); the next turn or session in this project captures ${missed.length === 1 ? "it" : "them"} once there is room`,
    );
  if (lastRun !== undefined)
    keyed(
      io,
      "",
      `last run ${timeOf(lastRun.time)}, ${(lastRun.ms / 1000).toFixed(1)} s: ${counted(lastRun.turns, "turn")} of ${counted(lastRun.sessions, "session")} by ${lastRun.by}, ${counted(lastRun.notes, "note")}, ${lastRun.refused} refused`,
    );
  if (lastFailure !== undefined) warn(io, "", `last failure ${timeOf(lastFailure.time)}: ${lastFailure.message}`);
}

function printSync(io: Io, sync: SyncHere): void {
  for (const [at, text] of syncLines(sync).entries()) {
    if (text === sync.waiting) warn(io, at === 0 ? "sync" : "", text);
    else keyed(io, at === 0 ? "sync" : "", text);
  }
}

/** Sessions named; further ones are only counted. */
const MOST_NAMED = 3;

function namesOf(sessions: CaptureStatus["waiting"]): string {
  const named = sessions
    .slice(0, MOST_NAMED)
    .map(({ agent, session, since }) => `${agent} ${session}, ${timeOf(since)}`);
  const more = sessions.length - named.length;
  return [...named, ...(more === 0 ? [] : [`${more} more`])].join("; ");
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace("T", " ");
}

function printAgents(io: Io, agents: Status["agents"]): void {
  const { text, problem } = installedLine(agents);
  keyed(io, "agents", text);
  if (problem !== undefined) warn(io, "", problem);
}

function printDailyLog(io: Io, { entries, days, last, captureTo }: NonNullable<Status["dailyLog"]>): void {
  const newest = last === undefined ? "" : `, the newest of ${last}`;
  const target = captureTo === "log" ? "; capture writes here" : "";
  keyed(io, "log", `${counted(entries, "entry", "entries")} of ${counted(days, "day")}${newest}${target}`);
}

const KEEPS = {
  text: "with their prompts, secrets redacted",
  hash: "with a hash of their prompts",
  nothing: "not logged now",
} as const;

function printLog(io: Io, { recalls, first, keeps, problem, path }: Status["recallLog"]): void {
  const count = recalls === 0 ? "none logged" : `${recalls} logged since ${first?.slice(0, 10) ?? ""}`;
  keyed(io, "recalls", `${count}, ${KEEPS[keeps]}; on this machine only`);
  if (problem !== undefined)
    warn(
      io,
      "",
      `a recall could not be logged${problem.time === "" ? "" : ` at ${problem.time}`}: ${problem.message} (${path})`,
    );
}
