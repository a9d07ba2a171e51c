import { logRecall } from "../../../core/memory/log-recall.ts";
import { recallNotes, type RecallOutcome, recordRecall, renderOutcome } from "../../../core/memory/recall-notes.ts";
import { verifySelected } from "../../../core/memory/verify-notes.ts";
import { shownRef, type Workspace } from "../../../core/memory/workspace.ts";
import { label } from "../../../core/recall/defuse.ts";
import type { RenderedRecall } from "../../../core/recall/render.ts";
import { object } from "../schema.ts";
import { answer, type NoteTool } from "./note-tool.ts";

const NOTES = { type: "array", items: object({ note: { type: "string" }, name: { type: "string" }, shown: { type: "string", enum: ["whole", "line"] } }, ["note", "name", "shown"]) } as const;

/** How a model opens a note: by this server's own tool. */
const readWith = (reference: string): string => (reference === "FILE" ? "the read tool" : `the read tool (note: ${reference})`);

export const recallTool: NoteTool = {
  name: "recall",
  title: "Recall notes that help with a task",
  description:
    "Finds notes from earlier sessions that help with what you are asked: preferences, corrections, decisions, where things are. " +
    "Call it at the start of a task with the person's own words. An empty answer is a right answer. At most 9,500 characters.",
  effect: "read",
  input: object(
    {
      prompt: { type: "string", minLength: 1, maxLength: 100_000, description: "What the person asks, in their words" },
      files: { type: "array", maxItems: 50, items: { type: "string", maxLength: 2000 }, description: "Paths that the work touches, the latest first" },
    },
    ["prompt"],
  ),
  output: object({ text: { type: "string", description: "the notes, fenced as data" }, notes: NOTES }, ["text", "notes"]),
  run(given, memory) {
    const workspace = memory.workspace();
    const prompt = given.text("prompt") ?? "";
    const started = performance.now();
    const { outcome, rendered } = recallFor(workspace, prompt, given.list("files"));
    const ms = performance.now() - started;
    memory.later(() => {
      recordRecall(workspace, outcome.selected);
      logRecall(workspace, { prompt, session: undefined, ledger: undefined, outcome, rendered, ms });
    });
    const text = rendered.text === "" ? nothingFound(workspace) : rendered.text;
    return answer(text, { text, notes: rendered.text === "" ? [] : [...named(workspace, outcome.selected, "whole"), ...named(workspace, outcome.pointed, "line")] });
  },
};

function recallFor(workspace: Workspace, prompt: string, touchedFiles: readonly string[]): { readonly outcome: RecallOutcome; readonly rendered: RenderedRecall } {
  const outcome = verifySelected(workspace, recallNotes(workspace, prompt, { touchedFiles }));
  return { outcome, rendered: renderOutcome(workspace.clock, outcome, { readWith }) };
}

/** A recall that nobody asked for, and that is neither counted nor logged: index and code are ready for the first one then. */
export function rehearseRecall(workspace: Workspace): void {
  const [first] = workspace.stores.flatMap(({ store }) => store.index.topLines(1));
  recallFor(workspace, first === undefined ? "memory" : `${first.name} ${first.description}`, []);
}

function named(workspace: Workspace, notes: RecallOutcome["pointed"], shown: "whole" | "line"): readonly object[] {
  return notes.flatMap(({ scope, file, entry }) => {
    const scoped = workspace.stores.find((one) => one.scope === scope);
    return scoped === undefined ? [] : [{ note: shownRef(workspace, { scoped, file }), name: label(entry.name), shown }];
  });
}

function nothingFound({ stores }: Workspace): string {
  if (stores.every(({ store }) => store.index.count() === 0)) return "There are no notes here yet; the remember tool saves one.";
  return "No note here is likely to help with that, and an empty answer is a right answer. The list tool shows all notes.";
}
