import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { extractClaims } from "../../../../src/core/notes/claims/extract.ts";

/** Claims as `kind name`. */
function claims(note: string): string[] {
  return extractClaims(note).map(({ kind, name }) => `${kind} ${name}`);
}

describe("what a note claims", () => {
  it("is its paths, in code spans and in running text", () => {
    expect(
      claims(
        "Parsers are in `src/core/csv.ts:12-30`, src/core/tsv.ts and `src/core/`; see (docs/guide.md), `package.json`, `csv.ts`, `./scripts/run.sh`, `src/api.py::_emit` and `src/core`.",
      ),
    ).toEqual(
      [
        "src/core/csv.ts",
        "src/core/tsv.ts",
        "src/core/",
        "docs/guide.md",
        "package.json",
        "csv.ts",
        "./scripts/run.sh",
        "src/api.py",
        "src/core",
      ].map((path) => `path ${path}`),
    );
  });

  it("is the files of a command, and names with spaces and letters of any language", () => {
    expect(
      claims("Run `node scripts/check.mjs lint test/core` and read `docs/Jané Döe/my notes.md`, `zdroje/čtení.py`."),
    ).toEqual(["path scripts/check.mjs", "path docs/Jané Döe/my notes.md", "path zdroje/čtení.py"]);
  });

  it("is its functions, classes and constants in code spans", () => {
    expect(
      claims(
        "`parseOrders()` of `OrderQueue.drain()` uses `MAX_ROWS`, `std_copy::copyAll`, `_private_name` and `run(x, y)`.",
      ),
    ).toEqual(
      ["parseOrders", "OrderQueue.drain", "MAX_ROWS", "std_copy::copyAll", "_private_name"].map(
        (name) => `symbol ${name}`,
      ),
    );
  });

  it("is its options, scripts, packages, branches and hosts", () => {
    const note =
      "Pass `--dry-run` or --as-of. Run `npm run lint:all -- --fix`, pnpm run e2e, `npm test`, `yarn typecheck`. It depends on `zod`, the `@scope/kit` package, `npm install left-pad`. Work is on branch `feature/csv`. See https://ci.example.com/x.";
    expect(new Set(claims(note))).toEqual(
      new Set([
        "script lint:all",
        "script e2e",
        "script test",
        "script typecheck",
        "flag dry-run",
        "flag as-of",
        "package zod",
        "package @scope/kit",
        "package left-pad",
        "branch feature/csv",
        "host ci.example.com",
      ]),
    );
  });

  it("is not silenced by what a name says", () => {
    expect(claims("Sessions end in `src/delete-session.ts`, src/removed/list.ts and `dropCookies()`.")).toEqual([
      "path src/delete-session.ts",
      "path src/removed/list.ts",
      "symbol dropCookies",
    ]);
  });

  it("is the scripts of a fenced block of shell, and nothing else of it", () => {
    expect(
      claims(
        "Start it:\n\n```bash\nnpm run dev\ncat src/a.ts\n```\n\n```ts\nimport { parseOrders } from 'src/b.ts'; // npm run nothing\n```\n",
      ),
    ).toEqual(["script dev"]);
  });

  it("is found across a wrapped line", () => {
    expect(claims("The importer\nlives in `src/a.ts`\nand never sleeps.")).toEqual(["path src/a.ts"]);
  });
});

