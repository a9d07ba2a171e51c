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
