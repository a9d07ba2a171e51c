import type * as Sync from "./surfaces/cli/quick-sync.ts";

/** `sync.cjs`: a sync with nothing to do. Nothing in it writes notes or opens a store. */
export const sync = (): typeof Sync => require("./surfaces/cli/quick-sync.ts");
