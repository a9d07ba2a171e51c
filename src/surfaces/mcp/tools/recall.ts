import type { AnsweredRecall } from "../../../app/recall/recall.ts";
import { recallWithSkills } from "../../../app/skills/offer.ts";
import type { OpenWorkspace } from "../../../app/workspace/open-workspace.ts";
import type { RecallOutcome } from "../../../app/recall/recall-notes.ts";
import { verifierOf } from "../../../app/recall/verify-notes.ts";
import { shownRef, type Workspace } from "../../../app/workspace/workspace.ts";
import { label } from "../../../core/shared/sanitize.ts";
import { versionOfHash } from "../../../core/shared/hash.ts";
import { object } from "../schema.ts";
import { answer, type NoteTool } from "./note-tool.ts";

const NOTES = {
  type: "array",
  items: object(
    { note: { type: "string" }, name: { type: "string" }, shown: { type: "string", enum: ["whole", "line"] } },
    ["note", "name", "shown"],
  ),
} as const;

/** How a model opens a note: with this server's own tool. */
const readWith = (reference: string): string =>
  reference === "FILE" ? "the read tool" : `the read tool (note: ${reference})`;

const readSkillWith = (name: string): string => `the read tool (note: skill:${name})`;

export const recallTool: NoteTool = {
  name: "recall",
  title: "Recall notes that help with a task",
  description:
    "Finds notes of earlier sessions that help with a task: preferences, corrections, decisions, where things are.",
  effect: "read",
  input: object(
    {
      prompt: { type: "string", minLength: 1, maxLength: 100_000, description: "What the person asks, in their words" },
      files: {
        type: "array",
        maxItems: 50,
        items: { type: "string", maxLength: 2000 },
        description: "Paths that the work touches",
      },
    },
    ["prompt"],
  ),
  output: object({ text: { type: "string", description: "the notes, fenced as data" }, notes: NOTES }, [
    "text",
    "notes",
  ]),
  run(given, memory) {
    const workspace = memory.workspace();
    const prompt = given.text("prompt") ?? "";
    const { outcome, rendered, delivered } = recallFor(workspace, prompt, given.list("files"));
    memory.later(delivered);
    for (const { scope, file } of rendered.shown.filter(({ cut }) => cut === 0)) {
      const scoped = workspace.stores.find((one) => one.scope === scope);
      const recalled = outcome.selected.find((note) => note.scope === scope && note.file === file);
      if (scoped !== undefined && recalled !== undefined)
        memory.seen.saw({ scoped, file }, versionOfHash(recalled.entry.hash));
    }
    const text = rendered.text === "" ? nothingFound(workspace) : rendered.text;
    return answer(text, {
      text,
      notes:
        rendered.text === ""
          ? []
          : [...named(workspace, outcome.selected, "whole"), ...named(workspace, outcome.pointed, "line")],
    });
  },
};

/** Recalls what helps with a prompt, for a client of this server. */
export function recallFor(
  workspace: OpenWorkspace,
  prompt: string,
  touchedFiles: readonly string[] = [],
): AnsweredRecall {
  const question = { prompt, verify: verifierOf(workspace), touchedFiles, readWith };
  return recallWithSkills(workspace.locations, workspace, { ...question, readSkillWith });
}

/** A recall that prepares index and code for the first real one; it is neither counted nor logged. */
export function rehearseRecall(workspace: OpenWorkspace): void {
  const [first] = workspace.stores.flatMap(({ store }) => store.index.topLines(1));
  recallFor(workspace, first === undefined ? "memory" : `${first.name} ${first.description}`);
}

function named(workspace: Workspace, notes: RecallOutcome["pointed"], shown: "whole" | "line"): readonly object[] {
  return notes.flatMap(({ scope, file, entry }) => {
    const scoped = workspace.stores.find((one) => one.scope === scope);
    return scoped === undefined
      ? []
      : [{ note: shownRef(workspace, { scoped, file }), name: label(entry.name), shown }];
  });
}

function nothingFound({ stores }: Workspace): string {
  if (stores.every(({ store }) => store.index.count() === 0))
    return "There are no notes here yet; the remember tool saves one.";
  return "No note here is likely to help with that, and an empty answer is a right answer. `memdir list` shows all notes.";
}
