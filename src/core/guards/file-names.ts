/** Whether a path is what a note names: the whole path or its end, something in the folder, or a match of the glob. */
export function isAt(path: string, named: string): boolean {
  if (named.includes("*")) return matches(path.split("/"), ["**", ...named.split("/")]);
  const end = named.replace(/\/$/u, "");
  if (path === end || path.endsWith(`/${end}`)) return true;
  return named.includes("/") && (path.startsWith(`${end}/`) || path.includes(`/${end}/`));
}

/** Needs no regular expression, so no glob can take long. `**` is any number of folders, at the end at least a file. */
function matches(path: readonly string[], glob: readonly string[]): boolean {
  const [first, ...rest] = glob;
  if (first === undefined) return path.length === 0;
  if (first === "**") return rest.length === 0 ? path.length > 0 : path.some((_, at) => matches(path.slice(at), rest));
  return path[0] !== undefined && segmentMatches(path[0], first) && matches(path.slice(1), rest);
}

function segmentMatches(name: string, pattern: string): boolean {
  const [start = "", ...parts] = pattern.split("*");
  const end = parts.pop();
  if (end === undefined) return name === start;
  if (!name.startsWith(start) || !name.endsWith(end)) return false;
  let at = start.length;
  for (const part of parts) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at + end.length <= name.length;
}
