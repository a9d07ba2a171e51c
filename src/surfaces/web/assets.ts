import { readFileSync } from "node:fs";
import { codeOf } from "../../core/shared/errors.ts";

export interface Asset {
  readonly type: string;
  readonly body: Buffer | string;
}

const SCRIPT = "text/javascript; charset=utf-8";

/** The page's files by request path; no others are served. */
const FILES: Readonly<Record<string, { readonly name: string; readonly type: string }>> = {
  "/": { name: "index.html", type: "text/html; charset=utf-8" },
  "/app.js": { name: "app.js", type: SCRIPT },
  "/app.css": { name: "app.css", type: "text/css; charset=utf-8" },
  "/markdown.js": { name: "markdown.js", type: SCRIPT },
  "/graph.js": { name: "graph.js", type: SCRIPT },
  "/chunk.js": { name: "chunk.js", type: SCRIPT },
  "/icon.svg": { name: "icon.svg", type: "image/svg+xml" },
};

const NOT_BUILT = "<!doctype html><title>memdir</title><p>The page was not built: npm run build.</p>\n";

/** The page and its files; `undefined` for any other path, or a file that is not built. */
export function openAssets(directory: URL): (path: string) => Asset | undefined {
  return (path) => {
    const file = Object.hasOwn(FILES, path) ? FILES[path] : undefined;
    if (file === undefined) return undefined;
    try {
      return { type: file.type, body: readFileSync(new URL(file.name, directory)) };
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
      return path === "/" ? { type: file.type, body: NOT_BUILT } : undefined;
    }
  };
}
