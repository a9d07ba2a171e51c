import type { WordTable } from "../word-table.ts";

/** What programs are made of beside the kinds of code in `PIECE`: parts that a person sees or a machine runs. */
export const PART: WordTable = {
  words: {
    en: "features?|pages?|screens?|forms?|tabs?|buttons?|dialogs?|menus?|headers?|footers?|sidebars?|panels?|widgets?|parsers?|schedulers?|importers?|exporters?|generators?|loggers?|workers?|queues?|jobs?|pipelines?|scripts?|wrappers?|tables?|columns?|fields?|indexes|events?|listeners?|middleware|states?|trees?|repo|projects?|apps?|logic|algorithms?|promises?|callbacks?|variables?|entry points?|statements?|actions?|reducers?|clients?|exports?|imports?|modals?|sections?|areas?|bus|requests?|responses?|microservices?|containers?|dashboards?|charts?|toolbars?|grids?|bars?|decorators?|objects?|props|endpoints?",
    de: "funktionalität|seiten?|masken?|formular\\p{L}*|schaltfläche\\p{L}*|dialoge?|menüs?|kopfzeile|parser|scheduler|importer|exporter|logger|worker|warteschlange\\p{L}*|skripte?|tabellen?|spalten?|felder|ereignis\\p{L}*|prozess\\p{L}*|\\p{L}+(?:klasse|funktion|komponente|modul|dienst|ordner|datei|seite|tabelle|test|logik)(?:e?n|e|s)?|handlern?|controllern?|\\p{L}+schicht|\\p{L}+-?reducer|aktionen|footer|header|projekt|repo(?:sitory)?|anwendung|logik",
    fr: "fonctionnalités?|pages?|écrans?|formulaires?|onglets?|boutons?|menus?|analyseur|planificateur|scripts?|tables?|colonnes?|champs|événements?|processus|contrôleurs?|tableaux?|barres?|graphiques?|projet|dépôt|application|logique|répertoires?",
    es: "páginas?|pantallas?|formularios?|pestañas?|botones|botón|menús?|planificador|scripts?|tablas?|columnas?|campos?|eventos?|procesos?|controladores|controlador|paneles|panel|barras?|gráficos?|proyecto|repositorio|aplicación|lógica|directorios?",
    pt: "páginas?|ecrãs?|telas?|formulários?|abas?|bot(?:ão|ões)|menus?|scripts?|tabelas?|colunas?|campos?|eventos?|processos?|controladores?|projeto|repositório|aplicação|lógica|diretórios?",
    it: "pagin[ae]|schermat[ae]|modul[oi]|schede?|pulsant[ei]|menu|script|tabell[ae]|colonn[ae]|camp[oi]|event[oi]|process[oi]|controller|progetto|repository|applicazione|logica|directory",
    ru: "страниц\\p{L}*|экран\\p{L}*|форм\\p{L}*|кнопк\\p{L}+|парсер\\p{L}*|планировщик\\p{L}*|скрипт\\p{L}*|таблиц\\p{L}*|контроллер\\p{L}*|проект\\p{L}*|репозитори\\p{L}*|обработчик\\p{L}*|каталог\\p{L}*",
    pl: "stron[ay]?|ekran\\p{L}*|formularz\\p{L}*|przycisk\\p{L}*|parser\\p{L}*|skrypt\\p{L}*|tabel\\p{L}*|kontroler\\p{L}*|projekt\\p{L}*|repozytorium",
  },
  cjk: "页面|表单|按钮|菜单|解析器|调度器|脚本|数据表|控制器|项目|仓库|代码库|中间件|队列|前端|后端|画面|フォーム|ボタン|パーサー|スクリプト|テーブル|コントローラー?|プロジェクト|リポジトリ|ミドルウェア|화면|양식|버튼|스크립트|테이블|컨트롤러|프로젝트|저장소",
};

