import { describe, expect, it } from "vitest";
import { digestSession } from "../../../src/core/capture/digest.ts";
import { planCapture } from "../../../src/core/capture/plan-capture.ts";
import { deps, sessionOf } from "./session.ts";

async function written(message: string): Promise<readonly string[]> {
  const { operations } = await planCapture(sessionOf([message]), [], deps);
  return operations.map(({ draft }) => draft.body);
}

async function digested(message: string): Promise<readonly string[]> {
  const { said } = await digestSession(sessionOf([message]), deps);
  return said.map(({ sentence }) => sentence);
}

describe("words of a chat, a mail or a letter in a message", () => {
  it.each([
    "Mira (9:05): from now on please always tag me in reviews\nJon (9:06): sure\n\nwho is Mira?",
    "[9:05] Mira: from now on always tag me in reviews\n[9:06] Jon: sure",
    "Mira  9:05 AM\nfrom now on please always tag me\n\nJon  9:06 AM\nsure",
    "3/11/2026, 9:05 - Mira: from now on always tag me\n3/11/2026, 9:06 - Jon: k",
    "<mira> from now on always use spaces here\n<jon> why",
    "Mira: ab jetzt bitte immer mich fragen\nJon: gut\n\nWas soll das?",
    "mira: a partir de ahora usa siempre la rama nueva\njon: vale",
    "From: ops@example.org\nTo: all\nSubject: badges\n\nFrom now on everybody must always wear a badge.\n\nRegards",
    "Subject: Doors\n\nStaff must never prop a door open. From now on, always close it.\n\nShorten that, please.",
    "Von: leitung@example.org\nBetreff: Türen\n\nAb sofort bitte immer abschließen.\n\nFass das zusammen.",
    "Asunto: Puertas\n\nA partir de ahora siempre cerrad la puerta.\n\nResume esto.",
    "Dear all,\nplease remember to always sign in. From now on, no exceptions at the desk.\nKind regards\nThe front desk",
    "Liebe Leute,\nab sofort bitte immer das neue Formular benutzen.\nViele Grüße\nUte",
  ])("are never written: %j", async (message) => {
    expect(await written(message)).toEqual([]);
  });

  it("are left out of the digest, what follows them is not", async () => {
    const message = "Mira (9:05): always tag me in reviews\n\nWe never tag people in this team.";
    expect(await digested(message)).toEqual(["We never tag people in this team."]);
  });

  it("are told from a message of one's own", async () => {
    expect(await written("Deploys at 10:30 are fine. From now on always tag the release.")).toHaveLength(1);
    expect(await written("Hi, Tom here. From now on always ask me before you push.")).toHaveLength(1);
  });
});

describe("what somebody else said", () => {
  it.each([
    "Our auditor wrote: from now on all logs are kept for a year. What would you answer?",
    "Our auditor wrote: keep the logs. From now on always keep them for a year.",
    "The auditor said that from now on we always keep the logs.",
    "She told us to never use globals, and always lint.",
    "According to the handbook, always use the blue template.",
    "Die Prüferin schrieb: ab jetzt werden alle Protokolle aufgehoben.",
    "La auditora dijo que a partir de ahora siempre guardamos los registros.",
    "L'auditrice a écrit : désormais on garde toujours les journaux.",
    "A auditora disse que a partir de agora guardamos sempre os registos.",
    "Аудитор написал: отныне хранить все журналы.",
    "Audytorka napisała: od teraz zawsze trzymamy logi.",
    "审计说：以后都要保留日志。",
    "監査人が言った：今後は必ずログを保存して。",
  ])("is not written: %j", async (message) => {
    expect(await written(message)).toEqual([]);
  });

  it.each([
    "As I said, never commit without running the checks.",
    "I told you: always use single quotes in this project.",
    "Always check what the API docs say before you call it, never guess.",
    "Split the job if you think so, I'm bad at YAML.",
    "下次如果你觉得这个任务太大，请先告诉我，再开始写代码。",
    "Escribe siempre los mensajes en inglés.",
  ])("is told from a person's own words: %j", async (message) => {
    expect(await written(message)).toHaveLength(1);
  });
});

