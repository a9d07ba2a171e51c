/** The page of `memdir web`, for scripts to open. */
import { spawn } from "node:child_process";
import { COMMAND } from "./ensure-build.mjs";

/**
 * Starts `memdir web` in a project; `url` works once, `stop` resolves when the process has ended.
 * @param {{ project: string, environment: Record<string, string | undefined>, args?: readonly string[] }} where
 */
export async function servePage({ project, environment, args = [] }) {
  const child = spawn(process.execPath, [COMMAND, "web", "--no-open", "--port", "0", "--json", ...args], {
    cwd: project,
    env: environment,
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const url = await new Promise((resolve, reject) => {
    let printed = "";
    child.stdout.on("data", (chunk) => {
      printed += chunk;
      const found = /"url":\s*"([^"]+)"/u.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.stderr.on("data", (chunk) => (printed += chunk));
    child.on("exit", () => reject(new Error(`memdir web ended: ${printed}`)));
  });
  return {
    url,
    pid: child.pid,
    ended,
    stop: () => {
      child.kill();
      return ended;
    },
  };
}
