/** Reads a directory of recall benchmarks: stores of notes, and prompts with the notes that help. */
import fs from "node:fs";
import path from "node:path";
import { openNoteIndex } from "../dist/adapters/sqlite/note-index.js";
import { yamlFrontmatter } from "../dist/adapters/yaml/frontmatter.js";
import { parseNote } from "../dist/core/notes/parse-note.js";

/** One store with its documents, and tasks over all or some of them. `name` is the store's own. */
export function* readStores(root) {
  const at = (...parts) => path.join(root, ...parts);
  const json = (...parts) => JSON.parse(fs.readFileSync(at(...parts), "utf8"));
  if (fs.existsSync(at("realmem"))) {
    for (const store of fs.readdirSync(at("realmem", "stores")).toSorted()) {
      const notes = at("realmem", "stores", store, "notes");
      const files = fs.readdirSync(notes).filter((file) => file.endsWith(".md") && file !== "MEMORY.md").toSorted();
      const documents = files.map((id) => ({ id, text: fs.readFileSync(path.join(notes, id), "utf8") }));
      const queries = fs.readFileSync(at("realmem", "queries", `${store}.jsonl`), "utf8").split("\n").filter(Boolean).map((line) => queryOf(JSON.parse(line)));
      yield { set: "realmem", name: store, documents, tasks: [{ id: store, queries }] };
    }
  }
  if (fs.existsSync(at("memwild", "hook.json"))) {
    for (const task of json("memwild", "hook.json")) yield { set: "memwild-hook", name: task.id, documents: task.docs, tasks: [{ id: task.id, queries: task.queries.map(queryOf) }] };
  }
  if (fs.existsSync(at("memwild", "wiki.json"))) {
    const wiki = json("memwild", "wiki.json");
    for (const [store, texts] of Object.entries(wiki.stores)) {
      const documents = Object.entries(texts).map(([id, text]) => ({ id, text }));
      const tasks = wiki.items.filter((item) => item.store === store).map((item) => ({ id: item.id, only: new Set(item.docs), queries: item.queries.map(queryOf) }));
      yield { set: "memwild-wiki", name: store, documents, tasks };
    }
  }
  if (fs.existsSync(at("locomo"))) {
    for (const task of json("locomo", "turns.json")) yield { set: "locomo", name: task.id, documents: task.docs, tasks: [{ id: task.id, queries: task.queries.map(queryOf) }] };
  }
}

function queryOf(query) {
  return { id: query.id ?? query.qid, text: query.text ?? query.q ?? query.prompt, gold: query.gold, acceptable: query.acceptable ?? [], kind: query.kind ?? query.cat };
}

export function indexOf(documents) {
  const index = openNoteIndex(":memory:");
  index.apply({
    upsert: documents.map(({ id, text }) => ({ file: id, hash: id, size: text.length, mtimeMs: 0, note: parseNote(id, Buffer.from(text), yamlFrontmatter) })),
  });
  return index;
}
