import type { DateWords } from "./date-words.ts";

const LAST = "(?:scors[oa]|passat[oa])";
const NEXT = "(?:prossim[oa])";
const TIME = "(?: (?:mattina|pomeriggio|sera|notte))?";

export const ITALIAN: DateWords = {
  code: "it",
  known:
    "il|lo|la|i|gli|le|un|uno|una|di|del|della|dei|e|è|sono|era|che|per|con|non|in|al|nel|si|noi|abbiamo|ha|hanno|da|entro|tutto|mai|va|arriva|serve|questo|questa|l",
  weekdays: ["lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica"],
  months: [
    "gennaio",
    "febbraio",
    "marzo",
    "aprile",
    "maggio",
    "giugno",
    "luglio",
    "agosto",
    "settembre",
    "ottobre",
    "novembre",
    "dicembre",
  ],
  numbers: {
    un: 1,
    una: 1,
    due: 2,
    tre: 3,
    quattro: 4,
    cinque: 5,
    sei: 6,
    sette: 7,
    otto: 8,
    nove: 9,
    dieci: 10,
    undici: 11,
    dodici: 12,
    quindici: 15,
  },
  units: { day: "giorn[oi]", week: "settiman[ae]", month: "mes[ei]", quarter: "trimestr[ei]", year: "ann[oi]" },
  days: [
    [-2, "l['’]altro ieri|ieri l['’]altro|altroieri|avantieri"],
    [-1, `ieri${TIME}|stanotte`],
    [0, "oggi|stamattina|stamani|questa mattina|stasera|questa sera|questo pomeriggio"],
    [1, `domani${TIME}`],
    [2, "dopodomani"],
  ],
  last: [`{d} ${LAST}`, "(?:lo )?scors[oa] {d}"],
  next: [`{d} ${NEXT}`, `(?:il |la )?${NEXT} {d}`],
  coming: [],
  this: ["quest[oa] {d}"],
  inWeek: [
    [-1, `{d} della (?:settimana ${LAST}|scorsa settimana)`],
    [0, "{d} di questa settimana"],
    [1, `{d} della (?:settimana ${NEXT}|${NEXT} settimana)`],
  ],
  ago: ["{n} {u} fa"],
  ahead: ["(?:tra|fra) {n} {u}"],
  perhapsAhead: [],
  events: "",
  inSpan: [
    [-1, `(?:la |il |l['’])?{s} ${LAST}|(?:la |lo )?scors[oa] {s}`],
    [0, "quest[oa]? ?['’]?{s}"],
    [1, `(?:la |il |l['’])?(?:${NEXT} {s}|{s} ${NEXT})`],
  ],
  endOf: [
    [-1, `(?:la )?fine (?:del |della |dell['’])(?:{s} ${LAST}|scors[oa] {s})`],
    [0, "(?:la )?fine (?:del |della |dell['’]|di quest[oa] |di )?{s}"],
    [1, `(?:la )?fine (?:del |della |dell['’])(?:${NEXT} {s}|{s} ${NEXT})`],
  ],
  dates: ["(?:il )?{k} {m}"],
  // Domenica is a name, too.
  bare: `(?:(?<=\\b(?:la|di|alla|dalla) )|(?!domenica)){d}${TIME}`,
  until: "entro|prima di|fino a|al più tardi|per|scadenza:|a partire da|scade",
  since: "da|dal",
  aim: "dopo|al?|in|di",
  notAfter:
    "il|la|i|le|un|una|ogni|tutti i|tutte le|nessun|di solito|più di|meno di|almeno|circa|(?:giorn[oi]|settiman[ae]|mes[ei]) (?:prima|dopo)(?: di)?|primo|secondo|ultim[oa]|che|solo(?: di| il)?",
  joins: "al?|e|o",
  moves: ["dal?|dalla", "al?|alla"],
  notBefore: "del mese|di ogni",
  past: "\\b(?:era|erano|aveva|avevano|fu|furono)\\b|(?<!\\p{L})(?:ho|ha|hai|hanno|abbiamo|avete|è|sono|siamo|sei)(?: (?:già|stat[oaie]|appena))* (?!previst|pianificat|programmat|chius|apert|occupat)\\p{L}{2,}(?:at[oaie]|ut[oaie]|it[oaie]|ss[oaie]|tt[oaie]|rs[oaie]|rt[oaie]|st[oaie]|s[oaie])(?!\\p{L})",
  future:
    "(?<!\\p{L})\\p{L}{2,}(?:erà|irà|arà|drà|rrà|eranno|iranno|aranno|dranno|rranno|eremo|iremo|aremo|dremo|rremo)(?!\\p{L})|\\b(?:previst[oaie]|scadenza|scade|pianificat[oaie]|programmat[oaie])(?!\\p{L})",
  standing:
    "(?<!\\p{L})(?:sempre|mai|ogni|tutti i|tutte le|di solito|normalmente|abitualmente|giornalier\\p{L}|settimanal[ei]|settimanalmente|mensil[ei]|se|quando|tranne|salvo|mostra|contiene|oggi come oggi|al giorno d['’]oggi|dall['’]oggi al domani|da oggi a domani|nat[oaie] ieri|(?:è|sono) (?:\\p{L}+ )?di ieri)(?!\\p{L})",
  unsure: "quasi|circa|più o meno|all['’]incirca|forse|poco (?:più|meno) di|oltre|un buon|una buona|mezz[oa]|intorno a",
  unsureAfter: "circa|più o meno|all['’]incirca|o poco più|o giù di lì|forse",
  of: "(?<!(?<!\\p{L})(?:partire|prima|dopo|è|sono) )(?:di|del|della|dell['’]|degli|delle|dei|come)",
  duty: "(?<!\\p{L})(?:dev(?:e|ono)|dovrebbe(?:ro)?|bisogna|serv(?:e|ono)|occorr(?:e|ono)|richied(?:e|ono))(?!\\p{L})",
  be: "è|sono",
  which: [
    [
      "\\b(?:i|gli|le|dei|degli|delle|tutti i|tutte le) [^,;]{2,40}[ie],? (?:che|cui|\\p{L}{3,}(?:at|ut|it|st|rt)[ie])\\b[^,;]*",
      "",
    ],
  ],
  some: ["\\bchi\\b[^,;]*|\\b(?:un[oa']?|ogni) [^,;]{2,30} (?:che|cui|\\p{L}{3,}(?:at|ut|it|st|rt)[oa])\\b[^,;]*", ""],
  anyOne: "(?:i|gli|le|un[oa]?|tutti i|tutte le) [^,;]*\\p{L}(?:ranno|rà|ono)(?!\\p{L})",
  begins: "(?:inizi|cominc|parti|termin|fini|lanci|apr|chiud|migr|spost|congel)\\p{L}+",
  cut: "\\b(?:ma|e|perché|mentre|quindi|poi)(?!\\p{L})",
  week: "settimana del {day}",
};
