import type { Signal } from "./signal.ts";

/**
 * How a language says that something holds beyond the task at hand. The same five shapes everywhere: a time that
 * starts now, an order with "always" or "never", "ask me before …", "stop doing …", and a habit told of the work
 * itself ("branch names always begin with …").
 */
interface HabitGrammar {
  /** "from now on", "in future", "next time". */
  readonly hereafter: string;
  /** "always", "never", "every time". */
  readonly frequency: string;
  /** Verbs as one tells them to somebody who works on code; a closed class of common ones. */
  readonly orders: string;
  /** Words that open a phrase before the order: "in tests use …". */
  readonly openers: string;
  /** "ask me", "check with me". */
  readonly askMe: string;
  /** "before you …", "before adding …". */
  readonly before: string;
  /** "whenever you …"; an order has to follow, since what happens "every time I save" is a report. */
  readonly whenever: string;
  /** "before each", "after every". */
  readonly each: string;
  /** "without asking me". */
  readonly unasked: string;
  /** "stop …ing". */
  readonly quit: string;
  /** "I want that". */
  readonly want: string;
  /** What work leaves behind, as a subject: commit messages, branch names, comments. */
  readonly artefacts: string;
  /** "be brief", "answer shorter". */
  readonly brief: string;
  /** "with us", "in our team", "our rule is". */
  readonly custom: string;
}

const GERMAN: HabitGrammar = {
  hereafter:
    "ab (?:heute|jetzt|sofort)|von (?:nun|jetzt|heute) an|künftig|zukünftig|fortan|(?:in|für die) zukunft|(?:beim )?nächste[ns]? mal",
  frequency: "immer|stets|nie(?:mals)?|jedes mal|ausnahmslos|ausschließlich|grundsätzlich|generell",
  orders:
    "nutz(?:e|en sie)?|verwende|verwenden sie|benutze?|schreibe?|mache?|lass|frage?|prüfe?|teste?|starte?|führe?|füge?|lege?|setze?|halte?|antworte(?: mir)?|erkläre?|zeige?|committe|pushe?|erstelle?|lösche?|änder[en]|bearbeite|nimm|gib|lies|vermeide|nenne?|benenne?|dokumentiere?|formatiere?|aktualisiere?|ergänze?|entferne?|pass(?:e)?|räume?|achte|warte|sage?|stelle?|packe?|bleibe?|beginne?",
  openers: "in|im|bei|beim|für|vor|nach|bevor",
  askMe: "frage? mich|sprich (?:es |das )?mit mir ab|hol(?:e)? (?:dir )?meine|warte auf mein",
  before: "bevor du|vor (?:jedem|jeder|dem)",
  whenever: "(?:immer|jedes mal),? wenn|sooft",
  each: "(?:vor|nach|bei) jede[mr]",
  unasked:
    "ohne (?:rückfrage|zu fragen|mich (?:vorher |erst )?zu fragen|meine (?:zustimmung|erlaubnis|freigabe))|ungefragt",
  quit: "hör(?:e)? (?:bitte )?auf,? (?:\\S+ ){1,10}?zu \\p{L}+",
  want: "ich (?:möchte|will|hätte gern),? dass",
  artefacts:
    "commit-?(?:nachrichten|messages)?s?|branch(?:namen|es)?|pull requests?|prs?|kommentare|migrationen|(?:variablen|funktions)?namen|antworten",
  brief: "fass(?:e)? dich (?:\\S+ )?k(?:u|ü)rz(?:er)?|(?:antworte|schreibe?) (?:\\S+ )?(?:kürzer|knapper)",
  custom:
    "bei uns (?:wird|werden|gilt|heißt|heißen|ist|sind|darf|nur|beginnen|beginnt|fangen|stehen|macht|nutzt)|(?:in|bei) unserem (?:team|projekt)|unsere (?:regel|konvention|richtlinie)|das gilt (?:generell|immer|überall|für alle?)",
};

