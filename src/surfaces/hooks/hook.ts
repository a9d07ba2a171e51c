import type { Environment, Locations } from "../../app/workspace/locations.ts";
import type * as Full from "./hook-full.ts";
import type * as Answers from "./hook-recall.ts";
import type * as Shell from "./hook-shell.ts";
import type { HookAnswer, HookClient, HookEvent, JsonRecord } from "./event.ts";

export interface HookParts {
  readonly environment: Environment;
  /** Answers from indexed notes; loaded for the events that need it. */
  readonly answers: (kind: HookEvent["kind"]) => Pick<typeof Answers, "answerQuickly">;
  /** Code that is slow or writes; loaded when needed. */
  readonly full: () => Pick<typeof Full, "answerInFull" | "recheckGuard" | "refinePrompt">;
  /** The shell parser; loaded for a command that an approved guard may concern. */
  readonly shell: () => Pick<typeof Shell, "simpleCommands">;
  /** This command's own file. */
  readonly file: string;
  /** Reads the client's whole input. */
  readonly read: () => string;
  /** Writes to the client; `false` if it no longer reads. */
  readonly write: (text: string) => boolean;
}

/** One event of one client that is being answered. */
export interface Hook extends HookParts {
  readonly client: HookClient;
  readonly event: HookEvent;
  readonly locations: Locations;
  /** The event as the client sent it. */
  readonly input: JsonRecord;
  readonly say: (answer: HookAnswer) => boolean;
}

/** `hook.cjs CLIENT [WAY]`: in a separate process, `full` answers after updating the index, `refine` asks a model. */
export type Way = "hook" | "full" | "refine";
