import { randomBytes } from "node:crypto";
import type Anthropic from "@anthropic-ai/sdk";
import { BadRequestError, ConflictError, NotFoundError, PermissionDeniedError } from "@anthropic-ai/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runDreamJob } from "../../src/app/server/dream-job.ts";
import { failure, MemoryServer } from "../support/memory-server.ts";
import { A_SECRET } from "../support/planted-secrets.ts";
import type { SyncServerCase } from "./sync-server.ts";

const DAY_MS = 86_400_000;

/** A server whose jobs run in this process, and can be held up. */
class Bench extends MemoryServer {
  /** Called with the job's directory before the job runs. */
  before: (signal: AbortSignal) => Promise<void> = async () => undefined;

  async begin(place: Awaited<ReturnType<SyncServerCase["place"]>>): Promise<void> {
    const run = async (directory: string, signal: AbortSignal): Promise<void> => {
      await this.before(signal);
      signal.throwIfAborted();
      await runDreamJob(directory, { PATH: process.env["PATH"] });
    };
    await this.start({ ...place, dreams: { run } });
  }

  /** The next job waits until it is let go or cut; `begun` when it waits. */
  holdNext(): { readonly begun: Promise<void>; readonly letGo: () => void } {
    let letGo = (): void => undefined;
    const gate = new Promise<void>((resolve) => (letGo = resolve));
    const begun = new Promise<void>((resolve) => {
      this.before = async (signal) => {
        this.before = async () => undefined;
        resolve();
        await Promise.race([gate, new Promise((end) => signal.addEventListener("abort", end))]);
      };
    });
    return { begun, letGo: () => letGo() };
  }

  /** A client with a store of its own, and a session in which a person said something. */
  async shop(...said: readonly string[]) {
    const user = `user-${randomBytes(6).toString("hex")}`;
    const client = await this.client(user);
    const { dreams } = client.beta;
    const stores = client.beta.memoryStores;
    const { id } = await stores.create({ name: "Shop", description: "what we know" });
    const session = await upload(client, said.length === 0 ? ["Nothing of note."] : said);
    const inputs = (...sessions: readonly string[]) => [
      { type: "memory_store" as const, memory_store_id: id },
      { type: "sessions" as const, session_ids: sessions.length === 0 ? [session] : [...sessions] },
    ];
    const texts = async (store = id): Promise<Record<string, string>> => {
      const all: Record<string, string> = {};
      for await (const item of stores.memories.list(store, { view: "full" }))
        if (item.type === "memory") all[item.path] = item.content ?? "";
      return all;
    };
    const make = (path: string, content: string) => stores.memories.create(id, { path, content });
    return { user, client, dreams, stores, id, session, inputs, texts, make };
  }
}

async function upload(client: Anthropic, said: readonly string[]): Promise<string> {
  const messages = said.flatMap((content) => [
    { role: "user", content, created_at: "2026-03-02T09:00:00Z" },
    { role: "assistant", content: [{ type: "text", text: "Understood." }] },
  ]);
  const { id } = await client.post<{ id: string }>("/v1/dream_sessions", { body: { messages } });
  return id;
}

const note = (name: string, body: string): string =>
  `---\nname: ${name}\ndescription: ${body}\ntype: project\n---\n${body}\n`;

const DUPLICATES = {
  "/project_deploy.md": note("deploy", "The deploy of the shop runs on Fridays at four in the afternoon."),
  "/project_deploy_again.md": note("deploy again", "The deploy of the shop runs on Fridays at four in the afternoon."),
};

/** What applications of the hosted service meet of dreams here. */
export function dreamsContract(name: string, present: boolean, one: SyncServerCase): void {
  describe.skipIf(!present)(`dreams on ${name}`, () => {
    const bench = new Bench();
    beforeAll(async () => bench.begin(await one.place()));
    afterAll(() => bench.stop());
    aboutResults(bench);
    aboutWriters(bench);
    aboutRequests(bench);
  });
}