const FRENCH: HabitGrammar = {
  hereafter:
    "désormais|dorénavant|à partir (?:de maintenant|d['’]aujourd['’]hui)|dès (?:maintenant|aujourd['’]hui)|à l['’]avenir|pour la suite|la prochaine fois",
  frequency: "toujours|jamais|systématiquement|à chaque fois|exclusivement",
  orders:
    "(?:ne |n['’])?(?:utilise[sz]?|écri[st]|écrivez|fai[st]e?s?|lance[sz]?|exécute[sz]?|demande[sz]?|répond[sz]?|ajoute[sz]?|crée[sz]?|supprime[sz]?|vérifie[sz]?|garde[sz]?|met[sz]|laisse[sz]?|montre[sz]?|explique[sz]?|documente[sz]?|teste[sz]?|évite[sz]?|nomme[sz]?|inclu[st]|attends|confirme[sz]?|préviens|commence[sz]?|reste[sz]?|corrige[sz]?|retire[sz]?)(?:[- ]moi)?",
  openers: "dans|pour|avant|après|en|lors",
  askMe: "demande[sz]?[- ]moi|préviens-moi|consulte-moi|attends mon (?:accord|feu vert)",
  before: "avant (?:de|d['’]|chaque|toute?)",
  whenever: "(?:à )?chaque fois que?",
  each: "(?:avant|après|à) chaque",
  unasked: "sans (?:me (?:demander|prévenir|consulter)|prévenir|(?:mon|ma) (?:accord|permission|validation))",
  quit: "arrêtez? d(?:e |['’])\\p{L}+(?:er|ir|re)",
  want: "je (?:veux|voudrais|souhaite) que",
  artefacts:
    "messages? de commit|commits|noms de (?:branche|variable|fonction)s?|branches|commentaires|migrations|réponses|pull requests?",
  brief: "soi[st] (?:plus )?(?:bref|concis)|soyez (?:plus )?(?:bref|concis)|réponds (?:plus )?(?:brièvement|court)",
  custom:
    "chez nous|dans (?:notre|mon) (?:équipe|projet)|notre (?:règle|convention)|ça vaut (?:partout|toujours|pour tou\\p{L}+)",
};

const SPANISH: HabitGrammar = {
  hereafter:
    "a partir de (?:ahora|hoy)|de ahora en (?:adelante|más)|desde (?:ahora|hoy)|en (?:lo sucesivo|adelante)|para el futuro|la próxima vez",
  frequency: "siempre|nunca|jamás|cada vez|exclusivamente",
  orders:
    "usa|utiliza|escribe|haz|ejecuta|preg[uú]nta(?:me)?|resp[oó]nd[ea](?:me)?|cont[eé]st[ae](?:me)?|añade|agrega|crea|borra|revisa|comprueba|mantén|pon|deja|muestra|muéstrame|explica|documenta|prueba|evita|nombra|sigue|incluye|actualiza|elimina|quita|corrige|espera|verifica|confirma|av[ií]sa(?:me)?|cons[uú]lta(?:me)?|use|utilice|escriba|haga|ejecute|pregunte",
  openers: "en|para|antes|después|al|con",
  askMe: "preg[uú]nt[ae]me|cons[uú]lt[ae]me|av[ií]s[ae]me|espera mi",
  before: "antes de",
  whenever: "cada vez que|siempre que",
  each: "(?:antes de|después de|en) cada",
  unasked: "sin (?:preguntar(?:me)?|avisar(?:me)?|consultar(?:me)?|mi (?:permiso|aprobación))",
  quit: "dej[ae] de \\p{L}+(?:ar|er|ir)",
  want: "quiero que|quisiera que|me gustaría que",
  artefacts:
    "mensajes de commit|commits|nombres de (?:rama|variable|funci[oó]n)s?|ramas|comentarios|migraciones|respuestas|pull requests?",
  brief: "sé (?:más )?(?:breve|conciso)|responde (?:más )?(?:breve|corto)",
  custom:
    "en (?:nuestro|mi) (?:equipo|proyecto)|aquí (?:solo|sólo|siempre|nunca|no se)|nuestra (?:regla|convención|norma)|esto vale (?:siempre|para tod\\p{L}+)",
};

