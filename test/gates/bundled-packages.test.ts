import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { bundlePackages } from "../../scripts/bundled-packages.mjs";
import { scratch } from "../support/scratch.ts";

const ROOT = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));

function output(files: Readonly<Record<string, string>>): string {
  const root = scratch();
  for (const [file, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(`${root}/${file}`), { recursive: true });
    fs.writeFileSync(`${root}/${file}`, text);
  }
  return root;
}

const ARCHIVE = 'const { create } = await import("tar");\n';

it("A build lets the one module that imports a bundled package import it from dist/packages.", async () => {
  const root = output({ "adapters/archive/tar.js": ARCHIVE });
  await bundlePackages(ROOT, root);
  expect(fs.readFileSync(`${root}/adapters/archive/tar.js`, "utf8")).toContain('import("../../packages/tar.js")');
});

it.each(["tar/create", "tar", "unbash"])(
  "A build is refused where another module imports %s, which is not installed with memdir.",
  async (specifier) => {
    const root = output({
      "adapters/archive/tar.js": ARCHIVE,
      "adapters/archive/other.js": `import { parse } from "${specifier}";\n`,
    });
    await expect(bundlePackages(ROOT, root)).rejects.toThrow(`adapters/archive/other.js imports ${specifier}`);
  },
);
