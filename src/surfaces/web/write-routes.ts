import {
  type Changed,
  moveSeen,
  pinSeen,
  redoSeen,
  removeSeen,
  restoreSeen,
  reviseSeen,
  settleSeen,
  supersedeSeen,
  undoDreamAt,
  undoSeen,
} from "../../app/browse/changes.ts";
import { acceptSeen, dropRule, editSeen, rejectSeen } from "../../app/browse/review-changes.ts";
import { wantSync } from "../../app/background/want-sync.ts";
import type { OpenWorkspace } from "../../app/workspace/open-workspace.ts";
import type { ConflictAnswer, ErrorAnswer, Written } from "./api.ts";
import { countIn, type Fields, fieldsIn, flagIn, optionalText, perhapsSeenIn, seenIn, textIn } from "./body.ts";
import { RequestError } from "./request-error.ts";
import type { Answer, Route } from "./route.ts";

type Write = (workspace: OpenWorkspace, fields: Fields) => Changed | Promise<Changed>;

const CHANGES: Readonly<Record<string, Write>> = {
  pin: (workspace, fields) => pinSeen(workspace, seenIn(fields), flagIn(fields, "pinned")),
  revise: (workspace, fields) => reviseSeen(workspace, seenIn(fields), textIn(fields, "text")),
  remove: (workspace, fields) => removeSeen(workspace, seenIn(fields)),
  restore: (workspace, fields) => restoreSeen(workspace, perhapsSeenIn(fields)),
  undo: (workspace, fields) => undoSeen(workspace, perhapsSeenIn(fields), countIn(fields, "seq")),
  redo: (workspace, fields) => redoSeen(workspace, perhapsSeenIn(fields)),
  supersede: (workspace, fields) => supersedeSeen(workspace, seenIn(fields), seenIn(fieldsIn(fields["by"], "by"))),
  move: (workspace, fields) => moveSeen(workspace, seenIn(fields), textIn(fields, "to")),
  conflicts: settle,
  "review/accept": (workspace, fields) => acceptSeen(workspace, seenIn(fields), flagIn(fields, "always")),
  "review/reject": (workspace, fields) => rejectSeen(workspace, seenIn(fields), flagIn(fields, "never")),
  "review/edit": (workspace, fields) => editSeen(workspace, seenIn(fields), textIn(fields, "text")),
  "review/drop-rule": (workspace, fields) => dropRule(workspace, textIn(fields, "rule")),
  "dreams/undo": (workspace, fields) => {
    const seq = countIn(fields, "seq");
    if (seq === undefined) throw new RequestError(400, "invalid-input", "give seq");
    return undoDreamAt(workspace, optionalText(fields, "scope") ?? "project", seq);
  },
};

function settle(workspace: OpenWorkspace, fields: Fields): Changed {
  const how = textIn(fields, "settle");
  const others = fields["others"];
  if (how !== "keep" && how !== "both") throw new RequestError(400, "invalid-input", "settle is keep or both");
  if (!Array.isArray(others)) throw new RequestError(400, "invalid-input", "others is to be a list");
  const seen = others.map((one: unknown) => seenIn(fieldsIn(one, "others")));
  return settleSeen(workspace, seenIn(fields), how, seen);
}

/** Every change, by its address. */
export const WRITES: Readonly<Record<string, Route>> = Object.fromEntries(
  Object.entries(CHANGES).map(([name, write]): [string, Route] => [
    name,
    async ({ reading, fields }) => {
      const changed = await write(reading.workspace, fields);
      wantSync(reading.workspace.locations, "change");
      return answerOfChange(changed);
    },
  ]),
);

function answerOfChange(changed: Changed): Answer {
  switch (changed.kind) {
    case "done": {
      const { outcome, says, id, version, undo } = changed;
      const written: Written = {
        outcome,
        says,
        ...(id !== undefined && { id }),
        ...(version !== undefined && { version }),
        ...(undo !== undefined && { undo }),
      };
      return { status: 200, body: written };
    }
    case "conflict": {
      const body: ConflictAnswer = {
        error: { code: "conflict", message: changed.says },
        conflict: changed.conflict,
      };
      return { status: 409, body };
    }
    case "refused":
      return { status: changed.code === "stale" ? 409 : 422, body: problem(changed.code, changed.says) };
    case "not-found":
      return { status: 404, body: problem("not-found", changed.says) };
  }
}

function problem(code: string, message: string): ErrorAnswer {
  return { error: { code, message } };
}
