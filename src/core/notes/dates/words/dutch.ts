import type { DateWords } from "./date-words.ts";

const LAST = "(?:afgelopen|vorige|verleden)";
const NEXT = "volgende?";
const TIME = "(?:ochtend|morgen|middag|avond|nacht)?";

export const DUTCH: DateWords = {
  code: "nl",
  known:
    "de|het|een|en|is|zijn|was|waren|we|wij|ik|hij|zij|ze|heeft|hebben|had|niet|met|voor|op|van|naar|te|dat|die|dit|bij|er|alles|nooit|altijd|klaar|moet|hier|ons|uit|af|nodig|om|loopt|elke",
  weekdays: ["maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag"],
  months: [
    "januari",
    "februari",
    "maart",
    "april",
    "mei",
    "juni",
    "juli",
    "augustus",
    "september",
    "oktober",
    "november",
    "december",
  ],
  numbers: {
    een: 1,
    één: 1,
    twee: 2,
    drie: 3,
    vier: 4,
    vijf: 5,
    zes: 6,
    zeven: 7,
    acht: 8,
    negen: 9,
    tien: 10,
    elf: 11,
    twaalf: 12,
  },
  units: {
    day: "dag(?:en)?",
    week: "we(?:ek|ken)",
    month: "maand(?:en)?",
    quarter: "kwarta(?:al|len)",
    year: "jaar|jaren",
  },
  days: [
    [-2, "eergisteren"],
    [-1, `gister(?:en(?: ${TIME})?|ochtend|morgen|middag|avond|nacht)`],
    [0, "vandaag|vanmorgen|vanochtend|vanmiddag|vanavond|deze (?:ochtend|morgen|middag|avond)"],
    [1, "(?<!(?:['’]s|de|deze|elke|iedere|goede|in|alle)\\s)morgen(?:ochtend|middag|avond)?(?: vroeg)?"],
    [2, "overmorgen"],
  ],
  last: [`${LAST} {d}`],
  next: [`${NEXT} {d}`],
  coming: ["(?:komende|aanstaande|eerstkomende) {d}", "{d} aanstaande"],
  this: ["deze {d}"],
  inWeek: [
    [-1, `{d} (?:van )?${LAST} week|${LAST} week {d}`],
    [0, "{d} (?:van )?deze week|deze week {d}"],
    [1, `{d} (?:van )?${NEXT} week|${NEXT} week {d}`],
  ],
  ago: ["{n} {u} geleden"],
  ahead: ["over {n} {u}"],
  perhapsAhead: [],
  events: "",
  inSpan: [
    [-1, `${LAST} {s}|vorig {s}`],
    [0, "(?:deze|dit) {s}"],
    [1, `${NEXT} {s}|komende? {s}`],
  ],
  endOf: [
    [-1, `(?:het )?einde? (?:van )?(?:${LAST}|vorig) {s}`],
    [0, "(?:het )?einde? (?:van )?(?:de |het |deze |dit )?{s}"],
    [1, `(?:het )?einde? (?:van )?(?:${NEXT}|komende?) {s}`],
  ],
  dates: ["{k} {m}"],
  bare: `{d}${TIME}`,
  until: "vóór|uiterlijk(?: op)?|tegen|tot(?: en met)?|voor|vanaf|deadline:|ten laatste(?: op)?",
  since: "sinds|sedert",
  aim: "na|naar",
  notAfter:
    "de|het|een|elke|iedere|ieder|elk|geen|alle|meer dan|minder dan|ongeveer|bijna|minstens|(?:dag(?:en)?|week|weken|maand(?:en)?) (?:voor|na|vanaf)|eerste|tweede|laatste|dan|alleen(?: op)?|enkel(?: op)?|goede",
  joins: "tot(?: en met)?|en|of|à|t/m",
  moves: ["van", "naar|op"],
  notBefore: "van de maand|van elke|(?:gezet|gelegd|gepland)\\b",
  past: "\\b(?:was|waren|had|hadden|werd|werden|ging(?:en)?|kwam(?:en)?|viel(?:en)?|liep(?:en)?|brak(?:en)?|bleek|bleken|gaf|gaven|zei(?:den)?|moest(?:en)?|kon(?:den)?|wou|wilde[n]?|deed|deden|begon(?:nen)?|\\p{L}{2,}(?:eerden?|oyden?|ashten?))\\b|\\b(?:hebben|heeft|heb|hebt|is|zijn|ben)\\b(?:(?![.;]).)*\\b(?:\\p{L}*ge\\p{L}{2,}(?:d|t|en)|(?:ver|be|ont|her)\\p{L}{2,}(?:d|t))\\b(?<!\\b(?:gepland|verwacht|gesloten|geopend|bezet))",
  future:
    "\\b(?:zal|zullen|zult)\\b|\\b(?:gaat|gaan|ga)\\b(?:(?![.;]).)* \\p{L}{3,}en\\b|\\b(?:gepland|verwacht|deadline|voorzien)\\b",
  standing:
    "\\b(?:altijd|nooit|elke|elk|iedere|ieder|telkens|steeds|normaal|normaliter|meestal|gewoonlijk|dagelijks|wekelijks|maandelijks|als|indien|tenzij|behalve|toont|bevat|alleen op|wordt|worden|(?:maan|dins|woens|donder|vrij|zater|zon)dags|van vandaag op morgen|vandaag de dag|(?:is|zijn|ben) (?:\\p{L}+ )?van gisteren)\\b",
  unsure: "ongeveer|bijna|zo['’]n|circa|ca\\.?|ruim|krap|pakweg|grofweg|misschien|een kleine|een goede|of",
  unsureAfter: "ongeveer|of zo|of meer|misschien",
  of: "(?<!\\b(?:is|zijn|was|waren|stamt|stammen|dateert) )(?:van|uit|met|zoals|voor|als)",
  duty: "\\b(?:moet(?:en)?|zou(?:den)? moeten|hoort|horen|nodig|vereist(?:en)?)\\b",
  be: "zijn|worden",
  which: [
    [
      "(?:^\\W*|\\b(?:de|alle|onze) )\\p{L}+(?:s|en),? (?:die|waarvan|wier)\\b[^,;]*",
      "[^,;]*\\b(?:hebben|zijn|werden|waren|hadden)\\b(?: \\p{L}+(?:d|t|en)\\b)?,?",
    ],
  ],
  some: ["^\\W*wie\\b[^,;]*|\\b(?:een|elke?|iedere?) [^,;]{2,30} (?:die|dat)\\b[^,;]*", "[^,;]*,"],
  anyOne:
    "(?:(?:een|elke?|iedere?|alle) (?:\\p{L}+ ){1,2}\\p{L}+|(?!(?:we|wij|ze|zij|jullie|onze|de|deze|die)\\b)\\p{L}+(?:s|en) \\p{L}+en)\\b",
  begins: "(?:start|begin|eindig|stop|verhui|lanceer|migre|sluit|open)\\p{L}*|live",
  cut: "\\b(?:maar|en|want|omdat|terwijl|dus)\\b",
  week: "week van {day}",
};
