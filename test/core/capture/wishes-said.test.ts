import { describe, expect, it } from "vitest";
import { planCapture } from "../../../src/core/capture/plan-capture.ts";
import { deps, sessionOf } from "./session.ts";
import { type Said, WISHES_SAID } from "./wishes-said.ts";
import { WISHES_SAID_AFRESH } from "./wishes-said-afresh.ts";
import { WISHES_SAID_FRESH } from "./wishes-said-fresh.ts";
import { WISHES_SAID_LATER } from "./wishes-said-later.ts";

/** One sentence a language may be missed or taken by mistake; a rule that costs more than it brings shows here. */
const SPARE = 2;

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
  it("is kept where it holds beyond the task at hand", async () => {
    const kept = await taken(lasting);
    expect(lasting.filter((sentence) => !kept.includes(sentence)).slice(SPARE)).toEqual([]);
  });

  it("is left alone where it is an order of the moment, a report, a question or a specification", async () => {
    expect((await taken(passing)).slice(1)).toEqual([]);
  });
});

/** Sentences that were written before the patterns met them. */
describe.each([...WISHES_SAID_FRESH, ...WISHES_SAID_AFRESH])(
  "what people say in $language, told afresh",
  ({ lasting, passing }) => {
    it("is kept where it holds beyond the task at hand", async () => {
      const kept = await taken(lasting);
      expect(lasting.filter((sentence) => !kept.includes(sentence)).slice(1)).toEqual([]);
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

describe("approval of a way of working", () => {
  const AGENT = "I put the fixtures of every importer into one bundled pull request.";
  it.each([
    "perfect, keep doing it like that",
    "yes exactly, that single bundled PR was the right call",
    "Genau, mach weiter so mit den gebündelten PRs.",
    "parfait, continue comme ça pour les pull requests",
    "perfecto, sigue así con los pull requests",
    "ótimo, continue assim nos pull requests",
    "Отлично, продолжай в том же духе с пулреквестами",
    "很好，继续这样把改动合并成一个请求",
    "いいですね、その調子で続けてください",
    "좋아요, 앞으로 이대로 계속 묶어 주세요",
  ])("is noted with what was approved of: %s", async (user) => {
    const { operations } = await planCapture(sessionOf([{ agent: AGENT, user }]), [], deps);
    expect(operations.map(({ draft }) => draft.type)).toEqual(["feedback"]);
    expect(operations[0]?.draft.body).toContain(user.replace(/^[^,，、]+[,，、]\s*/u, "").slice(5, 12));
  });

  it.each(["perfect, thanks", "continue", "продолжай", "weiter", "继续", "sigue con la siguiente tarea"])(
    "is not a mere go-ahead: %s",
    async (user) => {
      expect((await planCapture(sessionOf([{ agent: AGENT, user }]), [], deps)).operations).toEqual([]);
    },
  );
});