/** How one part is made of others or leans on them; what it runs on or listens to is a fact of operation and not here. */
export const BUILT: WordTable = {
  words: {
    en: "contains?|holds?|carr(?:y|ies)|consists? of|comprises?|(?:is|are) (?:\\p{L}+ly )?(?:split|divided|organi[sz]ed|grouped|structured|composed|made|built|assembled|generated|derived|registered|wired|mounted|injected|implemented|handled|started|triggered|loaded|rendered) (?:up )?(?:into|in|of|from|out of|as|by|before|after|through|via)|calls?|invokes?|depends? on|connects?|handles?|happens in|wraps?|reads? (?:the|its|from|jobs|all)|writes? (?:to )?the|parses?|validates?|checks? the|loads?|renders?|fetch(?:es)?|points? to|maps? to|dispatch(?:es)?|emits?|subscribes? to|takes? an?|belongs? to|shares? the",
    de: "enthält|enthalten|besteht aus|bestehen aus|gliedert sich|ist (?:in|aus|auf) \\p{L}+ \\p{L}+ (?:aufgeteilt|unterteilt|aufgebaut)|(?:ist|sind) (?:auf|unter)geteilt|ruft|rufen|liest|lädt|prüft|rendert|verweist auf|verarbeitet|passiert in|hängt (?:von|vom) \\p{L}+|zeigt auf|wird (?:von|durch|in|aus) \\p{L}+ \\p{L}+|nimmt ein\\p{L}*|kapselt",
    fr: "contient|contiennent|(?:est|sont) (?:divisé|composé|constitué|organisé|construit|généré|géré|chargé)e?s? (?:en|de|d['’]|par|à|dans|autour)|se compose(?:nt)? de|se divise(?:nt)? en|comprend|appelle(?:nt)?|lit|charge|valide|vérifie|pointe vers|dépend(?:ent)? d[eu]|gère|prend une?|enveloppe",
    es: "contiene[n]?|consta[n]? de|se (?:compone|divide|organiza)[n]? (?:de|en|por)|está[n]? (?:dividid|compuest|organizad)\\p{L}+|tiene[n]? (?:dos|tres|cuatro|cinco|varios|varias)|llama[n]? (?:a|al)|lee|carga|valida|comprueba|apunta a|maneja|depende[n]? del?|gestiona|recibe un\\p{L}*|envuelve",
    pt: "contém|contêm|consiste em|é compost\\p{L}+|divide-se em|(?:está|é) dividid\\p{L}+|se divide em|chama|lê|carrega|valida|verifica|aponta para|gere|gerencia|recebe um\\p{L}*",
    it: "contiene|contengono|è (?:diviso|composto|costituito|organizzato)\\p{L}*|si (?:compone|divide) (?:di|in)|consiste in|chiama|legge|carica|valida|controlla|punta a|gestisce|riceve un\\p{L}*",
    ru: "содержит|содержат|состоит из|состоят из|дел[ия]т\\p{L}* на|разделён\\p{L}* на|разбит\\p{L}* на|вызывает|читает|загружает|проверяет|ссылается на|обрабатывает",
    pl: "zawiera|zawierają|składa się z|dzieli się na|jest podzielon\\p{L}+|wywołuje|czyta|ładuje|sprawdza|obsługuje",
  },
  cjk: "依赖|由.{1,16}(?:组成|构成)|分为|分成|包含|包括|对应|调用|读取|加载|校验|指向|からなる|から成る|で構成|に分かれ|を含|呼び出|読み込|으로 구성|로 나뉘|포함|호출|읽어",
};

/** The same in verbs that only code does. */
export const BUILT_OF_CODE: WordTable = {
  words: {
    en: "inherits?|extends?|overrides?|implements?|subclass(?:es)?|instantiates?|mirrors?|imports?|exports?|returns? (?:an?|the)|falls? back to",
    de: "erbt|erben|überschreibt|implementiert|instanziiert|spiegelt|importiert|exportiert",
    fr: "héritent?|étend(?:ent)?|surcharge(?:nt)?|implémente(?:nt)?|instancie|importe(?:nt)?|exporte(?:nt)?|renvoient?",
    es: "hereda[n]?|extiende[n]?|sobrescribe[n]?|implementa[n]?|instancia|importa[n]?|exporta[n]?|devuelve[n]?",
    pt: "herda[m]?|estende[m]?|sobrescreve[m]?|implementa[m]?|importa[m]?|exporta[m]?|devolve[m]?|retorna[m]?",
    it: "eredita(?:no)?|estend(?:e|ono)|sovrascriv(?:e|ono)|implementa(?:no)?|importa(?:no)?|esporta(?:no)?|restituisc(?:e|ono)",
    ru: "наследу\\p{L}+|переопределя\\p{L}+|реализу\\p{L}+|импортиру\\p{L}+|экспортиру\\p{L}+|возвраща\\p{L}+",
    pl: "dziedziczy|nadpisuje|implementuje|importuje|eksportuje|zwraca",
  },
  cjk: "继承|重写了?|实现了|导入|导出|返回|継承|オーバーライド|実装して|インポート|返す|返し|상속|재정의|구현|반환",
};

