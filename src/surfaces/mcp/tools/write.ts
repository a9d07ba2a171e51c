import { pin, revise } from "../../../core/memory/revise.ts";
import { remember } from "../../../core/memory/remember.ts";
import { undo } from "../../../core/memory/versions.ts";
import { shownRef } from "../../../core/memory/workspace.ts";
import { NOTE_TYPES, SCOPES } from "../../../core/notes/note.ts";
import { failure } from "../methods.ts";
import { type Arguments, object, type Schema } from "../schema.ts";
import { answer, changeAnswer, CHANGED, NOTE, type NoteTool, requireNote, requireNoteInTime } from "./note-tool.ts";
import { counted } from "../../../core/shared/text.ts";

const TYPE: Schema = {
  type: "string",
  enum: NOTE_TYPES,
  description: "user: who they are and what they prefer; feedback: how to work, with why; project: goals, decisions, deadlines; reference: where to look",
};
const NAME: Schema = { type: "string", minLength: 1, maxLength: 200, description: "Short and stable: no mocks in integration tests" };
const DESCRIPTION: Schema = { type: "string", minLength: 1, maxLength: 500, description: "One line that says when the note helps" };
const BODY_CHARACTERS = 50_000;
/** What others read is theirs to write: notes for a team are not made from here. */
const WRITABLE = SCOPES.filter((scope) => scope === "user" || scope === "project" || scope === "local");

function typeOf(given: Arguments): (typeof NOTE_TYPES)[number] | undefined {
  return NOTE_TYPES.find((type) => type === given.text("type"));
}

export const rememberTool: NoteTool = {
  name: "remember",
  title: "Remember something for later sessions",
  description:
    "Saves a note that later sessions will recall: what the person asks to remember, corrects or prefers, a decision with its reason, where something is found. " +
    "Not for what the code or git says, and never for secrets: those are refused. What a note says already is not written twice.",
  effect: "add",
  input: object(
    {
      text: { type: "string", minLength: 1, maxLength: BODY_CHARACTERS, description: "Markdown. For feedback: the rule, then **Why:** and **How to apply:**" },
      name: NAME,
      description: DESCRIPTION,
      type: TYPE,
      force: { type: "boolean", description: "true: write it although a note says the same or nearly; else that note is named and nothing written" },
      scope: { type: "string", enum: WRITABLE, description: "project (default), user for what holds in every project, local for this machine" },
    },
    ["text"],
  ),
  output: CHANGED,
  async run(given, memory) {
    const workspace = memory.workspace();
    const [name, description] = [given.text("name"), given.text("description")];
    const type = typeOf(given);
    const scope = WRITABLE.find((one) => one === given.text("scope"));
    const result = await remember(workspace, {
      body: given.text("text") ?? "",
      source: "agent",
      // A model gives every note a name, so that a name says nothing about whether it means to insist.
      insist: given.flag("force") === true,
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(type && { type }),
      ...(scope && { scope }),
    });
    if (result.outcome === "refused") return failure(`refused: ${result.message}`);
    const note = shownRef(workspace, result.ref);
    if (result.outcome === "similar") {
      const message = `${note} says nearly this: "${result.says}"; nothing was written. Revise that note where this is newer or fuller, or remember with force: true where it is another matter`;
      return answer(message, { outcome: result.outcome, note, message });
    }
    const message = result.outcome === "known" ? `remembered already: ${note}` : `remembered: ${note}${fullness(result.headroom.omitted)}`;
    return answer(message, { outcome: result.outcome, note, message });
  },
};

function fullness(omitted: number): string {
  return omitted === 0 ? "" : ` (MEMORY.md is full: ${counted(omitted, "note has", "notes have")} no line in it; recall still finds them)`;
}

export const reviseTool: NoteTool = {
  name: "revise",
  title: "Change a note",
  description: "Changes a note that has become wrong or can be said better; what is not given stays. Read the note first: text replaces the whole body. The undo tool takes it back.",
  effect: "change",
  input: object(
    {
      note: NOTE,
      text: { type: "string", minLength: 1, maxLength: BODY_CHARACTERS, description: "The new body, whole" },
      name: NAME,
      description: DESCRIPTION,
      type: TYPE,
      pinned: { type: "boolean", description: "true: shown whole at the start of every session" },
    },
    ["note"],
  ),
  output: CHANGED,
  async run(given, memory) {
    const workspace = memory.workspace();
    const [name, description, body] = [given.text("name"), given.text("description"), given.text("text")];
    const pinned = given.flag("pinned");
    const type = typeOf(given);
    const fields = { ...(name !== undefined && { name }), ...(description !== undefined && { description }), ...(type && { type }), ...(body !== undefined && { body }) };
    if (Object.keys(fields).length === 0 && pinned === undefined) return failure("revise: give what should change: text, description, name, type or pinned");
    const ref = requireNote(workspace, given.text("note") ?? "");
    if (Object.keys(fields).length > 0) {
      const revised = changeAnswer(workspace, ref, await revise(workspace, ref, fields), "changed");
      if (revised.isError === true || pinned === undefined) return revised;
    }
    return changeAnswer(workspace, ref, pin(workspace, ref, pinned === true), pinned === true ? "pinned" : "changed");
  },
};

export const undoTool: NoteTool = {
  name: "undo",
  title: "Take back the last change of a note",
  description: "Takes back the last change of one note: brings a removed note back, restores the text before a revision, takes away what was just remembered. Reaches back 30 days. Not after a purge.",
  effect: "change",
  input: object({ note: NOTE }, ["note"]),
  output: CHANGED,
  run(given, memory) {
    const workspace = memory.workspace();
    const ref = requireNoteInTime(workspace, given.text("note") ?? "");
    const note = shownRef(workspace, ref);
    const result = undo(workspace, ref.scoped, ref.file);
    if (result.outcome === "nothing") return failure(`${note}: ${result.message}`);
    if (result.outcome === "conflict") return failure(`${result.files.join(", ")} changed again since version ${result.version.id}; nothing was undone. Read the note and revise it instead`);
    const message = `undone: ${result.version.reason} (${note})`;
    return answer(message, { outcome: "undone", note, message });
  },
};
