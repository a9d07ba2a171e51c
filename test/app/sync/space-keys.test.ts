import fs from "node:fs";
import { expect, test } from "vitest";
import { ageWrap } from "../../../src/adapters/crypto/age.ts";
import { vault } from "../../../src/adapters/crypto/seal.ts";
import { deviceKey } from "../../../src/app/sync/key-files.ts";
import { openSpaceKeys, pushIdAt, type OpenSpaceKeys } from "../../../src/app/sync/space-keys.ts";
import { emptyState } from "../../../src/core/sync/base.ts";
import * as rings from "../../../src/core/sync/keyring.ts";
import type { Cipher } from "../../../src/core/sync/sealed-note.ts";
import { type NoAnswer, START } from "../../../src/core/sync/transport.ts";
import { filesBelow, scratch } from "../../support/scratch.ts";
import { spaceTransport } from "../../support/sync-replica.ts";
import { openSpace, type SyncSpace } from "../../support/sync-space.ts";

const PORTS = { vault, wrap: ageWrap };

function device(space: SyncSpace, home = scratch()) {
  const transport = spaceTransport(space);
  const open = (): OpenSpaceKeys =>
    openSpaceKeys({
      transport,
      memdirHome: home,
      state: `${home}/state`,
      name: "user",
      now: () => Date.parse("2026-03-02T09:00:00Z"),
      newPushId: () => pushIdAt(Math.random() * 1e12),
    });
  return {
    home,
    transport,
    open,
    /** As a run that pulls does it. */
    async meet(): Promise<OpenSpaceKeys> {
      const keys = open();
      await keys.cipher();
      const page = await transport.pull({ cursor: START, tops: [], limit: 100 });
      await keys.learn(page.outcome === "page" ? page.changes.map(({ entry }) => entry) : []);
      return keys;
    },
  };
}

function failure(answer: Cipher | NoAnswer): string {
  return "outcome" in answer
    ? `${answer.outcome} ${"reason" in answer ? answer.reason : ""} ${answer.message}`
    : "open";
}

async function approved(space: SyncSpace) {
  const [one, two] = [device(space), device(space)];
  await one.open().cipher();
  await two.open().cipher();
  await (await one.meet()).approve(two.open().known.words ?? "");
  await two.open().cipher();
  return { one, two };
}

/** Whoever owns the remote, or has access to it, writes there. */
function put(space: SyncSpace, text: string): void {
  const now = space.read(rings.KEYS_ENTRY);
  if (now?.state !== "live") throw new Error("there are no keys");
  const change = {
    key: rings.KEYS_ENTRY,
    lineage: now.lineage,
    base: now.revision,
    state: "live" as const,
    body: text,
  };
  expect(space.push(`by-force-${Math.random()}`, { changes: [change] }).outcomes).toMatchObject([{ outcome: "done" }]);
}

function ringOf({ known }: OpenSpaceKeys): rings.Keyring {
  if (known.ring === undefined) throw new Error("no keys");
  return known.ring;
}

test("keys are on the devices and, wrapped, in the space; a device shows who it is to those alone who know its words", async () => {
  const space = openSpace();
  const { one, two } = await approved(space);
  const [keysOne, keysTwo] = [one.open(), two.open()];
  expect(ringOf(keysTwo)).toEqual(ringOf(keysOne));
  const [epoch] = ringOf(keysOne).epochs;
  const [deviceOne, deviceTwo] = [await deviceKey(one.home), await deviceKey(two.home)];
  const secrets = [epoch?.key ?? "", deviceOne.identity, deviceTwo.identity, deviceOne.recipient, deviceTwo.recipient];
  for (const secret of secrets) expect(space.everything()).not.toContain(secret);
  for (const [file] of filesBelow(one.home)) expect(fs.statSync(`${one.home}/${file}`).mode & 0o77).toBe(0);
  expect(space.read(rings.deviceEntry(deviceTwo.id))).toBeUndefined();
});

test("of two devices that begin at once one makes the keys, and the other asks for them", async () => {
  const space = openSpace();
  const [one, two] = [device(space), device(space)];
  const late = two.open();
  const read = two.transport.read;
  // Between its look and its push the first one was quicker.
  two.transport.read = async (key) => {
    two.transport.read = read;
    const answer = await read(key);
    expect("outcome" in (await one.open().cipher())).toBe(false);
    return answer;
  };
  expect(failure(await late.cipher())).toMatch(/^denied key key missing/u);
  expect(late.known).toMatchObject({ ring: undefined, recovery: undefined, words: expect.any(String) });
  expect([...filesBelow(two.home).keys()].filter((file) => file.includes("recovery"))).toEqual([]);
  expect((await (await one.meet()).approve(late.known.words ?? ""))?.id).toBe((await deviceKey(two.home)).id);
  expect(failure(await two.open().cipher())).toBe("open");
});

