import type { WordTable } from "../word-table.ts";

/** Says who the person is, what they know or like: at the beginning of a sentence. */
export const ABOUT_ME: WordTable = {
  words: {
    en: "(?:i am|i['’]m|im) (?:very|quite|fairly|totally|completely|rather|relatively|not|bad|good|new|experienced|an?|the|comfortable|familiar|fluent|based|used|colou?r-?\\p{L}*|deaf|blind|dyslexic|left-?\\p{L}*|learning|primarily|mostly|mainly|your|in)|i(?:['’]ve| have) (?:never|always|been|worked|used|written|\\p{L}+ years|\\d+|a|many|some|little|no)|i (?:prefer|like|love|hate|dislike|enjoy|know|don['’]?t know|do not know|speak|work (?:(?:mostly|mainly|usually|only|part-time|remotely) ?)?(?:as|in|at|on|with|from)|lead|manage|run (?:the|a) \\p{L}+ team|teach|live|use|mostly|usually|rarely|never (?:used|worked|learned|programmed)|can['’]?t|come from|studied|read|think in)|my (?:name|role|job|title|background|time ?zone|timezone|favou?rite|native|mother|first|preferred|editor|keyboard|strength|weakness|experience|main language|team|pronouns|english|hours|working|machine|laptop|os)|call me|as an? \\p{L}+(?: \\p{L}+)?,? i|speaking as|(?:the )?user(?:['’]s (?:role|name|job|background|time ?zone|editor|experience|preferred|favou?rite)| (?:is|has|trusts|speaks|prefers|likes|dislikes|knows|does(?:n['’]t| not) know|did not know|says they are|works (?:as|in|at|from)|lives|comes from|uses|runs|reads|mostly|usually))",
    de: "ich (?:bin|arbeite|mag|bevorzuge|kenne|habe|spreche|lebe|komme|heiße|nutze|programmiere)|mein(?:e)? (?:name|rolle|zeitzone|muttersprache|job)|nenn mich|(?:der|die) nutzer(?:in)? (?:ist|hat|spricht|mag|bevorzugt|kennt|arbeitet)",
    fr: "je (?:suis|travaille|préfère|connais|ne connais|parle|vis|débute|n['’]ai|code)|j['’](?:ai|aime|habite|utilise)|m(?:on|a) (?:nom|rôle|métier|fuseau|langue)|appelle-moi|l['’]utilisat(?:eur|rice) (?:est|a|parle|préfère|connaît)",
    es: "(?:yo )?(?:soy|trabajo (?:como|en|de)|prefiero|conozco|no conozco|hablo|vivo|me gusta|llevo|uso)|tengo (?:\\d+|experiencia|poca)|mi (?:nombre|rol|zona|trabajo|idioma)|llámame|(?:el|la) usuari[oa] (?:es|tiene|habla|prefiere|conoce)",
    pt: "(?:eu )?(?:sou|trabalho (?:como|em|com)|prefiro|conheço|não conheço|falo|moro|vivo|gosto|uso)|tenho (?:\\d+|experiência|pouca)|meu (?:nome|papel|fuso|trabalho)|minha (?:função|língua)|o usuário (?:é|tem|fala|prefere)",
    it: "(?:io )?(?:sono|lavoro (?:come|in|da)|preferisco|conosco|non conosco|parlo|vivo|mi piace)|ho (?:\\d+|esperienza|poca)|il mio (?:nome|ruolo|fuso)",
    ru: "я (?!\\p{L}* ?(?:решил|хочу чтобы)).{0,3}\\p{L}+|мой (?:часовой|родной)|мо[ея] (?:имя|роль)|меня зовут|мне (?:нравится|удобнее|привычнее)|пользователь (?:—|-|знает|говорит|предпочитает|работает)",
    pl: "jestem|pracuję|wolę|znam|nie znam|mówię|mieszkam|lubię|mam (?:\\d+|doświadczenie|małe)|moj[ae] (?:rola|strefa)|mam na imię|użytkowni(?:k|czka) (?:jest|ma|mówi|woli|zna)",
  },
  cjk: "我(?:是|叫|在.{0,6}工作|喜欢|更喜欢|偏好|习惯|不熟|熟悉|擅长|对.{1,12}(?:不熟|不太|很熟)|会|不会)|我的(?:名字|时区|母语|角色|职位)|用户(?:是|喜欢|偏好|擅长|不熟悉)|(?:私|僕|俺)は|私の(?:名前|役割|母語)|(?:저는|나는|제가|제 이름|제 역할)",
};

