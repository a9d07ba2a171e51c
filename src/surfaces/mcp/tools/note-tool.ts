import { findRemovedNote } from "../../../core/memory/removed-note.ts";
import { findNote, type NoteRef, shownRef, type Workspace } from "../../../core/memory/workspace.ts";
import type { ReviseResult } from "../../../core/memory/revise.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import type { JsonObject } from "../json-rpc.ts";
import { failure } from "../methods.ts";
import type { Call, Tool, ToolResult, ToolSpec } from "../offer.ts";
import type { ProjectMemory } from "../project-memory.ts";
import { argumentsOf, type Arguments, type ObjectSchema, type Schema } from "../schema.ts";

/** What a tool does: it looks, it adds, it changes, or it takes away. */
type Effect = "read" | "add" | "change" | "destroy";

export interface NoteTool extends Pick<ToolSpec, "name" | "title" | "description"> {
  readonly effect: Effect;
  readonly input: ObjectSchema;
  readonly output: ObjectSchema;
  run(given: Arguments, memory: ProjectMemory, call: Call): ToolResult | Promise<ToolResult>;
}

/** A tool as the protocol has it. What fails is a result that says what to do, never a protocol error. */
export function asTool({ name, title, description, effect, input, output, run }: NoteTool, memory: ProjectMemory): Tool {
  const annotations = { readOnlyHint: effect === "read", destructiveHint: effect === "destroy" || effect === "change", idempotentHint: effect !== "destroy", openWorldHint: false };
  return {
    spec: { name, title, description, inputSchema: input, outputSchema: output, annotations },
    async run(given: JsonObject, call) {
      try {
        return await run(argumentsOf(given), memory, call);
      } catch (error) {
        if (isMemoryError(error)) return failure(`${name} failed: ${error.message}`);
        throw error;
      }
    },
  };
}

/** Parts of memdir that are loaded late come with a class of their own. */
function isMemoryError(error: unknown): error is Error {
  return error instanceof MemoryError || (error instanceof Error && error.name === "MemoryError");
}

export const NOTE: Schema = { type: "string", minLength: 1, maxLength: 500, description: "The note's file or name as list and recall show it: feedback_no_mocks.md, or user:role.md in another scope" };

/** @throws MemoryError that names near ones, or says that several notes are meant. */
export function requireNote(workspace: Workspace, reference: string): NoteRef {
  for (const { store } of workspace.stores) store.reconcile("full");
  const found = findNote(workspace, reference);
  if (found.found) return found.ref;
  const hint = found.near.length === 0 ? "the list tool shows all" : found.ambiguous ? `it could be ${found.near.join(", ")}` : `near: ${found.near.join(", ")}`;
  throw new MemoryError("not-found", `${found.ambiguous ? "more than one note is called" : "there is no note"} "${reference.slice(0, 200)}"; ${hint}`);
}

/** A note that is there, or one that was. */
export function requireNoteInTime(workspace: Workspace, reference: string): NoteRef {
  for (const { store } of workspace.stores) store.reconcile("full");
  return findRemovedNote(workspace, reference) ?? requireNote(workspace, reference);
}

/** The same in words and in fields: clients show one or the other to their model. */
export function answer(text: string, structuredContent: JsonObject): ToolResult {
  return { content: [{ type: "text", text }], structuredContent };
}

export const CHANGED: ObjectSchema = {
  type: "object",
  properties: {
    outcome: { type: "string", description: "what became of it" },
    note: { type: "string", description: "the note's file, with its scope where it is not the project's" },
    message: { type: "string" },
  },
  required: ["outcome", "note", "message"],
  additionalProperties: false,
};

/** What became of a change, in one sentence. */
export function changeAnswer(workspace: Workspace, ref: NoteRef, result: ReviseResult, done: string): ToolResult {
  const note = shownRef(workspace, ref);
  const tell = (message: string): ToolResult => answer(message, { outcome: result.outcome, note, message });
  switch (result.outcome) {
    case "created":
    case "written":
    case "deleted":
      return tell(`${done}: ${note}`);
    case "merged":
      return tell(`${done}: ${note}, merged with an edit that was made meanwhile`);
    case "unchanged":
      return tell(`${note} says so already; nothing was written`);
    case "kept-both":
      return tell(`${note} was changed meanwhile in the same lines; your text is beside it in ${result.conflict}. Read both, then revise the one that should stay and forget the other`);
    case "refused":
      return failure(`refused: ${result.message}`);
    case "exists":
    case "gone":
    case "changed":
      return failure(`${note} ${{ exists: "exists already", gone: "was removed meanwhile", changed: "was changed meanwhile" }[result.outcome]}; nothing was written. Read it again first`);
  }
}
