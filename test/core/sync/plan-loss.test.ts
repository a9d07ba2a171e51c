import { describe, expect, test } from "vitest";
import { baseInMemory, type BaseEntry, emptyState } from "../../../src/core/sync/base.ts";
import { planPull } from "../../../src/core/sync/plan-pull.ts";
import { unsentOf } from "../../../src/core/sync/plan-push.ts";
import { type RemoteEntry, removedId } from "../../../src/core/sync/protocol.ts";
import { sha256 } from "../../../src/core/shared/hash.ts";
import { runSync } from "../../../src/core/sync/run.ts";
import { mergeTextLines, type NotesInMemory, notesInMemory, spaceTransport } from "../../support/sync-replica.ts";
import { openSpace, type SyncSpace } from "../../support/sync-space.ts";

const agreed = (key: string, lineage: string, body: string): BaseEntry => ({
  key,
  lineage,
  revision: `${key} ${body}`,
  state: "live",
  hash: sha256(body),
  body,
});

const live = (key: string, lineage: string, body: string): RemoteEntry => ({
  state: "live",
  key,
  lineage,
  revision: `${key} ${body}`,
  body,
});

const page = (...changes: readonly RemoteEntry[]) => ({
  outcome: "page" as const,
  head: "2",
  next: "2",
  changes: changes.map((entry) => ({ entry })),
});

test("a note that was renamed and the note that took its name are sent together or not at all", () => {
  const notes = notesInMemory();
  notes.put("Plan.md", "first\n", "l1");
  notes.put("plan.md", "second\n", "l2");
  const { state } = baseInMemory({
    ...emptyState,
    entries: new Map([["plan.md", agreed("plan.md", "l1", "first\n")]]),
  });
  const { changes } = unsentOf(notes.look(), state);
  expect(changes.map(({ key, lineage, state: now }) => [key, lineage, now])).toEqual([
    ["Plan.md", "l1", "live"],
    ["plan.md", "l2", "live"],
  ]);
  expect(new Set(changes.map(({ group }) => group)).size).toBe(1);
  expect(changes[0]?.group).toBeDefined();
});

test("an edit of a note that others removed is not merged into the copy of a conflict, which alone has the other text", () => {
  const notes = notesInMemory();
  notes.put("plan.md", "ours\n", "l1");
  const { state } = baseInMemory({
    ...emptyState,
    entries: new Map([["plan.md", agreed("plan.md", "l1", "theirs\n")]]),
  });
  const copy = live("plan.conflict-7.md", "l1", "theirs\n");
  const gone: RemoteEntry = { state: "deleted", key: "plan.md", lineage: "l1", revision: "2" };
  const { steps } = planPull(page(copy, gone), notes.look(), state, mergeTextLines);
  expect(steps).toEqual([{ kind: "create", key: "plan.conflict-7.md", text: "theirs\n", lineage: "l1" }]);
});

test("an older text of a restored space takes no words out of a note that was renamed here", () => {
  const notes = notesInMemory();
  notes.put("new.md", "old\nnewer\n", "l1");
  const entries = new Map([["old.md", agreed("old.md", "l1", "old\nnewer\n")]]);
  const { state } = baseInMemory({ ...emptyState, entries, resync: { since: "", seen: new Set() } });
  const { steps, conflicts } = planPull(page(live("old.md", "l1", "other\n")), notes.look(), state, mergeTextLines);
  expect(steps).toEqual([{ kind: "create", key: conflicts[0]?.copy, text: "other\n", lineage: "l1" }]);
  expect(conflicts).toMatchObject([{ key: "new.md" }]);
});

