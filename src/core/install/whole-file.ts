import type { OwnEntry, SettingsEditor } from "./settings-editor.ts";

/** How every file begins that memdir writes as a whole. */
const MARK = /^(?:\/\/|#) memdir for [\w .]+, written by memdir install;/u;

/** A file that is memdir's alone, known by its first line. */
export function wholeFile(text: string, paths: readonly string[]): SettingsEditor {
  const entry = (content: string, runs: readonly string[]): OwnEntry => ({
    place: "the whole file",
    paths: runs,
    content,
  });
  const isOurs = (there: string): boolean => MARK.test(there);
  return {
    wanted: [entry(text, paths)],
    find: (there) => ({ ok: true, entries: isOurs(there) ? [entry(there, pathsIn(there))] : [] }),
    add: (there) =>
      there === undefined || isOurs(there)
        ? { ok: true, text }
        : { ok: false, line: 1, why: "a file that is not memdir's has this name; move it away" },
    remove: (there) => ({ ok: true, text: isOurs(there) ? undefined : there }),
  };
}

/** The words of the command in the file's own list. */
export function pathsIn(text: string): readonly string[] {
  const list = /^(?:const )?COMMAND = \[(.*)\];?$/mu.exec(text)?.[1] ?? "";
  return [...list.matchAll(/"(?:[^"\\]|\\["\\])*"/gu)].slice(0, 2).map(([word]) => String(JSON.parse(word)));
}
