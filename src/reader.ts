import type * as Answers from "./surfaces/hooks/hook-recall.ts";
import type * as Recall from "./surfaces/cli/quick-recall.ts";

/** `reader.cjs`: recall while an agent or a user waits. Nothing in it writes notes or parses YAML. */
export const answers = (): typeof Answers => require("./surfaces/hooks/hook-recall.ts");
export const recall = (): typeof Recall => require("./surfaces/cli/quick-recall.ts");
