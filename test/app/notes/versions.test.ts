import fs from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { locate } from "../../../src/app/workspace/locations.ts";
import { openWorkspace, type OpenWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import { nextScope, planMove, moveNote } from "../../../src/app/transfer/transfers.ts";
import { createNote, remember, type RememberInput } from "../../../src/app/notes/remember.ts";
import { baseOf, convert, pin, remove, revise } from "../../../src/app/notes/revise.ts";
import {
  lastUndo,
  toldReason,
  undoingOf,
  undoneBy,
  versionToUndo,
  nextStep,
  contentOf,
  diffOf,
  undo,
  versionAsOf,
  versionRef,
  versionsOf,
} from "../../../src/app/notes/versions.ts";
import { chainOf, restore, retireChange, supersede } from "../../../src/app/notes/supersede.ts";
import type { NoteRef, ScopedStore } from "../../../src/app/workspace/workspace.ts";
import type { Scope } from "../../../src/core/notes/note.ts";
import { emptyHome } from "../../support/cli.ts";
import { memoryDirectory, scratch } from "../../support/scratch.ts";
import { bytes, steppingClock, textOf } from "../../support/store.ts";

const START = Date.parse("2026-03-02T09:00:00Z");
const DAY = 86_400_000;
let workspace: OpenWorkspace;
let clock: ReturnType<typeof steppingClock>;

beforeEach(() => {
  const root = scratch(memoryDirectory());
  fs.mkdirSync(`${root}/shop/.git`, { recursive: true });
  clock = steppingClock(START);
  workspace = openWorkspace(locate({ cwd: `${root}/shop`, environment: emptyHome(root) }), { clock });
});
afterEach(() => workspace.close());

const scoped = (scope: Scope = "project"): ScopedStore => {
  const found = workspace.open(scope);
  if (found === undefined) throw new Error(`no ${scope}`);
  return found;
};
async function made(body: string, more: Partial<RememberInput> = {}): Promise<NoteRef> {
  const result = await remember(workspace, { body, insist: true, ...more });
  if (result.outcome !== "created") throw new Error(result.outcome);
  return result.ref;
}
const file = (ref: NoteRef): string => `${ref.scoped.store.directory}/${ref.file}`;
const textIn = (ref: NoteRef): string => textOf(ref.scoped.store.read(ref.file)) ?? "(none)";

describe("undo", () => {
  it("takes back the last change that is memdir's own, and not twice", async () => {
    const ref = await made("One", { name: "port" });
    await revise(workspace, ref, { body: "Two" });
    fs.writeFileSync(`${ref.scoped.store.directory}/own.md`, "by hand\n");
    ref.scoped.store.reconcile("full");
    expect(undo(workspace, ref.scoped, undefined)).toMatchObject({ outcome: "undone", version: { id: "2" } });
    expect(textIn(ref)).toContain("One\n");
    expect(undo(workspace, ref.scoped, undefined, "2")).toEqual({
      outcome: "nothing",
      message: "version 2 is undone already",
    });
    expect(undo(workspace, ref.scoped, undefined, "99")).toMatchObject({
      message: expect.stringContaining("no version 99"),
    });
    expect(undo(workspace, ref.scoped, "never.md")).toMatchObject({ message: "there is no change to undo" });
    expect(fs.existsSync(`${ref.scoped.store.directory}/own.md`)).toBe(true);
  });

  it("keeps what was changed elsewhere since, and says where it was changed at the same place", async () => {
    const ref = await made("one\n\ntwo\n\nthree", { name: "port" });
    await revise(workspace, ref, { body: "ONE\n\ntwo\n\nthree" });
    fs.writeFileSync(file(ref), textIn(ref).replace("three", "3"));
    expect(undo(workspace, ref.scoped, ref.file, "2")).toMatchObject({ outcome: "undone" });
    expect(textIn(ref)).toContain("one\n\ntwo\n\n3\n");
    const other = await made("alone", { name: "other" });
    const { id } = versionsOf(other.scoped, other.file)[0] ?? { id: "" };
    fs.appendFileSync(file(other), "more\n");
    expect(undo(workspace, other.scoped, undefined, id)).toMatchObject({ outcome: "conflict", files: [other.file] });
    expect(textIn(other)).toContain("more");
  });

  it("that another process is in the way of names the files, and changes nothing", async () => {
    const ref = await made("Deploys go out from the release branch after the freeze.");
    const text = textIn(ref);
    const { store } = ref.scoped;
    const inTheWay: NoteRef["scoped"] = {
      ...ref.scoped,
      store: {
        ...store,
        commit: (changes, by) => {
          fs.writeFileSync(file(ref), `${text}Meanwhile.\n`);
          return store.commit(changes, by);
        },
      },
    };
    expect(undo(workspace, inTheWay, ref.file)).toMatchObject({ outcome: "conflict", files: [ref.file] });
    expect(textIn(ref)).toBe(`${text}Meanwhile.\n`);
  });

  it("takes back what others did to a note where that is named, but takes away no file that others made", async () => {
    const ref = await made("One", { name: "port" });
    const { store } = ref.scoped;
    const text = textIn(ref);
    fs.writeFileSync(file(ref), text.replace("One", "Two"));
    fs.writeFileSync(`${store.directory}/own.md`, "by hand\n");
    store.reconcile("full");
    expect(versionToUndo(ref.scoped, undefined)?.actor).toBe("user");
    expect(undo(workspace, ref.scoped, "own.md")).toMatchObject({ outcome: "nothing" });
    expect(undo(workspace, ref.scoped, ref.file)).toMatchObject({ outcome: "undone" });
    expect([textIn(ref), textOf(store.read("own.md"))]).toEqual([text, "by hand\n"]);
    const note = { kind: "create", file: "far.md", content: text.replaceAll("port", "far") } as const;
    store.commit([note], { actor: "sync", reason: "pulled" });
    expect(versionToUndo(ref.scoped, undefined)?.actor).toBe("undo");
    expect(undo(workspace, ref.scoped, "far.md")).toMatchObject({ outcome: "undone" });
    expect(store.read("far.md")).toBeUndefined();
  });

  it("is told by how its reason begins", () => {
    const undone = ["undid version 3", "undid version 12 (half of it)", "we undid version 3", "undid version x"];
    expect(undone.map((reason) => undoneBy({ reason }))).toEqual(["3", "12", undefined, undefined]);
  });

  it("brings a removed note back as the same note, unless another is there", async () => {
    const ref = await made("One", { name: "port" });
    const { lineage } = ref.scoped.store.lives().present.get(ref.file) ?? {};
    remove(ref);
    expect(undo(workspace, ref.scoped, ref.file)).toMatchObject({ outcome: "undone" });
    expect(ref.scoped.store.lives().present.get(ref.file)?.lineage).toBe(lineage);
    remove(ref);
    await made("Another", { name: "port" });
    const gone = versionsOf(ref.scoped, ref.file).find(({ files }) => files.some(({ kind }) => kind === "deleted"));
    expect(undo(workspace, ref.scoped, ref.file, gone?.id)).toMatchObject({ outcome: "conflict" });
    expect(textIn(ref)).toContain("Another");
  });

  it("tells people what it took back, and what was done again", async () => {
    const ref = await made("Deploys go out from the release branch after the freeze.");
    pin(workspace, ref, true);
    const told = () => versionsOf(ref.scoped, ref.file).map((one) => toldReason(versionsOf(ref.scoped), one));
    const undoing = () => undoingOf(versionsOf(ref.scoped), versionToUndo(ref.scoped, ref.file) ?? never());
    const never = (): never => {
      throw new Error("nothing to undo");
    };
    expect(undoing()).toEqual({ again: false, what: "pinned" });
    undo(workspace, ref.scoped, ref.file);
    expect(undoing()).toEqual({ again: true, what: "pinned" });
    undo(workspace, ref.scoped, ref.file);
    expect(undoing()).toEqual({ again: false, what: "pinned" });
    expect(told()).toEqual(["did again: pinned", "took back: pinned", "pinned", "remembered"]);
  });

  it("reaches back 30 days, to the moment", async () => {
    const ref = await made("One", { name: "port" });
    const time = Date.parse(versionsOf(ref.scoped)[0]?.time ?? "");
    clock.set(time + 30 * DAY);
    expect(undo(workspace, ref.scoped, ref.file)).toMatchObject({
      outcome: "nothing",
      message: expect.stringContaining("older than 30 days"),
    });
    clock.set(time + 30 * DAY - 60_000);
    expect(undo(workspace, ref.scoped, ref.file)).toMatchObject({ outcome: "undone" });
  });

  it("and redo count steps by what stands", async () => {
    const ref = await made("One", { name: "port" });
    await revise(workspace, ref, { body: "Two" });
    expect([nextStep(ref.scoped, ref.file)?.id, lastUndo(ref.scoped, ref.file)]).toEqual(["2", undefined]);
    undo(workspace, ref.scoped, ref.file);
    expect([nextStep(ref.scoped, ref.file)?.id, lastUndo(ref.scoped, ref.file)?.version.id]).toEqual(["1", "2"]);
    undo(workspace, ref.scoped, ref.file, "3");
    expect([nextStep(ref.scoped, ref.file)?.id, lastUndo(ref.scoped, ref.file)]).toEqual(["2", undefined]);
    undo(workspace, ref.scoped, ref.file, "2");
    await made("Other", { name: "other" });
    expect(lastUndo(ref.scoped, undefined)).toBeUndefined();
    expect(lastUndo(ref.scoped, ref.file)?.version.id).toBe("2");
  });
});

describe("a file that others made", () => {
  it("has the past of the file that went for it, and none of one that was copied and edited", async () => {
    const ref = await made("Deploys go out from the release branch after the freeze.");
    const text = textIn(ref);
    const at = (name: string): string => `${ref.scoped.store.directory}/${name}`;
    fs.writeFileSync(at("copy.md"), text);
    fs.writeFileSync(file(ref), `${text}More.\n`);
    ref.scoped.store.reconcile("full");
    expect(versionsOf(ref.scoped, "copy.md").map(({ actor }) => actor)).toEqual(["external"]);
    expect(versionsOf(ref.scoped, ref.file)).toHaveLength(2);
    fs.renameSync(at("copy.md"), at("moved.md"));
    ref.scoped.store.reconcile("full");
    expect(versionsOf(ref.scoped, "moved.md")).toHaveLength(2);
  });
});

describe("versions", () => {
  it("are told, shown as a difference, and found by a moment", async () => {
    const ref = await made("One", { name: "port" });
    await made("Other", { name: "other" });
    await revise(workspace, ref, { body: "Two" });
    const all = versionsOf(ref.scoped);
    expect(all.map(({ id }) => id)).toEqual(["3", "2", "1"]);
    expect(versionsOf(ref.scoped, ref.file).map(({ id }) => id)).toEqual(["3", "1"]);
    const [newest, , oldest] = all;
    if (newest === undefined || oldest === undefined) throw new Error("no versions");
    const change = diffOf(workspace, ref.scoped, newest, ref.file);
    expect(change).toMatch(/^--- project_port\.md\n\+\+\+ project_port\.md\n@@ .*\n[^]*-One\n\+Two/mu);
    expect(diffOf(workspace, ref.scoped, oldest)).toMatch(/^--- \(none\)\n\+\+\+ project_port\.md/mu);
    expect(diffOf(workspace, ref.scoped, newest, "project_other.md")).toBe("");
    expect(versionAsOf(ref.scoped, Date.parse(oldest.time))?.id).toBe("1");
    expect(versionAsOf(ref.scoped, Date.parse(oldest.time) - 1)).toBeUndefined();
    expect(textOf(contentOf(ref, 1))).toContain("One");
    expect(() => contentOf({ ...ref, file: "project_other.md" }, 1)).toThrow(/did not exist in version 1/u);
    expect([versionRef({ scope: "project" }, { id: "7" }), versionRef({ scope: "user" }, { id: "7" })]).toEqual([
      "7",
      "user:7",
    ]);
    remove(ref);
    const [gone] = versionsOf(ref.scoped);
    expect(gone && diffOf(workspace, ref.scoped, gone)).toContain("+++ (none)");
  });
});

describe("a revision", () => {
  it("changes what it names; a description follows a text that it began", async () => {
    const ref = await made("The port is 8080. It was 9090", { name: "port" });
    expect(await revise(workspace, ref, { body: "The disk is full. Again" })).toMatchObject({
      outcome: "written",
      version: expect.any(String),
    });
    expect(textIn(ref)).toContain("description: The disk is full\n");
    await revise(workspace, ref, { description: "Mine", name: "New name", type: "feedback" });
    await revise(workspace, ref, { body: "Quite another" });
    expect(textIn(ref)).toMatch(/name: New name\ndescription: Mine\nmetadata:\n {2}type: feedback\n/u);
    fs.writeFileSync(file(ref), "---\nname: x\ntype: user\n---\n\nwords\n");
    await revise(workspace, ref, { type: "project" });
    expect(textIn(ref)).toBe("---\nname: x\ntype: project\n---\n\nwords\n");
    expect(await revise(workspace, ref, { type: "project" })).toMatchObject({ outcome: "unchanged" });
  });

  it("made from an older text is merged, and one made from none only adds or stands beside", async () => {
    const ref = await made("one\n\ntwo\n\nthree", { name: "port" });
    const first = textIn(ref);
    const { version } = (await revise(workspace, ref, { body: "ONE\n\ntwo\n\nthree" })) as { version?: string };
    await revise(workspace, ref, { text: textIn(ref).replace("two", "TWO") });
    expect(baseOf(ref, "0".repeat(64))).toBe("unseen");
    expect(textOf(baseOf(ref, version) as Uint8Array)).toContain("ONE\n\ntwo");
    expect(textOf(baseOf(ref, undefined) as Uint8Array)).toBe(textIn(ref));
    const beside = await revise(workspace, ref, { text: first.replace("three", "3"), version: "0".repeat(64) });
    expect(beside).toMatchObject({ outcome: "kept-both" });
    expect(beside, "has no version to go on from").not.toHaveProperty("version");
    expect(textIn(ref)).toContain("ONE\n\nTWO\n\nthree");
    const added = `${textIn(ref)}\nfour\n`;
    fs.writeFileSync(file(ref), textIn(ref).replace("three", "three  "));
    expect(await revise(workspace, ref, { text: added }, "unseen")).toMatchObject({ outcome: "written" });
    expect(textIn(ref)).toBe(added);
    // Also under the name that others gave it since.
    fs.renameSync(file(ref), `${ref.scoped.store.directory}/moved.md`);
    expect(textOf(baseOf({ ...ref, file: "moved.md" }, version) as Uint8Array)).toContain("ONE\n\ntwo");
  });

  it("pins once, removes only what was seen, and converts what is not UTF-8", async () => {
    const ref = await made("One", { name: "port" });
    const seen = bytes(textIn(ref));
    expect(pin(workspace, ref, true)).toMatchObject({ outcome: "written" });
    expect(pin(workspace, ref, true)).toEqual({ outcome: "unchanged", file: ref.file });
    expect(textIn(ref)).toContain("  pinned: true\n");
    expect(remove(ref, seen)).toMatchObject({ outcome: "changed" });
    pin(workspace, ref, false);
    expect(textIn(ref)).not.toContain("pinned");
    fs.writeFileSync(file(ref), Buffer.from([0x61, 0xe9, 0x00, 0x0a]));
    await expect(revise(workspace, ref, { body: "x" })).rejects.toMatchObject({ code: "invalid-input" });
    expect(convert(ref)).toMatchObject({ outcome: "written" });
    expect(textIn(ref)).toBe("aé\n");
    remove(ref);
    expect(() => remove(ref)).toThrow(expect.objectContaining({ code: "not-found" }));
  });
});

describe("a note with a byte order mark", () => {
  it("keeps it through every change, and its body is what follows its frontmatter", async () => {
    const ref = await made("One", { name: "port" });
    const marked = `\ufeff${textIn(ref)}`;
    fs.writeFileSync(file(ref), marked);
    const isMarked = (): boolean => fs.readFileSync(file(ref), "utf8").startsWith("\ufeff---\nname: ");
    for (const change of [
      () => revise(workspace, ref, { body: "Two" }),
      () => revise(workspace, ref, { description: "a port" }),
      () => revise(workspace, ref, { name: "ports" }),
      () => pin(workspace, ref, true),
      () => pin(workspace, ref, false),
      () => convert(ref),
    ]) {
      expect((await change()).outcome).toMatch(/^(?:written|unchanged)$/u);
      expect(isMarked()).toBe(true);
    }
    expect((await planMove(workspace, ref, scoped("user"), "elsewhere")).content).toMatch(
      /^\ufeff---\nname: elsewhere\n/u,
    );
  });
});

describe("a file that others renamed several times", () => {
  it("has its whole past, each version under its name of then, and is brought back under its present one", async () => {
    const ref = await made("One", { name: "first" });
    const store = ref.scoped.store;
    const at = (name: string): NoteRef => ({ ...ref, file: name });
    let last = ref.file;
    for (const name of ["second.md", "third.md"]) {
      const text = textIn(at(last));
      fs.renameSync(`${store.directory}/${last}`, `${store.directory}/${name}`);
      store.reconcile("full");
      await revise(workspace, at(name), { text: text.replace(/\n\n.*\n$/u, `\n\nIn ${name}\n`) });
      last = name;
    }
    // Another note takes the first name meanwhile: its versions are not those of this one.
    store.commit([{ kind: "create", file: ref.file, content: "another\n" }], { actor: "user", reason: "test" });
    const names = versionsOf(ref.scoped, "third.md").map(({ seq }) => textOf(contentOf(at("third.md"), seq)));
    expect(names.map((text) => /(?:One|In \w+\.md)\n$/u.exec(text ?? "")?.[0].trim())).toEqual([
      "In third.md",
      "In second.md",
      "In second.md",
      "One",
      "One",
    ]);
    expect(undo(workspace, ref.scoped, "third.md")).toMatchObject({ outcome: "undone" });
    expect(textIn(at("third.md"))).toContain("In second.md");
    expect(textIn(ref)).toBe("another\n");
  });
});

describe("a superseded note", () => {
  it.each([
    ["an unknown type", (text: string) => text.replace("type: project", "type: whim"), true],
    ["a pin", (text: string) => text.replace("metadata:", "metadata:\n  pinned: true"), false],
    ["words of a merge", (text: string) => `${text}\n<<<<<<< ours\n`, true],
    ["broken frontmatter", (text: string) => text.replace("type: project", "type: [project"), false],
    ["frontmatter without an end", (text: string) => text.replace(/\n---\n/u, "\n"), false],
  ])("with %s is retired by a newer one where that can be written into it", async (_, edit, isRetired) => {
    const old = await made("Port 8080", { name: "old" });
    fs.writeFileSync(file(old), edit(textIn(old)));
    const changes = retireChange(workspace, old.scoped, old.file, "new.md", "2026-03-02T09:00:00.000Z");
    expect(changes).toHaveLength(isRetired ? 1 : 0);
  });

  it("ends where the other begins, in one version, and is restored with it", async () => {
    const [old, by] = [
      await made("Port 8080", { name: "old" }),
      await made("Port 9090", { name: "new", beside: true }),
    ];
    supersede(workspace, old, by);
    const now = /validTo: (.*)\n/u.exec(textIn(old))?.[1];
    expect(textIn(old)).toContain(`supersededBy: ${by.file}\n`);
    expect(textIn(by)).toContain(`validFrom: ${now ?? ""}\n`);
    expect(versionsOf(old.scoped)[0]).toMatchObject({ id: "3", reason: `${by.file} supersedes ${old.file}` });
    expect(chainOf(workspace, old).map((link) => [link.file, link.supersededBy, link.validTo !== undefined])).toEqual([
      [old.file, by.file, true],
      [by.file, undefined, false],
    ]);
    expect(chainOf(workspace, by)).toEqual(chainOf(workspace, old));
    expect(() => supersede(workspace, old, by)).toThrow(/superseded by project_new\.md already/u);
    const third = await made("Port 7070", { name: "third", beside: true });
    expect(() => supersede(workspace, third, old)).toThrow(/was itself superseded by/u);
    expect(restore(workspace, old)).toEqual({ outcome: "in-force", file: old.file, was: "superseded" });
    expect(restore(workspace, old)).toEqual({ outcome: "unchanged", file: old.file });
    expect(textIn(old)).not.toMatch(/supersededBy|validTo/u);
    expect(textIn(old)).toContain("metadata:\n  type: project\n");
    expect(chainOf(workspace, third)).toMatchObject([{ file: third.file }]);
    // A note that says of no time when it began holds since its last change.
    fs.writeFileSync(file(third), textIn(third).replace(/^ *validFrom:.*\n/mu, ""));
    third.scoped.store.reconcile("full");
    expect(chainOf(workspace, third)[0]?.validFrom).toMatch(/^\d{4}-\d\d-\d\d/u);
  });

  it("leaves the other its start, and one that only ended is restored as well", async () => {
    const [old, by] = [await made("Port 8080", { name: "old" }), await made("Disk 9", { name: "new" })];
    fs.writeFileSync(file(by), textIn(by).replace("metadata:\n", "metadata:\n  validFrom: 2020-01-01\n"));
    supersede(workspace, old, by);
    expect(textIn(by).match(/validFrom:.*/gu)).toEqual(["validFrom: 2020-01-01"]);
    fs.writeFileSync(file(old), textIn(old).replace(/ *supersededBy:.*\n/u, ""));
    expect(restore(workspace, old)).toEqual({ outcome: "in-force", file: old.file, was: "retired" });
    expect(textIn(old)).not.toContain("validTo");
  });

  it("is not one that is pinned, broken, itself, or of another scope", async () => {
    const [old, by] = [
      await made("Port 8080", { name: "old" }),
      await made("Port 9090", { name: "new", beside: true }),
    ];
    const other = await made("I am Ann", { name: "me", scope: "user" });
    expect(() => supersede(workspace, old, old)).toThrow(/cannot supersede itself/u);
    expect(() => supersede(workspace, old, other)).toThrow(/two scopes/u);
    fs.writeFileSync(file(old), "---\nname: [\n---\n\nwords\n");
    old.scoped.store.reconcile("full");
    expect(() => supersede(workspace, old, by)).toThrow(/cannot be rewritten safely/u);
    pin(workspace, by, true);
    expect(() => supersede(workspace, by, old)).toThrow(/is pinned/u);
    expect(textIn(by)).not.toContain("superseded");
  });

  it("that was moved is not restored where it was: an undo moves it back", async () => {
    const ref = await made("Deploys go out from the release branch after the freeze.");
    await moveNote(workspace, ref, "user");
    expect(() => restore(workspace, ref)).toThrow(
      expect.objectContaining({
        code: "conflict",
        message: expect.stringMatching(/was not removed but moved .*`memdir undo project:2`/u),
      }),
    );
  });

  it("that was removed comes back within 30 days", async () => {
    const ref = await made("One", { name: "port" });
    const { lineage } = ref.scoped.store.lives().present.get(ref.file) ?? {};
    remove(ref);
    const time = Date.parse(versionsOf(ref.scoped)[0]?.time ?? "");
    clock.set(time + 30 * DAY);
    expect(() => restore(workspace, ref)).toThrow(/more than 30 days ago/u);
    clock.set(time + 30 * DAY - 60_000);
    expect(restore(workspace, ref)).toEqual({ outcome: "in-force", file: ref.file, was: "removed" });
    expect(ref.scoped.store.lives().present.get(ref.file)?.lineage).toBe(lineage);
    expect(textIn(ref)).toContain("One");
    expect(() => restore(workspace, { ...ref, file: "never.md" })).toThrow(/nothing is known of never\.md/u);
  });
});

describe("a note that is remembered", () => {
  it.each([
    ["project", "user", true],
    ["team", "project", false],
  ] as const)("is of the type of what it takes the place of, in the %s scope: %s", async (scope, type, isChange) => {
    const store = scoped(scope);
    const text =
      "---\nname: hosting\ndescription: We deploy on Heroku\nmetadata:\n  type: user\n---\n\nWe deploy on Heroku.\n";
    store.store.commit([{ kind: "create", file: "user_hosting.md", content: text }], { actor: "user", reason: "test" });
    const ref = await made("We switched from Heroku to AWS.", { scope });
    const notes = store.store.index.entries();
    expect(notes.find(({ file: name }) => name === ref.file)?.type).toBe(type);
    expect(notes.find(({ file: name }) => name === "user_hosting.md")?.supersededBy !== undefined).toBe(isChange);
  });

  it.each([
    [{ body: "Ann's port", type: "user" }, "user", "user_ann_s_port.md"],
    [{ body: "Ann", type: "user", scope: "project" }, "project", "user_ann.md"],
    [{ body: "> - # The port is 8080.\nmore" }, "project", "project_the_port_is_8080.md"],
    [{ body: "x", name: "My  Name.md" }, "project", "project_my_name.md"],
  ] as const)("%j goes to %s as %s", async (input, scope, name) => {
    const ref = await made(input.body, input);
    expect([ref.scoped.scope, ref.file]).toEqual([scope, name]);
  });

  it.each([
    [{ body: " \n " }, "nothing to remember"],
    [{ body: "x".repeat(200_001) }, "200001 characters"],
    [{ body: "x", scope: "group" as const }, "`memdir group add NAME`"],
  ])("%# is refused", async (input, message) => {
    await expect(remember(workspace, input)).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.stringContaining(message),
    });
  });

  it("has words, and no more of them than a note may have", async () => {
    const words = (count: number): string => "wordy ".repeat(count / 6).padEnd(count, "x");
    for (const body of ["", " \r\n\t", words(200_001)])
      await expect(remember(workspace, { body })).rejects.toMatchObject({ code: "invalid-input" });
    expect((await made(`  ${words(200_000)}\n`, { name: "long" })).file).toBe("project_long.md");
  });

  it("gets a number where its name is taken, in the name too, also by a file that memdir did not make", async () => {
    const first = await made("One", { name: "port" });
    fs.writeFileSync(`${first.scoped.store.directory}/PROJECT_PORT_2.md`, "by hand\n");
    first.scoped.store.reconcile("full");
    const third = await made("Three", { name: "port" });
    expect(third.file).toBe("project_port_3.md");
    expect(textIn(third)).toContain("name: port 3\n");
    expect(
      createNote(
        workspace,
        first.scoped,
        { type: "project", name: "x", description: "d", body: "b", source: "user" },
        "import",
      ).ref.file,
    ).toBe("project_x.md");
    expect(versionsOf(first.scoped)[0]?.actor).toBe("import");
  });
});