/** Asks the agent to work in a way, for good: anywhere. */
export const HOW_TO_WORK: WordTable = {
  words: {
    en: "always|never|don['’]?t|do not|from now on|going forward|in (?:the )?future|make sure|remember to|stop \\p{L}+ing|please|whenever you|when(?:ever)? (?:you|writing|committing|changing|reviewing|adding|a test)|before an? \\p{L}+ing|before (?:you|committing|merging|writing|pushing|any|each|every|implementing|changing|proposing)|after (?:you|each|every)|(?:the )?user (?:wants|does(?:n['’]t| not) want|never wants|asked|asks|corrected|confirmed|rejected|liked|objects|objected|expects|approved|insists|requested|told)|you (?:should|must|can|may|need to)|tell the user|when the user (?:says|asks|wants)|after an? \\p{L}+|belongs? in|the agent (?:must|should|may)|rather than|instead of|, not |avoid|prefer(?! \\p{L}+ over)|keep (?:answers|responses|comments|it|the|commits)|only (?:use|commit|when|after)|no (?:summar\\p{L}+|comments|emojis?|mocks?|need to|more)",
    de: "immer|nie(?:mals)?|bitte|keine?[nmrs]?|ab jetzt|künftig|in zukunft|stets|grundsätzlich|vor jedem|nach jedem|du sollst|statt",
    fr: "toujours|jamais|s['’]il te plaît|désormais|ne \\p{L}+ (?:pas|jamais)|évite|avant chaque|après chaque|plutôt que|tu dois",
    es: "siempre|nunca|por favor|a partir de ahora|evita|antes de cada|después de cada|en (?:vez|lugar) de|debes",
    pt: "sempre|nunca|por favor|a partir de agora|evit[ae]|antes de cada|depois de cada|em vez de|deves|deve",
    it: "sempre|mai|per favore|d['’]ora in poi|evita|prima di ogni|invece di|devi",
    ru: "всегда|никогда|пожалуйста|впредь|не \\p{L}+(?:й|йте|ь|ьте|и|ите)|избегай|перед каждым|после каждого|вместо",
    pl: "zawsze|nigdy|proszę|od teraz|nie \\p{L}+(?:j|uj|aj|ij)|unikaj|przed każdym|po każdym|zamiast",
  },
  cjk: "永远|始终|总是|一律|必须|务必|不要|别|请|每次|从现在起|以后|必ず|常に|決して|しないで|してください|(?:書|使|し)(?:いて|って|て)ください|今後|毎回|항상|절대|하지\\s?마|해\\s?주세요|앞으로|매번",
};

/** An order as the first word of a sentence. */
export const ORDER_START: WordTable = {
  words: {
    en: "(?:(?:please|also|and|but|then|just|ok|so),? )*(?:use|write|run|keep|prefer|avoid|ask|explain|show|commit|push|test|check|document|name|put|add|make|do|give|tell|return|format|follow|stick|stop|start|work|build|fix|let|treat|read|look|think|plan|verify|remember|answer|respond|reply|split|squash|rebase|review|cite|quote|log|mock|prove|create|target|never|always|don['’]?t|do not|no)",
    de: "(?:bitte )?(?:schreib\\p{L}*|nutz\\p{L}*|verwend\\p{L}*|benutz\\p{L}*|frag\\p{L}*|erklär\\p{L}*|zeig\\p{L}*|halt\\p{L}*|teste?|mach\\p{L}*|prüf\\p{L}*|antworte?|gib|lass|keine?[nr]?|nie|immer)",
    fr: "(?:utilise[rz]?|écri[sv]\\p{L}*|garde[rz]?|explique[rz]?|montre[rz]?|demande[rz]?|ne|n['’]\\p{L}+|évite[rz]?|teste[rz]?|vérifie[rz]?|répond[sz]?|fais|faites)",
    es: "(?:usa|utiliza|escribe|mantén|explica|muestra|pregunta|no|evita|prueba|verifica|responde|haz|ejecuta)",
    pt: "(?:usa|use|utiliza|utilize|escreve|escreva|mantém|mantenha|explica|explique|mostra|pergunta|pergunte|não|evita|evite|testa|teste|responde|responda|faz|faça|roda|rode)",
    it: "(?:usa|utilizza|scrivi|mantieni|spiega|mostra|chiedi|non|evita|testa|verifica|rispondi|fai)",
    ru: "(?:используй\\p{L}*|пиши\\p{L}*|не|спрашивай\\p{L}*|объясняй\\p{L}*|показывай\\p{L}*|проверяй\\p{L}*|запускай\\p{L}*|отвечай\\p{L}*|делай\\p{L}*|добавляй\\p{L}*)",
    pl: "(?:używaj|pisz|nie|pytaj|wyjaśniaj|pokazuj|sprawdzaj|uruchamiaj|odpowiadaj|rób|dodawaj)",
  },
  cjk: "(?:请|不要|别|用|使用|写|先|每次|在.{1,12}前)",
};

