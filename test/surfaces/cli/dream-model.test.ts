import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { cli } from "../../support/cli.ts";
import { agentNote, dreamPlace } from "../../support/dream-store.ts";
import { fakeProvider, json } from "../../support/fake-provider.ts";

const FIRST = "The staging queue worker restarts every night at 03:00 because of the leak.";
const SECOND = "A leak makes us bounce the worker of the staging queue every night at 03:00.";
const TOKEN = `gh${"p"}_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;

const NOTES = {
  "project_a.md": agentNote("a", FIRST, "2026-01-02T09:00:00Z"),
  "project_b.md": agentNote("b", SECOND, "2026-02-02T09:00:00Z"),
  "project_c.md": agentNote(
    "c",
    `The staging queue worker signs in with ${TOKEN} every night.`,
    "2026-02-03T09:00:00Z",
  ),
  "project_d.md": agentNote("d", "Descale our espresso machine monthly.", "2025-01-02T09:00:00Z"),
  "project_e.md": agentNote("e", "Parking permits come from reception.", "2025-01-02T09:00:00Z"),
  "project_f.md": agentNote("f", "Fire drills happen without warning.", "2025-01-02T09:00:00Z"),
  "project_g.md": agentNote("g", "Bob holds a spare key for lockers.", "2025-01-02T09:00:00Z"),
};

/** The rules do not see that the first two say the same. */
const MERGE = {
  action: "merge",
  keep: "n1",
  drop: ["n2"],
  text: "",
  reason: "Both tell of the restart.",
  quotes: [
    { note: "n1", quote: FIRST },
    { note: "n2", quote: SECOND },
  ],
};

async function world(operations: readonly unknown[]) {
  const place = dreamPlace(NOTES);
  const provider = await fakeProvider(
    json(
      {
        content: [{ type: "text", text: JSON.stringify({ operations }) }],
        stop_reason: "end_turn",
        usage: { input_tokens: 900, output_tokens: 40 },
      },
      200,
    ),
  );
  const environment = { ...place.environment, ANTHROPIC_API_KEY: "test", ANTHROPIC_BASE_URL: provider.url };
  const memdir = (argv: readonly string[], answer?: boolean) =>
    cli([...argv, "--dir", place.notes], { environment, cwd: place.root, ...(answer === undefined ? {} : { answer }) });
  return { ...place, provider, memdir };
}

describe("memdir dream --model", () => {
  it("applies a sound proposal in the same version, never sends a secret, and is taken back", async () => {
    const { memdir, texts, provider } = await world([MERGE]);
    const before = texts();
    const { code, out, err } = await memdir(["dream", "--apply", "--model"]);
    expect({ code, err: err.includes("2 notes in 1 group") }).toEqual({ code: 0, err: true });
    expect(out).toContain("merge      project_a.md ← project_b.md");
    expect(out).toContain("900 tokens in and 40 out");
    expect(JSON.stringify(provider.requests[0]?.body)).toContain("staging queue worker restarts");
    expect(JSON.stringify(provider.requests[0]?.body)).not.toContain(TOKEN);
    expect(texts()["project_b.md"]).toContain("supersededBy: project_a.md");
    expect((await memdir(["dream", "undo"])).code).toBe(0);
    expect(texts()).toEqual(before);
  });

  it("asks at a terminal, and sends nothing after a no", async () => {
    const { memdir, provider } = await world([MERGE]);
    const { out } = await memdir(["dream", "--model"], false);
    expect(out).toContain("it was not asked");
    expect(provider.requests).toHaveLength(0);
  });

  it("changes nothing and says why when the model wants everything gone", async () => {
    const { memdir, texts } = await world(
      ["n1", "n2", "n3"].map((id) => ({ ...MERGE, keep: "", action: "retire", drop: [id] })),
    );
    const before = texts();
    const { out } = await memdir(["dream", "--apply", "--model"]);
    expect(out).toContain("Not done:");
    expect(out).toContain("none of the notes it was shown");
    expect(texts()).toEqual(before);
  });

  it("is not asked by a dream that comes by itself, unless a person chose it", async () => {
    const { memdir, provider, notes } = await world([MERGE]);
    for (let session = 1; session <= 5; session++)
      await memdir(["recall", "staging queue", "--session", `s${session}`]);
    await memdir(["dream", "--if-due"]);
    expect(provider.requests).toHaveLength(0);
    fs.rmSync(`${notes}/.consolidate-lock`);
    expect((await memdir(["models", "--use", "anthropic"])).code).toBe(0);
    expect((await memdir(["dream", "--if-due"])).out).toContain("merge");
    expect(provider.requests).toHaveLength(1);
  });
});
