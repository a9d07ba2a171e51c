import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Access, isDenial } from "../../src/app/server/ports.ts";
import { openServer, type OpenServer } from "../../src/app/server/open-server.ts";
import { nameHash, SEALED_HEADS, type Change, type WirePage, type WirePushed } from "../../src/core/sync/protocol.ts";
import { giveCluster } from "../support/embedded-cluster.ts";
import { A_SECRET } from "../support/planted-secrets.ts";

const DAY_MS = 86_400_000;

export interface SyncServerCase {
  /** A directory, and the URL of a PostgreSQL server where it is not the embedded database. */
  place(): Promise<{ readonly directory: string; readonly databaseUrl?: string }>;
}

function newLineage(): string {
  return randomBytes(12).toString("hex");
}

/** A server with a clock that only moves when told to. */
class Bench {
  offsetMs = 0;
  opened: OpenServer | undefined;
  pushes = 0;
  get server() {
    if (this.opened === undefined) throw new Error("not open");
    return this.opened.server;
  }

  async open(place: Awaited<ReturnType<SyncServerCase["place"]>>): Promise<void> {
    const clock = { now: () => Date.now() + this.offsetMs, timeZone: "UTC" };
    if (place.databaseUrl === undefined) await giveCluster(place.directory);
    this.opened = await openServer({ ...place, clock, limits: { maxEntries: 40, maxBytes: 400_000 } });
  }

  /** A new user with a space of its own and access as its admin. */
  async person(): Promise<Access & { readonly spaceId: string; readonly token: string }> {
    const owner = must(await this.server.access(this.opened?.localToken, undefined));
    const user = `user-${randomBytes(6).toString("hex")}`;
    const wanted = { user, space: undefined, role: "admin", days: 30, device: "laptop" } as const;
    const { token } = must(await this.server.tokens.add(owner, wanted));
    const me = must(await this.server.access(token, undefined));
    const space = { kind: "project", name: user, identity: "", sealed: false } as const;
    const { id } = must(await this.server.spaces.create(me, space));
    return { ...must(await this.server.access(token, id)), spaceId: id, token };
  }

  async push(access: Access, changes: readonly Change<number>[], id?: string): Promise<WirePushed> {
    this.pushes += 1;
    return must(
      await this.server.changes.push(access, id ?? `push-${this.pushes}-${randomBytes(4).toString("hex")}`, changes),
    );
  }

  async pull(
    access: Access,
    from: Partial<{ cursor: number; mark: string; top: number; topMark: string; limit: number }> = {},
  ) {
    return this.server.changes.pull(access, { cursor: 0, mark: "", top: 0, topMark: "", limit: 500, ...from });
  }

  async page(access: Access, from: Parameters<Bench["pull"]>[1] = {}): Promise<WirePage> {
    return must(await this.pull(access, from));
  }
}

function must<T extends object>(value: T): Exclude<T, { readonly kind: "denied" }> {
  if (isDenial(value)) throw new Error(`${value.reason}: ${value.message}`);
  return value as Exclude<T, { readonly kind: "denied" }>;
}

function live(key: string, body: string, base = 0, lineage = newLineage()): Change<number> & { lineage: string } {
  return { key, lineage, base, state: "live", body };
}

/** What the sync server promises, whatever PostgreSQL it stands on. */
export function syncServerContract(name: string, present: boolean, one: SyncServerCase): void {
  if (!present) process.stderr.write(`SKIPPED: ${name} is not installed, so the sync server was not tested on it\n`);
  describe.skipIf(!present)(`the sync server on ${name}`, () => {
    const bench = new Bench();
    beforeAll(async () => bench.open(await one.place()));
    afterAll(() => bench.opened?.close());
    pushing(bench);
    naming(bench);
    repeating(bench);
    forgetting(bench);
    pulling(bench);
    limiting(bench);
    admitting(bench);
  });
}

