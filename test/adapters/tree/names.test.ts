import { beforeEach, describe, expect, it } from "vitest";
import { gitIn, newRepository, type Repository } from "../../support/git-repository.ts";
import { scratch } from "../../support/scratch.ts";
import { verdicts } from "./tree.ts";

let scratchRoot: string;
let repository: Repository;
const check = (note: string, cwd = repository.root): Record<string, string> =>
  verdicts(note, cwd, `${scratchRoot}/home`);

beforeEach(() => {
  scratchRoot = scratch();
  repository = newRepository(`${scratchRoot}/orders`);
});

describe("a symbol that a note names", () => {
  it("holds when its words are in tracked code, and is gone with the commit that took it away", () => {
    repository.write("src/a.ts", "export class OrderQueue { drainAll() {} }\nexport const MAX_ROWS = 3;\n");
    repository.commit();
    repository.write("src/a.ts", "export class OrderQueue { }\n");
    const last = repository.commit();
    expect(check("`OrderQueue` has `OrderQueue.drainAll()`, `MAX_ROWS` and `neverWasHere()`.")).toEqual({
      OrderQueue: "holds",
      "OrderQueue.drainAll": `gone: last in src/a.ts, removed in ${last}, 2026-03-02`,
      MAX_ROWS: `gone: last in src/a.ts, removed in ${last}, 2026-03-02`,
      neverWasHere: "unchecked",
    });
  });

  it("is told apart commit by commit when several went at different times", () => {
    repository.write("src/a.ts", "firstThing secondThing thirdThing\n");
    repository.commit();
    repository.write("src/a.ts", "secondThing thirdThing\n");
    const first = repository.commit();
    repository.write("src/a.ts", "thirdThing\n");
    const second = repository.commit();
    expect(check("`firstThing`, `secondThing`, `thirdThing`.")).toEqual({
      firstThing: `gone: last in src/a.ts, removed in ${first}, 2026-03-02`,
      secondThing: `gone: last in src/a.ts, removed in ${second}, 2026-03-02`,
      thirdThing: "holds",
    });
  });

  it("is not gone because a longer name went that contains it", () => {
    repository.write("src/a.ts", "parseOrdersFromCsv()\n");
    repository.commit();
    repository.write("src/a.ts", "nothing\n");
    repository.commit();
    expect(check("`parseOrders()` reads.")).toEqual({ parseOrders: "unchecked" });
  });

  it("is not gone when it came back in an edit, or in a file that is not added yet", () => {
    repository.write("src/a.ts", "drainAll()\nrefillAll()\n");
    repository.commit();
    repository.write("src/a.ts", "\n");
    repository.commit();
    expect(check("`drainAll()`.")["drainAll"]).toMatch(/^gone/u);
    repository.write("src/a.ts", "drainAll()\n");
    repository.write("src/new.ts", "refillAll()\n");
    expect(check("`drainAll()` and `refillAll()`.")).toMatchObject({
      drainAll: expect.not.stringMatching(/^gone/u),
      refillAll: expect.not.stringMatching(/^gone/u),
    });
  });

  it("does not hold for being mentioned in a document", () => {
    repository.write("README.md", "Call drainAll().\n");
    repository.commit();
    expect(check("`drainAll()`.")).toEqual({ drainAll: "unchecked" });
  });
});

describe("an option that a note names", () => {
  it("holds in any spelling that defines it", () => {
    repository.write("src/cli.ts", 'option("--dry-run"); const o = { "as-of": 1, max_rows: 2 };\n');
    repository.commit();
    expect(check("Use `--dry-run`, `--as-of` and `--max-rows`.")).toEqual({
      "--dry-run": "holds",
      "--as-of": "holds",
      "--max-rows": "holds",
    });
  });

  it("is gone only when no spelling is left, be it the bare word", () => {
    repository.write("src/cli.ts", 'option("--force"); option("--quiet-mode");\n');
    repository.commit();
    repository.write("src/cli.ts", "const options = { force: true };\n");
    const last = repository.commit();
    expect(check("Use `--force` and `--quiet-mode`.")).toEqual({
      "--force": "unchecked",
      "--quiet-mode": `gone: last in src/cli.ts, removed in ${last}, 2026-03-02`,
    });
  });
});

