/** Words that say where, for whom or when a statement holds. A different one makes a different subject. */
export const SETTINGS: readonly { readonly of: string; readonly words: string }[] = [
  {
    of: "environment",
    words:
      "staging production prod dev development qa uat preview sandbox local locally laptop laptops ci test tests testing demo canary beta nightly produktion testumgebung recette preproduction pruebas producción produção produzione тест продакшен preproducción preproduccion préproduction préprod preprod stage stg homologação homologación vorproduktion produktiv produktivumgebung produktionsumgebung entwicklung entwicklungsumgebung testsystem développement desarrollo desenvolvimento sviluppo collaudo preproduzione prod-umgebung продакшн прод продакшене стейджинг стейджинге разработке тестовой produkcja produkcji produkcyjny produkcyjnym testowe testowym stagingu 生产 测试 预发 开发 本番 検証 開発 ステージング 운영 스테이징",
  },
  {
    of: "place",
    words:
      "germany switzerland austria france italy spain portugal poland japan korea china india brazil canada us usa uk eu europe asia america emea apac deutschland österreich schweiz frankreich italien spanien belgique suisse allemagne alemania francia españa",
  },
  {
    of: "component",
    words:
      "frontend backend api web mobile ios android desktop server client service worker gateway admin website app cli docs library module package database cache queue landing dashboard",
  },
  {
    of: "people",
    words:
      "customer customers guest guests admin admins intern interns contractor contractors reviewer reviewers free paid enterprise",
  },
  {
    of: "condition",
    words:
      "when if unless while during outside inside within before after until except weekdays weekends holidays wenn falls außer quand si cuando si quando se если когда",
  },
];

/** Settings only where they are written in capital letters. */
export const CAPITAL_SETTINGS: ReadonlySet<string> = new Set("us usa uk eu".split(" "));

/** A number after one of these names a thing; it is not a value. */
export const NUMBERED: ReadonlySet<string> = new Set(
  "issue issues pr mr ticket bug task story phase step case chapter section page milestone sprint round team day week item row line slot shard part stage level lesson exercise figure table appendix rfc adr room floor building customer user account order invoice group batch run test build".split(
    " ",
  ),
);

/** Words for which a number is a value, wherever it occurs. */
export const MEASURED: ReadonlySet<string> = new Set(
  "port ports version timeout limit size count level threshold puerto porta порт версия version puerto 端口 ポート 포트 番ポートで待ち受ける".split(
    " ",
  ),
);

export const UNITS: ReadonlySet<string> = new Set(
  "time times second seconds sec minute minutes min hour hours day days week weeks month months year years percent % character characters column columns space spaces line lines token tokens byte bytes kb mb gb tb ms s m h px req requests replica replicas approval approvals review reviews reviewer reviewers retry retries attempt attempts user users sekunden minuten stunden tage prozent secondes minutes heures jours segundos minutos horas секунд минут часов 秒 分 端口".split(
    " ",
  ),
);

/** Verbs that look like plurals and may follow a number. */
export const VERBS: ReadonlySet<string> = new Set(
  (
    "adds allows asks belongs blocks breaks calls comes contains covers crashes creates depends deploys does ends expects " +
    "fails fixes gets gives goes handles happens has holds hosts keeps lacks lands lists listens lives loads looks makes " +
    "means moves needs owns passes points prints proxies reads refers requires returns runs says sends serves shows ships " +
    "stays starts stops takes talks tells times touches tracks uses waits wants works writes"
  ).split(" "),
);

/** Words that follow a verb, but hardly a counted thing. */
export const OBJECTS: ReadonlySet<string> = new Set("a an the its their our my your no another twice only".split(" "));

/** Words that join parts of a sentence; a value never contains one. */
export const JOINTS: ReadonlySet<string> = new Set(
  "in on at to with for by from of via through über durch into onto over under and or but as than before after per without within about between not no never when if unless while during because so that which is are was were has have do does auf mit für von zu nach bei und oder im am zum zur beim vom in avec pour dans sur et ou de à con para en y o por em no na pelo pela e com da do di nel nella per su и в на с для из от als comme como op met van bij naar uit voor om".split(
    " ",
  ),
);

