import { readCheckpoint } from "../../core/checkpoints/checkpoint.ts";
import { refuseText, type RefusedText } from "../notes/gate.ts";
import { checkNotePath, INDEX_FILE } from "../../core/notes/names.ts";
import { sha256 } from "../../core/shared/hash.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";

export interface ArchivedFile {
  readonly file: string;
  readonly bytes: Uint8Array;
}

/** The gates of a new note, for the content of an archive. Each returns the reason of a refusal, or `undefined`. */
export interface Gate {
  refusesText(text: string): Promise<string | undefined>;
  /** A note or a day of logs: checks its name and text. */
  refusesNote(one: ArchivedFile): Promise<string | undefined>;
  /** An earlier text of a note or of MEMORY.md. */
  refusesVersion(one: ArchivedFile): Promise<string | undefined>;
  refusesCheckpoint(one: ArchivedFile): Promise<string | undefined>;
}

const WHY: Readonly<Record<RefusedText["reason"], string>> = {
  secret: "it holds what looks like a secret",
  "hidden-characters": "it holds characters that a reader cannot see",
};

/** Each text is checked once, however many versions have it. */
export function openGate(workspace: Pick<OpenWorkspace, "secrets" | "codec">): Gate {
  const seen = new Map<string, string | undefined>();
  const refusesText = async (text: string): Promise<string | undefined> => {
    const key = sha256(text);
    if (!seen.has(key)) {
      const refusal = await refuseText(workspace, text);
      seen.set(key, refusal && WHY[refusal.reason]);
    }
    return seen.get(key);
  };
  const refusesFile = async ({ file, bytes }: ArchivedFile): Promise<string | undefined> =>
    (await refusesText(file)) ?? refusesText(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
  const gate: Gate = {
    refusesText,
    async refusesNote(one) {
      const checked = checkNotePath(one.file);
      return checked.ok ? refusesFile(one) : checked.reason;
    },
    // The history of a store includes its index.
    refusesVersion: (one) => (one.file === INDEX_FILE ? refusesFile(one) : gate.refusesNote(one)),
    async refusesCheckpoint(one) {
      const [, id] = /-([0-9a-f]{10})\.md$/u.exec(one.file) ?? [];
      const text = new TextDecoder().decode(one.bytes);
      if (id === undefined || readCheckpoint(id, text, workspace.codec) === undefined)
        return "it is not a checkpoint: its name has no id, or its frontmatter no name and time";
      return refusesFile(one);
    },
  };
  return gate;
}
