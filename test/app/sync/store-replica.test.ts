import { expect, test } from "vitest";
import { storeReplica } from "../../../src/app/sync/store-replica.ts";
import { noteSaying, syncDevice } from "../../support/sync-device.ts";
import { startSpaceServer } from "../../support/sync-server.ts";

test("what is written into a note between the look and the commit stays, beside what another device wrote", async () => {
  const one = await syncDevice(await startSpaceServer());
  one.write("project_a.md", noteSaying("as it was judged"));
  await one.using((workspace) => {
    const store = workspace.open("project")?.store;
    if (store === undefined) throw new Error("the project has a store");
    const nothing = (): void => {};
    const replica = storeReplica({ store, isForgotten: () => false, keepForReview: nothing, forget: nothing });
    const local = replica.look();
    const judged = local.text("project_a.md");
    const lineage = local.lineage("project_a.md");
    one.write("project_a.md", noteSaying("written a moment later"));
    // A second reading: what is planned from the first must not be written over what came between.
    const seen = local.text("project_a.md") ?? "";
    expect(seen).toBe(judged);
    const theirs = noteSaying("of another device");
    const step = { kind: "write", key: "project_a.md", text: theirs, seen, lineage: lineage ?? "" } as const;
    replica.apply([step], "from sync");
  });
  expect(one.read("project_a.md")).toBe(noteSaying("written a moment later"));
  expect(one.files().map((file) => one.read(file))).toContain(noteSaying("of another device"));
});

test("a note that gives its name to another goes on under a new name also where an editor, or a kill, comes between", async () => {
  const one = await syncDevice(await startSpaceServer());
  one.write("project_a.md", noteSaying("never sent"));
  await one.using((workspace) => {
    const store = workspace.open("project")?.store;
    if (store === undefined) throw new Error("the project has a store");
    const nothing = (): void => {};
    let commits = 0;
    const interrupted: typeof store = {
      ...store,
      commit(changes, note) {
        if (++commits === 2) one.write("project_a.md", noteSaying("an editor's"));
        return store.commit(changes, note);
      },
    };
    const place = { isForgotten: () => false, keepForReview: nothing, forget: nothing };
    const replica = storeReplica({ ...place, store: interrupted });
    const local = replica.look();
    const [seen, lineage] = [local.text("project_a.md") ?? "", local.lineage("project_a.md") ?? ""];
    const theirs = "0123456789abcdef01234567";
    expect(
      replica.apply(
        [
          { kind: "replace", key: "project_a.md", text: noteSaying("theirs"), seen, lineage: theirs },
          { kind: "create", key: "project_a.conflict-1.md", text: seen, lineage },
        ],
        "from sync",
      ),
    ).toBe("changed");
    expect(
      storeReplica({ ...place, store })
        .look()
        .lineage("project_a.conflict-1.md"),
    ).toBe(lineage);
  });
  expect(one.read("project_a.md")).toBe(noteSaying("an editor's"));
  expect(one.read("project_a.conflict-1.md")).toBe(noteSaying("never sent"));
});

test("what a restored space holds is held against all that each note ever said, and the history is read once for it", async () => {
  const one = await syncDevice(await startSpaceServer());
  await one.using((workspace) => {
    const store = workspace.open("project")?.store;
    if (store === undefined) throw new Error("the project has a store");
    let readings = 0;
    const counted: typeof store = {
      ...store,
      history() {
        readings++;
        return store.history();
      },
    };
    const nothing = (): void => {};
    const place = { isForgotten: () => false, keepForReview: nothing, forget: nothing };
    const names = ["a", "b", "c", "d"];
    for (const when of ["first", "then"]) {
      for (const name of names) one.write(`project_${name}.md`, noteSaying(`${name} ${when}`));
      storeReplica({ ...place, store }).look();
    }
    const local = storeReplica({ ...place, store: counted }).look();
    const knows = (name: string, text: string, file = `project_${name}.md`): boolean =>
      local.knew(file, local.lineage(`project_${name}.md`) ?? "", noteSaying(text));
    for (const name of names)
      expect([name, knows(name, `${name} first`), knows(name, `${name} then`)]).toEqual([name, true, true]);
    const unknown = local.knew("project_a.md", "unknown", noteSaying("a first"));
    // A copy of the note under another name is not the note: it may be all that is left of the text.
    const ofCopy = knows("a", "a first", "project_a.conflict-7.md");
    expect([knows("a", "b first"), knows("a", "a never"), unknown, ofCopy]).toEqual([false, false, false, false]);
    expect(readings).toBe(1);
  });
});