/** Words whose removal does not change the meaning of a statement. */
export const LIGHT: ReadonlySet<string> = new Set(
  "a an the we i our my us you your he she they their his her its user please just always generally usually really also must should shall will would can team project here hier ici aquí aqui qui der die das dem den ein eine einen einem wir ich unser unsere immer bitte le la les un une des nous je notre el los las una nosotros yo nuestro siempre nós eu nosso sempre il lo gli noi io мы я наш всегда 我们 我 我們 est sommes siamo we're we've we'll we'd i'm i've i'll i'd they're it's that's there's everything's c'est qui still noch encore todavía aún ainda ancora ещё finally endlich enfin hemos ha han he avons ont haben hat sind abbiamo hanno gente wird werden wurde wurden wordt worden zijn heeft hebben het een onze wij nasz nasza nasze są został została".split(
    " ",
  ),
);

/** "We deploy everything on Heroku" means the same as "we deploy on Heroku". */
export const WHOLE: ReadonlySet<string> = new Set("everything alles tout todo tudo tutto всё".split(" "));

/** What a team does with a tool: "we track bugs in Jira" ends when the team leaves Jira, whatever it tracks. */
export const PRACTICES: ReadonlySet<string> = new Set(
  "track write host store keep log monitor manage build test lint format bundle document plan chat ship release publish review report file serve render schedule sign translate design deploy send".split(
    " ",
  ),
);

/**
 * How languages say that something changed. The named groups of a row are `from` for what held before, `to` for what
 * holds now, and `what` for the thing itself. The first row that matches a sentence counts. Each row has an example.
 */
export interface ChangeRow {
  /** A pattern in RegExp notation, without anchors and flags. */
  readonly says: string;
  readonly example: string;
}