/** "last week", "two days ago", "in the previous release": when something was done. */
export const PAST_WHEN: WordTable = {
  words: {
    en: "yesterday|last (?:night|week|month|year|quarter|sprint|release|time|spring|summer|autumn|fall|winter|\\p{L}+day)|(?:\\d+|an?|one|two|three|four|five|six|several|few|couple of|some) (?:hours?|days?|weeks?|months?|releases?|versions?|sprints?|commits?) (?:ago|back)|recently|lately|earlier (?:today|this \\p{L}+)|this (?:morning|week|month)|in (?:the )?(?:early |late )?(?:spring|summer|autumn|fall|winter|january|february|march|april|may|june|july|august|september|october|november|december)|in (?:the |our )?(?:last|previous|latest|past) (?:release|version|sprint|commit|deploy\\p{L}*|pull request)|the (?:release|version|sprint|commit) before|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|back in",
    de: "gestern|vorgestern|letzte[nrsm]? (?:woche|monat|jahr|sprint|release|nacht|quartal|\\p{L}+tag)|vor (?:\\d+|einem|einer|zwei|drei|vier|ein paar|einigen) (?:stunden?|tag(?:en)?|wochen?|monat(?:en)?)|vor kurzem|kürzlich|neulich|heute (?:früh|morgen)|im (?:letzten|vorigen|frühjahr|frühling|sommer|herbst|winter|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)|am (?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)",
    fr: "hier|avant-hier|la semaine dernière|le mois dernier|l['’]an(?:née)? derni\\p{L}+|il y a (?:\\d+|une?|deux|trois|quelques) (?:heures?|jours?|semaines?|mois)|récemment|ce matin|au printemps|en (?:été|automne|hiver|janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)|(?:lundi|mardi|mercredi|jeudi|vendredi)(?: dernier)?|dans la (?:dernière|précédente) version",
    es: "ayer|anteayer|anoche|la semana pasada|el mes pasado|el año pasado|hace (?:\\d+|un[ao]?|dos|tres|unos|unas) (?:horas?|días?|semanas?|mes(?:es)?)|recientemente|esta mañana|en (?:primavera|verano|otoño|invierno|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)|el (?:lunes|martes|miércoles|jueves|viernes)(?: pasado)?|en la (?:última|anterior) versión",
    pt: "ontem|anteontem|(?:n?a )?semana passada|(?:n?o )?mês passado|há (?:\\d+|um|uma|dois|duas|três) (?:horas?|dias?|semanas?|meses|mês)|recentemente|esta manhã|hoje de manhã|em (?:janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro)|na (?:última|versão anterior)",
    it: "ieri|l['’]altro ieri|la settimana scorsa|la scorsa settimana|il mese scorso|(?:\\d+|un|una|due|tre) (?:ore|giorn[oi]|settiman[ae]|mes[ei]) fa|di recente|recentemente|stamattina|a (?:gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre)|nella versione precedente",
    ru: "вчера|позавчера|на прошлой неделе|в прошлом (?:месяце|году|спринте)|(?:\\S+ )?(?:дня|дней|недел[ьюи]|месяц\\p{L}*) назад|недавно|утром",
    pl: "wczoraj|przedwczoraj|w zeszłym (?:tygodniu|miesiącu|roku)|(?:\\S+ )?(?:dni|tygodni\\p{L}*|miesi\\p{L}+) temu|niedawno|ostatnio",
  },
  cjk: "昨天|前天|上周|上星期|上个?月|去年|最近|今早|今天早上|前几天|刚刚|(?:\\d+|[一二三四五六两几])(?:天|周|个星期|个月)前|昨日|先週|先月|この前|最近|先日|어제|지난주|지난달|최근",
};

