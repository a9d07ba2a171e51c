import { spawn } from "node:child_process";

export interface ClientRun {
  /** `undefined` when it was killed at its time limit. */
  readonly code: number | undefined;
  readonly out: string;
  readonly err: string;
}

export interface ClientCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Looks at what the client left behind, before that is ended. */
  readonly afterwards?: () => Promise<void>;
  /** The user it runs as, where that is not this one. */
  readonly uid?: number;
}

/** Runs a client to its end. At the time limit its whole process group is killed, and nothing else. */
export async function runClient({
  command,
  args,
  cwd,
  environment,
  timeoutMs,
  afterwards,
  uid,
}: ClientCommand): Promise<ClientRun> {
  const child = spawn(command, args, {
    cwd,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
    ...(uid !== undefined && { uid, gid: uid }),
  });
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (out += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (err += chunk));
  let expired = false;
  const timer = setTimeout(() => {
    expired = true;
    killGroup(child.pid);
  }, timeoutMs);
  try {
    const code = await new Promise<number | null>((done, fail) => child.once("error", fail).once("close", done));
    await afterwards?.();
    return { code: expired ? undefined : (code ?? 1), out, err };
  } finally {
    clearTimeout(timer);
    killGroup(child.pid);
  }
}

/** What the client itself started and left behind goes with it. */
function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The whole group has ended by itself.
  }
}
