import { describe, expect, it } from "vitest";
import { planCapture } from "../../../src/core/capture/plan-capture.ts";
import { isWorthAsking } from "../../../src/core/capture/unjudged.ts";
import { deps, sessionOf } from "./session.ts";
import { type Said, WISHES_SAID } from "./wishes-said.ts";
import { WISHES_SAID_AFRESH } from "./wishes-said-afresh.ts";
import { WISHES_SAID_FRESH } from "./wishes-said-fresh.ts";
import { WISHES_SAID_LATER } from "./wishes-said-later.ts";

/** The next session's agent is asked about a session that says no more than this. */
function isAskedAbout(sentence: string): boolean {
  return isWorthAsking([{ message: "u1", day: undefined, question: undefined, sentence }]);
}

/** Of sentences that are each all that a session says; among others every one is in the digest. */
const LEAST_REACHED = 1 / 3;

function reached(lasting: readonly string[], kept: readonly string[]): number {
  return lasting.filter((sentence) => kept.includes(sentence) || isAskedAbout(sentence)).length / lasting.length;
}

async function taken(sentences: readonly string[]): Promise<readonly string[]> {
  const plans = await Promise.all(
    sentences.map(async (sentence) => ({ sentence, plan: await planCapture(sessionOf([sentence]), [], deps) })),
  );
  return plans.filter(({ plan }) => plan.operations.length > 0).map(({ sentence }) => sentence);
}

function joined({ language, lasting, passing }: Said): Said {
  const later = WISHES_SAID_LATER.find((said) => said.language === language);
  return {
    language,
    lasting: [...lasting, ...(later?.lasting ?? [])],
    passing: [...passing, ...(later?.passing ?? [])],
  };
}

describe.each(WISHES_SAID.map(joined))("what people say in $language", ({ lasting, passing }) => {
  it("is written or put before a judge where it holds beyond the task at hand", async () => {
    const kept = await taken(lasting);
    expect(reached(lasting, kept)).toBeGreaterThan(LEAST_REACHED);
  });

  it("is left alone where it is an order of the moment, a report, a question or a specification", async () => {
    expect(await taken(passing)).toEqual([]);
  });
});

/** Sentences that were written before the patterns met them. */
describe.each([...WISHES_SAID_FRESH, ...WISHES_SAID_AFRESH])(
  "what people say in $language, told afresh",
  ({ lasting, passing }) => {
    it("is written or put before a judge where it holds beyond the task at hand", async () => {
      const kept = await taken(lasting);
      expect(reached(lasting, kept)).toBeGreaterThan(LEAST_REACHED);
    });

    it("is left alone elsewhere", async () => {
      expect(await taken(passing)).toEqual([]);
    });
  },
);

describe("a sentence that only speaks of what lasts", () => {
  it.each([
    "Warum immer ich?",
    "Los tests fallan siempre.",
    "les messages de commit, toujours pareil ?",
    "Коммиты всегда падают на CI.",
    "以后的版本会支持吗？",
  ])("is not kept: %s", async (sentence) => {
    expect(await taken([sentence])).toEqual([]);
  });
});

describe("a mere go-ahead", () => {
  it.each(["perfect, thanks", "continue", "продолжай", "weiter", "继续", "sigue con la siguiente tarea"])(
    "is nothing to keep: %s",
    async (user) => {
      expect(await taken([user])).toEqual([]);
    },
  );
});
