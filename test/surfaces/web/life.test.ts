import { expect, it } from "vitest";
import { serveWeb, writeRedirect } from "../../../src/surfaces/web/web.ts";
import { readArguments } from "../../../src/surfaces/web/body.ts";
import fs from "node:fs";
import { emptyHome } from "../../support/cli.ts";
import { scratch } from "../../support/scratch.ts";

it("the process ends half an hour after the last request", async () => {
  const root = scratch();
  let now = 0;
  const ended = serveWeb(["--json", "--dir", `${root}/notes`], emptyHome(root), { now: () => now, lookMs: 5 });
  const still = await Promise.race([ended, new Promise((done) => setTimeout(done, 200, "running"))]);
  expect(still).toBe("running");
  now = 30 * 60_000;
  expect(await ended).toBe(0);
});

it("arguments that make no sense are refused before anything is opened", () => {
  expect(readArguments(["--no-open", "--port", "4000"])).toMatchObject({ port: 4000, opens: false, json: false });
  expect(readArguments(["--json"])).toMatchObject({ port: 0, opens: false });
  for (const argv of [["--port", "x"], ["--port", "70000"], ["--wrong"], ["word"]])
    expect(() => readArguments(argv)).toThrow(/takes a number|unknown option|unexpected argument/u);
});

// Windows has no such bits.
it.skipIf(process.platform === "win32")(
  "the file that leads a browser to the page can be read by its owner only, and goes",
  () => {
    const root = scratch();
    const redirect = writeRedirect(root, "http://127.0.0.1:1/#code=abc");
    expect(fs.readFileSync(redirect.file, "utf8")).toContain("http://127.0.0.1:1/#code=abc");
    expect(fs.statSync(redirect.file).mode & 0o777).toBe(0o600);
    expect(fs.statSync(`${root}/web`).mode & 0o777).toBe(0o700);
    redirect.remove();
    expect(fs.existsSync(redirect.file)).toBe(false);
  },
);
