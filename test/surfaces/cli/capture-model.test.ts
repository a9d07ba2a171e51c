import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { cli, emptyHome } from "../../support/cli.ts";
import { fakeProvider, json } from "../../support/fake-provider.ts";
import { scratch } from "../../support/scratch.ts";

interface Proposed {
  readonly action: string;
  readonly note?: string;
  readonly rule?: string;
  readonly quote: string;
}

const FIRST = "Please squash every merge from now on.";
const SECOND = "Actually the old runner is gone for good.";

/** A session of two prompts, and memdir with Anthropic's interface on the loopback. */
async function world(operations: readonly Proposed[], status = 200) {
  const root = scratch();
  const line = (id: string, text: string): string =>
    JSON.stringify({
      type: "user",
      uuid: id,
      sessionId: "s1",
      timestamp: "2026-03-02T09:00:00Z",
      promptSource: "typed",
      message: { role: "user", content: text },
    });
  fs.writeFileSync(`${root}/session.jsonl`, `${line("m1", FIRST)}\n${line("m2", SECOND)}\n`);
  const full = operations.map((one) => ({
    note: "",
    type: "feedback",
    name: "a name",
    description: one.rule ?? "",
    rule: "",
    why: "",
    how: "",
    message: "u1",
    ...one,
  }));
  const provider = await fakeProvider(
    json(
      {
        content: [{ type: "text", text: JSON.stringify({ look: [], operations: full }) }],
        stop_reason: "end_turn",
        usage: { input_tokens: 900, output_tokens: 40 },
      },
      status,
    ),
  );
  const environment = { ...emptyHome(root), ANTHROPIC_API_KEY: "test", ANTHROPIC_BASE_URL: provider.url };
  const memdir = (argv: readonly string[], env: Readonly<Record<string, string | undefined>> = environment) =>
    cli([...argv, "--dir", `${root}/notes`], { environment: env });
  return { root, provider, memdir, session: `${root}/session.jsonl`, bare: emptyHome(root) };
}

describe("capture with a model", () => {
  it("writes, revises and retires what the model proposes and the person said", async () => {
    const quote = "the old runner is gone for good";
    const { memdir, session, provider, root } = await world([
      { action: "create", rule: "Squash every merge.", quote: "squash every merge from now on" },
      { action: "retire", note: "project:project_runner.md", message: "u2", quote } as Proposed,
      { action: "revise", note: "project:project_team.md", rule: "The team squashes.", quote: FIRST },
      { action: "create", rule: "Deploy on port 9999.", quote: FIRST },
    ]);
    await memdir(["remember", "Builds run on the old runner", "--name", "runner"]);
    await memdir(["remember", "The team is in Prague", "--name", "team"]);
    const { code, out } = await memdir(["capture", session, "--model", "--yes", "--json"]);
    const outcome = JSON.parse(out);
    expect([code, outcome.by]).toEqual([0, "model"]);
    expect(outcome.notes.map(({ kind }: { kind: string }) => kind)).toEqual(["create", "retire", "revise"]);
    expect(outcome.refused).toMatchObject([{ reason: "unsupported" }]);
    expect(JSON.stringify(provider.requests[0]?.body)).toContain(
      "- project:project_runner.md [project] Builds run on the old runner",
    );
    const listed = (await memdir(["list"])).out;
    expect(listed).toContain("Squash every merge");
    expect(listed).not.toContain("runner");
    expect(fs.readFileSync(`${root}/notes/project_team.md`, "utf8")).toContain("The team squashes.");
    expect((await memdir(["history"])).out).toMatch(/model\s+revised[\s\S]*model\s+retired/u);
    expect((await memdir(["status"])).out).toMatch(/1 of \d+ requests/u);
  });

  it("lets rules do the work when the model gives no answer, and says so", async () => {
    const { memdir, session } = await world([], 401);
    const { code, out, err } = await memdir(["capture", session, "--model", "--yes", "--json"]);
    expect([code, JSON.parse(out).by]).toEqual([0, "rules"]);
    expect(err).toContain("rules did its work");
    expect(JSON.parse(out).notes).toHaveLength(1);
  });

  it("says how to choose a model where there is none, and writes nothing", async () => {
    const { memdir, session, provider, bare } = await world([]);
    const { code, err } = await memdir(["capture", session, "--model"], bare);
    expect(code).toBe(2);
    expect(err).toContain("memdir models");
    expect([provider.requests.length, (await memdir(["list"])).out]).toEqual([
      0,
      expect.not.stringContaining("Squash"),
    ]);
  });
});
