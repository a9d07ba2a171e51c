import type { OwnEntry, SettingsEditor } from "./settings-editor.ts";

const BEGIN = "<!-- memdir: written by memdir install --rule; memdir uninstall removes it -->";
const END = "<!-- /memdir -->";

/** A paragraph between marks in a Markdown file that is a person's. */
export function textBlock(text: string): SettingsEditor {
  const entry = (content: string): OwnEntry => ({ place: "the rule", paths: [], content });
  return {
    wanted: [entry(text)],
    find: (there) => {
      const found = rangeIn(there);
      return { ok: true, entries: found === undefined ? [] : [entry(found.inner)] };
    },
    add: (there) => {
      const before = there ?? "";
      const gap = before === "" ? "" : before.endsWith("\n\n") ? "" : before.endsWith("\n") ? "\n" : "\n\n";
      return { ok: true, text: `${before}${gap}${BEGIN}\n${text}\n${END}\n` };
    },
    remove: (there) => {
      const found = rangeIn(there);
      if (found === undefined) return { ok: true, text: there };
      const rest = `${there.slice(0, found.start).replace(/\n{2}$/u, "\n")}${there.slice(found.end)}`;
      return { ok: true, text: rest.trim() === "" ? undefined : rest };
    },
  };
}

/** Where the block stands, with the line end behind it. */
function rangeIn(text: string): { readonly start: number; readonly end: number; readonly inner: string } | undefined {
  const start = text.indexOf(BEGIN);
  const close = start < 0 ? -1 : text.indexOf(END, start);
  if (close < 0) return undefined;
  const inner = text.slice(start + BEGIN.length, close).trim();
  const after = close + END.length;
  return { start, end: text.startsWith("\n", after) ? after + 1 : after, inner };
}
