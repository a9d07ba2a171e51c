/**
 * The ways of saying outright that something is to hold from now on, or who somebody is: what rules may write unseen.
 * Each stands on its own and is tried on a sentence whose code, addresses and quotations are masked and whose greeting is
 * cut. Short on purpose: whatever else a person means is read by whoever judges the session.
 */
export interface Explicit {
  readonly kind: "wish" | "identity";
  readonly pattern: RegExp;
  /** The same words, but not in this sense. */
  readonly unless?: RegExp;
}

const explicit =
  (kind: Explicit["kind"]) =>
  (pattern: RegExp, unless?: RegExp): Explicit => ({ kind, pattern, ...(unless !== undefined && { unless }) });
const wish = explicit("wish");
const identity = explicit("identity");

// Where an order can begin: the sentence, a clause after a comma or dash, or after "and", "but", "please"…
const START = String.raw`(?:^|[,;:(–—]\s*|\s-\s|\b(?:and|but|so|then|please|also|just|again|instead)[,:]?\s+)`;
const PLEASE = String.raw`(?:please,?\s+|pls\s+|kindly\s+|also,?\s+|just\s+)*`;
const clause = (body: string): RegExp => new RegExp(START + PLEASE + body, "i");
// JavaScript's \b knows ASCII letters only.
const word = (body: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])(?:${body})(?![\\p{L}\\p{N}])`, "iu");
const start = (body: string): RegExp => new RegExp(`(?:^|[,;:.–—-]\\s*)(?:${body})(?![\\p{L}\\p{N}])`, "iu");

const ENGLISH: readonly Explicit[] = [
  wish(
    /\b(?:from now on|going forward|moving forward|from here on(?: out)?|from this point on|henceforth|as a (?:general )?rule(?=[,.:]|$| (?:we|i|you)\b)|for future reference|in all future|for (?:all|any) future|by default,? (?:always|please|use|you|i))\b/i,
  ),
  wish(
    clause(
      String.raw`(?:remember|keep in mind|bear in mind|don['’]?t forget|do not forget|please note|take note|make a (?:mental )?note)\b`,
    ),
    /\b(?:do you remember|can't remember|remember (?:me\b|when|how we|last)|forget about it|remember (?:this|that|it)[.!]?$)/i,
  ),
  wish(
    /\bkeep (?:this|that|it) in mind\b|\b(?:commit|save|add|store) (?:this|that|it)? ?to (?:your )?memory\b/i,
    /\bwith (?:this|that|all)/i,
  ),
  wish(
    /\b(?:i(?:['’]d| would)? (?:want|like|need)|want) you to (?:always|never|remember|only)\b|\b(?:make it a habit|get (?:in|into) the habit|i expect you) (?:to|of)\b/i,
  ),
  // The imperative has the bare verb; "always fails", "never worked" report what happens.
  wish(
    clause(
      String.raw`(?:(?:always|never)(?:, ever|,)?|don['’]?t ever|do not ever)\s+(?!mind\b|on\b|off\b|in\b|at\b|been\b|the\b|a\b|seen\b|had\b|done\b|got\b|saw\b|heard\b|knew\b|\w+(?:ed|ing)\b|\w*[^s\W]s\b)[\x60\w]`,
    ),
    /^(?:it|this|that|they|the|these|those|an?) [^,;:–—]*\b(?:and|but|then|also) (?:always|never)\b/i,
  ),
  wish(
    /^(?:we|i|you) (?:always|never) (?:want|use|prefer|do|run|commit|merge|push|deploy|write|keep|add|put|work|develop|name|squash|rebase|require|test|review)\b/i,
    /\b(?:that|which|who) (?:we|i|you) (?:always|never)\b/i,
  ),
  // What "whenever you …" asks for is whatever follows, unless somebody other than the agent acts there.
  wish(
    /^(?:please )?whenever you [^,]{3,80},\s*(?!(?:it|i|we|they|the|this|that|there|he|she|you|my|our|a|an|what|why|is|are|does|do you)\b)\w+ \S+/i,
    /\?$/,
  ),
  // "Check it whenever you touch the parser": an order for every time; "fix it whenever you like" is none.
  wish(
    clause(
      String.raw`(?!(?:i|we|it|they|he|she|you|the|an?|this|that|there|what|who|how|why|is|are|was|do|does|did|can|will|would|should|could|my|your|our)\b)[a-z]+\s[^,.?]{1,60}?\b(?:whenever|every time|each time) you (?!like\b|want\b|can\b|have time\b|feel\b|are (?:ready|free|done)\b)\w+`,
    ),
    /\?$/,
  ),
  wish(/\S+ \S+.*,\s*(?:always|every time|each time|in general|as always)[.!]*$/i, /^(?:it|this|that|the)\b/i),
  wish(clause(String.raw`next time\b`), /\bnext time (?:i|it|the|that)\b[^,]*$/i),
  wish(
    clause(
      String.raw`(?:(?:always )?(?:ask|check with|consult|confirm with|warn|notify) me (?:first )?(?:before|whenever|when|if)\b|let me (?:review|check|approve|see) [^.,]{0,40}before you (?:commit|push|merge|deploy|publish|delete|send)\b)`,
    ),
  ),
];

const LANGUAGE =
  "(?:english|german|french|spanish|portuguese|italian|dutch|polish|russian|czech|ukrainian|turkish|hindi|chinese|japanese|korean|arabic|hebrew)";

const ROLE = String.raw`(?:engineer|developer|dev|designer|manager|lead|architect|founder|co-?founder|cto|ceo|cpo|pm|po|owner|maintainer|contributor|student|teacher|professor|researcher|scientist|analyst|consultant|freelancer|contractor|solopreneur|entrepreneur|programmer|coder|admin(?:istrator)?|sysadmin|sre|devops|beginner|novice|newbie|expert|writer|marketer|intern|junior|senior|hobbyist|user|doctor|nurse|lawyer|accountant|artist|musician|journalist|statistician|physicist|biologist|mathematician|economist)`;
const ENGLISH_IDENTITIES: readonly Explicit[] = [
  identity(
    new RegExp(
      String.raw`\b(?:i['’]?m|i am)(?: also| just| currently| basically)? (?:not )?(?:an?|the|your) (?:[\w/+#.-]+ ){0,4}?${ROLE}\b(?! (?:who|that) (?:would|wants|clicks|needs)| story| stories)`,
      "i",
    ),
    /\bas (?:an?|the) (?:[\w-]+ )?user\b|\bas a (?:result|consultant might)|\b(?:act|acting|you are|imagine|pretend|behave|looks?|works?|serves?|treat\w*) (?:i['’]?m |i am )?as\b/i,
  ),
  identity(
    /\bi(?:['’]?m| am) (?:the )?(?:only|sole|primary|main|lead) (?:team member|member|developer|dev|user|maintainer|engineer|owner|person|one|contributor)\b|\bi (?:work|build|develop) (?:alone|solo|by myself|on my own)\b/i,
  ),
  identity(
    /\bi(?:['’]?m| am) (?:most |more |very |really |pretty |quite |fairly |not (?:very |really |that |too )?)?(?:comfortable|familiar|fluent|experienced|proficient|good|bad|terrible|awful|new|inexperienced|unfamiliar|colou?r-?blind|dyslexic|deaf|left-handed) (?:with|in|at|to)\b/i,
    /\b(?:good|comfortable|familiar|new) (?:with|to|at|in) (?:that|this|it|the|either|whatever|you|what|how|both|going|your|these)\b|\?$/i,
  ),
  identity(
    /\bi(?:['’]?m| am) (?:colou?r-?blind|dyslexic|self-taught)\b|\bi (?:don['’]?t|do not) (?:know|speak|write|understand) (?:any |much |a lot of )?(?:python|javascript|typescript|rust|go|golang|java|kotlin|swift|c\+\+|c#|sql|react|css|html|bash|docker|kubernetes|git|english|german|french|spanish)\b/i,
  ),
  identity(
    /\b(?:is|isn['’]?t|is not) my (?:first|native|second|mother) (?:language|tongue)\b|\bi(?:['’]m| am) (?:still |currently )?(?:learning|teaching myself|studying) (?!how\b|why\b|what\b|that\b|it\b|this\b|an? lot\b|so much\b|much\b|something\b|from\b)\w+/i,
    /\?$/,
  ),
  identity(
    new RegExp(
      String.raw`\bi come from (?:an? )?\S+(?: \S+){0,2} background\b|\bi have (?:no|little|some|a lot of|lots of|basic|limited) (?:\w+ )?(?:experience|knowledge)\b|\bi(?:['’]?m| am) (?:based|located|living) in\b|\bi(?:['’]?m| am)? (?:speak|fluent in|a native) ${LANGUAGE}\b|\b(?:there(?:['’]?s| is) only me|it(?:['’]?s| is) (?:just|only) me) (?:on|working|in|here)\b`,
      "i",
    ),
    /\?$/,
  ),
  identity(
    /\bi(?:['’]?m| am) (?:on|using|running) (?:[\w.]+ )?(?:zsh|bash|fish|powershell|nushell|tmux|neo?vim|vim|emacs|vs ?code|cursor|intellij|webstorm|pycharm|xcode|zed|sublime|windows|wsl2?|mac ?os|a mac|an? m\d|macbook|linux|ubuntu|debian|fedora|arch|nix(?:os)?|ghostty|iterm2?|kitty|alacritty|warp)\b/i,
  ),
  identity(
    /\b(?:i|we) use (?:[\w.]+ )?(?:zsh|bash|fish|powershell|nushell|neo?vim|vim|emacs|vs ?code|intellij|webstorm|pycharm|windows|wsl2?|mac(?: ?os)?|linux|ubuntu|nix(?:os)?|a (?:mac(?:book)?|windows|linux|dvorak|colemak|qwertz|azerty|\w+ keyboard))\b/i,
  ),
  identity(
    /\bmy (?:role|job|background|title|profession|expertise|time ?zone|native language|mother tongue|first language|name|pronouns|shell|editor|ide|os|operating system|main language|machine|laptop|keyboard)(?: here)? (?:is|are)\b|\bcall me [A-Z]\w+/i,
  ),
  identity(
    /\bi(?:['’]ve| have) (?:been (?:a |an |writing|working|programming|coding|developing|using|doing) ?.*\b(?:for|since)\b.*\b(?:years?|decades?|\d{4})\b|(?:\d+|\w+)\+? years? (?:of )?experience|never (?:used|written|touched|worked with|done))\b/i,
  ),
  identity(
    /\b[iI] (?:work|live) (?:at|for|as|in|from) (?:an? |the )?[A-Z]?\w+/u,
    /\bi (?:work|live) (?:in|from|on|at) (?:the|this|that|here|it)\b/i,
  ),
];

/** "Remember to write down that…": what the thing being made must say, not what to remember. */
const CHINESE_CONTENT = /(?:记得|别忘了)(?:要)?(?:写|注明|说明|提到|加上|添加|更新|提交)/u;

const CHINESE: readonly Explicit[] = [
  wish(/请(?:一律|都|始终)?用[^，。]{1,6}(?:语|文)(?:来)?(?:回答|回复|写|注释|沟通|交流)/u),
  wish(/(?:记住|请记得|牢记|记得|别忘了|不要忘记)/u, CHINESE_CONTENT),
  wish(
    /(?:从(?:现在|今天|此)(?:开始|起)|从今以后|今后|往后|(?:^|[，。,;；：:\s])以后|下次(?!.{0,6}(?:点击|打开|进入|刷新))|下一次|每次(?=.*(?:要|请|先|必须|应该|记得|别|不要))|每当(?=.*(?:要|请|先|必须|应该|记得|别|不要))|一律|务必|始终|永远(?:都)?(?:要|用|使用|不|别))/u,
    /(?:下次再说|以后再说|以后再)/u,
  ),
  identity(
    /我是(?:做|搞|写|负责)[^，。,]{1,10}的(?!人)|我对[^，。,]{1,12}(?:不太?|很|比较)(?:熟|懂|了解)/u,
    /[?？]|吗/u,
  ),
];

const JAPANESE: readonly Explicit[] = [
  wish(/(?:日本語|英語|敬語)で(?:書い|答え|返答し|回答し|説明し|話し)て/u),
  wish(
    /(?:覚えて(?:おいて|ください|ね)|忘れないで|(?:今後|これから|以後|次回(?:から)?|次から)(?:は|も)?[、,]?|(?:毎回|常に|必ず|いつも)(?=.*(?:ください|こと|ように|して(?:ね|。|$)|しろ|ましょう|すること)))/u,
    /(?:どう|でしょうか|ですか)[?？。]?$/u,
  ),
];

const KOREAN: readonly Explicit[] = [
  wish(
    /(?:기억해|잊지\s?(?:마|말)|명심|앞으로(?:는|도)?|이제부터|다음부터(?:는)?|다음\s?번에(?:는)?|(?:항상|언제나|매번|반드시|꼭)(?=.*(?:세요|줘|십시오|하자|바랍니다|해라|해야|할 것|마|말)))/u,
    /[?？]$/u,
  ),
];

const GERMAN: readonly Explicit[] = [
  wish(
    word(
      "merk(?:e)? dir|denk(?:e)? (?:bitte )?(?:immer )?(?:daran|dran)|vergiss (?:bitte )?nicht|ab (?:jetzt|sofort)|in zukunft|künftig|zukünftig|von nun an|beim nächsten mal|behalte? im (?:kopf|hinterkopf)|grundsätzlich|bitte (?:immer|nie(?:mals)?|stets) (?!noch|wieder)\\p{L}+",
    ),
    /\?$/u,
  ),
  wish(
    start("(?:bitte )?(?:immer|nie(?:mals)?|jedes mal)"),
    /\?$|immer (?:noch|wieder)|jedes mal,? (?:wenn|kommt|bekomme)/iu,
  ),
  wish(
    /^(?:bitte )?(?:\p{Lu}?\p{L}+e?n?(?: sie)?) (?:bitte )?(?:immer|nie(?:mals)?|stets) (?!noch)/u,
    /^(?:das|es|ich|er|sie|die|der|ist|war|hat)\b|\?$/iu,
  ),
  identity(
    word(
      "ich (?:bin|arbeite als) (?:der einzige |die einzige |eine? )?(?:\\p{L}+[- ]){0,3}?(?:entwickler(?:in)?|ingenieur(?:in)?|designer(?:in)?|student(?:in)?|gründer(?:in)?|anfänger(?:in)?|freiberufler(?:in)?|admin|forscher(?:in)?)|ich kenne mich (?:gut |nicht |kaum )?mit .{2,40} aus",
    ),
  ),
];

const FRENCH: readonly Explicit[] = [
  wish(
    word(
      "souviens[- ]toi|souvenez[- ]vous|rappelle[- ]toi|retiens|retenez|n['’]oublie[sz]? (?:pas|jamais)|gardez? (?:bien )?(?:à|en) (?:l['’]esprit|tête)|désormais|dorénavant|à partir de maintenant|à l['’]avenir|la prochaine fois",
    ),
    /\?$/u,
  ),
  wish(
    start(
      "(?:s['’]il te plaît,? |stp,? )?(?:toujours|ne jamais|jamais)|(?:utilise|fais|lance|écris|mets|garde|commence|vérifie|exécute)[sz]? toujours|ne? \\p{L}+ jamais",
    ),
    /\?$|toujours (?:pas|la |le |les |en |un|rien)/iu,
  ),
  identity(
    word(
      "je suis (?:le seul |la seule |une? )?(?:\\p{L}+ ){0,3}?(?:développeu(?:r|se)|ingénieure?|designer|étudiante?|fondat(?:eur|rice)|débutante?|freelance|chercheu(?:r|se))|je (?:ne connais pas|maîtrise)",
    ),
  ),
];

const SPANISH_PORTUGUESE: readonly Explicit[] = [
  wish(
    word(
      "recuerda(?! (?:cuando|que te))|recuerde|ten(?:ga)? en cuenta|no (?:te )?olvides|a partir de ahora|de ahora en adelante|en adelante|la próxima vez|cada vez que (?:tú|te|haga[sn]?|hagamos|crees)|lembre(?:-se)?|lembra(?:-te)?|tenha em mente|não (?:se )?esque[çc]a|n[aã]o (?:te )?esque[çc]as|a partir de agora|de agora em diante|daqui (?:em|pra|para a?) ?(?:diante|frente)|da próxima vez|sempre que (?:você|for|fizer|criar)",
    ),
    /\?$/u,
  ),
  wish(
    start("(?:por favor,? )?(?:siempre|nunca|jamás|sempre|jamais)(?! (?:falla|falha|da error|dá erro|funciona))"),
    /\?$/u,
  ),
  wish(
    start(
      "(?:por favor,? )?antes de (?:cada|qualquer|cualquier|todo|toda|(?:\\p{L}+r) (?:cualquier|qualquer|cada|algum|alguna?|un|uma?|el|os?|la|as?)) [^,.]*,",
    ),
    /\?$/u,
  ),
  identity(
    word(
      "(?:yo )?soy (?:el único |la única |una? )?(?:\\p{L}+ ){0,3}?(?:desarrollador(?:a)?|ingenier[oa]|diseñador(?:a)?|estudiante|fundador(?:a)?|principiante|freelance)|(?:eu )?sou (?:o único |a única |uma? )?(?:\\p{L}+ ){0,3}?(?:desenvolvedor(?:a)?|dev|engenheir[oa]|designer|estudante|fundador(?:a)?|iniciante|freelancer)",
    ),
  ),
];

const RUSSIAN_POLISH: readonly Explicit[] = [
  wish(
    word(
      "запомни(?:те)?|помни(?:те)?|не забывай(?:те)?|не забудь(?:те)?|имей(?:те)? в виду|учти(?:те)?|отныне|впредь|с этого момента|в будущем|в следующий раз|на будущее|каждый раз,? когда ты|pamiętaj(?:cie)?|zapamiętaj|nie zapomnij|nie zapominaj|miej na uwadze|od teraz|od tej pory|w przyszłości|na przyszłość|następnym razem|za każdym razem,? (?:gdy|kiedy)",
    ),
    /\?$/u,
  ),
  wish(
    start("(?:пожалуйста,? |proszę,? )?(?:всегда|никогда|zawsze|nigdy)"),
    /\?$|(?:всегда|никогда(?: не)?) \p{L}+(?:[её]т|ит|[юяу]т|ат|[ая]л[аои]?|ется|ится)(?!\p{L})|(?:zawsze|nigdy(?: nie)?) (?:działa|pada|zwraca|jest|był|pokazuje)/iu,
  ),
  identity(
    word(
      "я (?:единственн\\p{L}+ |\\p{L}+[- ]){0,2}(?:разработчик|инженер|программист|дизайнер|студент(?:ка)?|аналитик|основатель|новичок)|jestem (?:jedyn\\p{L}+ |\\p{L}+ ){0,2}(?:programist[aą]|programistką|deweloperem|inżynierem|projektantem|studentem|początkując\\p{L}+|założycielem)",
    ),
    /\?$/u,
  ),
];

/** "Answer always in …": the verb comes first and must be an imperative, since "fails always" is a report. */
const VERB_FIRST: readonly Explicit[] = [
  wish(
    start(
      "(?:por favor,? |s['’]il te plaît,? |пожалуйста,? |proszę,? )?(?:(?:responde|contesta|usa|utiliza|escribe|haz|ejecuta|pregunta|responda|use|utilize|escreva|faça|execute|pergunte) (?:siempre|sempre)|(?:réponds|répondez|utilise|écris|fais|lance|demande) toujours|(?:отвечай|пиши|используй|делай|запускай|спрашивай|проверяй)(?:те)? всегда|(?:odpowiadaj|pisz|używaj|rób|uruchamiaj|pytaj|sprawdzaj) zawsze|(?:antworte|schreib|schreibe|nutze|verwende|benutze|mach|mache|frag|frage) (?:bitte )?(?:immer|nie))",
    ),
    /\?$/u,
  ),
];

const EXPLICIT: readonly Explicit[] = [
  ...ENGLISH,
  ...ENGLISH_IDENTITIES,
  ...CHINESE,
  ...JAPANESE,
  ...KOREAN,
  ...GERMAN,
  ...FRENCH,
  ...SPANISH_PORTUGUESE,
  ...RUSSIAN_POLISH,
  ...VERB_FIRST,
];

/** The first that fits a sentence; a wish before who somebody is. */
export function explicitIn(plain: string): Explicit["kind"] | undefined {
  const found = EXPLICIT.filter(({ pattern, unless }) => pattern.test(plain) && !(unless?.test(plain) ?? false));
  return found.find(({ kind }) => kind === "wish")?.kind ?? found[0]?.kind;
}
