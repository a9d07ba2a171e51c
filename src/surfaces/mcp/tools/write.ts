import type { RivalNote } from "../../../app/notes/rivals.ts";
import type { Scope } from "../../../core/notes/note.ts";
import type { JsonObject } from "../json-rpc.ts";
import { isExclusion, NOTE_TYPES, SCOPES, withoutLine } from "../../../app/notes/gate.ts";
import type { InferredType } from "../../../core/notes/types/infer-type.ts";
import { baseOf, pin, revise, type RevisionBase } from "../../../app/notes/revise.ts";
import { remember } from "../../../app/notes/remember.ts";
import { redo, undoAnywhere } from "../../../app/transfer/undo.ts";
import { undoingOf, versionsOf } from "../../../app/notes/versions.ts";
import { type NoteRef, shownRef } from "../../../app/workspace/workspace.ts";
import type { Headroom } from "../../../core/notes/store.ts";
import { failure } from "../methods.ts";
import type { ProjectMemory } from "../project-memory.ts";
import { type Arguments, object, type Schema } from "../schema.ts";
import {
  answer,
  changeAnswer,
  CHANGED,
  NOTE,
  REMEMBERED,
  type NoteTool,
  type Offers,
  requireNote,
  requireNoteInTime,
} from "./note-tool.ts";

const TYPE: Schema = {
  type: "string",
  enum: NOTE_TYPES,
  description:
    "user: who they are; feedback: how to work; project: goals, decisions, deadlines; reference: where to look",
};
const NAME: Schema = {
  type: "string",
  minLength: 1,
  maxLength: 200,
  description: "Short and stable",
};
const DESCRIPTION: Schema = {
  type: "string",
  minLength: 1,
  maxLength: 500,
  description: "One line: when it helps",
};
const ASKED: Schema = {
  type: "array",
  items: { type: "string", minLength: 1, maxLength: 60 },
  maxItems: 20,
  description: "10 to 15 words to search it by that it lacks",
};
const BODY_CHARACTERS = 50_000;
/** Team notes are read by others, so they cannot be written from here. */
const WRITABLE = SCOPES.filter((scope) => scope === "user" || scope === "project" || scope === "local");

function typeOf(given: Arguments): (typeof NOTE_TYPES)[number] | undefined {
  return NOTE_TYPES.find((type) => type === given.text("type"));
}

