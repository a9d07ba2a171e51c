import path from "node:path";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { putFile } from "../../adapters/files/put-file.ts";
import type { LogNews } from "./distil-log.ts";
import { modeIn } from "../workspace/modes.ts";
import type { ScopedStore } from "../workspace/workspace.ts";
import type { Model } from "../../core/models/model.ts";
import type { LogEntry } from "../../core/notes/daily-log.ts";
import { isRecord, parseJson } from "../../core/shared/json.ts";
import { instructionText, openExtractor } from "../capture/extractor.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";

/** Entries that one dream looks at; more wait for the next. */
const MOST_ENTRIES = 500;

/** What of each day a store's dreams have looked at: the file's size (bytes), the entries in it then, and the latest of them (ms). */
type Cursor = Readonly<Record<string, readonly [size: number, entries: number, latest: number]>>;

export interface FoundNews extends LogNews {
  /** Called when nothing of these entries needs to be looked at again. */
  readonly done: () => void;
}

/** Entries that no dream of this store has looked at, the oldest first; `undefined` for scopes that logs say nothing about. */
export function logNews(workspace: OpenWorkspace, scoped: ScopedStore): FoundNews | undefined {
  const { logs } = workspace;
  if (logs === undefined || (scoped.scope !== "project" && scoped.scope !== "user")) return undefined;
  const cursor = readCursor(scoped);
  const next: Record<string, Cursor[string]> = { ...cursor };
  const entries: LogEntry[] = [];
  for (const [day, size] of logs.store.sizes()) {
    const [seen, count, latest] = cursor[day] ?? [0, 0, 0];
    if (seen === size) continue;
    if (entries.length >= MOST_ENTRIES) break;
    const all = logs.store.day(day);
    // Where a person took entries out, what was added since stands at places that were looked at before.
    const unseen = all.filter(({ time }, at) => at >= count || time > latest);
    entries.push(
      ...unseen.filter(
        ({ text, project }) =>
          text !== "" && (scoped.scope === "user" || (project !== undefined && project === logs.project)),
      ),
    );
    next[day] = [size, all.length, Math.max(latest, ...all.map(({ time }) => time))];
  }
  return { entries, instructions: () => instructionText(workspace), done: () => writeCursor(scoped, next) };
}

/** Sessions whose words were logged since a moment (ms), as far as a dream of this store looks at them. */
export function loggedSessions({ logs }: OpenWorkspace, { scope }: ScopedStore, ms: number): readonly string[] {
  if (logs === undefined || (scope !== "project" && scope !== "user")) return [];
  const first = new Date(ms - DAY_MS).toISOString().slice(0, 10);
  const entries = logs.store
    .days()
    .filter((day) => day >= first)
    .slice(-MOST_DAYS)
    .flatMap((day) => logs.store.day(day));
  return entries.flatMap(({ time, session, project }) =>
    time > ms && session !== undefined && (scope === "user" || project === logs.project) ? [session] : [],
  );
}

const DAY_MS = 86_400_000;
/** Days that are read to count sessions; five sessions are enough. */
const MOST_DAYS = 30;

/** With the model that the dream may ask. */
export async function withExtractor(
  workspace: OpenWorkspace,
  news: FoundNews,
  model: Model | undefined,
): Promise<FoundNews> {
  return model === undefined || news.entries.length === 0
    ? news
    : { ...news, extractor: await openExtractor(workspace, { model }) };
}

/** A project of which only the log knows has no store yet: it is opened, so that a dream can fill it. */
export function openForLog({ logs, scopes, modes, open }: OpenWorkspace): void {
  if (logs?.project === undefined || !scopes.includes("project") || modeIn(modes, "project").mode === "off") return;
  logs.store.reconcile("quick");
  if (logs.store.index.count() > 0) open("project");
}

function cursorFile({ store }: ScopedStore): string {
  return path.join(store.state, "dream-log.json");
}

/** A cursor that cannot be read counts for nothing: what is distilled twice is known and adds nothing. */
function readCursor(scoped: ScopedStore): Cursor {
  const bytes = nodeFiles.read(cursorFile(scoped));
  const value = bytes === undefined ? undefined : parseJson(new TextDecoder().decode(bytes));
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([day, seen]) =>
      Array.isArray(seen)
        ? [[day, [Number(seen[0]), Number(seen[1]), Number(seen[2] ?? Number.POSITIVE_INFINITY)] as const]]
        : [],
    ),
  );
}

function writeCursor(scoped: ScopedStore, cursor: Cursor): void {
  putFile(cursorFile(scoped), JSON.stringify(cursor));
}
