import { describe, expect, it } from "vitest";
import { withoutLeadIn } from "../../../src/core/notes/wording/words.ts";

describe("withoutLeadIn", () => {
  it.each([
    ["For context: the API is frozen.", "the API is frozen."],
    ["for some more background, the API is frozen", "the API is frozen"],
    ["one more thing before i forget: tags are signed", "tags are signed"],
    ["ok last one. tags are signed", "tags are signed"],
    ["also, before I forget, tags are signed", "tags are signed"],
    ["no, please don't forget to sign tags", "sign tags"],
    ["Remember to sign tags", "sign tags"],
    ["Remember that tags are signed", "tags are signed"],
    ["Please keep in mind that tags are signed", "tags are signed"],
    ["This is really important: sign tags", "sign tags"],
    ["还是不对，你要先看日志", "你要先看日志"],
    ["请记住，标签要签名", "标签要签名"],
    ["另外，标签要签名", "标签要签名"],
    ["ちなみに、タグには署名が必要です", "タグには署名が必要です"],
    ["참고로, 태그는 서명합니다", "태그는 서명합니다"],
    ["Bitte immer Tags signieren", "immer Tags signieren"],
    ["N'oublie pas de signer les tags", "signer les tags"],
    ["Por favor, recuerda que los tags van firmados", "los tags van firmados"],
    ["Lembre-se de assinar as tags", "assinar as tags"],
    ["Кстати, теги подписываем", "теги подписываем"],
    ["Pamiętaj, aby podpisać tagi", "podpisać tagi"],
  ])("strips %j to %j", (text, rest) => {
    expect(withoutLeadIn(text)).toBe(rest);
  });

  it.each([
    "Remember me stays unchecked.",
    "Merk dir, dass wir Tags signieren",
    "Context switches are expensive",
    "Important releases are signed",
    "Please",
    "Last tags are kept",
  ])("leaves %j", (text) => {
    expect(withoutLeadIn(text)).toBe(text);
  });
});