/** What only code undergoes, told as done. */
export const RECODED: WordTable = {
  words: {
    en: "merged(?! (?:with|into) (?:the |our )?\\p{Lu}?\\p{L}+ (?:office|team|company|department))|refactored|renamed|rewr(?:ote|itten)|reworked|restructured|rebased|cherry-picked|squashed|bumped|committed(?! to)|reverted|force-pushed",
    de: "zurückgesetzt|rückgängig gemacht|gemergt|gemerged|umgebaut|umbenannt|refaktoriert|umgeschrieben|neu geschrieben|überarbeitet|zusammengeführt|committe?t|gepusht",
    fr: "(?:avons|ai|as|a|ont|avez|été) (?:\\p{L}+ )?(?:annulé|fusionné|renommé|refactoré|refactorisé|réécrit|remanié|restructuré|commité|mergé)e?s?",
    es: "revirtió|revertimos|(?:fusion|renombr|refactoriz|reestructur|merge)(?:amos|é|ó|aron)|reescrib(?:imos|í|ió|ieron)|hicimos (?:merge|commit)",
    pt: "(?:mescl|renome|refator|refactor|reestrutur)(?:amos|ámos|ei|ou|aram)|reescrev(?:emos|i|eu|eram)|fizemos (?:merge|commit)",
    it: "(?:abbiamo|ho|ha|hanno|stat[oaie]) (?:\\p{L}+ )?(?:unito|fuso|rinominat|riscritt|ristruttur|rifattorizzat|mergiat|committat)\\p{L}*",
    ru: "(?:с|в)мерж\\p{L}+|переименовал\\p{L}*|отрефактори\\p{L}+|переписал\\p{L}*|закоммит\\p{L}+|слили|влили",
    pl: "zmergowa\\p{L}+|scali\\p{L}+|zrefaktoryzowa\\p{L}+|przemianowa\\p{L}+|przepisa\\p{L}+|zacommitowa\\p{L}+",
  },
  cjk: "合并了|重构了|重命名了|重写了|提交了|改写了|改名了|マージし|リファクタリングし|書き直し|リネームし|コミットし|병합했|리팩(?:터|토)링했|이름을 바꿨|커밋했",
};

/** What is done to code and to other things as well: of a part of the program only. */
export const ALTERED: WordTable = {
  words: {
    en: "added|removed|deleted|introduced|replaced|updated|changed|created|split|pushed|tagged|touched|brought back|taken out|cleaned up|implemented|converted|extracted|ported|went in|landed",
    de: "hinzugefügt|entfernt|gelöscht|eingeführt|ersetzt|aktualisiert|geändert|angelegt|aufgeteilt|verschoben|ausgelagert|eingebaut|ausgebaut",
    fr: "(?:avons|ai|a|ont|été) (?:\\p{L}+ )?(?:ajouté|supprimé|introduit|remplacé|modifié|créé|déplacé|extrait|retiré)e?s?",
    es: "(?:añad|introduj|divid|extra)(?:imos|í|ió|ieron)|(?:agreg|quit|elimin|borr|reemplaz|actualiz|cambi|cre|implement)(?:amos|é|ó|aron)|fue(?:ron)? (?:añadid|introducid|dividid|agregad|eliminad|borrad|reemplazad|actualizad|cambiad|cread)[oa]s?",
    pt: "(?:adicion|remov|apag|substitu|atualiz|alter|cri|implement)(?:amos|ámos|emos|ímos|ei|i|ou|eu|iu|aram|eram|iram)|(?:foi|foram) (?:adicionad|removid|apagad|substituíd|atualizad|alterad|criad)[oa]s?",
    it: "(?:abbiamo|ho|ha|hanno|stat[oaie]) (?:\\p{L}+ )?(?:aggiunt|rimoss|eliminat|introdott|sostituit|aggiornat|cambiat|creat|spostat|estratt)\\p{L}*",
    ru: "добавил\\p{L}*|удалил\\p{L}*|заменил\\p{L}*|обновил\\p{L}*|изменил\\p{L}*|вынес\\p{L}*|добавлен\\p{L}*|удал[её]н\\p{L}*",
    pl: "dodali\\p{L}+|usunęli\\p{L}+|zastąpi\\p{L}+|zaktualizowa\\p{L}+|zmienili\\p{L}+|dodan\\p{L}+|usunięt\\p{L}+",
  },
  cjk: "添加了|新增了|删除了|移除了|引入了|替换了|更新了|修改了|拆分了|追加し|削除し|導入し|置き換え|更新し|変更し|추가했|삭제했|도입했|교체했|변경했",
};

