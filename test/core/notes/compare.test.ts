import { describe, expect, it } from "vitest";
import { compareStatements } from "../../../src/core/notes/compare.ts";
import { statementOf } from "../../../src/core/notes/statement.ts";

const likeness = (first: string, second: string) => compareStatements(statementOf(first), statementOf(second));

describe("two notes that say the same", () => {
  it.each([
    ["Integration tests use the postgres container.", "Please remember: integration tests use the postgres container"],
    ["Deploys wait for the QA team.", "Deploys must always wait for our QA team!"],
    ["Use the postgres container for integration tests.", "For integration tests, use the postgres container."],
    ["Note that Tests run in the container.", "The tests have to run in the container."],
    ["Always squash merges.", "From now on always squash merges."],
    ["Please remember to always squash merges.", "From now on, squash merges."],
    ["Don't forget to rotate the token.", "Rotate the token."],
    ["统一使用 pnpm 安装依赖。", "统一使用 pnpm 安装依赖"],
  ])("are the same: %j and %j", (first, second) => {
    expect(likeness(first, second)).toEqual({ kind: "same" });
  });

  it("leave their reasons aside", () => {
    expect(likeness("Never mock the database.\n\n**Why:** the migration failed.", "Never mock the database.")).toEqual({
      kind: "same",
    });
  });

  it("are whole sentences: an abbreviation or an ordinal ends none", () => {
    const rule = "Reports go to Bar Ltd. in Oslo, e.g. on the 3. of each month.";
    expect(statementOf(rule).sentences).toHaveLength(1);
    expect(statementOf("Der Bericht kommt am 3. Mai. Danach ist frei.").sentences).toHaveLength(2);
  });

  it("may say more: then the shorter is contained", () => {
    expect(
      likeness("Log lines carry the request id.", "Log lines carry the request id. Metrics carry the tenant."),
    ).toEqual({ kind: "contained", inner: "first" });
  });
});

describe("one note that holds another", () => {
  const inner = "Log lines carry the request id.";
  const outer = `${inner} Metrics carry the tenant.`;
  it("is told from it, whichever comes first", () => {
    expect(likeness(inner, outer)).toEqual({ kind: "contained", inner: "first" });
    expect(likeness(outer, inner)).toEqual({ kind: "contained", inner: "second" });
  });

  it("is not told of a text too short to mean it", () => {
    expect(likeness("Use pnpm.", "Use pnpm. Deploys wait for the QA team.")).toEqual({ kind: "different" });
    expect(likeness("Deploys wait for the QA team. Use pnpm.", "Use pnpm.")).toEqual({ kind: "different" });
    expect(likeness("Use pnpm.", "Use pnpm!")).toEqual({ kind: "same" });
  });
});

describe("a note without words", () => {
  it.each([
    ["", ""],
    ["!!!", "..."],
    ["", "Use pnpm."],
    ["Use pnpm.", "---"],
    ["Deploys wait for the QA team.", ""],
  ])("says nothing, and so not the same as another: %j and %j", (first, second) => {
    expect(likeness(first, second)).toEqual({ kind: "different" });
  });

  it("is no note of one word", () => {
    expect(likeness("pnpm!", "pnpm")).toEqual({ kind: "same" });
    expect(likeness("pnpm", "yarn")).toEqual({ kind: "different" });
    expect(likeness("Use pnpm. Use pnpm.", "Use pnpm")).toEqual({ kind: "same" });
  });
});

describe("two notes that only look alike", () => {
  it.each([
    ["Use the importer instead of the exporter.", "Use the exporter instead of the importer."],
    ["Run the linter before the tests.", "Run the tests before the linter."],
    ["Copy snapshots from staging to production.", "Copy snapshots from production to staging."],
    ["Merge without a second review.", "Merge only after a second review."],
    ["Ask Ann about the billing tables.", "Ask Bob about the billing tables."],
    ["The `billing` service owns the invoices.", "The `orders` service owns the invoices."],
    ["Team Alpha deploys the gateway.", "Team Beta deploys the gateway."],
    ["Deploy on Friday.", "Deploy on Friday only after QA has approved it."],
    ["Copy from staging.", "Copy to staging."],
    ["From Monday on always squash merges.", "From now on always squash merges."],
    ["Port 8080 serves the billing app.", "Port 9090 serves the billing app."],
    ["Use pnpm here.", "Use npm here."],
    ["Deploys of the app run on servers.", "Deploys of the app run on laptops."],
    ["The target of the app is 8080.", "The target of the app is `main`."],
    ["Releases of the app wait for `alpha` tests.", "Releases of the app wait for `beta` tests."],
    ["Use `pnpm` for the installs.", "Use `npm` for the installs."],
    ["Use port 5432 for staging and 5433 for tests.", "Use port 5433 for staging and 5432 for tests."],
  ])("are different: %j and %j", (first, second) => {
    expect(likeness(first, second)).toEqual({ kind: "different" });
  });
});

describe("two notes that cannot both hold", () => {
  it.each([
    ["The timeout of the calls is 5 seconds.", "The timeout of the calls is now 30 seconds.", "5", "30"],
    ["Releases of the app go out on Monday.", "Releases of the app go out on Thursday.", "Monday", "Thursday"],
    ["The staging database is called `pg-old`.", "The staging database is called `pg-new`.", "pg-old", "pg-new"],
    ["Retry 3 times.", "Retry 5 times.", "3", "5"],
    ["Retry the failed calls 3 times.", "Retry the failed calls 5 times.", "3", "5"],
    ["Releases of the app go out Monday.", "Releases of the app go out Thursday.", "Monday", "Thursday"],
  ])("differ in one value of one subject: %j and %j", (first, second, before, after) => {
    expect(likeness(first, second)).toEqual({ kind: "contradicts", first: before, second: after });
  });

  it("or one denies the other, however short they are, told in their order", () => {
    expect(likeness("Use pnpm.", "Never use pnpm.")).toEqual({
      kind: "contradicts",
      first: "Use pnpm",
      second: "Never use pnpm",
    });
    expect(likeness("Never use pnpm.", "Use pnpm.")).toMatchObject({ first: "Never use pnpm", second: "Use pnpm" });
    expect(likeness("Never use pnpm.", "Use npm.")).toEqual({ kind: "different" });
  });

  it("or one denies the other at length", () => {
    expect(
      likeness("Squash commits on the release branch.", "Don't squash commits on the release branch."),
    ).toMatchObject({ kind: "contradicts" });
  });
});