function pushing(bench: Bench): void {
  it("numbers accepted changes one after the other and gives them out in that order", async () => {
    const me = await bench.person();
    const first = await bench.push(me, [live("a.md", "one"), live("b.md", "two")]);
    expect(first.outcomes).toMatchObject([
      { outcome: "done", revision: 1 },
      { outcome: "done", revision: 2 },
    ]);
    expect(first).toMatchObject({ head: 2, prev: { head: 0, mark: "" } });
    const { changes, next, head, mark } = await bench.page(me);
    expect(changes).toMatchObject([
      { key: "a.md", body: "one", revision: 1 },
      { key: "b.md", body: "two", revision: 2 },
    ]);
    expect({ next, head, mark }).toEqual({ next: 2, head: 2, mark: first.mark });
  });

  it("refuses a change whose base is not what is there, and says what is", async () => {
    const me = await bench.person();
    const note = live("a.md", "one");
    await bench.push(me, [note]);
    await bench.push(me, [{ ...note, base: 1, body: "two" }]);
    const late = await bench.push(me, [{ ...note, base: 1, body: "three" }]);
    expect(late.outcomes).toEqual([{ outcome: "stale", key: "a.md", revision: 2 }]);
    expect((await bench.page(me)).changes).toMatchObject([{ body: "two" }]);
  });

  it("refuses to create what is there, and to change what is not", async () => {
    const me = await bench.person();
    await bench.push(me, [live("a.md", "one")]);
    const { outcomes } = await bench.push(me, [live("a.md", "other"), live("b.md", "new", 7)]);
    expect(outcomes).toEqual([
      { outcome: "stale", key: "a.md", revision: 1 },
      { outcome: "stale", key: "b.md", revision: 0 },
    ]);
  });

  it("keeps a deletion as a tombstone that a later edit may replace", async () => {
    const me = await bench.person();
    const note = live("a.md", "one");
    await bench.push(me, [note]);
    await bench.push(me, [{ key: "a.md", lineage: note.lineage, base: 1, state: "deleted" }]);
    expect((await bench.page(me)).changes).toMatchObject([{ state: "deleted", key: "a.md", revision: 2 }]);
    const back = await bench.push(me, [{ ...note, base: 2, body: "again" }]);
    expect(back.outcomes).toMatchObject([{ outcome: "done", revision: 3 }]);
    expect((await bench.page(me)).changes).toMatchObject([{ state: "live", body: "again", revision: 3 }]);
  });

  it("accepts what it can of a push and answers each change in its place", async () => {
    const me = await bench.person();
    await bench.push(me, [live("a.md", "one")]);
    const { outcomes } = await bench.push(me, [live("b.md", "b"), live("a.md", "late"), live("c.md", "c")]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["done", "stale", "done"]);
  });

  it("accepts a group together or not at all", async () => {
    const me = await bench.person();
    await bench.push(me, [live("a.md", "one")]);
    const group = (key: string, base = 0): Change<number> => ({ ...live(key, key, base), group: "g" });
    const bad = await bench.push(me, [group("b.md"), group("a.md", 5), live("c.md", "alone")]);
    expect(bad.outcomes.map(({ outcome }) => outcome)).toEqual(["group", "stale", "done"]);
    const good = await bench.push(me, [group("b.md"), group("a.md", 1)]);
    expect(good.outcomes.map(({ outcome }) => outcome)).toEqual(["done", "done"]);
  });

  it("renames a note to other capitals within one group", async () => {
    const me = await bench.person();
    const note = live("readme.md", "one");
    await bench.push(me, [note]);
    const { outcomes } = await bench.push(me, [
      { ...note, key: "README.md", group: "r" },
      { key: "readme.md", lineage: note.lineage, base: 1, state: "deleted", group: "r" },
    ]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["done", "done"]);
  });

  it("loses none of the pushes that many devices send at the same moment", async () => {
    const me = await bench.person();
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, n) => bench.push(me, [live(`n${n}.md`, `text ${n}`)])),
    );
    const numbers = all.map(({ head }) => head).toSorted((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
    expect((await bench.page(me)).changes).toHaveLength(20);
  });

  it("lets one of many win that change the same note at the same moment", async () => {
    const me = await bench.person();
    const note = live("a.md", "zero");
    await bench.push(me, [note]);
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, n) => bench.push(me, [{ ...note, base: 1, body: `by ${n}` }])),
    );
    expect(all.filter(({ outcomes }) => outcomes[0]?.outcome === "done")).toHaveLength(1);
  });
}

