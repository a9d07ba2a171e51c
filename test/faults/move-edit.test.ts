import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/adapters/files/node-files.ts";
import { settleTransfer, transferNotes, type TransferOrder } from "../../src/app/workspace/transfer.ts";
import type { FilePort } from "../../src/core/notes/file-port.ts";
import type { NoteStore } from "../../src/core/notes/store.ts";
import { MemoryError } from "../../src/core/shared/errors.ts";
import { sha256 } from "../../src/core/shared/hash.ts";
import { memoryDirectory, scratch } from "../support/scratch.ts";
import { bytes, noteText, openTestStore } from "../support/store.ts";

const FILE = "project_deploy.md";
const TEXT = noteText("deploy", "When we deploy", "Deploys go out on Tuesdays");
const WORDS = "and never before a holiday";
/** More calls than any of these makes; one that never ends is a failure of its own. */
const MOST_CALLS = 2_000;

/** A file port that lets something happen right before one of its calls. */
function filesWith(at: number, happen: () => void): { readonly files: FilePort; readonly calls: () => number } {
  let count = 0;
  const files = new Proxy(nodeFiles, {
    get(port, key) {
      const value: unknown = Reflect.get(port, key);
      if (typeof value !== "function") return value;
      return (...given: unknown[]): unknown => {
        if (++count === at) happen();
        return Reflect.apply(value, port, given);
      };
    },
  });
  return { files, calls: () => count };
}

/** What an editor does that had the file open: it appends, wherever the file is by now. */
function appendTo(file: string): void {
  if (fs.existsSync(file)) fs.appendFileSync(file, `${WORDS}\n`);
}

function notesBelow(...roots: readonly string[]): readonly string[] {
  return roots
    .flatMap((root) => fs.readdirSync(`${root}/notes`).map((name) => `${root}/notes/${name}`))
    .filter((file) => file.endsWith(".md") && !file.endsWith("MEMORY.md"))
    .map((file) => fs.readFileSync(file, "utf8"));
}

interface Ground {
  readonly here: string;
  readonly there: string;
  readonly order: TransferOrder;
}

function ground(): Ground {
  const [here, there] = [scratch(memoryDirectory()), scratch(memoryDirectory())];
  const end = (root: string, scope: "project" | "user") => ({
    scope,
    directory: `${root}/notes`,
    state: `${root}/state`,
    excluded: [],
  });
  const store = openTestStore(here, { git: false });
  store.commit([{ kind: "create", file: FILE, content: TEXT }], { actor: "user", reason: "remembered" });
  store.close();
  const files = [{ from: FILE, to: FILE, content: TEXT, base: bytes(TEXT) }];
  const [from, to] = [end(here, "project"), end(there, "user")];
  return {
    here,
    there,
    order: { id: "0a1b2c3d", time: "2026-03-02T09:00:00Z", pid: 1, from, to, files, verb: "moved" },
  };
}

const records = { begin: () => undefined, finish: () => undefined, drop: () => undefined };

/**
 * Runs `work` once for each call it makes to the files of the store that the note leaves, with an edit before that call.
 * Which edits were made, and which of them are not in exactly one note afterwards, as the number of their call.
 */
function editedAtEveryCall(
  prepare: (on: Ground) => void,
  work: (stores: Stores, on: Ground) => void,
): { readonly edited: readonly number[]; readonly lost: readonly number[] } {
  const [edited, lost]: [number[], number[]] = [[], []];
  for (let at = 1; at < MOST_CALLS; at++) {
    const on = ground();
    prepare(on);
    let isWritten = false;
    const watched = filesWith(at, () => {
      appendTo(`${on.here}/notes/${FILE}`);
      isWritten = notesBelow(on.here).some((text) => text.includes(WORDS));
    });
    const source = openTestStore(on.here, { git: false, files: watched.files });
    const target = openTestStore(on.there, { git: false });
    try {
      work({ source, target }, on);
    } catch (error) {
      if (!(error instanceof MemoryError && error.code === "conflict")) throw error;
    } finally {
      source.close();
      target.close();
    }
    if (watched.calls() < at) return { edited, lost };
    if (!isWritten) continue;
    edited.push(at);
    if (notesBelow(on.here, on.there).filter((text) => text.includes(WORDS)).length !== 1) lost.push(at);
  }
  throw new Error("a move that never ends");
}

interface Stores {
  readonly source: NoteStore;
  readonly target: NoteStore;
}

describe("words that a person appends to a note at any moment", () => {
  it("while it moves stay in one of the two stores", () => {
    const { edited, lost } = editedAtEveryCall(
      () => undefined,
      (stores, { order }) => void transferNotes(stores, order, records),
    );
    expect(edited.length).toBeGreaterThan(5);
    expect(lost).toEqual([]);
  });

  it("while a move that was cut off is finished stay in one of the two stores", () => {
    const { edited, lost } = editedAtEveryCall(
      ({ there }) => {
        const target = openTestStore(there, { git: false });
        target.commit([{ kind: "create", file: FILE, content: TEXT }], { actor: "move", reason: "moved here" });
        target.close();
      },
      (stores, { order: { files, ...order } }) => {
        const hash = sha256(bytes(TEXT));
        const moved = files.map(({ from, to }) => ({ from, to, before: hash, after: hash, made: true }));
        settleTransfer(stores, { ...order, files: moved }, records);
      },
    );
    expect(edited.length).toBeGreaterThan(5);
    expect(lost).toEqual([]);
  });
});
