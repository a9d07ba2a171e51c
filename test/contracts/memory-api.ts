import { createHash, randomBytes } from "node:crypto";
import type Anthropic from "@anthropic-ai/sdk";
import {
  AuthenticationError,
  BadRequestError,
  ConflictError,
  NotFoundError,
  PermissionDeniedError,
} from "@anthropic-ai/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { record } from "../../src/core/shared/json.ts";
import { failure, MemoryServer } from "../support/memory-server.ts";
import { A_SECRET } from "../support/planted-secrets.ts";
import type { SyncServerCase } from "./sync-server.ts";

const NOWHERE = `memstore_${"0".repeat(32)}`;

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

class Bench extends MemoryServer {
  /** A client with a store of its own. */
  async store(name = "Shop") {
    const client = await this.client(`user-${randomBytes(6).toString("hex")}`);
    const { id } = await client.beta.memoryStores.create({ name });
    const { memoryStores } = client.beta;
    const at = { memory_store_id: id };
    return {
      client,
      id,
      at,
      stores: memoryStores,
      memories: memoryStores.memories,
      versions: memoryStores.memoryVersions,
      make: (path: string, content = "text") => memoryStores.memories.create(id, { path, content }),
    };
  }
}

async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of pages) items.push(item);
  return items;
}

/** What an application of the hosted service meets here, on whatever PostgreSQL the server stands. */
export function memoryApiContract(name: string, present: boolean, one: SyncServerCase): void {
  describe.skipIf(!present)(`the memory API on ${name}`, () => {
    const bench = new Bench();
    beforeAll(async () => bench.start(await one.place()));
    afterAll(() => bench.stop());
    aboutStores(bench);
    aboutMemories(bench);
    aboutPaths(bench);
    aboutLists(bench);
    aboutVersions(bench);
    aboutRedaction(bench);
    aboutAccess(bench);
    aboutDevices(bench);
  });
}

function aboutStores(bench: Bench): void {
  it("makes, shows, changes, archives and deletes a store", async () => {
    const client: Anthropic = await bench.client("stores");
    const { memoryStores } = client.beta;
    const made = await memoryStores.create({ name: "Été", description: "d", metadata: { a: "1", b: "2" } });
    expect(made).toMatchObject({ type: "memory_store", name: "Été", description: "d", archived_at: null });
    expect(made.id).toMatch(/^memstore_[0-9a-f]{32}$/u);
    expect(await memoryStores.retrieve(made.id)).toEqual(made);
    bench.offsetMs += 1000;
    const changed = await memoryStores.update(made.id, { name: "New", description: "", metadata: { a: null, c: "3" } });
    expect(changed).toMatchObject({ name: "New", description: "", metadata: { b: "2", c: "3" } });
    expect(changed.updated_at > made.updated_at).toBe(true);
    expect(changed.created_at).toBe(made.created_at);
    const archived = await memoryStores.archive(made.id);
    expect(archived.archived_at).not.toBeNull();
    expect(await memoryStores.archive(made.id)).toEqual(archived);
    expect(await failure(memoryStores.update(made.id, { name: "x" }))).toBeInstanceOf(BadRequestError);
    expect(await memoryStores.delete(made.id)).toEqual({ id: made.id, type: "memory_store_deleted" });
    expect(await failure(memoryStores.retrieve(made.id))).toBeInstanceOf(NotFoundError);
  });

  it("lists stores by page, the newest first, archived ones only when asked", async () => {
    const { memoryStores } = (await bench.client("lister")).beta;
    const ids: string[] = [];
    for (const name of ["one", "two", "three", "one"]) {
      bench.offsetMs += 1000;
      ids.unshift((await memoryStores.create({ name })).id);
    }
    expect((await all(memoryStores.list({ limit: 1 }))).map(({ id }) => id)).toEqual(ids);
    const [newest, second] = await all(memoryStores.list());
    await memoryStores.archive(newest?.id ?? "");
    expect((await all(memoryStores.list({ limit: 3 }))).map(({ id }) => id)).toEqual(ids.slice(1));
    expect(await all(memoryStores.list({ include_archived: true }))).toHaveLength(4);
    const since = second?.created_at ?? "";
    expect((await all(memoryStores.list({ "created_at[gte]": since }))).map(({ id }) => id)).toEqual([ids[1]]);
    expect(await all(memoryStores.list({ "created_at[lte]": since }))).toHaveLength(3);
  });

  it("refuses what a store cannot be called", async () => {
    const { memoryStores } = (await bench.client("namer")).beta;
    const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, "v"]));
    const bad = [
      { name: "" },
      { name: "x".repeat(256) },
      { name: "a\nb" },
      { name: "n", description: "x".repeat(1025) },
      { name: "n", metadata: pairs(17) },
      { name: "n", metadata: { [""]: "v" } },
      { name: "n", metadata: { ["k".repeat(65)]: "v" } },
      { name: "n", metadata: { k: "v".repeat(513) } },
      { name: "n", description: A_SECRET.text },
    ];
    for (const params of bad) expect(await failure(memoryStores.create(params))).toBeInstanceOf(BadRequestError);
    const full = await memoryStores.create({
      name: "é".repeat(255),
      description: "😀".repeat(1024),
      metadata: pairs(16),
    });
    expect(await failure(memoryStores.update(full.id, { metadata: { more: "x" } }))).toBeInstanceOf(BadRequestError);
    expect(
      Object.keys((await memoryStores.update(full.id, { metadata: { k0: null, more: "x" } })).metadata),
    ).toHaveLength(16);
  });

  it("keeps an archived store as it is, but for what is taken out", async () => {
    const { stores, memories, versions, id, at, make } = await bench.store();
    const memory = await make("/a.md");
    await memories.update(memory.id, { ...at, content: "two" });
    await stores.archive(id);
    const writes = [() => make("/b.md"), () => memories.update(memory.id, { ...at, content: "three" })];
    for (const call of writes)
      expect(await failure(call())).toMatchObject({ status: 400, type: "invalid_request_error" });
    expect((await memories.retrieve(memory.id, at)).content).toBe("two");
    const [, first] = await all(versions.list(id));
    expect((await versions.redact(first?.id ?? "", at)).redacted_at).not.toBeNull();
    expect(await memories.delete(memory.id, at)).toEqual({ id: memory.id, type: "memory_deleted" });
  });
}

