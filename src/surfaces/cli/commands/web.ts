import { UsageError } from "../io.ts";

/** The `memdir` command starts the page itself, without the full command line. */
export async function run(): Promise<number> {
  throw new UsageError("web serves a page: start it with the memdir command");
}
