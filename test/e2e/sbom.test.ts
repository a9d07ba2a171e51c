import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { BUNDLED_PACKAGES } from "../../scripts/bundled-packages.mjs";
import { sbomOf } from "../../scripts/sbom.mjs";

const read = (file: string): string => readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), "utf8");
const manifest = JSON.parse(read("package.json"));
const lock = JSON.parse(read("package-lock.json"));

it("The bill of materials has every dependency and every package whose code is shipped, and no other.", () => {
  const { components } = sbomOf({ manifest, lock, licences: read("dist/packages/LICENSES.txt") });
  const names = components.map(({ name }) => name);
  const shipped = Object.keys(BUNDLED_PACKAGES).map((specifier) => /^(?:@[^/]+\/)?[^/]+/u.exec(specifier)?.[0]);
  expect(names).toEqual(
    expect.arrayContaining([
      ...Object.keys(manifest.dependencies),
      ...Object.keys(manifest.optionalDependencies),
      ...shipped,
    ]),
  );
  expect(names.filter((name) => ["vitest", "typescript", "esbuild"].includes(name))).toEqual([]);
  for (const one of components) expect(one, one.name).toMatchObject({ licenses: [{ expression: expect.any(String) }] });
});

it("Dependencies come with the hash that npm holds them against.", () => {
  const packages = { "": {}, "node_modules/@a/b": { version: "1.0.0", license: "MIT", integrity: "sha512-AAEC" } };
  expect(sbomOf({ manifest, lock: { packages }, licences: "" }).components).toMatchObject([
    { purl: "pkg:npm/%40a/b@1.0.0", hashes: [{ alg: "SHA-512", content: "000102" }] },
  ]);
});