/** "The last change to …", as the beginning of a sentence: what a log answers. */
export const LAST_CHANGE: WordTable = {
  words: {
    en: "(?:the |our |my )?(?:last|latest|most recent|previous) (?:\\p{L}+ )?(?:changes?|edits?|commits?|updates?|modifications?|merges?|pull requests?)",
    de: "(?:die |der |das )?(?:letzte|jüngste|neueste)[nr]? (?:\\p{L}+ )?(?:änderung(?:en)?|commits?|anpassung(?:en)?|merges?)",
    fr: "(?:le |la |les )?(?:(?:trois|deux|\\d+) )?derni(?:er|ère)s? (?:changements?|modifications?|commits?|fusions?)",
    es: "(?:el |la |los |las )?últim[oa]s? (?:\\p{L}+ )?(?:cambios?|commits?|modificaci(?:ón|ones))",
    pt: "(?:o |a |os |as )?últim[oa]s? (?:\\p{L}+ )?(?:alteraç(?:ão|ões)|mudanças?|commits?)",
    it: "(?:il |lo |la |l['’]|gli |le )?ultim[oaie] (?:\\p{L}+ )?(?:modific[ah]e?|cambiament[oi]|commit)",
    ru: "последн\\p{L}+ (?:\\p{L}+ )?(?:коммит\\p{L}*|изменени\\p{L}+|правк\\p{L}+)",
    pl: "ostatni\\p{L}* (?:\\p{L}+ )?(?:commit\\p{L}*|zmian\\p{L}+)",
  },
  cjk: "最近(?:的?[一几两三]?次)?的?(?:提交|修改|改动|变更)|最(?:後|近)の(?:コミット|変更|修正)|(?:마지막|최근) (?:커밋|변경|수정)",
};

/** "Tom wrote most of …", "… touched it last": who did what. */
export const AUTHORSHIP: WordTable = {
  words: {
    en: "(?:wrote|authored|coded|built|implemented) (?:most|half|the bulk|parts?|almost all|nearly all) of|(?:touched|changed|edited|worked on) (?:it|them|that|this) last|(?:originally|initially|first) (?:written|authored|added|introduced|built) (?:by|in)",
    de: "(?:den|das) (?:größten teil|meiste) (?:\\p{L}+ ){1,4}geschrieben|ursprünglich von|zuletzt (?:geändert|bearbeitet|angefasst)",
    fr: "a écrit (?:la plupart|la majorité|l['’]essentiel)|(?:écrit|ajouté) à l['’]origine par|modifiée? en dernier",
    es: "escribió (?:la mayor parte|casi todo|la mayoría)|escrito originalmente por|modificad[oa] por última vez",
    pt: "escreveu (?:a maior parte|quase todo|a maioria)|escrito originalmente por|alterad[oa] pela última vez",
    it: "ha scritto (?:la maggior parte|quasi tutto)|scritto (?:in origine|originariamente) da|modificat[oa] per ultim[oa]",
    ru: "написал\\p{L}* (?:больш\\p{L}+ часть|почти весь)|последн\\p{L}+ (?:менял|правил)\\p{L}*",
    pl: "napisał\\p{L}* większość|ostatni\\p{L}* (?:zmienia|edytowa)ł\\p{L}*",
  },
  cjk: "(?:大部分|主要)(?:是)?由?.{1,8}写的|最后(?:修改|改动)的?人|ほとんど.{1,10}が書い|最後に(?:変更|編集)し|대부분.{1,10}작성",
};

