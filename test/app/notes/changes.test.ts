import fs from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { locate } from "../../../src/app/workspace/locations.ts";
import { openMemory } from "../../../src/app/memory.ts";
import { openWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import { acceptEntry, propose, rejectEntry } from "../../../src/app/capture/review.ts";
import { recall } from "../../../src/app/recall/recall.ts";
import { memoryOffer, PROFILES } from "../../../src/surfaces/mcp/memory-offer.ts";
import { openProjectMemory } from "../../../src/surfaces/mcp/project-memory.ts";
import { person } from "../../support/person.ts";
import { filesBelow, memoryDirectory } from "../../support/scratch.ts";
import { callTool, connectTo } from "../../surfaces/mcp/linked.ts";

/** Who is there, and what each surface answers. */
function someone(parent?: string) {
  const one = person(parent);
  const notes = `${one.root}/notes`;
  const memdir = (argv: readonly string[], mode = "auto") =>
    one.memdir([...argv, "--dir", notes], { environment: { ...one.environment, MEMDIR_MODE: mode } });
  const options = { dir: notes, environment: one.environment };
  return { ...one, notes, memdir, options };
}

type Someone = ReturnType<typeof someone>;

function live(one: Someone): readonly string[] {
  const memory = openMemory(one.options);
  const said = memory.list().map(({ entry }) => entry.description);
  memory.close();
  return said.toSorted();
}

async function saidIn(one: Someone, text: string, id: string): Promise<void> {
  const memory = openMemory(one.options);
  const turn = { id, role: "user" as const, text, toolCalls: [], time: "2026-03-02T09:00:00Z" };
  await memory.capture({ agent: "test", session: id, cwd: one.cwd, turns: [turn], toolTexts: [], problems: [] });
  memory.close();
}

async function overMcp(one: Someone) {
  const memory = openProjectMemory({ cwd: one.cwd, environment: one.environment, dir: one.notes });
  const client = await connectTo(memoryOffer(memory, PROFILES["full"] ?? []));
  return (name: string, given: Record<string, unknown>) => callTool(client, name, given);
}

async function imported(one: Someone, text: string, name: string): Promise<void> {
  const old = `${one.root}/${name}`;
  fs.mkdirSync(old);
  fs.writeFileSync(
    `${old}/${name}.md`,
    `---\nname: ${name}\ndescription: ${text}\nmetadata:\n  type: project\n---\n\n${text}\n`,
  );
  await one.memdir(["import", "claude-code", old, "--yes"]);
}

async function accepted(one: Someone, text: string): Promise<void> {
  const workspace = openWorkspace(locate(one.options));
  const evidence = { session: "s", message: text };
  const draft = { type: "project" as const, name: text.slice(0, 40), description: text, body: text, evidence };
  const transcript = { agent: "test", session: "s", cwd: one.cwd, turns: [], toolTexts: [], problems: [] };
  const proposal = { operation: { kind: "create" as const, draft }, reason: "confirm mode", doubtful: false };
  const { queued } = await propose(workspace, transcript, [proposal], { by: "rules", dryRun: false });
  expect(await acceptEntry(workspace, queued[0]?.id ?? "")).toMatchObject({ outcome: "accepted" });
  workspace.close();
}

const EXAMPLES: readonly (readonly [before: string, after: string])[] = [
  ["We deploy on Heroku", "We switched from Heroku to AWS"],
  ["use pnpm not npm", "use bun not pnpm"],
  ["The user prefers Rust", "The user prefers Python"],
  ["The API listens on port 8080", "The API listens on port 9090"],
  ["Alice owns billing", "Bob owns billing now"],
];

const BESIDE: readonly (readonly [before: string, after: string])[] = [
  ["Staging runs on port 4000", "Production runs on port 5000"],
  ["The export for Germany runs in Frankfurt", "The export for Switzerland runs in Zurich"],
  ["The frontend uses Vitest", "The backend uses Jest"],
  ["We use Postgres", "We use SQLite in tests"],
];

const PATHS: readonly (readonly [name: string, say: (one: Someone, text: string, nth: number) => Promise<unknown>])[] =
  [
    ["the command", (one, text) => one.memdir(["remember", text])],
    [
      "the library",
      async (one, text) => {
        const memory = openMemory(one.options);
        await memory.remember({ body: text });
        memory.close();
      },
    ],
    ["MCP", async (one, text, nth) => (await overMcp(one))("remember", { text, name: `note ${nth}`, type: "project" })],
    ["review", accepted],
  ];

describe("a change", () => {
  it.each(PATHS)("retires what it changes, said through %s; another subject stands beside", async (_, say) => {
    for (const [before, after] of EXAMPLES) {
      const one = someone();
      await say(one, before, 1);
      await say(one, after, 2);
      expect(live(one), after).toEqual([after]);
    }
    for (const [before, after] of BESIDE) {
      const one = someone();
      await say(one, before, 1);
      await say(one, after, 2);
      expect(live(one), after).toEqual([before, after].toSorted());
    }
  });

  it("retires what it changes, said in a session and captured, and imported where it tells that it is one", async () => {
    const one = someone();
    await saidIn(one, "Remember: we deploy on Heroku.", "a");
    expect(live(one)).toHaveLength(1);
    await saidIn(one, "Remember: we switched from Heroku to AWS.", "b");
    expect(live(one)).toEqual([expect.stringContaining("AWS")]);
    const other = someone();
    await imported(other, "We deploy on Heroku", "one");
    await imported(other, "We switched from Heroku to AWS", "two");
    expect(live(other)).toEqual(["We switched from Heroku to AWS"]);
    // Of two imported facts nobody knows which is newer.
    await imported(other, "The API listens on port 8080", "three");
    await imported(other, "The API listens on port 9090", "four");
    expect(live(other)).toHaveLength(3);
  });

  it("never retires what is pinned, and says since when it holds only in a file that it can read", async () => {
    const one = someone();
    await one.memdir(["remember", "--name", "hosting", "We deploy on Heroku"]);
    await one.memdir(["pin", "hosting"]);
    await one.memdir(["remember", "--name", "aws", "We switched from Heroku to AWS"]);
    expect(live(one)).toEqual(["We deploy on Heroku", "We switched from Heroku to AWS"]);
    const latin = Buffer.from("---\nname: cloud\n---\n\nd\u00e9j\u00e0\n", "latin1");
    fs.writeFileSync(`${one.notes}/cloud.md`, latin);
    expect((await one.memdir(["supersede", "aws", "cloud.md"])).code).toBe(0);
    expect(fs.readFileSync(`${one.notes}/cloud.md`).equals(latin)).toBe(true);
    expect(live(one)).not.toContain("We switched from Heroku to AWS");
  });

  it("is told in one line, and what it retired is not recalled", async () => {
    const one = someone();
    await one.memdir(["remember", "We deploy on Heroku"]);
    const { out } = await one.memdir(["remember", "We switched from Heroku to AWS"]);
    expect(out).toContain('superseded project_we_deploy_on_heroku.md: "We deploy on Heroku"');
    const recalled = (await one.memdir(["recall", "where do we deploy, Heroku or AWS?"])).out;
    expect(recalled).toContain("from Heroku to AWS");
    expect(recalled).not.toContain("We deploy on Heroku");
    const { chain } = JSON.parse((await one.memdir(["history", "We deploy on Heroku", "--json"])).out);
    expect(chain).toMatchObject([{ validTo: expect.any(String) }, {}]);
  });

  it("is told with the command that settles it where it is in doubt", async () => {
    const one = someone();
    await one.memdir(["remember", "Never deploy on Fridays."]);
    const { out } = await one.memdir(["remember", "Deploys on Fridays are fine."]);
    expect(out).toContain('contradicts feedback_never_deploy_on_fridays.md: "Never deploy on Fridays"');
    expect(out).toContain("until you decide with `memdir conflicts`");
    expect((await one.memdir(["conflicts"])).out).toContain("feedback_never_deploy_on_fridays.md");
  });

  it("is undone byte for byte, whatever the older note holds", async () => {
    const line = fc.stringMatching(/^[a-zé0-9 :#"'-]{0,30}$/u);
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 3 }), fc.boolean(), async (reasons, windows) => {
        const one = someone(memoryDirectory());
        const body = ["We deploy on Heroku", "", ...reasons.map((reason) => `**Why:** ${reason}`)].join("\n");
        await one.memdir(["remember", "--name", "deploy", "We deploy on Heroku"]);
        const file = `${one.notes}/project_deploy.md`;
        const text = fs.readFileSync(file, "utf8").replace(/We deploy on Heroku\n$/u, () => `${body}\n`);
        fs.writeFileSync(file, windows ? text.replaceAll("\n", "\r\n") : text);
        const before = filesBelow(one.notes);
        const { out } = await one.memdir(["remember", "--name", "aws", "We switched from Heroku to AWS"]);
        expect(out).toContain("superseded project_deploy.md");
        expect(fs.readFileSync(file)).not.toEqual(before.get("project_deploy.md"));
        await one.memdir(["undo", "aws"]);
        const notes = (all: ReadonlyMap<string, Buffer>) => [...all].filter(([name]) => name !== "MEMORY.md");
        expect(notes(filesBelow(one.notes))).toEqual(notes(before));
        expect(live(one)).toEqual(["We deploy on Heroku"]);
        await one.memdir(["redo", "aws"]);
        expect(live(one)).toEqual(["We switched from Heroku to AWS"]);
      }),
      { numRuns: 8 },
    );
  }, 60_000);
});