function naming(bench: Bench): void {
  it("says that a name is taken that differs from a live one in capitals or Unicode form only", async () => {
    const me = await bench.person();
    await bench.push(me, [live("Straße.md", "one")]);
    const { outcomes } = await bench.push(me, [live("STRAßE.md", "two"), live("x.md", "x"), live("X.md", "y")]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["taken", "done", "taken"]);
  });

  it("gives the name of a deleted note to one in other capitals", async () => {
    const me = await bench.person();
    const note = live("a.md", "one");
    await bench.push(me, [note]);
    await bench.push(me, [{ key: "a.md", lineage: note.lineage, base: 1, state: "deleted" }]);
    expect((await bench.push(me, [live("A.md", "two")])).outcomes[0]?.outcome).toBe("done");
  });

  it.each([
    "../x.md",
    "/x.md",
    "a//b.md",
    "MEMORY.md",
    "sub/MEMORY.md",
    "~x",
    "a\\b.md",
    "e\u0301.md",
    "",
    `${"x".repeat(601)}`,
  ])("refuses the name %j", async (key) => {
    const me = await bench.person();
    const { outcomes } = await bench.push(me, [live(key, "text")]);
    expect(outcomes).toMatchObject([{ outcome: "refused", reason: "key" }]);
    expect((await bench.page(me)).changes).toEqual([]);
  });

  it("takes the lines of MEMORY.md as their own entry", async () => {
    const me = await bench.person();
    expect((await bench.push(me, [live("#lines", "- by hand")])).outcomes[0]?.outcome).toBe("done");
  });
}

function repeating(bench: Bench): void {
  it("answers a repeated push as the first time and does it once", async () => {
    const me = await bench.person();
    const changes = [live("a.md", "one"), live("b.md", "two")];
    const first = await bench.push(me, changes, "the-same-id");
    const again = await bench.push(me, changes, "the-same-id");
    expect(again.outcomes).toEqual(first.outcomes);
    expect(again.head).toBe(2);
  });

  it("does not bring back what a repeated push had written when it was changed since", async () => {
    const me = await bench.person();
    const note = live("a.md", "one");
    await bench.push(me, [note], "replayed-later");
    await bench.push(me, [{ ...note, base: 1, body: "two" }]);
    await bench.push(me, [{ ...note, base: 2, body: "one" }]);
    await bench.push(me, [note], "replayed-later");
    const { changes, head } = await bench.page(me);
    expect(changes).toMatchObject([{ body: "one", revision: 3 }]);
    expect(head).toBe(3);
  });

  it("takes no other content under an id that it has answered", async () => {
    const me = await bench.person();
    await bench.push(me, [live("a.md", "one")], "one-id-only");
    const other = await bench.push(me, [live("a.md", "other")], "one-id-only");
    expect(other.outcomes).toMatchObject([{ outcome: "stale", revision: 1 }]);
  });
}

