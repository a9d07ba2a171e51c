import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { openGitRemote } from "../../../src/adapters/git/sync/sync-remote.ts";
import { vault } from "../../../src/adapters/crypto/seal.ts";
import { baseInMemory, emptyState } from "../../../src/core/sync/base.ts";
import { LIMITS, LINES_KEY } from "../../../src/core/sync/protocol.ts";
import { runSync } from "../../../src/core/sync/run.ts";
import { cipherOf, remoteRevision, sealedBytes } from "../../../src/core/sync/sealed-note.ts";
import { plainTransport, replacing, sealedTransport, sealingAnew, timedPushId } from "../../../src/core/sync/sealed.ts";
import { START } from "../../../src/core/sync/transport.ts";
import { describeTransport } from "../../contracts/transport.ts";
import { scratch } from "../../support/scratch.ts";
import { keysInMemory, sealedDevice, TEST_RING } from "../../support/sealed-keys.ts";
import { mergeTextLines, notesInMemory, spaceTransport } from "../../support/sync-replica.ts";
import { openSpace, type SyncSpace } from "../../support/sync-space.ts";

describeTransport("an encrypted space", () => {
  const space = openSpace();
  const connect = () => sealedDevice(spaceTransport(space));
  return { connect, backup: () => space.backup(), stateOf: remoteRevision };
});

describeTransport("an encrypted branch of a git repository", () => {
  const root = scratch();
  const remote = `${root}/remote.git`;
  execFileSync("git", ["init", "--quiet", "--bare", remote]);
  let devices = 0;
  const environment = { PATH: process.env["PATH"], HOME: root };
  const clock = { now: () => Date.parse("2026-03-02T09:00:00Z"), timeZone: "UTC" };
  return {
    connect() {
      const directory = `${root}/${(devices += 1)}/sync`;
      return sealedDevice(openGitRemote({ remote, branch: "memdir/user", directory, environment, clock }));
    },
    stateOf: remoteRevision,
  };
});

const L1 = "1".repeat(24);
const L2 = "2".repeat(24);
const cipher = cipherOf(vault, TEST_RING);

