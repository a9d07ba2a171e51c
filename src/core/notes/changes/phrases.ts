/**
 * How languages say that something changed. `{x}` and `{y}` are names of the row's parts: `from` what held before, `to` what
 * holds now, `what` the thing itself. The first row that fits a sentence counts. Each row has an example.
 */
export interface ChangeRow {
  /** A pattern in the notation of RegExp, without anchors and flags. */
  readonly says: string;
  readonly example: string;
}

const MOVED =
  "(?:switch(?:ed|ing)?|mov(?:ed|ing)|migrat(?:ed|ing)|chang(?:ed|ing)|converted|transitioned|went|upgraded|ported|renamed)";

/** From one thing to another. */
export const CHANGES: readonly ChangeRow[] = [
  {
    says: `(?<what>.*?)\\b${MOVED}(?: over)?(?<more>(?: (?!from\\b)\\S+){0,6}?) from (?<from>.+?)(?: over)? to (?<to>.+)`,
    example: "We switched from Heroku to AWS",
  },
  {
    says: `(?<what>.*?)\\b(?:replaced?|swapp?(?:ed)?|dropp?(?:ed)?|traded) (?<from>.+?) (?:with|by|for|in favou?r of) (?<to>.+)`,
    example: "We replaced Mocha with Vitest",
  },
  {
    says: "(?<from>.+?) (?:was|were|is|are|got|has been|have been) replaced (?:with|by) (?<to>.+)",
    example: "Mocha was replaced by Vitest",
  },
  {
    says: "(?<what>.*?)\\b(?:sind|haben|ist|bin|wurde) (?<more>.*?)von (?<from>.+?) (?:zu|auf|nach) (?<to>.+?) (?:gewechselt|umgestiegen|umgezogen|migriert|gewandert|umgestellt)",
    example: "Wir sind von Heroku zu AWS gewechselt",
  },
  {
    says: "(?<what>.*?)(?:passée?s?|migré|changé|basculé) (?<more>.*?)de (?<from>.+?) (?:à|vers|sur) (?<to>.+)",
    example: "On est passé de Heroku à AWS",
  },
  {
    says: "(?<what>.*?)\\b(?:migramos|cambiamos|pasamos|mudamos|trocamos|migrado|cambiado) (?<more>.*?)de (?<from>.+?) (?:a|para|por) (?<to>.+)",
    example: "Migramos de Heroku a AWS",
  },
  {
    says: "(?<what>.*?)\\b(?:passat[iaoe]|migrat[iaoe]) (?<more>.*?)da (?<from>.+?) a (?<to>.+)",
    example: "Siamo passati da Jenkins a CircleCI",
  },
  {
    says: "(?<what>.*?)(?:перешли|переехали|мигрировали|переключились) (?:с|со|из) (?<from>.+?) (?:на|в) (?<to>.+)",
    example: "Мы перешли с Jenkins на CircleCI",
  },
  {
    says: "(?<what>.*?)从(?<from>.+?)(?:迁移|切换|换|转|改|搬)(?:到|成|为|用)(?<to>.+?)了?",
    example: "我们从Heroku迁移到AWS了",
  },
  {
    says: "(?<what>.*?)(?<from>[^\\sはがをのに、]+)から(?<to>.+?)(?:に|へ)(?:移行|変更|切り替え|乗り換え).*",
    example: "HerokuからAWSに移行しました",
  },
  {
    says: "(?<what>.*?)(?<from>\\S+)에서 (?<to>\\S+?)(?:으로|로) (?:옮|전환|이전|바꿨|변경).*",
    example: "Heroku에서 AWS로 옮겼다",
  },
];

