import { spawn } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MemoryError } from "../../core/shared/errors.ts";

/** How one job is run: in its own directory, which is always removed afterwards. */
export interface JobPlace {
  /** The directory in which job directories are created. */
  readonly root: string;
  readonly name: string;
  readonly input: { readonly file: string; readonly text: string };
  /** The file that the job writes. */
  readonly output: string;
  /** Starts the job; resolves when it has ended. */
  readonly run: (directory: string, signal: AbortSignal) => Promise<void>;
}

/** Runs a job and returns its output. @throws MemoryError `unavailable` when the job wrote no output. */
export async function runJob(place: JobPlace, signal: AbortSignal): Promise<string> {
  const directory = join(place.root, place.name);
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true, mode: 0o700 });
  try {
    await writeFile(join(directory, place.input.file), place.input.text, { mode: 0o600 });
    await place.run(directory, signal);
    return await readFile(join(directory, place.output), "utf8");
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Removes job directories left behind by a killed process. */
export async function clearJobs(root: string): Promise<void> {
  await rm(root, { recursive: true, force: true, maxRetries: 3 });
}

const HEAP_MB = 1024;
const MOST_SAID = 2_000;

/** Runs a command of this program as a child process, which ends with this process or as soon as `signal` aborts. */
export function inProcess(args: readonly string[], signal: AbortSignal): Promise<void> {
  const program = process.argv[1];
  if (program === undefined) throw new MemoryError("unavailable", "this program cannot start itself again");
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MB}`, program, ...args], {
      // Its standard input ends when this process does, and the job ends with it.
      stdio: ["pipe", "ignore", "pipe"],
      windowsHide: true,
      signal,
      killSignal: "SIGKILL",
    });
    let said = "";
    child.stderr.on("data", (bytes: Buffer) => {
      if (said.length < MOST_SAID) said += bytes.toString();
    });
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve();
      else
        reject(new MemoryError("unavailable", `the job ended with ${code ?? "a signal"}: ${said.slice(0, MOST_SAID)}`));
    });
  });
}
