import { describe, expect, it } from "vitest";
import { parseUnjudged, reminder, type SaidOnce, writeUnjudged } from "../../../src/core/capture/asking.ts";
import { digestSession } from "../../../src/core/capture/digest.ts";
import { lastRule, ranked } from "../../../src/core/capture/unjudged.ts";
import { estimateTokens } from "../../../src/core/shared/text.ts";
import { deps, sessionOf } from "./session.ts";

const saidBy = async (...messages: readonly string[]): Promise<readonly SaidOnce[]> =>
  (await digestSession(sessionOf(messages), deps)).said;
const reminded = async (message: string): Promise<string | undefined> => lastRule(await saidBy(message))?.sentence;
const reviewed = async (...messages: readonly string[]): Promise<readonly string[]> =>
  ranked(await saidBy(...messages)).map(({ sentence }) => sentence);

describe("the reminder of a rule that was not saved", () => {
  it.each([
    ["Why did you pull in axios? We don't use axios in this service.", "We don't use axios in this service."],
    ["You forgot the audit line. Each handler has one.", "You forgot the audit line. Each handler has one."],
    [
      "You forgot the audit line in the new handler again. Each handler of the billing service has one.",
      "Each handler of the billing service has one.",
    ],
    ["Das ist falsch. Beträge sind hier in Rappen.", "Das ist falsch. Beträge sind hier in Rappen."],
    ["No, that's wrong. Is it in cents?", undefined],
  ])("quotes the rule, or both where both fit: %j", async (message, sentence) => {
    expect(await reminded(message)).toBe(sentence);
  });

  it.each([
    "Please don't use globals in Python.",
    "Use vitest instead of jest, we moved in May.",
    "Hör auf, leere Zeilen einzufügen.",
    "Deja de usar axios, usamos fetch.",
    "Eso está mal: las fechas van en UTC, no en hora local.",
    "Arrête d'utiliser axios, on utilise fetch.",
    "Pare de usar axios, usamos fetch.",
    "Smetti di usare axios, usiamo fetch.",
    "Хватит использовать axios.",
    "Przestań używać axios w testach.",
    "不要用 axios，用 fetch。",
    "axios を使うのはやめてください。",
    "axios를 쓰지 마세요, fetch를 씁니다.",
  ])("comes for %j", async (message) => {
    expect(await reminded(message)).toBe(message);
    expect(estimateTokens(reminder({ sentence: message }))).toBeLessThanOrEqual(40);
  });

  it.each([
    "Don't touch that yet.",
    "Rename the login page.",
    "Das ist falsch.",
    "Use the green icon instead of the grey one.",
    "The dialog must always show the total in bold.",
  ])("does not come for %j", async (message) => {
    expect(await reminded(message)).toBeUndefined();
  });
});

describe("what waits for the review", () => {
  it("is not what says nothing, what the product must do, or a quotation", async () => {
    expect(
      await reviewed(
        "Das ist falsch.",
        "The table must always show the tax in grey.",
        "Le bouton doit toujours afficher le total.",
        "Add a dialog to the cart page that always shows the total.",
        "The log says: 'You must never call flush here'. Repair it.",
        "Translate this to Dutch: We never deploy on a Friday.",
      ),
    ).toEqual([]);
  });

  it("comes with the sentence that it needs", async () => {
    expect(await reviewed("No, don't stub the queue there. Worker tests run against the local broker.")).toEqual([
      "No, don't stub the queue there. Worker tests run against the local broker.",
    ]);
    expect(await reviewed("Panels use the amber palette. That must never change.", "Draw the box.")).toEqual([
      "Panels use the amber palette. That must never change.",
    ]);
  });

  it("takes no sentence of another message along", async () => {
    expect(await reviewed("Our invoices are in cents.", "That must never change in this company.")).toEqual([
      "That must never change in this company.",
      "Our invoices are in cents.",
    ]);
  });

  it("has no sentence of which a secret was masked, not even one that an earlier version kept", () => {
    const one = { message: "u1", day: undefined, question: undefined };
    const said = [
      { ...one, sentence: "My password is [secret]." },
      { ...one, sentence: "We never print keys." },
    ];
    const kept = { agent: "test", session: "s1", time: 1, ended: true, said, rest: said };
    const read = parseUnjudged(writeUnjudged(kept));
    expect([read?.said, read?.rest].map((all) => all?.map(({ sentence }) => sentence))).toEqual([
      ["We never print keys."],
      ["We never print keys."],
    ]);
  });
});