function aboutMemories(bench: Bench): void {
  it("makes, shows, changes, renames and deletes a memory under one id", async () => {
    const { memories, id, at, make } = await bench.store();
    const made = await make("/notes/a.md", "one");
    expect(made).toMatchObject({
      type: "memory",
      memory_store_id: id,
      path: "/notes/a.md",
      content: null,
      content_sha256: hashOf("one"),
      content_size_bytes: 3,
    });
    expect(made.id).toMatch(/^mem_/u);
    expect(made.created_at).toBe(made.updated_at);
    bench.offsetMs += 1000;
    const changed = await memories.update(made.id, { ...at, content: "two", view: "full" });
    expect(changed).toMatchObject({ id: made.id, content: "two", created_at: made.created_at });
    expect(changed.updated_at > made.updated_at).toBe(true);
    expect(changed.memory_version_id).not.toBe(made.memory_version_id);
    const renamed = await memories.update(made.id, { ...at, path: "/b.md" });
    expect(renamed).toMatchObject({ id: made.id, path: "/b.md", content_sha256: hashOf("two") });
    expect(renamed.created_at).toBe(made.created_at);
    expect(await memories.retrieve(made.id, at)).toMatchObject({ path: "/b.md", content: "two" });
    expect((await memories.retrieve(made.id, { ...at, view: "basic" })).content).toBeNull();
    await memories.delete(made.id, at);
    expect(await failure(memories.retrieve(made.id, at))).toBeInstanceOf(NotFoundError);
    expect(await failure(memories.delete(made.id, at))).toBeInstanceOf(NotFoundError);
    expect((await make("/b.md")).id).not.toBe(made.id);
  });

  it("changes and deletes only what the caller saw", async () => {
    const { memories, at, make } = await bench.store();
    const made = await make("/a.md", "one");
    const seen = (text: string) => ({ type: "content_sha256" as const, content_sha256: hashOf(text) });
    await memories.update(made.id, { ...at, content: "two", precondition: seen("one") });
    const late = await failure(memories.update(made.id, { ...at, content: "three", precondition: seen("one") }));
    expect(late).toBeInstanceOf(ConflictError);
    expect(late.type).toBe("memory_precondition_failed_error");
    expect(late.headers?.get("x-should-retry")).toBe("false");
    const same = await memories.update(made.id, { ...at, content: "two", path: "/a.md", precondition: seen("one") });
    expect(same.content_sha256).toBe(hashOf("two"));
    const rename = memories.update(made.id, { ...at, path: "/c.md", precondition: seen("one") });
    expect(await failure(rename)).toMatchObject({ type: "memory_precondition_failed_error" });
    const stale = memories.delete(made.id, { ...at, expected_content_sha256: hashOf("one") });
    expect(await failure(stale)).toMatchObject({ status: 409, type: "memory_precondition_failed_error" });
    await memories.delete(made.id, { ...at, expected_content_sha256: hashOf("two") });
  });

  it("adds no version where nothing changes", async () => {
    const { memories, versions, id, at, make } = await bench.store();
    const made = await make("/a.md", "one");
    const same = await memories.update(made.id, { ...at, content: "one", path: "/a.md" });
    expect(same.memory_version_id).toBe(made.memory_version_id);
    await memories.update(made.id, at);
    expect(await all(versions.list(id))).toHaveLength(1);
  });

  it("gives back every byte of a text and its hash, whatever it ends lines with", async () => {
    const { memories, at, make } = await bench.store();
    const texts = ["", "a\r\nb\r\n", "\uFEFFwith a mark", "e\u0301 is not é", "nul \0 and \u202E", "😀\n\n"];
    for (const [place, text] of texts.entries()) {
      const made = await make(`/t${place}.md`, text);
      expect(made.content_sha256).toBe(hashOf(text));
      expect(made.content_size_bytes).toBe(Buffer.byteLength(text));
      expect((await memories.retrieve(made.id, at)).content).toBe(text);
    }
  });

  it("takes 102,400 bytes and not one more", async () => {
    const { memories, at, make } = await bench.store();
    const most = `${"é".repeat(51_199)}ab`;
    expect(Buffer.byteLength(most)).toBe(102_400);
    const made = await make("/a.md", most);
    expect(made.content_size_bytes).toBe(102_400);
    expect(await failure(make("/b.md", `${most}c`))).toMatchObject({ status: 400, type: "invalid_request_error" });
    expect(await failure(memories.update(made.id, { ...at, content: `${most}c` }))).toBeInstanceOf(BadRequestError);
  });

  it("refuses a secret and says so, and writes neither it nor a path into the log", async () => {
    const { make, memories, at } = await bench.store();
    const refused = await failure(make("/leak.md", A_SECRET.text));
    expect(refused).toMatchObject({ status: 400, type: "invalid_request_error", errorCode: "secret" });
    expect(JSON.stringify(refused.error)).not.toContain(A_SECRET.secret);
    const made = await make("/hidden-name.md");
    expect(await failure(memories.update(made.id, { ...at, content: A_SECRET.text }))).toMatchObject({
      errorCode: "secret",
    });
    expect(bench.log).not.toContain(A_SECRET.secret);
    expect(bench.log).not.toMatch(/leak|hidden-name/u);
  });

  it("loses no update of ten clients that change one memory at a time", async () => {
    const { memories, versions, id, at, make } = await bench.store();
    const made = await make("/count.md", "");
    const add = async (who: number): Promise<void> => {
      for (;;) {
        const seen = await memories.retrieve(made.id, at);
        const precondition = { type: "content_sha256" as const, content_sha256: seen.content_sha256 };
        try {
          await memories.update(made.id, { ...at, content: `${seen.content ?? ""}${who};`, precondition });
          return;
        } catch (error) {
          if (!(error instanceof ConflictError)) throw error;
        }
      }
    };
    await Promise.all(Array.from({ length: 10 }, (_, who) => add(who)));
    const { content } = await memories.retrieve(made.id, at);
    expect(content?.split(";").filter(Boolean).map(Number).toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(await all(versions.list(id, { memory_id: made.id }))).toHaveLength(11);
  });
}

function aboutPaths(bench: Bench): void {
  it("takes the paths that the hosted service takes", async () => {
    const { make, memories, id } = await bench.store();
    const paths = [
      "/a",
      "/A",
      "/ ",
      "/~tilde",
      "/back\\slash",
      "/MEMORY.md",
      "/#lines",
      "/%2e%2e/é 😀?&=#.md",
      "/ﬁ",
      `/${Array.from({ length: 20 }, (_, n) => `s${n}`).join("/")}`,
      `/${"x".repeat(1023)}`,
      `/${"\uFDFA".repeat(341)}`,
    ];
    for (const path of paths) expect((await make(path)).path).toBe(path);
    const listed = (await all(memories.list(id))).map((item) => item.path);
    expect(listed.toSorted()).toEqual(paths.toSorted());
  });

  it("refuses the others", async () => {
    const { make } = await bench.store();
    const paths = [
      "",
      "/",
      "a",
      "//a",
      "/a/",
      "/a//b",
      "/./a",
      "/a/..",
      "/cafe\u0301",
      "/a\u0000b",
      "/a\nb",
      "/a\u200Bb",
      "/a\u202Eb",
      "/a\u2028b",
      `/${Array.from({ length: 21 }, (_, n) => `s${n}`).join("/")}`,
      `/${"x".repeat(1024)}`,
    ];
    for (const path of paths) expect([path, (await failure(make(path))).status]).toEqual([path, 400]);
  });

  it("refuses a path that is taken, or lies above or below another, and names the other", async () => {
    const { make, memories, at } = await bench.store();
    const one = await make("/notes/todo.md");
    for (const path of ["/notes/todo.md", "/notes", "/notes/todo.md/x/y"]) {
      const error = await failure(make(path));
      expect(error).toBeInstanceOf(ConflictError);
      expect(error.error).toMatchObject({
        type: "error",
        request_id: error.requestID,
        error: {
          type: "memory_path_conflict_error",
          conflicting_memory_id: one.id,
          conflicting_path: "/notes/todo.md",
        },
      });
    }
    await make("/notes-archive");
    const other = await make("/notes/other");
    const rename = memories.update(other.id, { ...at, path: "/notes/todo.md" });
    expect(await failure(rename)).toMatchObject({ type: "memory_path_conflict_error" });
    expect((await memories.update(one.id, { ...at, path: "/notes/todo.md/below-itself" })).id).toBe(one.id);
  });
}

function aboutLists(bench: Bench): void {
  it("lists by prefix and depth, with directories in the place of what is below them", async () => {
    const { make, memories, id } = await bench.store();
    for (const path of ["/b.md", "/notes/a.md", "/notes/deep/x.md", "/notes/deep/y.md", "/notes-old/z.md", "/é/1.md"])
      await make(path);
    const paths = async (params: Parameters<typeof memories.list>[1]) =>
      (await all(memories.list(id, params))).map((item) => [item.type, item.path].join(" "));
    expect(await paths({ depth: 1 })).toEqual([
      "memory /b.md",
      "memory_prefix /notes-old/",
      "memory_prefix /notes/",
      "memory_prefix /é/",
    ]);
    expect(await paths({ path_prefix: "/notes/", depth: 1, limit: 1 })).toEqual([
      "memory /notes/a.md",
      "memory_prefix /notes/deep/",
    ]);
    expect(await paths({ path_prefix: "/notes/", limit: 2 })).toHaveLength(3);
    expect(await paths({ path_prefix: "/é/", depth: 1 })).toEqual(["memory /é/1.md"]);
    expect(await paths({ path_prefix: "/none/" })).toEqual([]);
    for (const params of [{ path_prefix: "/notes" }, { depth: 2 }, { limit: 0 }, { page: "nonsense!" }])
      expect(await failure(all(memories.list(id, params)))).toBeInstanceOf(BadRequestError);
  });

  it("gives at most 20 texts a page, and finds all memories page by page", async () => {
    const { make, memories, id } = await bench.store();
    const paths = Array.from({ length: 25 }, (_, n) => `/n${String(n).padStart(2, "0")}.md`);
    for (const path of paths) await make(path, `text of ${path}`);
    const page = await memories.list(id, { view: "full", limit: 100 });
    expect(page.data).toHaveLength(20);
    const items = await all(memories.list(id, { view: "full" }));
    expect(items.map((item) => item.path)).toEqual(paths);
    expect(items.every((item) => item.type === "memory" && item.content === `text of ${item.path}`)).toBe(true);
    expect((await memories.list(id, { limit: 100 })).data).toHaveLength(25);
  });
}

function aboutVersions(bench: Bench): void {
  it("keeps every change as a version, the newest first, also of a deleted memory", async () => {
    const { make, memories, versions, id, at } = await bench.store();
    const a = await make("/a.md", "one");
    await make("/other.md");
    await memories.update(a.id, { ...at, content: "two" });
    await memories.update(a.id, { ...at, path: "/b.md" });
    await memories.delete(a.id, at);
    const kept = await all(versions.list(id, { memory_id: a.id, limit: 1 }));
    expect(kept.map(({ operation, path }) => `${operation} ${path}`)).toEqual([
      "deleted /b.md",
      "modified /b.md",
      "modified /a.md",
      "created /a.md",
    ]);
    const [deleted, , modified, created] = kept;
    expect(deleted).toMatchObject({ content: null, content_sha256: null, content_size_bytes: null, redacted_at: null });
    expect(modified).toMatchObject({ content: null, content_sha256: hashOf("two"), content_size_bytes: 3 });
    expect(created?.id).toBe(a.memory_version_id);
    const read = await versions.retrieve(created?.id ?? "", at);
    expect(read).toMatchObject({ content: "one", memory_id: a.id, created_by: { type: "api_actor" } });
    expect((await versions.retrieve(created?.id ?? "", { ...at, view: "basic" })).content).toBeNull();
    expect((await all(versions.list(id, { view: "full", memory_id: a.id }))).at(-1)?.content).toBe("one");
  });

  it("filters versions by operation, key, time, session and service account", async () => {
    const { client, make, memories, versions, id, at } = await bench.store();
    const a = await make("/a.md", "one");
    bench.offsetMs += 60_000;
    const changed = await memories.update(a.id, { ...at, content: "two" });
    const ids = async (params: Parameters<typeof versions.list>[1]) =>
      (await all(versions.list(id, params))).map((version) => version.id);
    expect(await ids({ operation: "modified" })).toEqual([changed.memory_version_id]);
    expect(await ids({ operation: "created" })).toEqual([a.memory_version_id]);
    expect(await ids({ "created_at[gte]": changed.updated_at })).toEqual([changed.memory_version_id]);
    expect(await ids({ "created_at[lte]": a.created_at })).toEqual([a.memory_version_id]);
    const [first] = await all(versions.list(id));
    const by = first?.created_by;
    const key = by?.type === "api_actor" ? by.api_key_id : "";
    expect(await ids({ api_key_id: key })).toHaveLength(2);
    const { tokens } = await client.get<{ tokens: readonly { apiKeyId: string }[] }>("/v1/tokens");
    expect(tokens.map(({ apiKeyId }) => apiKeyId)).toContain(key);
    expect(await ids({ api_key_id: `apikey_${"0".repeat(32)}` })).toEqual([]);
    expect(await ids({ session_id: "sesn_1" })).toEqual([]);
    expect(await ids({ service_account_id: "svac_1" })).toEqual([]);
    expect(await ids({ memory_id: "mem_nonsense" })).toEqual([]);
    expect(await failure(all(versions.list(id, { "created_at[gte]": "yesterday" })))).toBeInstanceOf(BadRequestError);
  });
}

function aboutRedaction(bench: Bench): void {
  it("takes text, path, size and hash from a version and keeps its row", async () => {
    const { make, memories, versions, id, at } = await bench.store();
    const made = await make("/secret-path.md", "classified-text");
    const head = await failure(versions.redact(made.memory_version_id, at));
    expect(head).toMatchObject({ status: 409, type: "conflict_error" });
    await memories.update(made.id, { ...at, path: "/b.md", content: "harmless" });
    const redacted = await versions.redact(made.memory_version_id, at);
    expect(redacted).toMatchObject({
      id: made.memory_version_id,
      operation: "created",
      path: null,
      content: null,
      content_sha256: null,
      content_size_bytes: null,
      redacted_by: redacted.created_by,
    });
    expect(redacted.redacted_at).not.toBeNull();
    expect(await versions.redact(made.memory_version_id, at)).toEqual(redacted);
    expect(await versions.retrieve(made.memory_version_id, at)).toEqual(redacted);
    expect(await all(versions.list(id))).toHaveLength(2);
    expect((await memories.retrieve(made.id, at)).content).toBe("harmless");
    expect((await memories.retrieve(made.id, at)).created_at).toBe(made.created_at);
  });

  it("redacts every version of a deleted memory", async () => {
    const { make, memories, versions, id, at } = await bench.store();
    const made = await make("/a.md", "one");
    await memories.update(made.id, { ...at, content: "two" });
    await memories.delete(made.id, at);
    for (const { id: version } of await all(versions.list(id, { memory_id: made.id })))
      await versions.redact(version, at);
    const left = await all(versions.list(id, { memory_id: made.id }));
    expect(left.map(({ operation }) => operation)).toEqual(["deleted", "modified", "created"]);
    expect(left.every(({ path, redacted_at }) => path === null && redacted_at !== null)).toBe(true);
  });
}

function aboutAccess(bench: Bench): void {
  it("answers each role with the class that the client has for it", async () => {
    const owner = await bench.client("boss");
    const { id } = await owner.beta.memoryStores.create({ name: "Team" });
    const space = id.replace(/memstore_(.{8})(.{4})(.{4})(.{4})(.{12})/u, "$1-$2-$3-$4-$5");
    const reader = (await bench.client("reader", "reader", space)).beta.memoryStores;
    const writer = (await bench.client("writer", "writer", space)).beta.memoryStores;
    const stranger = (await bench.client("stranger")).beta.memoryStores;
    const at = { memory_store_id: id };
    const made = await writer.memories.create(id, { path: "/a.md", content: "x" });
    expect((await reader.memories.retrieve(made.id, at)).content).toBe("x");
    const forbidden = [
      () => reader.memories.create(id, { path: "/b.md", content: "x" }),
      () => reader.memories.delete(made.id, at),
      () => reader.memoryVersions.redact(made.memory_version_id, at),
      () => writer.archive(id),
      () => writer.update(id, { name: "x" }),
      () => writer.delete(id),
      () => writer.create({ name: "x" }),
    ];
    for (const call of forbidden) expect(await failure(call())).toBeInstanceOf(PermissionDeniedError);
    const hidden = (store: string) => [
      () => stranger.retrieve(store),
      () => stranger.delete(store),
      () => stranger.memories.retrieve(made.id, { memory_store_id: store }),
      () => all(stranger.memories.list(store)),
      () => all(stranger.memoryVersions.list(store)),
      () => stranger.memories.create(store, { path: "/b.md", content: "x" }),
    ];
    for (const call of [...hidden(id), ...hidden(NOWHERE), ...hidden("nonsense")]) {
      const error = await failure(call());
      expect(error).toBeInstanceOf(NotFoundError);
      expect([error.type, error.apiMessage]).toEqual([
        "not_found_error",
        "There is no such memory store, or you are not a member of it.",
      ]);
    }
    expect(await all(stranger.list())).toEqual([]);
    const nobody = owner.withOptions({ apiKey: "sk-unknown" }).beta.memoryStores;
    const unknown = await failure(nobody.retrieve(id));
    expect(unknown).toBeInstanceOf(AuthenticationError);
    expect(unknown.requestID).toMatch(/^req_/u);
  });

  it("answers a bearer token like a key, and with an id of the request", async () => {
    const token = await bench.token("bearer");
    const answer = await fetch(`${bench.url}/v1/memory_stores`, { headers: { authorization: `Bearer ${token}` } });
    expect([answer.status, await answer.json()]).toEqual([200, { data: [], next_page: null }]);
    expect(answer.headers.get("request-id")).toMatch(/^req_/u);
    const nothing = await fetch(`${bench.url}/v1/memory_stores/x/y/z`, { headers: { "x-api-key": token } });
    expect(await nothing.json()).toMatchObject({ type: "error", error: { type: "not_found_error" } });
    const messages = (await bench.client("bearer")).messages.create({ model: "m", max_tokens: 1, messages: [] });
    const elsewhere = await failure(messages);
    expect(elsewhere).toBeInstanceOf(NotFoundError);
    expect(elsewhere.requestID).toMatch(/^req_/u);
    expect(elsewhere.type).toBe("not_found_error");
    const body = { method: "POST", headers: { "x-api-key": token }, body: "no json" };
    expect((await fetch(`${bench.url}/v1/memory_stores`, body)).status).toBe(400);
  });
}

function aboutDevices(bench: Bench): void {
  const device = async (user: string) => {
    const token = await bench.token(user);
    const request = async (method: string, path: string, body?: unknown) => {
      const answer = await fetch(`${bench.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "idempotency-key": randomBytes(8).toString("hex") },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: record(await answer.json()) };
    };
    return { token, request };
  };
  const lineage = () => randomBytes(12).toString("hex");

  it("shows a space that devices sync as a store, and devices what applications change in it", async () => {
    const { token, request } = await device("mixed");
    const space = (await request("POST", "/v1/spaces", { kind: "project", name: "shop" })).body;
    const note = { key: "project_a.md", lineage: lineage(), base: 0, state: "live", body: "\uFEFFone" };
    const lines = { ...note, key: "#lines", lineage: lineage() };
    await request("POST", `/v1/spaces/${String(space["id"])}/changes`, { changes: [note, lines] });
    const client = (await bench.client("mixed")).withOptions({ apiKey: token });
    const { memories, memoryVersions, ...stores } = client.beta.memoryStores;
    const [store] = await all(client.beta.memoryStores.list());
    const id = store?.id ?? "";
    expect(store).toMatchObject({ name: "shop" });
    expect(stores).toBeDefined();
    const [memory] = await all(memories.list(id));
    expect(memory).toMatchObject({ path: "/project_a.md", content_sha256: hashOf("\uFEFFone") });
    const at = { memory_store_id: id };
    const memoryIdOf = memory?.type === "memory" ? memory.id : "";
    await memories.update(memoryIdOf, { ...at, path: "/project_b.md", content: "two" });
    const page = (await request("GET", `/v1/spaces/${String(space["id"])}/changes?cursor=0`)).body;
    expect(page["changes"]).toMatchObject([
      { key: "#lines" },
      { key: "project_a.md", state: "deleted", lineage: note.lineage },
      { key: "project_b.md", state: "live", lineage: note.lineage, body: "two" },
    ]);
    const operations = (await all(memoryVersions.list(id))).map(({ operation, path }) => `${operation} ${path}`);
    expect(operations).toEqual(["modified /project_b.md", "created /project_a.md"]);
    for (const path of ["/MEMORY.md", "/back\\slash", "/~x", "/#lines"])
      expect(await failure(memories.create(id, { path, content: "x" }))).toBeInstanceOf(BadRequestError);
    const alike = await failure(memories.create(id, { path: "/PROJECT_B.md", content: "x" }));
    expect(alike).toMatchObject({ type: "memory_path_conflict_error" });
    for (const call of [
      () => client.beta.memoryStores.delete(id),
      () => client.beta.memoryStores.archive(id),
      () => client.beta.memoryStores.update(id, { name: "other" }),
    ])
      expect(await failure(call())).toMatchObject({ status: 409, type: "conflict_error" });
    expect((await client.beta.memoryStores.update(id, { description: "d" })).description).toBe("d");
    await memories.delete(memoryIdOf, at);
    for (const version of await all(memoryVersions.list(id))) await memoryVersions.redact(version.id, at);
    const after = (await request("GET", `/v1/spaces/${String(space["id"])}/changes?cursor=0`)).body;
    expect(after["changes"]).toMatchObject([{ key: "#lines" }, { state: "forgotten", lineage: note.lineage }]);
  });

  it("keeps stores of applications out of the sync of devices", async () => {
    const { token, request } = await device("apart");
    const client = (await bench.client("apart")).withOptions({ apiKey: token });
    const { id } = await client.beta.memoryStores.create({ name: "apart" });
    const space = id.replace(/memstore_(.{8})(.{4})(.{4})(.{4})(.{12})/u, "$1-$2-$3-$4-$5");
    expect((await request("GET", "/v1/spaces")).body).toEqual({ spaces: [] });
    expect((await request("GET", `/v1/spaces/${space}/changes`)).status).toBe(404);
    const note = { key: "a.md", lineage: lineage(), base: 0, state: "live", body: "x" };
    const pushed = await request("POST", `/v1/spaces/${space}/changes`, { changes: [note] });
    expect(pushed.body["outcomes"]).toMatchObject([{ outcome: "refused" }]);
    const sealed = (await request("POST", "/v1/spaces", { kind: "user", name: "s", sealed: true })).body;
    expect((await all(client.beta.memoryStores.list())).map((store) => store.id)).toEqual([id]);
    const sealedId = `memstore_${String(sealed["id"]).replaceAll("-", "")}`;
    expect(await failure(client.beta.memoryStores.retrieve(sealedId))).toBeInstanceOf(NotFoundError);
  });
}
