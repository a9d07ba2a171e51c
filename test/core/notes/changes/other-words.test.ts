import { describe, expect, it } from "vitest";
import { changeOfTexts } from "../../../../src/core/notes/changes/change.ts";
import synonyms from "../../../../src/core/notes/changes/synonyms.json" with { type: "json" };
import { synonymsOf, withFirstSynonyms } from "../../../../src/core/notes/changes/synonyms.ts";

const kind = (before: string, after: string): string => changeOfTexts(after, before).kind;

describe("what a note says, in other words", () => {
  it.each([
    ["Invoices are stored as PDF", "Invoices are kept as PDF"],
    ["Never commit credentials", "Keep passwords and tokens out of git"],
    ["No deploys on Fridays", "Deploys are not allowed on Fridays"],
    ["Functions should have at most 40 lines", "A function must not be longer than 40 lines"],
    ["The user wants tabs, not spaces", "Indent with tabs rather than with spaces"],
    ["The idle timeout is 2000 ms", "The idle timeout is two seconds"],
    ["The deadline for the audit report is 3 June", "The audit report is due on June 3"],
    ["We no longer support Node 16", "Support for Node 16 has been dropped"],
    ["Migrationen werden immer mit Flyway ausgeführt", "Wir führen Migrationen stets mit Flyway aus"],
    ["Responde siempre en español", "Contesta siempre en español"],
    ["È vietato usare sleep nei test", "Nei test non mettere mai sleep"],
    ["本番DBに直接接続しないこと。", "本番のデータベースに直でつなぐのは禁止。"],
    ["You may read the registry but not write to it", "The registry is read-only for you"],
    ["Don't use default exports in the browser extension", "Never use default exports in the browser extension"],
    ["Don't edit generated files by hand", "Generated files must never be edited manually"],
    ["Marta owns the payment gateway", "The payment gateway belongs to Marta"],
    ["Use Poetry, never pip", "We use Poetry instead of pip in this project"],
  ])("is the same: %s / %s", (before, after) => {
    expect(kind(before, after)).toBe("same");
  });

  it.each([
    ["Use spaces, not tabs, in shaders", "Use tabs, not spaces, in shaders"],
    ["Retries wait 20 seconds", "Retries wait 20 minutes"],
    ["Functions should have at most 40 lines", "Functions should have at least 40 lines"],
    ["Biometric login is off by default", "Biometric login is on by default"],
    ["Feature flags must be removed within thirty days", "Feature flags don't have to be removed within thirty days"],
    ["Keep secrets out of git", "Keep secrets in git"],
    ["The API uses Redis for sessions", "In tests the API uses fakeredis for sessions"],
    ["The health endpoint is only reachable internally", "The health endpoint is reachable from the internet"],
    ["Never log emails", "Never log phone numbers"],
    ["Never use eval in the plugin loader", "Don't use exec in the plugin loader"],
    ["Passwords are hashed with bcrypt", "Passwords are hashed with scrypt"],
    ["Never log access tokens", "Never log refresh tokens"],
    ["Les logs sont conservés 30 jours", "Les sauvegardes sont gardées 30 jours"],
    ["Keep the log files for 30 days", "Save the log files every 30 days"],
    ["You must not use lodash here", "You don't have to use lodash here"],
    ["The on-call shift begins at 9", "The on-call shift ends at 9"],
    ["The HTTP client module uses requests", "The HTTP client module uses httpx"],
    ["mainに直接プッシュしないでください。", "developに直接プッシュしないでください。"],
    ["배포 전에 캐시를 비워야 합니다.", "배포 전에 캐시를 비워도 됩니다."],
    ["Alice owns billing", "Alice owns search"],
  ])("is not the same: %s / %s", (before, after) => {
    expect(kind(before, after)).not.toBe("same");
  });
});