describe("what only looks like a claim", () => {
  const nothing: readonly (readonly [string, string])[] = [
    ["dates and versions", "On 2026-03-02, 12/31/2025 and 3/4 of `1.2.3`, `v2.0/v2.1`, `4.x`."],
    [
      "words with slashes",
      "and/or, CI/CD, TCP/IP, read/write, client/server, `input/output`, km/h, n/a, 24/7, he/she.",
    ],
    ["globs and patterns", "`src/**/*.ts`, `test/{unit,e2e}/x.ts`, `src/*.py`, src/*/index.ts, `*.md`."],
    [
      "placeholders",
      "`path/to/file.ts`, `foo.ts`, `src/foo/bar.ts`, `<name>/x.ts`, `your-project/src/a.ts`, `$HOME/x.ts`, `YYYY/MM/DD.md`, `src/ComponentName.tsx`.",
    ],
    [
      "addresses",
      "`user@example.com`, www.example.com/a/b.html, `github.com/acme/orders.git`, `git@example.com:acme/orders.git`.",
    ],
    [
      "places outside",
      "`~/.config/tool.json`, `/etc`, `../other/src/a.ts`, `/api/v1/users`, `C:\\work\\a.ts`, `$HOME/src/a.ts`.",
    ],
    ["media types and routes", "`application/json`, `text/html`, `/users/:id`, `GET /health`."],
    ["products", "Node.js, `Next.js`, `three.js`, `socket.io`, `ASP.net`."],
    ["two files with a slash between", "`create.ts/update.ts`."],
    [
      "words in code spans",
      "`true`, `null`, `string`, `postgres`, `HTTP`, `JSON`, `main`, `npm`, `console.log()`, `Math.max(a, b)`, `GitHub`, `camelCase`.",
    ],
    ["options of other tools", "`git commit --no-verify`, `docker run --rm`, `npm install --save-dev`."],
    [
      "commands of package managers",
      "`pnpm install`, `yarn add`, `npm ci`, `pnpm dlx x`, `npx vitest`, `npm run <script>`.",
    ],
    ["branches of code", "the `else` branch, branch on `value`, the branch office."],
    ["links to other notes", "See [[src/other-note.ts]] and [more](src/details.ts)."],
    ["comments and frontmatter", "---\nname: x\ndescription: see src/a.ts\n---\n<!-- src/b.ts -->"],
  ];
  for (const [what, note] of nothing) it(`is not taken: ${what}`, () => expect(claims(note)).toEqual([]));
});

describe("what is said not to be there", () => {
  const nothing = [
    "We removed src/importers/csv.ts last week.",
    "Do not create `src/foo_bar.ts`.",
    "`src/a.ts` was renamed to `src/b.ts`.",
    "There is no `src/a.ts` any more.",
    "`parseOrders()` no longer exists.",
    "Never add `src/utils.ts`; it invites clutter.",
    "Use the container instead of `src/mocks.ts`.",
    "We will create `src/plan.ts` next week.",
    "TODO: `src/next.ts` should be split.",
    "For example `src/orders.ts` would be a good name.",
    "In the billing repository it is `src/invoice.ts`.",
    "The other repo has `src/invoice.ts`.",
    "Soubor `src/a.ts` jsme smazali.",
    "The branch `feature/csv` was merged.",
    "`npm run old` was dropped.",
  ];
  for (const note of nothing) it(`is no claim: ${note}`, () => expect(claims(note)).toEqual([]));

  it("takes only its own sentence with it", () => {
    expect(
      claims(
        "We removed `src/old.ts`. Parsing is in `src/new.ts`.\n- `src/gone.ts` was deleted\n- `src/here.ts` does the rest",
      ),
    ).toEqual(["path src/new.ts", "path src/here.ts"]);
  });

  it("does not silence a rule that says how to treat what is there", () => {
    expect(claims("Never edit `src/schema.ts` by hand. Don't mock in `test/integration/`.")).toEqual([
      "path src/schema.ts",
      "path test/integration/",
    ]);
  });
});

describe("any text at all", () => {
  const pieces = fc.constantFrom(
    "`",
    "``",
    "```",
    "\n",
    "\n\n",
    " ",
    "src/a.ts",
    "npm run x1",
    "--flag-one",
    "(",
    ")",
    "[",
    "]",
    "/",
    ".",
    "parseOrders()",
    "<!--",
    "-->",
    "---\n",
    "branch `a-b`",
    "depends on `zod`",
    "é",
    "🙂",
    "\u0000",
    "\ud800",
    "https://example.com",
    "~~~bash\n",
    "| ",
    "- ",
  );

  it("gives claims that stand in it, and never an error", () => {
    const texts = fc.oneof(
      fc.string({ unit: "binary", maxLength: 400 }),
      fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(texts, (text) => {
        for (const claim of extractClaims(text)) {
          expect(text).toContain(claim.text);
          expect(claim.text).toContain(claim.name);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("takes no long time, whatever repeats in it", () => {
    const started = performance.now();
    for (const part of [
      "`a/",
      "a/",
      "--a-",
      "`",
      "(",
      "npm run ",
      "a.b",
      "https://a.",
      "<!--",
      "```\n",
      "[x](",
      "branch `a/",
      "@a/b ",
    ])
      extractClaims(part.repeat(5000));
    expect(performance.now() - started).toBeLessThan(15_000);
  });
});
