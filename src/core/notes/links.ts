/** Notes that a text points at: `[[name]]` and Markdown links to `.md` files, in order, once each. */
export function linksIn(body: string): string[] {
  const found = new Set<string>();
  for (const match of body.matchAll(
    /\[\[([^\]|#\n]{1,200})(?:[|#][^\]\n]*)?\]\]|\]\(([^()\s]{1,300}\.md)(?:#[^)\s]*)?\)/gu,
  )) {
    const target = (match[1] ?? match[2] ?? "").trim();
    if (target !== "" && !/^[a-z][a-z0-9+.-]*:/iu.test(target)) found.add(target);
  }
  return [...found];
}

/** What a link's target and the note it names have in common: the file without its directory and ending, or the name, in small letters. */
export function linkKey(target: string): string {
  return target
    .slice(target.lastIndexOf("/") + 1)
    .replace(/\.md$/iu, "")
    .toLowerCase();
}
