import type { Environment, Locations } from "../../app/workspace/locations.ts";
import type * as Full from "./hook-full.ts";
import type * as Answers from "./hook-recall.ts";
import type * as Shell from "./hook-shell.ts";
import type { HookAnswer, HookClient, HookEvent, JsonRecord } from "./event.ts";

export interface HookParts {
  readonly environment: Environment;
  /** What answers from notes that are indexed, loaded for the events that want it. */
  readonly answers: (kind: HookEvent["kind"]) => Pick<typeof Answers, "answerQuickly">;
  /** What takes long or writes, loaded when it is needed. */
  readonly full: () => Pick<typeof Full, "answerInFull" | "recheckGuard" | "refinePrompt">;
  /** The shell parser, loaded for a command that an approved guard may speak of. */
  readonly shell: () => Pick<typeof Shell, "simpleCommands">;
  /** This command's own file. */
  readonly file: string;
  /** All that the client says. */
  readonly read: () => string;
  /** Says something to the client; `false` when it takes nothing any more. */
  readonly write: (text: string) => boolean;
}

/** One event of one client, on its way to an answer. */
export interface Hook extends HookParts {
  readonly client: HookClient;
  readonly event: HookEvent;
  readonly locations: Locations;
  /** The event as the client sent it. */
  readonly input: JsonRecord;
  readonly say: (answer: HookAnswer) => boolean;
}

/** `hook.cjs CLIENT [WAY]`: in its own process, `full` answers with an index brought up to date, `refine` asks a model. */
export type Way = "hook" | "full" | "refine";
