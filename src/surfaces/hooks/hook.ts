import type { Environment, Locations } from "../../compose/locations.ts";
import type { HookAnswer, HookClient, HookEvent, JsonRecord } from "./event.ts";

export interface HookParts {
  readonly environment: Environment;
  /** Loads a bundled file beside this one by its name. */
  readonly load: (name: string) => Readonly<Record<string, unknown>>;
  /** This command's own file. */
  readonly file: string;
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