function aboutResults(bench: Bench): void {
  it("writes a new store, in which what is said twice stands once and what a session asked for is kept", async () => {
    const { dreams, stores, id, inputs, texts, make } = await bench.shop(
      "Remember: the nightly export job for Germany must run in the Frankfurt region because of the contract.",
    );
    for (const [path, text] of Object.entries(DUPLICATES)) await make(path, text);
    for (let n = 0; n < 6; n++)
      await make(`/project_other_${n}.md`, note(`other ${n}`, `Subject ${n} has its own words ${"abcdef"[n]}.`));
    await make("/plan.txt", "no note, and as it was\r\n");
    const before = await texts();
    const asked = await dreams.create({ inputs: inputs(), model: "claude-opus-5", instructions: "Keep it short." });
    expect(asked).toMatchObject({ type: "dream", status: "pending", outputs: [], session_id: null, error: null });
    expect(asked).toMatchObject({ model: { id: "claude-opus-5", speed: "standard" }, instructions: "Keep it short." });
    expect(asked.id).toMatch(/^drm_[0-9a-f]{32}$/u);
    expect(await dreams.retrieve(asked.id)).toEqual(asked);
    await bench.open.dreams.settle();
    const done = await dreams.retrieve(asked.id);
    expect(done).toMatchObject({ status: "completed", error: null, output_behavior: { type: "create_new" } });
    expect(done.usage).toEqual({
      input_tokens: 0,
      output_tokens: 0,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 0,
    });
    expect(Date.parse(done.ended_at ?? "")).toBeGreaterThanOrEqual(Date.parse(done.created_at));
    expect(await texts()).toEqual(before);
    const output = done.outputs[0]?.memory_store_id ?? "";
    expect(output).not.toBe(id);
    expect(await stores.retrieve(output)).toMatchObject({ name: "Shop (dreamt)", description: "what we know" });
    const after = await texts(output);
    expect(after["/plan.txt"]).toBe(before["/plan.txt"]);
    const deploys = Object.values(after).filter((text) => text.includes("runs on Fridays"));
    expect(deploys).toHaveLength(1);
    const fresh = Object.values(after).filter((text) => text.includes("Frankfurt"));
    expect(fresh).toHaveLength(1);
    expect(Object.keys(after)).toHaveLength(Object.keys(before).length);
  });

  it("writes into the store itself when it is asked to, and the past keeps what was there", async () => {
    const { dreams, stores, id, inputs, texts, make } = await bench.shop();
    const made = [];
    for (const [path, text] of Object.entries(DUPLICATES)) made.push(await make(path, text));
    for (let n = 0; n < 6; n++)
      await make(`/project_other_${n}.md`, note(`other ${n}`, `Subject ${n} has its own words ${"abcdef"[n]}.`));
    const asked = await dreams.create({
      inputs: inputs(),
      model: "m",
      output_behavior: { type: "update_existing", memory_store_id: id },
    });
    await bench.open.dreams.settle();
    const done = await dreams.retrieve(asked.id);
    expect(done).toMatchObject({ status: "completed", outputs: [{ type: "memory_store", memory_store_id: id }] });
    const after = await texts();
    expect(Object.values(after).filter((text) => text.includes("runs on Fridays"))).toHaveLength(1);
    const deleted = (await stores.memoryVersions.list(id, { operation: "deleted" })).data;
    expect(deleted).toHaveLength(1);
    const gone = deleted[0]?.memory_id ?? "";
    expect(made.map((memory) => memory.id)).toContain(gone);
    const past = (await stores.memoryVersions.list(id, { memory_id: gone, view: "full" })).data;
    expect(past.map(({ content }) => content).filter((text) => text?.includes("Fridays"))).toHaveLength(1);
  });

  it("keeps no secret of a session", async () => {
    const { client, dreams, inputs, texts } = await bench.shop();
    const session = await upload(client, [`Remember that the deploy key is ${A_SECRET.secret} for the shop.`]);
    const { id } = await dreams.create({ inputs: inputs(session), model: "m" });
    await bench.open.dreams.settle();
    const done = await dreams.retrieve(id);
    expect(done.status).toBe("completed");
    expect(JSON.stringify(await texts(done.outputs[0]?.memory_store_id))).not.toContain(A_SECRET.secret);
  });
}

