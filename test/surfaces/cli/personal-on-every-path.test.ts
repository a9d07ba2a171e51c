import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { acceptEntry, propose } from "../../../src/app/capture/review.ts";
import { locate } from "../../../src/app/workspace/locations.ts";
import { openWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import { personalIn } from "../../../src/core/notes/personal.ts";
import { openMemory } from "../../../src/index.ts";
import { memoryOffer, PROFILES } from "../../../src/surfaces/mcp/memory-offer.ts";
import { openProjectMemory } from "../../../src/surfaces/mcp/project-memory.ts";
import { sessionOf } from "../../core/capture/session.ts";
import { cli } from "../../support/cli.ts";
import { agentNote } from "../../support/dream-store.ts";
import { person } from "../../support/person.ts";
import { callTool, connectTo } from "../mcp/linked.ts";

const FIT = "The importer listens on port 9090.";
const PERSONAL = {
  address: "Mail zoe.ito@example.org before the importer is restarted.",
  sentence: "Je m'appelle Zoé et la recette attend mon retour.",
} as const;

type SharedScope = "team" | "group";

async function place() {
  const { root, cwd, environment } = person();
  const run = (argv: readonly string[], edit?: (text: string) => string) =>
    cli(argv, { environment, cwd, ...(edit && { edit }) });
  await run(["group", "add", "shops"]);
  return { root, cwd, environment, run };
}

type Place = Awaited<ReturnType<typeof place>>;

/** A change of a shared note that waits for review; gives its id. */
async function waiting({ cwd, environment, run }: Place, scope: SharedScope, body: string): Promise<string> {
  await run(["remember", FIT, "--name", "port", "--scope", scope]);
  const workspace = openWorkspace(locate({ cwd, environment }));
  const draft = { type: "project", name: "port", description: "the port", body } as const;
  const operation = { kind: "revise", file: `${scope}:project_port.md`, draft } as const;
  const { queued } = await propose(
    workspace,
    sessionOf([body]),
    [{ operation, reason: "other-scope", doubtful: true }],
    {
      by: "rules",
      dryRun: false,
    },
  );
  workspace.close();
  return queued[0]?.id ?? "";
}

/** Every way into a scope that others read. */
const PATHS: Readonly<Record<string, (here: Place, scope: SharedScope, text: string) => Promise<void>>> = {
  async remember({ run }, scope, text) {
    await run(["remember", text, "--scope", scope, "--type", "project"]);
  },
  async "remember, with force"({ run }, scope, text) {
    await run(["remember", text, "--scope", scope, "--type", "project", "--force"]);
  },
  async "a description"({ run }, scope, text) {
    await run(["remember", FIT, "--scope", scope, "--description", text]);
  },
  async library({ cwd, environment }, scope, body) {
    const memory = openMemory({ cwd, environment, model: "off" });
    await memory.remember({ body, scope, type: "project" });
    await memory.close();
  },
  async mv({ run }, scope, text) {
    await run(["remember", text, "--name", "port", "--type", "project"]);
    await run(["mv", "port", scope]);
  },
  async promote({ run }, scope, text) {
    await run(["remember", text, "--name", "port", "--type", "project"]);
    await run(["promote", "port", "--to", scope]);
  },
  async "a new name on the way"({ run }, scope, text) {
    await run(["remember", FIT, "--name", "port", "--type", "project"]);
    await run(["mv", "port", `${scope}:${text}`]);
  },
  async edit({ run }, scope, text) {
    await run(["remember", FIT, "--name", "port", "--scope", scope]);
    await run(["edit", `${scope}:port`, "--body", text]);
  },
  async "edit in an editor"({ run }, scope, text) {
    await run(["remember", FIT, "--name", "port", "--scope", scope]);
    await run(["edit", `${scope}:port`], (before) => before.replace(FIT, text));
  },
  async "revise over mcp"(here, scope, text) {
    await here.run(["remember", FIT, "--name", "port", "--scope", scope]);
    const client = await connectTo(memoryOffer(openProjectMemory(here), PROFILES["full"] ?? []));
    await callTool(client, "revise", { note: `${scope}:port`, text });
    await client.close();
  },
  async import({ root, run }, scope, text) {
    await run(["remember", FIT, "--name", "port", "--type", "project", "--scope", scope]);
    fs.mkdirSync(`${root}/old`);
    fs.writeFileSync(`${root}/old/project_port.md`, agentNote("port", text, "2026-01-02T09:00:00Z"));
    await run(["import", "claude-code", `${root}/old`, "--yes"]);
  },
  async "review accept"(here, scope, text) {
    const id = await waiting(here, scope, text);
    const workspace = openWorkspace(locate(here));
    await acceptEntry(workspace, id);
    workspace.close();
  },
  async "review edit"(here, scope, text) {
    const id = await waiting(here, scope, "The importer listens on port 9191.");
    await here.run(["review", "edit", id], (before) => before.replace("The importer listens on port 9191.", text));
    await here.run(["review", "accept", id]);
  },
  async "a guard's message"({ run }, scope, text) {
    await run(["remember", "Never restart the importer by hand.", "--name", "port", "--type", "feedback"]);
    await run(["mv", "port", scope]);
    await run(["guard", "set", `${scope}:port`, "--tool", "Bash", "--pattern", "restart", "--message", text]);
  },
};

/** The notes of a shared scope as they lie on the disk. */
function shared({ root }: Place, scope: SharedScope): string {
  return fs
    .readdirSync(root, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith(".md") && file.includes(scope === "team" ? "/team/" : "/groups/"))
    .map((file) => fs.readFileSync(`${root}/${file}`, "utf8"))
    .join("\n");
}

describe.each(Object.entries(PATHS))("%s", (_, write) => {
  it.each([
    ["team", "address"],
    ["group", "sentence"],
  ] as const)("lets nothing personal into the %s: an %s", async (scope, kind) => {
    const here = await place();
    await write(here, scope, PERSONAL[kind]);
    expect(shared(here, scope)).not.toContain(PERSONAL[kind].slice(0, 12));
  });

  it("lets in what is not personal", async () => {
    const here = await place();
    await write(here, "team", "The parser reads from 9393.");
    expect(shared(here, "team")).toMatch(/parser[ _]reads[ _]from[ _]9393/u);
  });
});

describe("a shared note", () => {
  it("that names an address already can be changed elsewhere, and the refusal says what to take out", async () => {
    const here = await place();
    await here.run(["remember", FIT, "--name", "port", "--scope", "team"]);
    const file = `${here.root}/${fs
      .readdirSync(here.root, { recursive: true })
      .map(String)
      .find((one) => one.endsWith("team/project_port.md"))}`;
    fs.appendFileSync(file, "\nAsk ops@example.org.\n");
    expect((await here.run(["edit", "team:port", "--description", "where it listens"])).code).toBe(0);
    const refused = await here.run(["edit", "team:port", "--description", "ask zoe@example.org"]);
    expect([refused.code, refused.err]).toEqual([
      4,
      expect.stringContaining('"zoe@example.org" looks like a personal fact'),
    ]);
  });
});

describe("what is personal", () => {
  it.each([
    "Write to jane.doe@mail.example.com",
    "mailto:o.neil@example.org",
    "I am Bob, a frontend developer",
    "the release waits for my manager",
    "Ich heiße Ada und teste abends",
    "Meine Adresse steht im Wiki",
    "Yo soy Luis",
    "Soy desarrolladora de la app",
    "Me llamo Ana",
    "Meu chefe decide isso",
    "Mi chiamo Gino",
    "Mijn baas keurt het goed",
    "Nazywam się Ola",
    "Меня зовут Олег",
    "我叫小明",
    "私の上司が決めます",
    "제 이름은 민수입니다",
  ])("%s", (text) => expect(personalIn(text)).not.toEqual([]));

  it.each([
    "Clone from git@github.com:acme/shop.git",
    "Use https://deploy@git.example.com/acme/shop.git in CI",
    `The logo is in assets/logo${"@"}2x.png`,
    `getty${"@"}tty1.service restarts by itself`,
    "Pin react@18.2.0 and @types/node@20",
    "Soy milk is category 7 in the catalogue",
    "I test sono lenti su Windows",
    "Der Export ist mein Favorit",
    "The user's name is stored in users.display_name",
    "Miami is the default region",
  ])("nothing of: %s", (text) => expect(personalIn(text)).toEqual([]));
});