describe("interchangeable words", () => {
  it("are in one row in every form, and other words in none", () => {
    const areOne = (one: string, other: string): boolean =>
      synonymsOf(one).some((row) => synonymsOf(other).includes(row));
    expect(areOne("stored", "kept")).toBe(true);
    expect(areOne("utilise", "servent")).toBe(false);
    expect(areOne("stored", "deleted")).toBe(false);
    expect(areOne("must", "may")).toBe(false);
  });

  it("of Chinese and Japanese texts are written as the first of their row", () => {
    expect(withFirstSynonyms("请勿提交密钥")).toBe(withFirstSynonyms("不要提交密钥"));
    expect(withFirstSynonyms("Keep 10 MB")).toBe("Keep 10 MB");
  });

  it("stand in rows of at least two, in small letters, none twice in a row", () => {
    const rows = [...synonyms.words, ...synonyms.chinese, ...synonyms.japanese].map((row) => row.split("|"));
    expect(rows.filter((row) => row.length < 2 || new Set(row).size < row.length)).toEqual([]);
    expect(rows.flat().filter((word) => word !== word.toLowerCase() || word.trim() !== word || word === "")).toEqual(
      [],
    );
  });
});

describe("what becomes of the old value", () => {
  it.each([
    ["We deploy the web app on Heroku", "The web app is deployed on Fly.io now, Heroku got too pricey for us"],
    [
      "The search index is owned by the Platform team",
      "The Discovery team owns the search index now, Platform handed it over",
    ],
    ["Die Java-Version im Backend ist 17", "Wir haben das Backend auf Java 21 umgestellt, 17 ist raus"],
    ["订单服务监听 8080 端口。", "订单服务现在改为监听 8090 端口，不再使用 8080。"],
  ])("may be told in a part of its own: %s / %s", (before, after) => {
    expect(kind(before, after)).toBe("replaces");
  });

  it("does not end a note about something with a shorter name", () => {
    expect(
      kind("We use React for the dashboard", "React Router is out, the dashboard uses TanStack Router now"),
    ).not.toBe("replaces");
  });

  it.each([
    ["We deploy with Capistrano", "We stopped using Capistrano", "replaces"],
    ["We deploy the shop on Heroku", "We don't use Heroku any more", "replaces"],
    ["CI runs on Jenkins", "We no longer use Jenkins", "contradicts"],
    ["We use Ansible for DNS", "We no longer use Terraform", "beside"],
    ["Use Poetry, never pip", "Use uv, never Poetry", "replaces"],
    ["We use Mocha for the unit tests", "We switched from Mocha to Vitest last week", "replaces"],
    ["We use Mocha in tests", "We switched from Mocha to Vitest last week", "contradicts"],
    ["The project is called Alder", "We renamed the project from Alder to Rowan", "replaces"],
    [
      "Inés prefiere tabuladores para indentar",
      "Inés ha cambiado de opinión: ahora prefiere dos espacios para indentar, no tabuladores",
      "replaces",
    ],
  ])("is left as a whole: %s / %s", (before, after, expected) => {
    expect(kind(before, after)).toBe(expected);
  });

  it.each([
    ["Session tokens expire after 12 hours", "Session tokens expire after 30 minutes", "replaces"],
    ["The API listens on port 8080 in development", "The dev API is on 9090 now, the old port clashed", "replaces"],
    [
      "Cada commit debe llevar el número del ticket",
      "Elimina la regla de poner el número del ticket en cada commit",
      "replaces",
    ],
    [
      "Ogni nuova classe deve avere un'interfaccia",
      "Elimina la regola sull'interfaccia per ogni nuova classe",
      "replaces",
    ],
    ["We deploy the docs site on Netlify", "We deploy the docs site on Cloudflare Pages", "replaces"],
    [
      "The checkout service listens on port 8080",
      "The checkout service's metrics endpoint listens on port 9102",
      "contradicts",
    ],
    [
      "Every commit message has to name the ticket number",
      "Drop the rule about ticket numbers in branch names",
      "contradicts",
    ],
  ])("and the new one: %s / %s", (before, after, expected) => {
    expect(kind(before, after)).toBe(expected);
  });
});
