/** Hands over to another Node process with the same terminal and environment; its exit code becomes ours. */
import { spawn } from "node:child_process";

export function runNode(args, options = {}) {
  const child = spawn(process.execPath, args, { stdio: "inherit", ...options });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => done(code ?? 1));
  });
}
