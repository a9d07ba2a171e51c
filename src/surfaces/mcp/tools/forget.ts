import { forgetNote } from "../../../app/care/forget.ts";
import type { OpenWorkspace } from "../../../app/workspace/open-workspace.ts";
import { wordsStay } from "../../../app/notes/log-entry.ts";
import { remove } from "../../../app/notes/revise.ts";
import { type NoteRef, shownRef } from "../../../app/workspace/workspace.ts";
import { RpcError } from "../json-rpc.ts";
import { failure } from "../methods.ts";
import type { Call, ToolResult } from "../offer.ts";
import { type Arguments, object } from "../schema.ts";
import { answer, changeAnswer, CHANGED, NOTE, type NoteTool, requireNote, requireNoteInTime } from "./note-tool.ts";
import { counted } from "../../../core/shared/text.ts";

/** The user may be away from the screen; after this time the note stays (ms). */
const ASK_TIMEOUT_MS = 300_000;

export const forgetTool: NoteTool = {
  name: "forget",
  title: "Take a note away",
  description:
    "Removes a note; `memdir undo` brings it back. purge erases it for good, history included: only when the person asks for that.",
  effect: "destroy",
  input: object(
    {
      note: NOTE,
      purge: { type: "boolean", description: "Erase it for good" },
      confirm: {
        type: "string",
        maxLength: 500,
        description: "For a purge: the note's exact file, once the person said so",
      },
    },
    ["note"],
  ),
  output: CHANGED,
  async run(given, memory, call) {
    const workspace = memory.workspace();
    const reference = given.text("note") ?? "";
    if (given.flag("purge") !== true) {
      const ref = requireNote(workspace, reference);
      return changeAnswer(workspace, ref, remove(ref, memory.seen.text(ref)), "removed (`memdir undo` brings it back)");
    }
    return purge(workspace, requireNoteInTime(workspace, reference), given, call);
  },
};

async function purge(workspace: OpenWorkspace, ref: NoteRef, given: Arguments, call: Call): Promise<ToolResult> {
  const note = shownRef(workspace, ref);
  const refusal = call.client.canElicit
    ? await askPerson(note, call)
    : given.text("confirm") === note
      ? undefined
      : `a purge is final: ask the person, then call forget again with purge: true and confirm: "${note}". Nothing was erased`;
  if (refusal !== undefined) return failure(refusal);
  const elsewhere = wordsStay(workspace, ref);
  const receipt = forgetNote(workspace, ref);
  const message = `erased for good: ${note} (receipt ${receipt.id}, ${counted(receipt.purged.versions, "version")} purged). Transcripts that the agent itself keeps are not memdir's and are not touched.${elsewhere === undefined ? "" : ` ${elsewhere}`}`;
  return answer(message, { outcome: "purged", note, message });
}

const QUESTION = {
  type: "object",
  properties: {
    erase: { type: "boolean", title: "Erase it for good", description: "This cannot be undone", default: false },
  },
  required: ["erase"],
};

/** Why the note stays; `undefined` if the user agreed to erase it. */
async function askPerson(note: string, call: Call): Promise<string | undefined> {
  try {
    const { action, content } = await call.request(
      "elicitation/create",
      {
        message: `Erase the note ${note} for good, its history included? This cannot be undone.`,
        requestedSchema: QUESTION,
      },
      ASK_TIMEOUT_MS,
    );
    const agreed =
      action === "accept" &&
      typeof content === "object" &&
      content !== null &&
      "erase" in content &&
      content.erase === true;
    return agreed ? undefined : `the person did not agree to erase ${note}; nothing was erased`;
  } catch (error) {
    if (error instanceof RpcError)
      return `the person could not be asked (${error.message}); nothing was erased. \`memdir forget ${note}\` on a terminal does it`;
    throw error;
  }
}
