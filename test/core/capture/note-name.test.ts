import { describe, expect, it } from "vitest";
import { nameNote } from "../../../src/core/capture/note-name.ts";

describe("nameNote", () => {
  it.each([
    // negations stay
    ["Don't stub the clock. Use the fake one.", "do-not-stub-the-clock"],
    ["Never squash a release branch.", "never-squash-a-release-branch"],
    ["There is no need to ask before each step.", "no-need-to-ask-before-each-step"],
    ["We won't support Safari 15.", "will-not-support-safari-15"],
    ["The jobs of the archive cluster should never overlap with the exports.", "jobs-of-archive-cluster"],
    ["We're using yarn, not npm.", "using-yarn-not-npm"],
    // lead-ins, conditions, dates and hedges go
    ["One more thing before I forget: the code freeze starts Monday.", "code-freeze-starts-monday"],
    ["We moved from Jest to Vitest last month, so vitest run from now on.", "moved-from-jest-to-vitest"],
    ["The audit starts 2026-04-01.", "audit-starts"],
    ["When I say release, bump the version.", "bump-the-version"],
    ["Please always run the linter before every commit, thanks", "always-run-linter-before-every-commit"],
    ["Make sure to regenerate the client because it drifts.", "regenerate-the-client"],
    ["In this repo we use merge commits only.", "use-merge-commits-only"],
    ["The C++ bindings are frozen.", "cpp-bindings-are-frozen"],
    ["Our time zone is UTC+9.", "time-zone-is-utc-plus-9"],
    ["The demo is on 12 May and sales must rehearse it.", "demo-and-sales-must-rehearse"],
    ["A partir de ahora usa pnpm.", "usa-pnpm"],
    ["Antes de cada commit, ejecuta el formateador", "ejecuta-el-formateador"],
    // long clauses stop before a phrase that would be cut
    [
      "The integration suite of the payment gateway needs credentials from the vault.",
      "integration-suite-of-payment-gateway-needs",
    ],
    ["以后提交信息请用英文写，正文也一样。", "以后提交信息请用英文写"],
    ["还是不对，你不要修改自动生成的客户端代码和它的测试文件。", "不要修改自动生成的客户端代码和它"],
  ])("%j is %j", (text, name) => {
    expect(nameNote(text, "feedback", "wish")).toBe(name);
  });

  it("does not make an order of a fact about a person", () => {
    expect(nameNote("I don't know Kotlin.", "user", "identity")).toBe("does-not-know-kotlin");
    expect(nameNote("Since I'm alone on this product, keep it simple.", "user", "identity")).toBe(
      "alone-on-this-product",
    );
    expect(nameNote("I'm the only tester on this product.", "user", "identity")).toBe("only-tester-on-this-product");
  });

  it("falls back to the type where no word is left", () => {
    expect(nameNote("…", "project", "wish")).toBe("project-note");
  });

  it("is short and made of letters and digits, whatever the words", () => {
    for (const text of [
      "a ".repeat(400),
      "x".repeat(500),
      "🙂 🙂",
      "'' -- ''",
      "Never " + "word-with-hyphens-".repeat(20),
      "Всегда запускай линтер перед каждым коммитом в основную ветку",
    ]) {
      const name = nameNote(text, "feedback", "wish");
      expect(name.length).toBeLessThanOrEqual(60);
      expect(name).toMatch(/^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*$/u);
    }
  });
});