function forgetting(bench: Bench): void {
  it("forgets a lineage under every name it had, and tells who knows the names", async () => {
    const me = await bench.person();
    const note = live("a.md", "to be forgotten");
    await bench.push(me, [note, { ...note, key: "copy.md" }]);
    const { outcomes } = await bench.push(me, [{ forget: note.lineage }]);
    expect(outcomes).toEqual([{ outcome: "done", forget: note.lineage }]);
    const { changes } = await bench.page(me);
    expect(changes).toHaveLength(1);
    const [gone] = changes;
    expect(gone).toMatchObject({ state: "forgotten", lineage: note.lineage });
    expect(gone?.state === "forgotten" ? gone.names.toSorted() : []).toEqual(
      [nameHash("a.md"), nameHash("copy.md")].toSorted(),
    );
  });

  it("keeps neither text nor name of what was forgotten in any version", async () => {
    const me = await bench.person();
    const note = live("a.md", "the first text");
    await bench.push(me, [note]);
    await bench.push(me, [{ ...note, base: 1, body: "the second text" }]);
    await bench.push(me, [{ forget: note.lineage }]);
    expect(await bench.server.entries.versions(me, "a.md")).toEqual({ versions: [] });
    for (const seq of [1, 2, 3])
      expect(await bench.server.entries.version(me, seq)).toMatchObject({ reason: "not-found" });
  });

  it("refuses a forgotten lineage for ever, also under another name", async () => {
    const me = await bench.person();
    const note = live("a.md", "one");
    await bench.push(me, [note]);
    await bench.push(me, [{ forget: note.lineage }]);
    const { outcomes } = await bench.push(me, [
      { ...note, base: 1 },
      { ...note, key: "b.md" },
    ]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["forgotten", "forgotten"]);
  });

  it("gives the name of a forgotten note to another one", async () => {
    const me = await bench.person();
    const note = live("a.md", "one");
    await bench.push(me, [note]);
    const { outcomes } = await bench.push(me, [{ forget: note.lineage }, live("a.md", "another", 1)]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["done", "done"]);
    expect((await bench.page(me)).changes).toMatchObject([{ state: "forgotten" }, { state: "live", body: "another" }]);
  });

  it("forgets what it has never seen, and forgets twice without a change", async () => {
    const me = await bench.person();
    const lineage = newLineage();
    expect((await bench.push(me, [{ forget: lineage }])).head).toBe(1);
    expect((await bench.push(me, [{ forget: lineage }])).head).toBe(1);
  });

  it("names the devices that have pulled past a forget", async () => {
    const me = await bench.person();
    const note = live("a.md", "one");
    const before = await bench.push(me, [note]);
    await bench.page(me, { cursor: before.head, mark: before.mark });
    const { head, mark } = await bench.push(me, [{ forget: note.lineage }]);
    expect(must(await bench.server.spaces.receipts(me, note.lineage)).devices).toMatchObject([{ done: false }]);
    await bench.page(me, { cursor: head, mark });
    expect(must(await bench.server.spaces.receipts(me, note.lineage)).devices).toMatchObject([
      { device: "laptop", done: true },
    ]);
  });

  it("knows that a device which writes onto all that it has is not behind", async () => {
    const me = await bench.person();
    const before = await bench.push(me, [live("a.md", "one")]);
    await bench.page(me, { cursor: before.head, mark: before.mark });
    const { head } = await bench.push(me, [live("b.md", "two")]);
    expect(must(await bench.server.spaces.devices(me, 10))).toMatchObject({ head, devices: [{ revision: head }] });
  });

  it("tells how far each device is, and what was forgotten, the newest first", async () => {
    const me = await bench.person();
    const [one, two] = [live("a.md", "one"), live("b.md", "two")];
    await bench.push(me, [one, two]);
    const first = await bench.push(me, [{ forget: one.lineage }]);
    const { head, mark } = await bench.push(me, [{ forget: two.lineage }]);
    await bench.page(me, { cursor: first.head, mark: first.mark });
    expect(must(await bench.server.spaces.devices(me, 10))).toMatchObject({
      head,
      devices: [{ device: "laptop", revision: first.head }],
      forgets: [
        { lineage: two.lineage, revision: head },
        { lineage: one.lineage, revision: first.head },
      ],
    });
    expect(must(await bench.server.spaces.devices(me, 1)).forgets).toHaveLength(1);
    await bench.page(me, { cursor: head, mark });
    expect(must(await bench.server.spaces.devices(me, 10)).devices).toMatchObject([{ revision: head }]);
  });
}