describe("scripts and packages", () => {
  const manifest = (scripts: object, dependencies: object): string =>
    JSON.stringify({ name: "orders", scripts, dependencies }, undefined, 2);

  it("hold where a package.json of the project has them", () => {
    repository.write("package.json", manifest({ lint: "x", "test:unit": "y" }, { zod: "4" }));
    repository.write("packages/web/package.json", manifest({ gallery: "x" }, { "@scope/kit": "1" }));
    repository.write("tools/Cargo.toml", '[dependencies]\nserde_json = "1"\n');
    repository.commit();
    expect(
      check(
        "Run `npm run lint`, `pnpm gallery`, `yarn run test:unit`. It depends on `zod`, the package `@scope/kit` and the `serde-json` crate.",
      ),
    ).toEqual({
      "npm run lint": "holds",
      "pnpm gallery": "holds",
      "yarn run test:unit": "holds",
      zod: "holds",
      "@scope/kit": "holds",
      "serde-json": "holds",
    });
  });

  it("are gone when they are in none, packages only with the commit that took them out", () => {
    repository.write(
      "package.json",
      manifest({ lint: "x", old: "y" }, { zod: "4", "left-pad": "1", "left-pad-extra": "1" }),
    );
    repository.commit();
    repository.write("package.json", manifest({ lint: "x" }, { zod: "4" }));
    const last = repository.commit();
    expect(
      check(
        "Run `npm run old` or `pnpm old`. It depends on `left-pad` and on the `never-there` package; the package `left` is none.",
      ),
    ).toEqual({
      "npm run old": "gone: no such script in package.json",
      "left-pad": `gone: no longer a dependency since ${last}, 2026-03-02`,
      "never-there": "unchecked: not a dependency here",
      left: "unchecked",
    });
  });

  it("say nothing of scripts where there is no package.json, and work without git", () => {
    expect(check("Run `npm run lint`.")).toEqual({ "npm run lint": "unchecked" });
    const plain = scratch();
    gitIn(plain).write("package.json", manifest({ lint: "x" }, { zod: "4" }));
    expect(
      check("Run `npm run lint` and `npm run old`. It depends on `zod` and the package `gone-one`.", plain),
    ).toEqual({
      "npm run lint": "holds",
      "npm run old": "gone: no such script in package.json",
      zod: "holds",
      "gone-one": "unchecked: not a dependency here",
    });
    gitIn(plain).write("package.json", JSON.stringify({ workspaces: ["web"], scripts: { lint: "x" } }));
    expect(check("Run `npm run old`.", plain)).toEqual({ "npm run old": "unchecked" });
  });

  it("survive a package.json that is none", () => {
    repository.write("package.json", '{"scripts": {"lint"');
    repository.commit();
    expect(check("Run `npm run lint`; depends on `zod`.")).toMatchObject({ "npm run lint": "unchecked" });
  });
});

describe("a branch that a note names", () => {
  it("holds locally or on a remote, and is gone only when this checkout was on it", () => {
    repository.commit();
    repository.git("branch", "feature/csv");
    repository.git("checkout", "--quiet", "-b", "feature/old");
    repository.git("checkout", "--quiet", "main");
    repository.git("branch", "--quiet", "-D", "feature/old");
    repository.git("update-ref", "refs/remotes/origin/release/1.2", "HEAD");
    repository.git("pack-refs", "--all");
    expect(
      check("Work is on branch `feature/csv`, branch `release/1.2`, branch `feature/old` and branch `feature/theirs`."),
    ).toEqual({
      "feature/csv": "holds",
      "release/1.2": "holds",
      "feature/old": "gone: was checked out here once; now neither a local nor a remote-tracking branch",
      "feature/theirs": "unchecked",
    });
  });
});

describe("a host", () => {
  it("is never contacted", () => {
    repository.commit();
    expect(check("See https://ci.example.com/orders.")).toEqual({
      "ci.example.com": "unchecked: hosts are never contacted",
    });
  });
});
