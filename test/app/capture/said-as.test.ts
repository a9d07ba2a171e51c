import { describe, expect, it } from "vitest";
import type { CaptureOperation } from "../../../src/core/capture/plan.ts";
import { formOf } from "../../../src/app/capture/review.ts";
import { ruleWords } from "../../../src/app/capture/review.ts";

const noteOf = (body: string): CaptureOperation => ({
  kind: "create",
  draft: { type: "feedback", name: "n", description: "d", body },
});
const formsOf = (sentences: readonly string[]): readonly string[] =>
  sentences.map((sentence) => formOf(sentence, noteOf(sentence)));

describe("the form of words that a rule of review is learnt from", () => {
  it.each([
    [
      "English",
      ["No, don't deploy from the release branch", "no, that's wrong: releases go through staging"],
      ["prohibition", "correction"],
    ],
    [
      "German",
      [
        "Bitte kein Deploy ohne Review, nicht direkt, sondern über staging",
        "Bitte nicht ohne Review deployen, release is done by ann",
      ],
      ["correction", "prohibition"],
    ],
    [
      "French",
      ["Ne lance pas le deploy avant la review", "On utilise le release train, pas un deploy direct"],
      ["prohibition", "prohibition"],
    ],
    [
      "Spanish",
      ["Por favor, no uses el release directo para el deploy", "En vez de deploy directo, usa el release train"],
      ["prohibition", "decision"],
    ],
    [
      "Portuguese",
      ["Não faça deploy no meio do sprint", "Em vez de deploy direto, use o release train"],
      ["prohibition", "correction"],
    ],
    [
      "Russian",
      ["Всегда делай release через staging", "Я же просил: deploy только через review"],
      ["wish", "prohibition"],
    ],
    ["Polish", ["Proszę, nie używaj deploy bez review", "Wolę release zamiast deploy"], ["wish", "correction"]],
    ["Chinese", ["不要在 review 之前 deploy", "应该用 release 分支来 deploy"], ["prohibition", "correction"]],
    [
      "Japanese",
      ["review の前に deploy しないでください", "deploy ではなく release を使って"],
      ["prohibition", "correction"],
    ],
    ["Korean", ["review 전에 deploy 하지 마세요", "deploy 말고 release 를 써"], ["prohibition", "prohibition"]],
  ])("is no deadline for a sentence without a day, whatever it speaks of: %s", (_language, sentences, forms) => {
    expect(formsOf(sentences)).toEqual(forms);
  });

  it("is a deadline where a day is named, and nothing in particular where only the subject is known", () => {
    expect(formOf("the release ships on Friday", noteOf("the release ships on Friday (2026-11-27)"))).toBe("deadline");
    expect(formOf("the box is drawn by ann", noteOf("the box is drawn by ann"))).toBe("other");
  });

  it.each([
    ["As a rule the box is drawn by ann", "wish"],
    ["Ugh, the box is drawn by ann", "correction"],
    ["Rather the short form in titles", "correction"],
    ["We ship without the debug symbols", "prohibition"],
    ["The board is in #releases", "system"],
    ["Ann owns the billing service", "decision"],
    ["My screen is small", "preference"],
  ])("is told by its most telling sign: %s", (sentence, form) => {
    expect(formsOf([sentence])).toEqual([form]);
  });

  it("has words for each that a person can read", () => {
    const words = (["wish", "identity", "system", "deadline", "other"] as const).map((saidAs) =>
      ruleWords({ id: "1", verdict: "never", kind: "create", type: "feedback", saidAs, time: "" }),
    );
    expect(words).toEqual(
      [", said as a wish", ", said of yourself", ", said of where something is", ", said with a day", ""].map(
        (how) => `never create a feedback note${how}`,
      ),
    );
  });
});
