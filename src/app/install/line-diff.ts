/** A unified diff for display, for surfaces that need no store. */
export { lineDiff } from "../../adapters/files/merge.ts";
