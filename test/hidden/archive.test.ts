import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { SecretScanner } from "../../src/core/shared/secrets/mask.ts";
import { MANIFEST } from "../../src/app/transfer/exported.ts";
import { sha256 } from "../../src/core/shared/hash.ts";
import { homeOf } from "../support/cli.ts";
import { person } from "../support/person.ts";
import { BLIND, planter, seedOfRun } from "../support/planted.ts";
import { filesBelow, memoryDirectory } from "../support/scratch.ts";

/** An export with a note, a line of one's own in MEMORY.md, history, a log and a checkpoint. */
async function exported(): Promise<string> {
  const { root, memdir } = person(memoryDirectory());
  await memdir(["remember", "--name", "port", "The importer listens on 9090."]);
  await memdir(["remember", "--name", "role", "--type", "user", "I write Rust."]);
  await memdir(["log", "The vendor moves the API."]);
  await memdir(["checkpoint", "save", "--goal", "port the importer", "--next", "measure"]);
  await memdir(["export", `${root}/out`]);
  return `${root}/out`;
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** Each member of an export with a secret in each of its places, by what the place is. */
function spoiled(file: string, text: string, plant: (field: string) => string): readonly string[] {
  const place = (what: string): string => plant(`${file.replace(/^stores\/[^/]+\/[^/]+\//u, "")}: ${what}`);
  if (file.endsWith("history.jsonl")) {
    const [first = "", ...rest] = text.split("\n");
    const line = JSON.parse(first);
    const [change] = line.changes;
    return [
      { ...line, actor: place("actor") },
      { ...line, reason: place("reason") },
      { ...line, changes: [{ ...change, after: place("text") }] },
      { ...line, changes: [{ ...change, after: { base64: base64(place("bytes")) } }] },
      { ...line, changes: [{ ...change, file: `${place("file")}.md` }] },
    ].map((one) => [JSON.stringify(one), ...rest].join("\n"));
  }
  if (file.endsWith("MEMORY.md")) return [`- ${place("own line")}\n${text}`];
  return [
    `${text}\n\nThe key is ${place("last line")}.\n`,
    ...(text.startsWith("---") ? [text.replace("name:", `owner: ${place("frontmatter")}\nname:`)] : []),
  ];
}

async function importEach(seed: number, secrets?: SecretScanner) {
  const { plant, planted, found } = planter(seed);
  const from = await exported();
  const files = new Map(
    [...filesBelow(from)].filter(([name]) => /\.(?:md|jsonl)$/u.test(name) && name !== "README.md"),
  );
  const leaks: string[] = [];
  const told: string[] = [];
  const importAs = async (file: string, text: string): Promise<void> => {
    const to = person(memoryDirectory());
    const copy = `${to.root}/in`;
    fs.cpSync(from, copy, { recursive: true });
    fs.mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
    fs.writeFileSync(path.join(copy, file), text);
    const manifest = JSON.parse(fs.readFileSync(`${copy}/${MANIFEST}`, "utf8"));
    fs.writeFileSync(
      `${copy}/${MANIFEST}`,
      JSON.stringify({
        ...manifest,
        stores: manifest.stores.map((store: { path: string; notes: number }) => ({
          ...store,
          notes: store.notes + Number(!files.has(file) && file.startsWith(`${store.path}/notes/`)),
        })),
        files: { ...manifest.files, [file]: sha256(text) },
      }),
    );
    const { out } = await to.memdir(["import", copy, "--yes"], secrets && { secrets });
    told.push(out);
    leaks.push(...found(homeOf(to.root), to.cwd));
  };
  for (const [file, bytes] of files)
    for (const text of spoiled(file, bytes.toString(), plant)) await importAs(file, text);
  const [note = ""] = [...files.keys()].filter((name) => name.endsWith("project_port.md"));
  await importAs(`${path.dirname(note)}/${plant("name of a note")}.md`, "---\nname: x\n---\n\nwords\n");
  return { fields: planted.map(({ field }) => field), leaks: [...new Set(leaks)], told };
}

describe("a secret in an export", () => {
  it("reaches no byte on the disk, whatever member it stands in, and what is left out is named", async () => {
    const { fields, leaks, told } = await importEach(seedOfRun());
    expect(fields).toEqual(
      expect.arrayContaining(["history.jsonl: bytes", "notes/MEMORY.md: own line", "name of a note"]),
    );
    expect(leaks).toEqual([]);
    for (const out of told) expect(out).toMatch(/left out: .* \(it holds what looks like a secret\)/u);
    expect(told.filter((out) => /imported [1-9]/u.test(out)).length).toBeGreaterThan(told.length / 2);
  });

  it("would be seen: with the gate removed the same search finds it", async () => {
    const { leaks } = await importEach(seedOfRun(), BLIND);
    expect(leaks).toEqual(
      expect.arrayContaining([
        "history.jsonl: bytes",
        "history.jsonl: reason",
        "notes/MEMORY.md: own line",
        "name of a note",
      ]),
    );
  });
});
