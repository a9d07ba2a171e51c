import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { join } from "node:path";
import { PROJECT } from "../gates/tree.ts";

/** Runs the torture of a product with a planted fault (empty: as it is). */
export async function tortureWith(
  fault: string,
  args: readonly string[],
): Promise<{ readonly status: number | null; readonly stdout: string }> {
  const child = spawn(process.execPath, [join(PROJECT, "bench", "torture.mjs"), ...args], {
    env: { ...process.env, MEMDIR_TORTURE_FAULT: fault },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [stdout] = await Promise.all([text(child.stdout), once(child, "close")]);
  return { status: child.exitCode, stdout };
}