/** Tells how something was put right, whatever was wrong. */
export const PUT_RIGHT: WordTable = {
  words: {
    en: "(?:the |our |my )(?:actual |real |final )?(?:fix|solution|remedy|cure) (?:was|turned out|is) to|(?:did the trick|made (?:it|the .{1,40}) (?:work|pass|go away|disappear|vanish|stop))|got (?:past|around|rid of) .{2,60} by \\p{L}+ing|(?:\\p{L}+ing) .{2,50} (?:fixe[sd]|solve[sd]|cure[sd]|resolve[sd]|help(?:s|ed)|did it)|(?:fixed|solved|cured|resolved) (?:it|that|them|the (?:problem|issue|bug|error))|(?:went away|disappeared|vanished|was gone|is gone|cleared up) (?:once|after|when|by|as soon as)|(?:kept|keeps) (?:\\p{L}+ing|on \\p{L}+ing) until|(?:was|were|got|is) (?:fixed|resolved|solved|repaired|cured) by|(?:green|working|passing|running|happy) again (?:by|after|once|when)|(?:it )?turned out (?:that )?.{3,80},? (?:so|and) (?:i|we) \\p{L}+(?:ed|t)|(?:works|passes|builds|compiles|runs) (?:fine )?(?:now|again) (?:that|because|since)",
    de: "die lösung (?:war|ist|bestand)|(?:verschwand|weg war|war weg|lief wieder|ging wieder|war behoben|war gelöst),? (?:nachdem|als|sobald|durch|indem)|ließ sich (?:\\p{L}+ )?(?:lösen|beheben)|(?:hat|haben) das problem (?:gelöst|behoben)|hat geholfen|(?:war|waren) (?:die|der|das) \\p{L}+ (?:verschwunden|weg)|(?:ließ|brachte) (?:den|das|die) \\p{L}+ (?:verschwinden|weg)|schlug (?:so lange )?fehl, bis|stellte sich heraus.{3,80}(?:also|daher) habe",
    fr: "la solution (?:était|a été|consistait|est)|(?:a disparu|ont disparu|s['’]est réglé|est parti)e?s? (?:après|une fois|dès|quand|en)|a (?:résolu|réglé|corrigé) le problème|(?:a|ont) été (?:corrigé|résolu|réglé)e?s? en|a fait disparaître|échouait jusqu['’]à",
    es: "la solución (?:fue|era|consistió|es)|(?:desapareci(?:ó|eron)|se fue|se resolvió|se solucionó|se arregló) (?:al|tras|después|cuando|en cuanto)|(?:resolvió|solucionó|arregló) el problema|hizo desaparecer|fallaba hasta que",
    pt: "a solução (?:foi|era|é)|(?:desaparec(?:eu|eram)|sumiu|resolveu-se|foi resolvido) (?:ao|após|depois|quando|assim que)|(?:resolveu|corrigiu) o problema|falhava até",
    it: "la soluzione (?:è stata|era|è)|(?:è sparit[oa]|è scompars[oa]|si è risolto) (?:dopo|quando|appena|con)|ha risolto il problema|falliva finché",
    ru: "решение(?:м)? (?:было|оказалось|—)|(?:исчезл?а?|пропал\\p{L}*|ушл\\p{L}+) (?:после|когда|как только)|помогло|решило проблему",
    pl: "rozwiązaniem było|(?:zniknął|zniknęło|zniknęła|ustąpił) (?:po|gdy|kiedy)|rozwiązało problem|pomogło",
  },
  cjk: "(?:之)?后.{0,12}(?:消失|解决|正常|恢复|通过)了|解决(?:办法|方法|方案)是|后(?:问题)?就?(?:解决了|好了|消失了|正常了|通过了)|(?:したら|すると|ことで)(?:直り|直っ|解決|消え|通)|(?:하니|했더니|해서) (?:해결|고쳐|사라)",
};

