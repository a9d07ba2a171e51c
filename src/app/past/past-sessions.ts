import fs from "node:fs";
import path from "node:path";
import { claudeCodeSessions, codexSessions, geminiSessions } from "../../adapters/agents/session-files.ts";
import { openOpenCode } from "../../adapters/sqlite/opencode-database.ts";
import { comparablePath } from "../../core/notes/project.ts";
import type { PastSession, RunningCall } from "../../core/transcripts/past.ts";
import type { Locations } from "../workspace/locations.ts";
import { matchingLines } from "../../adapters/files/transcript-lines.ts";
import { record } from "../../core/shared/json.ts";

/** A transcript that has not grown for this long is not the running session's (ms). */
const STILL_RUNNING_MS = 15 * 60_000;

/** The session whose agent started this process, if its client says so. */
export function runningSession(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  return environment["CLAUDE_CODE_SESSION_ID"];
}

/**
 * Sessions without the one that asks. Its client names it with the call, or names the call, which is in its transcript;
 * else it is the client's newest session, if that is still being written.
 */
export function withoutRunning(
  sessions: readonly PastSession[],
  { agent, meta }: RunningCall,
  environment: Readonly<Record<string, string | undefined>>,
  now: number,
): readonly PastSession[] {
  const ids = textsIn(meta);
  const named = sessions.find(({ session }) => session === runningSession(environment) || ids.includes(session));
  const recent = sessions.filter((one) => one.agent === agent && now - one.timeMs <= STILL_RUNNING_MS);
  const running = named ?? recent.find((one) => holdsOne(one, ids)) ?? recent[0];
  return running === undefined ? sessions : sessions.filter((one) => one !== running);
}

/** Ids are short and without spaces; two levels contain those of every client observed. */
function textsIn(value: unknown, depth = 2): readonly string[] {
  if (typeof value === "string") return /^\S{8,80}$/u.test(value) ? [value] : [];
  return depth === 0 ? [] : Object.values(record(value)).flatMap((inner) => textsIn(inner, depth - 1));
}

function holdsOne({ path: file, bytes }: PastSession, ids: readonly string[]): boolean {
  return bytes > 0 && ids.some((text) => matchingLines(file, { text, ignoreCase: false }).length > 0);
}

export interface SessionFilter {
  /** `claude-code`, `codex`, `gemini` or `opencode`; default all. */
  readonly agent?: string | undefined;
  /** Includes every project on this machine. */
  readonly allProjects?: boolean;
  /** Changed at this time or later (ms since the epoch). */
  readonly sinceMs?: number | undefined;
}

export const SESSION_AGENTS = ["claude-code", "codex", "gemini", "opencode"] as const;

/** Sessions of this project, its worktrees and subdirectories, by any client, newest first. Reads none to its end. */
export function listPastSessions(locations: Locations, filter: SessionFilter = {}): readonly PastSession[] {
  const isHere = filter.allProjects === true ? () => true : belongsTo(locations);
  return SESSION_AGENTS.filter((agent) => filter.agent === undefined || agent === filter.agent)
    .flatMap((agent) => sessionsOf(locations, agent, filter.sinceMs ?? 0))
    .filter(({ timeMs, cwd }) => timeMs >= (filter.sinceMs ?? 0) && isHere(cwd))
    .toSorted((a, b) => b.timeMs - a.timeMs || a.path.localeCompare(b.path));
}

export function codexHome({ environment, home }: Locations): string {
  return path.resolve(environment["CODEX_HOME"] || path.join(home, ".codex"));
}

export function geminiHome({ home }: Locations): string {
  return path.join(home, ".gemini");
}

/** The path of OpenCode's database, which may not exist. */
function openCodeDatabase({ environment, home }: Locations): string {
  return path.join(environment["XDG_DATA_HOME"] || path.join(home, ".local", "share"), "opencode", "opencode.db");
}

function sessionsOf(
  locations: Locations,
  agent: (typeof SESSION_AGENTS)[number],
  sinceMs: number,
): readonly PastSession[] {
  switch (agent) {
    case "claude-code":
      return claudeCodeSessions(locations.configDirectory, sinceMs);
    case "codex":
      return codexSessions(codexHome(locations), sinceMs);
    case "gemini":
      return geminiSessions(geminiHome(locations), sinceMs);
    case "opencode": {
      const file = openCodeDatabase(locations);
      const own = (openOpenCode(file)?.sessions() ?? []).filter(({ parent }) => parent === undefined);
      return own.map(({ id, directory, updatedMs }) => ({
        agent,
        session: id,
        cwd: directory,
        timeMs: updatedMs,
        path: file,
        bytes: 0,
      }));
    }
  }
}

function belongsTo(locations: Locations): (cwd: string | undefined) => boolean {
  const roots = projectRoots(locations).map((root) => comparablePath(root, locations.pathRules));
  return (cwd) => {
    if (cwd === undefined) return false;
    const at = comparablePath(cwd, locations.pathRules);
    return roots.some((root) => at === root || at.startsWith(root.endsWith("/") ? root : `${root}/`));
  };
}

/** The checkout and its worktrees, which git records in small files. */
function projectRoots({ project, cwd }: Locations): readonly string[] {
  if (project === undefined) return [cwd];
  if (project.gitDirectory === undefined) return [project.root];
  const worktrees = path.join(project.gitDirectory, "worktrees");
  const names = fs.existsSync(worktrees) ? fs.readdirSync(worktrees) : [];
  return [
    project.root,
    ...names.flatMap((name) => {
      const pointer = path.join(worktrees, name, "gitdir");
      return fs.existsSync(pointer) ? [path.dirname(fs.readFileSync(pointer, "utf8").trim())] : [];
    }),
  ];
}
