import {
  type BaseStore,
  END,
  type LangGraphRunnableConfig,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Memory, openMemory } from "../../../src/app/memory.ts";
import { memoryStore } from "../../../src/surfaces/langgraph/store.ts";
import { emptyHome } from "../../support/cli.ts";
import { scratch } from "../../support/scratch.ts";

describe("memory as a store of LangGraph", () => {
  let memory: Memory;
  let store: BaseStore;

  beforeEach(() => {
    const root = scratch();
    memory = openMemory({ dir: `${root}/notes`, environment: emptyHome(root) });
    store = memoryStore({ memory });
  });
  afterEach(() => memory.close());

  it("gives a graph in one thread what another thread put there", async () => {
    const answers: string[] = [];
    const work = async ({ messages }: typeof MessagesAnnotation.State, { store: given }: LangGraphRunnableConfig) => {
      const said = String(messages.at(-1)?.content);
      if (said.startsWith("Remember")) await given?.put(["memories"], "release day", { text: said });
      else
        for (const { value } of (await given?.search(["memories"], { query: said })) ?? []) answers.push(value["text"]);
      return { messages: [] };
    };
    const graph = new StateGraph(MessagesAnnotation).addNode("work", work).addEdge(START, "work").addEdge("work", END);
    const compiled = graph.compile({ store });
    await compiled.invoke({ messages: [{ role: "user", content: "Remember that releases are cut on Thursdays." }] });
    await compiled.invoke({ messages: [{ role: "user", content: "On which day do we cut the release?" }] });
    expect(answers).toEqual(["Remember that releases are cut on Thursdays."]);
    expect(memory.list().map(({ entry }) => entry.name)).toEqual(["release day"]);
  });

  it("gives back the value that was put, changes it in place, and removes it", async () => {
    const value = { text: "Ada likes tea.", tags: ["drink"], count: 2 };
    await store.put(["users", "ada"], "drinks", value);
    await store.put(["users", "bob"], "drinks", { text: "Bob likes coffee." });
    expect(await store.get(["users", "ada"], "drinks")).toMatchObject({
      key: "drinks",
      namespace: ["users", "ada"],
      value,
    });
    expect(await store.get(["users"], "drinks")).toBeNull();
    await store.put(["users", "ada"], "drinks", { ...value, count: 3 });
    expect((await store.get(["users", "ada"], "drinks"))?.value).toEqual({ ...value, count: 3 });
    expect(memory.list()).toHaveLength(2);
    await store.delete(["users", "ada"], "drinks");
    expect([await store.get(["users", "ada"], "drinks"), memory.list().length]).toEqual([null, 1]);
    expect(memory.undo().outcome).toBe("undone");
  });

  it("searches below a namespace, by filter and in pages, and lists namespaces", async () => {
    for (const [user, count] of [
      ["ada", 1],
      ["bob", 2],
      ["kim", 3],
    ] as const)
      await store.put(["users", user], "visits", { text: `${user} came to the office`, count });
    await store.put(["memories"], "note", { text: "Nobody came." });
    const keysOf = async (options: Parameters<BaseStore["search"]>[1]): Promise<string[]> =>
      (await store.search(["users"], options)).map(({ namespace }) => namespace.join(".")).toSorted();
    expect(await keysOf({})).toEqual(["users.ada", "users.bob", "users.kim"]);
    expect(await keysOf({ filter: { count: 2 } })).toEqual(["users.bob"]);
    expect(await keysOf({ filter: { count: { $gte: 2 } } })).toEqual(["users.bob", "users.kim"]);
    expect(await store.search(["users"], { limit: 2 })).toHaveLength(2);
    expect(await store.search(["users"], { limit: 2, offset: 2 })).toHaveLength(1);
    expect((await store.listNamespaces({ prefix: ["users"] })).map(([, user]) => user).toSorted()).toEqual([
      "ada",
      "bob",
      "kim",
    ]);
    expect(await store.listNamespaces({ prefix: ["users"], maxDepth: 1 })).toEqual([["users"]]);
    const results: readonly unknown[] = await store.batch([
      { namespace: ["memories"], key: "note" },
      { matchConditions: [{ matchType: "suffix", path: ["kim"] }], limit: 10, offset: 0 },
    ]);
    expect(results).toMatchObject([{ value: { text: "Nobody came." } }, [["users", "kim"]]]);
  });

  it("says why a secret is not kept", async () => {
    const secret = ["ghp", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("_");
    await expect(store.put(["memories"], "token", { text: `The token is ${secret}` })).rejects.toThrow(/secret/u);
  });
});
