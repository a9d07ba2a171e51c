import type { DateWords } from "./date-words.ts";

const LAST = "(?:pasad[oa]|últim[oa])";
const NEXT = "(?:próxim[oa]|siguiente)";
const COMING = "que viene";
const TIME = "(?: por la (?:mañana|tarde|noche))?";

export const SPANISH: DateWords = {
  code: "es",
  known:
    "a|el|la|los|las|un|una|unos|de|del|y|en|es|son|está|se|que|por|para|con|no|lo|al|nos|hemos|ha|han|fue|era|desde|hasta|hay|antes|debe|nunca|siempre|cada|nuevo|nueva|cuando|su|hace",
  weekdays: ["lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"],
  months: [
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "sep?tiembre",
    "octubre",
    "noviembre",
    "diciembre",
  ],
  numbers: {
    un: 1,
    una: 1,
    dos: 2,
    tres: 3,
    cuatro: 4,
    cinco: 5,
    seis: 6,
    siete: 7,
    ocho: 8,
    nueve: 9,
    diez: 10,
    once: 11,
    doce: 12,
    quince: 15,
  },
  units: { day: "días?", week: "semanas?", month: "mes(?:es)?", quarter: "trimestres?", year: "años?" },
  days: [
    [-2, "anteayer|antes de ayer|antier"],
    [-1, `ayer${TIME}|anoche`],
    [0, "hoy(?: por la (?:mañana|tarde|noche))?|esta (?:mañana|tarde|noche)"],
    [1, "(?<!\\b(?:la|esta|cada|de|una)\\s)mañana(?: por la (?:mañana|tarde|noche))?"],
    [2, "pasado mañana"],
  ],
  last: [`(?:el )?{d} pasado`, "(?:el )?pasado {d}"],
  next: ["(?:el )?{d} siguiente"],
  coming: ["(?:el )?próximo {d}", "(?:el )?{d} próximo", `(?:el )?{d} ${COMING}`],
  this: ["este {d}"],
  inWeek: [
    [-1, "(?:el )?{d} de la semana pasada"],
    [0, "(?:el )?{d} de esta semana"],
    [1, "(?:el )?{d} de la (?:próxima semana|semana que viene)"],
  ],
  ago: ["hace {n} {u}"],
  ahead: ["dentro de {n} {u}"],
  perhapsAhead: ["en {n} {u}"],
  events: "salimos|lanzamos|empezamos|empieza|comienza|termina|llega|migramos|volvemos|revisamos",
  inSpan: [
    [-1, `(?:la |el )?{s} ${LAST}|(?:la |el )?pasad[oa] {s}`],
    [0, "est[ea] {s}"],
    [1, `(?:la |el )?${NEXT} {s}|(?:la |el )?{s} (?:${COMING}|próxim[oa])`],
  ],
  endOf: [
    [-1, "(?:a |el )?(?:fin|fines|final|finales) (?:del |de la )?{s} pasad[oa]"],
    [0, "(?:a |el )?(?:fin|fines|final|finales) (?:de |del |de la |de est[ea] ){s}"],
    [1, `(?:a |el )?(?:fin|fines|final|finales) (?:del |de la )?(?:${NEXT} {s}|{s} ${COMING})`],
  ],
  dates: ["(?:el )?{k} de {m}"],
  // Domingo is a name, too.
  bare: `(?:el |(?!domingo)){d}${TIME}`,
  until: "antes de(?:l)?|hasta(?: el)?|para(?: el)?|a más tardar(?: el)?|plazo:|vence(?: el)?|a partir de(?:l)?",
  since: "desde(?: el)?",
  aim: "tras|después de(?:l)?|al?",
  notAfter:
    "los|las|un|una|cada|todos los|ningún|más de|menos de|al menos|casi|unos|(?:días?|semanas?|mes(?:es)?) (?:antes|después)(?: de(?:l)?)?|primer|segundo|último|que|de|por la|de la",
  joins: "al?|y(?: el)?|o(?: el)?",
  moves: ["del?", "al?"],
  notBefore: "del? (?:cada )?mes|santo",
  past: "(?<!\\p{L})(?:fue|fueron|era|eran|estaba|estaban|hizo|hicimos|hicieron|hubo|tuvo|tuvimos|tuvieron|puso|dijo|vino|pudo|había|habían|\\p{L}{2,}(?:ó|aron|ieron|eron))(?!\\p{L})|\\b(?:he|ha|hemos|han) \\p{L}+(?:ado|ido|to|cho)\\b",
  future:
    "(?<!\\p{L})\\p{L}{2,}(?:ará|erá|irá|drá|arán|erán|irán|drán|aremos|eremos|iremos|dremos|aré|eré|iré)(?!\\p{L})|\\b(?:va|vamos|van|voy) a \\p{L}+|\\b(?:previst[oa]s?|plazo|fecha límite|vence|programad[oa]s?)\\b",
  standing:
    "(?<!\\p{L})(?:nunca|jamás|siempre|cada|todos los|todas las|normalmente|generalmente|habitualmente|suele|solemos|diari\\p{L}+|semanal\\p{L}*|mensual\\p{L}*|si|cuando|salvo|excepto|muestra|contiene|hoy en día|hoy por hoy|de hoy para mañana|(?:es|son) (?:\\p{L}+ )?de ayer|los (?:lunes|martes|miércoles|jueves|viernes|sábados|domingos))(?!\\p{L})",
  unsure: "casi|quizás?|tal vez|aproximadamente|más o menos|alrededor de|unas",
  unsureAfter: "y medi[oa]|y pico|más o menos|aproximadamente|o así|o más|tal vez",
  of: "(?<!\\b(?:partir|antes|después|desde|es|son) )(?:de|del|como)",
  duty: "\\b(?:deben?|debería[n]?|tienen? que|hay que|necesitan?|hace falta|requieren?)\\b",
  which: [
    [
      "\\b(?:los|las|unos|unas|nuestr[oa]s) [^,;]{2,40}s,? (?:que|cuy[oa]s?|\\p{L}{3,}(?:ad|id)[oa]s|hech[oa]s|abiert[oa]s)\\b[^,;]*",
      "",
    ],
  ],
  some: [
    "\\b(?:quien(?:es)?|los que|las que)\\b[^,;]*|\\b(?:una?|cada) [^,;]{2,30} (?:que|cuy[oa]s?|\\p{L}{3,}(?:ad|id)[oa])\\b[^,;]*",
    "",
  ],
  anyOne: "(?:l[oa]s|un[oa]?s?|tod[oa]s l[oa]s) [^,;]*(?:\\p{L}(?:rán?|en|an)|van?)(?!\\p{L})",
  begins: "(?:empez|empiez|comenz|comienz|termin|acab|lanz|abr|cerr|cierr|migr|mud|congel)\\p{L}+",
  cut: "\\b(?:pero|y|porque|mientras|así|luego)\\b",
  week: "semana del {day}",
};
