import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DIGEST_WORDS, digestSession, scoreSentence, type Digest } from "../../../src/core/capture/digest.ts";
import list from "../../../src/core/capture/digest-signals.json" with { type: "json" };
import type { Turn } from "../../../src/core/transcripts/turn.ts";
import { MARKED_SECRET, deps, sessionOf } from "./session.ts";

type Prompts = Parameters<typeof sessionOf>[0];
const digest = async (prompts: Prompts, tools: readonly string[] = [], limit = DIGEST_WORDS): Promise<Digest> =>
  digestSession(sessionOf(prompts, tools), deps, ({ words }) => words <= limit);
const sentencesOf = ({ said }: Digest): readonly string[] => said.map(({ sentence }) => sentence);

describe("the digest of a session", () => {
  it("holds what the person typed, turn by turn, with the day", async () => {
    const { said, words, left } = await digest(["We deploy on Fridays. Fix the login page.", "Use tabs here."]);
    const day = "2026-03-10";
    expect(said).toEqual([
      { message: "u1", day, question: undefined, sentence: "We deploy on Fridays." },
      { message: "u1", day, question: undefined, sentence: "Fix the login page." },
      { message: "u2", day, question: undefined, sentence: "Use tabs here." },
    ]);
    expect([words, left]).toEqual([11, 0]);
  });

  it("leaves out pastes, quotations, words of tools, and messages that only say go on", async () => {
    const tool = "The cache is flushed every night at two o'clock.";
    const said = await digest(
      [
        "ok, go ahead",
        `Look at this:\n\`\`\`\nconst always = never;\n\`\`\`\n> always use the old endpoint\n${tool}\nKeep the old cache.`,
        "thanks!",
        "Keep the old cache.",
      ],
      [`log: ${tool}`],
    );
    expect(sentencesOf(said)).toEqual(["Look at this:", "Keep the old cache."]);
  });

  it("leaves out what a client writes into a message when a plan is accepted", async () => {
    const plan = "Implement the following plan:\n\n# Plan\nAlways use the new parser.";
    expect(sentencesOf(await digest([plan, "Never touch the old parser."]))).toEqual(["Never touch the old parser."]);
    expect(sentencesOf(await digest(["Implement the login form as we said."]))).toHaveLength(1);
  });

  it("leaves out a sentence with a secret, and strips characters that a reader cannot see", async () => {
    const said = await digest([`Our key is ${MARKED_SECRET}, never print it. We never\u200b print keys.`]);
    expect(sentencesOf(said)).toEqual(["We never print keys."]);
    const answers = [{ question: "Which password?", answer: MARKED_SECRET, options: [] }];
    const turn: Turn = { role: "user", id: "u1", text: "", time: undefined, toolCalls: [], answers };
    expect((await digestSession({ ...sessionOf([]), turns: [turn] }, deps)).said).toEqual([]);
  });

  it("shows a short answer with the whole question, and a long one without", async () => {
    const agent = `Two ways.\n\nShould the job run (a) hourly or (b) nightly with ${MARKED_SECRET}?`;
    const short = await digest([{ agent, user: "b" }]);
    expect(short.said).toMatchObject([
      { question: "Should the job run (a) hourly or (b) nightly with [secret]?", sentence: "b" },
    ]);
    const user = "Nightly, because the upstream export is only complete after midnight and hourly would be wasted.";
    expect((await digest([{ agent, user }])).said[0]?.question).toBeUndefined();
  });

  it("holds an answer given through a client's question tool, with its options", async () => {
    const answers = [{ question: "Which database?", answer: "Postgres", options: ["Postgres", "SQLite"] }];
    const turn: Turn = { role: "user", id: "u1", text: "", time: undefined, toolCalls: [], answers };
    const { said } = await digestSession({ ...sessionOf([]), turns: [turn] }, deps);
    expect(said).toEqual([
      { message: "u1", day: undefined, question: "Which database? (Postgres / SQLite)", sentence: "Postgres" },
    ]);
  });

  it("keeps what tells most where not all has room, in the order in which it was said", async () => {
    const filler = Array.from({ length: 60 }, (_, at) => `Move panel number ${at} a little to the left side please.`);
    const rules = ["We never deploy on a Friday.", "My team owns billing, not accounts."];
    const said = await digest([...filler.slice(0, 30), rules[0] ?? "", ...filler.slice(30), rules[1] ?? ""]);
    expect(sentencesOf(said).filter((text) => rules.includes(text))).toEqual(rules);
    expect(said.left).toBeGreaterThan(0);
    expect(said.words).toBeLessThanOrEqual(DIGEST_WORDS);
  });

  it("leaves no room that the next short sentence would have filled", async () => {
    const rules = Array.from({ length: 40 }, (_, at) => `Never touch module ${at} here.`);
    for (const limit of [23, 47, 96]) {
      const { words, left } = await digest(rules, [], limit);
      expect(left).toBeGreaterThan(0);
      expect(words).toBe(limit - (limit % 5));
    }
  });

  it("leaves out what some note says, and gives its room to the rest", async () => {
    const rules = ["We never deploy on a Friday.", "My team owns billing, not accounts."];
    const said = await digestSession(
      sessionOf(rules),
      { ...deps, isKnown: (sentence) => sentence.includes("Friday") },
      ({ words }) => words <= 6,
    );
    expect(sentencesOf(said)).toEqual(rules.slice(1));
  });

  it("shows every question that a message answers", async () => {
    const answers = [
      { question: "Which database?", answer: "Postgres", options: [] },
      { question: "Which region?", answer: "Frankfurt", options: [] },
    ];
    const turn: Turn = { role: "user", id: "u1", text: "", time: undefined, toolCalls: [], answers };
    const { said } = await digestSession({ ...sessionOf([]), turns: [turn] }, deps);
    expect(said).toMatchObject([
      { question: "Which database? Which region?", sentence: "Postgres" },
      { question: "Which database? Which region?", sentence: "Frankfurt" },
    ]);
  });

  it("keeps the sentence that another one leans on", async () => {
    const said = await digest(["Panels use the amber palette. That must always stay so.", "Draw the box."], [], 10);
    expect(sentencesOf(said)).toEqual(["Panels use the amber palette.", "That must always stay so."]);
  });

  it("never has more words than the limit, and counts two characters of Chinese or Japanese as one word", async () => {
    const word = fc.constantFrom("we", "never", "deploy", "部署", "使って", "this", "it", "panel", "not", "`x`");
    const sentence = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => `${words.join(" ")}.`);
    await fc.assert(
      fc.asyncProperty(fc.array(sentence, { maxLength: 12 }), fc.nat(40), async (prompts, limit) => {
        const said = await digest(prompts, [], limit);
        expect(said.words).toBeLessThanOrEqual(limit);
        expect(sentencesOf(said).length + said.left).toBeLessThanOrEqual(prompts.length);
      }),
    );
    expect((await digest(["総是使用内部镜像吧"])).words).toBe(5);
  });

  it.each(list.signals.map((signal) => [signal.name, signal] as const))(
    "finds the signal %s in its examples",
    (_, { examples, weight }) => {
      for (const example of examples) expect(scoreSentence(example)).toBeGreaterThanOrEqual(weight);
      expect(scoreSentence("Draw a box around panel three")).toBe(0);
    },
  );
});
