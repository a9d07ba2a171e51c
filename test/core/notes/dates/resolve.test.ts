import { describe, expect, it } from "vitest";
import { dateResolver } from "../../../../src/core/notes/dates/resolve.ts";

// A Wednesday, 16:00 in Prague.
const reference = { ms: Date.parse("2026-03-11T15:00:00Z"), timeZone: "Europe/Prague" };
const found = (text: string, at = reference): readonly (readonly [string, string])[] =>
  dateResolver.resolve(text, at).map(({ start, end, shown }) => [text.slice(start, end), shown] as const);
const on = (day: string) => ({ ms: Date.parse(`${day}T12:00:00Z`), timeZone: "UTC" });

describe("dateResolver", () => {
  it.each([
    ["ship it by Friday", "Friday", "2026-03-13"],
    ["ship it by this Friday", "this Friday", "2026-03-13"],
    ["the demo will be on Monday", "Monday", "2026-03-16"],
    ["we freeze next Thursday", "next Thursday", "2026-03-19"],
    ["ready tomorrow", "tomorrow", "2026-03-12"],
    ["ready the day after tomorrow", "the day after tomorrow", "2026-03-13"],
    ["revisit in two weeks", "in two weeks", "2026-03-25"],
    ["revisit in 3 days", "in 3 days", "2026-03-14"],
    ["broken since yesterday", "yesterday", "2026-03-10"],
    ["done two days ago", "two days ago", "2026-03-09"],
    ["the freeze ends at the end of the month", "the end of the month", "2026-03-31"],
    ["due end of month", "end of month", "2026-03-31"],
    ["due by April 15", "April 15", "2026-04-15"],
    ["by Thursday at 5pm", "Thursday", "2026-03-12"],
    ["due Fri, by Fri", "Fri", "2026-03-13"],
    ["Bob deployed it on Monday", "Monday", "2026-03-09"],
    ["the bill tripled last quarter", "last quarter", "2025-Q4"],
  ])("resolves %j", (text, words, day) => {
    expect(found(text)).toContainEqual([words, day]);
  });

  it.each([
    "The review was moved from Monday afternoon to Thursday morning.",
    "The standup is on Tuesday now.",
    "Das Review wurde von Montag auf Donnerstag verlegt.",
    "Das Review wurde von Montag 10 Uhr auf Donnerstag 9 Uhr verlegt.",
    "La revue est passée du lundi matin au jeudi.",
    "La revue a été déplacée au jeudi.",
    "La revisión semanal pasó del lunes al jueves.",
    "La review è stata spostata dal lunedì mattina al giovedì.",
    "Il giorno del rilascio è cambiato in mercoledì.",
    "A revisão foi movida de segunda para quinta.",
    "De review is verplaatst van maandag naar donderdag.",
    "De review werd op donderdag gezet.",
    "Het magazijn was vroeger van maandag tot en met zaterdag open.",
    "设计评审从周一下午改到了周四上午。",
    "发布日改为周三了。",
    "デザインレビューは月曜の午後から木曜の午前に変わりました。",
    "リリース日は水曜日に変更されました。",
  ])("gives no date to the days of a plan that changed: %j", (text) => {
    expect(found(text)).toEqual([]);
  });

  it.each([
    "The client postponed the beta: it goes live on 15 January instead.",
    "The client signed, the contract starts on 1 February.",
    "Marta resigned, her last day is 31 January.",
    "The customer cancelled the demo on 12 January.",
    "Le client a signé : le pilote commence le 5 janvier.",
  ])("does not look back for a date because something else is past: %j", (text) => {
    expect(found(text, on("2026-11-28"))).toEqual([]);
  });

  it("looks back where the date's own part is past, or has no verb", () => {
    expect(found("We launched on 3 March.", on("2026-11-28"))).toEqual([["3 March", "2026-03-03"]]);
    expect(found("On Monday, Bob deployed the fix.", on("2026-11-28"))).toEqual([["Monday", "2026-11-23"]]);
  });

  it.each([
    "The launch is planned for 4 May 2031.",
    "The launch is due on May 4, 2031.",
    "Der Start ist für den 4. Mai 2031 geplant.",
    "Le lancement est prévu le 4 mai 2031.",
    "El lanzamiento está previsto para el 4 de mayo de 2031.",
    "O lançamento será em 4 de maio de 2031.",
    "Il lancio è previsto per il 4 maggio 2031.",
    "De lancering is gepland op 4 mei 2031.",
    "计划于2031年5月4日上线。",
    "2031年5月4日に公開する予定です。",
  ])("leaves a date with its year: %j", (text) => {
    expect(found(text, on("2026-11-28"))).toEqual([]);
  });

  it("gives both ends of a range", () => {
    expect(found("away from Monday until April 2")).toEqual([
      ["Monday", "2026-03-16"],
      ["April 2", "2026-04-02"],
    ]);
  });

  it.each([
    "do it now",
    "fix today's build",
    "as of March we use v2",
    "it may be slow",
    "the second commit",
    "call it at 3pm",
    "next sprint",
    "in five minutes",
    "keep logs for 90 days",
    "version 1.2.3",
    "released on 2026-03-20",
    "the sun is out",
    "mon ami",
    "a march on Rome",
    "deploy every Friday",
    "deploys happen on Fridays",
    "Friday's build",
    "10/12 tests pass",
    "the demo is on Monday",
    "our release day is Friday",
    "we read yesterday's-papers and tomorrow_io",
  ])("finds no date in %j", (text) => {
    expect(found(text)).toEqual([]);
  });

  it.each([
    ["“done last Friday”"],
    ["«done last Friday»"],
    ["'done last Friday'"],
    ["`done last Friday`"],
    ["```\nWe moved last Friday.\n```"],
    ["~~~text\nWe moved last Friday.\n~~~"],
    ["> We moved last Friday."],
    ["[what we did last Friday](https://example.com)"],
    ["[[moved last Friday]]"],
    ["<!-- moved last Friday -->"],
    ['"we moved last Friday and nobody closed the quotation'],
  ])("leaves what is not the writer's own prose: %j", (text) => {
    expect(found(text)).toEqual([]);
    expect(found(`${text}\n\nWe moved last Friday.`)).toEqual([["last Friday", "2026-03-06"]]);
  });

  it("reads a weekday by the tense of its own part of the sentence", () => {
    expect(found("We shipped on Monday and will patch on Friday.")).toEqual([
      ["Monday", "2026-03-09"],
      ["Friday", "2026-03-13"],
    ]);
    expect(found("The release was planned for Friday.")).toEqual([]);
    expect(found("We agreed to deploy on Friday.")).toEqual([]);
    expect(found("Anna said we ship on Friday.")).toEqual([]);
  });

  it("leaves a weekday that may be one of two", () => {
    expect(found("We met on Wednesday.")).toEqual([]);
    expect(found("Bob left last Tuesday.")).toEqual([]);
    expect(found("We start next Friday.")).toEqual([]);
    expect(found("Support answers Monday to Friday.")).toEqual([]);
    expect(found("It broke last week.", on("2026-03-15"))).toEqual([]);
    expect(found("Letzte Woche ist es kaputt gegangen.", on("2026-03-15"))).toEqual([
      ["Letzte Woche", "Woche vom 2026-03-02"],
    ]);
  });

  it("takes a word for what it means in the language of its sentence", () => {
    expect(found("Hier liegt die Konfiguration für den Server.")).toEqual([]);
    expect(found("Hier, nous avons migré la base.")).toEqual([["Hier", "2026-03-10"]]);
  });

  it("knows years, leap days and the turn of a year", () => {
    expect(found("We moved last month.", on("2027-01-05"))).toEqual([["last month", "2026-12"]]);
    expect(found("Bob left on Thursday.", on("2027-01-05"))).toEqual([["Thursday", "2026-12-31"]]);
    expect(found("The report is due February 29.", on("2028-01-05"))).toEqual([["February 29", "2028-02-29"]]);
    expect(found("The report is due February 30.", on("2028-01-05"))).toEqual([]);
  });

  it("reads the day in the session's zone", () => {
    const lateEvening = Date.parse("2026-03-11T23:30:00Z");
    expect(found("tomorrow", { ms: lateEvening, timeZone: "UTC" })).toEqual([["tomorrow", "2026-03-12"]]);
    expect(found("tomorrow", { ms: lateEvening, timeZone: "Asia/Tokyo" })).toEqual([["tomorrow", "2026-03-13"]]);
    expect(found("tomorrow", { ms: lateEvening, timeZone: "Not/AZone" })).toEqual([["tomorrow", "2026-03-12"]]);
  });

  it("is quick with a text of hostile length", () => {
    const began = performance.now();
    dateResolver.resolve(`${"'".repeat(5_000)}${"[".repeat(5_000)}${"a ".repeat(20_000)}yesterday`, reference);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});
