// Writes a generated store, and the project that its notes mention, to the disk.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

export function writeNotes(directory, { notes }) {
  fs.mkdirSync(directory, { recursive: true });
  for (const { file, name, body, text, type, source, pinned, created, supersededBy } of notes.values()) {
    const time = new Date(created).toISOString();
    const head = [
      "---",
      `name: ${name}`,
      `description: ${JSON.stringify(text === "" ? body : text)}`,
      "metadata:",
      `  type: ${type}`,
      `  created: ${time}`,
      `  source: ${source}`,
      ...(pinned ? ["  pinned: true"] : []),
      ...(supersededBy === undefined ? [] : [`  supersededBy: ${supersededBy}`, `  validTo: ${time}`]),
      "---",
    ];
    fs.writeFileSync(path.join(directory, file), `${head.join("\n")}\n\n${body.trim()}\n`);
  }
}

export function writeProject(directory, { moved, removed }) {
  fs.mkdirSync(directory, { recursive: true });
  const git = (...args) =>
    execFileSync(
      "git",
      ["-C", directory, "-c", "user.name=dev", "-c", "user.email=dev@localhost", "-c", "commit.gpgsign=false", ...args],
      { stdio: "ignore" },
    );
  const write = (file, text) => {
    fs.mkdirSync(path.dirname(path.join(directory, file)), { recursive: true });
    fs.writeFileSync(path.join(directory, file), text);
  };
  git("init", "-q");
  for (const [from] of moved)
    write(
      from,
      `export const step = ${JSON.stringify(from)};\n// keeps what it did, so that a replay is harmless\nexport function run(input) {\n  return [step, input];\n}\n`,
    );
  for (const file of removed) write(file, `#!/bin/sh\necho ${file}\n`);
  git("add", "-A");
  git("commit", "-qm", "first");
  for (const [from, to] of moved) {
    fs.mkdirSync(path.dirname(path.join(directory, to)), { recursive: true });
    fs.renameSync(path.join(directory, from), path.join(directory, to));
  }
  for (const file of removed) fs.rmSync(path.join(directory, file));
  write("README.md", "orders\n");
  git("add", "-A");
  git("commit", "-qm", "moved");
}
