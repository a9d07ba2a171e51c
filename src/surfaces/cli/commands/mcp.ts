import { UsageError } from "../io.ts";

/** The `memdir` command starts the server itself, without the full command line. */
export async function run(): Promise<number> {
  throw new UsageError("mcp is a server for agents: start it with the memdir command");
}
