import { describe, expect, it } from "vitest";
import { splitSentences } from "../../../src/core/capture/sentences.ts";

const typed = (message: string): readonly string[] =>
  splitSentences(message)
    .filter((sentence) => sentence.origin === "typed")
    .map((sentence) => sentence.text);
const quoted = (message: string): readonly string[] =>
  splitSentences(message)
    .filter((sentence) => sentence.origin === "quoted")
    .map((sentence) => sentence.text);

describe("splitSentences", () => {
  it("splits prose, lower-case beginnings included", () => {
    expect(typed("never push. it breaks the build! ok?")).toEqual(["never push.", "it breaks the build!", "ok?"]);
  });

  it("does not split inside code, URLs, quotations, versions or abbreviations", () => {
    expect(typed("Use `a. b` as in https://example.com/a.b?c, e.g. for v1.2.3.")).toHaveLength(1);
    expect(typed('Never ask "Shall I go on?" when it is obvious.')).toHaveLength(1);
  });

  it.each([
    "Schick den Bericht immer am 1. jedes Monats an Kim.",
    "Bis zum 15. März bleibt der Zweig zu, ab dem 2. Quartal nicht mehr.",
    "Das Fest ist am 17. Mai und die Abgabe am 3. juni.",
    "Envía siempre el informe a la Sra. Gómez antes del cierre.",
    "Mostre sempre o resumo ao Dr. Souza, p. ex. na segunda.",
    "Prévenez toujours Mme. Petit, c.-à-d. la cheffe.",
    "The invoice is due on the 5. of each month.",
    "I work at Bar Ltd. in Oslo and use vim.",
    "Never release on a Friday, e.g. before Baz Corp. has closed, i.e. by 5 p.m. on that day.",
    "Always ask J. Smith about no. 12 and fig. 3 first.",
    "Nutze z. B. Postgres, d. h. keine eigene Lösung.",
    "Never log personal data (names, mails, etc.) in the worker (nor at 5 a.m.) on any host.",
    "Używaj np. pnpm, tzn. nigdy npm.",
    "Пиши тесты, т. е. всегда, и т. д. по списку.",
  ])("does not cut at an abbreviation or an ordinal: %s", (text) => {
    expect(typed(text)).toEqual([text]);
  });

  it.each([
    ["It took 30 ms. Never wait longer.", 2],
    ["We use Postgres 15. Never upgrade it alone.", 2],
    ["Lint, test etc. Then push.", 2],
    ["Is it safe? No. Never do that.", 3],
    ["We stop at 5 p.m. Nobody deploys after that.", 2],
    ["no please don't. the old host stays.", 2],
    ["plot it in figures/los.R. the table stays.", 2],
    ["drop column C. and keep the rest.", 2],
    ["we are on version 9. it stays so.", 2],
    ["Wir nutzen Version 3. Danach kommt nichts.", 2],
  ])("still cuts where a sentence ends: %s", (text, count) => {
    expect(typed(text)).toHaveLength(count);
  });

  it("splits Chinese and Japanese at their own full stops", () => {
    expect(typed("不要推送。先运行测试。")).toEqual(["不要推送。", "先运行测试。"]);
  });

  it("takes each list item as its own sentence, without its marker", () => {
    expect(typed("- always lint\n2. never squash")).toEqual(["always lint", "never squash"]);
  });

  it("joins hard-wrapped prose", () => {
    expect(
      typed("Please never use the staging database for load tests because\nit is shared with support."),
    ).toHaveLength(1);
  });

  it.each([
    ["a code block", "```\nalways use tabs\n```"],
    ["an unclosed code block", "```sh\nalways use tabs"],
    ["a markup comment", "<!-- always use tabs -->"],
    ["a stack trace line", "at render (/app/src/view.js:12:3)"],
    ["a log line", "[2026-03-10 10:00:00] always use tabs"],
    ["a file listing", "M  src/always.ts"],
    ["a compiler message", "src/a.ts:10:4: error always use tabs"],
    ["code", "const always = (tabs) => { return tabs; };"],
  ])("leaves out %s", (_name, text) => {
    expect(splitSentences(text)).toEqual([]);
  });

  it.each([
    ["a block quote", "> Always use tabs."],
    ["a sentence in quotation marks", '"Always use tabs."'],
    ["what an announced page says", "Here is what the wiki says:\n\nAlways use tabs."],
    ["the next paragraph of that page", "From the docs:\n\nTabs are configured first.\n\nAlways use tabs."],
    ["the rest of a pasted block", "a.ts:1:2 bad\nb.ts:3:4 bad\nAlways use tabs."],
  ])("marks %s as quoted", (_name, text) => {
    expect(typed(text)).not.toContain("Always use tabs.");
    expect(quoted(text).join(" ")).toContain("Always use tabs.");
  });

  it("hears the person again after a pasted output", () => {
    expect(typed("Here is the output:\nTabs expected.\n\nPlease always use tabs.")).toContain(
      "Please always use tabs.",
    );
  });

  it("takes a person's own list of rules as typed", () => {
    expect(typed("These are my rules:\n- always use tabs")).toContain("always use tabs");
  });

  it("masks code, URLs and quoted speech for matching", () => {
    expect(splitSentences('Call `never()` at https://example.com or "do not ever stop".')[0]?.plain).toBe(
      "Call `x` at ⟨url⟩ or “…”.",
    );
  });
});
