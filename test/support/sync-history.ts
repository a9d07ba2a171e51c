import { randomBytes } from "node:crypto";
import { baseInMemory, emptyState, forgetInBase, type SyncBase } from "../../src/core/sync/base.ts";
import { runSync, type RunReport } from "../../src/core/sync/run.ts";
import type { MergeTexts } from "../../src/core/sync/plan-pull.ts";
import type { Change } from "../../src/core/sync/protocol.ts";
import { cipherOf } from "../../src/core/sync/sealed-note.ts";
import { sealedTransport, timedPushId } from "../../src/core/sync/sealed.ts";
import { vault } from "../../src/adapters/crypto/seal.ts";
import { keysInMemory, type KeysInMemory } from "./sealed-keys.ts";
import type { Transport } from "../../src/core/sync/transport.ts";
import { linesOf, mergeTextLines, notesInMemory, spaceTransport, type NotesInMemory } from "./sync-replica.ts";
import { openSpace, type SpaceFaults } from "./sync-space.ts";

export interface HistoryOptions {
  readonly clients?: number;
  readonly steps?: number;
  readonly restores?: boolean;
  readonly faults?: SpaceFaults;
  /** Names of the notes; some may differ in case only. */
  readonly names?: readonly string[];
  /** The space sees neither texts nor names. */
  readonly isSealed?: boolean;
  /** A deliberately wrong client: it lets a deletion win over its own edit. */
  readonly losesEdits?: boolean;
}

export interface HistoryResult {
  readonly problems: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
}

/** Random numbers that are the same for the same seed on every machine. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
    return ((mixed ^ (mixed >>> 12)) >>> 0) % below;
  };
}

interface Client {
  readonly name: string;
  readonly notes: NotesInMemory;
  readonly base: SyncBase;
  readonly keys: KeysInMemory;
  sync(): Promise<RunReport>;
}

const KEYS = ["a.md", "b.md", "c.md", "d.md"];

/**
 * Clients that edit, remove, rename, forget and sync in random order, over a line that is cut, doubles and replays,
 * with a space that falls back to a backup. Every word is written once. At the end no word may be lost unless a client
 * that saw it removed it, no forgotten word may exist anywhere, and all clients must have the same notes.
 */
export async function playHistory(seed: number, options: HistoryOptions = {}): Promise<HistoryResult> {
  return new History(seed, options).play();
}

class History {
  readonly #next: (below: number) => number;
  readonly #options: HistoryOptions;
  readonly #space;
  readonly #direct: Transport;
  readonly #clients: readonly Client[];
  readonly #names: readonly string[];
  readonly #replays: { id: string; changes: readonly Change[] }[] = [];
  readonly #made = new Map<string, { readonly lineage: string; readonly by: string }>();
  readonly #excused = new Set<string>();
  readonly #forgottenWords = new Set<string>();
  readonly #deadLineages = new Set<string>();
  readonly #counts: Record<string, number> = {};
  readonly #problems: string[] = [];
  #restore: (() => void) | undefined;
  #isLineBad = true;
  #depth = 0;
  #words = 0;
  #time = 1_000_000;
  #lineages = 0;

  constructor(seed: number, options: HistoryOptions) {
    this.#next = randomNumbers(seed);
    this.#options = options;
    this.#names = options.names ?? KEYS;
    this.#space = openSpace(options.faults);
    this.#direct = spaceTransport(this.#space);
    this.#clients = Array.from({ length: options.clients ?? 2 + (seed % 4) }, (_, n) => this.#client(`c${n}`));
  }

