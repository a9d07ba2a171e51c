/** What a browser loads before the page appears must stay small. Usage: node scripts/gates/page-size.mjs [ROOT] */
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { pageBundle } from "../web.mjs";
import { isMain, report } from "./report.mjs";

/** For app.js, with what it imports at once and without what it loads on demand. */
const LIMIT_BYTES = 40 * 1024;

/** Builds the page of `root` in memory and measures what is loaded first. */
export async function checkPageSize(root) {
  const bundle = await pageBundle(resolve(root), join(resolve(root), "dist", "web"), { write: false });
  if (bundle === undefined) return { checked: 0, findings: [] };
  const { outputFiles, metafile } = bundle;
  const name = (path) => path.replaceAll("\\", "/").split("/").at(-1);
  const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [name(path), output]));
  const first = new Set(["app.js"]);
  for (const file of first)
    for (const { path, kind } of outputs.get(file)?.imports ?? [])
      if (kind === "import-statement") first.add(name(path));
  const bytes = outputFiles
    .filter(({ path }) => first.has(name(path)))
    .reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0);
  const message = `${bytes} bytes with gzip, at most ${LIMIT_BYTES}: load what is rarely needed with import()`;
  return {
    checked: outputFiles.length,
    findings: bytes > LIMIT_BYTES ? [{ rule: "page-size", path: "web/app.tsx", message }] : [],
  };
}

if (isMain(import.meta.url))
  process.exitCode = report("page size", await checkPageSize(process.argv[2] ?? process.cwd()));
