import { firm, tentative, type Signal } from "./signal.ts";
import { WHEREABOUTS } from "./signals-whereabouts.ts";

// JavaScript's \b knows ASCII letters only.
const word = (body: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])(?:${body})(?![\\p{L}\\p{N}])`, "iu");
const start = (body: string): RegExp => new RegExp(`(?:^|[,;:.–—-]\\s*)(?:${body})(?![\\p{L}\\p{N}])`, "iu");

/** "Remember to write down that…": what the thing being made must say, not what to remember. */
const CHINESE_CONTENT = /(?:记得|别忘了)(?:要)?(?:写|注明|说明|提到|加上|添加|更新|提交)/u;

const CHINESE: readonly Signal[] = [
  firm("wish", /请(?:一律|都|始终)?用[^，。]{1,6}(?:语|文)(?:来)?(?:回答|回复|写|注释|沟通|交流)/u),
  firm("wish", /(?:记住|请记得|牢记|记得|别忘了|不要忘记)/u, CHINESE_CONTENT),
  firm(
    "wish",
    /(?:从现在(?:开始|起)|从今以后|今后|往后|(?:^|[，。,;；：:\s])以后|下次(?!.{0,6}(?:点击|打开|进入|刷新))|下一次|每次(?=.*(?:要|请|先|必须|应该|记得|别|不要))|每当(?=.*(?:要|请|先|必须|应该|记得|别|不要))|一律|务必|始终|永远(?:都)?(?:要|用|使用|不|别))/u,
    /(?:下次再说|以后再说|以后再)/u,
  ),
  firm("prohibition", /(?:千万(?:不要|别)|绝对(?:不要|不能|不可以?)|永远(?:不要|别|不能)|禁止|严禁|不准|不许)/u),
  firm(
    "correction",
    /(?:不要|别|不是|不应该?|不用)[^。！？]{1,40}[,，]?\s*(?:而是|而应该?|要用|应该用|改用)|而不是|我(?:只是|只)?(?:让|叫|要)你.*不是(?:让|叫|要)你|我(?:已经)?说(?:过|了)(?:不要|别|要)/u,
  ),
  tentative(
    "prohibition",
    /^(?!.*(?:这个|这里|那个|这儿))(?:.*)(?:不要|请勿|别(?:再|去|用|改|动|写|加|删)|不能|不应该)/u,
  ),
  firm("preference", /我(?:更|比较)?(?:喜欢|偏好|倾向于?|习惯)(?!的)/u, /[?？]|吗/u),
  firm(
    "identity",
    /我(?:是(?:一[名个位]|个)?[^。，,]{0,14}(?:工程师|开发者?|程序员|设计师|产品经理|学生|老师|研究员|科学家|创始人|架构师|负责人|新手|初学者|运维|分析师)|(?:不|很|比较|最)?(?:熟悉|擅长|不会|不懂)|用的是|一个人(?:开发|做|维护))/u,
    /[?？]|吗/u,
  ),
  firm(
    "identity",
    /我是(?:做|搞|写|负责)[^，。,]{1,10}的(?!人)|我对[^，。,]{1,12}(?:不太?|很|比较)(?:熟|懂|了解)/u,
    /[?？]|吗/u,
  ),
  firm(
    "decision",
    /(?:我们(?:已经)?(?:决定|约定|选择了?|统一(?:使)?用)|(?:目前|暂时|现阶段)(?:先)?(?:用|使用|采用|不(?:做|支持|用))|改成?用.*(?:不再|代替)|放弃)/u,
    /[?？]|吗/u,
  ),
  tentative("correction", /(?:我们(?:项目)?(?:使?用|采用)的?是?.*(?:不是|不用)|(?:应该(?:用|要)|必须(?:是|用|要)))/u),
];

const JAPANESE: readonly Signal[] = [
  firm("wish", /(?:日本語|英語|敬語)で(?:書い|答え|返答し|回答し|説明し|話し)て/u),
  firm(
    "wish",
    /(?:覚えて(?:おいて|ください|ね)|忘れないで|(?:今後|これから|以後|次回(?:から)?|次から)(?:は|も)?[、,]?|(?:毎回|常に|必ず|いつも)(?=.*(?:ください|こと|ように|して(?:ね|。|$)|しろ|ましょう|すること)))/u,
    /(?:どう|でしょうか|ですか)[?？。]?$/u,
  ),
  firm("prohibition", /(?:絶対に|決して)[^。]*(?:ない|な)(?:で|い|$|。)|禁止/u),
  tentative(
    "prohibition",
    /(?:し|使わ|入れ|書か|変え|触ら|消さ|作ら|追加し|変更し|コミットし|プッシュし)ないで(?:ください|ほしい|くれ)?|(?:する|使う|変える|触る)な(?:[。！!]|$)/u,
  ),
  firm("correction", /(?:では|じゃ)なく(?:て)?[、,]?|(?:の)?代わりに|と言った(?:はず|でしょ|のに)/u, /[?？]$/u),
  firm("preference", /(?:(?:の)?(?:ほう|方)が(?:好き|いい|良い)|好みです|が好きです|を好みます)/u),
  firm(
    "identity",
    /(?:私|僕|俺)は[^。]{0,20}(?:エンジニア|開発者|プログラマー?|デザイナー|学生|初心者|研究者|マネージャー?|一人|担当|専門|未経験|出身)/u,
    /[?？]$|ですか/u,
  ),
  firm(
    "decision",
    /(?:に(?:決め(?:ました|た)|します|しました)|(?:今は|当面は|とりあえず)[^。]*(?:使い|で行き|にし)|ことになりました|採用し)/u,
    /[?？]|か。?$/u,
  ),
];

const KOREAN: readonly Signal[] = [
  firm(
    "wish",
    /(?:기억해|잊지\s?(?:마|말)|명심|앞으로(?:는|도)?|이제부터|다음부터(?:는)?|다음\s?번에(?:는)?|(?:항상|언제나|매번|반드시|꼭)(?=.*(?:세요|줘|십시오|하자|바랍니다|해라|해야|할 것|마|말)))/u,
    /[?？]$/u,
  ),
  firm("prohibition", /(?:절대(?:로)?)[^.]*(?:마|말|않|안)|금지/u),
  tentative("prohibition", /하?지\s?(?:마(?:세요|라|요)?|말(?:아|고|것))/u),
  firm("correction", /(?:말고|대신(?:에)?|(?:이|가)\s?아니라)/u, /[?？]$/u),
  firm("preference", /(?:(?:을|를|이|가)?\s?(?:더\s)?(?:선호|좋아)(?:해|합니다|한다|해요))/u),
  firm("identity", /(?:저는|나는|전)\s[^.]{0,20}(?:개발자|엔지니어|디자이너|학생|초보|연구원|기획자)/u),
  firm(
    "decision",
    /(?:하기로\s?(?:했|결정)|(?:로|으로)\s?(?:가기로|결정)|(?:당분간|일단)은?\s[^.]*(?:(?:로|으로)\s?(?:가|하|진행)|유지|쓰기로|사용하기로|쓰자|쓸게))/u,
    /[?？]$/u,
  ),
];

const GERMAN: readonly Signal[] = [
  firm(
    "wish",
    word(
      "merk(?:e)? dir|denk(?:e)? (?:bitte )?(?:immer )?(?:daran|dran)|vergiss (?:bitte )?nicht|ab (?:jetzt|sofort)|in zukunft|künftig|zukünftig|von nun an|beim nächsten mal|behalte? im (?:kopf|hinterkopf)|grundsätzlich|bitte (?:immer|nie(?:mals)?|stets) (?!noch|wieder)\\p{L}+",
    ),
    /\?$/u,
  ),
  firm(
    "wish",
    start("(?:bitte )?(?:immer|nie(?:mals)?|jedes mal)"),
    /\?$|immer (?:noch|wieder)|jedes mal,? (?:wenn|kommt|bekomme)/iu,
  ),
  firm(
    "wish",
    /^(?:bitte )?(?:\p{Lu}?\p{L}+e?n?(?: sie)?) (?:bitte )?(?:immer|nie(?:mals)?|stets) (?!noch)/u,
    /^(?:das|es|ich|er|sie|die|der|ist|war|hat)\b|\?$/iu,
  ),
  tentative(
    "prohibition",
    word(
      "bitte (?:\\p{L}+ )?nicht|(?:du|wir) (?:sollst|sollten|darfst|dürfen|brauchst) (?:\\p{L}+ ){0,3}?(?:nicht|kein(?:e[nmr]?)?)|keine[nr]? \\p{L}+ (?:mehr )?(?:verwenden|benutzen|hinzufügen|schreiben|anlegen|erstellen)",
    ),
  ),
  firm(
    "correction",
    word(
      "wir (?:nutzen|verwenden|benutzen|arbeiten mit)[^.]*(?:nicht|statt|sondern|also)|nicht [^.]{2,60}, sondern|ich (?:habe|hab) (?:dir )?gesagt|(?:an)?statt(?:dessen)?",
    ),
    /\?$/u,
  ),
  firm(
    "preference",
    word(
      "ich (?:bevorzuge|mag (?:es|keine?n?|lieber)|hätte (?:es )?(?:gern|lieber)|möchte (?:keine?n?|nicht))|mir (?:ist|sind|wäre|wären) .{0,40}lieber",
    ),
    /\?$/u,
  ),
  firm(
    "identity",
    word(
      "ich (?:bin|arbeite als) (?:der einzige |die einzige |eine? )?(?:\\p{L}+[- ]){0,3}?(?:entwickler(?:in)?|ingenieur(?:in)?|designer(?:in)?|student(?:in)?|gründer(?:in)?|anfänger(?:in)?|freiberufler(?:in)?|admin|forscher(?:in)?)|ich kenne mich (?:gut |nicht |kaum )?mit .{2,40} aus",
    ),
  ),
  firm(
    "decision",
    word(
      "wir haben (?:uns )?(?:\\p{L}+ ){0,6}?(?:entschieden|beschlossen)|(?:wir )?bleiben (?:wir )?(?:vorerst |erstmal )?bei|vorerst|fürs erste",
    ),
    /\?$/u,
  ),
];

const FRENCH: readonly Signal[] = [
  firm(
    "wish",
    word(
      "souviens[- ]toi|souvenez[- ]vous|rappelle[- ]toi|retiens|retenez|n['’]oublie[sz]? (?:pas|jamais)|gardez? (?:bien )?(?:à|en) (?:l['’]esprit|tête)|désormais|dorénavant|à partir de maintenant|à l['’]avenir|la prochaine fois",
    ),
    /\?$/u,
  ),
  firm(
    "wish",
    start(
      "(?:s['’]il te plaît,? |stp,? )?(?:toujours|ne jamais|jamais)|(?:utilise|fais|lance|écris|mets|garde|commence|vérifie|exécute)[sz]? toujours|ne? \\p{L}+ jamais",
    ),
    /\?$|toujours (?:pas|la |le |les |en |un|rien)/iu,
  ),
  tentative(
    "prohibition",
    start("(?:s['’]il te plaît,? )?n['’e]\\s?\\p{L}+(?:[- ]\\p{L}+)? (?:pas|plus)|arrêtez? d(?:e|['’])"),
    /\?$/u,
  ),
  firm(
    "correction",
    word(
      "on utilise [^.]*(?:pas|plutôt que|au lieu d)|au lieu d(?:e|['’])|plutôt que|je t['’]ai (?:déjà )?(?:dit|demandé)",
    ),
    /\?$/u,
  ),
  firm(
    "preference",
    word("je (?:préfère|préférerais|n['’]aime pas|ne veux (?:pas|plus)|déteste)|j['’]aime(?:rais)? mieux"),
    /\?$/u,
  ),
  firm(
    "identity",
    word(
      "je suis (?:le seul |la seule |une? )?(?:\\p{L}+ ){0,3}?(?:développeu(?:r|se)|ingénieure?|designer|étudiante?|fondat(?:eur|rice)|débutante?|freelance|chercheu(?:r|se))|je (?:ne connais pas|maîtrise)",
    ),
  ),
  firm(
    "decision",
    word(
      "(?:on|nous) (?:a|avons|est|reste|restons|part|va rester|partons) (?:finalement )?(?:décidé|choisi|sur|avec|parti sur)|pour l['’]instant,? (?:on|nous|je)",
    ),
    /\?$/u,
  ),
];

const SPANISH_PORTUGUESE: readonly Signal[] = [
  firm(
    "wish",
    word(
      "recuerda(?! (?:cuando|que te))|recuerde|ten(?:ga)? en cuenta|no (?:te )?olvides|a partir de ahora|de ahora en adelante|en adelante|la próxima vez|cada vez que (?:tú|te|haga[sn]?|hagamos|crees)|lembre(?:-se)?|lembra(?:-te)?|tenha em mente|não (?:se )?esque[çc]a|n[aã]o (?:te )?esque[çc]as|a partir de agora|de agora em diante|daqui (?:em|pra|para a?) ?(?:diante|frente)|da próxima vez|sempre que (?:você|for|fizer|criar)",
    ),
    /\?$/u,
  ),
  firm(
    "wish",
    start("(?:por favor,? )?(?:siempre|nunca|jamás|sempre|jamais)(?! (?:falla|falha|da error|dá erro|funciona))"),
    /\?$/u,
  ),
  firm(
    "wish",
    start(
      "(?:por favor,? )?antes de (?:cada|qualquer|cualquier|todo|toda|(?:\\p{L}+r) (?:cualquier|qualquer|cada|algum|alguna?|un|uma?|el|os?|la|as?)) [^,.]*,",
    ),
    /\?$/u,
  ),
  tentative(
    "prohibition",
    start(
      "(?:por favor,? )?(?:no|não|nao) (?:uses?|hagas?|crees?|cambies|modifiques|toques|borres|agregues|añadas|escribas|instales|use|faça|faca|crie|mude|modifique|altere|toque|apague|adicione|escreva|instale|mexa|remova|commite|suba)",
    ),
    /\?$/u,
  ),
  firm(
    "correction",
    word(
      "(?:usamos|utilizamos) [^.]*(?:en vez de|en lugar de|em vez de|ao invés de|así que no|então não)|ya te (?:dije|pedí)|(?:eu )?já (?:te )?(?:disse|falei|pedi)",
    ),
    /\?$/u,
  ),
  tentative("correction", word("en (?:vez|lugar) de|em vez de|ao invés de"), /\?$/u),
  firm(
    "preference",
    word("(?:yo )?prefiero|(?:eu )?prefiro|no me gusta(?:n)?|não gosto (?:de|que|quando)|no quiero que|não quero que"),
    /\?$/u,
  ),
  firm(
    "identity",
    word(
      "(?:yo )?soy (?:el único |la única |una? )?(?:\\p{L}+ ){0,3}?(?:desarrollador(?:a)?|ingenier[oa]|diseñador(?:a)?|estudiante|fundador(?:a)?|principiante|freelance)|(?:eu )?sou (?:o único |a única |uma? )?(?:\\p{L}+ ){0,3}?(?:desenvolvedor(?:a)?|dev|engenheir[oa]|designer|estudante|fundador(?:a)?|iniciante|freelancer)",
    ),
  ),
  firm(
    "decision",
    word(
      "(?:hemos decidido|decidimos|por ahora (?:vamos|usamos|nos quedamos|seguimos)|quedémonos con|vamos a seguir con|por enquanto (?:vamos|usamos|ficamos)|vamos ficar com|vamos manter)",
    ),
    /\?$/u,
  ),
];

/** "The error is in the parser, not in the database", "use a map here, not a list": of what is at hand. */
const SLAVIC_REPORT = new RegExp(
  `\\?$|${word("(?:ошибк|проблем|баг|причин|сбо[йя]|дело)\\p{L}*|(?:błąd|błęd|problem|przyczyn|awari)\\p{L}*|win[aęy]|здесь|тут|сюда|tu|tutaj|(?:эт(?:о|от|а|и|у|ой|ом|ого)|ten|ta|to|tę|tego|tej|tym)(?! (?:проект|репозитор|команд|projek|repozytor|zespo))").source}`,
  "iu",
);

const RUSSIAN_POLISH: readonly Signal[] = [
  firm(
    "wish",
    word(
      "запомни(?:те)?|помни(?:те)?|не забывай(?:те)?|не забудь(?:те)?|имей(?:те)? в виду|учти(?:те)?|отныне|впредь|с этого момента|в будущем|в следующий раз|на будущее|каждый раз,? когда ты|pamiętaj(?:cie)?|zapamiętaj|nie zapomnij|nie zapominaj|miej na uwadze|od teraz|od tej pory|w przyszłości|na przyszłość|następnym razem|za każdym razem,? (?:gdy|kiedy)",
    ),
    /\?$/u,
  ),
  firm(
    "wish",
    start("(?:пожалуйста,? |proszę,? )?(?:всегда|никогда|zawsze|nigdy)"),
    /\?$|(?:всегда|никогда(?: не)?) \p{L}+(?:[её]т|ит|[юяу]т|ат|[ая]л[аои]?|ется|ится)(?!\p{L})|(?:zawsze|nigdy(?: nie)?) (?:działa|pada|zwraca|jest|był|pokazuje)/iu,
  ),
  tentative(
    "prohibition",
    start(
      "(?:пожалуйста,? |proszę,? )?(?:больше )?не (?:надо|нужно|стоит|\\p{L}+(?:й|йте|и|ите|ь|ьте))|(?:proszę,? )?nie (?:używaj|rób|zmieniaj|dodawaj|twórz|usuwaj|ruszaj|pisz|commituj|instaluj|edytuj|\\p{L}+aj)",
    ),
    /\?$/u,
  ),
  firm(
    "correction",
    word(
      "мы (?:используем|пользуемся|пишем на)[^.]*(?:а не|вместо|не)|я (?:же )?(?:уже )?(?:сказал|говорил|просил)а?|używamy [^.]*(?:nie|zamiast|więc)|(?:mówił|prosił)[ea]m",
    ),
    /\?$/u,
  ),
  tentative("correction", word("вместо|zamiast"), /\?$/u),
  tentative("correction", word("(?<=,\\s*)(?:а не|a nie)"), SLAVIC_REPORT),
  firm(
    "preference",
    word("я предпочитаю|мне (?:больше|не) нрав(?:ит|ят)ся|wolę|preferuję|nie lubię,? (?:gdy|kiedy|jak)"),
    /\?$/u,
  ),
  firm(
    "identity",
    word(
      "я (?:единственн\\p{L}+ |\\p{L}+[- ]){0,2}(?:разработчик|инженер|программист|дизайнер|студент(?:ка)?|аналитик|основатель|новичок)|jestem (?:jedyn\\p{L}+ |\\p{L}+ ){0,2}(?:programist[aą]|programistką|deweloperem|inżynierem|projektantem|studentem|początkując\\p{L}+|założycielem)",
    ),
    /\?$/u,
  ),
  firm(
    "decision",
    word(
      "мы (?:решили|договорились)|(?:пока(?: что)?) (?:остаёмся|остаемся|используем|оставим|будем)|zdecydowaliśmy|na razie (?:zostajemy|używamy|będziemy)|zostańmy przy",
    ),
    /\?$/u,
  ),
];

/** "Avoid obvious comments in the code": how to write, unless it points at one place. */
const MANNERS: readonly Signal[] = [
  tentative(
    "prohibition",
    start(
      "(?:bitte )?(?:vermeide|lass|spar dir) (?:\\p{L}+ ){0,3}?(?:kommentare|abkürzungen|emojis|mocks|todos|zusammenfassungen)|(?:keine|bitte keine) (?:\\p{L}+ ){0,2}?(?:kommentare|abkürzungen|emojis|mocks|todos|zusammenfassungen)",
    ),
    /\?$|\bdiese[rmns]?\b/iu,
  ),
  tentative(
    "prohibition",
    start(
      "(?:s['’]il te plaît,? )?(?:évite[sz]?|pas de|pas d['’]) ?(?:les |des |d['’])?(?:\\p{L}+ ){0,2}?(?:commentaires?|abréviations?|émojis?|emojis?|mocks?|todos?|résumés?)",
    ),
    /\?$|\bce(?:tte|s|t)?\b/iu,
  ),
  tentative(
    "prohibition",
    start(
      "(?:por favor,? )?(?:evita|evite|sin|sem|nada de) (?:los |las |os |as )?(?:\\p{L}+ ){0,2}?(?:comentarios?|comentários?|abreviaturas|abreviações|emojis?|mocks?|todos|resúmenes|resumos)",
    ),
    /\?$|\best[ea]s?\b/iu,
  ),
];

/** "Answer always in …": the verb comes first and must be an imperative, since "fails always" is a report. */
const VERB_FIRST: readonly Signal[] = [
  firm(
    "wish",
    start(
      "(?:por favor,? |s['’]il te plaît,? |пожалуйста,? |proszę,? )?(?:(?:responde|contesta|usa|utiliza|escribe|haz|ejecuta|pregunta|responda|use|utilize|escreva|faça|execute|pergunte) (?:siempre|sempre)|(?:réponds|répondez|utilise|écris|fais|lance|demande) toujours|(?:отвечай|пиши|используй|делай|запускай|спрашивай|проверяй)(?:те)? всегда|(?:odpowiadaj|pisz|używaj|rób|uruchamiaj|pytaj|sprawdzaj) zawsze|(?:antworte|schreib|schreibe|nutze|verwende|benutze|mach|mache|frag|frage) (?:bitte )?(?:immer|nie))",
    ),
    /\?$/u,
  ),
];

export const OTHER_SIGNALS: readonly Signal[] = [
  ...CHINESE,
  ...JAPANESE,
  ...KOREAN,
  ...GERMAN,
  ...FRENCH,
  ...SPANISH_PORTUGUESE,
  ...RUSSIAN_POLISH,
  ...VERB_FIRST,
  ...MANNERS,
  ...WHEREABOUTS,
];
