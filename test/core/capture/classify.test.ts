import { describe, expect, it } from "vitest";
import { digestSession } from "../../../src/core/capture/digest.ts";
import { planCapture } from "../../../src/core/capture/plan-capture.ts";
import type { CapturePlan, RuleOperation } from "../../../src/core/capture/plan.ts";
import { deps, sessionOf } from "./session.ts";

const capture = (
  user: string,
  agent = "I put the three changes into one pull request.",
): Promise<CapturePlan<RuleOperation>> => planCapture(sessionOf([{ agent, user }]), [], deps);

describe("what is remembered", () => {
  it.each([
    // explicit wishes
    ["From now on use tabs for indentation.", "feedback"],
    ["Never commit directly to main.", "feedback"],
    ["please always run the linter before you push", "feedback"],
    ["Remember to regenerate the client whenever you touch the schema.", "feedback"],
    ["Please remember that our public API allows 100 requests per minute.", "project"],
    ["Whenever you add a migration, also update the diagram.", "feedback"],
    ["next time, run the linter first", "feedback"],
    ["Ask me before you delete files.", "feedback"],
    ["Could you please always add a test when you fix a bug?", "feedback"],
    // prohibitions and corrections
    // preferences and confirmations
    // who the person is
    ["I'm a data scientist looking at our logging.", "user"],
    ["I've been writing Go for ten years but React is new to me.", "user"],
    ["I'm on Windows so use PowerShell syntax", "user"],
    ["since I'm the only developer on this, keep it simple", "user"],
    // decisions
    // outside systems
    ["Remember that the on-call dashboard is at grafana.internal/d/api-latency.", "reference"],
    ["From now on never link to wiki.internal in commit messages.", "feedback"],
    // conventions and circumstances
    ["I come from a Java background", "user"],
    // other languages
    ["请记住，提交信息要用英文写。", "feedback"],
    ["以后不要直接推送到 main 分支。", "feedback"],
    ["今後はコミットメッセージを日本語で書いてください。", "feedback"],
    ["Ab jetzt bitte alle Kommentare auf Deutsch.", "feedback"],
    ["Ne pousse jamais directement sur main.", "feedback"],
    ["A partir de ahora usa pnpm en lugar de npm.", "feedback"],
    ["Никогда не коммить прямо в main.", "feedback"],
    ["Od teraz używaj pnpm zamiast npm.", "feedback"],
  ])("%j becomes a %s note", async (text, type) => {
    const { operations } = await capture(text);
    expect(operations.map((operation) => operation.draft.type)).toEqual([type]);
  });
});

describe("what is meant but not said outright", () => {
  it.each([
    "when I say release, bump the version and tag it",
    "Make sure to run the formatter before every commit.",
    "Write commit messages in imperative mood.",
    "In this repo we use squash merges only.",
    "Don't use default exports, they make refactoring harder.",
    "stop summarizing every change, I can read the diff",
    "No, use the v2 endpoint, v1 is deprecated.",
    "We're using pnpm, not npm.",
    "I told you to keep the old signature.",
    "That's not how we do it here, we use factories for test data.",
    "There is no need to ask for confirmation between steps.",
    "I prefer small pull requests over large ones.",
    "I hate it when you leave dead code behind",
    "Please be more concise.",
    "yes exactly, keep doing that",
    "perfect, that's how I want it",
    "yeah the single pull request was the right call here",
    "We decided to drop Windows support.",
    "Let's stick with Express for now, Fastify comes later.",
    "we chose Postgres over MySQL because of its JSON operators",
    "Legal requires us to keep audit logs for 90 days.",
    "Don't worry about backwards compatibility, nobody uses this yet.",
    "we're freezing merges after Friday",
    "The demo is on Friday",
    "Bugs are tracked in the Linear project INGEST.",
    "Our latency dashboard is at https://grafana.example.org/d/42",
    "Alerts go to #ops-alerts in Slack.",
    "use uv instead of pip for everything",
    "All commits must be signed.",
    "Code comments should be in English",
    "we use snake_case for database names",
    "we no longer use CircleCI",
    "we're a small team of three, so keep it cheap",
    "the staging environment lives at https://staging.example.dev",
    "절대 main 브랜치에 직접 푸시하지 마세요.",
    "Não use mocks nos testes de integração, porque já quebrou produção.",
    "В этом проекте pnpm, а не npm.",
    "Отступы табами, а не пробелами.",
    "W tym projekcie tabulatory, a nie spacje.",
    "Commity po angielsku, a nie po polsku.",
  ])("%j is left to whoever judges the session", async (text) => {
    expect((await capture(text)).operations).toEqual([]);
    const { said } = await digestSession(sessionOf([text]), deps);
    expect(said.map(({ sentence }) => sentence)).toEqual([text]);
  });
});