const MOVED =
  "(?:switch(?:ed|ing)?|mov(?:ed|ing)|migrat(?:ed|ing)|chang(?:ed|ing)|converted|transitioned|went|upgraded|ported|renamed|relocated|transferred|shifted|raised|lowered|increased|reduced|decreased|bumped|extended|shortened|cut)";

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
    says: "(?!(?:we|i|they|the team)\\b)(?<to>\\S+(?: \\S+)?) (?:has |have )?(?:now )?(?:replaced|replaces|replace|superseded|supersedes) (?!by\\b|with\\b)(?<from>\\S+(?: \\S+)?)(?<more>(?: (?:in|for|on|as|at) .+)?)",
    example: "Meilisearch has replaced Elasticsearch in the search module",
  },
  {
    says: "(?<what>.*?)(?:\\b(?:troc|substitu|sustitu|reemplaz|cambi|sostitu)\\p{L}+|\\bremplacé) (?:(?:o|a|os|as|el|la|il|le) )?(?<from>\\S+) (?:por|pel[oa]s?|par|con) (?<to>.+)",
    example: "Trocamos o Jenkins pelo CircleCI",
  },
  {
    says: "(?<what>.*?)\\b(?:haben|hat|wurde|wird) (?<from>\\S+) durch (?<to>\\S+) ersetzt",
    example: "Wir haben Jenkins durch CircleCI ersetzt",
  },
  {
    says: "(?<what>.*?)\\b(?:moved|migrated|switched|gone|got|went) (?:off|away from) (?<from>[^,;]+?)(?:[,;] .*)?",
    example: "We moved off Heroku, it is all on AWS",
  },
  {
    says: "(?<from>\\S+(?: \\S+)?) (?:is|are) (?:now|from now on) (?:called|named|known as) (?<to>.+)",
    example: "Otter is now called Heron",
  },
  {
    says: "(?<what>.*?)\\b(?:nicht(?: mehr)?|keine?n?(?: mehr)?) (?<from>[^,]+), sondern (?<to>.+)",
    example: "Wir nutzen nicht mehr npm, sondern pnpm",
  },
  {
    says: "(?<what>.*?)(?:\\bno|\\bnão|\\bnon|\\bpas|(?<!\\p{L})не) (?:\\p{Ll}+ )?(?<from>\\S+), (?:sino|mas sim|ma|mais|а) (?<to>.+)",
    example: "No usamos npm, sino pnpm",
  },
  {
    says: "(?<what>.*?)\\b(?:sind|haben|ist|bin|wurde) (?<more>.*?)von (?<from>.+?) (?:zu|auf|nach) (?<to>.+?) (?:gewechselt|umgestiegen|umgezogen|migriert|gewandert|umgestellt|verlegt|verschoben|aktualisiert|erhöht|gesenkt|angehoben|reduziert|verlängert|verkürzt|hochgesetzt|herabgesetzt)",
    example: "Wir sind von Heroku zu AWS gewechselt",
  },
  {
    says: "(?<what>.*?)\\b(?:zijn|hebben|is|heeft|ben) (?<more>.*?)van (?<from>.+?) naar (?<to>.+?) (?:overgestapt|gemigreerd|verhuisd|overgezet|overgegaan|omgezet|verplaatst)",
    example: "We zijn van Heroku naar AWS overgestapt",
  },
  {
    says: "(?<what>.*?)\\b(?:overgestapt|gemigreerd|verhuisd|overgezet|overgegaan|verplaatst) van (?<from>.+?) naar (?<to>.+)",
    example: "We zijn overgestapt van Heroku naar AWS",
  },
  {
    says: "(?<what>.*?)(?:passée?s?|migrée?s?|mise?s? à jour|changée?s?|augmentée?s?|relevée?s?|baissée?s?|réduite?s?|basculée?s?|déménagée?s?|déplacée?s?|transférée?s?|remplacé) (?<more>.*?)(?:de |d['’])(?<from>(?:(?! d(?:e |['’])).)+?) (?:à|vers|sur) (?<to>.+)",
    example: "On est passé de Heroku à AWS",
  },
  {
    says: "(?<what>.*?)\\b(?:(?:migr|actualiz|atualiz|traslad)(?:amos|ad[oa]s?|aron|ou|aram)|mov(?:emos|imos|id[oa]s?|ió|eu|eram|ieron)|(?:aument|baj|baix|reduj|reduz)(?:amos|imos|ou|ó|iram|ad[oa]s?)|sub(?:imos|iu|ió|ido)|cambi(?:amos|ado|aron)|pas(?:amos|ado|aron|sou|samos)|mud(?:amos|ado|aron|ou|aram)|troc(?:amos|ou|aram)) (?<more>[^:;]*?)d[eoa]s? (?<from>(?:(?! d[eoa]s? )[^:;])+?) (?:al?|para(?: [oa]s?)?|por) (?<to>.+)",
    example: "Migramos de Heroku a AWS",
  },
  {
    says: "(?<what>.*?)\\b(?:passat[iaoe]|migrat[iaoe]|aggiornat[iaoe]|aumentat[iaoe]|portat[iaoe]|abbassat[iaoe]|ridott[iaoe]|spostat[iaoe]|trasferit[iaoe]) (?<more>.*?)da (?<from>.+?) a (?<to>.+)",
    example: "Siamo passati da Jenkins a CircleCI",
  },
  {
    says: "(?<what>.*?)(?:перешли|переехали|мигрировали|переключились|(?:подняли|повысили|увеличили|снизили|уменьшили|сократили|продлили)(?: \\p{L}+)*?) (?:с|со|из) (?<from>.+?) (?:на|в|до) (?<to>.+)",
    example: "Мы перешли с Jenkins на CircleCI",
  },
  {
    says: "(?<what>.*?)(?:przeszliśmy|przenieśliśmy|zmigrowaliśmy|przesiedliśmy|przechodzimy)(?: się)?(?<more>.*?) ze? (?<from>.+?) (?:na|do) (?<to>.+)",
    example: "Przeszliśmy z Jenkinsa na CircleCI",
  },
  {
    says: "(?<what>.*?)从(?<from>.+?)(?:迁移|迁|切换|切|换|转|改|搬|提高|提升|降低|降|调整|缩短|延长|增加|减少)(?:到|成|为|用|至)了?(?<to>.+?)了?",
    example: "我们从Heroku迁移到AWS了",
  },
  {
    says: "(?<what>.*?)(?<from>[^\\sはがをのに、]+)から(?<to>.+?)(?:に|へ)(?:移行|変更|切り替え|乗り換え|引っ越|移|引き上げ|引き下げ|延長|短縮|増や|減ら).*",
    example: "HerokuからAWSに移行しました",
  },
  {
    says: "(?<what>.*?)(?<from>\\S+)에서 (?<to>\\S+?)(?:으로|로) (?:옮|전환|이전|바꿨|변경).*",
    example: "Heroku에서 AWS로 옮겼다",
  },
];

