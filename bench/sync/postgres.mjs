/** A private PostgreSQL server on loopback, with its default disk settings; `undefined` if none is installed. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";

const VERSIONS = "/usr/lib/postgresql";

export async function startPostgres() {
  const bin = fs.existsSync(VERSIONS)
    ? fs
        .readdirSync(VERSIONS)
        .toSorted((a, b) => Number(b) - Number(a))
        .map((version) => path.join(VERSIONS, version, "bin"))
        .find((one) => fs.existsSync(path.join(one, "initdb")))
    : undefined;
  if (bin === undefined) return undefined;
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "memdir-bench-postgres-"));
  // PostgreSQL refuses to run as root.
  const asRoot = process.getuid?.() === 0;
  if (asRoot) execFileSync("chown", ["postgres", directory]);
  const run = (program, ...args) => {
    const command = [path.join(bin, program), ...args];
    if (asRoot) command.unshift("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups");
    execFileSync(command[0], command.slice(1), { stdio: "ignore", cwd: directory, timeout: 120_000 });
  };
  const data = path.join(directory, "data");
  run("initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C");
  const port = await freePort();
  const settings = `-c listen_addresses=127.0.0.1 -c port=${port} -c unix_socket_directories=`;
  run("pg_ctl", "-D", data, "-w", "-t", "100", "-l", path.join(directory, "log"), "-o", settings, "start");
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop() {
      run("pg_ctl", "-D", data, "-m", "immediate", "stop");
      fs.rmSync(directory, { recursive: true, force: true });
    },
  };
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
