import { existsSync, mkdtempSync } from "node:fs";
import { lineDiff } from "../../adapters/files/merge.ts";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { openReviewQueue } from "../../adapters/files/review-queue.ts";
import { openKeptRecallLog } from "../../adapters/files/recall-log.ts";
import { createSecretScanner } from "../../adapters/secrets/scanner.ts";
import { createSqliteLock } from "../../adapters/sqlite/lock.ts";
import { yamlFrontmatter } from "../../adapters/yaml/frontmatter.ts";
import type { SecretScanner } from "../../core/shared/secrets/mask.ts";
import type { DateResolver } from "../../core/notes/dates/date-resolver.ts";
import { mayWrite, modeIn, type ModeChoice, refusedByMode, withoutWrites } from "./modes.ts";
import { CLOSED_QUEUE, type ReviewQueue } from "../../core/capture/review-queue.ts";
import type { ScopedStore, Workspace } from "./workspace.ts";
import type { Scope } from "../../core/notes/note.ts";
import { type Clock, systemClock } from "../../core/shared/clock.ts";
import { type Locations, type StoreLocation, type Environment, locate } from "./locations.ts";
import { noteCheckout } from "./checkout-note.ts";
import { captureTarget } from "./capture-target.ts";
import { openLogsOf, openStoreAt, tidyStores } from "./open-store.ts";
import { readVocabulary, recallLogFor } from "./beside-notes.ts";
import { missingScope } from "./missing-scope.ts";
import { settleForgets } from "./settle-forgets.ts";
import { type CutOff, settleTransfers } from "./transfer-records.ts";
import { likelierStore } from "./other-stores.ts";
import { openTree } from "./tree.ts";
import { tmpdir } from "node:os";
import path from "node:path";

export interface WorkspaceOptions {
  readonly clock?: Clock;
  /** How long a write waits for other writers (ms). */
  readonly lockTimeoutMs?: number;
  /** Finds secrets; default: memdir's own rules and secretlint. */
  readonly secrets?: SecretScanner;
  /** The text of the instruction files, to refuse notes that repeat it; by default they are not compared. */
  readonly instructions?: () => Promise<string>;
}

/** A workspace that opens a store only when its directory exists or a write needs it. */
export interface OpenWorkspace extends Workspace {
  readonly locations: Locations;
  /** One line if notes of this project are in a likelier store than the one in use. */
  likelierStore(): string | undefined;
  /** What was completed at opening. */
  readonly settled: readonly CutOff[];
  /** Completes moves that a killed process left incomplete; called at every opening. Usually one directory read. */
  settle(): readonly CutOff[];
  /** Shrinks state that has grown in the opened stores, if due, until `deadline` at most (ms since the epoch). */
  tidy(deadline: number): void;
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
    const store = openStoreAt(place, locations, clock, options.lockTimeoutMs);
    const scoped = { scope: place.scope, store: guarded(place, store, choice) };
    opened.set(place.scope, scoped);
    if (mayWrite(choice.mode)) noteCheckout(locations);
    return scoped;
  };
  const logs = openLogsOf(locations, options.lockTimeoutMs);
  const isOff = (scope: Scope): boolean => modeIn(locations.modes, scope).mode === "off";
  const review = openQueue(locations, clock);
  const recallLog = recallLogFor(locations, clock, openKeptRecallLog);
  const settle = (): readonly CutOff[] => settleAll({ locations, recallLog, review }, clock, options.lockTimeoutMs);
  const settled = settle();
  return {
    locations,
    likelierStore: () => likelierStore(locations),
    settled,
    settle,
    tree: openTree(locations),
    vocabulary: readVocabulary(locations),
    mode: locations.mode,
    modes: locations.modes,
    clock,
    recallLog,
    review,
    codec: yamlFrontmatter,
    lineDiff,
    secrets: options.secrets ?? createSecretScanner(),
    ...readWhenNeeded(options),
    scopes: locations.stores.map(({ scope }) => scope),
    get logs() {
      return logs.present();
    },
    openLogs: () => logs.open(),
    get captureTo() {
      return captureTarget(locations).to;
    },
    get stores() {
      return locations.stores
        .filter(({ scope, directory }) => !isOff(scope) && (opened.has(scope) || existsSync(directory)))
        .map(open);
    },
    ...openByScope(locations, open),
    tidy: (deadline) => tidyStores(opened.values(), deadline),
    close() {
      for (const { store } of opened.values()) store.close();
      logs.close();
    },
  };
}

function openByScope(
  locations: Locations,
  openPlace: (place: StoreLocation) => ScopedStore,
): Pick<Workspace, "open" | "require"> {
  const open: Workspace["open"] = (scope) => {
    const place = locations.stores.find((one) => one.scope === scope);
    return place === undefined ? undefined : openPlace(place);
  };
  return {
    open,
    require(scope) {
      const scoped = open(scope);
      if (scoped === undefined) throw missingScope(locations, scope);
      return scoped;
    },
  };
}

/** Completes what killed and failed commands left incomplete. */
function settleAll(
  parts: Pick<OpenWorkspace, "locations" | "recallLog" | "review">,
  clock: Clock,
  lockTimeoutMs: number | undefined,
): readonly CutOff[] {
  if (!mayWrite(parts.locations.mode)) return [];
  const cutOff = settleTransfers(parts.locations, clock, lockTimeoutMs);
  settleForgets(parts, clock);
  return cutOff;
}

function guarded({ scope }: StoreLocation, store: ScopedStore["store"], choice: ModeChoice): ScopedStore["store"] {
  return choice.mode === "recall-only" ? withoutWrites(scope, store, choice) : store;
}

/** One queue per project, kept with the state of the first store, which is the project's own. */
function openQueue({ stores, modes }: Locations, clock: Clock): ReviewQueue {
  const [first] = stores;
  if (first === undefined || modeIn(modes, first.scope).mode === "off") return CLOSED_QUEUE;
  return openReviewQueue({
    directory: `${first.state}/proposals`,
    files: nodeFiles,
    lock: createSqliteLock(`${first.state}/proposals.db`),
    clock,
  });
}

/** Parts that only some commands need. */
function readWhenNeeded({ instructions }: WorkspaceOptions): Pick<Workspace, "dates" | "instructions"> {
  return { dates: lazyResolver(), ...(instructions && { instructions }) };
}

/** The resolver of dates loads slowly, and most commands do not need it. */
function lazyResolver(): () => Promise<DateResolver> {
  let resolver: Promise<DateResolver> | undefined;
  const load = async (): Promise<DateResolver> => (await import("../../core/notes/dates/resolve.ts")).dateResolver;
  return () => (resolver ??= load());
}

/** A workspace in a new temporary directory, isolated from the user's data; removing it is up to the caller. */
export function openScratch(environment: Environment = process.env): OpenWorkspace & { readonly root: string } {
  const root = mkdtempSync(path.join(tmpdir(), "memdir-"));
  const locations = locate({
    dir: path.join(root, "memory"),
    cwd: root,
    environment: {
      PATH: environment["PATH"],
      Path: environment["Path"],
      HOME: root,
      MEMDIR_HOME: path.join(root, "state"),
    },
  });
  const workspace = openWorkspace(locations);
  return Object.defineProperties({ root, ...workspace }, Object.getOwnPropertyDescriptors(workspace));
}