const PORTUGUESE: HabitGrammar = {
  hereafter:
    "a partir de (?:agora|hoje)|de (?:agora|hoje) em diante|daqui (?:pra|para a|em) (?:frente|diante)|doravante|para o futuro|da próxima vez",
  frequency: "sempre|nunca|jamais|toda vez|exclusivamente",
  orders:
    "use|utilize|escreva|escreve|faça|faz|execute|rode|roda|(?:me )?pergunte|(?:me )?respond[ae]|adicione|crie|apague|revise|verifique|mantenha|ponha|coloque|(?:me )?mostr[ea]|explique|documente|teste|evite|nomeie|siga|inclua|atualize|remova|corrija|espere|confirme|(?:me )?avis[ea]|(?:me )?consult[ea]",
  openers: "em|nos?|nas?|para|antes|depois|ao|com",
  askMe: "me (?:pergunt|avis|consult)[ea]|pergunte-me|espere (?:a )?minha",
  before: "antes de",
  whenever: "(?:toda|cada) vez que|sempre que",
  each: "(?:antes de|depois de|em|a) cada",
  unasked: "sem (?:(?:me )?(?:perguntar|avisar|consultar)|(?:a )?minha (?:permissão|aprovação)|eu pedir)",
  quit: "par[ae] de \\p{L}+[aei]r",
  want: "quero que|gostaria que",
  artefacts:
    "mensagens de commit|commits|nomes de (?:branch|vari[aá]vel|fun[cç][aã]o|variáveis|funções)e?s?|branches|comentários|migrações|respostas|pull requests?",
  brief: "seja (?:mais )?(?:breve|conciso|direto)|responda (?:mais )?(?:breve|curto)",
  custom:
    "n[oa] noss[oa] (?:time|equipe|projeto)|aqui (?:só|sempre|nunca|não se)|nossa (?:regra|convenção|norma)|isso vale (?:sempre|para tod\\p{L}+)",
};

const RUSSIAN: HabitGrammar = {
  hereafter:
    "впредь|отныне|с (?:этого|сегодняшнего) (?:момента|дня)|начиная с (?:сегодня|этого)|в дальнейшем|на будущее|в следующий раз",
  frequency: "всегда|никогда|каждый раз|обязательно|исключительно",
  orders:
    "(?:не )?(?:используй|пиши|делай|запускай|спрашивай|отвечай|проверяй|добавляй|создавай|удаляй|держи|ставь|оставляй|показывай|объясняй|документируй|тестируй|избегай|называй|следуй|включай|жди|подтверждай|предупреждай|начинай|бери|применяй|правь|меняй|обновляй|убирай|трогай|коммить|пушь|форматируй)(?:те)?",
  openers: "в|во|для|при|перед|после|прежде",
  askMe: "(?:спрашивай|спроси|предупреждай|согласовывай)(?:те)?(?: \\p{L}+)? (?:меня|со мной)|жди моего",
  before: "прежде чем|перед тем,? как|перед (?:каждым|любым)",
  whenever: "(?:каждый|всякий) раз,? когда",
  each: "(?:перед|после|при) кажд(?:ым|ого|ом)",
  unasked: "не спросив|без (?:спроса|моего (?:ведома|разрешения|согласия)|моей просьбы)",
  quit: "(?:хватит|перестань(?:те)?|прекрати(?:те)?) \\p{L}+(?:ть|ться|чь)",
  want: "(?:я )?хочу,? чтобы|(?:мне )?хотелось бы,? чтобы",
  artefacts:
    "сообщения коммитов|коммиты|имена (?:веток|переменных|функций)|названия веток|ветки|комментарии|миграции|ответы",
  brief: "(?:отвечай|пиши|будь)(?:те)? (?:по)?(?:короче|лаконичнее|кратко|краток)",
  custom:
    "у нас в (?:команде|проекте)|у нас (?:принято|только|всегда|никогда|не принято)|наше (?:правило|соглашение)|это касается (?:всего|всех)",
};

/** Subjects that a report begins with: what follows is what happens, not what is asked for. */
const FAILS =
  /(?:schl[aä]g|fehl|fail|échou|plant|falla|falha|romp|quebr|пада|лома|зависа|leer|vide|vac[ií]|vazi|пуст)/iu;
const QUESTION = /[?？]\s*$/u;

const edge = (body: string): string => `(?<![\\p{L}\\p{N}])(?:${body})(?![\\p{L}\\p{N}])`;