/** A thing, or its name, got another name. */
export const RENAMED: readonly ChangeRow[] = [
  {
    says: "(?<what>.*?)\\brenamed (?!from\\b)(?<from>(?:(?! from ).)+?) (?:to|as|into) (?<to>.+)",
    example: "We renamed master to main",
  },
  {
    says: "(?<what>.*?)\\b(?:haben|hat|wurde|ist) (?<from>.+?) in (?<to>.+?) umbenannt",
    example: "Wir haben master in main umbenannt",
  },
  {
    says: "(?<what>.*?)\\b(?:a|ont|avons|été) (?:été )?(?:renommée?s?|rebaptisée?s?) (?!de )(?<from>.+?) en (?<to>.+)",
    example: "On a renommé master en main",
  },
  {
    says: "(?<what>.*?)\\b(?:renombr|renome)(?:amos|é|ado|ada|aron|ou|aram)(?: a)? (?!de )(?<from>.+?) (?:a|como|para|por) (?<to>.+)",
    example: "Renombramos master a main",
  },
  {
    says: "(?:zmieniliśmy|zmieniono|zmieniamy) nazwę (?<what>.*?) ?z (?<from>\\S+) na (?<to>.+)",
    example: "Zmieniliśmy nazwę pakietu z acme-utils na acme-core",
  },
  {
    says: "(?<what>.*?)переименовали (?<from>\\S+) в (?<to>.+)",
    example: "Мы переименовали master в main",
  },
  {
    says: "(?<what>.*?)\\b(?:hebben|heeft|is|zijn) (?<from>.+?) hernoemd naar (?<to>.+)",
    example: "We hebben master hernoemd naar main",
  },
  {
    says: "(?<what>.*?)\\brinominat[oaei] (?!da )(?<from>.+?) in (?<to>.+)",
    example: "Abbiamo rinominato master in main",
  },
];