/** How far the work is. */
export const PROGRESS: WordTable = {
  words: {
    en: "(?:today|this (?:morning|afternoon))['’]s (?:goal|task|plan) is|(?:is|are) done,? .{1,40} (?:still|left)|(?:i['’]m|we['’]re|i am|we are) (?:about to|(?:currently |now )?on the (?:first|second|third|last))|halfway (?:through|done)|half(?:-| )?done|in the middle of|so far,? (?:i|we)(?:['’]ve| have)?|(?:the )?remaining (?:work|steps?|tasks?|items?|tests?|endpoints?) (?:is|are)|still (?:need|have|needs|has) to|(?:step|phase|part|task|item) (?:\\p{L}+|\\d+)(?: of (?:the|our|my) \\p{L}+)? (?:is|was) (?:done|finished|complete)|(?:i|we)(?:['’]ve| have)? just (?:finished|started|completed|begun)|(?:i|we|we['’]re|i['’]m|we are|i am) (?:currently |now |still |just )?(?:looking (?:at|into)|trying to|struggling|chasing|stuck)|(?:is|are) (?:currently |still )?(?:broken|red|failing) (?:at the moment|right now|currently|for now)|(?:\\p{L}+|\\d+) (?:of|out of) (?:the )?(?:\\p{L}+|\\d+) (?:endpoints|files|tests|pages|components|forms|tasks|steps|tables|screens|modules) (?:\\p{L}+ )?(?:are |is |have been )?(?:done|converted|migrated|left|finished|ported|pass(?:ing)?)",
    de: "\\S+ von (?:\\p{L}+|\\d+) (?:\\p{L}+ )?(?:sind|ist) (?:\\p{L}+ )?(?:fertig|umgestellt|erledigt|migriert)|(?:gerade )?mitten (?:in|im)|zur hälfte (?:fertig|durch|erledigt)|bisher (?:habe|haben|sind|wurden|ist)|(?:es )?fehl(?:t|en) (?:nur )?noch|(?:muss|müssen) (?:ich|wir) noch|(?:ich|wir) (?:muss|müssen) (?:\\p{L}+ )?noch|schritt \\S+ ist (?:erledigt|fertig)|(?:ich|wir) (?:bin|sind) (?:gerade|noch) (?:dabei|am|an)|suche[n]? gerade|noch offen (?:ist|sind)",
    fr: "(?:en plein|au milieu d[eu]|à mi-chemin|à moitié)|jusqu['’]ici,? (?:j['’]ai|nous avons|on a)|il (?:me |nous )?reste (?:à|encore)|\\p{L}+ (?:\\p{L}+ )?sur (?:deux|trois|quatre|cinq|six|sept|huit|neuf|dix|\\d+) (?:est|sont)|en train d[e']|(?:l['’])?étape \\S+ est (?:terminée|finie)|(?:je|nous) (?:viens|venons) de",
    es: "\\p{L}+ de (?:las?|los?) (?:\\p{L}+|\\d+) \\p{L}+ (?:está|están)|a mitad de|a medias|hasta ahora (?:he|hemos|llevo|llevamos)|(?:me|nos) (?:falta|faltan|queda|quedan)|todavía (?:tengo|tenemos|falta|faltan)|(?:el )?paso \\S+ está (?:hecho|terminado|listo)|(?:acabo|acabamos) de|ahora mismo (?:estoy|estamos)",
    pt: "a meio d[aeo]|na metade d[aeo]|até agora (?:já )?(?:converti|fiz|fizemos|migr\\p{L}+)|(?:me |nos )?(?:falta|faltam)(?: ainda)?|ainda (?:tenho|temos|falta|preciso)|acab(?:ei|ámos|amos) de",
    it: "a metà (?:del|della|dei|strada)|finora (?:ho|abbiamo)|(?:mi|ci) (?:resta|restano|manca|mancano)|devo ancora|dobbiamo ancora|(?:ho|abbiamo) appena (?:finito|iniziato)",
    ru: "на полпути|пока (?:сделал|перевёл|перенёс|готов)\\p{L}*|осталось|ещё (?:нужно|надо)|сейчас (?:ищу|ищем|правлю|делаю|разбира\\p{L}+)",
    pl: "w połowie|do tej pory|zostało (?:jeszcze|mi|nam)|muszę jeszcze|właśnie (?:skończy|zaczą)\\p{L}+",
  },
  cjk: "(?:已|已经)?完成(?:了)?一半|做到一半|目前(?:已|.{1,12}(?:已经|改了|完成了|做了))|到目前为止|还(?:剩|差|需要|要|没)|剩下的?|正在(?:调试|排查|查|看|把)|刚(?:刚)?(?:完成|做完|写完)|第[一二三四五]步(?:已)?完成|途中まで|半分(?:終|完了)|これまでに|あとは|残って|中です|절반|지금까지|아직|남았",
};

/** A person says what they want, or asks to be told. */
export const WISH: WordTable = {
  words: {
    en: "(?:tell|ask|show|warn|ping|notify|remind|inform|call|wake|message) (?:me|us|\\p{L}+ (?:first|before|about))|let (?:me|us) know|i(?:['’]d| would)? (?:want|like|prefer|hate|dislike|expect|need|love|read|review|decide)|(?:right|wrong|good|bad|best|great) (?:call|choice|way|idea|move|decision)|perfect|exactly|for me|my (?:demo|team|boss|manager|machine|preference)|please",
    de: "(?:sag|frag|zeig|warn|erinner|benachrichtig|informier)\\p{L}* (?:mir|mich|uns)|(?:ich|wir) (?:will|wollen|möchte|möchten|mag|mögen|hätte|hätten|wünsche|lese|hasse)|bitte|genau (?:so|richtig)|gute (?:idee|wahl|entscheidung)",
    fr: "(?:dis|demande|montre|préviens|avertis|rappelle)-(?:le-)?(?:moi|nous)|je (?:veux|voudrais|souhaite|préfère|aime|déteste|lis)|bon(?:ne)? (?:choix|idée|décision)|exactement|s['’]il (?:te|vous) plaît",
    es: "(?:dime|avísame|pregúntame|muéstrame|recuérdame|avísanos)|(?:quiero|prefiero|me gusta|odio|quisiera|necesito que)|buena (?:idea|elección|decisión)|exacto|por favor",
    pt: "(?:diz-me|avisa-me|pergunta-me|me (?:avise|diga|pergunte|lembre))|(?:quero|prefiro|gosto|odeio|gostaria)|por favor",
    it: "(?:dimmi|avvisami|chiedimi|mostrami|ricordami|avvertimi)|(?:voglio|vorrei|preferisco|mi piace|odio)|per favore",
    ru: "(?:скажи|спроси|покажи|предупреди|напомни)\\p{L}*(?: мне| меня)?|я (?:хочу|предпочитаю|люблю|не люблю)|пожалуйста",
    pl: "(?:powiedz|zapytaj|pokaż|uprzedź|przypomnij)\\p{L}*(?: mi| mnie)?|(?:chcę|wolę|lubię|chciałbym|chciałabym)|proszę",
  },
  cjk: "告诉我|问我|通知我|提醒我|我(?:想|希望|要|更?喜欢|不喜欢|讨厌|习惯)|请|教えて|聞いて|知らせて|ほしい|欲しい|好き|嫌い|ください|알려|물어|싶|좋아|싫어|주세요",
};

