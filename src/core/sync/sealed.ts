import type { BaseEntry, SyncBase, SyncState } from "./base.ts";
import { isKeyEntry } from "./keyring.ts";
import {
  foldedKey,
  isRemovedId,
  isSealed,
  nameHash,
  NO_REVISION,
  type Change,
  type NoteChange,
  type Outcome,
  type RemoteEntry,
  type Revision,
} from "./protocol.ts";
import { placeOf, remoteRevision, sealedBytes, sealedRevision, type Cipher, type SealProblem } from "./sealed-note.ts";
import { START, type NoAnswer, type Page, type PulledEntry, type Pull, type PullAnswer } from "./transport.ts";
import type { PushAnswer, Transport } from "./transport.ts";

/** A remote entry that was not accepted. The local note stays; nothing overwrites the entry until the user agrees. */
export interface Aside {
  /** The note's local name, if known. */
  readonly key: string | undefined;
  /** The remote's revision. */
  readonly revision: Revision;
  readonly problem: SealProblem;
}

/** The keys of one space, as this device has them. */
export interface SpaceKeys {
  /** The cipher; asks the remote if this device has no keys yet. */
  cipher(): Promise<Cipher | NoAnswer>;
  /** Asks the remote again, because it has different keys than this device or was reset to an earlier state. */
  again(): Promise<Cipher | NoAnswer>;
  /** Takes the key entries of a page: the ring, and devices that request it. */
  learn(entries: readonly RemoteEntry[]): Promise<Cipher | NoAnswer>;
  /** By its name on the wire. */
  readonly aside: ReadonlyMap<string, Aside>;
  /** `undefined` removes an entry. On disk when this returns. */
  setAside(changes: ReadonlyMap<string, Aside | undefined>): void;
}

export interface SealedParts {
  readonly transport: Transport;
  readonly keys: SpaceKeys;
  readonly state: () => SyncState;
}

/**
 * A space whose remote sees neither texts nor names: names are keyed hashes, texts and removals are sealed. Because a
 * removal is a sealed entry too, only a holder of the key can remove a note. A forget names the lineage, as everywhere.
 */
export function sealedTransport(parts: SealedParts): Transport {
  const { transport, keys } = parts;
  return {
    pull: (request) => pull(parts, request),
    push: (pushId, changes) => push(parts, pushId, changes),
    common: (marks) => transport.common(marks),
    async read(key) {
      const cipher = await keys.cipher();
      if ("outcome" in cipher) return cipher;
      const answer = await transport.read(cipher.name(key));
      if (answer.outcome !== "entry" || answer.entry === undefined) return answer;
      const [opened] = openAll(parts, cipher, [{ entry: answer.entry }], undefined).changes;
      return { outcome: "entry", entry: opened?.entry };
    },
    bytesOf: (change) => ("forget" in change ? 0 : sealedBytes(change.key, change.body ?? "")),
  };
}

/** An unencrypted space. Once its remote has an encrypted entry, nothing is accepted and nothing sent. */
export function plainTransport<T extends Transport>(transport: T): T {
  return {
    ...transport,
    async pull(request: Pull): Promise<PullAnswer> {
      const answer = await transport.pull(request);
      if (answer.outcome !== "page") return answer;
      const isOther = answer.changes.some(({ entry }) => entry.state === "live" && isSealed(entry.body));
      return isOther ? { outcome: "denied", reason: "role", message: IS_SEALED } : answer;
    },
  };
}

const IS_SEALED = "the space is encrypted; set it up again with --encrypt";

async function pull(parts: SealedParts, request: Pull): Promise<PullAnswer> {
  const { transport, keys } = parts;
  const { since } = request;
  // A remote restored from a backup may also have lost keys.
  const known = await (since !== undefined && request.cursor === START ? keys.again() : keys.cipher());
  if ("outcome" in known) return known;
  const page = await transport.pull(request);
  if (page.outcome !== "page") return page;
  const ofKeys = page.changes.flatMap(({ entry }) => ("key" in entry && isKeyEntry(entry.key) ? [entry] : []));
  const notes = page.changes.filter(({ entry }) => !("key" in entry && isKeyEntry(entry.key)));
  let cipher = ofKeys.length === 0 ? known : await keys.learn(ofKeys);
  if ("outcome" in cipher) return cipher;
  if (notes.some(({ entry }) => isOfUnknownKey(cipher, entry))) cipher = await keys.again();
  if ("outcome" in cipher) return cipher;
  const { changes, aside } = openAll(parts, cipher, notes, since);
  if (aside.size > 0) keys.setAside(aside);
  const { stoodAtSince } = page;
  const names = cipher;
  return {
    ...page,
    changes,
    ...(stoodAtSince !== undefined && {
      stoodAtSince: (key: string, revision: Revision) => stoodAtSince(names.name(key), remoteRevision(revision)),
    }),
  };
}

function isOfUnknownKey(cipher: Cipher | NoAnswer, entry: RemoteEntry): boolean {
  return !("outcome" in cipher) && entry.state === "live" && cipher.open(entry) === "no-key";
}

