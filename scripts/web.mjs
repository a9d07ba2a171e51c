/**
 * Builds the page of `memdir web` into dist/web: app.js, app.css, index.html, the icon, chunks loaded on demand, and
 * the licences of the packages in them.
 */
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { licencesOf, packagesIn } from "./bundled-packages.mjs";

const ENTRY = "app.tsx";
const COPIED = ["index.html", "icon.svg"];

/** The page's code as a bundle; `undefined` if there is no page. */
export async function pageBundle(root, web, { write = true } = {}) {
  const source = join(root, "web");
  if (!existsSync(join(source, ENTRY))) return undefined;
  return await build({
    entryPoints: { app: join(source, ENTRY) },
    outdir: web,
    bundle: true,
    splitting: true,
    chunkNames: "[name]",
    platform: "browser",
    format: "esm",
    target: ["chrome111", "firefox113", "safari16.4"],
    minify: true,
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
    write,
    absWorkingDir: root,
    tsconfig: join(source, "tsconfig.json"),
  });
}

/** Builds the page at `root`/web into `output`/web; does nothing if there is no page. */
export async function buildPage(root, output) {
  const source = join(root, "web");
  const web = join(output, "web");
  const bundle = await pageBundle(root, web);
  if (bundle === undefined) return;
  mkdirSync(web, { recursive: true });
  await build({
    entryPoints: [join(source, "style", "app.css")],
    outfile: join(web, "app.css"),
    bundle: true,
    minify: true,
    legalComments: "none",
    logLevel: "warning",
  });
  for (const name of COPIED) copyFileSync(join(source, name), join(web, name));
  writeFileSync(join(web, "LICENSES.txt"), licencesOf(root, packagesIn(bundle.metafile)));
}
