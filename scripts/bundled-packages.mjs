/**
 * Packages that memdir ships in part instead of depending on them: one minified file each in dist/packages, with their
 * licences. They are development dependencies; each is imported by one module.
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { build } from "esbuild";

/** By specifier: file in dist/packages, names, importing module. Packages in one file share dependencies. */
export const BUNDLED_PACKAGES = {
  unbash: { file: "unbash.js", takes: "forEachChild, parse", importer: "adapters/shell/simple-commands.js" },
  "age-encryption": {
    file: "age.js",
    takes: "Decrypter, Encrypter, generateX25519Identity, identityToRecipient",
    importer: "adapters/crypto/age.js",
  },
  "@scure/base": { file: "age.js", takes: "bech32", importer: "adapters/crypto/age.js" },
  "@scure/bip39": { file: "age.js", takes: "entropyToMnemonic, mnemonicToEntropy", importer: "adapters/crypto/age.js" },
  "@scure/bip39/wordlists/english.js": { file: "age.js", takes: "wordlist", importer: "adapters/crypto/age.js" },
  tar: { file: "tar.js", takes: "create, extract", importer: "adapters/archive/tar.js" },
};

/** CommonJS code inside an ES module loads Node's own modules with `require`. */
const REQUIRE = 'import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);';

/** Writes the packages into `output`/packages and makes their importers there use them. */
export async function bundlePackages(root, output) {
  const packages = join(output, "packages");
  const present = Object.entries(BUNDLED_PACKAGES).filter(([, { importer }]) => existsSync(join(output, importer)));
  if (present.length === 0) return;
  mkdirSync(packages, { recursive: true });
  const inputs = await Promise.all(
    [...new Set(present.map(([, { file }]) => file))].map((name) =>
      bundleOne(
        root,
        present
          .filter(([, { file }]) => file === name)
          .map(([specifier, { takes }]) => `export { ${takes} } from "${specifier}";`)
          .join("\n"),
        join(packages, name),
      ),
    ),
  );
  writeFileSync(join(packages, "LICENSES.txt"), licencesOf(root, new Set(inputs.flat())));
  for (const [specifier, { file, importer }] of present)
    redirect(join(output, importer), specifier, join(packages, file));
  refuseOthers(output);
}

/** Any other module that imports such a package would find it only during development of memdir. */
function refuseOthers(output) {
  const names = [
    ...new Set(Object.keys(BUNDLED_PACKAGES).map((specifier) => /^(?:@[^/]+\/)?[^/]+/u.exec(specifier)?.[0])),
  ];
  const asks = new RegExp(`(?:from |import |import\\()"((?:${names.join("|")})(?:/[^"]*)?)"`, "u");
  for (const file of readdirSync(output, { recursive: true }).filter(
    (name) => name.endsWith(".js") && !/^packages[\\/]/u.test(name),
  )) {
    const specifier = asks.exec(readFileSync(join(output, file), "utf8"))?.[1];
    if (specifier !== undefined)
      throw new Error(
        `${file.replaceAll("\\", "/")} imports ${specifier}, which is not installed with memdir: name it in scripts/bundled-packages.mjs`,
      );
  }
}

/** @returns the included packages, as paths below `root`. */
async function bundleOne(root, contents, outfile) {
  const { metafile } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    minify: true,
    legalComments: "none",
    logLevel: "warning",
    banner: { js: REQUIRE },
    outfile,
    metafile: true,
    absWorkingDir: root,
  });
  return packagesIn(metafile);
}

/** The packages included in a bundle, as paths below `root`. */
export function packagesIn(metafile) {
  const paths = Object.keys(metafile.inputs).flatMap(
    (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/u.exec(path)?.[0] ?? [],
  );
  return [...new Set(paths)];
}

function redirect(importer, specifier, file) {
  const before = readFileSync(importer, "utf8");
  const path = relative(dirname(importer), file).replaceAll("\\", "/");
  const after = ["from ", "import("].reduce(
    (text, form) => text.replaceAll(`${form}"${specifier}"`, `${form}"${path}"`),
    before,
  );
  if (after === before)
    throw new Error(`${importer} does not import ${specifier}: scripts/bundled-packages.mjs names another module`);
  writeFileSync(importer, after);
}

/** Licences of the packages and all their dependencies: a package may contain its dependencies in its own files. */
export function licencesOf(root, packages) {
  const texts = withDependencies(root, [...packages])
    .toSorted()
    .map((path) => {
      const { name, version, license } = manifestOf(root, path);
      const file = readdirSync(join(root, path)).find((entry) => /^licen[cs]e/iu.test(entry));
      return `${name} ${version} (${license})\n\n${file === undefined ? "" : readFileSync(join(root, path, file), "utf8").trim()}\n`;
    });
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}

function withDependencies(root, packages) {
  const found = new Set();
  const waiting = [...packages];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    const names = Object.keys(manifestOf(root, path).dependencies ?? {});
    waiting.push(
      ...names
        .map((name) =>
          [`${path}/node_modules/${name}`, `node_modules/${name}`].find((place) => existsSync(join(root, place))),
        )
        .filter((place) => place !== undefined),
    );
  }
  return [...found];
}

function manifestOf(root, path) {
  return JSON.parse(readFileSync(join(root, path, "package.json"), "utf8"));
}