function aboutWriters(bench: Bench): void {
  it("lets one dream at a time write into a store", async () => {
    const { dreams, id, inputs, make } = await bench.shop();
    await make("/project_a.md", note("a", "One."));
    const output_behavior = { type: "update_existing" as const, memory_store_id: id };
    const held = bench.holdNext();
    const first = await dreams.create({ inputs: inputs(), model: "m", output_behavior });
    const settled = bench.open.dreams.settle();
    await held.begun;
    expect((await dreams.retrieve(first.id)).status).toBe("running");
    const refused = await failure(dreams.create({ inputs: inputs(), model: "m", output_behavior }));
    expect(refused).toBeInstanceOf(ConflictError);
    expect(refused.type).toBe("conflict_error");
    expect(refused.message).toContain(first.id);
    expect(refused.headers?.get("x-should-retry")).toBe("false");
    const beside = await dreams.create({ inputs: inputs(), model: "m" });
    held.letGo();
    await settled;
    expect((await dreams.retrieve(first.id)).status).toBe("completed");
    expect((await dreams.retrieve(beside.id)).status).toBe("completed");
    expect((await dreams.create({ inputs: inputs(), model: "m", output_behavior })).status).toBe("pending");
    await bench.open.dreams.settle();
  });

  it("leaves the store as it was when it is canceled, before it begins, while it runs and when its result comes late", async () => {
    const { dreams, stores, id, inputs, make } = await bench.shop();
    for (const [path, text] of Object.entries(DUPLICATES)) await make(path, text);
    for (let n = 0; n < 6; n++)
      await make(`/project_other_${n}.md`, note(`other ${n}`, `Subject ${n} has its own words ${"abcdef"[n]}.`));
    const past = async () => (await stores.memoryVersions.list(id, { limit: 100 })).data;
    const spaces = async () => (await stores.list({ limit: 100 })).data.length;
    const before = [await past(), await spaces()];
    for (const output_behavior of [
      { type: "update_existing" as const, memory_store_id: id },
      { type: "create_new" as const },
    ]) {
      const waiting = await dreams.create({ inputs: inputs(), model: "m", output_behavior });
      expect(await dreams.cancel(waiting.id)).toMatchObject({ status: "canceled", outputs: [] });
      await bench.open.dreams.settle();
      const held = bench.holdNext();
      const running = await dreams.create({ inputs: inputs(), model: "m", output_behavior });
      const settled = bench.open.dreams.settle();
      await held.begun;
      const canceled = await dreams.cancel(running.id);
      expect(canceled.status).toBe("canceled");
      await settled;
      expect(await dreams.cancel(running.id)).toEqual(canceled);
      expect(await dreams.retrieve(running.id)).toEqual(canceled);
    }
    expect([await past(), await spaces()]).toEqual(before);
  });

  it("looks anew when what it read was changed, and loses no change", async () => {
    const { dreams, stores, id, inputs, texts, make } = await bench.shop();
    const [first] = [await make("/project_deploy.md", DUPLICATES["/project_deploy.md"])];
    await make("/project_deploy_again.md", DUPLICATES["/project_deploy_again.md"]);
    for (let n = 0; n < 6; n++)
      await make(`/project_other_${n}.md`, note(`other ${n}`, `Subject ${n} has its own words ${"abcdef"[n]}.`));
    let runs = 0;
    bench.before = async () => {
      runs += 1;
      if (runs > 1) return;
      for (const path of ["/project_deploy.md", "/project_deploy_again.md"]) {
        const item = (await stores.memories.list(id)).data.find((one) => one.type === "memory" && one.path === path);
        const content = note("changed", `Changed meanwhile: ${path}, and about another thing entirely.`);
        await stores.memories.update(item?.type === "memory" ? item.id : "", { memory_store_id: id, content });
      }
    };
    const output_behavior = { type: "update_existing" as const, memory_store_id: id };
    const { id: dream } = await dreams.create({ inputs: inputs(), model: "m", output_behavior });
    await bench.open.dreams.settle();
    bench.before = async () => undefined;
    expect((await dreams.retrieve(dream)).status).toBe("completed");
    expect(runs).toBe(2);
    const after = Object.values(await texts()).join("\n");
    expect(after).toContain("Changed meanwhile: /project_deploy.md");
    expect(after).toContain("Changed meanwhile: /project_deploy_again.md");
    expect((await stores.memories.retrieve(first?.id ?? "", { memory_store_id: id })).content).toContain("Changed");
  });

  it("brings nothing back that was redacted while it ran", async () => {
    const { dreams, stores, id, inputs, texts, make } = await bench.shop();
    const marker = "quokka-ledger-4711";
    const { id: memory } = await make("/project_a.md", note("a", `The ${marker} is in the drawer.`));
    await make("/project_b.md", note("b", "The other one stays."));
    bench.before = async () => {
      bench.before = async () => undefined;
      await stores.memories.delete(memory, { memory_store_id: id });
      for (const { id: version } of (await stores.memoryVersions.list(id, { memory_id: memory })).data)
        await stores.memoryVersions.redact(version, { memory_store_id: id });
    };
    const { id: dream } = await dreams.create({ inputs: inputs(), model: "m" });
    await bench.open.dreams.settle();
    const done = await dreams.retrieve(dream);
    expect(done.status).toBe("completed");
    const after = await texts(done.outputs[0]?.memory_store_id);
    expect(Object.keys(after)).toEqual(["/project_b.md"]);
    expect(JSON.stringify(after)).not.toContain(marker);
  });

  it("fails with a reason when its job fails or its store goes, and when its process is gone", async () => {
    const { dreams, stores, id, inputs } = await bench.shop();
    bench.before = async () => {
      bench.before = async () => undefined;
      throw new Error("a text of the store that nobody may read");
    };
    const one = await dreams.create({ inputs: inputs(), model: "m" });
    await bench.open.dreams.settle();
    const failed = await dreams.retrieve(one.id);
    expect(failed).toMatchObject({ status: "failed", outputs: [], error: { type: "internal_error" } });
    expect(failed.error?.message).not.toContain("a text of the store");

    const two = await dreams.create({ inputs: inputs(), model: "m" });
    await stores.archive(id);
    await bench.open.dreams.settle();
    expect((await dreams.retrieve(two.id)).error?.type).toBe("memory_store_not_found");
    expect(await failure(dreams.create({ inputs: inputs(), model: "m" }))).toBeInstanceOf(BadRequestError);
  });
}

