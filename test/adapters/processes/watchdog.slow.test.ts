import { spawn } from "node:child_process";
import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { isAlive, until } from "../../support/fake-agent.ts";
import { scratch } from "../../support/scratch.ts";

const WATCHDOG = fileURLToPath(new URL("../../../dist/adapters/processes/watchdog.js", import.meta.url));

it(
  "a process that is caught in a loop without end is killed with the groups it started",
  { timeout: 60_000 },
  async () => {
    const root = scratch();
    const file = `${root}/group`;
    const code = `
    import { spawn } from "node:child_process";
    import fs from "node:fs";
    import { startWatchdog } from ${JSON.stringify(WATCHDOG)};
    const started = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true, stdio: "ignore" });
    const watchdog = startWatchdog(Date.now() + 60_000);
    watchdog.groups([started.pid]);
    watchdog.watch(Date.now() + 1_500);
    fs.writeFileSync(${JSON.stringify(file)}, String(started.pid));
    setTimeout(() => { for (;;); }, 300);
  `;
    fs.writeFileSync(`${root}/caught.mjs`, code);
    const child = spawn(process.execPath, [`${root}/caught.mjs`], { detached: true, stdio: "ignore" });
    await until(() => child.signalCode !== null || child.exitCode !== null, 30_000);
    expect(child.signalCode).toBe("SIGKILL");
    const group = Number(fs.readFileSync(file, "utf8"));
    await until(() => !isAlive(group));
  },
);
