import { describe, expect, it } from "vitest";
import { nameHash, type Change, type NoteChange } from "../../src/core/sync/protocol.ts";
import { START, type Cursor, type Page, type PulledEntry, type Transport } from "../../src/core/sync/transport.ts";

/** Several transports to one space that is empty at first, as several devices have them. */
export interface OpenedSpace {
  connect(): Transport | Promise<Transport>;
  /** What two revisions of one state have in common, where a transport knows more of a state that it has opened. */
  stateOf?(revision: string): string;
  /** Lineages and cursors do not travel: each device has its own, and always the same. */
  readonly hasOwnNames?: boolean;
  /** Puts the space back to a backup of now when the answer is called; absent where a transport has no such thing. */
  backup?(): (() => void | Promise<void>) | Promise<() => Promise<void>>;
}

const LINEAGE = (n: number): string => String(n).padStart(24, "0");

/** What every transport promises: a server, and a branch of a repository. */
export function describeTransport(name: string, open: () => OpenedSpace | Promise<OpenedSpace>): void {
  describe(`transport: ${name}`, () => {
    const connected = async (): Promise<readonly [Transport, Transport, OpenedSpace]> => {
      const space = await open();
      return [await space.connect(), await space.connect(), space];
    };

    it("gives an empty page of an empty space", async () => {
      const [one] = await connected();
      const page = await pullPage(one, START);
      expect(page.changes).toEqual([]);
      expect(page.next).toBe(page.head);
    });

    it("gives what one device pushed to the other, text for text, and nothing twice", async () => {
      const [one, two, { hasOwnNames }] = await connected();
      const body = "---\nname: x\n---\näöü 漢字 \u{1F600}\r\nno newline at the end";
      const [done] = await pushed(one, "p1", [note("a.md", 1, "", body)]);
      expect(done?.outcome).toBe("done");
      const page = await pullPage(two, START);
      expect(page.changes.map(({ entry }) => entry)).toMatchObject([
        { state: "live", key: "a.md", body, ...(hasOwnNames !== true && { lineage: LINEAGE(1) }) },
      ]);
      const again = await pullPage(two, START);
      expect(again.changes).toEqual(page.changes);
      expect(revisionOf(page.changes[0])).toBe(done !== undefined && "revision" in done ? done.revision : "none");
      expect((await pullPage(two, page.next)).changes).toEqual([]);
    });

    it("refuses a change whose base is not what is there, and names what is", async () => {
      const [one, two, { stateOf = (revision: string) => revision }] = await connected();
      await pushed(one, "p1", [note("a.md", 1, "", "one\n")]);
      const first = revisionOf((await pullPage(two, START)).changes[0]);
      const [second] = await pushed(one, "p2", [note("a.md", 1, first, "two\n")]);
      const [stale, fresh] = await pushed(two, "p3", [note("a.md", 1, first, "mine\n"), note("b.md", 2, "", "b\n")]);
      const states = [stale, second].map((each) => (each && "revision" in each ? stateOf(each.revision) : ""));
      expect(stale).toMatchObject({ key: "a.md", outcome: "stale" });
      expect(states[0]).toBe(states[1]);
      expect(states[0]).not.toBe("");
      expect(fresh?.outcome).toBe("done");
      const [taken] = await pushed(two, "p4", [note("a.md", 3, "", "another\n")]);
      expect(taken?.outcome).toBe("stale");
      expect(await textsOf(two)).toEqual({ "a.md": "two\n", "b.md": "b\n" });
    });

    it("tells of a deletion, and lets the note come back from there", async () => {
      const [one, two] = await connected();
      await pushed(one, "p1", [note("a.md", 1, "", "one\n"), note("b.md", 2, "", "b\n")]);
      const page = await pullPage(two, START);
      const base = revisionOf(page.changes.find(({ entry }) => "key" in entry && entry.key === "a.md"));
      await pushed(one, "p2", [{ key: "a.md", lineage: LINEAGE(1), base, state: "deleted" }]);
      const news = await pullPage(two, page.next);
      expect(news.changes.map(({ entry }) => entry)).toMatchObject([
        { state: "deleted", key: "a.md", lineage: lineageOf(page, "a.md") },
      ]);
      const [back] = await pushed(two, "p3", [
        { ...note("a.md", 1, revisionOf(news.changes[0]), "again\n"), lineage: lineageOf(page, "a.md") },
      ]);
      expect(back?.outcome).toBe("done");
      expect(await textsOf(one)).toEqual({ "a.md": "again\n", "b.md": "b\n" });
    });

    it("takes the changes of a group together or not at all", async () => {
      const [one, two] = await connected();
      await pushed(one, "p1", [note("a.md", 1, "", "one\n")]);
      const page = await pullPage(two, START);
      const base = revisionOf(page.changes[0]);
      const lineage = lineageOf(page, "a.md");
      await pushed(one, "p2", [note("a.md", 1, base, "two\n")]);
      const outcomes = await pushed(two, "p3", [
        { key: "a.md", lineage, base, state: "deleted", group: "rename" },
        { ...note("b.md", 1, "", "one\n"), lineage, group: "rename" },
        note("c.md", 3, "", "c\n"),
      ]);
      expect(outcomes.map(({ outcome }) => outcome)).toEqual(["stale", "group", "done"]);
      expect(await textsOf(two)).toEqual({ "a.md": "two\n", "c.md": "c\n" });
    });

    it("reads one entry as it is now, and none where there is none", async () => {
      const [one, two, { hasOwnNames }] = await connected();
      const body = "---\nname: x\n---\nLine with ünïcode\n";
      const [done] = await pushed(one, "p1", [note("a b.md", 1, "", body)]);
      const read = await two.read("a b.md");
      expect(read).toMatchObject({
        outcome: "entry",
        entry: { state: "live", key: "a b.md", body, ...(hasOwnNames !== true && { lineage: LINEAGE(1) }) },
      });
      expect(
        read.outcome === "entry" && read.entry !== undefined && "revision" in read.entry && read.entry.revision,
      ).toBe(done !== undefined && "revision" in done ? done.revision : "none");
      expect(await two.read("c.md")).toEqual({ outcome: "entry", entry: undefined });
    });

    it("answers a push that comes again as it did the first time, and does it once", async () => {
      const [one, two] = await connected();
      const changes = [note("a.md", 1, "", "one\n")];
      const first = await pushed(one, "p1", changes);
      expect(await pushed(one, "p1", changes)).toEqual(first);
      expect((await pullPage(two, START)).changes).toHaveLength(1);
    });

    describeForgets(connected);
    describePlaces(connected);
  });
}