function habitsOf(grammar: HabitGrammar): readonly Signal[] {
  const {
    hereafter,
    frequency,
    orders,
    openers,
    askMe,
    before,
    whenever,
    each,
    unasked,
    quit,
    want,
    artefacts,
    brief,
    custom,
  } = grammar;
  const courtesy = "(?:bitte|s['’]il (?:te|vous) pla[iî]t|stp|por favor|пожалуйста),? ";
  // An order begins the sentence, a clause, or follows one phrase of circumstance.
  const place = `(?:^|[,;:–—-]\\s*)(?:${courtesy})?(?:(?:${openers})(?![\\p{L}\\p{N}'’])(?: [^\\s,;:]+){1,5},? )?`;
  const wish = (pattern: string, unless = QUESTION): Signal => ({
    kind: "wish",
    strength: "firm",
    pattern: new RegExp(pattern, "iu"),
    unless,
  });
  const notReported = new RegExp(`${QUESTION.source}|${FAILS.source}`, "iu");
  return [
    wish(edge(hereafter), /[?？]\s*$|versi[oó]n|versão|версии/iu),
    wish(
      `${place}(?:(?:${frequency}) (?:${orders})(?![\\p{L}\\p{N}])|(?:${orders})(?![\\p{L}\\p{N}]).*${edge(frequency)})`,
    ),
    wish(
      `${edge(each)}[^.;]*?${edge(orders)}|(?:^|[,;:–—-]\\s*)(?:${courtesy})?(?:${orders})(?![\\p{L}\\p{N}]).*${edge(each)}`,
    ),
    wish(
      `^(?:${courtesy})?(?:${whenever})(?![\\p{L}\\p{N}])[^,]{3,80}(?:, [^,]{3,60})??, (?:${courtesy})?(?:[^\\s,]+ ){0,2}?(?:${orders})(?![\\p{L}\\p{N}])`,
    ),
    { kind: "prohibition", strength: "firm", pattern: new RegExp(edge(unasked), "iu"), unless: QUESTION },
    wish(`${edge(before)}.*${edge(askMe)}|${edge(askMe)}.*${edge(before)}`),
    {
      kind: "prohibition",
      strength: "firm",
      pattern: new RegExp(`^(?:${courtesy})?(?:${quit})`, "iu"),
      unless: QUESTION,
    },
    wish(`${edge(want)} (?:\\S+ ){0,2}?(?:${artefacts})(?![\\p{L}\\p{N}])`, notReported),
    wish(
      `^(?:\\S+ )?(?:${artefacts})(?![\\p{L}\\p{N}]) (?:\\S+ ){0,3}?(?:${frequency})(?![\\p{L}\\p{N}])`,
      notReported,
    ),
    { kind: "preference", strength: "firm", pattern: new RegExp(edge(brief), "iu"), unless: QUESTION },
    wish(edge(custom), notReported),
  ];
}

