import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { changeOfTexts } from "../../../../src/core/notes/changes/change.ts";
import { decide, type InForce, WORTH_ASKING } from "../../../../src/core/notes/changes/decide.ts";
import { EFFECTS, judge, judgePair } from "../../../../src/core/notes/changes/learned.ts";
import { featuresOf, pairOf } from "../../../../src/core/notes/changes/pair.ts";
import { signsIn } from "../../../../src/core/notes/changes/signs.ts";
import { wordingOf } from "../../../../src/core/notes/changes/wording.ts";
import { once } from "../../../../src/core/shared/once.ts";

interface Pair {
  readonly before: string;
  readonly after: string;
  readonly expect: string;
}

const UNMET = new URL("../../../../bench/facts/unmet/", import.meta.url);
const pairs: readonly Pair[] = fs
  .readdirSync(UNMET)
  .filter((name) => name.startsWith("facts-"))
  .flatMap((name) => fs.readFileSync(new URL(name, UNMET), "utf8").trim().split("\n"))
  .map((line) => JSON.parse(line));

const pair = (before: string, after: string) => pairOf(wordingOf(after), wordingOf(before));

const judged = once(() => pairs.map((one) => ({ ...one, kind: changeOfTexts(one.after, one.before).kind })));

describe("pairs in free wording", () => {
  it("are never superseded where the label is another, but by the same in other words, which loses nothing", () => {
    const stays = (label: string): boolean => label !== "replaces" && label !== "same";
    const wrong = judged().filter(({ expect: label, kind }) => stays(label) && kind === "replaces");
    expect(wrong).toEqual([]);
  });

  it("are seen to be changes in most cases, and hardly ever where both hold", () => {
    const seen = (...labels: readonly string[]): number => {
      const of = judged().filter((one) => labels.includes(one.expect));
      return of.filter(({ kind }) => kind === "replaces" || kind === "contradicts").length / of.length;
    };
    expect(seen("replaces", "contradicts")).toBeGreaterThan(0.75);
    expect(seen("beside")).toBeLessThan(0.05);
  });
});

describe("the signs of a change", () => {
  it.each([
    ["the staging box is gone", "over"],
    ["das alte formular gibt es nicht mehr", "over"],
    ["on utilise plus jenkins, cest fini", "over"],
    ["больше не используем редис", "over"],
    ["这个接口已经停用了", "over"],
    ["ocr wird jetzt von ines übernommen", "instead"],
    ["vi använder inte längre jenkins", "over"],
    ["jenkins bruger vi ikke længere", "over"],
    ["jenkins už nepoužíváme", "over"],
    ["ми більше не використовуємо jenkins", "over"],
    ["kim says it is 20", "hearsay"],
    ["i think it is 20 now", "unsure"],
  ])("are found in %s: %s", (text, sign) => {
    expect([...signsIn(text)]).toContain(sign);
  });

  it("are not found where a phrase only looks like one", () => {
    expect([...signsIn("use no more than four cards")]).not.toContain("over");
    expect([...signsIn("the game is overdue")]).not.toContain("over");
    expect([...signsIn("transcripts have to be deleted after 90 days")]).not.toContain("over");
    expect([...signsIn("contractors may query the claims table")]).not.toContain("hearsay");
    expect([...signsIn("the service belongs to ines")]).not.toContain("instead");
  });
});

describe("a pair", () => {
  it("shares words across inflections, typing errors, names of one matter and numbers in words", () => {
    const { shared } = pair("Retry carrier requests three times", "retries for a carier request: 3");
    expect(shared.map(({ lower }) => lower)).toEqual(expect.arrayContaining(["retry", "carrier", "requests", "three"]));
    expect(pair("Sie gibt Freigaben", "die Genehmigung").shared.map(({ lower }) => lower)).toEqual(["freigaben"]);
  });

  it("knows the subjects apart that stand in the same place", () => {
    expect(featuresOf(pair("Use the tax API", "Use the shipping API")).has("contrast modifier")).toBe(true);
    expect(featuresOf(pair("Limits for Berlin", "Limits for Rome")).has("contrast preposition")).toBe(true);
    expect(featuresOf(pair("im Bezahlmodul", "im Berichtmodul")).has("contrast compound")).toBe(true);
    expect(featuresOf(pair("Use the tax API", "Use the tax API daily")).has("contrast modifier")).toBe(false);
  });

  it("is no change where the two share no word, and none is superseded on hearsay", () => {
    expect(judge(wordingOf("Lunch is gone"), wordingOf("We deploy on Heroku")).change).toBe(0);
    const heard = judge(wordingOf("Kim says Marta took over the gateway"), wordingOf("Paul looks after the gateway"));
    expect(heard.replaces).toBe(0);
    expect(heard.change).toBeGreaterThan(WORTH_ASKING);
  });

  it("is what its weights say, whatever they are", () => {
    const weights = (): Float64Array => Float64Array.from(EFFECTS, (effect) => (effect === "replaces" ? 9 : 0));
    const told = judgePair(pair("The wiki runs on otter-2", "The wiki has moved to otter-9 and runs there"), weights);
    expect(told.replaces).toBeGreaterThan(0.99);
    expect(judgePair(pair("The wiki runs on otter-2", "The wiki is on otter-9"), weights).replaces).toBe(0);
  });
});

describe("several notes that weights take for what changed", () => {
  const note = (file: string, body: string): InForce => ({
    file,
    body,
    type: "project",
    description: body,
    isProtected: false,
  });

  it("are one, the likeliest", () => {
    const body = "Paul went to the mobile team, Marta took over the gateway.";
    const notes = [
      note("a.md", "Paul is responsible for the gateway."),
      note("b.md", "Paul drew the picture of the gateway that hangs in the hall."),
    ];
    const rivals = decide({ type: "project", description: body, body }, notes);
    expect(rivals.map(({ note: { file } }) => file)).toEqual(["a.md"]);
  });
});
