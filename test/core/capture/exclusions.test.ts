import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { excludedBy, explainExclusion } from "../../../src/core/notes/exclusions/exclusion.ts";
import { inferType } from "../../../src/core/notes/types/learned-type.ts";

interface Case {
  readonly lang: string;
  readonly text: string;
  readonly expect: string;
  readonly reason?: string;
  readonly instructions?: string;
}

const casesOf = (group: string): readonly Case[] =>
  fs
    .readdirSync("bench/facts/cases")
    .filter((file) => file.startsWith(group))
    .flatMap((file) => fs.readFileSync(`bench/facts/cases/${file}`, "utf8").trim().split("\n"))
    .map((line) => JSON.parse(line) as Case);

const wrong = (cases: readonly Case[]): readonly string[] =>
  cases
    .filter(({ text, instructions, expect: wanted }) => {
      const isRefused = excludedBy(text, instructions) !== undefined;
      return isRefused !== (wanted === "refused");
    })
    .map(({ text }) => text);

describe("what a note is not for", () => {
  const cases = casesOf("exclusions");

  it("is told from what only looks like it, in every language of the cases", () => {
    expect(cases.length).toBeGreaterThanOrEqual(100);
    expect(new Set(cases.map(({ lang }) => lang)).size).toBeGreaterThanOrEqual(9);
    const refusable = cases.filter((one) => one.expect === "refused");
    // The newest sets are as they were found: the rules were not written for them.
    expect(1 - wrong(refusable).length / refusable.length).toBeGreaterThan(0.8);
    expect(wrong(cases.filter((one) => one.expect === "saved")).length).toBeLessThanOrEqual(2);
  });

  it.each([
    "Clearing the CDN takes an hour, so plan for it.",
    "The crash on iPads was caused by a bug in Safari.",
    "There are two offices, Lisbon and Bergen.",
    "There are two services that must never be restarted.",
    "Our pricing model has three tiers: free, team and enterprise.",
    "Three cities: Lisbon, Bergen, Graz",
    "According to legal, logs are kept for 90 days.",
    "Port ist jetzt 8082",
    "The rewrite of the contract is in progress with the vendor.",
    "Der Fehler im Zoll kam von der Bank, sie schickt doppelte Nummern.",
    "Deleting the branch on a customer's server needs approval.",
    "Il y a deux bureaux, Paris et Lyon.",
    "Hay dos clientes que pagan en efectivo.",
    "The bank's sandbox works again after 6 in the morning.",
    "Ana is done with exams in June, moving to Porto after that.",
    "Rotate the keys of src/billing/ledger.ts only with Ana.",
    "In mailer, always split commits after 89 files.",
    "Bei Migrationen immer zuerst ein Backup von src/db ziehen.",
  ])("does not take for it: %s", (text) => {
    expect(excludedBy(text)).toBeUndefined();
  });

  it.each([
    ["There are three folders: one for the parser, one for the printer, one for tests.", "code-structure"],
    ["Il y a cinq dossiers : a, b, c, d et e.", "code-structure"],
    ["The Coupon model has a code, a rate and a colour.", "code-structure"],
    ["We are on Vue 3 according to the lock file.", "code-structure"],
    ["The overflow came from a loop without an end.", "debugging-recipe"],
    ["Faltaba un return en la ruta, ya lo corregí.", "debugging-recipe"],
    ["Der Umbau der Startseite ist noch in Arbeit.", "task-at-hand"],
    ["The port of the parser is still in progress.", "task-at-hand"],
    ["Estou no meio de converter os testes.", "task-at-hand"],
  ])("is refused: %s", (text, reason) => {
    expect(excludedBy(text)?.reason).toBe(reason);
  });

  it("is named by its kind", () => {
    const named = cases.filter((one) => one.expect === "refused" && one.reason !== undefined);
    const reasons = named.flatMap((one) => {
      const reason = excludedBy(one.text, one.instructions)?.reason;
      return reason === undefined ? [] : [reason === one.reason];
    });
    expect(reasons.filter(Boolean).length / reasons.length).toBeGreaterThan(0.95);
  });

  it("is kept whole where one sentence gives a reason, a rule or a cause outside the code", () => {
    const structure = "The login handler is in src/auth/login.ts.";
    expect(excludedBy(structure)?.reason).toBe("code-structure");
    for (const more of [
      "Never move it, the auditors certified that folder.",
      "**Why:** the vendor's licence names the path.",
      "We decided on that place after the outage.",
    ])
      expect(excludedBy(`${structure}\n\n${more}`)).toBeUndefined();
  });

  it("asks what was surprising instead of only refusing", () => {
    const found = excludedBy("Commit 4f2a91c renamed getUser to fetchUser.");
    expect(found && explainExclusion(found)).toMatch(/^"Commit 4f2a91c .* git knows .* Why was it done/u);
  });

  it.each([
    "Always commit the parent task when all sub-tasks have been implemented.",
    "Never call the payment module from the exporter.",
    "From now on new functions live in src/lib/.",
    "Immer zuerst den Test schreiben, der den Fehler zeigt.",
    "Toujours relancer le build après un merge.",
    "Nunca cambies los ficheros de la carpeta generada.",
    "今后新函数都放在 lib 目录里。",
  ])("is no rule that says outright that it stands: %s", (text) => {
    expect(excludedBy(text)).toBeUndefined();
  });

  it("is said by an instruction file only where all of it is, with the same sign and values", () => {
    const file = "# Rules\n\n- Use pnpm for all package management, never npm.\n- The API listens on port 3000.";
    expect(excludedBy("Use pnpm for package management, never npm.", file)?.reason).toBe("instructions");
    expect(excludedBy("Use pnpm for package management in the docs, never npm.", file)).toBeUndefined();
    expect(excludedBy("The API listens on port 4000.", file)).toBeUndefined();
  });

  it.each(["a-", "f(", "`x`", "src/", "a=b,", "The ", "fixed ", "(a:", "is in ", "we need to "])(
    "is judged in linear time over %j",
    (piece) => {
      const started = performance.now();
      excludedBy(piece.repeat(Math.floor(500_000 / piece.length)));
      excludedBy(piece.repeat(Math.floor(590 / piece.length)));
      expect(performance.now() - started).toBeLessThan(2_000);
    },
  );
});

describe("the type that nobody typed", () => {
  const cases = casesOf("types");

  it("is inferred in every language of the cases", () => {
    expect(cases.length).toBeGreaterThanOrEqual(60);
    const missed = cases.filter(({ text, expect: wanted }) => inferType(text).type !== wanted);
    expect(missed.length).toBeLessThanOrEqual(cases.length * 0.05);
  });

  it("names the other where it could be two", () => {
    expect(inferType("I am new to React.")).toEqual({ type: "user" });
    expect(inferType("I prefer short commits and small pull requests.")).toMatchObject({ other: expect.any(String) });
  });
});
