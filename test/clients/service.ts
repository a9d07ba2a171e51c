import { spawn } from "node:child_process";
import net from "node:net";
import { setTimeout as wait } from "node:timers/promises";

/** A client's own server, at work while its commands talk to it. */
export interface Service {
  /** Ends it as a person would; its exit code. Killed where it does not go. */
  end(): Promise<number | undefined>;
}

const STARTED_MS = 90_000;
const ENDED_MS = 20_000;

/** Starts it and comes back when its port answers. @throws where it ends before, or is too slow. */
export async function startService(
  [command = "", ...args]: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string>>,
  port: number,
): Promise<Service> {
  const child = spawn(command, args, { cwd, env: environment, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => (said = (said + chunk).slice(-4000)));
  let code: number | null | undefined;
  const ended = new Promise<void>((done) =>
    child.once("close", (given) => {
      code = given;
      done();
    }),
  );
  const end = async (): Promise<number | undefined> => {
    child.kill("SIGTERM");
    const limit = setTimeout(() => child.kill("SIGKILL"), ENDED_MS);
    await ended;
    clearTimeout(limit);
    return code ?? undefined;
  };
  const until = Date.now() + STARTED_MS;
  while (!(await answers(port))) {
    if (code !== undefined || Date.now() > until) {
      await end();
      throw new Error(`it did not start:\n${said}`);
    }
    await wait(200);
  }
  return { end };
}

function answers(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = net.connect(port, "127.0.0.1");
    socket.once("connect", () => done(true)).once("error", () => done(false));
    socket.once("connect", () => socket.destroy());
  });
}

/** A port that nobody listened on just now. */
export async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((done, fail) => server.once("error", fail).listen(0, "127.0.0.1", done));
  const address = server.address();
  await new Promise<void>((done) => server.close(() => done()));
  return typeof address === "object" && address !== null ? address.port : 0;
}
