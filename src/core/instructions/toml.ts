/** Numbers and lists of strings before the first table: as much of a TOML file as instructions need. */
export function topLevelToml(text: string): { readonly numbers: Readonly<Record<string, number>>; readonly lists: Readonly<Record<string, readonly string[]>> } {
  const numbers: Record<string, number> = {};
  const lists: Record<string, string[]> = {};
  const top = text.split(/^[ \t]*\[(?!.*\][ \t]*,)/mu)[0] ?? "";
  for (const match of top.matchAll(/^[ \t]*([\w-]+)[ \t]*=[ \t]*(?:([\d_]+)|\[([^\]]*)\])/gmu)) {
    const [, key = "", number, list] = match;
    if (number !== undefined) numbers[key] = Number(number.replaceAll("_", ""));
    if (list !== undefined) lists[key] = [...list.matchAll(/"([^"\n]*)"|'([^'\n]*)'/gu)].map((item) => item[1] ?? item[2] ?? "");
  }
  return { numbers, lists };
}

/** The lines of one table, as `key = value` with single spaces; empty when there is none. */
export function tomlTable(text: string, name: string): string {
  const lines = text.split(/\r?\n/u).map((line) => line.trim());
  const at = lines.indexOf(`[${name}]`);
  if (at === -1) return "";
  const rest = lines.slice(at + 1);
  const stop = rest.findIndex((line) => line.startsWith("["));
  return (stop === -1 ? rest : rest.slice(0, stop)).map((line) => line.replace(/\s*=\s*/u, " = ")).join("\n");
}