describe("a sealed text", () => {
  const note = { key: "a.md", lineage: L1, state: "live", body: "wombat\n" } as const;
  const wire = cipher.seal(note, 3);

  test("says nothing of note or name, is the same each time, and other for every state", () => {
    expect(JSON.stringify(wire)).not.toMatch(/wombat|a\.md"/u);
    expect(cipher.seal(note, 3)).toEqual(wire);
    expect(cipher.seal(note, 4).body).not.toBe(wire.body);
    expect(cipher.open(wire)).toMatchObject({ key: "a.md", lineage: L1, text: "wombat\n", place: { n: 3 } });
    expect(cipher.seal({ ...note, key: LINES_KEY }, 1).lineage).not.toBe(L1);
    const long = cipher.seal({ ...note, body: "x".repeat(LIMITS.entryBytes) }, 1).body;
    expect(long.length).toBeLessThanOrEqual(sealedBytes("a.md", "x".repeat(LIMITS.entryBytes)));
    expect(long.length).toBeLessThan(LIMITS.sealedBytes);
    expect(cipher.seal({ ...note, body: "x" }, 1).body.length).toBe(wire.body.length);
  });

  test("is refused with any byte changed, cut anywhere, in another place, or under another key", () => {
    const { body } = wire;
    const at = body.lastIndexOf(" ") + 1;
    for (let place = at; place < body.length - 1; place += 7) {
      const other = body[place] === "A" ? "B" : "A";
      expect(cipher.open({ ...wire, body: body.slice(0, place) + other + body.slice(place + 1) })).toBe("damaged");
      expect(cipher.open({ ...wire, body: `${body.slice(0, place)}\n` })).toBe("damaged");
    }
    expect(cipher.open({ ...wire, key: cipher.name("b.md") })).toBe("damaged");
    expect(cipher.open({ ...wire, lineage: L2 })).toBe("damaged");
    expect(cipher.open({ ...wire, body: "wombat\n" })).toBe("unsealed");
    const [epoch] = TEST_RING.epochs;
    const key = Buffer.alloc(32, 8).toString("base64");
    const sameId = cipherOf(vault, { ...TEST_RING, epochs: [{ id: epoch?.id ?? "", key }] });
    expect(sameId.open(wire)).toBe("damaged");
    expect(cipherOf(vault, { ...TEST_RING, epochs: [{ id: "ffffffff", key }] }).open(wire)).toBe("no-key");
  });
});

/** A device with notes in memory over a space that is meddled with. */
function device(space: SyncSpace) {
  const notes = notesInMemory();
  const base = baseInMemory(emptyState);
  const keys = keysInMemory();
  const transport = sealedTransport({ transport: spaceTransport(space), keys, state: () => base.state });
  let time = 1_000;
  const ports = {
    transport,
    base: sealingAnew(base, () => keys.ring.epochs.at(-1)?.id),
    replica: notes,
    merge: mergeTextLines,
    judge: async () => undefined,
    newPushId: () => timedPushId((time += 1), randomUUID()),
  };
  return {
    notes,
    base,
    keys,
    sync: () => runSync(ports, { acceptRemovals: 10 }),
    text: (key: string) => notes.files.get(key)?.text,
    problems: () => [...keys.aside.values()].map(({ key, problem }) => `${key ?? "?"} ${problem}`),
    replace() {
      const { set, taken } = replacing(keys.aside, base.state);
      base.write({ set });
      keys.setAside(new Map(taken.map((wire) => [wire, undefined])));
    },
  };
}

/** Whoever owns the remote writes into it, with numbers and marks in order. */
function meddle(space: SyncSpace, key: string, change: { readonly body?: string; readonly lineage?: string }): void {
  const wire = cipher.name(key);
  const now = space.read(wire);
  if (now?.state !== "live") throw new Error("nothing there");
  const lineage = change.lineage ?? now.lineage;
  const { body } = change;
  const state = body === undefined ? ("deleted" as const) : ("live" as const);
  const changed = { key: wire, lineage, base: now.revision, state, ...(body !== undefined && { body }) };
  expect(space.push(`meddled${Math.random()}`, { changes: [changed] }).outcomes[0]?.outcome).toBe("done");
}

function bodyOf(space: SyncSpace, key: string): string {
  const entry = space.read(cipher.name(key));
  return entry?.state === "live" ? entry.body : "";
}

describe("a remote that meddles", () => {
  async function twoWith(texts: Readonly<Record<string, string>>) {
    const space = openSpace();
    const [one, two] = [device(space), device(space)];
    for (const [at, [key, text]] of Object.entries(texts).entries()) one.notes.put(key, text, String(at).repeat(24));
    await one.sync();
    await two.sync();
    return { space, one, two };
  }

  const NEW = "new and better\n";
  const cases: readonly (readonly [string, string, (space: SyncSpace, first: string) => void])[] = [
    [
      "changes a byte",
      "damaged",
      (space) => meddle(space, "a.md", { body: bodyOf(space, "a.md").replace(/...\n$/u, "AAA\n") }),
    ],
    ["cuts a text", "damaged", (space) => meddle(space, "a.md", { body: bodyOf(space, "a.md").slice(0, 200) })],
    ["puts another note there", "damaged", (space) => meddle(space, "a.md", { body: bodyOf(space, "b.md") })],
    [
      "puts another note there with its identity",
      "damaged",
      (space) => meddle(space, "a.md", { body: bodyOf(space, "b.md"), lineage: "1".repeat(24) }),
    ],
    ["gives an older version", "older", (space, first) => meddle(space, "a.md", { body: first })],
    ["writes a text of its own", "unsealed", (space) => meddle(space, "a.md", { body: "trust me\n" })],
    ["removes a note", "unsealed", (space) => meddle(space, "a.md", {})],
  ];
  test.each(cases)("%s: refused, and nothing is lost", async (_, problem, act) => {
    const { space, one, two } = await twoWith({ "a.md": "old\n", "b.md": "b\n" });
    const first = bodyOf(space, "a.md");
    one.notes.put("a.md", NEW, "0".repeat(24));
    await one.sync();
    await two.sync();
    act(space, first);
    one.notes.put("b.md", "b, changed\n", "1".repeat(24));
    for (const each of [one, two]) expect((await each.sync()).end.outcome).toBe("done");
    for (const each of [one, two]) {
      expect([each.text("a.md"), each.text("b.md")]).toEqual([NEW, "b, changed\n"]);
      expect(each.problems()).toEqual([`a.md ${problem}`]);
    }
    // What is written here does not go over it either, until a person says so; then all is well everywhere.
    two.notes.put("a.md", "newest\n", "0".repeat(24));
    const { refused, end } = await two.sync();
    expect([end.outcome, refused]).toEqual(["done", [{ key: "a.md", reason: "sealed", rule: problem }]]);
    expect(one.text("a.md")).toBe(NEW);
    two.replace();
    for (const each of [two, one]) await each.sync();
    expect([one.text("a.md"), two.text("a.md")]).toEqual(["newest\n", "newest\n"]);
    expect([one.problems(), two.problems()]).toEqual([[], []]);
  });

  test("cannot pass a note that had the name before for the one that has it now", async () => {
    const { space, one, two } = await twoWith({ "a.md": "of the first\n" });
    const first = { body: bodyOf(space, "a.md"), lineage: "0".repeat(24) };
    one.notes.files.delete("a.md");
    await one.sync();
    one.notes.put("a.md", "of the second\n", L2);
    await one.sync();
    await two.sync();
    meddle(space, "a.md", first);
    for (const each of [one, two]) await each.sync();
    expect([one.text("a.md"), two.text("a.md")]).toEqual(["of the second\n", "of the second\n"]);
    expect(two.problems()).toEqual(["a.md older"]);
  });
});

test("after a key is replaced every note is sealed anew, and what comes under the old one is refused", async () => {
  const space = openSpace();
  const [one, two] = [device(space), device(space)];
  for (let n = 0; n < 5; n++) one.notes.put(`n${n}.md`, `text ${n}\n`, String(n).repeat(24));
  for (const each of [one, two]) await each.sync();
  const old = bodyOf(space, "n3.md");
  const epochs = [...TEST_RING.epochs, { id: "11223344", key: Buffer.alloc(32, 9).toString("base64") }];
  one.keys.ring = two.keys.ring = { ...TEST_RING, epochs, accepted: epochs.map(({ id }) => id) };
  expect(await one.sync()).toMatchObject({ pushed: 5, end: { outcome: "done" } });
  // No note is another than before, and both stand at the same place with the same revisions.
  expect(await two.sync()).toMatchObject({ pulled: 0, pushed: 0, conflicts: [], refused: [] });
  await one.sync();
  expect(two.base.state.cursor).toBe(one.base.state.cursor);
  expect([...two.base.state.entries].toSorted()).toEqual([...one.base.state.entries].toSorted());
  expect([...space.texts().values()].every((body) => body.startsWith("memdir-sealed-1 11223344 "))).toBe(true);
  one.keys.ring = two.keys.ring = { ...TEST_RING, epochs, accepted: ["11223344"] };
  expect(await one.sync()).toMatchObject({ pulled: 0, pushed: 0 });
  // A device that was removed still has the old key, and the remote helps it.
  const wire = cipher.seal({ key: "n3.md", lineage: "3".repeat(24), state: "live", body: "forged\n" }, 2 ** 50);
  meddle(space, "n3.md", { body: wire.body });
  await two.sync();
  expect([two.text("n3.md"), two.problems()]).toEqual(["text 3\n", ["n3.md retired"]]);
  expect(old).not.toBe(bodyOf(space, "n3.md"));
});

test("two names that differ in case alone do not meet in an encrypted space either", async () => {
  const space = openSpace();
  const [one, two] = [device(space), device(space)];
  one.notes.put("Note.md", "first\n", L1);
  for (const each of [one, two]) await each.sync();
  two.notes.put("note.md", "second\n", L2);
  for (const each of [two, one]) await each.sync();
  expect([...one.notes.files.keys()].toSorted()).toEqual(["Note.md", "note_2.md"]);
  expect([...two.notes.files.keys()].toSorted()).toEqual(["Note.md", "note_2.md"]);
});

test("a device that was not told of the encryption takes nothing and sends nothing", async () => {
  const space = openSpace();
  const one = device(space);
  one.notes.put("a.md", "text\n", L1);
  await one.sync();
  const before = space.texts();
  const notes = notesInMemory();
  notes.put("mine.md", "readable\n", L2);
  const ports = { transport: plainTransport(spaceTransport(space)), base: baseInMemory(emptyState), replica: notes };
  const rest = { merge: mergeTextLines, judge: async () => undefined, newPushId: () => "p1" };
  const { end } = await runSync({ ...ports, ...rest });
  expect(end).toMatchObject({ outcome: "denied", message: expect.stringContaining("--encrypt") });
  expect([...notes.files.keys()]).toEqual(["mine.md"]);
  expect(space.texts()).toEqual(before);
});

test("a push of small notes stays within what one request may carry when they are sealed", async () => {
  const space = openSpace();
  const inner = spaceTransport(space);
  const sizes: number[] = [];
  const notes = notesInMemory();
  const base = baseInMemory(emptyState);
  const counting = {
    ...inner,
    push: (id: string, changes: Parameters<typeof inner.push>[1]) => {
      sizes.push(changes.reduce((sum, one) => sum + ("forget" in one ? 0 : Buffer.byteLength(one.body ?? "")), 0));
      return inner.push(id, changes);
    },
  };
  const transport = sealedTransport({ transport: counting, keys: keysInMemory(), state: () => base.state });
  for (let n = 0; n < 900; n++) notes.put(`n${n}.md`, "small\n", String(n).padStart(24, "0"));
  let pushes = 0;
  const newPushId = (): string => timedPushId(1, `p${(pushes += 1)}`);
  await runSync({ transport, base, replica: notes, merge: mergeTextLines, judge: async () => undefined, newPushId });
  expect(space.texts().size).toBe(900);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(LIMITS.pushBytes);
  expect((await transport.pull({ cursor: START, tops: [], limit: 1000 })).outcome).toBe("page");
});