/** Systems outside the repository in which teams keep things. */
export const SYSTEMS: WordTable = {
  words: {
    names:
      "grafana|kibana|datadog|sentry|prometheus|new ?relic|pagerduty|opsgenie|jira|linear|trello|asana|youtrack|redmine|notion|confluence|sharepoint|google (?:drive|docs|sheets)|slack|discord|mattermost|figma|miro|zeplin|airtable|looker|metabase|mixpanel|posthog|1password|bitwarden|zendesk|intercom|crowdin|lokalise|weblate|launchdarkly|statuspage|bugsnag|rollbar|honeycomb|splunk|elastic|amplitude|segment|monday|shortcut|clickup|basecamp|feishu|argo ?cd|sonarqube|backstage|storybook|vault|teams|wiki",
  },
  cjk: "飞书|钉钉|企业微信|语雀|노션|슬랙",
};

/** What is looked up: the thing at the end of a pointer. */
export const LOOKED_UP: WordTable = {
  words: {
    en: "dashboards?|boards?|runbooks?|wiki|docs|documentation|channels?|trackers?|tickets?|bugs|issues|designs?|mock-?ups?|specs|specifications?|logs|metrics|alerts|schedule|roadmap|playbook|handbook|flags|style ?guide|brief|postmortems?|analytics|backlog|credentials|secrets|keys|passwords|recordings|translations|reports?",
    de: "dashboards?|tickets?|dokumentation|doku|entwürfe|protokolle|logs|kanal|fehler|handbuch|designs?",
    fr: "tableaux?|tickets?|documentation|maquettes?|journaux|logs|canal|guide",
    es: "paneles?|tickets?|documentación|diseños?|registros|logs|canal|errores|guía",
    pt: "painé(?:l|is)|tickets?|documentação|desenhos?|registos|logs|canal|erros|guia",
    it: "pannelli|cruscott[oi]|ticket|documentazione|progetti grafici|log|canale|guida",
    ru: "дашборд\\p{L}*|тикет\\p{L}*|документаци\\p{L}+|макет\\p{L}*|логи|канал|баги|задачи",
    pl: "panele|zgłoszenia|dokumentacja|projekty|logi|kanał|błędy|tablic[ae]",
  },
  cjk: "面板|看板|文档|设计稿|日志|频道|工单|手册|資料|ドキュメント|ダッシュボード|チケット|ログ|設計|문서|대시보드|티켓|로그|채널",
};

/** A fact, a decision or a date of the work: the default, and a word for it where another type is near. */
export const OF_THE_PROJECT: WordTable = {
  words: {
    en: "we(?: have|['’]ve)? (?:decided|chose|agreed|switched|moved|migrated|deploy|use|run|host|ship|release|support|drop|stay|keep|picked)|deadline|release|launch|freeze|milestone|sprint|quarter|customers?|clients?|contract|vendor|legal|compliance|team (?:switched|moved|decided|agreed|chose|is|has)|our (?:goal|aim|api|product|app|users|staging|production|main)|production|staging|goal|budget|incident|outage|on purpose|deliberately|is (?:owned|called|due|on leave|responsible)|owns",
    de: "wir (?:haben|nutzen|bleiben|deployen|setzen)|kunde\\p{L}*|vertrag|frist|release|ziel|entschieden|weil",
    fr: "nous|on (?:garde|utilise|déploie|a)|client\\p{L}*|contrat|échéance|version|objectif|décidé|parce que",
    es: "(?:hemos|usamos|desplegamos|decidimos)|cliente\\p{L}*|contrato|plazo|lanzamiento|objetivo|porque",
    pt: "(?:usamos|decidimos|ficámos|lançamos)|cliente\\p{L}*|contrato|prazo|lançamento|objetivo|porque",
    it: "(?:usiamo|abbiamo|restiamo)|cliente\\p{L}*|contratto|scadenza|lancio|obiettivo|perché",
    ru: "мы|клиент\\p{L}*|заказчик\\p{L}*|договор|срок|релиз|цель|решили|потому что",
    pl: "(?:mamy|używamy|zdecydowaliśmy)|klient\\p{L}*|umow\\p{L}+|termin|wydanie|cel|ponieważ",
  },
  cjk: "我们|客户|合同|上线|发布|目标|决定|私たち|弊社|顧客|契約|リリース|目標|決定|우리|고객|계약|출시|목표|결정",
};