/** One thing and not another. */
export const REJECTIONS: readonly ChangeRow[] = [
  { says: "(?<to>.+?),? (?:instead of|rather than|in place of) (?<from>.+)", example: "Use spaces instead of tabs" },
  {
    says: "(?!.*\\bany ?more\\b)(?<to>.+?)(?<!\\b(?:do|does|did|is|are|was|were|be|should|must|shall|will|would|can|could|may|might|has|have|had|why|if|or)),? (?:and )?not (?!sure\\b|certain\\b|yet\\b|that\\b|only\\b|really\\b|confirmed\\b)(?:with |on |in )?(?<from>\\S+(?: (?!(?:in|on|for|at|to|with|when|here)\\b)\\S+)?)(?<more>(?: (?:in|on|for|at|to|with|when|here)\\b.*)?)",
    example: "use pnpm not npm",
  },
  {
    says: "(?<to>.+?), (?:and )?(?:never|nie|niemals|jamais|nunca|jamás|mai|nooit|nigdy) (?<from>\\S+)",
    example: "use pnpm, never npm",
  },
  { says: "(?<to>.*\\bprefers? .+?) (?:over|to) (?<from>.+)", example: "prefers tabs over spaces" },
  {
    says: "(?<to>.+?),? (?:nicht(?! mehr)|statt|anstatt|anstelle von) (?<from>\\S+)(?: \\p{Ll}+en)?",
    example: "Benutze pnpm, nicht npm",
  },
  {
    says: "(?<to>.+?), (?:and )?(?:not|nicht|pas|no|não|non|niet|nie|не) (?<from>[^\\s,]+(?: [^\\s,]+)?), (?<more>.+)",
    example: "Use Helm, not Kustomize, for new services",
  },
  {
    says: "(?<to>.+?), (?:en )?niet (?:(?:in|op|met|via|naar) )?(?<from>\\S+)",
    example: "Gebruik pnpm, niet npm",
  },
  {
    says: "(?<to>.+?),? in plaats van (?:(?:in|op|met|via|naar) )?(?<from>.+)",
    example: "Gebruik pnpm in plaats van npm",
  },
  { says: "(?<to>.+?),? pas (?<from>\\S+)", example: "Utilise pnpm, pas npm" },
  {
    says: "(?<to>.+?),? (?:(?:au lieu|à la place) d(?:e |u |es |['’])|plutôt qu(?:e |['’]))(?<from>.+)",
    example: "Utilise fetch au lieu d'axios",
  },
  { says: "(?<to>.+?),? no (?<from>\\S+)", example: "Usa yarn, no npm" },
  { says: "(?<to>.+?),? (?:en vez|en lugar) del? (?<from>.+)", example: "Usa yarn en vez de npm" },
  { says: "(?<to>.+?),? (?:não|non) (?<from>\\S+)", example: "Use pnpm, não npm" },
  {
    says: "(?<to>.+?),? (?:(?:em vez|ao invés) d[eoa]|(?:invece|al posto) (?:di|del|della)) (?<from>.+)",
    example: "Usa pnpm invece di npm",
  },
  { says: "(?<to>.+?),? а не (?<from>\\S+)", example: "Используй pnpm, а не npm" },
  { says: "(?<to>.+?),? вместо (?<from>.+)", example: "Используй pnpm вместо npm" },
  { says: "(?<to>.+?),? (?:a nie|zamiast) (?<from>.+)", example: "Używaj pnpm zamiast npm" },
  { says: "(?<from>\\S+?)(?:ではなく|じゃなくて|の代わりに)、?(?<to>.+)", example: "npmではなくpnpmを使う" },
  { says: "(?<from>\\S+) (?:말고|대신) (?<to>.+)", example: "npm 대신 pnpm 사용" },
  {
    says: "(?<to>.+?)(?:[，,]?(?:而不是|不要用)|(?:[，,]|(?<=用[^，,]+))不用|[，,](?:不要再用|别再用|不再用))(?<from>.+)",
    example: "用pnpm，不用npm",
  },
];