/** One thing and not another. */
export const REJECTIONS: readonly ChangeRow[] = [
  { says: "(?<to>.+?),? (?:instead of|rather than|in place of) (?<from>.+)", example: "Use spaces instead of tabs" },
  {
    says: "(?!.*\\bany ?more\\b)(?<to>.+?)(?<!\\b(?:do|does|did|is|are|was|were|be|should|must|shall|will|would|can|could|may|might|has|have|had|why|if|or)),? (?:and )?not (?:with |on |in )?(?<from>\\S+(?: \\S+)?)",
    example: "use pnpm not npm",
  },
  { says: "(?<to>.*\\bprefers? .+?) (?:over|to) (?<from>.+)", example: "prefers tabs over spaces" },
  {
    says: "(?<to>.+?),? (?:nicht(?! mehr)|statt|anstatt|anstelle von) (?<from>\\S+)",
    example: "Benutze pnpm, nicht npm",
  },
  { says: "(?<to>.+?),? (?:pas|au lieu de|plutôt que) (?<from>\\S+)", example: "Utilise pnpm, pas npm" },
  { says: "(?<to>.+?),? (?:no|en vez de|en lugar de) (?<from>\\S+)", example: "Usa yarn, no npm" },
  { says: "(?<to>.+?),? (?:não|em vez de|non|invece di) (?<from>\\S+)", example: "Use pnpm, não npm" },
  { says: "(?<to>.+?),? (?:а не|вместо) (?<from>\\S+)", example: "Используй pnpm, а не npm" },
  { says: "(?<to>.+?)[，,]?(?:而不是|不要用|不用)(?<from>.+)", example: "用pnpm，不用npm" },
];

/** What held holds no more. What is taken out of the sentence leaves what held. */
export const ENDINGS: readonly ChangeRow[] = [
  { says: "\\bno longer\\b", example: "We no longer use Redis" },
  {
    says: "(?:\\b(?:do|does|did|are|is)(?:n['’]t| not)\\b|\\bnot\\b)(?=.*\\bany ?more\\b)|\\bany ?more\\b",
    example: "We don't use Redis any more",
  },
  { says: "\\b(?:we |i )?(?:have |has )?stopp?(?:ed)?\\b(?= \\S+ing\\b)", example: "Stop using Redis" },
  { says: "\\bnicht mehr\\b|\\bkeine?n? mehr\\b", example: "Wir nutzen Redis nicht mehr" },
  { says: "\\b(?:ne |n['’])(?=\\S+ plus\\b)|(?<=\\S )plus\\b(?= )", example: "On n'utilise plus Redis" },
  {
    says: "\\bya no\\b|\\bnão (?=.*\\bmais\\b)|\\bmais$|\\bnon (?=.*\\bpiù\\b)|\\bpiù\\b",
    example: "Ya no usamos Redis",
  },
  { says: "больше не ", example: "Мы больше не используем Redis" },
  { says: "不再", example: "我们不再使用Redis" },
];

/** A rule is to go; what is left names it. */
export const DROPPED_RULES: readonly ChangeRow[] = [
  {
    says: "^(?:please )?(?:drop|forget|remove|ignore|delete|scrap|lift|discard|abandon) (?:the|that|our|my) (?:\\S+ )?(?:rule|requirement|policy|convention|habit|preference|note|wish)s? (?:about|on|of|for|that|to|regarding) (?<what>.+)",
    example: "Drop the rule about squash merges",
  },
  {
    says: "^(?:please )?(?:drop|forget|remove|ignore|delete|scrap|lift|discard|abandon) (?:the|that|our|my) (?<what>\\S+(?: \\S+){0,2}?) (?:rule|requirement|policy|convention|habit)s?(?:[,;:–—].*|$)",
    example: "Forget the squash merge rule",
  },
  {
    says: "^(?:vergiss|streiche?) die (?:regel|vorgabe) (?:über|zu|mit|dass|für) (?<what>.+)",
    example: "Vergiss die Regel zu Squash-Merges",
  },
  {
    says: "^(?:oublie|supprime) la règle (?:sur|de|des|du) (?<what>.+)",
    example: "Oublie la règle sur les squash merges",
  },
  {
    says: "^(?:olvida|elimina|quita|esqueça|remova) (?:la|a) reg(?:la|ra) (?:sobre|de|do|da) (?<what>.+)",
    example: "Olvida la regla sobre los squash merges",
  },
];

/** Says that it is so from this day on; the statement is the same without it. */
export const NOW: readonly string[] = [
  "now|nowadays|currently|henceforth",
  "from now on|as of now|going forward|as of today|these days",
  "jetzt|ab jetzt|ab sofort|nun|inzwischen",
  "maintenant|désormais|dorénavant",
  "ahora|desde ahora|a partir de ahora|agora|a partir de agora|adesso|ora",
  "теперь|отныне|сейчас",
  "现在|以后",
  "今は|これからは",
  "이제",
];
