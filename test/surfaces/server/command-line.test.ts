import fs from "node:fs";
import path from "node:path";
import { Hono } from "hono";
import { afterEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../../src/adapters/postgres/open-database.ts";
import { requireAskable } from "../../../src/app/models/models.ts";
import { openServer } from "../../../src/app/server/open-server.ts";
import { listen, type Listening } from "../../../src/surfaces/server/main.ts";
import { type Env, loginsIn, readCommandLine, tlsIn } from "../../../src/surfaces/server/options.ts";
import { scratch } from "../../support/scratch.ts";

const optionsOf = (...argv: string[]) => readCommandLine(argv).values;

describe("what memdir-server says of a start that cannot be", () => {
  const listening: Listening[] = [];
  afterEach(async () => {
    for (const one of listening.splice(0)) await one.stop(0);
  });

  it("an option with nothing in it is not taken for the directory that it is started in", () => {
    for (const option of ["--data", "--database", "--host", "--cert", "--user", "--github-allow"])
      expect(() => optionsOf(option, "")).toThrow(`${option} needs a value`);
    expect(optionsOf("--data", "x")).toMatchObject({ data: "x", "github-allow": [] });
  });

  it("files that are missing, or that are no certificate, are named with their option", () => {
    const file = path.join(scratch(), "Jané Döe.pem");
    expect(() => tlsIn(optionsOf("--cert", file, "--key", file))).toThrow(`--cert ${file} cannot be read (ENOENT).`);
    fs.writeFileSync(file, "no PEM");
    expect(() => tlsIn(optionsOf("--cert", file, "--key", file))).toThrow(/HTTPS cannot be served with --cert/u);
    const login = ["--oidc", "https://id.example", "--oidc-client", "c", "--oidc-allow", "everyone"];
    expect(() => loginsIn(optionsOf(...login, "--oidc-secret-file", `${file}.none`))).toThrow(
      `--oidc-secret-file ${file}.none cannot be read (ENOENT).`,
    );
  });

  it("a model that dreams cannot ask is refused at the start, not with the first dream", () => {
    const refused: readonly (readonly [string, Readonly<Record<string, string>>, RegExp])[] = [
      ["nonsense", {}, /"nonsense" names no provider/u],
      ["off", {}, /names no provider/u],
      ["anthropic/claude-haiku-4-5", {}, /cannot be asked: no key: set ANTHROPIC_API_KEY/u],
      ["claude-cli", {}, /cannot be asked: a server runs no agents/u],
      ["compatible/llama", {}, /cannot be asked: no address/u],
    ];
    for (const [model, environment, reason] of refused)
      expect(() => requireAskable(model, environment)).toThrow(reason);
    requireAskable("anthropic/claude-haiku-4-5", { ANTHROPIC_API_KEY: "k" });
    requireAskable("compatible/llama", { MEMDIR_MODEL_URL: "http://127.0.0.1:9/v1" });
  });

  it("an address that cannot be had is told with the option to change", async () => {
    const app = new Hono<Env>();
    listening.push(await listen(app, { host: "127.0.0.1", port: 0 }));
    const port = Number(new URL(listening[0]?.url ?? "").port);
    await expect(listen(app, { host: "127.0.0.1", port })).rejects.toThrow(
      `Another program listens on 127.0.0.1, port ${port}. Choose another --port.`,
    );
    await expect(listen(app, { host: "192.0.2.1", port: 0 })).rejects.toThrow(
      /This machine has no address 192\.0\.2\.1/u,
    );
  });

  it("a directory that cannot be made is told in words, and at once", async () => {
    const file = path.join(scratch(), "file");
    fs.writeFileSync(file, "x");
    const places = [file, path.join(file, "below"), ...(process.platform === "linux" ? ["/proc/memdir-server"] : [])];
    for (const directory of places)
      await expect(openServer({ directory })).rejects.toMatchObject({
        name: "MemoryError",
        message: expect.stringMatching(/^cannot create the directory /u),
      });
  });

  it("an embedded database that does not start is named, with what to do", async () => {
    const directory = scratch();
    fs.mkdirSync(path.join(directory, "database"));
    fs.writeFileSync(path.join(directory, "database", "PG_VERSION"), "1\n");
    await expect(openServer({ directory })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining(`${path.join(directory, "database")} does not start.`),
    });
    expect(fs.readdirSync(directory)).toEqual(["database"]);
  });

  it("a database that cannot be reached is told without its password", async () => {
    const refused = await openDatabase({ url: "postgres://jane:hunter2@127.0.0.1:1/shop" }).catch(
      (error: unknown) => error,
    );
    expect(refused).toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("ECONNREFUSED 127.0.0.1:1"),
    });
    expect(String(refused)).not.toContain("hunter2");
    await expect(openDatabase({ url: "shop" })).rejects.toMatchObject({ code: "invalid-input" });
  });
});
