import fs from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { filesBelow, scratch } from "../support/scratch.ts";

const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
const DIST = path.join(PROJECT, "dist");

/** Of another module, by its name; minified code has no spaces. */
const IMPORT = /(?:^|[;}])(?:import|export)\b[^"'=();]*\bfrom ?"([^".][^"]*)"|\bimport\("([^".][^"]*)"\)/gmu;

/** The modules that package.json names; the rest of dist is what the compiler leaves, the server's own package among it. */
const SHIPPED = /^(?:index|ai-sdk|anthropic)\.js$|^plugins\/.*\.js$/u;

function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

describe("what is built", () => {
  it("imports only what is installed with it", () => {
    const { dependencies, optionalDependencies } = JSON.parse(
      fs.readFileSync(path.join(PROJECT, "package.json"), "utf8"),
    );
    const installed = new Set([...Object.keys(dependencies), ...Object.keys(optionalDependencies)]);
    const modules = [...filesBelow(DIST)].filter(([file]) => SHIPPED.test(file));
    const imported = modules.flatMap(([, bytes]) =>
      [...bytes.toString("utf8").matchAll(IMPORT)].map(([, from, dynamic]) => from ?? dynamic ?? ""),
    );
    expect(
      new Set(
        imported
          .filter((specifier) => !isBuiltin(specifier))
          .map(packageOf)
          .filter((name) => !installed.has(name)),
      ),
    ).toEqual(new Set());
    expect(imported).toContain("yaml");
  });

  it("has the licence of every package inside it", () => {
    const licences = fs.readFileSync(path.join(DIST, "packages", "LICENSES.txt"), "utf8");
    for (const name of ["minipass", "tar", "unbash"])
      expect(licences).toContain(`\n${name} `.slice(licences.startsWith(name) ? 1 : 0));
  });

  it("finds secrets and packs archives as the packages do", async () => {
    const built = async (file: string) => import(/* @vite-ignore */ pathToFileURL(path.join(DIST, file)).href);
    const { createSecretScanner } = await built("adapters/secrets/scanner.js");
    const { packFiles, unpack } = await built("adapters/archive/tar.js");
    const token = ["xo", "xb-", "123456789012-1234567890123-", "AbCdEfGhIjKlMnOpQrStUvWx"].join("");
    expect(await createSecretScanner().scan(`the bot's token is ${token}`)).not.toEqual([]);
    const root = scratch();
    fs.mkdirSync(path.join(root, "out"));
    fs.writeFileSync(path.join(root, "note.md"), "as it was\n");
    packFiles(root, ["note.md"], path.join(root, "notes.tgz"));
    unpack(path.join(root, "notes.tgz"), path.join(root, "out"));
    expect(fs.readFileSync(path.join(root, "out", "note.md"), "utf8")).toBe("as it was\n");
  });
});
