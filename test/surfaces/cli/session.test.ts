import fs from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { locate } from "../../../src/app/workspace/locations.ts";
import { sessionNotesText, updateSessionNotes } from "../../../src/app/session-notes/session-notes.ts";
import { openWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import { readTranscriptFile } from "../../../src/app/past/transcript.ts";
import { cli, type CliResult, emptyHome } from "../../support/cli.ts";
import { filesBelow, scratch } from "../../support/scratch.ts";

let root: string;
const home = (): string => `${root}/home`;

beforeEach(() => {
  root = scratch();
  fs.mkdirSync(`${root}/orders`);
  fs.writeFileSync(`${root}/orders/CLAUDE.md`, "Always run the formatter before you commit anything.\n");
  writeSession([
    "Make the import idempotent.",
    "Always run the formatter before you commit anything.",
    "No, keep the schema as it is.",
  ]);
});

function writeSession(prompts: readonly string[], padding = ""): void {
  const lines = prompts.flatMap((text, index) => [
    {
      type: "user",
      uuid: `u${index}`,
      sessionId: "s1",
      cwd: `${root}/orders`,
      timestamp: "2026-03-02T09:00:00Z",
      promptSource: "typed",
      message: { role: "user", content: text },
    },
    {
      type: "assistant",
      uuid: `a${index}`,
      sessionId: "s1",
      timestamp: "2026-03-02T09:01:00Z",
      message: {
        id: `x${index}`,
        role: "assistant",
        content: [
          { type: "text", text: `Done.${padding}` },
          { type: "tool_use", id: `c${index}`, name: "Bash", input: { command: "npm test" } },
        ],
      },
    },
    {
      type: "user",
      uuid: `r${index}`,
      sessionId: "s1",
      message: {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: `c${index}`, is_error: index === 0, content: "output" }],
      },
    },
  ]);
  fs.writeFileSync(`${root}/session.jsonl`, lines.map((line) => JSON.stringify(line)).join("\n"));
}

const memdir = (argv: readonly string[], more: Record<string, string> = {}): Promise<CliResult> =>
  cli(argv, { cwd: `${root}/orders`, environment: { ...emptyHome(root), ...more } });
const located = (more: Record<string, string> = {}) =>
  locate({ cwd: `${root}/orders`, environment: { ...emptyHome(root), ...more } });

describe("memdir session", () => {
  it("keeps notes of a session, shows what an agent would be given, and removes them", async () => {
    expect((await memdir(["session", "update", `${root}/session.jsonl`])).out).toContain("updated: s1");
    const { out } = await memdir(["session", "show"]);
    expect(out).toContain("First asked (09:00): Make the import idempotent.");
    expect(out).toContain("`npm test` failed; it passed later");
    expect(out).toContain("No, keep the schema as it is.");
    expect(out).not.toContain("formatter");
    expect(out.trimEnd()).toBe(sessionNotesText(located(), "s1"));
    expect((await memdir(["session", "list"])).out).toContain("s1");
    expect((await memdir(["list", "--json"])).out).not.toContain("idempotent");
    expect((await memdir(["session", "remove", ""])).code).toBe(3);
    expect((await memdir(["session", "remove", "s1"])).code).toBe(0);
    expect(await memdir(["session", "show", "s1"])).toMatchObject({ code: 3 });
  });

  it("honours an edited template, and says why a broken one is not used", async () => {
    expect((await memdir(["session", "template"])).out).toContain("template.md");
    const file = `${home()}/.memdir/session-memory/config/template.md`;
    fs.writeFileSync(file, "## Worklog\nOne line a step.\n\n## Open questions\n");
    await memdir(["session", "update", `${root}/session.jsonl`]);
    expect(
      JSON.parse((await memdir(["session", "show", "--json"])).out).sections.map(
        ({ title }: { title: string }) => title,
      ),
    ).toEqual(["Worklog", "Open questions"]);
    fs.writeFileSync(file, "no headings");
    expect((await memdir(["session", "update", `${root}/session.jsonl`])).err).toContain(
      "no heading of the second level",
    );
  });

  it("waits by itself for enough to be said, writes nothing where the mode forbids it, and keeps nothing for 31 days", async () => {
    const open = (more: Record<string, string> = {}) => openWorkspace(located(more));
    const update = async (more: Record<string, string> = {}): Promise<string> => {
      const workspace = open(more);
      const { kind } = await updateSessionNotes(workspace, readTranscriptFile(`${root}/session.jsonl`));
      workspace.close();
      return kind;
    };
    expect(await update()).toBe("not-due");
    writeSession(["Make the import idempotent.", "Go on."], "x".repeat(25_000));
    for (const MEMDIR_MODE of ["manual", "recall-only", "off"]) expect(await update({ MEMDIR_MODE })).toBe("forbidden");
    expect(fs.existsSync(`${root}/home`)).toBe(false);
    expect([await update({ MEMDIR_MODE: "confirm" }), await update()]).toEqual(["written", "not-due"]);
    expect(sessionNotesText(located({ MEMDIR_MODE: "off" }), "s1")).toBeUndefined();
    expect(await memdir(["session", "update", `${root}/session.jsonl`], { MEMDIR_MODE: "recall-only" })).toMatchObject({
      code: 4,
    });
    const [file] = [...filesBelow(`${home()}/.memdir/session-memory`).keys()];
    const path = `${home()}/.memdir/session-memory/${file ?? ""}`;
    fs.writeFileSync(
      path,
      fs.readFileSync(path, "utf8").replace(/"updated": "[^"]+"/u, '"updated": "2020-01-01T00:00:00Z"'),
    );
    expect(sessionNotesText(located(), "s1")).toBeUndefined();
  });
});