/** Scripts without spaces and verbs at the end: the ending tells an order from a report. */
const EASTERN: readonly Signal[] = [
  {
    kind: "wish",
    strength: "firm",
    pattern: /从(?:今天|现在|此)(?:起|开始)|(?:我们|团队|项目)(?:里|内|中)?(?:的)?(?:约定|规定|惯例|规范)/u,
    unless: /[?？]|吗/u,
  },
  {
    kind: "wish",
    strength: "firm",
    pattern:
      /^(?:每个|所有(?:的)?|任何|新(?:的|增的?)?)[^，。这那]{1,10}(?:一定要|必须|都要|都得)|我们(?:团队|组|公司|项目)[^，。]{0,12}(?:都|一律|从不)|(?:注释|提交信息|变量名|分支名|文档)[^，。]{0,4}用(?:英|中|日|韩)(?:文|语)/u,
    unless: /[?？]|吗|通过|失败/u,
  },
  {
    kind: "wish",
    strength: "firm",
    pattern:
      /(?:之前|以前|前)[，,]?(?:都|一定|必须|务必|请|要)?(?:先|必须|一定要|都要)*(?:问(?:一下)?我|经过我|征求我|跟我|和我|告诉我)/u,
    unless: /[?？]|吗/u,
  },
  {
    kind: "prohibition",
    strength: "firm",
    pattern:
      /(?:未经我|没问(?:过)?我|不问我)|擅自|(?:聞かずに|確認せずに|無断で|勝手に).*(?:ないで|やめて)|(?:묻지 않고|허락\s?없이|마음대로|멋대로).*(?:마|말)/u,
    unless: /[?？]|吗/u,
  },
  { kind: "prohibition", strength: "firm", pattern: /(?:别|不要)(?:再|老是|总是|每次都?)/u, unless: /[?？]|吗/u },
  {
    kind: "preference",
    strength: "firm",
    pattern: /(?:回答|回复|解释|总结)[^，。]{0,6}(?:简短|简洁|短)(?:一点|一些|些)?|(?:回复|回答)我?的?时候/u,
    unless: /[?？]|吗/u,
  },
  {
    kind: "wish",
    strength: "firm",
    pattern: /(?:プロジェクト|チーム|リポジトリ|うち|私たち)(?:全体)?(?:では|の(?:ルール|規約|方針|決まり))/u,
    unless: /[?？]$|か。?$/u,
  },
  {
    kind: "wish",
    strength: "firm",
    pattern:
      /前に[、,]?(?:は)?(?:必ず|まず|先に)?[^。]{0,8}(?:私に|僕に|俺に|一度)?(?:確認|相談|聞い|許可)[^。]{0,6}(?:ください|て(?:ね|ほしい)?[。！!]?$|こと)/u,
  },
  {
    kind: "prohibition",
    strength: "firm",
    pattern: /(?:する|のは|ことは|を)(?:やめて|止めて)(?:ください|ほしい|くれ|ね)?[。！!]?$/u,
  },
  {
    kind: "preference",
    strength: "firm",
    pattern: /(?:回答|返答|返事|説明|答え)(?:は|を)[^。]{0,6}(?:短く|短め|簡潔に|手短に)/u,
  },
  {
    kind: "prohibition",
    strength: "firm",
    pattern: /(?:ずに|なしで|ないまま)[^。]{1,30}ないで(?:ください|ほしい|くれ|ね)?[。！!]?$/u,
  },
  {
    kind: "wish",
    strength: "firm",
    pattern:
      /(?:たら|前に(?:は)?|とき(?:は|に)?|時(?:は|に)|際(?:は|に)|場合(?:は|に)|たび(?:に)?|度に)[、,]?[^。]*(?:必ず|常に|毎回|いつも)[^。]*て(?:ね|ください|ほしい|くれ)?[。！!]?$/u,
  },
  {
    kind: "wish",
    strength: "firm",
    pattern: /(?:우리|이|저희)\s?(?:팀|프로젝트|저장소|회사)(?:에서는|에선|은|는|의\s(?:규칙|원칙|관례))/u,
    unless: /[?？]$|(?:나요|까요|니까)[?？.]?$/u,
  },
  {
    kind: "wish",
    strength: "firm",
    pattern: /전에(?:는)?\s?(?:반드시|꼭|항상|먼저)?\s?[^.]{0,10}(?:물어|확인받|허락|상의|말해)/u,
    unless: /[?？]$/u,
  },
  {
    kind: "wish",
    strength: "firm",
    pattern: /(?:항상|언제나|매번|반드시|꼭)[^.]*(?:물어봐|해|써|하자|하고)[.!]?$/u,
    unless: /[?？]$|것 같|더라|실패해|안 ?돼|에러|오류/u,
  },
  {
    kind: "preference",
    strength: "firm",
    pattern: /(?:답변|대답|설명|응답)(?:은|을)?\s?(?:\S+\s)?(?:짧게|간결하게|간단하게)/u,
    unless: /[?？]$/u,
  },
];

/** "Just like that, keep it up": approval of a way of working; it counts only after something the agent said. */
const APPROVALS: readonly Signal[] = [
  new RegExp(
    edge(
      "(?:mach|mache) (?:genau |bitte )?(?:so )?weiter(?: so)?|genau so (?:weiter|beibehalten|machen wir)|behalte? das so bei|continue[sz]? (?:exactement )?comme ça|garde[sz]? cette (?:façon|approche)|c['’]est exactement (?:comme ça|ce qu['’]il fallait)|sigue (?:haciéndolo )?así|mant[eé]n (?:esta|esa) forma|fue (?:justo|exactamente) lo correcto|continue (?:fazendo )?assim|mantenha (?:esse|este) (?:jeito|formato)|foi (?:exatamente )?a escolha certa|продолжай(?:те)? (?:в том же духе|так же|именно так)|(?:это )?было правильное решение|именно так и (?:делай|надо)",
    ),
    "iu",
  ),
  /(?:就|请)?(?:继续|保持)(?:这样|这种|按这个)|以后都(?:这样|按这个)|(?:这样|那样)做(?:是)?(?:完全)?(?:对|正确)的/u,
  /その(?:調子|やり方|形)で(?:続け|お願い)|このまま続けて|(?:正解|正しい判断)(?:でした|だった)/u,
  /(?:이대로|그대로|그렇게|이렇게)\s?(?:계속|쭉)|옳은 (?:선택|판단)이었/u,
].map((pattern): Signal => ({ kind: "confirmation", strength: "firm", pattern, unless: QUESTION }));

export const HABIT_SIGNALS: readonly Signal[] = [
  ...[GERMAN, FRENCH, SPANISH, PORTUGUESE, RUSSIAN].flatMap(habitsOf),
  ...EASTERN,
  ...APPROVALS,
];