export const rememberTool: NoteTool = {
  name: "remember",
  title: "Remember something for later sessions",
  description:
    "Saves a note for later sessions: what the person asks to remember, corrects or prefers, a decision with its reason, where something is found. " +
    "Not what code, git or instruction files say, not the task at hand, no secrets.",
  effect: "add",
  input: object(
    {
      text: {
        type: "string",
        minLength: 1,
        maxLength: BODY_CHARACTERS,
        description: "Markdown; for feedback the rule, then **Why:** and **How to apply:**",
      },
      name: NAME,
      description: DESCRIPTION,
      asked: ASKED,
      type: TYPE,
      force: {
        type: "boolean",
        description: "Write it although a note says nearly the same, or it is not for a note",
      },
      scope: {
        type: "string",
        enum: WRITABLE,
        description: "Default project; user: every project; local: this machine",
      },
      replaces: {
        type: "array",
        items: { type: "string", minLength: 1, maxLength: 500 },
        maxItems: 10,
        description: "Notes that it supersedes",
      },
      beside: {
        type: "boolean",
        description: "It holds beside what it seems to contradict",
      },
    },
    ["text"],
  ),
  output: REMEMBERED,
  async run(given, memory, _call, offers) {
    const workspace = memory.workspace();
    const [name, description] = [given.text("name"), given.text("description")];
    const type = typeOf(given);
    const scope = WRITABLE.find((one) => one === given.text("scope"));
    const result = await remember(workspace, {
      body: given.text("text") ?? "",
      source: "agent",
      // A model names every note, so a name does not mean that it insists.
      insist: given.flag("force") === true,
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(type && { type }),
      ...(scope && { scope }),
      ...(given.list("replaces").length > 0 && { replaces: given.list("replaces") }),
      ...(given.list("asked").length > 0 && { asked: given.list("asked") }),
      ...(given.flag("beside") === true && { beside: true }),
    });
    if (result.outcome === "refused")
      return failure(`refused: ${result.message}${isExclusion(result) ? ", or keep this with force: true" : ""}`);
    const note = shownRef(workspace, result.ref);
    if (result.outcome === "created") memory.seen.saw(result.ref, result.version);
    if (result.outcome === "similar") {
      const message = `${note} says nearly this: "${result.says}"; nothing was written. ${newerOrFuller(note, offers)}, or remember with force: true where it is another matter`;
      return answer(message, { outcome: result.outcome, note, message });
    }
    if (result.outcome === "known") {
      const message = `remembered already: ${note}`;
      return answer(message, { outcome: result.outcome, note, message });
    }
    const { superseded, contradicts, perhaps } = result;
    const message = [
      `remembered: ${note}${inferredType({ note, scope: result.ref.scoped.scope }, result.inferred, offers)}${fullness(result.headroom)}`,
      ...superseded.map(
        ({ file, says }) =>
          `superseded ${file}: "${says}" (${offers("undo") ? `undo of ${note}` : `\`memdir undo ${note}\``} restores it and removes the new note)`,
      ),
      ...rivalQuestion(contradicts),
      ...changeQuestion(perhaps),
    ].join("\n");
    const told = (rivals: readonly RivalNote[]): JsonObject[] => rivals.map(({ file, says }) => ({ note: file, says }));
    return answer(message, {
      outcome: result.outcome,
      note,
      message,
      superseded: told(superseded),
      rivals: told(contradicts),
    });
  },
};

/** The agent heard the user, so it is asked first. */
function rivalQuestion(rivals: readonly RivalNote[]): readonly string[] {
  if (rivals.length === 0) return [];
  const files = rivals.map(({ file }) => `"${file}"`).join(", ");
  return [
    ...rivals.map(({ file, says }) => `It seems to contradict ${file}: "${says}". Both are kept for now.`),
    `If it takes the place of what is named, remember the same text again with replaces: [${files}]; if all hold, with beside: true. Otherwise a person is asked.`,
  ];
}

/** The text says that something changed: only the agent that heard the user knows whether a near note still holds. */
function changeQuestion(notes: readonly RivalNote[]): readonly string[] {
  if (notes.length === 0) return [];
  return [
    ...notes.map(({ file, says }) => `Near: ${file}: "${says}".`),
    `If one of these no longer holds, remember the same text again with replaces: ["its file"].`,
  ];
}

function newerOrFuller(note: string, offers: Offers): string {
  return offers("revise")
    ? "Revise that note where this is newer or fuller"
    : `Where this is newer or fuller, remember it again with replaces: ["${note}"]`;
}

/**
 * The inferred type, if the model gave none. The same text is written twice only where the model insists, and a note is
 * replaced only by one of its own scope.
 */
function inferredType(
  { note, scope }: { note: string; scope: Scope },
  inferred: InferredType | undefined,
  offers: Offers,
): string {
  if (inferred === undefined) return "";
  const { type, other } = inferred;
  if (other === undefined) return ` (type ${type})`;
  const change = offers("revise")
    ? "revise it where that is right"
    : `where that is right, remember it again with type: ${other}, scope: ${scope}, replaces: ["${note}"], force: true`;
  return ` (type ${type}, or perhaps ${other}: ${change})`;
}

function fullness({ omitted, left, behind }: Headroom): string {
  if (behind !== undefined) return ` (saved, but the index could not follow: ${behind})`;
  return omitted === 0 ? "" : ` (MEMORY.md is full: ${withoutLine(omitted, left)}; recall still finds them)`;
}

export const reviseTool: NoteTool = {
  name: "revise",
  title: "Change a note",
  description:
    "Changes a note that is wrong or can be said better; what is not given stays. Read it first: text replaces the whole body.",
  effect: "change",
  input: object(
    {
      note: NOTE,
      text: { type: "string", minLength: 1, maxLength: BODY_CHARACTERS, description: "The new body" },
      name: NAME,
      description: DESCRIPTION,
      asked: ASKED,
      type: TYPE,
      pinned: { type: "boolean", description: "Shown whole at every session's start" },
      force: { type: "boolean", description: "true: keep a text that is not for a note; else you are told why" },
      version: {
        type: "string",
        minLength: 1,
        maxLength: 64,
        description: "As read gave it; default: what you saw last",
      },
    },
    ["note"],
  ),
  output: CHANGED,
  async run(given, memory) {
    const workspace = memory.workspace();
    const [name, description, body] = [given.text("name"), given.text("description"), given.text("text")];
    const pinned = given.flag("pinned");
    const type = typeOf(given);
    const fields = {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(type && { type }),
      ...(body !== undefined && { body }),
      ...(given.list("asked").length > 0 && { asked: given.list("asked") }),
    };
    if (Object.keys(fields).length === 0 && pinned === undefined)
      return failure("revise: give what should change: text, description, name, asked, type or pinned");
    const ref = requireNote(workspace, given.text("note") ?? "");
    if (Object.keys(fields).length > 0) {
      const base = seenBase(memory, ref, given.text("version"));
      if (base === "unseen" && body === undefined) return failure(`${shownRef(workspace, ref)} ${UNREAD}`);
      const result = await revise(workspace, ref, { ...fields, insist: given.flag("force") === true }, base);
      if ("version" in result && result.version !== undefined) memory.seen.saw(ref, result.version);
      const revised = changeAnswer(workspace, ref, result, "changed");
      if (revised.isError === true || pinned === undefined) return revised;
    }
    const seen = memory.seen.text(ref);
    const result = pin(workspace, ref, pinned === true, seen);
    if (seen !== undefined && result.version !== undefined) memory.seen.saw(ref, result.version);
    return changeAnswer(workspace, ref, result, pinned === true ? "pinned" : "changed");
  },
};

const UNREAD = "was not read in this session, or was changed since; nothing was written. Read it, then revise it";

/** The version that the model changed: the one it names, otherwise the last one it saw; never a text it did not see. */
function seenBase(memory: ProjectMemory, ref: NoteRef, version: string | undefined): RevisionBase {
  return memory.seen.text(ref, version) ?? (version === undefined ? "unseen" : baseOf(ref, version));
}

export const undoTool: NoteTool = {
  name: "undo",
  title: "Take back the last change of a note",
  description:
    "Takes back the last change of one note: brings a removed note back, restores the text before a revision, removes what was just remembered. Reaches back 30 days. Not after a purge. redo: true does again what the last undo took back, and so does a second undo.",
  effect: "change",
  input: object({ note: NOTE, redo: { type: "boolean", description: "true: do again what the last undo took back" } }, [
    "note",
  ]),
  output: CHANGED,
  run(given, memory) {
    const workspace = memory.workspace();
    const ref = requireNoteInTime(workspace, given.text("note") ?? "");
    const note = shownRef(workspace, ref);
    const isRedo = given.flag("redo") === true;
    const result = (isRedo ? redo : undoAnywhere)(workspace, ref.scoped, ref.file);
    if (result.outcome === "nothing") return failure(`${note}: ${result.message}`);
    if (result.outcome === "conflict")
      return failure(
        `${result.files.join(", ")} changed again since version ${result.version.id}; nothing was undone. Read the note and revise it instead`,
      );
    const { again, what } = undoingOf(versionsOf(ref.scoped), result.version);
    const message =
      isRedo || again
        ? `done again: ${note} is as it was before the undo`
        : `undone: ${what} (${note}); undo with redo: true does it again`;
    return answer(message, { outcome: "undone", note, message });
  },
};
