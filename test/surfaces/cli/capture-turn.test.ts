import fs from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { cli, type CliResult, emptyHome } from "../../support/cli.ts";
import { scratch } from "../../support/scratch.ts";

const TURNS = [
  { role: "user", text: "Remember that releases are cut on Thursdays." },
  { role: "assistant", text: "Understood." },
];

let root: string;
let environment: Record<string, string | undefined>;

beforeEach(() => {
  root = scratch();
  environment = emptyHome(root);
});

const capture = (input: unknown, ...more: readonly string[]): Promise<CliResult> =>
  cli(["capture", "--turn", "-", "--dir", `${root}/notes`, ...more], {
    cwd: root,
    environment,
    input: typeof input === "string" ? input : JSON.stringify(input),
  });

describe("memdir capture --turn -", () => {
  it("saves what the person of a program asked to remember, with its evidence, and once", async () => {
    const { code, out } = await capture({ agent: "hermes", session: "chat-1", turns: TURNS }, "--json");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ turns: 2, notes: [{ evidence: { session: "chat-1", message: "m0" } }] });
    const again = await capture({ agent: "hermes", session: "chat-1", turns: TURNS }, "--json");
    expect(JSON.parse(again.out)).toMatchObject({ notes: [] });
    expect(fs.readdirSync(`${root}/notes`).filter((name) => name !== "MEMORY.md")).toHaveLength(1);
  });

  it("takes nothing that memory itself put into a turn, escaped or not", async () => {
    const recalled = 'memdir-context source="recall"';
    const said = "Remember that releases are cut on Thursdays.";
    const text = `<${recalled}>\n${said}\n</memdir-context>\n&lt;${recalled}&gt;\n${said}\n&lt;/memdir-context&gt;\nGo on.`;
    const { out } = await capture({ session: "chat-1", turns: [{ role: "user", text }] }, "--json");
    expect(JSON.parse(out)).toMatchObject({ notes: [], queued: [] });
  });

  it("does what the mode says of automatic capture", async () => {
    environment = { ...environment, MEMDIR_MODE: "manual" };
    expect((await capture({ session: "chat-1", turns: TURNS })).code).toBe(0);
    expect(fs.existsSync(`${root}/notes`)).toBe(false);
  });

  it.each([
    ["", "it is not one JSON object"],
    ["[]", "it is not one JSON object"],
    [{ turns: TURNS }, "`session` is missing"],
    [{ session: "s" }, "`turns` is not a list"],
    [{ session: "s", turns: [TURNS[0], { role: "tool", text: "" }] }, "`turns[1].role` is neither"],
    [{ session: "s", turns: [{ role: "user" }] }, "`turns[0].text` is not a text"],
    [{ session: "s", turns: [{ role: "user", text: "a", time: 7 }] }, "`turns[0].time` is not a text"],
    [{ session: "s", turns: TURNS, toolTexts: [1] }, "`toolTexts` is not a list of texts"],
  ])("names the field that is wrong: %j", async (input, problem) => {
    const { code, err } = await capture(input);
    expect(code).toBe(2);
    expect(err).toContain(problem);
  });

  it("stands alone", async () => {
    expect(await capture({ session: "s", turns: TURNS }, "--all")).toMatchObject({ code: 2 });
  });
});

describe("a transcript of a form that memdir does not know", () => {
  const qwen = (type: string, text: string): string =>
    JSON.stringify({ sessionId: "s", type, message: { role: type, parts: [{ text }] } });

  it.each([
    ["of a client that writes its messages otherwise", [qwen("user", "Remember that releases are cut on Thursdays.")]],
    ["of objects that nobody knows", ['{"speaker":"ada","words":"Remember that releases are cut on Thursdays."}']],
  ])("is no session without wishes: one %s", async (_, lines) => {
    fs.writeFileSync(`${root}/chat.jsonl`, `${lines.join("\n")}\n`);
    const { code, out, err } = await cli(["capture", `${root}/chat.jsonl`, "--dry-run", "--dir", "notes"], {
      cwd: root,
      environment,
    });
    expect(code).toBe(1);
    expect(out).toBe("");
    expect(err).toContain("chat.jsonl is not a transcript of");
  });

  it("is told from one of a known client in which nobody has spoken yet", async () => {
    fs.writeFileSync(`${root}/chat.jsonl`, '{"type":"summary","sessionId":"s","summary":"x"}\n');
    const { code } = await cli(["capture", `${root}/chat.jsonl`, "--dir", "notes"], { cwd: root, environment });
    expect(code).toBe(0);
  });
});
