/**
 * The package's components as CycloneDX 1.5: packages installed with it, and packages whose code is in its files. `npm
 * sbom --omit dev` leaves out dependencies that a development package also needs. Needs a build.
 * Usage: node scripts/sbom.mjs > FILE
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isMain } from "./gates/report.mjs";

function component({ name, version, license, integrity }, scope) {
  const [algorithm, digest] = (integrity ?? "").split("-");
  return {
    type: "library",
    "bom-ref": `${name}@${version}`,
    name,
    version,
    scope,
    purl: `pkg:npm/${name.replace(/^@/u, "%40")}@${version}`,
    ...(license !== undefined && { licenses: [{ expression: license }] }),
    ...(algorithm === "sha512" && {
      hashes: [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }],
    }),
  };
}

/** `licences` is the build's record of the packages that it ships parts of. */
export function sbomOf({ manifest, lock, licences }) {
  const { name, version, license, description } = manifest;
  const nameOf = (path) => path.replace(/^.*node_modules\//u, "");
  const installed = Object.entries(lock.packages)
    .filter(([path, { dev }]) => path !== "" && dev !== true)
    .map(([path, entry]) => component({ name: nameOf(path), ...entry }, entry.optional ? "optional" : "required"));
  const shipped = [...licences.matchAll(/^((?:@[\w.-]+\/)?[\w.-]+) (\d[\w.+-]*) \(([^)]+)\)$/gmu)].map(
    ([, packed, packedVersion, terms]) =>
      component({ name: packed, version: packedVersion, license: terms }, "required"),
  );
  const components = new Map([...shipped, ...installed].map((one) => [one["bom-ref"], one]));
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: { component: { ...component({ name, version, license }), description } },
    components: [...components.values()].toSorted((a, b) => (a.purl < b.purl ? -1 : 1)),
  };
}

if (isMain(import.meta.url)) {
  const read = (file) => readFileSync(join(import.meta.dirname, "..", file), "utf8");
  const [manifest, lock] = ["package.json", "package-lock.json"].map((file) => JSON.parse(read(file)));
  const licences = `${read("dist/packages/LICENSES.txt")}\n${read("dist/web/LICENSES.txt")}`;
  const sbom = sbomOf({ manifest, lock, licences });
  process.stdout.write(`${JSON.stringify(sbom, undefined, 2)}\n`);
}
