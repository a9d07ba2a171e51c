import fs from "node:fs";

export interface Process {
  readonly id: number;
  readonly line: string;
}

/** Processes whose home directory is this one, as Linux tells; elsewhere nothing can be said, and none is named. */
export function processesOf(home: string): readonly Process[] {
  if (!fs.existsSync("/proc/self/environ")) return [];
  return fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/u.test(name))
    .flatMap((id) => {
      try {
        const environment = fs.readFileSync(`/proc/${id}/environ`, "utf8").split("\0");
        const line = fs.readFileSync(`/proc/${id}/cmdline`, "utf8").replaceAll("\0", " ").trim();
        return environment.includes(`HOME=${home}`) && line !== "" ? [{ id: Number(id), line }] : [];
      } catch {
        // Ended meanwhile, or somebody else's.
        return [];
      }
    });
}

/** Waits for something that happens beside this process; `false` when it did not in time. */
export async function waitUntil(holds: () => boolean, timeoutMs: number): Promise<boolean> {
  for (const end = performance.now() + timeoutMs; ;) {
    if (holds()) return true;
    if (performance.now() > end) return false;
    await new Promise((done) => setTimeout(done, 50));
  }
}
