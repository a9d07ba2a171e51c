import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { openMemory } from "../../../src/index.ts";
import { cli } from "../../support/cli.ts";
import { person } from "../../support/person.ts";
import { filesBelow } from "../../support/scratch.ts";

const WHERE = "The login handler is in src/auth/login.ts.";

function place() {
  const { root, cwd, environment } = person();
  fs.mkdirSync(`${cwd}/.git`, { recursive: true });
  const run = (...argv: readonly string[]) => cli([...argv], { environment, cwd });
  const written = (): string =>
    [...filesBelow(root)].map(([file, bytes]) => `${file} ${bytes.toString("utf8")}`).join(" ");
  return { root, cwd, environment, run, written };
}

describe("what a note is not for", () => {
  it("is refused by remember with exit code 4, the reason and a question, and nothing is written", async () => {
    const { run, written } = place();
    const refused = await run("remember", WHERE);
    expect(refused).toMatchObject({ code: 4, out: "" });
    expect(refused.err).toMatch(/the code says where things are.*What is surprising.*--force/u);
    expect(JSON.parse((await run("remember", WHERE, "--json")).out)).toMatchObject({ reason: "code-structure" });
    expect(written()).not.toContain("login");
  });

  it("is kept with --force, and the note records that it was", async () => {
    const { cwd, run } = place();
    const kept = await run("remember", WHERE, "--force", "--name", "login");
    expect(kept.out).toMatch(/remembered: reference_login.md.*kept because of --force/su);
    expect((await run("show", "login")).out).toContain("forced: code-structure");
    expect((await run("remember", "The auditors forbid to move src/auth.", "--force", "--name", "plain")).code).toBe(0);
    expect((await run("show", "plain")).out).not.toContain("forced:");
    expect(cwd).not.toBe("");
  });

  it("is refused by edit in the same way, and kept there with --force", async () => {
    const { run } = place();
    await run("remember", "Never log tokens, the auditors read the logs.", "--name", "tokens");
    const refused = await run("edit", "tokens", "--body", WHERE);
    expect(refused).toMatchObject({ code: 4, out: "" });
    expect(refused.err).toMatch(/the code says where things are.*--force/u);
    expect((await run("show", "tokens")).out).toContain("Never log tokens");
    expect((await run("edit", "tokens", "--body", WHERE, "--force")).code).toBe(0);
    expect((await run("show", "tokens")).out).toContain("forced: code-structure");
  });

  it("is what CLAUDE.md says already, in the project and not for every project", async () => {
    const { cwd, run } = place();
    fs.writeFileSync(`${cwd}/CLAUDE.md`, "# Shop\n\n- Use pnpm for all package management, never npm.\n");
    const text = "Use pnpm for package management, never npm.";
    expect(await run("remember", text)).toMatchObject({ code: 4, err: expect.stringContaining("instruction file") });
    expect((await run("remember", text, "--scope", "user")).code).toBe(0);
    for (const [scope, code] of [
      ["project", 4],
      ["user", 0],
    ] as const) {
      await run("remember", "Ask before every deployment.", "--name", "asking", "--scope", scope);
      expect([scope, (await run("edit", `${scope}:asking`, "--body", text)).code]).toEqual([scope, code]);
    }
  });

  it("is refused by the library, by capture and by import too", async () => {
    const { root, cwd, environment, run } = place();
    const memory = openMemory({ cwd, environment, model: "off" });
    expect(await memory.remember({ body: WHERE })).toMatchObject({ outcome: "refused", reason: "code-structure" });
    expect(await memory.remember({ body: WHERE, insist: true })).toMatchObject({ forced: "code-structure" });
    const turn = (id: string, text: string) => ({ role: "user" as const, id, text, time: undefined, toolCalls: [] });
    const captured = await memory.capture({
      agent: "test",
      session: "s1",
      cwd: undefined,
      turns: [
        turn("1", "Remember that the cart totals are computed in src/cart/total.ts."),
        turn("2", "From now on never merge on a Friday, the on-call team is small."),
      ],
      toolTexts: [],
      problems: [],
    });
    memory.close();
    expect(captured.notes.map(({ text }) => text).join()).toContain("Friday");
    expect(captured.notes.map(({ text }) => text).join()).not.toContain("cart");
    const from = `${root}/old`;
    fs.mkdirSync(from);
    fs.writeFileSync(`${from}/a.md`, `---\nname: a\ndescription: a\ntype: project\n---\n\n${WHERE}\n`);
    const imported = await run("import", "claude-code", from, "--dry-run", "--json");
    expect(imported.out).toContain("derivable");
  });

  it("says which type was taken, and the other where it could be two", async () => {
    const { run } = place();
    expect((await run("remember", "I am new to React.", "--name", "react")).out).toMatch(/user:.*type: user\n/su);
    expect((await run("remember", "I prefer small pull requests.", "--name", "prs")).out).toMatch(
      /type: feedback, or perhaps user: `memdir edit /u,
    );
  });

  it("leaves a preference about a part of the project with the project", async () => {
    const { cwd, run } = place();
    fs.mkdirSync(`${cwd}/src/quota`, { recursive: true });
    fs.writeFileSync(`${cwd}/src/quota/index.ts`, "export const limit = 1;\n");
    expect(
      (await run("remember", "I prefer Podman for local runs of the quota service.", "--type", "user")).out,
    ).toContain("remembered: user_");
    expect((await run("remember", "I prefer dark terminals.", "--type", "user")).out).toContain(
      "remembered: user:user_",
    );
  });
});
