import type { FilePort } from "../../src/core/notes/file-port.ts";
import type { NoteStore } from "../../src/core/notes/store.ts";
import { bytes, noteText } from "./store.ts";

/** An operation on a store, with the external changes just before it. */
export interface StoreOperation {
  readonly name: string;
  /** What an editor changed since the store's last check. */
  outside?(files: FilePort, directory: string): void;
  run(store: NoteStore): void;
  /** Text that must not be anywhere after it returned. */
  readonly forgotten?: readonly string[];
}

export const BY = { actor: "user", reason: "test" };
export const HAND_LINE = "- a line of my own, kept";
const SECRET = "unmistakable-phrase";

export const BASE = {
  "a.md": noteText("a", "About a", "one\n\ntwo\n\nthree"),
  "b.md": noteText("b", "About b", "text of b"),
  "sub/c.md": noteText("c", "About c", "text of c"),
  "private.md": noteText("private", `Hook with ${SECRET}`, `Body with ${SECRET}.`),
} as const;

/** Four notes, two transactions, a hand-written line, one recorded use. */
export function prepareStore(store: NoteStore, files: FilePort): void {
  const changes = Object.entries(BASE).map(([file, content]) => ({ kind: "create", file, content }) as const);
  store.commit(changes.slice(0, 2), BY);
  store.commit(changes.slice(2), BY);
  const index = `${store.directory}/MEMORY.md`;
  overwrite(
    files,
    index,
    `# My notes\n${HAND_LINE}\n- [Mine](b.md) — by hand\n${new TextDecoder().decode(files.read(index))}`,
  );
  store.rebuildIndexFile();
  store.recordUse(["a.md", "private.md"]);
}

function overwrite(files: FilePort, path: string, text: string): void {
  files.remove(path);
  files.create(path, bytes(text));
  files.syncDirectory(path.slice(0, path.lastIndexOf("/")));
}

const EDITED = BASE["a.md"].replace("three", "three, by an editor");

export const OPERATIONS: readonly StoreOperation[] = [
  {
    name: "create",
    run: (store) =>
      void store.commit([{ kind: "create", file: "new.md", content: noteText("new", "About new", "text") }], BY),
  },
  {
    name: "create in a new directory",
    run: (store) =>
      void store.commit(
        [{ kind: "create", file: "deep/er/new.md", content: noteText("new", "About new", "text") }],
        BY,
      ),
  },
  {
    name: "write",
    run: (store) =>
      void store.commit(
        [{ kind: "write", file: "a.md", base: bytes(BASE["a.md"]), content: BASE["a.md"].replace("one", "ONE") }],
        BY,
      ),
  },
  {
    name: "merged write",
    outside: (files, directory) => overwrite(files, `${directory}/a.md`, EDITED),
    run: (store) =>
      void store.commit(
        [{ kind: "write", file: "a.md", base: bytes(BASE["a.md"]), content: BASE["a.md"].replace("one", "ONE") }],
        BY,
      ),
  },
  {
    name: "write that keeps both",
    outside: (files, directory) => overwrite(files, `${directory}/a.md`, EDITED),
    run: (store) =>
      void store.commit(
        [{ kind: "write", file: "a.md", base: bytes(BASE["a.md"]), content: BASE["a.md"].replace("three", "3") }],
        BY,
      ),
  },
  {
    name: "transaction of four",
    run: (store) =>
      void store.commit(
        [
          { kind: "create", file: "n1.md", content: noteText("n1", "About n1", "text") },
          { kind: "write", file: "a.md", base: bytes(BASE["a.md"]), content: BASE["a.md"].replace("two", "TWO") },
          { kind: "delete", file: "b.md", base: bytes(BASE["b.md"]) },
          { kind: "write", file: "sub/c.md", base: bytes(BASE["sub/c.md"]), content: `${BASE["sub/c.md"]}\nmore\n` },
        ],
        BY,
      ),
  },
  {
    name: "delete",
    run: (store) => void store.commit([{ kind: "delete", file: "b.md", base: bytes(BASE["b.md"]) }], BY),
  },
  {
    name: "reconcile",
    outside: (files, directory) => {
      overwrite(files, `${directory}/a.md`, EDITED);
      files.remove(`${directory}/b.md`);
      files.create(`${directory}/outside.md`, bytes(noteText("outside", "From outside", "text")));
      files.syncDirectory(directory);
    },
    run: (store) => void store.reconcile("full"),
  },
  {
    name: "commit after MEMORY.md was edited",
    outside: (files, directory) =>
      overwrite(
        files,
        `${directory}/MEMORY.md`,
        `${new TextDecoder().decode(files.read(`${directory}/MEMORY.md`))}- another line by hand\n`,
      ),
    run: (store) =>
      void store.commit([{ kind: "create", file: "new.md", content: noteText("new", "About new", "text") }], BY),
  },
  { name: "history", run: (store) => void store.history().versions() },
  { name: "forget", run: (store) => void store.forget("private.md"), forgotten: [SECRET] },
  {
    name: "rebuild of MEMORY.md",
    outside: (files, directory) => overwrite(files, `${directory}/MEMORY.md`, `${HAND_LINE}\n`),
    run: (store) => void store.rebuildIndexFile(),
  },
  { name: "rebuild of the index", run: (store) => store.rebuildIndex() },
  { name: "use", run: (store) => store.recordUse(["a.md"]) },
  {
    name: "undo",
    run: (store) =>
      void store.commit(
        [
          {
            kind: "write",
            file: "private.md",
            base: bytes(BASE["private.md"]),
            content: noteText("private", "Again", "as it was"),
          },
        ],
        { actor: "undo", reason: "undo of 2" },
      ),
  },
];
