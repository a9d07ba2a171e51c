import { describe, expect, it } from "vitest";
import { changeOfTexts } from "../../../../src/core/notes/changes/change.ts";
import { withoutAdded, withoutWhen } from "../../../../src/core/notes/changes/framing.ts";

describe("When a change was made is not part of what changed", () => {
  it.each([
    ["We moved from Jest to Vitest last week", "We moved from Jest to Vitest", false],
    ["We moved from Jest to Vitest last week (week of 2026-11-09)", "We moved from Jest to Vitest", false],
    ["Yesterday (2026-11-17) we moved to Vitest", "we moved to Vitest", false],
    ["As of this week the API is owned by Dmitri", "the API is owned by Dmitri", true],
    ["Since Monday, the worker listens on 9090", "the worker listens on 9090", true],
    ["Starting in English is fine", "Starting in English is fine", false],
    ["We deploy on Monday", "We deploy on Monday", false],
    ["Answers from March are archived", "Answers from March are archived", false],
    ["The numbers of last week's run are wrong", "The numbers of last week's run are wrong", false],
    ["Seit letzter Woche läuft CI auf Buildkite", "läuft CI auf Buildkite", true],
    ["Wir sind gestern umgezogen", "Wir sind gestern umgezogen", false],
    ["Desde ayer usamos pnpm", "usamos pnpm", true],
    ["On est passé à AWS la semaine dernière", "On est passé à AWS", false],
    ["Со вчера всё на AWS", "Со вчера всё на AWS", false],
    ["Мы перешли на AWS вчера", "Мы перешли на AWS", false],
    ["Od poniedziałku używamy pnpm", "używamy pnpm", true],
    ["上周我们换到了AWS", "我们换到了AWS", true],
    ["今日からAWSを使う", "AWSを使う", true],
  ])("%s", (sentence, text, isSince) => {
    expect(withoutWhen(sentence)).toEqual({ text, isSince });
  });
});

describe("A change that says when it was made", () => {
  it.each([
    ["We use Jest for unit tests.", "We moved from Jest to Vitest for unit tests last week (week of 2026-11-09)."],
    ["The payments service is owned by Marta.", "As of this week the payments service is owned by Dmitri."],
    ["The API listens on port 8080.", "Since Tuesday (2026-11-17) the API listens on port 9090."],
    ["Die API läuft auf Port 8080.", "Seit gestern läuft die API auf Port 9090."],
  ])("replaces the note: %s / %s", (before, after) => {
    expect(changeOfTexts(after, before).kind).toBe("replaces");
  });
});

describe("The date that is added to a day and month", () => {
  it.each([
    ["The 2.0 release slipped to March 28 (2027-03-28).", "The 2.0 release slipped to March 28."],
    ["Release ist am 14. März (2027-03-14)", "Release ist am 14. März"],
    ["发布日是3月14日 (2027-03-14)", "发布日是3月14日"],
    ["The freeze starts next Friday (2026-12-04)", "The freeze starts next Friday (2026-12-04)"],
    ["Version 2 (2026-12-04) is out", "Version 2 (2026-12-04) is out"],
  ])("says nothing that they do not: %s", (text, without) => {
    expect(withoutAdded(text)).toBe(without);
  });
});
