/**
 * node examples/agent/agent.mjs PROMPT: the agent on a server that speaks OpenAI's chat completions, for instance Ollama.
 * AGENT_URL (default http://127.0.0.1:11434/v1), AGENT_MODEL and AGENT_KEY say which.
 */
import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { resolve, sep } from "node:path";
import { openMemory } from "memdir";
import { runAgent } from "./loop.mjs";
import { chatModel } from "./models.mjs";

const root = process.cwd();

/** A path inside the project, or the sentence that the model gets instead of a file. */
function inside(path) {
  const file = resolve(root, path);
  return file === root || file.startsWith(root + sep) ? file : undefined;
}

const tools = {
  list_files: async (directory) =>
    inside(directory || ".") ? (await readdir(inside(directory || "."))).join("\n") : "that is outside of the project",
  read_file: async (path) =>
    inside(path)
      ? (await readFile(inside(path), "utf8").catch(({ message }) => message)).slice(0, 20_000)
      : "that is outside of the project",
};

const prompt = process.argv.slice(2).join(" ");
if (prompt === "") {
  process.stderr.write("usage: node agent.mjs PROMPT\n");
  process.exit(2);
}
const model = chatModel({
  url: process.env.AGENT_URL ?? "http://127.0.0.1:11434/v1",
  model: process.env.AGENT_MODEL ?? "qwen3:4b",
  key: process.env.AGENT_KEY,
});
const memory = openMemory({ cwd: root, model: "off" });
try {
  const { said, recalled, captured } = await runAgent({ memory, model, tools, session: randomUUID() }, prompt);
  if (recalled !== "") process.stderr.write("(with what is remembered)\n");
  process.stdout.write(`${said}\n`);
  if (captured.length > 0) process.stderr.write(`(remembered: ${captured.join(", ")})\n`);
} finally {
  memory.close();
}