describe("a move", () => {
  it.each([
    [
      "promote",
      {
        local: "project",
        project: "team",
        "agent-local": "agent",
        agent: "project",
        "agent-user": "user",
        group: "user",
        user: undefined,
        team: undefined,
      },
    ],
    [
      "demote",
      {
        user: "project",
        group: "project",
        team: "project",
        project: "local",
        agent: "agent-local",
        "agent-user": "agent",
        local: undefined,
        "agent-local": undefined,
      },
    ],
  ] as const)("%s goes one step", (direction, steps) => {
    const next = (from: Scope): Scope | undefined => {
      try {
        return nextScope(from, direction);
      } catch (error) {
        return error instanceof Error && error.message.includes("name a scope") ? undefined : "team";
      }
    };
    const scopes = Object.keys(steps) as Scope[];
    expect(Object.fromEntries(scopes.map((from) => [from, next(from)]))).toEqual(steps);
  });

  it("is planned with another name, or onto the same text, and refused where something is in its way", async () => {
    const ref = await made("One", { name: "port" });
    const user = scoped("user");
    expect(await planMove(workspace, ref, user)).toMatchObject({ from: ref.file, to: ref.file });
    expect(await planMove(workspace, ref, user, "New Port")).toMatchObject({
      to: "project_new_port.md",
      content: expect.stringContaining("name: New Port\n"),
    });
    expect(await planMove(workspace, ref, user, "sub/x.md")).toMatchObject({
      to: "sub/x.md",
      content: Buffer.from(textIn(ref)),
    });
    await expect(planMove(workspace, ref, user, "../x.md")).rejects.toMatchObject({ code: "invalid-input" });
    await expect(planMove(workspace, ref, ref.scoped)).rejects.toMatchObject({ code: "invalid-input" });
    fs.mkdirSync(user.store.directory, { recursive: true });
    fs.writeFileSync(`${user.store.directory}/${ref.file}`, textIn(ref));
    expect(await planMove(workspace, ref, user)).toMatchObject({ content: undefined });
    fs.appendFileSync(`${user.store.directory}/${ref.file}`, "more\n");
    await expect(planMove(workspace, ref, user)).rejects.toMatchObject({ code: "conflict" });
    fs.writeFileSync(`${user.store.directory}/Project_Twin.md`, "x\n");
    await expect(planMove(workspace, ref, user, "twin")).rejects.toMatchObject({ code: "conflict" });
    fs.writeFileSync(file(ref), Buffer.from([0xff]));
    await expect(planMove(workspace, ref, user, "other")).rejects.toMatchObject({ code: "invalid-input" });
    remove(ref);
    await expect(planMove(workspace, ref, user)).rejects.toMatchObject({ code: "not-found" });
  });
});

