import { expect, it } from "vitest";
import { runDreamJob } from "../../../src/app/server/dream-job.ts";
import { fakeProvider, json } from "../../support/fake-provider.ts";
import { MemoryServer } from "../../support/memory-server.ts";
import { A_SECRET } from "../../support/planted-secrets.ts";
import { scratch } from "../../support/scratch.ts";

const FIRST = "The staging queue worker restarts every night at 03:00 because of the leak.";
const SECOND = "A leak makes us bounce the worker of the staging queue every night at 03:00.";
const note = (name: string, body: string): string =>
  `---\nname: ${name}\ndescription: ${body}\ntype: project\n---\n${body}\n`;
/** The rules do not see that the two say the same. */
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

const ANSWER = JSON.stringify({ operations: [MERGE] });
const PROVIDERS = [
  {
    model: "anthropic/claude-haiku-4-5",
    answer: {
      content: [{ type: "text", text: ANSWER }],
      stop_reason: "end_turn",
      usage: { input_tokens: 900, output_tokens: 40 },
    },
    variables: (url: string) => ({ ANTHROPIC_API_KEY: "test", ANTHROPIC_BASE_URL: url }),
  },
  {
    model: "compatible/llama",
    answer: {
      choices: [{ message: { content: ANSWER }, finish_reason: "stop" }],
      usage: { prompt_tokens: 900, completion_tokens: 40 },
    },
    variables: (url: string) => ({ MEMDIR_MODEL_URL: `${url}/v1` }),
  },
];

it.each(PROVIDERS)(
  "a dream asks $model, tells it the instructions and no secret, and counts what it used",
  async (one) => {
    const provider = await fakeProvider(json(one.answer));
    const environment = { PATH: process.env["PATH"], ...one.variables(provider.url) };
    const server = new MemoryServer();
    const run = (directory: string): Promise<void> => runDreamJob(directory, environment);
    await server.start({ directory: scratch(), dreams: { run, model: one.model } });
    try {
      const client = await server.client("dreamer");
      const { memoryStores, dreams } = client.beta;
      const { id } = await memoryStores.create({ name: "Shop" });
      const texts = [
        FIRST,
        SECOND,
        ...["espresso", "parking", "lockers", "drills"].map((word) => `Ask Ann about ${word}.`),
      ];
      for (const [n, text] of texts.entries())
        await memoryStores.memories.create(id, { path: `/project_${n}.md`, content: note(`note ${n}`, text) });
      const messages = [{ role: "user", content: `The token is ${A_SECRET.text}`, created_at: "2026-03-02T09:00:00Z" }];
      const session = await client.post<{ id: string }>("/v1/dream_sessions", { body: { messages } });
      const made = await dreams.create({
        model: "memdir",
        instructions: "Keep what is about the queue.",
        inputs: [
          { type: "memory_store", memory_store_id: id },
          { type: "sessions", session_ids: [session.id] },
        ],
      });
      await server.open.dreams.settle();
      const done = await dreams.retrieve(made.id);
      expect(done).toMatchObject({ status: "completed", error: null });
      expect([done.usage.input_tokens > 0, done.usage.output_tokens > 0]).toEqual([true, true]);
      const asked = JSON.stringify(provider.requests.map(({ body }) => body));
      expect(asked).toContain("Keep what is about the queue.");
      expect(asked).toContain("staging queue worker restarts");
      expect(asked).not.toContain(A_SECRET.secret);
      const [output] = done.outputs;
      const { data } = await memoryStores.memories.list(output?.memory_store_id ?? "", { view: "full" });
      const kept = data.flatMap((item) => (item.type === "memory" ? [item.content ?? ""] : []));
      expect(kept.filter((text) => text.includes("03:00"))).toHaveLength(1);
    } finally {
      await server.stop();
    }
  },
  120_000,
);
