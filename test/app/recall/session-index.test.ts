import fs from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { explainProbe, probeRecall } from "../../../src/app/recall/explain-recall.ts";
import { recall } from "../../../src/app/recall/recall.ts";
import { type SessionStart, startOfSession } from "../../../src/app/recall/session-start.ts";
import { BESIDE_INDEX, SELECTION_RULE } from "../../../src/core/recall/likelihood.ts";
import { mentions, readLogLine } from "../../../src/core/recall/log-line.ts";
import { locate } from "../../../src/app/workspace/locations.ts";
import { type OpenWorkspace, openWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import { emptyHome } from "../../support/cli.ts";
import { scratch } from "../../support/scratch.ts";

let root: string;
const write = (file: string, description: string, more = ""): void =>
  fs.writeFileSync(`${root}/notes/${file}`, `---\nname: ${file}\ndescription: ${description}\n${more}---\n\nBody.\n`);

beforeEach(() => {
  root = scratch();
  fs.mkdirSync(`${root}/notes`);
});

function open(): OpenWorkspace {
  const workspace = openWorkspace(locate({ dir: `${root}/notes`, environment: emptyHome(root) }));
  for (const { store } of workspace.stores) store.reconcile("full");
  return workspace;
}

function begin(workspace: OpenWorkspace, session: string, more: { shows?: boolean; most?: number } = {}): SessionStart {
  const start = startOfSession(workspace, {
    session,
    goesOn: false,
    isCompacted: false,
    showsProjectIndex: more.shows ?? false,
    readWith: "`memdir show FILE`",
    most: more.most ?? 9500,
  });
  start.delivered();
  return start;
}

function linesOf({ text }: SessionStart): readonly string[] {
  return text.split("\n").filter((line) => line.startsWith("- "));
}

describe("the index that a session starts with", () => {
  it("has the newer of two notes that contradict one another first, and says so of the older, until it is settled", () => {
    const created = (day: string): string => `metadata:\n  type: project\n  created: ${day}T12:00:00.000Z\n`;
    write("noon.md", "ships leave the harbour at noon", created("2026-02-20"));
    write("dawn.md", "ships leave the harbour at dawn", `${created("2026-02-02")}  contradicts: noon.md\n`);
    write("lamp.md", "the lamp of the harbour is lit at dusk", created("2026-03-03"));
    const workspace = open();
    const page = (): readonly string[] => {
      for (const { store } of workspace.stores) store.rebuildIndexFile();
      return fs.readFileSync(`${root}/notes/MEMORY.md`, "utf8").split("\n");
    };
    const places = (lines: readonly string[]): number[] =>
      ["dawn.md", "noon.md"].map((file) =>
        lines.findIndex((line) => line.includes(`(${file})`) || line.startsWith(`- ${file}`)),
      );
    // Whichever the index ranks higher.
    for (const lines of [linesOf(begin(workspace, "s")), page()]) {
      const [newer = -1, older = -1] = places(lines);
      expect(newer).toBeGreaterThanOrEqual(0);
      expect(older).toBeGreaterThan(newer);
      expect(lines[older]).toContain("contradicted by the newer dawn.md");
      expect(lines[newer]).not.toContain("contradicted");
    }
    write("noon.md", "ships leave the harbour at noon", `${created("2026-02-20")}  pinned: true\n`);
    for (const { store } of workspace.stores) store.reconcile("full");
    expect(begin(workspace, "pinned").text).toContain(
      "## Pinned: noon.md (noon.md), contradicted by the newer dawn.md",
    );
    write("dawn.md", "ships leave the harbour at dawn", `${created("2026-02-02")}  agreesWith: noon.md\n`);
    for (const { store } of workspace.stores) store.reconcile("full");
    expect([...linesOf(begin(workspace, "t")), ...page()].join("\n")).not.toContain("contradicted");
    workspace.close();
  });

  it("has a line for each note in force, and a prompt points at none of them again", () => {
    write("harbour.md", "ships leave the harbour at dawn");
    write("lamp.md", "the lamp of the harbour is lit at dusk", "type: feedback\n");
    write("old.md", "ships leave the harbour at noon", "metadata:\n  supersededBy: harbour.md\n");
    const workspace = open();
    const start = begin(workspace, "s");
    expect(linesOf(start)).toEqual([
      "- lamp.md: the lamp of the harbour is lit at dusk",
      "- harbour.md: ships leave the harbour at dawn",
    ]);
    const prompt = "when is the lamp of the harbour lit";
    expect(recall(workspace, { verify: undefined, prompt, session: "s" }).rendered.pointed).toEqual([]);
    const without = recall(workspace, { verify: undefined, prompt, session: "another" }).rendered;
    expect([...without.shown, ...without.pointed].map(({ file }) => file)).toContain("lamp.md");
    workspace.close();
  });

  it("asks more of a note before it shows it whole, and the log and an explanation say how much", () => {
    write("harbour.md", "ships leave the harbour at dawn");
    const workspace = open();
    begin(workspace, "s");
    const prompt = "when do ships leave the harbour";
    const floorsFor = (session: string): readonly number[] => {
      const answered = recall(workspace, { verify: undefined, prompt, session });
      answered.delivered();
      const logged = readLogLine(workspace.recallLog.tail().at(-1) ?? "")?.floors.whole;
      const told = explainProbe(workspace, probeRecall(workspace, prompt, session)).floors.whole;
      return [answered.outcome.rule.whole, logged ?? NaN, told];
    };
    expect(floorsFor("s")).toEqual([BESIDE_INDEX.whole, BESIDE_INDEX.whole, BESIDE_INDEX.whole]);
    expect(floorsFor("another")).toEqual([SELECTION_RULE.whole, SELECTION_RULE.whole, SELECTION_RULE.whole]);
    expect(BESIDE_INDEX.whole).toBeGreaterThan(SELECTION_RULE.whole);
    workspace.close();
  });

  it("points at a note that was written after the session began", () => {
    write("harbour.md", "ships leave the harbour at dawn");
    const workspace = open();
    begin(workspace, "s");
    write("tide.md", "the tide turns twice a day");
    for (const { store } of workspace.stores) store.reconcile("full");
    const { rendered } = recall(workspace, {
      verify: undefined,
      prompt: "does the harbour look at the tide",
      session: "s",
    });
    expect(rendered.pointed.map(({ file }) => file)).toEqual(["tide.md"]);
    workspace.close();
  });

  it("leaves to the client what its own index shows, and lists the rest", () => {
    write("harbour.md", "ships leave the harbour at dawn");
    write("lamp.md", "the lamp is lit at dusk");
    fs.writeFileSync(`${root}/notes/MEMORY.md`, "# Sea\n\n- [Harbour](harbour.md) — ships\n\nAsk the pilot first.\n");
    const workspace = open();
    expect(linesOf(begin(workspace, "s", { shows: true }))).toEqual(["- lamp.md: the lamp is lit at dusk"]);
    const { text } = begin(workspace, "t");
    expect(text).toContain("## Written by hand in MEMORY.md, project scope\n# Sea\n\nAsk the pilot first.\n");
    expect(text.split("harbour.md")).toHaveLength(2);
    workspace.close();
  });

  it("counts what finds no room, and points at it when a prompt has a word of it", () => {
    for (let at = 0; at < 60; at++)
      write(`note-${String(at).padStart(2, "0")}.md`, `lantern number ${at} on pier ${at}`);
    const workspace = open();
    const start = begin(workspace, "s", { most: 1500 });
    expect(start.text.length).toBeLessThanOrEqual(1500);
    const lines = linesOf(start);
    expect(lines.length).toBeGreaterThan(5);
    expect(start.text).toContain(`[${60 - lines.length} more notes without a line here;`);
    const { rendered } = recall(workspace, {
      verify: undefined,
      prompt: "which lanterns hang on the piers",
      session: "s",
    });
    const listed = new Set(lines.map((line) => line.slice(2, line.indexOf(":"))));
    expect(rendered.pointed).toHaveLength(20);
    expect(rendered.pointed.filter(({ file }) => listed.has(file))).toEqual([]);
    workspace.close();
  });

  it("is forgotten with a note: no line of the log names it afterwards", () => {
    write("harbour.md", "ships leave the harbour at dawn");
    const workspace = open();
    begin(workspace, "s");
    const { directory } = workspace.locations.stores[0] ?? { directory: "" };
    expect(directory).not.toBe("");
    const log = (): string =>
      fs
        .readdirSync(`${workspace.locations.memdirHome}/stores`, { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith("recalls.jsonl"))
        .map((name) => fs.readFileSync(`${workspace.locations.memdirHome}/stores/${name}`, "utf8"))
        .join("");
    expect(log()).toContain("harbour.md");
    workspace.recallLog.drop((line) => mentions(line, "harbour.md"), true);
    expect(log()).not.toContain("harbour.md");
    workspace.close();
  });
});
