import type { DateWords } from "./date-words.ts";

const TIME = "(?: (?:matin|midi|après-midi|soir))?";
const LAST = "(?:derni(?:er|ère)|passée?)";
const NEXT = "(?:prochaine?)";

export const FRENCH: DateWords = {
  code: "fr",
  known:
    "le|la|les|l|un|une|des|du|de|d|et|est|sont|était|nous|on|il|elle|ils|je|vous|a|ont|avons|au|aux|pour|sur|dans|avec|pas|ne|que|qui|ce|cette|ici|tout|jamais|depuis|avant|faut|été|ci",
  weekdays: ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"],
  months: [
    "janvier",
    "février",
    "mars",
    "avril",
    "mai",
    "juin",
    "juillet",
    "août",
    "septembre",
    "octobre",
    "novembre",
    "décembre",
  ],
  numbers: {
    un: 1,
    une: 1,
    deux: 2,
    trois: 3,
    quatre: 4,
    cinq: 5,
    six: 6,
    sept: 7,
    huit: 8,
    neuf: 9,
    dix: 10,
    onze: 11,
    douze: 12,
    quinze: 15,
  },
  units: { day: "jours?", week: "semaines?", month: "mois", quarter: "trimestres?", year: "ans?|années?" },
  spans: { year: "année|an" },
  days: [
    [-2, "avant-hier"],
    [-1, `hier${TIME}`],
    [0, "aujourd['’]hui|ce (?:matin|soir)|cet après-midi|cette nuit"],
    [1, `demain${TIME}`],
    [2, "après-demain"],
  ],
  last: [`{d} ${LAST}`],
  next: [`{d} ${NEXT}`],
  coming: ["{d} qui vient"],
  this: ["ce {d}"],
  inWeek: [
    [-1, `{d} de la semaine ${LAST}`],
    [0, "{d} de cette semaine"],
    [1, `{d} de la semaine ${NEXT}`],
  ],
  ago: ["il y a {n} {u}"],
  ahead: ["dans {n} {u}"],
  perhapsAhead: [],
  events: "",
  inSpan: [
    [-1, `(?:la |le |l['’])?{s} ${LAST}`],
    [0, "(?:cette|ce) {s}"],
    [1, `(?:la |le |l['’])?{s} (?:${NEXT}|qui vient)`],
  ],
  endOf: [
    [-1, `(?:la )?fin (?:de la |du |de l['’]){s} ${LAST}`],
    [0, "(?:la )?fin (?:de la |du |de l['’]|de cette |de ce ){s}"],
    [1, `(?:la )?fin (?:de la |du |de l['’]){s} ${NEXT}`],
  ],
  dates: ["(?:le )?{k}(?:er)? {m}"],
  bare: `{d}${TIME}`,
  until: "avant|d['’]ici(?: à)?|jusqu['’]à|au plus tard|pour|à rendre|dû|à partir de|échéance :",
  since: "depuis",
  aim: "après|aux?|à|de",
  notAfter:
    "le|la|les|un|une|des|chaque|tous les|toutes les|aucun|plus de|moins de|au moins|environ|(?:jours?|semaines?|mois) (?:avant|après)|premier|deuxième|dernier|que",
  joins: "au?|et|ou",
  moves: ["d[eu]|de la", "au?|à"],
  notBefore: "du mois|de chaque|en huit",
  past: "\\b(?:était|étaient|avait|avaient|fut|furent)\\b|\\b(?:a|ai|as|avons|avez|ont|est|sommes|sont|suis)(?: (?:été|pas|déjà|bien|tout|enfin))* (?!prévu|attendu|fermé|ouvert|occupé)\\p{L}{2,}(?:é|ée|és|ées|i|is|it|ie|u|us|ue|ues|ert|erts)(?!\\p{L})|['’](?:a|ai) \\p{L}{2,}(?:é|i|is|it|u|ert)(?!\\p{L})",
  future:
    "\\b(?:sera|seront|serons|aura|auront|aurons|devra|devront|devrons|fera|feront|ferons|pourra|ira|irons|iront|viendra|\\p{L}{3,}(?:era|erons|eront|erai|irons|iront|ira|drons|dront|trons|tront))(?!\\p{L})|\\b(?:va|vais|vont|allons) \\p{L}+(?:er|ir|re)\\b|\\b(?:prévue?s?|échéance|date limite|à rendre|attendue?s?)(?!\\p{L})",
  standing:
    "\\b(?:toujours|jamais|chaque|tous les|toutes les|d['’]habitude|habituellement|normalement|généralement|quotidien\\p{L}*|hebdomadaire\\p{L}*|mensuel\\p{L}*|si|sauf|affiche|montre|contient|(?:lun|mar|mercre|jeu|vendre|same)dis|(?:est|sont) (?:\\p{L}+ )?d['’]hier|nés? d['’]hier|jour d['’]aujourd)(?!\\p{L})",
  unsure: "environ|à peu près|presque|peut-être|sans doute",
  unsureAfter: "environ|à peu près|et demie?|et quelques|ou presque|ou plus",
  of: "(?<!\\b(?:partir|compter|date|datent) )(?:d['’]|de|du|des|comme)",
  duty: "\\b(?:doi(?:t|vent)|devrai(?:t|ent)|faut|faudrait|besoin|nécessitent?)\\b",
  be: "est|sont",
  which: [
    [
      "\\b(?:les|des|nos|ces) [^,;]{2,40}s,? (?:qui|que|dont|\\p{L}+ée?s|inscrits?|inscrites|ouvert(?:e)?s|reçu(?:e)?s|vendu(?:e)?s|venu(?:e)?s)(?!\\p{L})[^,;]*",
      "",
    ],
  ],
  some: [
    "\\b(?:ceux|celles|quiconque) (?:qui|dont|que)\\b[^,;]*|^\\W*qui\\b[^,;]*|\\b(?:une?|chaque) [^,;]{2,30} (?:qui|que|dont|\\p{L}+ée?)(?!\\p{L})[^,;]*",
    "",
  ],
  anyOne: "(?:les|des|une?|vos|tous les|toutes les) [^,;]*(?:\\p{L}(?:ront|ra|ont|ent)|va)\\b",
  begins: "(?:commenc|démarr|début|lanc|ouvr|ferm|migr|fini|termin|bascul|gel)\\p{L}+",
  cut: "\\b(?:mais|et|car|parce|tandis|donc|puis)\\b",
  week: "semaine du {day}",
};