const OLDER = "Squash commits of feature branches before merging";
const NEWER = "Never squash commits of feature branches before merging";
const PROMPT = "should I squash the commits of feature branches before merging?";

describe("a contradiction in doubt", () => {
  async function doubtful(): Promise<Someone> {
    const one = someone();
    await one.memdir(["remember", "--name", "squash", OLDER]);
    const { out } = await one.memdir(["remember", "--name", "no squash", NEWER]);
    expect(out).toContain("contradicts feedback_squash.md");
    return one;
  }

  function newerFirst(text: string): void {
    expect(text).toContain(NEWER);
    expect(text).toContain("contradicts feedback_squash.md");
    const older = text.indexOf(OLDER);
    expect(older === -1 || text.indexOf(NEWER) < older).toBe(true);
  }

  it("is recalled with the newer first by the command, the hook and MCP", async () => {
    const one = await doubtful();
    newerFirst((await one.memdir(["recall", PROMPT])).out);
    newerFirst((await (await overMcp(one))("recall", { prompt: PROMPT })).text);
    // What the hook does where its quick look would have to write first.
    const hook = () => recall(openWorkspace(locate(one.options)), { prompt: PROMPT, session: "s", verify: undefined });
    const { outcome, rendered, delivered } = hook();
    newerFirst(rendered.text);
    expect(outcome.selected[0]?.file).toBe("feedback_no_squash.md");
    delivered();
    // The session has the newer one: the older alone is never shown whole.
    expect(hook().outcome.selected.map(({ file }) => file)).not.toContain("feedback_squash.md");
  });

  it("waits for a person: accepted, the older goes in favour of the newer; rejected, both hold", async () => {
    const one = await doubtful();
    const open = () => openWorkspace(locate(one.options));
    const workspace = open();
    const [entry] = workspace.review.entries();
    expect(entry).toMatchObject({ doubtful: true, operation: { kind: "retire", by: "feedback_no_squash.md" } });
    expect(await acceptEntry(workspace, entry?.id ?? "")).toMatchObject({ outcome: "accepted" });
    expect(workspace.stores[0]?.store.index.entry("feedback_squash.md")?.supersededBy).toBe("feedback_no_squash.md");
    workspace.close();
    const other = await doubtful();
    const second = openWorkspace(locate(other.options));
    expect(rejectEntry(second, second.review.entries()[0]?.id ?? "")).toBe(true);
    expect(second.stores[0]?.store.index.contradictions().size).toBe(0);
    second.close();
    expect((await other.memdir(["recall", PROMPT])).out).not.toContain("contradicts");
    expect(JSON.parse((await other.memdir(["conflicts", "--json"])).out).conflicts).toEqual([]);
  });

  it("is settled by the agent that hears the person: remember again with replaces or beside", async () => {
    const one = await doubtful();
    const call = await overMcp(one);
    const again = await call("remember", { text: NEWER, replaces: ["feedback_squash.md"] });
    expect(again.fields["outcome"]).toBe("known");
    expect(live(one)).toEqual([NEWER]);
    const other = someone();
    await other.memdir(["remember", "--name", "squash", OLDER]);
    const tools = await overMcp(other);
    const said = await tools("remember", { text: NEWER, name: "no squash" });
    expect(said.fields["rivals"]).toEqual([{ note: "feedback_squash.md", says: OLDER }]);
    expect(said.text).toContain('replaces: ["feedback_squash.md"]');
    await tools("remember", { text: NEWER, beside: true });
    expect(live(other)).toHaveLength(2);
    expect((await other.memdir(["recall", PROMPT])).out).not.toContain("contradicts");
    expect((await tools("remember", { text: "x y z", replaces: ["no-such"] })).isError).toBe(true);
  });

  it.each([
    ["We track bugs in Jira", "We migrated from Jira to Linear"],
    ["The wiki lives in Confluence", "The wiki moved from Confluence to Notion"],
    ["I prefer VS Code", "I now prefer Zed"],
  ])("keeps the type of the note that it replaces where nobody named one: %s", async (before, after) => {
    const one = someone(memoryDirectory());
    const memory = openMemory(one.options);
    await memory.remember({ body: before });
    const result = await memory.remember({ body: after });
    expect(result).toMatchObject({ outcome: "created", relation: "replaces", superseded: [{}] });
    memory.close();
    expect(live(one)).toEqual([after]);
  });

  it("keeps the type of the note that it doubts, though the words are about the person", async () => {
    const one = someone(memoryDirectory());
    const memory = openMemory(one.options);
    await memory.remember({ body: "The public API rate limit is 100 requests per minute." });
    const doubt = "I'm not sure the public API rate limit is really 100 requests per minute, someone mentioned 60.";
    expect(await memory.remember({ body: doubt })).toMatchObject({ type: "project", relation: "contradicts" });
    memory.close();
    expect(live(one)).toHaveLength(2);
  });

  it("is saved although an older note says it, if a newer one contradicts that", async () => {
    const one = someone(memoryDirectory());
    const memory = openMemory(one.options);
    await memory.remember({ body: "Never deploy on Fridays." });
    const again = "Deploying on Fridays is forbidden again.";
    expect(await memory.remember({ body: again })).toMatchObject({ outcome: "similar" });
    expect(await memory.remember({ body: "Deploys on Fridays are fine." })).toMatchObject({ relation: "contradicts" });
    expect(await memory.remember({ body: again })).toMatchObject({ outcome: "created" });
    memory.close();
  });

  it("ends the plan together with what the plan was to change", async () => {
    const one = someone(memoryDirectory());
    const memory = openMemory(one.options);
    await memory.remember({ body: "CI runs on CircleCI." });
    await memory.remember({ body: "We plan to move CI to GitHub Actions in autumn." });
    const moved = "CI moved to GitHub Actions last week, CircleCI is shut down.";
    const result = await memory.remember({ body: moved });
    memory.close();
    expect(result).toMatchObject({ relation: "replaces", superseded: [{}, {}] });
    expect(live(one)).toHaveLength(1);
  });

  it("keeps the type of the note that it adds to", async () => {
    const one = someone(memoryDirectory());
    const memory = openMemory(one.options);
    const first = await memory.remember({ body: "I prefer early returns over nested ifs." });
    const added = "I prefer early returns over nested ifs since they make the diffs easier to read.";
    const second = await memory.remember({ body: added });
    memory.close();
    expect(second).toMatchObject({ outcome: "created", relation: "refines" });
    expect([first, second].map((result) => "type" in result && result.type)).toEqual(["user", "user"]);
  });

  it("is saved where the agent names what it replaces, although the text alone does not belong in a note", async () => {
    const one = someone(memoryDirectory());
    const memory = openMemory(one.options);
    const renamed = "queue parcels-out is defined in src/queues/parcels.ts";
    expect(await memory.remember({ body: renamed })).toMatchObject({ outcome: "refused" });
    await memory.remember({ body: "The queue for parcels is called outbound", name: "queue" });
    const { outcome } = await memory.remember({ body: renamed, replaces: ["queue"] });
    expect(outcome).toBe("created");
    memory.close();
    expect(live(one)).toEqual([renamed]);
  });
});

describe("the same in other words or another order", () => {
  it.each([
    ["The data team owns the churn model", "The churn model is owned by the data team"],
    ["Never log full card numbers", "Full card numbers must never be logged"],
    ["Never commit secrets to the repo", "Don't ever commit secrets to the repository"],
    ["Vor dem Mergen müssen alle Tests grün sein", "Alle Tests müssen grün sein, bevor gemergt wird"],
  ])("names the note that says it, and saves nothing: %j and %j", async (before, after) => {
    const one = someone();
    const memory = openMemory(one.options);
    await memory.remember({ body: before });
    expect(await memory.remember({ body: after })).toMatchObject({ outcome: "similar" });
    expect(await memory.remember({ body: "Backups go from Berlin to Oslo" })).toMatchObject({ outcome: "created" });
    expect(await memory.remember({ body: "Backups go from Oslo to Berlin" })).toMatchObject({ outcome: "created" });
    memory.close();
    expect(live(one)).toHaveLength(3);
  });
});
