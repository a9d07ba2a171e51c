import { keyWords } from "./words.ts";

const LEAST_WORDS = 1;

/** "…, but remember this is an experiment": the person says where it begins. */
const MARKED =
  /[,;–—-]\s*(?:(?:but|and|so|also|please)\s+)*(?:remember|keep in mind|bear in mind|don['’]?t forget)(?: that| to)?[,:]?\s+(.{12,})$/isu;
/** "You can tag it 1.1 and we'll use your numbering going forward": the first clause is the task at hand. */
const HEREAFTER =
  /^(?!(?:when|if|before|after|since|as|because|while|once|for|in)\b)((?:(?![.!?]\s).){8,}?)(?:,? and|;|,) (?=(?:we|you|i|please|let|use|always|never|from)\b)((?:(?!, and ).)*\b(?:going forward|moving forward|from now on|in (?:the )?future)\b.*)$/isu;
const LASTS = /\b(?:going forward|from now on|always|never|in (?:the )?future)\b/iu;

/** What of a sentence is the wish, for its one-line description; the note itself keeps the person's whole sentence. */
export function lastingPart(text: string): string {
  const marked = MARKED.exec(text)?.[1];
  const [, now = "", hereafter] = HEREAFTER.exec(text) ?? [];
  const part = marked ?? (LASTS.test(now) ? undefined : hereafter);
  return part === undefined || keyWords(part).length < LEAST_WORDS
    ? text
    : part.charAt(0).toUpperCase() + part.slice(1);
}
