import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { acceptEntry, propose } from "../../../src/app/capture/review.ts";
import { locate } from "../../../src/app/workspace/locations.ts";
import { openWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import { openMemory } from "../../../src/index.ts";
import { cli } from "../../support/cli.ts";
import { person } from "../../support/person.ts";
import { sessionOf } from "../../core/capture/session.ts";

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
    expect(acceptEntry(workspace, id)).toMatchObject({ outcome: "accepted" });
    workspace.close();
    expect((await here.run(["show", "waits"])).out).toContain(`forced: ${reason}`);
  });
});

describe("an edit with a secret or hidden characters", () => {
  it("leaves no copy of it on the disk", async () => {
    const here = place();
    const id = await waiting(here);
    const edited = await here.run(["review", "edit", id], (before) => before.replace("tokens", "tok\u202Eens"));
    expect(edited.code).toBe(4);
    expect(edited.err).not.toContain("is kept in");
  });
});