type Connect = () => Promise<readonly [Transport, Transport, OpenedSpace]>;

function describeForgets(connected: Connect): void {
  it("forgets a lineage under all its names for ever, and tells the names by their hashes only", async () => {
    const [one, two] = await connected();
    await pushed(one, "p1", [
      note("a.md", 1, "", "secret plan\n"),
      note("a.conflict-7.md", 1, "", "secret copy\n"),
      note("b.md", 2, "", "b\n"),
    ]);
    const page = await pullPage(two, START);
    const [done] = await pushed(one, "p2", [{ forget: LINEAGE(1) }]);
    expect(done).toEqual({ outcome: "done", forget: LINEAGE(1) });
    const [news, ...more] = (await pullPage(two, page.next)).changes.map(({ entry }) => entry);
    expect(more).toEqual([]);
    expect(news?.state === "forgotten" && new Set(news.names)).toEqual(
      new Set([nameHash("a.md"), nameHash("a.conflict-7.md")]),
    );
    const [refused, reused] = await pushed(two, "p3", [
      { ...note("c.md", 1, "", "back\n"), lineage: lineageOf(page, "a.md") },
      note("a.md", 4, "", "new\n"),
    ]);
    expect([refused?.outcome, reused?.outcome]).toEqual(["forgotten", "done"]);
    const [again] = await pushed(two, "p4", [{ forget: lineageOf(page, "a.md") }]);
    expect(again?.outcome).toBe("done");
    expect(await textsOf(one)).toEqual({ "a.md": "new\n", "b.md": "b\n" });
  });

  it("takes away nothing that another device sent since the one that forgets looked", async () => {
    const [one, two, { hasOwnNames }] = await connected();
    await pushed(one, "p1", [note("a.md", 1, "", "secret plan\n")]);
    const page = await pullPage(two, START);
    const before = await pushAnswer(one, "p2", [note("b.md", 2, "", "b\n")]);
    const [done] = await pushed(two, "p3", [{ forget: lineageOf(page, "a.md") }]);
    expect(done?.outcome).toBe("done");
    expect(await textsOf(two)).toEqual({ "b.md": "b\n" });
    // The device that came between goes on from where it stood; for it the space was never restored.
    const news = await pullPage(one, before.head);
    expect(news.changes.map(({ entry }) => entry)).toMatchObject([
      { state: "forgotten", ...(hasOwnNames !== true && { lineage: LINEAGE(1) }) },
    ]);
  });
}

