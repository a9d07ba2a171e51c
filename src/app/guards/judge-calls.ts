import { simpleCommands } from "../../adapters/shell/simple-commands.ts";
import type { CallJudge } from "../../core/guards/judge-call.ts";
import { testPatterns } from "./guard-registry.ts";

/** Tests patterns within a time limit, and commands with the shell parser. */
export const judgeCalls: CallJudge = { test: testPatterns, parse: simpleCommands };

export { simpleCommands };
