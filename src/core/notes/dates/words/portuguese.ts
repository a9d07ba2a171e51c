import type { DateWords } from "./date-words.ts";

/** "A segunda parte": without "-feira", a weekday is an ordinal number if a noun follows. */
const FEIRA =
  "(?:-feira|(?=\\s*(?:$|[.,;:!?)\\]]|(?:passada|que vem|da|desta|de manhã|à|às|pela|e|mas|porque|quando|com|em|no|na|para|por)(?!\\p{L}))))";

const LAST = "(?:passad[oa])";
const NEXT = "(?:próxim[oa])";
const COMING = "que vem";
const TIME = "(?: (?:de|à|pela) (?:manhã|tarde|noite))?";

export const PORTUGUESE: DateWords = {
  code: "pt",
  known:
    "o|a|os|as|um|uma|de|do|da|dos|das|e|é|são|que|por|para|com|não|no|na|nos|ao|em|se|foi|era|até|temos|há|nunca|sempre|ele|ela|precisa|precisamos|tem|tudo|só|novo|nova|desde|esta|este|está|fora|nesta|neste|na|meu|sua|seu",
  weekBeginsOnSunday: true,
  weekdays: [
    `segunda${FEIRA}`,
    `terça${FEIRA}`,
    `quarta${FEIRA}`,
    `quinta${FEIRA}`,
    `sexta${FEIRA}`,
    "sábado",
    "domingo",
  ],
  months: [
    "janeiro",
    "fevereiro",
    "março",
    "abril",
    "maio",
    "junho",
    "julho",
    "agosto",
    "setembro",
    "outubro",
    "novembro",
    "dezembro",
  ],
  numbers: {
    um: 1,
    uma: 1,
    dois: 2,
    duas: 2,
    três: 3,
    quatro: 4,
    cinco: 5,
    seis: 6,
    sete: 7,
    oito: 8,
    nove: 9,
    dez: 10,
    onze: 11,
    doze: 12,
    quinze: 15,
  },
  units: {
    day: "dias?",
    week: "semanas?",
    month: "m(?:ês|eses)",
    quarter: "trimestres?",
    year: "anos?",
  },
  days: [
    [-2, "anteontem|antes de ontem"],
    [-1, `ontem${TIME}`],
    [0, "hoje(?: de manhã| à tarde| à noite)?|esta (?:manhã|tarde|noite)"],
    [1, `amanhã${TIME}`],
    [2, "depois de amanhã"],
  ],
  last: [`{d} ${LAST}`, "últim[oa] {d}"],
  next: [`${NEXT} {d}`, `{d} ${COMING}`],
  coming: [],
  this: ["(?:nesta|neste|esta|este) {d}"],
  inWeek: [
    [-1, "{d} da semana passada"],
    [0, "{d} desta semana"],
    [1, `{d} da (?:${NEXT} semana|semana ${COMING})`],
  ],
  ago: ["(?:há|faz) {n} {u}(?: atrás)?", "{n} {u} atrás"],
  ahead: ["daqui a {n} {u}"],
  perhapsAhead: ["em {n} {u}"],
  events: "lançamos|entramos|começamos|começa|termina|chega|migramos|voltamos|revisamos",
  inSpan: [
    [-1, `(?:[oa] )?{s} ${LAST}`],
    [0, "(?:este|esta|neste|nesta) {s}"],
    [1, `(?:[oa] )?${NEXT} {s}|(?:[oa] )?{s} (?:${COMING}|seguinte)`],
  ],
  endOf: [
    [-1, "(?:o )?(?:fim|final) d[oa] {s} passad[oa]"],
    [0, "(?:o )?(?:fim|final) (?:do|da|deste|desta|de) {s}"],
    [1, `(?:o )?(?:fim|final) d[oa] (?:${NEXT} {s}|{s} ${COMING})`],
  ],
  dates: ["{k} de {m}"],
  // Domingo is a name, too.
  bare: `(?:(?<=\\b(?:no|o|ao|do|até) )|(?!domingo)){d}${TIME}`,
  until: "até(?: a| o)?|antes d[aeo]|para(?: a| o)?|no máximo(?: até)?|prazo:|vence(?: na| no)?|a partir d[aeo]",
  since: "desde(?: a| o)?",
  aim: "após|depois d[aeo]|pra|à",
  notAfter:
    "as|os|às|aos|a|o|uma?|cada|tod[oa]s?(?: as| os| a| o)?|nenhum[a]?|mais de|menos de|pelo menos|quase|cerca de|(?:dias?|semanas?|meses|mês) (?:antes|depois)(?: d[aeo])?|primeir[oa]|segund[oa]|que|de|só|apenas|só na|apenas na",
  joins: "a|à|ao|até|e|ou",
  moves: ["d[aeo]", "para(?: a| o)?|a|à"],
  notBefore: "do mês|de cada|-feira|parte|vez|opção|versão|etapa|fase",
  past: "(?<!\\p{L})(?:foi|foram|era|eram|estava|estavam|teve|tivemos|tiveram|fez|fizemos|fizeram|houve|disse|veio|pôde|tinha|tinham|caiu|saiu|\\p{L}{3,}(?:ou|aram|eram|iram)|(?!meu|teu|seu|viveu)\\p{L}{2,}(?:eu|iu))(?!\\p{L})(?<!(?<!\\p{L})(?:sou|vou|dou|estou|meu|seu|teu|museu|europeu))",
  future:
    "(?<!\\p{L})\\p{L}{2,}(?:ará|erá|irá|arão|erão|irão|aremos|eremos|iremos|arei|erei|irei)(?!\\p{L})|\\b(?:vai|vão|vamos|vou) \\p{L}+[aei]r\\b|\\b(?:previst[oa]s?|prazo|vence|programad[oa]s?|agendad[oa]s?)\\b",
  standing:
    "(?<!\\p{L})(?:nunca|jamais|sempre|cada|tod[oa]s?|normalmente|geralmente|costuma|diári\\p{L}+|semanal\\p{L}*|mensal\\p{L}*|se|quando|exceto|salvo|mostra|contém|hoje em dia|de hoje para amanhã|(?:é|são) (?:\\p{L}+ )?de ontem|às (?:segundas|terças|quartas|quintas|sextas))(?!\\p{L})",
  unsure: "quase|(?:vinte|trinta) e|talvez|aproximadamente|mais ou menos|uns|umas|por volta de|mei[oa]",
  unsureAfter: "e mei[oa]|e pouc[oa]s?|mais ou menos|aproximadamente|ou mais|talvez|ou assim",
  of: "(?<!(?<!\\p{L})(?:partir|antes|depois|desde|é|são) )(?:de|d[ao]s?|como)",
  duty: "\\b(?:devem?|deveria[m]?|tem (?:que|de)|têm (?:que|de)|precisa[m]?|é preciso|exige[m]?)\\b",
  which: [
    [
      "(?<!\\p{L})(?:os|as|uns|umas|noss[oa]s) [^,;]{2,40}s,? (?:que|cuj[oa]s?|\\p{L}{3,}(?:ad|id)[oa]s|feit[oa]s|abert[oa]s)\\b[^,;]*",
      "",
    ],
  ],
  some: ["\\bquem\\b[^,;]*|\\b(?:uma?|cada) [^,;]{2,30} (?:que|cuj[oa]s?|\\p{L}{3,}(?:ad|id)[oa])\\b[^,;]*", ""],
  anyOne: "(?:[oa]s|uma?|uns|umas|tod[oa]s [oa]s) [^,;]*(?:\\p{L}(?:rão|rá|em|am)|v(?:ão|ai))(?!\\p{L})",
  begins: "(?:começ|inici|termin|acab|lanç|abr|fech|migr|mud|congel)\\p{L}+",
  cut: "(?<!\\p{L})(?:mas|e|porque|enquanto|então|depois)(?!\\p{L})(?! de amanhã| d[aeo] )",
  week: "semana de {day}",
};