function pulling(bench: Bench): void {
  it("gives a page with nothing in it to a client that has everything", async () => {
    const me = await bench.person();
    const { head, mark } = await bench.push(me, [live("a.md", "one")]);
    const all = { head, headMark: mark, next: head, mark, changes: [] };
    expect(await bench.page(me, { cursor: head, mark })).toEqual(all);
  });

  it("gives each entry once, as it is now, after whatever cursor", async () => {
    const me = await bench.person();
    const note = live("a.md", "one");
    const first = await bench.push(me, [note, live("b.md", "b")]);
    for (const base of [1, 3, 4]) await bench.push(me, [{ ...note, base, body: `after ${base}` }]);
    const { changes } = await bench.page(me, { cursor: first.head, mark: first.mark });
    expect(changes).toMatchObject([{ key: "a.md", body: "after 4", revision: 5 }]);
  });

  it("gives every entry exactly once over many pages", async () => {
    const me = await bench.person();
    await bench.push(
      me,
      Array.from({ length: 23 }, (_, n) => live(`n${n}.md`, `text ${n}`)),
    );
    const keys: string[] = [];
    let from = { cursor: 0, mark: "" };
    for (let pages = 0; pages < 10; pages += 1) {
      const { changes, next, mark, head } = await bench.page(me, { ...from, limit: 5 });
      keys.push(...changes.flatMap((change) => ("key" in change ? [change.key] : [])));
      from = { cursor: next, mark };
      if (next === head) break;
    }
    expect(keys).toEqual(Array.from({ length: 23 }, (_, n) => `n${n}.md`));
  });

  it("ends a page before a megabyte of texts, but never before its first entry", async () => {
    const me = await bench.person();
    for (const n of [0, 1, 2, 3]) await bench.push(me, [live(`n${n}.md`, "x".repeat(90_000))]);
    const { changes } = await bench.page(me, { limit: 2 });
    expect(changes).toHaveLength(2);
  });

  it("notices a cursor, a mark and a top that are not in its past", async () => {
    const me = await bench.person();
    const { head, mark } = await bench.push(me, [live("a.md", "one")]);
    const changed = { kind: "denied", reason: "history-changed" };
    expect(await bench.pull(me, { cursor: head, mark: "another" })).toMatchObject(changed);
    expect(await bench.pull(me, { cursor: head + 1, mark })).toMatchObject(changed);
    expect(await bench.pull(me, { cursor: head, mark, top: head + 5, topMark: "x" })).toMatchObject(changed);
    const next = await bench.push(me, [live("b.md", "two")]);
    expect(await bench.pull(me, { cursor: head, mark, top: next.head, topMark: "x" })).toMatchObject(changed);
    expect(await bench.pull(me, { cursor: head, mark, top: next.head, topMark: next.mark })).toMatchObject({ head: 2 });
  });

  it("names the highest of the marks that is in its past", async () => {
    const me = await bench.person();
    const one = await bench.push(me, [live("a.md", "one")]);
    const two = await bench.push(me, [live("b.md", "two")]);
    const marks = [
      { seq: one.head, mark: one.mark },
      { seq: two.head, mark: "of another life" },
    ];
    expect(await bench.server.changes.common(me, { marks })).toEqual({ seq: one.head });
    expect(await bench.server.changes.common(me, { marks: [{ seq: 9, mark: "no" }] })).toEqual({ seq: 0 });
    expect(await bench.server.changes.common(me, { marks: [] })).toEqual({ seq: 0 });
  });

  it("drops old texts after a month and tombstones after half a year, and sends who was away back to the start", async () => {
    const me = await bench.person();
    const note = live("a.md", "the first text");
    const gone = live("gone.md", "gone");
    const first = await bench.push(me, [note, gone]);
    await bench.push(me, [{ ...note, base: 1, body: "the second text" }]);
    const deleted = await bench.push(me, [{ key: "gone.md", lineage: gone.lineage, base: 2, state: "deleted" }]);
    const head = await bench.push(me, [live("last.md", "last")]);
    expect(await bench.server.entries.version(me, 1)).toMatchObject({ body: "the first text" });
    await later(bench, 31);
    expect(must(await bench.server.entries.version(me, 1)).body).toBeUndefined();
    expect(await bench.pull(me, { cursor: first.head, mark: first.mark })).toMatchObject({ next: head.head });
    await later(bench, 150);
    expect(await bench.pull(me, { cursor: first.head, mark: first.mark })).toMatchObject({ reason: "compacted" });
    expect(await bench.pull(me, { cursor: deleted.head, mark: deleted.mark })).toMatchObject({ reason: "compacted" });
    expect(await bench.pull(me, { cursor: head.head, mark: head.mark })).toMatchObject({ changes: [] });
    const { changes } = await bench.page(me);
    expect(changes).toMatchObject([{ key: "a.md", body: "the second text" }, { key: "last.md" }]);
    bench.offsetMs = 0;
  });
}

/** Days pass, and the upkeep comes by. */
async function later(bench: Bench, days: number): Promise<void> {
  bench.offsetMs += days * DAY_MS;
  await bench.opened?.upkeep.tick();
}

