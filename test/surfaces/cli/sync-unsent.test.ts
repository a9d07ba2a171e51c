import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { type CliResult, cli, emptyHome } from "../../support/cli.ts";
import { filesBelow, scratch } from "../../support/scratch.ts";
import { startSpaceServer } from "../../support/sync-server.ts";

type Device = (...argv: readonly string[]) => Promise<CliResult>;

/** A machine with an empty home, working in a project that is called the same on each. */
function device(own: string): Device {
  fs.mkdirSync(`${own}/shop`, { recursive: true });
  return (...argv) => cli(argv, { cwd: `${own}/shop`, environment: emptyHome(own) });
}

async function remoteIn(root: string, kind: "git" | "server"): Promise<readonly string[]> {
  if (kind === "git") {
    execFileSync("git", ["init", "--quiet", "--bare", `${root}/notes.git`]);
    return ["--remote", `${root}/notes.git`];
  }
  const server = await startSpaceServer();
  fs.writeFileSync(`${root}/token`, server.token, { mode: 0o600 });
  return ["--remote", server.url, "--token-file", `${root}/token`];
}

const SENT = "The heron ledger lies in the lower drawer.";
const UNSENT = "Ask Mira before the quarterly stocktake.";

describe.each(["git", "server"] as const)("lines of a note that another device forgot, over %s", (kind) => {
  it.each([
    ["user", "a line of its own", `${SENT}\n\n${UNSENT}`],
    ["project", "a line of its own", `${SENT}\n\n${UNSENT}`],
    ["user", "the end of a sent line", `${SENT} ${UNSENT}`],
    ["project", "the end of a sent line", `${SENT} ${UNSENT}`],
  ])("wait for review in the %s scope: %s", async (scope, _, edited) => {
    const root = scratch();
    const [a, b] = [device(`${root}/a`), device(`${root}/b`)];
    const note = `${scope}:project_q2.md`;
    const run = async (on: Device, ...argv: readonly string[]): Promise<string> => {
      const { code, out, err } = await on(...argv);
      expect(`${argv.join(" ")}: ${code} ${code === 0 ? "" : out + err}`).toBe(`${argv.join(" ")}: 0 `);
      return out;
    };
    await run(a, "remember", SENT, "--name", "q2", "--type", "project", "--scope", scope);
    const remote = await remoteIn(root, kind);
    for (const one of [a, b]) await run(one, "sync", "setup", ...remote, "--manual", "--scope", scope, "--yes");
    await run(b, "edit", note, "--body", edited);
    await run(a, "forget", note, "--yes");
    await run(a, "sync", "now");
    expect(await run(b, "sync", "now")).toContain("unsent lines wait in `memdir review`");
    expect(await run(b, "review", "--list")).toContain(UNSENT);
    const { waiting } = JSON.parse(await run(b, "review", "--json"));
    expect(waiting).toHaveLength(1);
    await run(b, "sync", "now");
    const left = [...filesBelow(`${root}/b`)].filter(([, bytes]) => bytes.includes("heron")).map(([file]) => file);
    expect(left).toEqual([]);
    await run(b, "review", "accept", waiting[0].id);
    expect(await run(b, "list", "--json")).toContain("project_q2");
  });

  it("are none where only its frontmatter changed", async () => {
    const root = scratch();
    const [a, b] = [device(`${root}/a`), device(`${root}/b`)];
    const remote = await remoteIn(root, kind);
    await a("remember", SENT, "--name", "q2", "--type", "project", "--scope", "user");
    for (const one of [a, b]) await one("sync", "setup", ...remote, "--manual", "--scope", "user", "--yes");
    expect((await b("pin", "user:project_q2.md")).code).toBe(0);
    await a("forget", "user:project_q2.md", "--yes");
    await a("sync", "now");
    expect(await b("sync", "now")).toMatchObject({ code: 0, out: expect.not.stringContaining("memdir review") });
    expect(JSON.parse((await b("review", "--json")).out)).toMatchObject({ waiting: [] });
  });
});
