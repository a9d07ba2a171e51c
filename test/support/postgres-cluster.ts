import { execFileSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { afterEveryFile } from "./after-every-test.ts";
import { memoryDirectory } from "./scratch.ts";

const clusters: { directory: string; url: string; run: (command: string, ...args: string[]) => void }[] = [];

afterEveryFile(() => {
  for (const { directory, run } of clusters.splice(0)) {
    run("pg_ctl", "-D", path.join(directory, "data"), "-m", "immediate", "stop");
    fs.rmSync(directory, { recursive: true, force: true });
  }
});

/** The directory of the newest PostgreSQL's programs on Debian and similar systems; `undefined` if not installed. */
export function postgresPrograms(): string | undefined {
  const versions = "/usr/lib/postgresql";
  const found = fs.existsSync(versions) ? fs.readdirSync(versions).toSorted((a, b) => Number(b) - Number(a)) : [];
  return found
    .map((version) => path.join(versions, version, "bin"))
    .find((bin) => fs.existsSync(path.join(bin, "initdb")));
}

/** Its data directory with tables and write-ahead log, readable while the test file runs. */
export function postgresData(url: string): string {
  const found = clusters.find((one) => one.url === url);
  if (found === undefined) throw new Error(`no PostgreSQL server was started at ${url}`);
  return path.join(found.directory, "data");
}

/** A separate PostgreSQL server on loopback, ended after the test file. @returns its URL. */
export async function postgresCluster(bin: string): Promise<string> {
  const directory = fs.mkdtempSync(path.join(memoryDirectory(), "memdir-postgres-"));
  // PostgreSQL refuses to run as root.
  const asRoot = process.getuid?.() === 0;
  if (asRoot) execFileSync("chown", ["postgres", directory]);
  const run = (command: string, ...args: string[]): void => {
    const program = path.join(bin, command);
    const [file, before] = asRoot
      ? ["setpriv", ["--reuid=postgres", "--regid=postgres", "--clear-groups", program]]
      : [program, []];
    execFileSync(file, [...before, ...args], { stdio: "ignore", cwd: directory, timeout: 60_000 });
  };
  const data = path.join(directory, "data");
  run("initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync");
  const port = await freePort();
  const settings = `-c listen_addresses=127.0.0.1 -c port=${port} -c unix_socket_directories= -c fsync=off -c full_page_writes=off`;
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  clusters.push({ directory, url, run });
  run("pg_ctl", "-D", data, "-w", "-t", "50", "-l", path.join(directory, "log"), "-o", settings, "start");
  return url;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
