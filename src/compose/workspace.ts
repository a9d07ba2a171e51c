import { existsSync } from "node:fs";
import { lineDiff } from "../adapters/files/merge.ts";
import { nodeFiles } from "../adapters/files/node-files.ts";
import { openReviewQueue } from "../adapters/files/review-queue.ts";
import { openKeptRecallLog } from "../adapters/files/recall-log-care.ts";
import { createSqliteLock } from "../adapters/sqlite/lock.ts";
import { yamlFrontmatter } from "../adapters/yaml/frontmatter.ts";
import type { DateResolver, SecretScanner } from "../core/capture/plan.ts";
import { mayWrite, modeIn, type ModeChoice, refusedByMode, withoutWrites } from "../core/memory/modes.ts";
import { CLOSED_QUEUE, type ReviewQueue } from "../core/memory/review-queue.ts";
import type { ScopedStore, Workspace } from "../core/memory/workspace.ts";
import type { Scope } from "../core/notes/note.ts";
import { type Clock, systemClock } from "../core/shared/clock.ts";
import type { Locations, StoreLocation } from "./locations.ts";
import { captureTarget } from "./capture-target.ts";
import { openLogsOf } from "./daily-logs.ts";
import { openStoreAt } from "./open-store.ts";
import { recallLogFor } from "./recall-log.ts";
import { type CutOff, settleTransfers } from "./settle-transfers.ts";
import { openTree } from "./tree.ts";
import { readVocabulary } from "./vocabulary.ts";

export interface WorkspaceOptions {
  readonly clock?: Clock;
  /** How long a write waits for other writers (ms). */
  readonly lockTimeoutMs?: number;
}

/** A workspace that opens a store only when its directory exists or something is to be written to it. */
export interface OpenWorkspace extends Workspace {
  readonly locations: Locations;
  /** What the opening settled. */
  readonly settled: readonly CutOff[];
  /** Finishes moves between stores that a killed process left half done; every opening begins with it. One look at a directory when there are none. */
  settle(): readonly CutOff[];
  close(): void;
}

export function openWorkspace(locations: Locations, options: WorkspaceOptions = {}): OpenWorkspace {
  const clock = options.clock ?? systemClock;
  const opened = new Map<Scope, ScopedStore>();
  const open = (place: StoreLocation): ScopedStore => {
    const known = opened.get(place.scope);
    if (known !== undefined) return known;
    const choice = modeIn(locations.modes, place.scope);
    if (choice.mode === "off") throw refusedByMode(`memory of the ${place.scope} scope`, choice);
    const scoped = { scope: place.scope, store: guarded(place, openStoreAt(place, locations, clock, options.lockTimeoutMs), choice) };
    opened.set(place.scope, scoped);
    return scoped;
  };
  const logs = openLogsOf(locations, options.lockTimeoutMs);
  const isOff = (scope: Scope): boolean => modeIn(locations.modes, scope).mode === "off";
  const settle = (): readonly CutOff[] => (mayWrite(locations.mode) ? settleTransfers(locations, clock, options.lockTimeoutMs) : []);
  const settled = settle();
  return {
    locations,
    settled,
    settle,
    tree: openTree(locations),
    vocabulary: readVocabulary(locations),
    mode: locations.mode,
    modes: locations.modes,
    clock,
    recallLog: recallLogFor(locations, clock, openKeptRecallLog),
    review: openQueue(locations, clock),
    codec: yamlFrontmatter,
    lineDiff,
    secrets: lazyScanner(),
    dates: lazyResolver(),
    scopes: locations.stores.map(({ scope }) => scope),
    get logs() {
      return logs.present();
    },
    openLogs: () => logs.open(),
    get captureTo() {
      return captureTarget(locations).to;
    },
    get stores() {
      return locations.stores.filter(({ scope, directory }) => !isOff(scope) && (opened.has(scope) || existsSync(directory))).map(open);
    },
    open(scope) {
      const place = locations.stores.find((one) => one.scope === scope);
      return place === undefined ? undefined : open(place);
    },
    close() {
      for (const { store } of opened.values()) store.close();
      logs.close();
    },
  };
}

function guarded({ scope }: StoreLocation, store: ScopedStore["store"], choice: ModeChoice): ScopedStore["store"] {
  return choice.mode === "recall-only" ? withoutWrites(scope, store, choice) : store;
}

/** One queue a project: it lies with the state of the first store, which is the project's own. */
function openQueue({ stores, modes }: Locations, clock: Clock): ReviewQueue {
  const [first] = stores;
  if (first === undefined || modeIn(modes, first.scope).mode === "off") return CLOSED_QUEUE;
  return openReviewQueue({ directory: `${first.state}/proposals`, files: nodeFiles, lock: createSqliteLock(`${first.state}/proposals.db`), clock });
}

/** The scanners are slow to load, and most commands need neither. */
function lazyScanner(): SecretScanner {
  let scanner: Promise<SecretScanner> | undefined;
  const load = async (): Promise<SecretScanner> => (await import("../adapters/secrets/scanner.ts")).createSecretScanner();
  return { scan: async (text) => (await (scanner ??= load())).scan(text) };
}

function lazyResolver(): () => Promise<DateResolver> {
  let resolver: Promise<DateResolver> | undefined;
  const load = async (): Promise<DateResolver> => (await import("../adapters/dates/resolver.ts")).createDateResolver();
  return () => (resolver ??= load());
}
