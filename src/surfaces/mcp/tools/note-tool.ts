import { wantSync } from "../../../app/background/want-sync.ts";
import { isExclusion } from "../../../app/notes/gate.ts";
import { noteInTime, noteNamed } from "../../../app/notes/find-note.ts";
import { type NoteRef, shownRef, type Workspace } from "../../../app/workspace/workspace.ts";
import type { ReviseResult } from "../../../app/notes/revise.ts";
import { nameHidden } from "../../../core/shared/hidden.ts";
import { isMemoryError } from "../../../core/shared/errors.ts";
import type { JsonObject } from "../json-rpc.ts";
import { failure } from "../methods.ts";
import type { Call, Tool, ToolResult, ToolSpec } from "../offer.ts";
import type { ProjectMemory } from "../project-memory.ts";
import { argumentsOf, type Arguments, type ObjectSchema, type Schema, unlimited } from "../schema.ts";

/** What a tool does: it reads, adds, changes or removes. */
type Effect = "read" | "add" | "change" | "destroy";

/** Whether the client is offered a tool: an answer names only those. */
export type Offers = (tool: string) => boolean;

export interface NoteTool extends Pick<ToolSpec, "name" | "description"> {
  readonly title: string;
  readonly effect: Effect;
  readonly input: ObjectSchema;
  readonly output: ObjectSchema;
  run(given: Arguments, memory: ProjectMemory, call: Call, offers: Offers): ToolResult | Promise<ToolResult>;
}

/**
 * A tool in the protocol's form. A `brief` one shows a model only what a call needs, since every request pays for
 * argument limits and output schemas. A failure is a result with advice, never a protocol error.
 */
export function asTool(
  { name, title, description, effect, input, output, run }: NoteTool,
  memory: ProjectMemory,
  { brief, offers }: { readonly brief: boolean; readonly offers: Offers },
): Tool {
  const annotations = {
    readOnlyHint: effect === "read",
    destructiveHint: effect === "destroy" || effect === "change",
    idempotentHint: effect !== "destroy",
    openWorldHint: false,
  };
  return {
    accepts: input,
    spec: brief
      ? { name, description, inputSchema: unlimited(input), annotations }
      : { name, title, description, inputSchema: input, outputSchema: output, annotations },
    async run(given: JsonObject, call) {
      try {
        const result = await run(argumentsOf(given), memory, call, offers);
        if (effect !== "read") memory.later(() => wantSync(memory.locations, "change"));
        return shown(result);
      } catch (error) {
        if (isMemoryError(error)) return shown(failure(`${name} failed: ${error.message}`));
        throw error;
      }
    },
  };
}

/** Clients print a result's text to a terminal, so hidden characters are named; the structured fields are exact. */
function shown(result: ToolResult): ToolResult {
  const content = result.content.map((part) =>
    typeof part["text"] === "string" ? { ...part, text: nameHidden(part["text"]) } : part,
  );
  return { ...result, content };
}

export const NOTE: Schema = {
  type: "string",
  minLength: 1,
  maxLength: 500,
  description: "Its file or name as recall shows it: no_mocks.md, user:role.md",
};

const BY_TOOL = "`memdir list` shows all";

/** @throws MemoryError that names similar notes, or says that the reference is ambiguous. */
export function requireNote(workspace: Workspace, reference: string): NoteRef {
  return noteNamed(workspace, reference, BY_TOOL);
}

/** An existing note, or a removed one. */
export function requireNoteInTime(workspace: Workspace, reference: string): NoteRef {
  return noteInTime(workspace, reference, BY_TOOL);
}

/** The same content as text and as fields: clients show one or the other to their model. */
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

const RIVALS: Schema = {
  type: "array",
  items: {
    type: "object",
    properties: { note: { type: "string" }, says: { type: "string" } },
    required: ["note", "says"],
    additionalProperties: false,
  },
};

/** The output of a change that may affect other notes. */
export const REMEMBERED: ObjectSchema = {
  ...CHANGED,
  properties: {
    ...CHANGED.properties,
    superseded: { ...RIVALS, description: "notes that it took the place of" },
    rivals: { ...RIVALS, description: "notes that it seems to contradict; both are kept until it is settled" },
  },
};

/** The outcome of a change, in one sentence. */
export function changeAnswer(workspace: Workspace, ref: NoteRef, result: ReviseResult, done: string): ToolResult {
  const note = shownRef(workspace, ref);
  const tell = (message: string): ToolResult => answer(message, { outcome: result.outcome, note, message });
  switch (result.outcome) {
    case "created":
    case "written":
    case "deleted":
      return tell(`${done}: ${note}`);
    case "merged":
      return tell(`${done}: ${note}, merged with an edit that was made meanwhile; read it before you change it again`);
    case "unchanged":
      return tell(`${note} says so already; nothing was written`);
    case "kept-both":
      return tell(
        `${note} has words that you have not read, in the same lines; your text is beside it in ${result.conflict}. Read both, then say in one what should stay and forget the other`,
      );
    case "refused":
      return failure(`refused: ${result.message}${isExclusion(result) ? ", or keep this with force: true" : ""}`);
    case "exists":
    case "gone":
    case "changed":
      return failure(
        `${note} ${{ exists: "exists already", gone: "was removed meanwhile", changed: "was changed meanwhile" }[result.outcome]}; nothing was written. Read it again first`,
      );
  }
}