function describePlaces(connected: Connect): void {
  it("gives every change once over pages as small as they may be", async () => {
    const [one, two] = await connected();
    const changes = Array.from({ length: 7 }, (_, n) => note(`n${n}.md`, n + 1, "", `${n}\n`));
    await pushed(one, "p1", changes);
    expect(Object.keys(await textsOf(two, 3)).toSorted()).toEqual(changes.map(({ key }) => key));
  });

  it("says where the space stood before and after a push", async () => {
    const [one, two, { hasOwnNames }] = await connected();
    const first = await pushAnswer(one, "p1", [note("a.md", 1, "", "one\n")]);
    const second = await pushAnswer(one, "p2", [note("b.md", 2, "", "b\n")]);
    expect(second.prev).toBe(first.head);
    expect(second.head).not.toBe(second.prev);
    const reader = hasOwnNames === true ? one : two;
    const news = await pullPage(reader, first.head);
    expect(news.changes.map(({ entry }) => "key" in entry && entry.key)).toEqual(["b.md"]);
    expect((await pullPage(reader, second.head)).changes).toEqual([]);
  });

  it("notices a cursor or a top that a restored space never gave, and finds the last that it did", async () => {
    const [one, two, space] = await connected();
    const first = await pushAnswer(one, "p1", [note("a.md", 1, "", "one\n")]);
    if (space.backup === undefined) return;
    const restore = await space.backup();
    const second = await pushAnswer(one, "p2", [note("b.md", 2, "", "b\n")]);
    await restore();
    await pushAnswer(two, "p3", [note("c.md", 3, "", "c\n")]);
    const ask = (cursor: Cursor, tops: readonly Cursor[]) => one.pull({ cursor, tops, limit: 10 });
    expect((await ask(second.head, [])).outcome).toBe("history-changed");
    expect((await ask(first.head, [second.head])).outcome).toBe("history-changed");
    expect((await ask(first.head, [])).outcome).toBe("page");
    expect(await one.common([second.head, first.head])).toEqual({ outcome: "common", cursor: first.head });
    const again = await one.pull({ cursor: START, tops: [], limit: 10, since: first.head });
    const stood = (page: typeof again): readonly unknown[] =>
      page.outcome !== "page"
        ? []
        : page.changes.map(({ entry }) =>
            entry.state === "forgotten" ? "forgotten" : page.stoodAtSince?.(entry.key, entry.revision),
          );
    expect(stood(again)).toEqual([true, false]);
  });
}

/** As the device that pulled the page knows it. */
function lineageOf({ changes }: Page, key: string): string {
  const found = changes.map(({ entry }) => entry).find((entry) => "key" in entry && entry.key === key);
  if (found === undefined) throw new Error(`${key} is not in the page`);
  return found.lineage;
}

function note(key: string, lineage: number, base: string, body: string): NoteChange {
  return { key, lineage: LINEAGE(lineage), base, state: "live", body };
}

async function pullPage(transport: Transport, cursor: Cursor, limit = 100): Promise<Page> {
  const answer = await transport.pull({ cursor, tops: [], limit });
  if (answer.outcome !== "page") throw new Error(`no page, but ${JSON.stringify(answer)}`);
  return answer;
}

async function pushAnswer(transport: Transport, id: string, changes: readonly Change[]) {
  const answer = await transport.push(id.padEnd(32, "0"), changes);
  if (answer.outcome !== "pushed") throw new Error(`not pushed, but ${JSON.stringify(answer)}`);
  return answer;
}

async function pushed(transport: Transport, id: string, changes: readonly Change[]) {
  return (await pushAnswer(transport, id, changes)).outcomes;
}

async function textsOf(transport: Transport, limit = 100): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  let cursor = START;
  for (;;) {
    const page = await pullPage(transport, cursor, limit);
    for (const { entry } of page.changes) if (entry.state === "live") texts[entry.key] = entry.body;
    if (page.next === page.head) return texts;
    cursor = page.next;
  }
}

function revisionOf(pulled: PulledEntry | undefined): string {
  return pulled !== undefined && "revision" in pulled.entry ? pulled.entry.revision : "none";
}