interface Opened {
  readonly changes: Page["changes"];
  /** Entries to set aside, or (`undefined`) entries that are good again. */
  readonly aside: ReadonlyMap<string, Aside | undefined>;
}

function openAll(parts: SealedParts, cipher: Cipher, page: Page["changes"], since: string | undefined): Opened {
  const state = parts.state();
  const dead = new Set(state.dead);
  for (const { entry } of page) if (entry.state === "forgotten") dead.add(entry.lineage);
  const freed = new Set(state.freed);
  const aside = new Map<string, Aside | undefined>();
  let keyOf: ReadonlyMap<string, string> | undefined;
  const keyAt = (wire: string): string | undefined =>
    (keyOf ??= new Map([...state.entries.keys()].map((key) => [cipher.name(key), key]))).get(wire);
  const changes = page.flatMap((pulled): readonly PulledEntry[] => {
    const { entry } = pulled;
    if (entry.state === "forgotten") {
      const named = withNames(entry, state, cipher);
      for (const name of named.names) freed.add(name);
      return [{ ...pulled, entry: named }];
    }
    const opened = openEntry({ cipher, state, dead, freed, isResync: since !== undefined }, entry, keyAt);
    if (opened === "nothing") return [];
    if (typeof opened === "string") {
      aside.set(entry.key, { key: keyAt(entry.key), revision: entry.revision, problem: opened });
      return [];
    }
    if (parts.keys.aside.has(entry.key)) aside.set(entry.key, undefined);
    return [{ ...pulled, entry: opened }];
  });
  return { changes, aside };
}

type ForgottenEntry = Extract<RemoteEntry, { state: "forgotten" }>;
type NoteEntry = Exclude<RemoteEntry, ForgottenEntry>;

interface Opening {
  readonly cipher: Cipher;
  readonly state: SyncState;
  readonly dead: ReadonlySet<string>;
  /** Hashes of names that a forgotten note held: the next note there starts its numbers anew. */
  readonly freed: ReadonlySet<string>;
  readonly isResync: boolean;
}

function openEntry(
  { cipher, state, dead, freed, isResync }: Opening,
  entry: NoteEntry,
  keyAt: (wire: string) => string | undefined,
): NoteEntry | SealProblem | "nothing" {
  if (entry.state === "deleted") {
    const key = keyAt(entry.key);
    return key !== undefined && state.entries.get(key)?.state === "live" ? "unsealed" : "nothing";
  }
  const note = cipher.open(entry);
  if (typeof note === "string") return note;
  const { key, lineage, text, place } = note;
  const agreed = state.entries.get(key);
  const revision = sealedRevision(place, entry.revision);
  // Removals are not resealed when a key is replaced: those of notes that are not here are harmless.
  const mayBeRetired =
    isResync || agreed?.revision === revision || (note.state === "deleted" && agreed?.state !== "live");
  if (!cipher.isAccepted(place.epoch) && !mayBeRetired) return "retired";
  const isFree = agreed === undefined || dead.has(agreed.lineage) || freed.has(nameHash(key));
  const before = isFree ? undefined : placeOf(agreed.revision);
  if (!isResync && before !== undefined && agreed?.revision !== revision && place.n <= before.n) return "older";
  const told = {
    ...(entry.by !== undefined && { by: entry.by }),
    ...(entry.at !== undefined && { at: entry.at }),
  };
  return note.state === "live"
    ? { state: "live", key, lineage, revision, body: text, ...told }
    : { state: "deleted", key, lineage, revision, ...(isRemovedId(text) && { was: text }), ...told };
}

/** Converts hashes of wire names to hashes of the names known here. */
function withNames(entry: ForgottenEntry, { entries }: SyncState, cipher: Cipher): ForgottenEntry {
  if (entry.names.length === 0) return entry;
  const names = new Set(entry.names);
  return {
    ...entry,
    names: [...entries.keys()].filter((key) => names.has(nameHash(cipher.name(key)))).map(nameHash),
  };
}

async function push(
  { transport, keys, state }: SealedParts,
  pushId: string,
  changes: readonly Change[],
): Promise<PushAnswer> {
  const cipher = await keys.cipher();
  if ("outcome" in cipher) return cipher;
  const now = state();
  const time = timeOf(pushId);
  const kept = judgedHere(changes, cipher, keys.aside, now);
  const places = changes.map((change) => ({
    epoch: cipher.epoch,
    n: "forget" in change ? 0 : Math.max((placeOf(change.base)?.n ?? 0) + 1, time),
  }));
  const sent = changes.flatMap((change, at): Change[] => {
    if (kept.has(at)) return [];
    return ["forget" in change ? change : sealedChange(cipher, change, places[at]?.n ?? 0)];
  });
  if (sent.length === 0) {
    const head = now.tops.at(-1) ?? now.cursor;
    return { outcome: "pushed", prev: head, head, outcomes: [...kept.values()] };
  }
  const answer = await transport.push(pushId, sent);
  if (answer.outcome !== "pushed") return answer;
  const answered = [...answer.outcomes];
  const outcomes = changes.flatMap((change, at): Outcome[] => {
    const outcome = kept.get(at) ?? answered.shift();
    if (outcome === undefined || kept.has(at) || "forget" in change || !("key" in outcome))
      return outcome ? [outcome] : [];
    const place = outcome.outcome === "done" ? (places[at] ?? NOWHERE) : NOWHERE;
    const own = { ...outcome, key: change.key };
    return ["revision" in own ? { ...own, revision: sealedRevision(place, own.revision) } : own];
  });
  return { ...answer, outcomes };
}