function limiting(bench: Bench): void {
  it("refuses a push that would exceed the quota as a whole, and still takes what makes the space smaller", async () => {
    const me = await bench.person();
    const notes = Array.from({ length: 40 }, (_, n) => live(`n${n}.md`, "x"));
    await bench.push(me, notes);
    const more = await bench.server.changes.push(me, "one-too-many", [live("more.md", "x")]);
    expect(more).toMatchObject({ kind: "denied", reason: "quota" });
    const [first] = notes;
    await bench.push(me, [{ key: "n0.md", lineage: first?.lineage ?? "", base: 1, state: "deleted" }]);
    expect((await bench.push(me, [live("more.md", "x")])).outcomes[0]?.outcome).toBe("done");
  });

  it("counts the bytes of live texts", async () => {
    const me = await bench.person();
    for (const n of [0, 1]) await bench.push(me, [live(`n${n}.md`, "x".repeat(190_000))]);
    const more = await bench.server.changes.push(me, "too-many-bytes", [live("more.md", "x".repeat(30_000))]);
    expect(more).toMatchObject({ reason: "quota" });
    expect(must(await bench.server.spaces.list(me)).spaces).toMatchObject([{ entries: 2, bytes: 380_000 }]);
  });

  it("takes one entry larger than a push alone, none larger than an entry, and no two that are", async () => {
    const me = await bench.person();
    expect((await bench.push(me, [live("big.md", "x".repeat(240_000))])).outcomes[0]?.outcome).toBe("done");
    const huge = await bench.push(me, [live("huge.md", "x".repeat(250_001))]);
    expect(huge.outcomes).toMatchObject([{ outcome: "refused", reason: "size" }]);
    const two = [live("c.md", "x".repeat(150_000)), live("d.md", "x".repeat(150_000))];
    expect(await bench.server.changes.push(me, "two-large-ones", two)).toMatchObject({ reason: "too-large" });
  });

  it("takes into an encrypted space what is encrypted, up to its own size, and nothing that can be read", async () => {
    const owner = await bench.person();
    const { id } = must(
      await bench.server.spaces.create(owner, { kind: "user", name: "sealed", identity: "", sealed: true }),
    );
    const me = must(await bench.server.access(owner.token, id));
    const sealed = `${SEALED_HEADS.note}0a0b0c0d `;
    const { outcomes } = await bench.push(me, [
      live("a.md", `${sealed}${A_SECRET}`),
      live("b.md", "readable"),
      live("A.md", sealed),
    ]);
    expect(outcomes).toMatchObject([
      { outcome: "done" },
      { outcome: "refused", key: "b.md", reason: "sealed" },
      { outcome: "done" },
    ]);
    // A renamed note of the largest size is two entries.
    const big = live("big.md", sealed.padEnd(335_000, "x"));
    const renamed = [big, live("old.md", sealed.padEnd(600, "x"), 0, big.lineage)].map((one) => ({
      ...one,
      group: "g",
    }));
    expect((await bench.push(me, renamed)).outcomes).toMatchObject([{ outcome: "done" }, { outcome: "done" }]);
    const huge = await bench.push(me, [live("huge.md", sealed.padEnd(350_001, "x"))]);
    expect(huge.outcomes).toMatchObject([{ outcome: "refused", reason: "size" }]);
    const page = await bench.page(me);
    expect(page.changes.map((one) => "key" in one && one.key)).toEqual(["a.md", "A.md", "big.md", "old.md"]);
  });

  it("refuses a text with a secret by the name of the rule, and takes the rest", async () => {
    const me = await bench.person();
    const { text, secret } = A_SECRET;
    const { outcomes } = await bench.push(me, [live("a.md", text), live("b.md", "fine")]);
    expect(outcomes).toMatchObject([
      { outcome: "refused", reason: "secret", rule: expect.stringMatching(/\w/u) },
      { outcome: "done" },
    ]);
    expect(JSON.stringify(await bench.page(me))).not.toContain(secret);
  });
}

