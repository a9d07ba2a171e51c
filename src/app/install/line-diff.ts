/** A unified diff for people to read, for surfaces that need no store. */
export { lineDiff } from "../../adapters/files/merge.ts";
