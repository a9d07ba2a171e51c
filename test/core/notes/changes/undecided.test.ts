import { describe, expect, it } from "vitest";
import { changeOfTexts } from "../../../../src/core/notes/changes/change.ts";

const kind = (before: string, after: string) => changeOfTexts(after, before).kind;

describe("a change that is not decided", () => {
  it.each([
    ["The landing page is hosted on Netlify.", "I'm thinking about moving the landing page from Netlify to Vercel."],
    ["The queue runs on Redis.", "Should we move the queue from Redis to RabbitMQ?"],
    ["Never push directly to main.", "What if we just allowed direct pushes to main?"],
    ["Die Builds laufen auf Jenkins.", "Wir überlegen, die Builds von Jenkins auf GitLab CI umzuziehen."],
    ["La recherche tourne sur Elasticsearch.", "On envisage de passer la recherche d'Elasticsearch à Meilisearch."],
    ["Los correos se envían con SendGrid.", "Estamos valorando cambiar SendGrid por Postmark para los correos."],
    ["バッチ処理は cron で実行している。", "バッチ処理を cron から Airflow に移行しようかと検討中です。"],
  ])("never supersedes: %s / %s", (before, after) => {
    expect(kind(before, after)).toBe("contradicts");
  });

  it.each([
    ["The dashboard is bundled with Webpack.", "As planned, we moved the dashboard from Webpack to Vite."],
    ["The landing page is hosted on Netlify.", "We moved the landing page from Netlify to Vercel."],
  ])("does, once it is done: %s / %s", (before, after) => {
    expect(kind(before, after)).toBe("replaces");
  });
});

describe("what is allowed or forbidden", () => {
  it("is not a doubt", () => {
    expect(kind("Contractors may query the archive", "Contractors may no longer query the archive")).toBe("replaces");
  });
});

describe("a question that names another value", () => {
  it.each([
    ["Owen is the on-call lead for payments.", "Isn't Rita the on-call lead for payments?"],
    ["O relatório mensal é gerado no dia 1.", "O relatório mensal não é gerado no dia 5?"],
    ["The metrics exporter listens on port 9100.", "Isn't the metrics exporter on port 9090?"],
  ])("contradicts: %s / %s", (before, after) => {
    expect(kind(before, after)).toBe("contradicts");
  });
});
