import type { DateWords } from "./date-words.ts";

const TIME = "(?: (?:früh|morgen|vormittag|mittag|nachmittag|abend|nacht))?";
const LAST = "(?:letzte[nmrs]?|vergangene[nmrs]?|vorige[nmrs]?)";
const NEXT = "(?:nächste[nmrs]?)";
const COMING = "(?:kommende[nmrs]?)";
const THIS = "(?:diese[nmrs]?)";

export const GERMAN: DateWords = {
  code: "de",
  hasCapitalNouns: true,
  known:
    "der|die|das|den|dem|des|ein|eine|einen|einem|einer|und|ist|sind|war|waren|wir|ich|er|sie|es|hat|haben|hatte|wurde|wird|werden|nicht|mit|für|auf|auch|von|zum|zur|im|am|an|bei|bis|nie|nur|hier|muss|noch|wie|aber|uns|einigen|läuft|kommt|neue|neuer|neu|alle|um|zieht|geht|steht|beginnt|endet|uns|mich|dich|ihr|wenn|dass|beim|über|unter|nach|vor|kein|keine|sich",
  weekdays: ["montag", "dienstag", "mittwoch", "donnerstag", "freitag", "(?:samstag|sonnabend)", "sonntag"],
  months: [
    "januar|jänner",
    "februar",
    "märz",
    "april",
    "mai",
    "juni",
    "juli",
    "august",
    "september",
    "oktober",
    "november",
    "dezember",
  ],
  numbers: {
    ein: 1,
    eine: 1,
    einem: 1,
    einer: 1,
    einen: 1,
    zwei: 2,
    drei: 3,
    vier: 4,
    fünf: 5,
    sechs: 6,
    sieben: 7,
    acht: 8,
    neun: 9,
    zehn: 10,
    elf: 11,
    zwölf: 12,
  },
  units: {
    day: "tag(?:en|e)?",
    week: "wochen?",
    month: "monat(?:en|e|s)?",
    quarter: "quartal(?:en|e|s)?",
    year: "jahr(?:en|e|es|s)?",
  },
  days: [
    [-2, "vorgestern"],
    [-1, `gestern${TIME}`],
    [0, "heute (?:früh|morgen|vormittag|mittag|nachmittag|abend|nacht)|heute"],
    [1, `morgen${TIME}`],
    [2, "übermorgen"],
  ],
  last: [`${LAST} {d}`],
  next: [`${NEXT} {d}`],
  coming: [`${COMING} {d}`],
  this: [`${THIS} {d}`],
  inWeek: [
    [-1, `{d} ${LAST} woche|${LAST} woche (?:am )?{d}`],
    [0, `{d} ${THIS} woche|${THIS} woche (?:am )?{d}`],
    [1, `{d} (?:${NEXT}|${COMING}) woche|(?:${NEXT}|${COMING}) woche (?:am )?{d}`],
  ],
  ago: ["vor {n} {u}"],
  ahead: ["heute in {n} {u}"],
  perhapsAhead: ["in {n} {u}"],
  events:
    "live|startet|starten|beginnt|beginnen|endet|enden|kommt|kommen|ziehen|zieht|treffen|veröffentlichen|release|demo|umstellung|umstieg|weiter",
  inSpan: [
    [-2, "vorletzte[nmrs]? {s}"],
    [-1, `${LAST} {s}`],
    [0, `${THIS} {s}`],
    [1, `(?:${NEXT}|${COMING}) {s}`],
    [2, "übernächste[nmrs]? {s}"],
  ],
  endOf: [
    [-1, `ende ${LAST} {s}`],
    [0, `(?:ende|am ende) (?:des |der |${THIS} )?{s}`],
    [0, "zum (?:monats|quartals|jahres)ende"],
    [1, `ende (?:${NEXT}|${COMING}) {s}`],
  ],
  dates: ["{k}\\. {m}"],
  bare: `{d}${TIME}`,
  until: "bis(?: zum| spätestens)?|spätestens(?: am| bis)?|vor|fällig(?: am)?|ab|frist:|deadline:",
  since: "seit",
  aim: "für|auf|nach|zum",
  notAfter:
    "der|die|das|den|ein(?:e[mnrs]?)?|kein(?:e[mnrs]?)?|jede[mnrs]?|als|alle[nr]?|(?:woche|tag|monat|jahr)e?n? (?:vor|nach|ab)|erste[nrsm]?|guten|am nächsten|über|mehr als|älter als|in der",
  joins: "bis|und|oder",
  moves: ["vo[nm]", "auf|zum?|nach"],
  notBefore: "des monats|im monat",
  past: "\\b(?:war|waren|wurden?|hatten?|ging(?:en)?|fiel(?:en)?|kam(?:en)?|gab(?:en)?|lief(?:en)?|stieg(?:en)?|brach(?:en)?|begann(?:en)?|blieb(?:en)?|fand(?:en)?|sagten?|musste[n]?|konnte[n]?|wollte[n]?)\\b|\\b(?:hat|haben|habe|habt|ist|sind|bin)\\b(?:(?![.;]).)*(?:\\b(?!geplant|angesetzt|vorgesehen|geschlossen|geöffnet|gesperrt|besetzt)(?:\\p{Ll}*ge\\p{Ll}{2,}(?:t|en)|(?:ver|be|ent|er|zer)\\p{Ll}{2,}(?:t|en)|\\p{Ll}+iert|\\p{Ll}+ployt|\\p{Ll}+ed)\\b)|\\b\\p{L}+ierten?\\b",
  future:
    "\\b(?:werden|werde|wird|werdet)\\b(?:(?![.;]).)*(?:\\b(?!\\p{Ll}*ge\\p{Ll}+|(?:ver|be|ent|er|zer)\\p{Ll}+)\\p{Ll}{3,}(?:en|ern|eln)\\b)|\\b(?:geplant|vorgesehen|angesetzt|fällig|Frist|Deadline|Stichtag|Abgabe|Abgabetermin)\\b",
  standing:
    "\\b(?:immer|nie|niemals|jede[nmrs]?|jeweils|stets|grundsätzlich|normalerweise|meistens|üblicherweise|täglich|wöchentlich|monatlich|regelmäßig|falls|wenn|sofern|alle (?:zwei|drei|vier) (?:tage|wochen|monate)|(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)s|außer am|läuft ab|zeigt|enthält|heißt|bedeutet|von heute auf morgen|(?:ist|sind|war|bin) (?:\\p{L}+ )?von gestern|heute \\p{L}+, morgen)\\b",
  unsure: "etwa|ungefähr|circa|ca\\.?|rund|knapp|fast|gut|beinahe|vielleicht|wohl|schätzungsweise|so",
  unsureAfter: "oder so|oder mehr|etwa|ungefähr|circa|rum",
  of: "(?<!\\b(?:ist|sind|war|waren|stammt|stammen) )(?:vo[mn]|aus|mit|wie|für|als)",
  duty: "\\b(?:muss|müssen|soll(?:te)?n?|dürfen|darf|brauch(?:t|en)|benötig(?:t|en))\\b",
  be: "sind",
  which: [["\\p{L}+, (?:die|deren|denen|welche)\\b[^,;]*", "[^,;]*\\b(?:haben|sind|wurden|waren|hatten)\\s*(?:,|$)"]],
  some: [
    "^\\W*[Ww](?:er|essen|em)\\b[^,;]*|\\b(?:ein(?:e[nmrs]?)?|jede[nmrs]?) [^,;]{2,30}, (?:der|die|das|dessen|deren|dem|den)\\b[^,;]*",
    "[^,;]*,",
  ],
  anyOne:
    "(?:(?:eine?|jede[rs]?|alle) (?:\\p{L}+ ){1,2}\\p{L}+|(?!(?:wir|sie|die|unsere|diese|meine)\\b)\\p{L}+ \\p{L}+en)\\b",
  begins: "start\\p{L}*|beg[ia]nn\\p{L}*|end(?:et|en)|umzieh\\p{L}*|zieh\\p{L}*|umstell\\p{L}*|wechsel\\p{L}*|live",
  cut: "\\b(?:aber|und|denn|weil|während|sondern|damit)\\b",
  week: "Woche vom {day}",
};