test("keys that somebody without the words made for a waiting device are not taken", async () => {
  const space = openSpace();
  const [one, two] = [device(space), device(space)];
  await one.open().cipher();
  await two.open().cipher();
  const { id, name, recipient } = await deviceKey(two.home);
  const key = { id: "beefbeef", key: vault.newKey() };
  const since = "2026-03-02T09:00:00Z";
  const forged: rings.Keyring = {
    version: 7,
    epochs: [key],
    accepted: [key.id],
    devices: [{ id, name, recipient, since }],
    recovery: recipient,
    approvals: { [id]: rings.approvalFor(vault, vault.stretch("not-the-words", id), id, key) },
  };
  put(space, await rings.ringText(PORTS, forged));
  expect(failure(await two.open().cipher())).toMatch(/^denied key key missing/u);
  expect(two.open().known.ring).toBeUndefined();
});

test("a device that was removed cannot read what comes, nor make the others take keys of its own", async () => {
  const space = openSpace();
  const { one, two } = await approved(space);
  const stolen = ringOf(two.open());
  const keys = await one.meet();
  await keys.remove((await deviceKey(two.home)).id);
  const now = ringOf(keys);
  expect(now.epochs).toHaveLength(2);
  expect(now.accepted).toHaveLength(2);
  expect(failure(await two.open().again())).toMatch(/this device was removed/u);
  const evil = { id: "beefbeef", key: vault.newKey() };
  put(
    space,
    await rings.ringText(PORTS, { ...stolen, version: 99, epochs: [...stolen.epochs, evil], accepted: [evil.id] }),
  );
  expect(failure(await one.open().again())).toMatch(/^denied role the keys at the remote do not come from a device/u);
  expect(ringOf(one.open())).toEqual(now);
});

test("keys that were changed or cut are refused, and those known here stay", async () => {
  const space = openSpace();
  const { one } = await approved(space);
  const before = ringOf(one.open());
  const entry = space.read(rings.KEYS_ENTRY);
  const text = entry?.state === "live" ? entry.body : "";
  for (const bad of [text.slice(0, -40), text.replace(/"sealed": "..../u, '"sealed": "AAAA'), "keys\n", ""]) {
    put(space, bad);
    expect(failure(await one.open().again())).toMatch(/^denied role the keys at the remote/u);
  }
  expect(ringOf(one.open())).toEqual(before);
  put(space, text);
  expect(failure(await one.open().again())).toBe("open");
});

test("a remote that was restored gets the keys back that it lost", async () => {
  const space = openSpace();
  const empty = space.backup();
  const { one, two } = await approved(space);
  const withBoth = space.backup();
  const keys = await one.meet();
  await keys.remove((await deviceKey(two.home)).id);
  const now = ringOf(keys);
  for (const restore of [withBoth, empty]) {
    restore();
    expect(failure(await one.open().again())).toBe("open");
    expect(ringOf(one.open()).epochs).toEqual(now.epochs);
    expect(failure(await two.open().again())).toMatch(/this device was removed/u);
  }
});

test("once all notes are under the newest key the earlier one is accepted no more", async () => {
  const space = openSpace();
  const { one, two } = await approved(space);
  const keys = await one.meet();
  await keys.remove((await deviceKey(two.home)).id);
  const [old, last] = ringOf(keys).epochs;
  const entry = { key: "a.md", lineage: "1".repeat(24), state: "live" as const, hash: undefined, body: "x" };
  const stateWith = (revision: string) => ({ ...emptyState, entries: new Map([["a.md", { ...entry, revision }]]) });
  await keys.settle(stateWith(`${old?.id}.1.3`));
  expect(ringOf(keys).accepted).toEqual([old?.id, last?.id]);
  await keys.settle(stateWith(`${last?.id}.2.4`));
  expect(ringOf(one.open()).accepted).toEqual([last?.id]);
});

test("the recovery phrase opens the space as it is now, and one from before a removal does not", async () => {
  const space = openSpace();
  const { one, two } = await approved(space);
  const first = fs.readFileSync(one.open().known.recovery ?? "", "utf8");
  const late = device(space);
  await late.open().recover(/phrase: (.*)/u.exec(first)?.[1]?.toUpperCase() ?? "");
  expect(failure(await late.open().cipher())).toBe("open");
  const keys = await one.meet();
  const file = await keys.remove((await deviceKey(two.home)).id);
  const other = device(space);
  await expect(other.open().recover(first)).rejects.toThrow(/does not open this space/u);
  await expect(other.open().recover("twelve words that are not of the list at all my friend")).rejects.toThrow(
    /neither a recovery phrase/u,
  );
  await other.open().recover(fs.readFileSync(file, "utf8"));
  expect(ringOf(other.open()).devices.map(({ removed }) => removed !== undefined)).toEqual([false, true, false, false]);
});
