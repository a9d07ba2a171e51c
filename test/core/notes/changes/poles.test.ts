import { describe, expect, it } from "vitest";
import { changeOfTexts } from "../../../../src/core/notes/changes/change.ts";
import { isOpposed, pairOf } from "../../../../src/core/notes/changes/pair.ts";
import { polesApart, stanceOf } from "../../../../src/core/notes/changes/poles.ts";
import { wordingOf } from "../../../../src/core/notes/changes/wording.ts";

describe("whether a statement denies", () => {
  it.each([
    ["never push to main", true],
    ["pushing to main is forbidden", true],
    ["main is off limits for pushes", true],
    ["leave the vendored code alone", true],
    ["pushes to main are fine", false],
    ["nobody but ana merges", false],
    ["no merge without a review", false],
    ["delete stale branches, but not release branches", false],
    ["no lo uses nunca", true],
    ["nie nigdy tego nie rób", true],
    ["никогда не коммить в main", true],
    ["绝不要直接推送", true],
    ["必ず確認しなければならない", false],
    ["todo pr precisa do número no título", false],
    ["não coloque o número no título", true],
  ])("%s: %s", (text, denies) => {
    expect(stanceOf(text).denies).toBe(denies);
  });
});

describe("opposite words", () => {
  it.each([
    ["the sdk is private", "the sdk is public", 1],
    ["trailing commas are optional", "trailing commas are required", 1],
    ["telemetry is on by default", "telemetry is switched off", 1],
    ["die telemetrie ist aktiviert", "die telemetrie ist deaktiviert", 1],
    ["le dépôt est privé", "le dépôt est public", 1],
    ["deploys run on friday", "deploys run off hours", 0],
    ["from private to public", "the sdk is public", 0],
    ["the sdk is public", "the sdk is public", 0],
  ])("%s / %s: %s apart", (one, other, apart) => {
    expect(polesApart(stanceOf(one), stanceOf(other))).toBe(apart);
  });
});

const OPPOSITES: readonly (readonly [string, string])[] = [
  ["Deploys on Fridays are fine", "Never deploy on Fridays"],
  ["Commit directly to main", "Never commit directly to main, open a pull request"],
  ["The SDK repo is private", "The SDK repo is public"],
  ["Trailing commas are forbidden", "Trailing commas are required"],
  ["Always add a changelog entry", "No changelog entries"],
  ["Write docs in German", "Don't write docs in German, write them in English"],
  ["Use spaces, not tabs, in shader files", "Use tabs, not spaces, in shader files"],
  ["Vor dem Installieren fragen", "Vor dem Installieren nicht fragen"],
  ["Ajoute toujours une entrée au changelog", "N'ajoute jamais d'entrée au changelog"],
  ["Haz siempre commits pequeños", "No hagas nunca commits pequeños"],
  ["Zawsze dodawaj komentarze do funkcji", "Nigdy nie dodawaj komentarzy do funkcji"],
  ["Всегда пиши тесты для миграций", "Никогда не пиши тесты для миграций"],
  ["vendor 目录不要提交到仓库", "vendor 目录必须提交到仓库"],
  ["テストではモックを使う", "テストではモックを使わない"],
];

describe("the opposite of a note", () => {
  it.each(OPPOSITES)("is never the same: %s / %s", (before, after) => {
    const { kind, isRestated } = changeOfTexts(after, before);
    expect([kind === "same", isRestated]).toEqual([false, undefined]);
  });

  it("is asked about where it says no more than that", () => {
    const kinds = OPPOSITES.map(([before, after]) => changeOfTexts(after, before).kind);
    expect(kinds.filter((kind) => kind === "contradicts" || kind === "replaces").length).toBeGreaterThan(9);
  });

  it.each([
    ["The SDK repo is private", "The SDK repo is public now", "replaces"],
    ["Le cache est activé", "Le cache est maintenant désactivé", "replaces"],
    ["Der Cache ist aktiviert", "Der Cache ist jetzt deaktiviert", "replaces"],
    ["キャッシュは有効です", "キャッシュは今は無効です", "replaces"],
    ["The SDK repo is private", "The SDK repo is public", "contradicts"],
    ["The SDK repo is private", "I think the SDK repo is public now", "contradicts"],
    ["The cache is enabled in staging", "The cache is now disabled in production", "beside"],
  ])("supersedes where nothing else differs and it says now: %s / %s: %s", (before, after, kind) => {
    expect(changeOfTexts(after, before).kind).toBe(kind);
  });

  it.each([
    ["Never push to main", "Pushing to main is forbidden"],
    ["Nur Ana darf mergen", "Niemand außer Ana darf mergen"],
  ])("is not what only one of them words as a denial: %s / %s", (before, after) => {
    expect(isOpposed(pairOf(wordingOf(after), wordingOf(before)))).toBe(false);
  });
});
