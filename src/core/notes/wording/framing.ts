/** How capture introduces the user's own words. */
const FRAMING = /^(?:In the user['’]s words|The user says):\s*/u;

/** A line without what capture put before the user's own words: where room is short, the words count. */
export function withoutFraming(line: string): string {
  const rest = line.replace(FRAMING, "");
  if (rest === line || rest === "") return line;
  return /^["“][^"“”]*["”]\.?$/u.test(rest)
    ? rest.replace(/^["“]|["”]\.?$/gu, "")
    : rest.replace(/^["“](?=[^"“”]*$)/u, "");
}
