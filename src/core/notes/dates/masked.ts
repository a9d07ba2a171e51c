/** What stands for a character that is not the writer's own prose; no pattern of words matches it. */
const HIDDEN = "\uFFFC";

/**
 * The text, as long as it was, with everything hidden whose words must stay as they are: code, quotations, links,
 * addresses, HTML comments.
 */
export function withoutQuotations(text: string): string {
  return NOT_PROSE.reduce((masked, pattern) => masked.replace(pattern, hide), text);
}

function hide(found: string): string {
  return found.replace(/[^\n]/gu, HIDDEN);
}

const NOT_PROSE: readonly RegExp[] = [
  /^([ \t]*)(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n(?:[\s\S]*?^[ \t]*\2[`~]*[ \t]*$|[\s\S]*$)/gmu,
  /<!--[\s\S]*?(?:-->|$)/gu,
  /^[ \t]*>[^\n]*$/gmu,
  /^(?: {4}|\t)(?![-*+•]|\d+[.)])[^\n]*$/gmu,
  /(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/gu,
  /\[\[[^\][\n]*\]\]|\[[^\][\n]*\](?:\([^)\n]*\)|\[[^\][\n]*\])/gu,
  /<[a-z][a-z+.-]*:[^>\s]*>|\b[a-z][a-z+.-]*:\/\/[^\s)>\]]+/giu,
  /"[^"\n]*(?:"|$)/gmu,
  /“[^”\n]*(?:”|$)|„[^“”"\n]*(?:[“”"]|$)|«[^»\n]*(?:»|$)|»[^«\n]*«|‹[^›\n]*›|「[^」\n]*(?:」|$)|『[^』\n]*(?:』|$)|《[^》\n]*》/gmu,
  /(?<![\p{L}\p{N}])['‘](?=\S)[^'‘’\n]*(?:['’](?=\p{L})[^'‘’\n]*)*(?<=\S)['’](?![\p{L}\p{N}])/gu,
];
