import fs from "node:fs";
import { cli, emptyHome } from "./cli.ts";
import { scratch } from "./scratch.ts";

/** A note signed by an agent. */
export function agentNote(name: string, body: string, created: string, more = ""): string {
  return `---\nname: ${name}\ndescription: ${JSON.stringify(body.split("\n")[0] ?? "")}\nmetadata:\n  type: project\n  created: ${created}\n  source: rules\n${more}---\n\n${body}\n`;
}

export interface DreamPlace {
  readonly root: string;
  readonly notes: string;
  readonly environment: Record<string, string | undefined>;
  memdir(...argv: string[]): ReturnType<typeof cli>;
  /** The notes' texts, without the generated MEMORY.md. */
  texts(): Record<string, string>;
}

/** A directory of notes with these files, and a command line for it. */
export function dreamPlace(files: Readonly<Record<string, string>>): DreamPlace {
  const root = scratch();
  const notes = `${root}/Jané Döe/notes`;
  fs.mkdirSync(notes, { recursive: true });
  for (const [file, text] of Object.entries(files)) fs.writeFileSync(`${notes}/${file}`, text);
  const environment = emptyHome(root);
  return {
    root,
    notes,
    environment,
    memdir: (...argv) => cli([...argv, "--dir", notes], { environment, cwd: root }),
    texts: () => textsIn(notes),
  };
}

export function textsIn(notes: string): Record<string, string> {
  return Object.fromEntries(
    fs
      .readdirSync(notes)
      .filter((name) => name.endsWith(".md") && name !== "MEMORY.md")
      .map((name) => [name, fs.readFileSync(`${notes}/${name}`, "utf8")]),
  );
}
