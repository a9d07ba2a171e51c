import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { acceptEntry, propose } from "../../../src/app/capture/review.ts";
import { locate } from "../../../src/app/workspace/locations.ts";
import { openWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import { openMemory } from "../../../src/index.ts";
import { cli } from "../../support/cli.ts";
import { person } from "../../support/person.ts";
import { sessionOf } from "../../core/capture/session.ts";
import { memoryOffer, PROFILES } from "../../../src/surfaces/mcp/memory-offer.ts";
import { openProjectMemory } from "../../../src/surfaces/mcp/project-memory.ts";
import { agentNote } from "../../support/dream-store.ts";
import { A_SECRET } from "../../support/planted-secrets.ts";
import { callTool, connectTo } from "../mcp/linked.ts";

const RULE = "Never log tokens, the auditors read the logs.";

/** One of each reason. */
const REFUSED = {
  "code-structure": "The login handler is in src/auth/login.ts.",
  "git-history": "Commit 4f2a91c renamed getUser to fetchUser.",
  "debugging-recipe": "The flaky test failed with a timeout; it was fixed by raising the limit to 10 seconds.",
  instructions: "Use pnpm for all package management, never npm.",
  "task-at-hand": "I am refactoring the login page right now.",
} as const;

function place() {
  const { root, cwd, environment } = person();
  fs.mkdirSync(`${cwd}/.git`, { recursive: true });
  fs.writeFileSync(`${cwd}/CLAUDE.md`, "# Shop\n\n- Use pnpm for all package management, never npm.\n");
  const run = (argv: readonly string[], edit?: (text: string) => string) =>
    cli(argv, { environment, cwd, ...(edit && { edit }) });
  return { root, cwd, environment, run };
}

type Place = ReturnType<typeof place>;

/** A draft that waits for review; gives its id. */
async function waiting({ cwd, environment }: Place, body = RULE): Promise<string> {
  const workspace = openWorkspace(locate({ cwd, environment }));
  const draft = { type: "feedback", name: "waits", description: "tokens", body } as const;
  const operation = { kind: "create", draft } as const;
  const found = await propose(workspace, sessionOf([body]), [{ operation, reason: "why", doubtful: true }], {
    by: "rules",
    dryRun: false,
  });
  workspace.close();
  return found.queued[0]?.id ?? "";
}

const keptFile = (text: string): string => fs.readFileSync(/text is kept in (.+)/u.exec(text)?.[1] ?? "", "utf8");

describe.each(Object.entries(REFUSED))("what is not for a note because of %s", (reason, text) => {
  it("is refused for it by remember, the library and each way to edit, and kept with force, which the note records", async () => {
    const here = place();
    const { cwd, environment, run } = here;
    const forced = async (note: string): Promise<void> =>
      expect((await run(["show", note])).out).toContain(`forced: ${reason}`);
    expect(JSON.parse((await run(["remember", text, "--json"])).out)).toMatchObject({ reason });
    const memory = openMemory({ cwd, environment, model: "off" });
    expect(await memory.remember({ body: text })).toMatchObject({ outcome: "refused", reason });
    memory.close();
    await run(["remember", RULE, "--name", "tokens"]);
    expect(JSON.parse((await run(["edit", "tokens", "--body", text, "--json"])).out)).toMatchObject({ reason });
    const write = (before: string): string => before.replace(RULE, text);
    const edited = await run(["edit", "tokens"], write);
    expect([edited.code, keptFile(edited.err)]).toEqual([4, expect.stringContaining(text)]);
    expect((await run(["show", "tokens"])).out).toContain(RULE);
    expect((await run(["edit", "tokens", "--force"], write)).code).toBe(0);
    await forced("tokens");
    expect((await run(["remember", text, "--force", "--name", "kept"])).code).toBe(0);
    await forced("kept");
  });

  it("is refused by an edit of what waits, whose text is kept in a file, and accepted once it was forced", async () => {
    const here = place();
    const id = await waiting(here);
    const write = (before: string): string => before.replace(RULE, text);
    const edited = await here.run(["review", "edit", id], write);
    expect(edited).toMatchObject({ code: 4, err: expect.stringContaining("--force") });
    expect(keptFile(edited.err)).toContain(text);
    expect((await here.run(["review", "--list"])).out).toContain("Never log tokens");
    expect((await here.run(["review", "edit", id, "--force"], write)).code).toBe(0);
    const workspace = openWorkspace(locate(here));
    expect(await acceptEntry(workspace, id)).toMatchObject({ outcome: "accepted" });
    workspace.close();
    expect((await here.run(["show", "waits"])).out).toContain(`forced: ${reason}`);
  });
});

/** Ways to the disk that nobody types a note into; each gives what came of it and has `force` where it can be told. */
const OTHER_PATHS: Readonly<Record<string, (here: Place, text: string, force: boolean) => Promise<void>>> = {
  async mcp(here, text, force) {
    const client = await connectTo(memoryOffer(openProjectMemory(here), PROFILES["full"] ?? []));
    await callTool(client, "remember", { text, ...(force && { force }) });
    await client.close();
  },
  async "revise over mcp"(here, text, force) {
    await here.run(["remember", RULE, "--name", "tokens"]);
    const client = await connectTo(memoryOffer(openProjectMemory(here), PROFILES["full"] ?? []));
    await callTool(client, "revise", { note: "tokens", text, ...(force && { force }) });
    await client.close();
  },
  async import({ root, run }, text) {
    fs.mkdirSync(`${root}/old`);
    fs.writeFileSync(`${root}/old/project_note.md`, agentNote("note", text, "2026-01-02T09:00:00Z"));
    await run(["import", "claude-code", `${root}/old`, "--yes"]);
  },
  async capture({ cwd, environment }, text) {
    const memory = openMemory({ cwd, environment, model: "off" });
    await memory.capture(sessionOf([`Remember: ${text}`]));
    memory.close();
  },
  async review(here, text) {
    await here.run(["review", "accept", await waiting(here, text)]);
  },
};

describe.each(Object.entries(OTHER_PATHS))("%s", (name, write) => {
  it.each(Object.entries(REFUSED))("keeps no note that is none because of %s", async (reason, text) => {
    const here = place();
    await write(here, text, false);
    expect(saved(here)).not.toContain(text);
    if (!name.includes("mcp")) return;
    await write(here, text, true);
    expect(saved(here)).toMatch(new RegExp(`forced: ${reason}[^]*${text.slice(0, 20)}`, "u"));
  });

  it("keeps what is a note, and retires the one whose place it takes", async () => {
    const here = place();
    await here.run(["remember", "We deploy on Heroku", "--type", "feedback"]);
    if (name.startsWith("revise")) return;
    await write(here, "We moved from Heroku to AWS.", false);
    expect(saved(here)).toContain("from Heroku to AWS");
    expect(saved(here)).toMatch(/supersededBy:|contradicts:/u);
  });
});

/** All notes as they lie on the disk. */
function saved({ root }: Place): string {
  return fs
    .readdirSync(root, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith(".md") && !/(?:^|\/)(?:MEMORY|CLAUDE)\.md$|^old\//u.test(file))
    .map((file) => fs.readFileSync(`${root}/${file}`, "utf8"))
    .join("\n");
}

describe("what waits for review", () => {
  it("passes the gates again when it is accepted: what the instructions say by then, a secret written into its file", async () => {
    const here = place();
    const text = "Use tabs of four columns in every file.";
    const id = await waiting(here, text);
    fs.appendFileSync(`${here.cwd}/CLAUDE.md`, `- ${text}\n`);
    const accept = async () => (await here.run(["review", "accept", id])).out;
    expect(await accept()).toMatch(/refused: .*CLAUDE\.md|refused: .*instruction/u);
    fs.writeFileSync(`${here.cwd}/CLAUDE.md`, "");
    const entry = entryFile(here, id);
    const before = fs.readFileSync(entry, "utf8");
    fs.writeFileSync(entry, before.replace(text, A_SECRET.text));
    expect(await accept()).toContain("refused: the text contains what looks like a secret");
    expect(saved(here)).not.toContain(A_SECRET.secret);
    fs.writeFileSync(entry, before);
    expect(await accept()).toContain("accepted: ");
    expect(saved(here)).toContain(text);
  });

  it("does to notes that came meanwhile what it does to those that were there", async () => {
    const here = place();
    const id = await waiting(here, "Use bun not pnpm");
    await here.run(["remember", "use pnpm not npm", "--type", "feedback", "--force"]);
    expect((await here.run(["review", "accept", id])).out).toContain("accepted: ");
    expect(saved(here)).toMatch(/supersededBy: \S*waits\.md/u);
  });
});

function entryFile({ root }: Place, id: string): string {
  const found = fs
    .readdirSync(root, { recursive: true })
    .map(String)
    .find((file) => file.endsWith(`${id}.json`));
  return `${root}/${found ?? ""}`;
}

describe("an edit with a secret or hidden characters", () => {
  it("leaves no copy of it on the disk", async () => {
    const here = place();
    const id = await waiting(here);
    const edited = await here.run(["review", "edit", id], (before) => before.replace("tokens", "tok\u202Eens"));
    expect(edited.code).toBe(4);
    expect(edited.err).not.toContain("is kept in");
  });
});