function admitting(bench: Bench): void {
  it("answers for a space of others as for one that is not there", async () => {
    const [me, other] = [await bench.person(), await bench.person()];
    const foreign = must(await bench.server.access(me.token, other.spaceId));
    const nowhere = must(await bench.server.access(me.token, "00000000-0000-4000-8000-000000000000"));
    const answers = await Promise.all([foreign, nowhere].map((access) => bench.pull(access)));
    expect(answers[0]).toMatchObject({ reason: "not-found" });
    expect(answers[0]).toEqual(answers[1]);
  });

  it("lets a member do what the role allows, and nothing after the member was removed", async () => {
    const [me, jane] = [await bench.person(), await bench.person()];
    await bench.server.spaces.setMember(me, jane.caller.login, "reader");
    const reading = must(await bench.server.access(jane.token, me.spaceId));
    expect(await bench.pull(reading)).toMatchObject({ head: 0 });
    expect(await bench.server.changes.push(reading, "by-a-reader", [live("a.md", "x")])).toMatchObject({
      reason: "forbidden",
    });
    must(await bench.server.spaces.removeMember(me, jane.caller.userId));
    const gone = must(await bench.server.access(jane.token, me.spaceId));
    expect(await bench.pull(gone)).toMatchObject({ reason: "not-found" });
  });

  it("keeps one admin in a space", async () => {
    const me = await bench.person();
    expect(await bench.server.spaces.removeMember(me, me.caller.userId)).toMatchObject({ reason: "conflict" });
    expect(await bench.server.spaces.setMember(me, me.caller.login, "reader")).toMatchObject({ reason: "conflict" });
  });

  it("gives a token that does less than its owner, in one space, for some days", async () => {
    const me = await bench.person();
    const wanted = { user: undefined, space: me.spaceId, role: "reader", days: 2, device: "phone" } as const;
    const { token, id } = must(await bench.server.tokens.add(me, wanted));
    const phone = must(await bench.server.access(token, me.spaceId));
    expect(phone.role).toBe("reader");
    expect(await bench.server.tokens.add(phone, { ...wanted, role: "writer" })).toMatchObject({ reason: "forbidden" });
    expect(await bench.server.tokens.add(phone, { ...wanted, user: "mallory" })).toMatchObject({ reason: "forbidden" });
    const { id: second } = must(
      await bench.server.spaces.create(me, { kind: "user", name: "mine", identity: "", sealed: false }),
    );
    expect(must(await bench.server.access(token, second)).role).toBeUndefined();
    bench.offsetMs = 3 * DAY_MS;
    expect(await bench.server.access(token, me.spaceId)).toMatchObject({ reason: "unauthorized" });
    bench.offsetMs = 0;
    must(await bench.server.tokens.revoke(me, id));
    expect(await bench.server.access(token, me.spaceId)).toMatchObject({ reason: "unauthorized" });
  });

  it("revokes no token of others", async () => {
    const [me, other] = [await bench.person(), await bench.person()];
    expect(await bench.server.tokens.revoke(me, other.caller.tokenId)).toMatchObject({ reason: "not-found" });
    expect(must(await bench.server.access(other.token, other.spaceId)).role).toBe("admin");
  });

  it("writes down who did what, without a text or a name of a note", async () => {
    const me = await bench.person();
    const note = live("private-name.md", "private text");
    await bench.push(me, [note]);
    await bench.push(me, [{ forget: note.lineage }]);
    const { audit } = must(await bench.server.spaces.audit(me, 100));
    expect(audit.map(({ action }) => action).toSorted()).toEqual(["create", "forget"]);
    expect(audit.every(({ user }) => user === me.caller.login)).toBe(true);
    expect(JSON.stringify(audit)).not.toMatch(/private/u);
  });

  it("changes and restores one note by its revision", async () => {
    const me = await bench.person();
    const { entries } = bench.server;
    expect(await entries.write(me, "dir/a.md", 0, "push-write-1", "one")).toEqual({ key: "dir/a.md", revision: 1 });
    expect(await entries.write(me, "dir/a.md", 0, "push-write-2", "two")).toMatchObject({
      reason: "stale",
      detail: { revision: 1 },
    });
    expect(await entries.remove(me, "dir/a.md", 1, "push-write-3")).toMatchObject({ revision: 2 });
    expect(await entries.read(me, "dir/a.md")).toMatchObject({ reason: "not-found" });
    const { versions } = must(await entries.versions(me, "dir/a.md"));
    expect(versions.map(({ revision }) => revision)).toEqual([2, 1]);
  });
}