/** Values, people, opinions and the life of a product: a sentence with one of them says more than how code hangs together. */
export const BEYOND_CODE: WordTable = {
  words: {
    en: "teams?|users?|people|everyone|somebody|someone|nobody|colleagues?|sales|support|marketing|designers?|developers?|too|better|worse|best|hard|easy|ugly|nice|slow|fast|confus\\p{L}+|annoy\\p{L}+|important|temporary|legacy|experimental|frozen|releases?|deploy\\p{L}*|runs?|running|listens?|uses?|using|needs?|requires?|costs?|budget|deadline|launch\\p{L}*|roadmap|plan(?:s|ned)?|production|staging|wants?|should|could|would|may|might|expects?|supports?|waits?|retries|expires?|belongs? to|is called|are called|means?|until|seconds?|minutes?|hours?|days?|weeks?|months?|years?",
    de: "teams?|nutzer\\p{L}*|benutzer\\p{L}*|leute|kolleg\\p{L}+|vertrieb|besser|schlechter|wichtig|vorübergehend|läuft|laufen|nutzt|verwendet|braucht|brauchen|kostet|frist|soll|sollen|könnte|wartet|heißt|bedeutet|bis|sekunden?|minuten?|stunden?|tage?n?|wochen?|monate?n?",
    fr: "équipes?|utilisateurs?|gens|collègues?|mieux|pire|important\\p{L}*|provisoire|tourne|tournent|utilise(?:nt)?|besoin|coûte|délai|devrait|pourrait|attend|s['’]appelle|signifie|jusqu\\p{L}*|secondes?|minutes?|heures?|jours?|semaines?|mois",
    es: "equipos?|usuarios?|gente|compañeros?|mejor|peor|importante|provisional|corre|usa[n]?|utiliza[n]?|necesita[n]?|cuesta|plazo|debería|podría|espera|se llama|significa|hasta|segundos?|minutos?|horas?|días?|semanas?|mes(?:es)?",
    pt: "equip[ae]s?|usuários?|utilizadores|pessoas|colegas|melhor|pior|importante|provisório|corre|roda|usa[m]?|utiliza[m]?|precisa[m]?|custa|prazo|deveria|poderia|espera|chama-se|significa|até|segundos?|minutos?|horas?|dias?|semanas?|mês|meses",
    it: "squadr[ae]|team|utent[ei]|persone|colleghi|meglio|peggio|importante|provvisori\\p{L}+|gira|usa(?:no)?|utilizza(?:no)?|serv(?:e|ono)|costa|scadenza|dovrebbe|potrebbe|aspetta|si chiama|significa|fino|secondi|minuti|ore|giorni|settiman[ae]|mes[ei]",
  },
  cjk: "团队|用户|同事|更好|重要|暂时|运行|使用|需要|成本|期限|等待|超时|秒|分钟|小时|チーム|ユーザー|実行|使用|必要|秒|分間|팀|사용자|실행|사용|필요",
};

/** A part that is known already, with its article: "the", "our". */
export const KNOWN_PART: WordTable = {
  words: {
    en: "the|our|this|that",
    de: "der|die|das|unser\\p{L}*|dies\\p{L}+",
    fr: "le|la|notre|cet?|cette",
    es: "el|la|nuestr[oa]|est[ea]",
    pt: "o|a|nosso|nossa|este|esta",
    it: "il|lo|la|nostr[oa]|quest[oa]",
  },
};
