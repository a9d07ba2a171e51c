/**
 * Who may import whom: the four rules of the three wings, for dependency-cruiser. Each says what is
 * allowed and refuses the rest, so that an edge nobody thought of is refused too.
 */
import { BUNDLED_PACKAGES } from "../bundled-packages.mjs";

/** The only place that picks adapters and reads the environment: one module, or the folder of its parts. */
const COMPOSE = String.raw`^src/compose(?:\.ts$|/)`;
const HASH = String.raw`^src/core/shared/hash\.ts$`;
const CRYPTO = "^(?:node:)?crypto$";
const FOUNDATION = "^src/core/(?:notes|transcripts|models|shared)/";
/** Where features meet: the one folder of core that stands on all of them. */
const MEMORY = "^src/core/memory/";

/** Packages that ship inside dist, so that they need not be installed. */
const SHIPPED = `node_modules/(?:${[...new Set(Object.keys(BUNDLED_PACKAGES).map((specifier) => specifier.replace(/^((?:@[^/]+\/)?[^/]+).*/u, "$1")))].join("|")})/`;

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
    { path: "^src/core/([^/]+)/", pathNot: [FOUNDATION, MEMORY] },
    { path: "^src/core/", pathNot: [FOUNDATION, "^src/core/$1/"] },
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
    "surfaces-import-core-and-compose-only",
    "A surface gets its adapters from compose and knows no other surface.",
    { path: "^src/surfaces/([^/]+)" },
    { path: "^src/", pathNot: ["^src/core/", COMPOSE, "^src/surfaces/$1/"] },
  ),
  rule(
    "only-compose-imports-adapters",
    "One place picks adapters.",
    { path: "^src/", pathNot: [COMPOSE, "^src/adapters/"] },
    { path: "^src/adapters/" },
  ),
  rule(
    "compose-imports-no-surface",
    "Compose stands below the surfaces.",
    { path: COMPOSE },
    { path: "^src/", pathNot: ["^src/core/", "^src/adapters/", COMPOSE] },
  ),
  rule(
    "index-imports-core-and-compose-only",
    "The public library gives out core and what compose put together.",
    { path: String.raw`^src/index\.ts$` },
    { path: "^src/", pathNot: ["^src/core/", COMPOSE] },
  ),
  rule(
    "no-entry-imported",
    "index.ts, bin.ts and hook.ts are for the outside.",
    { path: "^src/" },
    { path: String.raw`^src/(?:index|bin|hook)\.ts$` },
  ),
];

const HYGIENE_RULES = [
  rule("source-stays-in-source", "What ships needs no test, benchmark or script.", { path: "^src/" }, {
    path: "^(?:test|bench|scripts|demo)/",
  }),
  rule("no-development-packages", "What ships imports only what is installed or shipped with it.", { path: "^src/" }, {
    dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"],
    pathNot: SHIPPED,
  }),
  rule("no-unresolved-imports", "An import that leads nowhere hides from every other rule.", { path: "^src/" }, {
    couldNotResolve: true,
    // A module of a newer Node than the one that checks, such as node:sqlite.
    pathNot: "^node:",
  }),
  rule("no-cycles", "Types count: a circle of types is a circle of ideas.", { path: "^src/" }, { circular: true }),
];

export const BOUNDARY_RULES = [...CORE_RULES, ...WING_RULES, ...HYGIENE_RULES];