/** Something no longer holds. Removing the match from the sentence, but for a group in it, leaves what held. */
export const ENDINGS: readonly ChangeRow[] = [
  { says: "\\bno longer\\b", example: "We no longer use Redis" },
  {
    says: "(?:\\b(?:do|does|did|are|is)(?:n['’]t| not)\\b|\\bnot\\b)(?=.*\\bany ?more\\b)|\\bany ?more\\b",
    example: "We don't use Redis any more",
  },
  { says: "\\b(?:we |i )?(?:have |has )?stopp?(?:ed)?\\b(?= \\S+ing\\b)", example: "Stop using Redis" },
  {
    says: "\\bnicht mehr\\b|\\bkein(?:e[nrms]?)?\\b([^.]{0,60}?)\\bmehr\\b",
    example: "Wir nutzen Redis nicht mehr",
  },
  { says: "\\b(?:ne |n['’])(?=\\S+ plus\\b)|(?<=\\S )plus\\b(?= )", example: "On n'utilise plus Redis" },
  {
    says: "\\bya no\\b|\\bnão (?=.*\\bmais\\b)|\\bmais$|\\bnon (?=.*\\bpiù\\b)|\\bpiù\\b",
    example: "Ya no usamos Redis",
  },
  { says: "больше не ", example: "Мы больше не используем Redis" },
  {
    says: "(?<!\\p{L})(?:już nie|nie(?= .*\\sjuż(?!\\p{L})))(?!\\p{L})|(?<=(?<!\\p{L})nie .*\\s)już(?!\\p{L})",
    example: "Już nie używamy Redis",
  },
  { says: "不再", example: "我们不再使用Redis" },
];