  #client(name: string): Client {
    const notes = notesInMemory();
    const base = baseInMemory(emptyState);
    const line = this.#line(() => client);
    const keys = keysInMemory();
    // The clocks differ by more than the duration of the whole history.
    const skew = Number(name.slice(1)) * 1_000;
    const isSealed = this.#options.isSealed === true;
    const transport = isSealed ? sealedTransport({ transport: line, keys, state: () => base.state }) : line;
    const merge: MergeTexts = mergeTextLines;
    const client: Client = {
      name,
      notes,
      base,
      keys,
      sync: () =>
        runSync(
          {
            transport,
            base,
            replica: notes,
            merge,
            judge: async () => undefined,
            newPushId: () => timedPushId(++this.#time + skew, randomId()),
          },
          { pageLimit: 3 + this.#next(5), acceptRemovals: Infinity },
        ),
    };
    return client;
  }

  /** A line between a client and the space. Other clients may intervene, and editors write during a run. */
  #line(client: () => Client): Transport {
    const offline = (count: string): { outcome: "offline"; message: string } => {
      this.#count(count);
      return { outcome: "offline", message: "cut" };
    };
    return {
      pull: async (request) => {
        const answer = await (this.#isLineBad && this.#next(12) === 0 ? offline("cuts") : this.#direct.pull(request));
        if (this.#options.losesEdits === true && answer.outcome === "page")
          for (const { entry } of answer.changes) if (entry.state === "deleted") client().notes.files.delete(entry.key);
        return answer;
      },
      common: (marks) => this.#direct.common(marks),
      read: (key) => this.#direct.read(key),
      push: async (id, changes) => {
        if (this.#isLineBad && this.#depth === 0 && this.#next(3) === 0) await this.#interfere(client());
        const luck = this.#isLineBad ? this.#next(10) : 9;
        if (luck === 0) return offline("cuts");
        if (this.#options.isSealed === true) this.#judgeLine(JSON.stringify(changes));
        const sent = structuredClone(changes);
        const answer = await this.#direct.push(id, sent);
        if (this.#isLineBad) this.#replays.push({ id, changes: sent });
        if (luck === 1) return offline("cuts");
        if (luck !== 2) return answer;
        this.#count("doubled");
        return this.#direct.push(id, structuredClone(sent));
      },
    };
  }

  async #interfere(client: Client): Promise<void> {
    this.#count("races");
    this.#depth++;
    const other = this.#any(this.#clients);
    if (other !== client) {
      if (this.#next(2) === 0) this.#edit(other, this.#any(this.#names));
      await other.sync();
    }
    if (this.#next(4) === 0) this.#edit(client, this.#any(this.#names));
    this.#depth--;
  }

  async play(): Promise<HistoryResult> {
    for (let step = 0; step < (this.#options.steps ?? 60); step++) await this.#step();
    this.#isLineBad = false;
    for (let round = 0; round < 6; round++)
      for (const client of this.#clients) {
        const { pushed } = await client.sync();
        if (round > 0 && pushed > 0) this.#problems.push(`${client.name} still sent ${pushed} in round ${round}`);
      }
    this.#judge();
    return { problems: this.#problems, counts: this.#counts };
  }

  async #step(): Promise<void> {
    const client = this.#any(this.#clients);
    const key = this.#keyOf(client);
    const dice = this.#next(20);
    if (dice < 8) this.#edit(client, key);
    else if (dice === 8) this.#remove(client, key);
    else if (dice === 9) this.#forget(client, key);
    else if (dice === 10) await this.#replay();
    else if (dice === 11) this.#backUpOrRestore();
    else if (dice === 12) this.#rename(client, key, this.#any(this.#names));
    else if (dice === 13) this.#restoreNote(client, key);
    else await client.sync();
  }

  /** Usually one of a few names, so that devices collide; sometimes a conflict copy. */
  #keyOf(client: Client): string {
    const copies = [...client.notes.files.keys()].filter((key) => key.includes(".conflict-"));
    return copies.length > 0 && this.#next(8) === 0 ? this.#any(copies) : this.#any(this.#names);
  }

  #edit({ notes, name: by }: Client, key: string): void {
    const word = `w_${this.#words++}_w\n`;
    const now = notes.files.get(key);
    const lines = now === undefined ? ["h\n", "m\n", "z\n"] : linesOf(now.text);
    const removed = lines.splice(this.#next(lines.length + 1), this.#next(5) === 0 && lines.length > 2 ? 1 : 0, word);
    for (const old of wordsIn(removed.join(""))) this.#excused.add(old);
    const lineage = now?.lineage ?? this.#newLineage();
    notes.put(key, lines.join(""), lineage);
    this.#made.set(word.trim(), { lineage, by });
  }

  #remove({ notes }: Client, key: string): void {
    for (const word of wordsIn(notes.files.get(key)?.text ?? "")) this.#excused.add(word);
    notes.files.delete(key);
  }

  #rename({ notes }: Client, from: string, to: string): void {
    const now = notes.files.get(from);
    if (now === undefined || notes.files.has(to)) return;
    this.#count("renames");
    notes.put(to, now.text, now.lineage);
    notes.files.delete(from);
  }

  /** Restores an earlier text of a removed note under its old name. */
  #restoreNote({ notes, base }: Client, key: string): void {
    const gone = base.state.entries.get(key);
    if (gone === undefined || notes.files.has(key) || notes.look().keysOf(gone.lineage).length > 0) return;
    const text = [...(notes.past.get(gone.lineage) ?? [])].at(-1);
    if (text === undefined) return;
    this.#count("brought back");
    notes.put(key, text, gone.lineage);
  }

  #forget({ notes, base }: Client, key: string): void {
    const now = notes.files.get(key);
    if (now === undefined) return;
    this.#count("forgets");
    const { lineage } = now;
    for (const other of notes.files.values())
      if (other.lineage === lineage) for (const word of wordsIn(other.text)) this.#forgottenWords.add(word);
    this.#deadLineages.add(lineage);
    notes.forget(new Set([lineage]), []);
    base.write(forgetInBase(base.state, new Set([lineage])));
  }

  async #replay(): Promise<void> {
    if (this.#replays.length === 0) return;
    this.#count("replays");
    const { id, changes } = this.#any(this.#replays);
    await this.#direct.push(id, structuredClone(changes));
  }

  #backUpOrRestore(): void {
    if (this.#options.restores === false || this.#next(2) === 0) return;
    if (this.#restore === undefined) {
      this.#restore = this.#space.backup();
      return;
    }
    this.#count("restores");
    this.#restore();
    this.#restore = undefined;
    // Pushes from before the restore are not replayed afterwards.
    this.#replays.length = 0;
  }

  #judge(): void {
    const [first, ...others] = this.#clients;
    if (first === undefined) return;
    for (const client of others) if (viewOf(client) !== viewOf(first)) this.#problems.push(`${client.name} differs`);
    if (JSON.stringify([...this.#textsThere(first)].toSorted()) !== viewOf(first))
      this.#problems.push("the space differs");
    const kept = this.#clients.flatMap(({ notes }) => notes.review.map(({ text }) => text)).join("");
    const there = new Set(wordsIn([...first.notes.files.values()].map(({ text }) => text).join("") + kept));
    for (const [word, { lineage }] of this.#made) {
      const isExcused = this.#excused.has(word) || this.#forgottenWords.has(word) || this.#deadLineages.has(lineage);
      if (!isExcused && !there.has(word)) this.#problems.push(`${word} is lost`);
    }
    this.#judgeForgotten();
    for (const { name, base } of this.#clients)
      if (base.state.outbox !== undefined || base.state.unsentForgets.size > 0)
        this.#problems.push(`${name} still has something to send`);
  }

  /** The content of the space, decrypted if sealed; in that case nothing may be readable without the key. */
  #textsThere({ keys }: Client): ReadonlyMap<string, string> {
    const texts = this.#space.texts();
    if (this.#options.isSealed !== true) return texts;
    for (const { name, keys: own } of this.#clients)
      for (const { problem, key } of own.aside.values()) this.#problems.push(`${name} set ${key} aside: ${problem}`);
    const seen = [...texts].flat().join("\n") + this.#space.everything();
    this.#judgeLine(seen);
    const cipher = cipherOf(vault, keys.ring);
    return new Map(
      [...texts].flatMap(([key, body]) => {
        const lineage = this.#space.read(key)?.lineage ?? "";
        const note = cipher.open({ key, lineage, body });
        return typeof note === "string" || note.state === "deleted" ? [] : [[note.key, note.text]];
      }),
    );
  }

  #judgeLine(seen: string): void {
    if (wordsIn(seen).length > 0 || /\b[a-d]\.(?:conflict|md)/u.test(seen)) this.#problems.push("the space can read");
  }

  #judgeForgotten(): void {
    const everywhere = this.#clients.flatMap(({ notes, base }) => [
      ...[...notes.files.values()].map(({ text }) => text),
      ...[...notes.past.values()].flatMap((texts) => [...texts]),
      ...[...base.state.entries.values()].map(({ body }) => body ?? ""),
      ...(base.state.outbox?.changes.map((change) => ("forget" in change ? "" : (change.body ?? ""))) ?? []),
    ]);
    const words = new Set(wordsIn([...everywhere, this.#space.everything()].join("\n")));
    for (const word of this.#forgottenWords)
      if (words.has(word)) this.#problems.push(`${word} was forgotten and is there`);
    // Only lines that a device wrote itself may wait there for its user.
    for (const { name, notes } of this.#clients)
      for (const word of wordsIn(notes.review.map(({ text }) => text).join("")))
        if (this.#made.get(word)?.by !== name) this.#problems.push(`${name} keeps ${word} of another for review`);
  }

  #newLineage(): string {
    return String(this.#lineages++).padStart(24, "0");
  }

  #count(what: string): void {
    this.#counts[what] = (this.#counts[what] ?? 0) + 1;
  }

  #any<T>(list: readonly T[]): T {
    const one = list[this.#next(list.length)];
    if (one === undefined) throw new Error("an empty list has no member");
    return one;
  }
}

function viewOf({ notes }: Client): string {
  return JSON.stringify([...notes.files].map(([key, { text }]) => [key, text]).toSorted());
}

function wordsIn(text: string): string[] {
  return text.match(/w_\d+_w/gu) ?? []; // never occurs in base64
}

function randomId(): string {
  return randomBytes(9).toString("base64url");
}