function aboutRequests(bench: Bench): void {
  it("lists, archives and pages, the newest first", async () => {
    const { dreams, inputs } = await bench.shop();
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) {
      bench.offsetMs += 1000;
      ids.unshift((await dreams.create({ inputs: inputs(), model: "m" })).id);
    }
    const listed = async (query: Parameters<typeof dreams.list>[0] = {}) => {
      const all = [];
      for await (const one of dreams.list(query)) all.push(one.id);
      return all;
    };
    expect(await listed({ limit: 1 })).toEqual(ids);
    const [newest = "", second = ""] = ids;
    expect(await failure(dreams.archive(newest))).toBeInstanceOf(BadRequestError);
    await dreams.cancel(newest);
    const archived = await dreams.archive(newest);
    expect(archived.archived_at).not.toBeNull();
    expect(await dreams.archive(newest)).toEqual(archived);
    expect(await dreams.retrieve(newest)).toEqual(archived);
    expect(await listed()).toEqual(ids.slice(1));
    expect(await listed({ include_archived: true })).toEqual(ids);
    expect(await listed({ statuses: ["canceled", "running"], include_archived: true })).toEqual([newest]);
    expect(await listed({ statuses: ["pending"] })).toEqual(ids.slice(1));
    const { created_at: at } = await dreams.retrieve(second);
    expect(await listed({ "created_at[gt]": at, include_archived: true })).toEqual([newest]);
    expect(await listed({ "created_at[lt]": at })).toEqual(ids.slice(2));
    await bench.open.dreams.settle();
    expect(await failure(dreams.cancel(second))).toBeInstanceOf(BadRequestError);
  });

  it("refuses what is no dream, and what others have", async () => {
    const { client, dreams, id, session, inputs } = await bench.shop();
    const [store, sessions] = inputs();
    const twice = { type: "sessions" as const, session_ids: [session, session] };
    const many = { type: "sessions" as const, session_ids: Array.from({ length: 101 }, (_, n) => `sesn_${n}`) };
    const bad = [
      { inputs: [store], model: "m" },
      { inputs: [store, store, sessions], model: "m" },
      { inputs: [store, { type: "sessions", session_ids: [] }], model: "m" },
      { inputs: [store, twice], model: "m" },
      { inputs: [store, many], model: "m" },
      { inputs: inputs(), model: "" },
      { inputs: inputs(), model: "x".repeat(257) },
      { inputs: inputs(), model: { id: "m", speed: "fast" } },
      { inputs: inputs(), model: "m", instructions: "" },
      { inputs: inputs(), model: "m", instructions: "x".repeat(4097) },
      { inputs: inputs(), model: "m", output_behavior: { type: "update_existing", memory_store_id: "memstore_0" } },
      { inputs: inputs(), model: "m", instructions: A_SECRET.text },
    ];
    for (const body of bad) expect(await failure(client.post("/v1/dreams", { body }))).toBeInstanceOf(BadRequestError);
    const other = await bench.shop();
    const nobody = [
      () => other.dreams.create({ inputs: [...inputs()], model: "m" }),
      () => dreams.create({ inputs: inputs(other.session), model: "m" }),
      () => dreams.retrieve("drm_none"),
      () => other.client.delete(`/v1/dream_sessions/${session}`),
    ];
    for (const call of nobody) expect(await failure(call())).toBeInstanceOf(NotFoundError);
    const asked = await dreams.create({ inputs: inputs(), model: { id: "m", speed: "standard" } });
    for (const call of ["retrieve", "cancel", "archive"] as const)
      expect(await failure(other.dreams[call](asked.id))).toBeInstanceOf(NotFoundError);
    const reader = (await bench.client(other.user, "reader")).beta.dreams;
    expect(await failure(reader.create({ inputs: other.inputs(), model: "m" }))).toBeInstanceOf(PermissionDeniedError);
    const output_behavior = { type: "update_existing" as const, memory_store_id: other.id };
    expect(await failure(reader.create({ inputs: other.inputs(), model: "m", output_behavior }))).toBeInstanceOf(
      PermissionDeniedError,
    );
    expect(id).not.toBe(other.id);
    await bench.open.dreams.settle();
  });

  it("keeps sessions for thirty days, or until they are deleted", async () => {
    const { user, client, dreams, session, inputs } = await bench.shop();
    expect(await client.delete(`/v1/dream_sessions/${session}`)).toEqual({ id: session, type: "session_deleted" });
    expect(await failure(dreams.create({ inputs: inputs(), model: "m" }))).toBeInstanceOf(NotFoundError);
    const another = await upload(client, ["Hello."]);
    bench.offsetMs += 29 * DAY_MS;
    await bench.open.upkeep.tick();
    const later = (await bench.client(user)).beta.dreams;
    expect((await later.create({ inputs: inputs(another), model: "m" })).status).toBe("pending");
    bench.offsetMs += 2 * DAY_MS;
    await bench.open.upkeep.tick();
    expect(await failure(later.create({ inputs: inputs(another), model: "m" }))).toBeInstanceOf(NotFoundError);
    await bench.open.dreams.settle();
  });
}
