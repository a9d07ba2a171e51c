import { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { ForksPoolWorker } from "vitest/node";

const PAGE = 4096;
/** The limit of files if the memory of a process is unknown. */
const MANY_FILES = 40;

/** The resident memory of a process, in bytes; `undefined` without /proc, or if the process has ended. */
function heldBy(process: unknown): number | undefined {
  if (!(process instanceof ChildProcess)) return undefined;
  try {
    const [, resident] = readFileSync(`/proc/${process.pid}/statm`, "utf8").split(" ");
    return Number(resident) * PAGE;
  } catch {
    return undefined;
  }
}

type Options = ConstructorParameters<typeof ForksPoolWorker>[0];

/** A vitest worker that runs one file after another until its memory has grown. */
class RenewedWorker extends ForksPoolWorker {
  override readonly name = "renewed";
  readonly #limit: number;
  #files = 0;
  #grown: boolean | undefined;

  constructor(options: Options, limit: number) {
    super(options);
    this.#limit = limit;
  }

  override send(message: Parameters<ForksPoolWorker["send"]>[0]): void {
    if (message.type === "run") {
      this.#files += 1;
      this.#grown = undefined;
    }
    super.send(message);
  }

  /** Keeps its answer until the next file: vitest asks when a file has ended and again when one begins. */
  canReuse(): boolean {
    if (this.#grown === undefined) {
      const held = heldBy(Reflect.get(this, "fork"));
      this.#grown = held === undefined ? this.#files >= MANY_FILES : held > this.#limit;
    }
    return !this.#grown;
  }
}

/**
 * Workers that are replaced before the next file once they use more than `limit` bytes. vitest's own `vmMemoryLimit` is
 * for pools that isolate files.
 */
export function renewedWorkers(limit: number) {
  return { name: "renewed", createPoolWorker: (options: Options) => new RenewedWorker(options, limit) };
}