test("a note that was removed here stays removed if others send a text again that it had here, and comes with another one", () => {
  const notes = notesInMemory();
  notes.put("a.md", "one\n", "l1");
  notes.put("a.md", "two\n", "l1");
  notes.files.delete("a.md");
  const { state } = baseInMemory({ ...emptyState, entries: new Map([["a.md", agreed("a.md", "l1", "one\n")]]) });
  const pulled = (body: string) => ({ ...live("a.md", "l1", body), revision: "2" });
  for (const text of ["one\n", "two\n"]) {
    const { steps, update } = planPull(page(pulled(text)), notes.look(), state, mergeTextLines);
    expect(steps).toEqual([]);
    expect(update.set).toMatchObject([{ key: "a.md", revision: "2", state: "live" }]);
  }
  const { steps } = planPull(page(pulled("three\n")), notes.look(), state, mergeTextLines);
  expect(steps).toEqual([{ kind: "create", key: "a.md", text: "three\n", lineage: "l1" }]);
});

describe("a space that was restored from a backup", () => {
  const restored = { since: "1.m", seen: new Set<string>() };
  const plan = (pulled: RemoteEntry, notes: NotesInMemory, entries: readonly BaseEntry[], stood: readonly string[]) => {
    const named = new Map(entries.map((entry) => [entry.key, entry]));
    const { state } = baseInMemory({ ...emptyState, entries: named, resync: restored });
    const stoodAtSince = (_: string, revision: string): boolean => stood.includes(revision);
    return planPull({ ...page(pulled), stoodAtSince }, notes.look(), state, mergeTextLines);
  };

  test("has a copy with a text that the note had here: it comes, since it may be all that is left of the text", () => {
    const notes = notesInMemory();
    notes.put("a.md", "one\n", "l1");
    notes.put("a.md", "two\n", "l1");
    const { steps } = plan(live("a.conflict-7.md", "l1", "one\n"), notes, [agreed("a.md", "l1", "two\n")], []);
    expect(steps).toEqual([{ kind: "create", key: "a.conflict-7.md", text: "one\n", lineage: "l1" }]);
  });

  test("has an older text of the note: the newer one is sent again", () => {
    const notes = notesInMemory();
    notes.put("a.md", "one\n", "l1");
    notes.put("a.md", "two\n", "l1");
    const { steps, update } = plan(live("a.md", "l1", "one\n"), notes, [agreed("a.md", "l1", "two\n")], []);
    expect(steps).toEqual([]);
    expect(update.set).toMatchObject([{ key: "a.md", body: "one\n" }]);
  });

  test("lost a note that was agreed on before the backup because it was removed since: it stays removed", () => {
    const notes = notesInMemory();
    notes.put("a.md", "one\n", "l1");
    const gone: RemoteEntry = { state: "deleted", key: "a.md", lineage: "l1", revision: "9" };
    const known = agreed("a.md", "l1", "one\n");
    expect(plan(gone, notes, [known], [known.revision]).steps).toEqual([
      { kind: "delete", key: "a.md", seen: "one\n" },
    ]);
  });

  test("lacks a note that was agreed on after the backup, sent again and removed by others: it stays removed", () => {
    const notes = notesInMemory();
    notes.put("a.md", "one\n", "l1");
    const known = agreed("a.md", "l1", "one\n");
    const gone = (was?: string): RemoteEntry => ({
      state: "deleted",
      key: "a.md",
      lineage: "l1",
      revision: "9",
      ...(was !== undefined && { was: removedId(sha256(was)) }),
    });
    expect(plan(gone("one\n"), notes, [known], []).steps).toEqual([{ kind: "delete", key: "a.md", seen: "one\n" }]);
    // Where another text was removed, or nobody can tell which, the text here may be newer.
    expect(plan(gone("older\n"), notes, [known], []).steps).toEqual([]);
    expect(plan(gone(), notes, [known], []).steps).toEqual([]);
    notes.put("a.md", "one\nmore\n", "l1");
    expect(plan(gone("one\n"), notes, [known], []).steps).toEqual([]);
  });

  test("has a text again that the note had here before it was removed here: it stays removed, though agreed on before", () => {
    const notes = notesInMemory();
    notes.put("a.md", "old\n", "l1");
    notes.put("a.md", "new\n", "l1");
    notes.files.delete("a.md");
    const known = agreed("a.md", "l1", "new\n");
    expect(plan(live("a.md", "l1", "old\n"), notes, [known], [known.revision]).steps).toEqual([]);
    expect(plan(live("a.md", "l1", "never seen\n"), notes, [known], [known.revision]).steps).toEqual([
      { kind: "create", key: "a.md", text: "never seen\n", lineage: "l1" },
    ]);
  });

  test("forgot a note: lines that sync brought here do not wait for review, those written here do", () => {
    const notes = notesInMemory();
    notes.apply([{ kind: "create", key: "a.md", text: "theirs\n", lineage: "l1" }], "");
    notes.put("a.md", "theirs\nours\n", "l1");
    const { unsent } = plan({ state: "forgotten", lineage: "l1", names: [] }, notes, [], []);
    expect(unsent).toEqual([{ key: "a.md", text: "ours\n" }]);
  });
});

