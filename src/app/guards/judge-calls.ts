import { simpleCommands } from "../../adapters/shell/simple-commands.ts";
import type { CallJudge } from "../../core/guards/judge-call.ts";
import { testPatterns } from "./guard-registry.ts";

/** Patterns in a time box, commands by the shell parser. */
export const judgeCalls: CallJudge = { test: testPatterns, parse: simpleCommands };

export { simpleCommands };
