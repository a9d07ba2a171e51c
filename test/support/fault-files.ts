import type { FilePort } from "../../src/core/notes/file-port.ts";
import { MemoryError, type MemoryErrorCode } from "../../src/core/shared/errors.ts";

/** Thrown where a killed process would stop. The code under test handles only MemoryError, so it never catches this. */
export class ProcessKilled extends Error {
  constructor(at: string) {
    super(`killed at ${at}`);
    this.name = "ProcessKilled";
  }
}

export type Fault =
  | { readonly kind: "none" }
  /** Nothing happens from step `at` on; a write at `at` is half done. Reads change nothing, so they are not steps. */
  | { readonly kind: "kill"; readonly at: number }
  /** Step `at` fails, once or from then on. `io` fails after the work was done, `disk-full` after half of a write. */
  | { readonly kind: "fail"; readonly at: number; readonly code: MemoryErrorCode; readonly lasting: boolean };

/** Counts the steps of an operation and interrupts it at one of them. */
export interface Steps {
  /** Steps so far. */
  readonly count: number;
  /** Whether a fault has happened. */
  readonly hit: boolean;
  /** Runs one step. `half` is the result of an interrupted step. */
  run<T>(name: string, work: () => T, half?: () => void): T;
  /** A step that changes nothing: it can fail, and throws in a killed process. */
  look<T>(name: string, work: () => T): T;
}

export function countSteps(fault: Fault): Steps {
  let count = 0;
  let hit = false;
  const fail = (name: string, code: MemoryErrorCode): MemoryError =>
    new MemoryError(code, `injected ${code} at step ${count}, ${name}`);
  const isDue = (): boolean =>
    fault.kind !== "none" && (count === fault.at || (count > fault.at && (fault.kind === "kill" || fault.lasting)));
  const step = <T>(name: string, work: () => T, half: (() => void) | undefined): T => {
    count++;
    if (fault.kind === "none" || !isDue()) return work();
    const isFirst = !hit;
    hit = true;
    if (fault.kind === "kill") {
      if (isFirst) half?.();
      throw new ProcessKilled(`step ${count}, ${name}`);
    }
    if (fault.code === "io" && isFirst) work();
    if (fault.code === "disk-full") half?.();
    throw fail(name, fault.code);
  };
  return {
    get count() {
      return count;
    },
    get hit() {
      return hit;
    },
    run: step,
    look(name, work) {
      if (fault.kind === "fail") return step(name, work, undefined);
      if (fault.kind === "kill" && hit) throw new ProcessKilled(name);
      return work();
    },
  };
}

/** A FilePort on top of another one that counts its steps and can be interrupted at each. */
export function faultFiles(base: FilePort, steps: Steps): FilePort {
  const halfOf = (bytes: Uint8Array): Uint8Array => bytes.slice(0, bytes.byteLength >> 1);
  const short = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
  return {
    read: (path) => steps.look(`read ${short(path)}`, () => base.read(path)),
    stat: (path) => {
      // Not counted: asking for a file's size fails whenever reading it does.
      if (steps.hit) return steps.look("stat", () => base.stat(path));
      return base.stat(path);
    },
    list: (path) => steps.look(`list ${short(path)}`, () => base.list(path)),
    makeDirectory: (path) => steps.run(`makeDirectory ${short(path)}`, () => base.makeDirectory(path)),
    create: (path, bytes) =>
      steps.run(
        `create ${short(path)}`,
        () => base.create(path, bytes),
        () => base.create(path, halfOf(bytes)),
      ),
    copyMode: (from, to) => steps.look(`copyMode ${short(to)}`, () => base.copyMode(from, to)),
    append: (path, bytes) =>
      steps.run(
        `append ${short(path)}`,
        () => base.append(path, bytes),
        () => base.append(path, halfOf(bytes)),
      ),
    jot: (path, bytes) =>
      steps.run(
        `jot ${short(path)}`,
        () => base.jot(path, bytes),
        () => base.jot(path, halfOf(bytes)),
      ),
    note: (path, bytes) =>
      steps.run(
        `note ${short(path)}`,
        () => base.note(path, bytes),
        () => base.note(path, halfOf(bytes)),
      ),
    rename: (from, to) => steps.run(`rename ${short(from)} to ${short(to)}`, () => base.rename(from, to)),
    link: (from, to) => steps.run(`link ${short(from)} to ${short(to)}`, () => base.link(from, to)),
    remove: (path) => steps.run(`remove ${short(path)}`, () => base.remove(path)),
    removeTree: (path) => steps.run(`removeTree ${short(path)}`, () => base.removeTree(path)),
    syncDirectory: (path) => steps.run(`syncDirectory ${short(path)}`, () => base.syncDirectory(path)),
  };
}

/** The same object with its named methods as steps; the other methods only throw in a killed process. */
export function withSteps<T extends object>(target: T, names: readonly (keyof T & string)[], steps: Steps): T {
  return new Proxy(target, {
    get(object, key) {
      const value: unknown = Reflect.get(object, key, object);
      if (typeof value !== "function" || key === "close") return value;
      const call = (...values: unknown[]): unknown => Reflect.apply(value, object, values);
      const isStep = names.some((name) => name === key);
      return (...values: unknown[]): unknown =>
        isStep ? steps.run(String(key), () => call(...values)) : steps.look(String(key), () => call(...values));
    },
  });
}
