import fs from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type CliOptions, cli, emptyHome, homeOf } from "../../support/cli.ts";
import { type FakeGitHub, startFakeGitHub } from "../../support/fake-github.ts";
import { MemoryServer } from "../../support/memory-server.ts";
import { filesBelow, scratch } from "../../support/scratch.ts";
import { scratchForFile } from "../../support/scratch-for-file.ts";

const [server, plain] = [new MemoryServer(), new MemoryServer()];
let gitHub: FakeGitHub;
beforeAll(async () => {
  gitHub = await startFakeGitHub();
  gitHub.permit("shop/all", "jane", "push");
  const logins = { gitHub: { url: gitHub.url, clientId: "app", allow: ["shop/all"] }, oidc: undefined };
  await server.start({ directory: `${scratchForFile()}/server`, logins });
  await plain.start({ directory: `${scratchForFile()}/plain` });
});
afterAll(async () => {
  await Promise.all([server.stop(), plain.stop()]);
  await gitHub.close();
});

function device() {
  const root = scratch();
  fs.mkdirSync(`${root}/shop`);
  const options = { cwd: `${root}/shop`, environment: emptyHome(root) };
  const setUp = (more: CliOptions, scope = "user", ...args: readonly string[]) =>
    cli(["sync", "setup", server.url, "--scope", scope, "--manual", "--yes", ...args], { ...options, ...more });
  return { home: homeOf(root), run: (...argv: readonly string[]) => cli(argv, options), setUp };
}

const AT_A_TERMINAL = { typed: [] };

it("a person at a terminal logs in once on each device, and the notes meet", async () => {
  const [one, two] = [device(), device()];
  gitHub.answer({ id: 7, login: "jane" });
  await one.run("remember", "Deploy on Mondays.", "--name", "deploy", "--type", "feedback", "--scope", "user");
  for (const each of [one, two]) {
    const made = await each.setUp(AT_A_TERMINAL, "user", "--json");
    expect(made).toMatchObject({
      code: 0,
      err: "to log in, open https://github.example/login/device and type this code: ABCD-1234\n",
    });
    expect(JSON.parse(made.out)).toMatchObject({ scope: "user", remote: server.url });
  }
  expect((await two.run("show", "user:deploy")).out).toContain("Mondays");
  // Another scope, and the same one again, need no terminal any more.
  for (const scope of ["project", "user"]) expect(await one.setUp({}, scope)).toMatchObject({ code: 0, err: "" });
  const holding = [...filesBelow(one.home)].flatMap(([file, bytes]) => (bytes.includes("mdt_") ? [file] : []));
  expect(holding).toEqual([expect.stringMatching(/sync\/tokens\/[0-9a-f]{16}$/u)]);
  expect(fs.statSync(`${one.home}/${holding[0]}`).mode & 0o77).toBe(0);
}, 60_000);

it("without a terminal, a login or a yes nothing is set up, and the person is told what to do", async () => {
  const one = device();
  const [silent, tokensOnly] = [
    await one.setUp({}),
    await one.run("sync", "setup", plain.url, "--scope", "user", "--yes"),
  ];
  expect(silent).toMatchObject({ code: 2, err: expect.stringMatching(/run this on a terminal.*127.*--token-file/u) });
  expect(tokensOnly).toMatchObject({ code: 2, err: expect.stringMatching(/has no login.*token add.*--token-file/u) });
  for (const [answer, message] of [
    ["denied", /nothing was set up/u],
    [{ id: 8, login: "mallory" }, /does not allow it.*nothing was set up/u],
  ] as const) {
    gitHub.answer(answer);
    expect(await one.setUp(AT_A_TERMINAL)).toMatchObject({ code: 4, err: expect.stringMatching(message) });
  }
  expect(JSON.parse((await one.run("sync", "status", "--json")).out)).toEqual({ spaces: [] });
}, 60_000);
