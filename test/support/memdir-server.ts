import { spawn, type ChildProcess } from "node:child_process";
import path from "node:path";
import { record } from "../../src/core/shared/json.ts";
import { afterEveryTest } from "./after-every-test.ts";
import { giveCluster } from "./embedded-cluster.ts";

export const DIST = path.join(import.meta.dirname, "..", "..", "dist");
export const MEMDIR_SERVER = path.join(DIST, "memdir-server.cjs");

/** A running, built `memdir-server`. */
export interface RunningServer {
  readonly url: string;
  /** The owner's token, which only the first start with a data directory returns. */
  readonly token: string | null;
  /** Ends it; returns its exit code, or `null` if the signal killed it. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

const running = new Set<ChildProcess>();

afterEveryTest(() => {
  for (const child of running) child.kill("SIGKILL");
  running.clear();
});

/**
 * Starts the built server with a data directory, on a free port; resolves when it is ready. A new directory gets a
 * prepared empty cluster; a first start without one is tested where the package is installed.
 */
export async function startMemdirServer(data: string, ...args: readonly string[]): Promise<RunningServer> {
  if (!args.includes("--database")) await giveCluster(data);
  const command = [MEMDIR_SERVER, "--data", data, "--port", "0", "--json", "--quiet", ...args];
  const child = spawn(process.execPath, command, { stdio: ["ignore", "pipe", "pipe"] });
  running.add(child);
  let said = "";
  child.stderr.on("data", (bytes) => (said += String(bytes)));
  const line = await new Promise<string>((resolve, reject) => {
    let out = "";
    child.stdout.on("data", (bytes) => {
      out += String(bytes);
      if (out.includes("\n")) resolve(out);
    });
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
  });
  const { url, token } = record(JSON.parse(line));
  return {
    url: String(url),
    token: typeof token === "string" ? token : null,
    end: (signal = "SIGTERM") =>
      new Promise((resolve) => {
        child.once("exit", resolve);
        child.kill(signal);
      }),
  };
}
