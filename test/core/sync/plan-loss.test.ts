import { expect, test } from "vitest";
import { baseInMemory, type BaseEntry, emptyState } from "../../../src/core/sync/base.ts";
import { planPull } from "../../../src/core/sync/plan-pull.ts";
import { unsentOf } from "../../../src/core/sync/plan-push.ts";
import type { RemoteEntry } from "../../../src/core/sync/protocol.ts";
import { sha256 } from "../../../src/core/shared/hash.ts";
import { mergeTextLines, notesInMemory } from "../../support/sync-replica.ts";

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
