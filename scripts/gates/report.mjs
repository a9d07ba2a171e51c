/** How a gate reports its findings. A gate that checked nothing has failed, because it cannot have found anything. */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** Whether the module at `url` is the script that was started. */
export function isMain(url) {
  return process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(url);
}

/**
 * Prints `{ checked, findings }` and returns the exit code: 0 clean, 1 findings or nothing checked.
 * @param {(text: string) => void} print
 */
export function report(gate, { checked, findings }, print = (text) => process.stdout.write(text)) {
  for (const { rule, path, line, message } of findings) {
    print(`${path}${line === undefined ? "" : `:${line}`} ${rule}: ${message}\n`);
  }
  if (checked === 0) print(`${gate}: 0 files were checked, so nothing was proved\n`);
  else print(`${gate}: ${checked} files, ${findings.length} findings\n`);
  return checked === 0 || findings.length > 0 ? 1 : 0;
}
