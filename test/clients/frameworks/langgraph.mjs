import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { memoryStore } from "memdir/langgraph";
import { ask, prompt, session } from "./session.mjs";

/** What a graph keeps is its own decision: here, what begins with the word. */
const work = async ({ messages }, { store }) => {
  const said = String(messages.at(-1).content);
  const found = await store.search(["memories"], { query: said });
  if (said.startsWith("Remember")) await store.put(["memories"], "releases are cut on thursdays", { text: said });
  const known = found.map(({ key, value }) => `## ${key.replaceAll(" ", "-")}\n${value.text}`);
  return { messages: [{ role: "assistant", content: await ask([...known, said].map((content) => ({ content }))) }] };
};

await session((memory) =>
  new StateGraph(MessagesAnnotation)
    .addNode("work", work)
    .addEdge(START, "work")
    .addEdge("work", END)
    .compile({ store: memoryStore({ memory }) })
    .invoke({ messages: [{ role: "user", content: prompt }] }),
);
