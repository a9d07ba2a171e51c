/** Reads a directory of recall benchmarks: stores of notes, and prompts with the notes that help. */
import fs from "node:fs";
import path from "node:path";
import { openNoteIndex } from "../dist/adapters/sqlite/note-index.js";
import { yamlFrontmatter } from "../dist/adapters/yaml/frontmatter.js";
import { parseNote } from "../dist/core/notes/parse-note.js";

/** One store with its documents, and tasks over all or some of them. `name` is the store's own name. */
export function* readStores(root) {
  const at = (...parts) => path.join(root, ...parts);
  const json = (...parts) => JSON.parse(fs.readFileSync(at(...parts), "utf8"));
  if (fs.existsSync(at("realmem"))) {
    for (const store of fs.readdirSync(at("realmem", "stores")).toSorted()) {
      const notes = at("realmem", "stores", store, "notes");
      const files = fs
        .readdirSync(notes)
        .filter((file) => file.endsWith(".md") && file !== "MEMORY.md")
        .toSorted();
      const documents = files.map((id) => ({ id, text: fs.readFileSync(path.join(notes, id), "utf8") }));
      const queries = fs
        .readFileSync(at("realmem", "queries", `${store}.jsonl`), "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => queryOf(JSON.parse(line)));
      yield { set: "realmem", name: store, documents, tasks: [{ id: store, queries }] };
    }
  }
  if (fs.existsSync(at("memwild", "hook.json"))) {
    for (const task of json("memwild", "hook.json"))
      yield {
        set: "memwild-hook",
        name: task.id,
        documents: task.docs,
        tasks: [{ id: task.id, queries: task.queries.map(queryOf) }],
      };
  }
  if (fs.existsSync(at("memwild", "wiki.json"))) {
    const wiki = json("memwild", "wiki.json");
    for (const [store, texts] of Object.entries(wiki.stores)) {
      const documents = Object.entries(texts).map(([id, text]) => ({ id, text }));
      const tasks = wiki.items
        .filter((item) => item.store === store)
        .map((item) => ({ id: item.id, only: new Set(item.docs), queries: item.queries.map(queryOf) }));
      yield { set: "memwild-wiki", name: store, documents, tasks };
    }
  }
  if (fs.existsSync(at("locomo"))) {
    for (const task of json("locomo", "turns.json"))
      yield {
        set: "locomo",
        name: task.id,
        documents: asDailyLogs(task.docs),
        tasks: [{ id: task.id, queries: task.queries.map(queryOf) }],
      };
  }
}

const MONTHS = "January February March April May June July August September October November December".split(" ");

/** Turns of a conversation as daily log entries, as memdir indexes them: sessions of a day are consecutive. */
function asDailyLogs(turns) {
  const counts = new Map();
  return turns.map(({ id, text, date }) => {
    const [, time, half, day, month, year] = /^(\d+:\d+) (am|pm) on (\d+) (\w+), (\d+)$/u.exec(date) ?? [];
    const on = `${year}-${String(MONTHS.indexOf(month) + 1).padStart(2, "0")}-${day?.padStart(2, "0")}`;
    const clock = time?.replace(/^\d+/u, (hour) =>
      String((Number(hour) % 12) + (half === "pm" ? 12 : 0)).padStart(2, "0"),
    );
    if (Number.isNaN(Date.parse(`${on}T${clock}Z`)))
      throw new Error(`turn ${id} has no date that can be read: ${date}`);
    const number = (counts.get(on) ?? 0) + 1;
    counts.set(on, number);
    const [firstLine = ""] = text.split("\n", 1);
    return {
      id,
      text,
      file: `${on.slice(0, 4)}/${on.slice(5, 7)}/${on}.md#${number}`,
      fields: {
        name: `log of ${on}, ${clock}`,
        description: firstLine.slice(0, 150),
        body: text,
        modified: `${on}T${clock}:00.000Z`,
      },
    };
  });
}

function queryOf(query) {
  return {
    id: query.id ?? query.qid,
    text: query.text ?? query.q ?? query.prompt,
    gold: query.gold,
    acceptable: query.acceptable ?? [],
    kind: query.kind ?? query.cat,
  };
}

/** A document's `file` is its id in the index if that differs from `id`; `fields` are what a note's file would hold. */
export function indexOf(documents) {
  const index = openNoteIndex(":memory:");
  index.apply({
    upsert: documents.map(({ id, file = id, text, fields }) => ({
      file,
      hash: id,
      size: text.length,
      mtimeMs: Number(/\.md#(\d+)$/u.exec(file)?.[1] ?? 0),
      note: { ...parseNote(file, Buffer.from(text), yamlFrontmatter), ...fields },
    })),
  });
  return index;
}
