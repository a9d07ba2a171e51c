/** The second npm package of this tree: `memdir-server`, one file, with its databases as optional dependencies. */
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { licencesOf } from "./bundled-packages.mjs";

/** The packages inside the one file. */
const BUNDLED = [
  "hono",
  "@hono/node-server",
  "kysely",
  "pg",
  "node-diff3",
  "smol-toml",
  "yaml",
  "openid-client",
  "oauth4webapi",
  "jose",
  "@octokit/auth-oauth-device",
  "@octokit/oauth-methods",
  "@octokit/oauth-authorization-url",
  "@octokit/request",
  "@octokit/request-error",
  "@octokit/endpoint",
  "universal-user-agent",
];
const EMBEDDED = "@electric-sql/pglite";

/** Writes the package into `output`/server, from the bundle next to it: `npm pack ./dist/server`. */
export function writeServerPackage(root, output, bundle) {
  const directory = join(output, "server");
  const { version, license, author, homepage, bugs, repository, engines, devDependencies, optionalDependencies } =
    JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const manifest = {
    name: "memdir-server",
    version,
    description: "Sync server of memdir: the notes of a person or a team, on every device.",
    license,
    author,
    homepage,
    bugs,
    // npm compares it with the place of the build.
    repository,
    engines,
    bin: { "memdir-server": bundle },
    files: [bundle, "LICENSES.txt", "README.md", "LICENSE"],
    // libsql is for dreams on a Node without built-in SQLite.
    optionalDependencies: { [EMBEDDED]: devDependencies[EMBEDDED], libsql: optionalDependencies.libsql },
  };
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  writeFileSync(
    join(directory, "LICENSES.txt"),
    licencesOf(root, new Set(BUNDLED.map((name) => `node_modules/${name}`))),
  );
  copyFileSync(join(output, bundle), join(directory, bundle));
  chmodSync(join(directory, bundle), 0o755);
  copyFileSync(join(root, "docs", "server.md"), join(directory, "README.md"));
  copyFileSync(join(root, "LICENSE"), join(directory, "LICENSE"));
}
