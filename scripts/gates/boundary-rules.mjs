/**
 * Which layers may import which: the rules for dependency-cruiser. Each rule lists what is allowed and refuses the
 * rest, so that an unexpected import is refused too.
 */
import { BUNDLED_PACKAGES } from "../bundled-packages.mjs";
import { APP_ON_DISK } from "./app-on-disk.mjs";

/** The application layer: what memdir does, one folder per feature, and `memory.ts`, its face. */
const APP = "^src/app/";
/** The features of the application layer from low to high: each imports only those before it (docs/ARCHITECTURE.md). */
export const APP_FEATURES = [
  "workspace",
  "notes",
  "past",
  "guards",
  "models",
  "recall",
  "instructions",
  "session-notes",
  "checkpoints",
  "capture",
  "transfer",
  "dream",
  "skills",
  "sync",
  "server",
  "background",
  "install",
  "care",
  "browse",
];
const HASH = String.raw`^src/core/shared/hash\.ts$`;
const CRYPTO = "^(?:node:)?crypto$";
const FOUNDATION = "^src/core/(?:notes|transcripts|models|shared)/";

/** Packages of memdir-server: all inside its one file, except the embedded database, which is installed with it. */
const OF_THE_SERVER = [
  "hono",
  "@hono/node-server",
  "kysely",
  "pg",
  "@types/pg",
  "@electric-sql/pglite",
  "@octokit/auth-oauth-device",
  "@octokit/request",
  "openid-client",
];

/** Packages that ship inside dist and therefore need not be installed. */
const SHIPPED = `node_modules/(?:${[...new Set([...OF_THE_SERVER, ...Object.keys(BUNDLED_PACKAGES)].map((specifier) => specifier.replace(/^((?:@[^/]+\/)?[^/]+).*/u, "$1")))].join("|")})/`;

function rule(name, comment, from, to) {
  return { name, comment, severity: "error", from, to };
}

const CORE_RULES = [
  rule(
    "core-imports-core-only",
    "Core is pure: no file system, no network, no process, no package.",
    { path: "^src/core/", pathNot: HASH },
    { pathNot: "^src/core/" },
  ),
  rule(
    "hash-imports-crypto-only",
    "Hashing is the one thing of Node that core uses, in one module.",
    { path: HASH },
    { pathNot: ["^src/core/", CRYPTO] },
  ),
  rule(
    "core-shared-stands-alone",
    "What everything rests on rests on nothing.",
    { path: "^src/core/shared/" },
    { path: "^src/", pathNot: "^src/core/shared/" },
  ),
  rule(
    "core-foundation-below-features",
    "Notes, transcripts and models know nothing of what is built on them.",
    { path: "^src/core/(?:notes|transcripts|models)/" },
    { path: "^src/core/", pathNot: FOUNDATION },
  ),
  rule(
    "core-features-stand-apart",
    "Recall, capture, dream, sync and instructions never import one another; what they share belongs in notes.",
    { path: "^src/core/([^/]+)/", pathNot: FOUNDATION },
    // A server shares only the protocol with its clients.
    { path: "^src/core/", pathNot: [FOUNDATION, "^src/core/$1/", String.raw`^src/core/sync/protocol\.ts$`] },
  ),
];

/** The face of the layer, `memory.ts` with its parts, may import everything; nothing below imports it. */
const FEATURE_RULES = APP_FEATURES.map((feature, place) =>
  rule(
    "app-features-downwards",
    `The feature ${feature} knows only the features below it.`,
    { path: `${APP}${feature}/` },
    { path: APP, pathNot: `${APP}(?:${APP_FEATURES.slice(0, place + 1).join("|")})/` },
  ),
);

const APP_RULES = [
  ...FEATURE_RULES,
  rule(
    "app-feature-in-the-order",
    "A folder of the application layer has its place in APP_FEATURES.",
    { path: `${APP}[^/]+/`, pathNot: `${APP}(?:${APP_FEATURES.join("|")})/` },
    {},
  ),
  rule(
    "app-imports-no-surface",
    "The application layer stands below the surfaces.",
    { path: APP },
    { path: "^src/", pathNot: ["^src/core/", "^src/adapters/", APP] },
  ),
  rule(
    "app-pure-but-what-is-listed",
    "Access to files belongs behind a port: app-on-disk.mjs lists what has it still.",
    { path: APP, pathNot: APP_ON_DISK.map((path) => `^${path.replaceAll(".", String.raw`\.`)}$`) },
    { pathNot: ["^src/core/", APP] },
  ),
];

const WING_RULES = [
  rule(
    "adapters-import-core-only",
    "An adapter stands behind a port of core and knows no other adapter.",
    { path: "^src/adapters/([^/]+)" },
    { path: "^src/", pathNot: ["^src/core/", "^src/adapters/$1/"] },
  ),
  rule(
    "surfaces-import-app-and-core-only",
    "A surface asks the application layer and knows no other surface; what guards a port is one for all that open one.",
    { path: "^src/surfaces/([^/]+)" },
    { path: "^src/", pathNot: ["^src/core/", APP, "^src/surfaces/$1/", "^src/surfaces/http/"] },
  ),
  rule(
    "surfaces-import-types-of-core-only",
    "What core does a surface asks of the application layer; texts and errors of core/shared are for all.",
    { path: String.raw`^src/(?:surfaces/|(?:bin|hook)\.ts$)` },
    { path: "^src/core/", pathNot: "^src/core/shared/", dependencyTypesNot: ["type-only"] },
  ),
  rule(
    "only-app-imports-adapters",
    "One layer picks adapters.",
    { path: "^src/", pathNot: [APP, "^src/adapters/"] },
    { path: "^src/adapters/" },
  ),
  rule(
    "index-imports-app-and-core-only",
    "The public library gives out core and the face of the application layer.",
    { path: String.raw`^src/index\.ts$` },
    { path: "^src/", pathNot: ["^src/core/", APP] },
  ),
  rule(
    "no-entry-imported",
    "index.ts, bin.ts and hook.ts are for the outside.",
    { path: "^src/" },
    { path: String.raw`^src/(?:index|bin|hook|server-bin)\.ts$` },
  ),
];

const HYGIENE_RULES = [
  rule(
    "source-stays-in-source",
    "What ships needs no test, benchmark or script.",
    { path: "^src/" },
    {
      path: "^(?:test|bench|scripts|demo)/",
    },
  ),
  rule(
    "no-development-packages",
    "What ships imports only what is installed or shipped with it.",
    { path: "^src/" },
    {
      dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"],
      pathNot: SHIPPED,
    },
  ),
  rule(
    "no-unresolved-imports",
    "An import that leads nowhere hides from every other rule.",
    { path: "^src/" },
    {
      couldNotResolve: true,
      // A module of a newer Node than the one running this check, such as node:sqlite.
      pathNot: "^node:",
    },
  ),
  rule("no-cycles", "Types count: a circle of types is a circle of ideas.", { path: "^src/" }, { circular: true }),
];

export const BOUNDARY_RULES = [...CORE_RULES, ...APP_RULES, ...WING_RULES, ...HYGIENE_RULES];
