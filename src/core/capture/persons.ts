import { mapOutsideCode } from "./sentences.ts";

/** "i'm sure that i am" → "I'm sure that I am", in English text and outside code. */
export function capitaliseI(text: string): string {
  return mapOutsideCode(text, (prose) => {
    const contracted = prose.replace(/(?<![\p{L}\p{N}_.'’/-])i(?=['’](?:m|ve|d|ll)(?!\p{L}))/gu, "I");
    return ENGLISH.test(text) && !/\P{ASCII}/u.test(text.replace(/[‘’“”–—…]/gu, ""))
      ? contracted.replace(LONE_I, "I")
      : contracted;
  });
}

/** Words that Polish and other languages with a word "i" do not have. */
const ENGLISH =
  /\b(?:the|and|is|of|that|you|don['’]t|with|not|this|are|we|it|for|because|when|before|i['’](?:m|ve|d|ll))\b/i;
// Not a loop variable: "i and j", "the index i", "i is".
const LONE_I =
  /(?<![\p{L}\p{N}_.'’/-])(?<!\b(?:index|variable|counter|called|named|int|let|var|for|iterator) )i(?= (?!and\b|or\b|in\b|is\b|as\b|to\b|from\b|by\b|at\b|of\b)[a-z])/gu;

const FIRST_PERSON: readonly RegExp[] = [
  /(?<![\p{L}\p{N}_/.-])(?:I(?!\/)(?:['’](?:m|ve|d|ll))?|i['’](?:m|ve|d|ll)|[Mm](?:e|y|ine|yself)|[Ww]e(?:['’](?:re|ve|ll|d))?|us|[Oo]urs?)(?![\p{L}\p{N}_/-])/u,
  /(?<!\p{L})(?:ich|mir|mich|meine?[nmrs]?|wir|uns|unsere?[nmrs]?|j['’]\p{L}+|je|moi|nous|notre|nos|yo|mis?|nosotr[oa]s|nuestr[oa]s?|soy|prefiero|quiero|usamos|decidimos|eu|meus?|minhas?|nós|noss[oa]s?|sou|prefiro|я|мне|меня|мой|моя|моё|мои|мы|нас|нам|наш\p{L}*|jestem|wolę|mój|moja|moje|mnie|nasz\p{L}*|używamy)(?!\p{L})/iu,
  /我|咱|私(?!有|的)|僕|俺|저는|나는|제가|내가|우리/u,
];

/** Whether the words speak as "I" or "we": a reader who is an agent could take them for its own. */
export function isFirstPerson(text: string): boolean {
  let found = false;
  mapOutsideCode(text, (prose) => {
    found ||= FIRST_PERSON.some((pattern) => pattern.test(prose));
    return prose;
  });
  return found;
}

const VERBS =
  "prefer|use|run|want|like|need|work|live|come|know|speak|write|build|develop|maintain|own|hate|love|dislike|keep|review|test|deploy|read|learn|design|manage|lead|code|program|say|ask|tell|commit|push|merge|open|start|touch|change|add";
const ADVERBS =
  "(?:(?:really|usually|always|never|mostly|generally|typically|normally|also|only|often|mainly|strongly|much|just|still|personally) )*";
const SUBJECT = String.raw`(?<![\p{L}\p{N}_/-])I`;
const END = String.raw`(?![\p{L}\p{N}_'’/-])`;

/** How the person's own statement reads of them; the first rule that fits the first "I" is used. */
const AS_THE_USER: readonly (readonly [RegExp, (...groups: string[]) => string])[] = [
  [new RegExp(String.raw`${SUBJECT}(?:['’]?m| am)${END}`, "u"), () => "the user is"],
  [new RegExp(String.raw`${SUBJECT}(?:['’]ve| have)${END}`, "u"), () => "the user has"],
  [
    new RegExp(String.raw`${SUBJECT}['’]d (${ADVERBS})(rather|prefer|like|love)${END}`, "u"),
    (adverbs, verb) => `the user would ${adverbs}${verb}`,
  ],
  [
    new RegExp(
      String.raw`${SUBJECT} (told|said|asked|wanted|meant|needed|decided|chose|picked|switched|moved|undid)${END}`,
      "u",
    ),
    (verb) => `the user ${verb}`,
  ],
  [new RegExp(String.raw`${SUBJECT} (?:don['’]?t|do not)${END}`, "u"), () => "the user does not"],
  [
    new RegExp(String.raw`${SUBJECT} ((?:was|had|did|can|cannot|can['’]t|could|will|would|should|must)${END})`, "u"),
    (verb) => `the user ${verb}`,
  ],
  [
    new RegExp(String.raw`${SUBJECT} (${ADVERBS})(${VERBS})${END}`, "u"),
    (adverbs, verb) => `the user ${adverbs}${verb}${/(?:sh|ch|ss|x|z)$/u.test(verb) ? "es" : "s"}`,
  ],
];

/**
 * "I'm new to React" → "The user is new to React"; `undefined` where these few rules do not make a
 * sentence of it: a wrong fact is worse than a first person.
 */
export function inThirdPerson(text: string): string | undefined {
  if (/["“”`]/u.test(text) || !/(?<![\p{L}\p{N}_/-])(?:I|[Mm]y)(?![\p{L}\p{N}_/-])/u.test(text)) return undefined;
  const first = text.search(/(?<![\p{L}\p{N}_/-])I(?![\p{L}\p{N}_/-])/u);
  const own = text.search(/(?<![\p{L}\p{N}_/-])[Mm]y(?![\p{L}\p{N}_/-])/u);
  const named =
    own >= 0 && (first < 0 || own < first)
      ? `${text.slice(0, own)}the user's${text.slice(own + 2)}`
      : nameSubject(text, first);
  if (named === undefined) return undefined;
  const rest = laterMentions(named);
  if (/(?<![\p{L}\p{N}_/-])(?:I|[Mm]ine|[Ww]e(?:['’]\w+)?|us|[Oo]urs)(?![\p{L}\p{N}_/-])/u.test(rest)) return undefined;
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

/** "Part I", "Ana and I", "nor do I": the words after would not fit a third person. */
const NOT_A_LONE_SUBJECT =
  /\b(?:part|phase|stage|level|tier|type|class|volume|world war|and|or|than|am|do|did|have|had|can|could|will|would|should|shall|must|may|might)\s+$/iu;

function nameSubject(text: string, first: number): string | undefined {
  const head = text.slice(0, first);
  const tail = text.slice(first);
  if (NOT_A_LONE_SUBJECT.test(head)) return undefined;
  for (const [pattern, say] of AS_THE_USER) {
    const match = pattern.exec(tail);
    if (match?.index === 0)
      return head + say(...match.slice(1).map((group) => group ?? "")) + tail.slice(match[0].length);
  }
  return undefined;
}

/** After the first mention: "and I'm" shares its subject, elsewhere "they" takes the verb as it stands. */
function laterMentions(text: string): string {
  return text
    .replace(
      new RegExp(
        String.raw`(?<=the user is (?:(?!\b(?:when|if|that|because|who|which|while|since|as|so|is|are)\b).)*\b(?:and|but) )${SUBJECT}(?:['’]?m| am)${END}`,
        "giu",
      ),
      "is",
    )
    .replace(new RegExp(String.raw`${SUBJECT}(?:['’]?m| am)${END}`, "gu"), "they are")
    .replace(new RegExp(String.raw`${SUBJECT}(?=['’](?:ve|d|ll)${END})`, "gu"), "they")
    .replace(
      new RegExp(
        String.raw`${SUBJECT}(?= (?:have|do|don['’]?t|can|cannot|could|will|would|should|must|had|did|(?:${ADVERBS})(?:${VERBS}))${END})`,
        "gu",
      ),
      "they",
    )
    .replace(/(?<![\p{L}\p{N}_/-])my(?![\p{L}\p{N}_/-])/gu, "their")
    .replace(/(?<![\p{L}\p{N}_/-])myself(?![\p{L}\p{N}_/-])/gu, "themselves")
    .replace(/(?<![\p{L}\p{N}_/-])me(?![\p{L}\p{N}_/-])/gu, "them");
}