describe("a new text of a note", () => {
  const STRUCTURE = "The login handler is in src/auth/login.ts.";

  it("meets the rule of what a note is not for, and is kept with the reason where its writer insists", async () => {
    const ref = await made("Never log tokens, the auditors read the logs.", { name: "tokens" });
    const before = textIn(ref);
    expect(await revise(workspace, ref, { body: STRUCTURE })).toMatchObject({
      outcome: "refused",
      reason: "code-structure",
      file: ref.file,
    });
    expect(textIn(ref)).toBe(before);
    expect(await revise(workspace, ref, { body: STRUCTURE, insist: true })).toMatchObject({ outcome: "written" });
    expect(textIn(ref)).toContain(STRUCTURE);
    expect(textIn(ref)).toMatch(/^\s+forced: code-structure$/mu);
  });

  it("meets it in a whole file as well, frontmatter apart", async () => {
    const ref = await made("Never log tokens, the auditors read the logs.", { name: "tokens" });
    const before = textIn(ref);
    const text = before.replace(/Never log tokens.*/gu, STRUCTURE);
    expect(await revise(workspace, ref, { text })).toMatchObject({ outcome: "refused", reason: "code-structure" });
    expect(textIn(ref)).toBe(before);
    expect(await revise(workspace, ref, { text: before.replace("name: tokens", "name: secrets") })).toMatchObject({
      outcome: "written",
    });
    expect(await revise(workspace, ref, { text, insist: true })).toMatchObject({ outcome: "written" });
    expect(textIn(ref)).toMatch(/^\s+forced: code-structure$/mu);
  });

  it("is taken where the old one was of that kind, and where only another field changes", async () => {
    const ref = await made(STRUCTURE, { name: "login" });
    expect(await revise(workspace, ref, { body: "The login handler is in src/auth/session.ts." })).toMatchObject({
      outcome: "written",
    });
    expect(await revise(workspace, ref, { description: "where the login is" })).toMatchObject({ outcome: "written" });
  });
});