describe("what is not remembered", () => {
  it.each([
    // orders for the task at hand
    "add a button to the settings page",
    "fix the failing test in auth.spec.ts",
    "make sure all tests pass",
    "make sure to also update the README",
    "go back to the previous version",
    "use a for loop here",
    "remove the console.log statements",
    "stop the server",
    "don't change anything else",
    "For now, let's just hardcode the user id.",
    "let's go with option 2",
    "rename foo to bar",
    "I'd like to add dark mode",
    // approvals
    "proceed",
    "yes, do it",
    "looks good, thanks!",
    "perfect, now commit",
    "yes exactly",
    "keep going",
    "great, continue",
    // questions
    "why does this always fail?",
    "can you remember what we did last time?",
    "Can we use a map here instead of an array?",
    "We use React here, right?",
    // reports
    "it always crashes when I click save",
    "and then it never returns",
    "I'm getting an error when I run the build",
    "no, I still get the same error",
    "I committed everything yesterday and merged it.",
    "Never mind, it works.",
    "I can't remember how this works",
    // product specifications and other people's words
    "we should not show the banner on mobile",
    "I want the button to be blue, not red",
    "The sidebar should always be visible.",
    "The user should always see their own avatar.",
    "As a developer, I want to see logs so that I can debug.",
    "the docs say you should never call this from a worker",
    // descriptions of the thing to be built
    "Implement the export. It should always write UTF-8 and never include drafts. When we write the file, use the tenant's locale.",
    "Write a blog post about the launch. Always mention the price. Never mention competitors.",
    "I want to use a modal instead of a new page",
    "Don't show an error if the list is empty",
    "use async/await instead of promises in this function",
    "Remember me checkbox should be checked by default",
    "no that's wrong, the formula should be a*b not a+b",
    // results that are merely approved
    "that's exactly what I want, commit it",
    "keep it, but rename the variable",
    "I've decided to rename the variable to total",
    "For now we will skip the login",
    // other languages
    "每次点击都会报错",
    "必ずエラーが出ます",
    "항상 에러가 나요",
    "Bitte nicht den Header ändern",
    "No cambies el color",
    "请修复这个错误",
    "为什么总是报错？",
    "このエラーを直して",
    "테스트를 실행해 주세요",
    "Das funktioniert immer noch nicht.",
    "Ajoute un bouton sur la page.",
    "Agrega un botón a la página.",
    "Adicione um botão na página.",
    "всегда падает с этой ошибкой",
    "Dodaj przycisk na stronie.",
    "Ошибка в парсере, а не в базе.",
    "Используй здесь словарь, а не список.",
    "Błąd jest w parserze, a nie w bazie.",
    "Otwórz okno, a nie nową stronę.",
  ])("%j leaves no note", async (text) => {
    const { operations } = await capture(text);
    expect(operations).toEqual([]);
  });

  it("the same message sent again is a retry, not a standing wish", async () => {
    const { operations } = await planCapture(
      sessionOf(Array.from({ length: 4 }, () => "Sort the results by date and show ten rows.")),
      [],
      deps,
    );
    expect(operations).toEqual([]);
  });
});