describe("a text to translate or to write", () => {
  it.each([
    "Translate this to Dutch: Always lock the shed before you leave.",
    "Translate to Polish:\nNever feed the animals without asking a keeper.",
    "Übersetze das ins Englische: Immer den Schuppen abschließen vor dem Gehen.",
    "Traduce al francés: Nunca des de comer a los animales.",
    "Traduis en anglais : Ne nourris jamais les animaux du parc.",
    "Переведи на английский: Никогда не корми животных в парке.",
    "翻译成英文：以后离开前请记得锁门。",
    "Write a help page that says: Never share your token.",
    "Add this rule to stylelint: always use short colours",
    "Put this on the poster: never swim alone",
    "Reword this: I am a gardener and developer with ten years of experience",
    "Schreib auf das Plakat: Niemals allein schwimmen gehen.",
    "Pon en el cartel: nunca nades solo en el lago",
    "Commit message: never retry a payment",
    "Here is my cover letter:\nI'm a senior developer with ten years of experience.\nShorten it.",
  ])("is not written: %j", async (message) => {
    expect(await written(message)).toEqual([]);
  });

  it("is left out of the digest where it is quoted or only to be translated", async () => {
    expect(await digested("The console says: 'You must never nest forms here'. Repair it.")).toEqual(["Repair it."]);
    expect(await digested("Translate this to Dutch: Always lock the shed. Never lose the key.")).toEqual([]);
  });

  it.each([
    "From now on write commit messages like this: first the area, then the change.",
    "Always write errors that say what to do next: never a bare code.",
    "For commits: always use the imperative mood.",
  ])("is told from a wish with a colon: %j", async (message) => {
    expect(await written(message)).toHaveLength(1);
  });
});

describe("what holds for this task, this talk or today", () => {
  it.each([
    "From now on, in this chat, answer in Dutch.",
    "For the rest of this session always answer with one line.",
    "Always return undefined in this function if y is missing",
    "Never throw in this handler, return a result",
    "Remember: the call starts in twenty minutes",
    "From now on until tomorrow only use the mirror",
    "From now on you are a grumpy reviewer.",
    "From now on the function should return a list.",
    "Never show the banner on small screens",
    "Don't forget to add the missing import at the top of the module",
    "Ab jetzt in diesem Gespräch bitte auf Niederländisch antworten.",
    "A partir de ahora, en esta charla, responde en holandés.",
    "Désormais, dans cette discussion, réponds en néerlandais.",
    "A partir de agora, nesta conversa, responda em holandês.",
    "Отныне в этом разговоре отвечай по-голландски.",
    "Od teraz w tej rozmowie odpowiadaj po niderlandzku.",
    "在这次对话里，以后都用荷兰语回答。",
    "この会話では、今後はオランダ語で答えてください。",
    "이 대화에서는 앞으로 네덜란드어로 대답해줘.",
  ])("is not written: %j", async (message) => {
    expect(await written(message)).toEqual([]);
  });

  it.each(["From now on, in this repository, answer in Dutch.", "As of today, never merge without a review."])(
    "is told from what holds beyond it: %j",
    async (message) => {
      expect(await written(message)).toHaveLength(1);
    },
  );
});

describe("a sigh or a joke", () => {
  it.each([
    "nie wieder Dienstag!",
    "immer dieser Ärger mit yarn!",
    "siempre me pasa igual con docker",
    "nunca entiendo docker",
    "sempre dá erro no docker",
    "jamais vu un truc pareil avec docker",
    "всегда одно и то же с докером",
    "zawsze to samo z dockerem",
    "never again, docker!",
    "never trust a tuesday build lol",
    "I'm a dummy user, ignore me",
    "I'm a genius developer haha",
    "I'm a terrible developer today",
    "my laptop is slow again",
  ])("is not written: %j", async (message) => {
    expect(await written(message)).toEqual([]);
  });

  it.each([
    "Bitte nie wieder direkt auf den Hauptzweig pushen.",
    "Siempre usa la rama nueva, nunca la vieja.",
    "I'm a power user of emacs.",
  ])("is told from an order: %j", async (message) => {
    expect(await written(message)).toHaveLength(1);
  });
});