/** The place of a state that was not opened. */
const NOWHERE = { epoch: "", n: 0 };

/** Changes that are not sent, by index: over an entry that was set aside, or if the name exists in different case. */
function judgedHere(
  changes: readonly Change[],
  cipher: Cipher,
  aside: SpaceKeys["aside"],
  { entries }: SyncState,
): ReadonlyMap<number, Outcome> {
  const gone = new Set(changes.flatMap((one) => ("forget" in one || one.state === "live" ? [] : [one.key])));
  const isNew = changes.some((change) => !("forget" in change) && change.base === NO_REVISION);
  const live = isNew
    ? new Map([...entries.values()].flatMap((one) => (one.state === "live" ? [[foldedKey(one.key), one.key]] : [])))
    : new Map<string, string>();
  const verdicts = new Map<number, Outcome>();
  for (const [at, change] of changes.entries()) {
    if ("forget" in change) continue;
    const { key, base, state } = change;
    const problem = aside.size === 0 ? undefined : aside.get(cipher.name(key))?.problem;
    const other = base === NO_REVISION && state === "live" ? live.get(foldedKey(key)) : undefined;
    if (problem !== undefined) verdicts.set(at, { outcome: "refused", key, reason: "sealed", rule: problem });
    else if (other !== undefined && other !== key && !gone.has(other)) verdicts.set(at, { outcome: "taken", key });
  }
  const groups = new Set([...verdicts.keys()].map((at) => groupOf(changes[at])));
  for (const [at, change] of changes.entries())
    if (!verdicts.has(at) && !("forget" in change) && groupOf(change) !== undefined && groups.has(groupOf(change)))
      verdicts.set(at, { outcome: "group", key: change.key });
  return new Map([...verdicts].toSorted(([a], [b]) => a - b));
}

function groupOf(change: Change | undefined): string | undefined {
  return change === undefined || "forget" in change ? undefined : change.group;
}

/** To the remote, a removal looks like any other entry. */
function sealedChange(cipher: Cipher, change: NoteChange, n: number): NoteChange {
  const { base, group, body = change.was } = change;
  const sealed = {
    ...cipher.seal({ ...change, ...(body !== undefined && { body }) }, n),
    base: remoteRevision(base),
    state: "live" as const,
  };
  return group === undefined ? sealed : { ...sealed, group: cipher.name(group) };
}

/** A push id that starts with the time, so that the numbers of a name that was free for a while still increase. */
export function timedPushId(now: number, random: string): string {
  return `${Math.max(0, Math.floor(now)).toString(16).padStart(12, "0")}-${random}`;
}

function timeOf(pushId: string): number {
  const [, time = "0"] = /^([0-9a-f]{12})-/u.exec(pushId) ?? [];
  return Number.parseInt(time, 16);
}

/** Notes sealed with an earlier key count as changed here, so that the next push reseals them. */
export function sealingAnew(base: SyncBase, epoch: () => string | undefined): SyncBase {
  return {
    get state() {
      const { state } = base;
      const now = epoch();
      if (now === undefined || ![...state.entries.values()].some((entry) => isOfEarlierKey(entry, now))) return state;
      const entries = [...state.entries.values()].map((entry) =>
        isOfEarlierKey(entry, now) ? { ...entry, hash: undefined } : entry,
      );
      return { ...state, entries: new Map(entries.map((entry) => [entry.key, entry])) };
    },
    write: (update) => base.write(update),
  };
}

/** Whether a live note was sealed with a key other than `epoch`. */
export function isOfEarlierKey({ state, revision }: Pick<BaseEntry, "state" | "revision">, epoch: string): boolean {
  return state === "live" && !revision.startsWith(`${epoch}.`);
}

/** Lets this device's texts replace what was set aside; `taken` lists what it can replace. */
export function replacing(
  aside: ReadonlyMap<string, Aside>,
  { entries }: SyncState,
): { readonly set: readonly BaseEntry[]; readonly taken: readonly string[] } {
  const known = [...aside].flatMap(([wire, { key, revision }]) => {
    const agreed = key === undefined ? undefined : entries.get(key);
    const place = agreed === undefined ? undefined : placeOf(agreed.revision);
    return agreed === undefined || place === undefined ? [] : [{ wire, agreed, revision, place }];
  });
  return {
    // Without a hash it counts as changed here; without a revision, as absent on the remote.
    set: known.map(({ agreed, revision, place }) => ({
      ...agreed,
      hash: undefined,
      revision: sealedRevision(place, revision),
    })),
    taken: known.map(({ wire }) => wire),
  };
}