test("a device that stands at the head and does not know an entry there asks for it by name, and both texts stay", async () => {
  const space = openSpace();
  const device = () => {
    const [notes, base] = [notesInMemory(), baseInMemory(emptyState)];
    const newPushId = (): string => `push-${String(Math.random())}`;
    const transport = spaceTransport(space);
    const ports = { transport, base, replica: notes, merge: mergeTextLines, judge: async () => undefined, newPushId };
    return { notes, base, sync: () => runSync(ports) };
  };
  const [one, two] = [device(), device()];
  one.notes.put("a.md", "there\n", "l1");
  await one.sync();
  await two.sync();
  two.base.write({ remove: ["a.md"] });
  two.notes.put("a.md", "here\n", "l1");
  expect((await two.sync()).end).toEqual({ outcome: "done" });
  await one.sync();
  const texts = [...one.notes.files.values()].map(({ text }) => text);
  expect(texts.toSorted()).toEqual(["here\n", "there\n"]);
  expect(one.notes.files).toEqual(two.notes.files);
});

describe("a restored space in which a note was removed that is younger than the backup", () => {
  const deviceOf = (space: SyncSpace) => {
    const [notes, base] = [notesInMemory(), baseInMemory(emptyState)];
    const newPushId = (): string => `push-${String(Math.random())}`;
    const transport = spaceTransport(space);
    const ports = { transport, base, replica: notes, merge: mergeTextLines, judge: async () => undefined, newPushId };
    return { notes, sync: () => runSync(ports) };
  };

  async function together() {
    const space = openSpace();
    const devices = [deviceOf(space), deviceOf(space), deviceOf(space)] as const;
    const [one, two, three] = devices;
    one.notes.put("first.md", "first\n", "l0");
    for (const device of [one, two, three]) await device.sync();
    const restore = space.backup();
    one.notes.put("a.md", "one\n", "l1");
    for (const device of [one, two, three]) await device.sync();
    return { one, two, three, restore, space };
  }

  test("does not get it back from a device that syncs later", async () => {
    const { one, two, three, restore } = await together();
    restore();
    await one.sync();
    one.notes.files.delete("a.md");
    for (const device of [one, two, three, one]) await device.sync();
    for (const { notes } of [one, two, three]) expect([...notes.files.keys()]).toEqual(["first.md"]);
  });

  test("gets words back that the device which removed the note had not seen", async () => {
    const { one, two, three, space } = await together();
    const restore = space.backup();
    one.notes.put("a.md", "one\nmore\n", "l1");
    await one.sync();
    await three.sync();
    restore();
    two.notes.files.delete("a.md");
    for (const device of [two, three, one, two, three]) await device.sync();
    for (const { notes } of [one, two, three]) expect(notes.files.get("a.md")?.text).toBe("one\nmore\n");
  });
});
