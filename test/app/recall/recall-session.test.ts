import fs from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { locate } from "../../../src/app/workspace/locations.ts";
import { type OpenWorkspace, openWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import { notesShownInIndex, recallNotes, renderOutcome } from "../../../src/app/recall/recall-notes.ts";
import { noteKey } from "../../../src/core/notes/names.ts";
import { emptyHome } from "../../support/cli.ts";
import { scratch } from "../../support/scratch.ts";

let root: string;
const files = (notes: readonly { readonly file: string }[]): string[] => notes.map(({ file }) => file);
const write = (file: string, description: string, body: string): void =>
  fs.writeFileSync(
    `${root}/notes/${file}`,
    `---\nname: ${file}\ndescription: ${description}\ntype: project\n---\n\n${body}\n`,
  );

beforeEach(() => {
  root = scratch();
  fs.mkdirSync(`${root}/notes`);
  write("heating.md", "how to reset the boiler after a power cut", "Hold the red button for ten seconds.");
  write(
    "cellar.md",
    "what is kept in the cellar, lamps for a power cut too",
    `Candles. ${"Apples, wine, ladders and paint. ".repeat(60)}`,
  );
  write("garden.md", "plant tomatoes after the last frost", "In this valley that is the middle of May.");
});

function open(): OpenWorkspace {
  const workspace = openWorkspace(locate({ dir: `${root}/notes`, environment: emptyHome(root) }));
  for (const { store } of workspace.stores) store.reconcile("full");
  return workspace;
}

const prompt = "reset the boiler after the power cut";

describe("recall in a session", () => {
  it("shows what is sure whole and points at what is plausible, neither when nothing helps", () => {
    const workspace = open();
    const { selected, pointed, abstained } = recallNotes(workspace, prompt);
    expect([files(selected), files(pointed), abstained]).toEqual([["heating.md"], ["cellar.md"], false]);
    expect(recallNotes(workspace, "rename the queue worker")).toMatchObject({
      selected: [],
      pointed: [],
      abstained: true,
    });
    workspace.close();
  });

  it("points only at what has no line in the session's index, and still shows a note whole when it is sure", () => {
    const workspace = open();
    fs.writeFileSync(
      `${root}/notes/MEMORY.md`,
      "- [Cellar](cellar.md) — what is kept there\n- [Heating](heating.md) — boiler\n",
    );
    const shownInIndex = notesShownInIndex(workspace.stores);
    expect([...shownInIndex].toSorted()).toEqual(["project:cellar.md", "project:heating.md"]);
    const { selected, pointed } = recallNotes(workspace, prompt, { shownInIndex });
    // The garden has no line there: a word that it shares is enough.
    expect([files(selected), files(pointed)]).toEqual([["heating.md"], ["garden.md"]]);
    workspace.close();
  });

  it("does not show again what it showed, until it changes; what comes after it is no likelier for that", () => {
    const workspace = open();
    const first = recallNotes(workspace, prompt);
    const surfaced = new Map(first.selected.map((note) => [noteKey(note), note.entry.hash]));
    const pointedAt = new Map(first.pointed.map((note) => [noteKey(note), note.entry.hash]));
    const again = recallNotes(workspace, prompt, { surfaced, pointedAt });
    expect([again.selected, again.pointed, files(again.repeated), again.abstained]).toEqual([
      [],
      [],
      ["heating.md"],
      true,
    ]);
    write("heating.md", "how to reset the boiler after a power cut", "Hold the red button for twenty seconds.");
    expect(files(recallNotes(workspace, prompt, { surfaced, pointedAt }).selected)).toEqual(["heating.md"]);
    workspace.close();
  });

  it("stops at the session's budget, and says what it showed", () => {
    const workspace = open();
    const outcome = recallNotes(workspace, prompt);
    const { text, shown, pointed } = renderOutcome(workspace.clock, outcome);
    expect([files(shown), files(pointed)]).toEqual([["heating.md"], ["cellar.md"]]);
    expect(
      renderOutcome(workspace.clock, outcome, { session: { started: undefined, characters: 59_900, toldSpent: true } }),
    ).toMatchObject({
      text: "",
      shown: [],
      pointed: [],
    });
    expect(
      renderOutcome(workspace.clock, outcome, {
        session: { started: undefined, characters: 60_000 - text.length, toldSpent: true },
      }).text.length,
    ).toBeLessThanOrEqual(text.length);
    workspace.close();
  });

  it("gives the same bytes for the same input", () => {
    const workspace = open();
    const render = (): string =>
      renderOutcome({ now: () => 1_790_000_000_000, timeZone: "UTC" }, recallNotes(workspace, prompt)).text;
    expect(render()).toBe(render());
    workspace.close();
  });

  it("reads nothing outside the store: a note that is, or becomes, a link is not recalled", () => {
    fs.writeFileSync(
      `${root}/outside.md`,
      "---\ndescription: how to reset the boiler after a power cut\n---\nthe key under the mat\n",
    );
    fs.symlinkSync(`${root}/outside.md`, `${root}/notes/linked.md`);
    const workspace = open();
    fs.rmSync(`${root}/notes/heating.md`);
    fs.symlinkSync(`${root}/outside.md`, `${root}/notes/heating.md`);
    const outcome = recallNotes(workspace, prompt);
    expect(
      JSON.stringify([outcome.selected, outcome.pointed, renderOutcome(workspace.clock, outcome).text]),
    ).not.toMatch(/under the mat|linked\.md|heating\.md/u);
    expect(workspace.stores[0]?.store.read("heating.md")).toBeUndefined();
    workspace.close();
  });
});