/** A request to drop a rule, or that one was dropped; `what` names it. */
export const DROPPED_RULES: readonly ChangeRow[] = [
  {
    says: "^(?:the|our) (?:rule|requirement|policy|convention|ban|restriction)s? (?:about|on|of|for|that|to|against|regarding) (?<what>.+?) (?:no longer (?:applies|apply|holds?|exists?)|(?:does(?:n['’]t| not)|do(?:n['’]t| not)) apply any ?more|(?:is|are) (?:gone|off|over|history|void)|(?:has|have) been (?:dropped|lifted|abolished|removed|cancelled|canceled|withdrawn|scrapped)|(?:was|were) (?:dropped|lifted|abolished|removed|cancelled|canceled|withdrawn|scrapped))(?:[,;:–—].*|$)",
    example: "The rule about squash merges no longer applies",
  },
  {
    says: "^(?:die|unsere) (?:regel|vorgabe|regelung|pflicht) (?:über|zu[mr]?|mit|dass|für|von),? (?<what>[^,;]+?),? (?:gilt nicht mehr|ist (?:aufgehoben|abgeschafft|gestrichen|hinfällig|weg)|wurde (?:aufgehoben|abgeschafft|gestrichen)|entfällt)",
    example: "Die Regel zu Squash-Merges gilt nicht mehr",
  },
  {
    says: "^la (?:règle|consigne) (?:sur|de|des|du|concernant|d['’]) ?(?<what>.+?) (?:ne s['’]applique plus|n['’]est plus (?:valable|en vigueur)|n['’]existe plus|est (?:supprimée|levée|abandonnée)|a été (?:supprimée|levée|abandonnée))",
    example: "La règle sur les squash merges ne s'applique plus",
  },
  {
    says: "^(?:la|a) reg(?:la|ra|ola) (?:sobre|su[lig]?\\p{L}*|d[ei]l{0,2}\\p{L}?|d[oa]s?) (?<what>.+?) (?:ya no (?:aplica|vale|existe|rige)|não (?:vale|existe|se aplica) mais|non (?:vale|esiste|si applica) più|(?:foi|fue|è stata) \\p{L}+|acabou|caiu)(?:[,;:–—].*|$)",
    example: "A regra de não fazer deploy às sextas não vale mais",
  },
  {
    says: "^(?:правило|запрет) (?:о|об|про|на) (?<what>.+?) (?:больше не (?:действует|работает)|отменено|отменён|отменили|снят)",
    example: "Правило про squash merge больше не действует",
  },
  {
    says: "^(?:zasada|reguła|zakaz) (?:o|dotycząca|dotyczący|mówiąca o) (?<what>.+?) (?:już nie obowiązuje|nie obowiązuje już|została zniesiona|został zniesiony)",
    example: "Zasada o squash merge już nie obowiązuje",
  },
  {
    says: "^(?<what>.+?)(?:的|这条)(?:规则|规定|要求|约定)(?:已经)?(?:取消|作废|废除|不再适用|不用了).*",
    example: "压缩合并的规则取消了",
  },
  {
    says: "^(?<what>.+?)(?:라는|하는|는|지 않는|던)? (?:규칙|규정)[은을] (?:없앴|폐지|없어졌|더 이상).*",
    example: "스쿼시 머지 규칙은 없앴어",
  },
  {
    says: "^(?:please )?(?:drop|forget|remove|ignore|delete|scrap|lift|discard|abandon) (?:the|that|our|my) (?:\\S+ )?(?:rule|requirement|policy|convention|habit|preference|note|wish)s? (?:about|on|of|for|that|to|regarding) (?<what>.+)",
    example: "Drop the rule about squash merges",
  },
  {
    says: "^(?:please )?(?:drop|forget|remove|ignore|delete|scrap|lift|discard|abandon) (?:the|that|our|my) (?<what>\\S+(?: \\S+){0,2}?) (?:rule|requirement|policy|convention|habit)s?(?:[,;:–—].*|$)",
    example: "Forget the squash merge rule",
  },
  {
    says: "^(?:vergiss|vergesst|streicht?|streiche|ignoriert?|ignoriere) (?:die|unsere) (?:regel|vorgabe|regelung) (?:über|zu[mr]?|mit|dass|für|von|wegen) (?<what>.+)",
    example: "Vergiss die Regel zu Squash-Merges",
  },
  {
    says: "^(?:(?:on )?(?:peut |peux |pouvez )?(?:oublier|oubliez?|oublions|supprimer|supprimez?|laissez? tomber|ignorez?)) la (?:règle|consigne) (?:sur|de|des|du|concernant|d['’]) ?(?<what>.+)",
    example: "Oublie la règle sur les squash merges",
  },
  {
    says: "^(?:(?:se )?(?:puedes|podéis|podemos|pode|podem|podemos) )?(?:olvid|elimin|quit|ignor|remov|esque[cç])\\p{L}* (?:la|a|esa|aquela) reg(?:la|ra) (?:sobre|del?|d[oa]s?) (?<what>.+)",
    example: "Olvida la regla sobre los squash merges",
  },
  {
    says: "^(?:dimentica|elimina|togli|rimuovi) la regola (?:(?:su|sui|sul|sulla|sugli|sulle|di|del|della|dei|delle) |(?:sull|dell|d)['’])(?<what>.+)",
    example: "Dimentica la regola sugli squash merge",
  },
  {
    says: "^(?:vergeet|schrap|laat) de regel (?:over|van|voor|met|rond) (?<what>.+)",
    example: "Vergeet de regel over squash merges",
  },
  {
    says: "^(?:请)?(?:忘掉|忽略|取消|删除|去掉)(?:关于)?(?<what>.+?)的?(?:规则|规定|要求|约定)",
    example: "取消关于压缩合并的规则",
  },
  {
    says: "^(?<what>.+?)(?:に関する|についての|という|の)(?:ルール|決まり|規則)は(?:忘れて|無視|廃止|撤回|なし).*",
    example: "スカッシュマージのルールは忘れてください",
  },
  {
    says: "^(?:zapomnij o zasadzie|usuń zasadę|забудь правило|убери правило) (?:o|про|о|об|dotyczącej|dotyczącą) (?<what>.+)",
    example: "Забудь правило про squash merge",
  },
];

/** Means "from now on"; the statement is the same without it. */
export const NOW: readonly string[] = [
  "now|nowadays|currently|henceforth",
  "from now on|as of now|going forward|as of today|these days|at the moment|at present|right now",
  "jetzt|ab jetzt|ab sofort|nun|inzwischen|neuerdings|künftig|mittlerweile",
  "maintenant|désormais|dorénavant|à partir de maintenant|à présent",
  "ahora|desde ahora|a partir de ahora|agora|a partir de agora|adesso|ora",
  "теперь|отныне|сейчас|с этого дня",
  "teraz|od teraz|obecnie",
  "现在|以后",
  "今は|これからは",
  "이제",
];
