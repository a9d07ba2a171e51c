import type { WordTable } from "../word-table.ts";

/** "lives in", "is defined in", "is next to". */
export const PLACE: WordTable = {
  words: {
    en: "(?:is|are|live[sd]?|lies?|sits?|resides?) (?:all |now |mostly |currently )?(?:located|defined|implemented|declared|found|kept|stored|placed|handled|configured|registered|described|documented|set|in|under|at|inside|within|next to|beside|below)|(?:located|defined|implemented|declared|found|handled|configured|registered|stored|placed|kept) (?:in|at|under|inside|by|within|next to|with)|(?:you['’]ll |you can |can be )?f(?:ind|ound) (?:\\p{L}+ ){0,5}?(?:in|at|under)|lives? (?:in|under)|reads? from|organi[sz]ed (?:as|in|into|by)|structured (?:as|in|into|by)|split (?:in|into)",
    de: "lieg(?:t|en)|steh(?:t|en)|befinde(?:t|n) sich|(?:ist|sind) (?:definiert|implementiert|in|unter)|findest du|finde(?:t|n) (?:man|sich)|wohn(?:t|en)|wird in|definiert in|implementiert in",
    fr: "(?:est|sont) (?:dans|sous|défini\\p{L}*|situé\\p{L}*|implément\\p{L}*)|se trouve(?:nt)?|se situe(?:nt)?|vit|organisé\\p{L}*",
    es: "está[n]? (?:en|definid\\p{L}+|organizad\\p{L}+|dentro)|se encuentra[n]?|vive[n]? en|se define[n]?|ubicad\\p{L}+",
    pt: "fica[m]? em|está[o]? em|estão em|encontra-se|definid\\p{L}+ em|se encontra[m]?|vive[m]? em|organizad\\p{L}+",
    it: "si trova(?:no)?|è (?:in|nel|nella|definit\\p{L}+)|sono (?:in|nei|nelle|definit\\p{L}+)",
    ru: "находится|находятся|лежит|лежат|описан\\p{L}*|определ[её]н\\p{L}*|реализован\\p{L}*|хранится|хранятся",
    pl: "znajduje się|znajdują się|leży|leżą|(?:jest|są) (?:w|zdefiniowan\\p{L}+|zaimplementowan\\p{L}+)|mieszka(?:ją)?",
  },
  cjk: "(?:在|位于|放在|定义在|实现在|存放在)|にあり|にある|に置|で定義|に実装|にまとめ|에 있|에 위치|에 정의",
};

/** What one piece of code does with another. */
export const RELATION: WordTable = {
  words: {
    en: "extends|inherits(?: from)?|references|implements|calls?|invokes|uses|imports|exports|returns?|takes|accepts|wraps|exposes|reads|writes|renders|handles|delegates to|depends on|contains|consists of|has (?:an? |the |two |three )?(?:methods?|propert(?:y|ies)|fields?|functions?|class(?:es)?|arguments?|parameters?)|is (?:an?|the) (?:\\p{L}+ ){0,3}?(?:class|function|hook|component|enum|interface|wrapper|helper|decorator|struct|trait|type|module|singleton|factory|base class|subclass|context|reducer|middleware)|(?:custom|react) (?:hook|component)|sums?|converts|parses|validates|maps|builds|creates",
    de: "erbt von|erweitert|implementiert|ruft|benutzt|verwendet|nutzt|importiert|gibt|nimmt|hat eine (?:methode|funktion)|enthält|besteht aus|liest",
    fr: "étend|hérite d[eu']?|implémente|appelle|utilise|importe|renvoie|retourne|prend|contient|a une (?:méthode|fonction)",
    es: "extiende|hereda de|implementa|llama a|usa|utiliza|importa|devuelve|retorna|recibe|contiene|tiene un (?:método|campo)",
    pt: "estende|herda de|implementa|chama|usa|utiliza|importa|devolve|retorna|recebe|contém|tem um método",
    it: "estende|eredita da|implementa|chiama|usa|importa|restituisce|prende|contiene",
    ru: "наследует\\p{L}*|реализует|вызывает|использует|импортирует|возвращает|принимает|содержит",
    pl: "dziedziczy|rozszerza|implementuje|wywołuje|używa|importuje|zwraca|przyjmuje|zawiera",
  },
  cjk: "继承|实现|调用|使用|导入|返回|接收|包含|依赖|継承|実装し|呼び出し|使い|使って|返し|受け取り|含み|호출|상속|구현|반환|사용",
};

/** Pieces of code by their kind, and the parts of a system. */
export const PIECE: WordTable = {
  words: {
    en: "class(?:es)?|functions?|methods?|hooks?|components?|modules?|interfaces?|enums?|types?|structs?|traits?|controllers?|services?|repositor(?:y|ies)|models?|routes?|routers?|handlers?|middlewares?|helpers?|utils|utilit(?:y|ies)|reducers?|slices?|stores?|templates?|migrations?|schemas?|tests?|specs?|fixtures?|folders?|director(?:y|ies)|files?|packages?|layers?|endpoints?|resolvers?|providers?|adapters?|views?|styles|types|constants|config(?:uration)?|entry point|codebase|frontend|backend|server|monorepo|cli",
    de: "klassen?|funktion(?:en)?|methoden?|komponenten?|module?|schnittstellen?|dienste?|routen|modelle?|vorlagen?|ordner|verzeichnis(?:se)?|dateien?|pakete?|schicht(?:en)?|tests?|code",
    fr: "classes?|fonctions?|méthodes?|composants?|modules?|interfaces?|services?|routes?|modèles?|dossiers?|fichiers?|paquets?|couches?|tests?",
    es: "clases?|funci(?:ón|ones)|métodos?|componentes?|módulos?|interfaz|servicios?|rutas?|modelos?|carpetas?|ficheros?|archivos?|paquetes?|capas?|pruebas|servidor",
    pt: "classes?|funç(?:ão|ões)|métodos?|componentes?|módulos?|interfaces?|serviços?|rotas?|modelos?|pastas?|ficheiros?|arquivos?|pacotes?|camadas?|testes|servidor",
    it: "class[ei]|funzion[ei]|metod[oi]|component[ei]|modul[oi]|serviz[io]|rott[ae]|modell[oi]|cartell[ae]|file|pacchett[oi]",
    ru: "класс\\p{L}*|функци\\p{L}+|метод\\p{L}*|компонент\\p{L}*|модул\\p{L}+|сервис\\p{L}*|роут\\p{L}*|модел\\p{L}+|папк\\p{L}+|файл\\p{L}*|пакет\\p{L}*|тест\\p{L}*|код",
    pl: "klas[ay]?|funkcj[aeię]|metod[ay]?|komponent\\p{L}*|moduł\\p{L}*|serwis\\p{L}*|tras[ay]?|model\\p{L}*|folder\\p{L}*|katalog\\p{L}*|plik\\p{L}*|pakiet\\p{L}*|test\\p{L}*",
  },
  cjk: "类|函数|方法|组件|模块|接口|服务|路由|模型|文件夹?|目录|代码|逻辑|クラス|関数|メソッド|コンポーネント|モジュール|ルート|モデル|フォルダ|ファイル|コード|클래스|함수|메서드|컴포넌트|모듈|폴더|파일|코드",
};

/**
 * "Tests in packages/core run with Vitest", as the beginning of a sentence: what is so for all that lies there. The path
 * says for what the convention holds, and the verb what is done, not what something consists of.
 */
export const CONVENTION_AT: WordTable = {
  words: {
    en: "(?:(?:the|our|all) )?(?:\\p{L}+[ -]){0,2}(?!(?:lives|sits|goes|stays|is|was|has|runs|uses) )(?:\\p{L}+s|code|everything|nothing) (?:in|of|under|from|below|inside) ⟦p⟧ (?:(?:are|is) (?:run|kept|written in|reviewed|tested|owned|formatted|generated|skipped|frozen)|(?!is\\b|are\\b|was\\b|were\\b|has\\b|have\\b|contains?\\b|exports?\\b|imports?\\b|defines?\\b|implements?\\b|extends?\\b|calls?\\b|returns?\\b|handles?\\b|lives?\\b|lies?\\b|takes?\\b|does\\b|do\\b|validates?\\b|parses?\\b|reads?\\b|writes?\\b|checks?\\b|renders?\\b|holds?\\b|wraps?\\b|provides?\\b|creates?\\b|builds?\\b|and\\b|or\\b|that\\b|which\\b|with\\b|for\\b|to\\b|on\\b|in\\b|by\\b)\\p{L}+)",
    de: "(?:(?:die|alle|der|das) )?(?:\\p{L}+ ){1,3}(?:in|unter|aus) ⟦p⟧ (?:laufen|läuft|brauchen|braucht|folgen|folgt|nutzen|nutzt|bleiben|bleibt|werden|wird|kommen|kommt)",
    fr: "(?:(?:les|tous les|toutes les|le|la) )?(?:\\p{L}+ ){1,3}(?:dans|sous|de) ⟦p⟧ (?:tournent|tourne|suivent|suit|ont besoin|exigent|restent|reste|passent|utilisent)",
    es: "(?:(?:los|las|el|la|todos los) )?(?:\\p{L}+ ){1,3}(?:en|de|bajo) ⟦p⟧ (?:corren|corre|se ejecutan|se ejecuta|siguen|necesitan|usan|quedan)",
    pt: "(?:(?:os|as|o|a|todos os) )?(?:\\p{L}+ ){1,3}(?:em|de|no|na) ⟦p⟧ (?:correm|rodam|seguem|precisam|usam|ficam)",
    it: "(?:(?:i|gli|le|tutti i) )?(?:\\p{L}+ ){1,3}(?:in|di|sotto) ⟦p⟧ (?:girano|seguono|usano|restano|richiedono)",
    ru: "(?:\\p{L}+ ){1,3}(?:в|из) ⟦p⟧ (?:запускаются|идут|используют|требуют)",
    pl: "(?:\\p{L}+ ){1,3}(?:w|z) ⟦p⟧ (?:uruchamiane|działają|używają|wymagają)",
  },
};

/** What pieces of code have and are made of. */
export const MEMBER: WordTable = {
  words: {
    en: "props?|propert(?:y|ies)|fields?|columns?|tables?|methods?|parameters?|arguments?|params?|values|keys|attributes|subfolders?|sub-?modules?|endpoints?|files|components|modules|functions|classes|tests|packages|layers|interfaces|hooks|states?|variants?",
    de: "felder|spalten|tabellen|methoden|parameter|argumente|werte|eigenschaften|module|klassen|dateien",
    fr: "champs|colonnes|tables|méthodes|paramètres|arguments|valeurs|propriétés|modules|classes|fichiers",
    es: "campos|columnas|tablas|métodos|parámetros|argumentos|valores|propiedades|módulos|clases|archivos|ficheros",
    pt: "campos|colunas|tabelas|métodos|parâmetros|argumentos|valores|propriedades|módulos|classes|ficheiros|arquivos",
    it: "campi|colonne|tabelle|metodi|parametri|argomenti|valori|proprietà|moduli|classi|file",
    ru: "пол[яей]|колонк\\p{L}+|таблиц\\p{L}*|метод\\p{L}*|параметр\\p{L}*|аргумент\\p{L}*|свойств\\p{L}*|модул\\p{L}+|класс\\p{L}*|файл\\p{L}*",
    pl: "pola|kolumny|tabele|metody|parametry|argumenty|wartości|moduły|klasy|pliki",
  },
  cjk: "字段|列|表|方法|参数|属性|模块|文件|フィールド|カラム|テーブル|メソッド|引数|プロパティ|필드|컬럼|테이블|메서드|인자|속성",
};

/** "has", "consists of": the verb between a piece and its members. */
export const HAS: WordTable = {
  words: {
    en: "has|have|contains?|consists? of|includes?|takes?|accepts?|returns?|exports?|exposes?|comprises?|is divided into|is split into|are split into",
    de: "hat|haben|enthält|enthalten|besteht aus|bestehen aus|umfasst|nimmt",
    fr: "ont|contient|contiennent|comprend|prend",
    es: "tiene|tienen|contiene|contienen|incluye|consta de|recibe",
    pt: "tem|têm|contém|inclui|recebe|é composto",
    it: "hanno|contiene|contengono|include|riceve",
    ru: "имеет|содержит|содержат|состоит из|включает|принимает",
    pl: "mają|zawiera|zawierają|składa się z|przyjmuje",
  },
  cjk: "有|包含|包括|由|分为|接收|持ち|含み|からな|があり|가지|포함|구성",
};

/** What a whole is called whose parts are told, and the ways to tell them. */
export const ARCHITECTURE: WordTable = {
  words: {
    en: "(?:project|codebase|repo(?:sitory)?|application|app|system|architecture|backend|frontend|server|monorepo|code|package)(?: \\p{L}+){0,2}? (?:follows|has|uses|is|are|contains|consists of|is made (?:up )?of|comprises) (?:an? |the |all )?(?:\\p{L}+ly )?(?:(?:layered|hexagonal|clean|onion|mvc|mvvm|modular|micro-?services?|monorepo|monolith\\p{L}*|organi[sz]ed|structured|split|divided|folder|src|repository pattern|service layer|event[- ]driven|three[- ]layer|n-tier|\\p{L}+ (?:pattern|architecture|structure|layers?))|[^.]{0,30}\\((?=[^)]*\\/))",
    de: "(?:projekt|codebasis|code|repo(?:sitory)?|anwendung|system|architektur|backend|frontend|server) (?:folgt|ist|besteht aus|hat|enthält|gliedert sich) (?:\\p{L}+ ){0,3}?(?:schicht\\p{L}*|module\\p{L}*|aufgeteilt|gegliedert|aufgebaut|organisiert|monorepo|architektur)",
    fr: "(?:projet|code|dépôt|application|serveur|architecture) (?:suit|est|se compose|contient) (?:\\p{L}+ ){0,3}?(?:couches?|modul\\p{L}*|organis\\p{L}*|structur\\p{L}*|monorepo|divis\\p{L}*)",
    es: "(?:proyecto|código|repositorio|aplicación|servidor|arquitectura) (?:sigue|está|se compone|contiene|tiene) (?:\\p{L}+ ){0,3}?(?:capas?|módulos?|organizad\\p{L}*|estructurad\\p{L}*|dividid\\p{L}*|monorepo)",
    pt: "(?:projeto|código|repositório|aplicação|servidor|arquitetura) (?:segue|está|compõe-se|contém|tem) (?:\\p{L}+ ){0,3}?(?:camadas?|módulos?|organizad\\p{L}*|estruturad\\p{L}*|dividid\\p{L}*|monorepo)",
    it: "(?:progetto|codice|repository|applicazione|server|architettura) (?:segue|è|contiene) (?:\\p{L}+ ){0,3}?(?:strat[oi]|modul[oi]|organizzat\\p{L}*|strutturat\\p{L}*|divis\\p{L}*)",
    ru: "(?:проект|код|репозиторий|приложение|сервер|архитектура) (?:состоит|разделён|разделен|организован|разбит|построен\\p{L}*)",
    pl: "(?:projekt|kod|repozytorium|aplikacja|serwer|architektura) (?:składa się|jest podzielon\\p{L}+|jest zorganizowan\\p{L}+)",
  },
  cjk: "(?:项目|代码库?|仓库|系统|后端|前端)(?:采用|分为|由|使用).{0,40}(?:架构|层|模块|组成|结构|包|目录|文件夹)|(?:プロジェクト|コード|システム|リポジトリ)は.{0,16}(?:構成|層|アーキテクチャ|モジュール)|(?:프로젝트|코드|시스템)는.{0,16}(?:구조|계층|아키텍처)",
};

/** What a version control system holds. */
export const HISTORY: WordTable = {
  words: {
    en: "commits?|pull requests?|prs?|merge requests?|mrs?|branch(?:es)?|git (?:log|blame|history|show|diff)|v?\\d[\\d.]* (?:was|is|got) tagged|tagged (?:v?\\d\\S*|on|in|as v?\\d\\S*)|git tags?|(?:revert|merge|backport|rebase) of|tags? v?\\d\\S*|rebased|cherry-picked|changeset|diff",
    de: "commits?|committe?t|pull[- ]?requests?|prs?|branch(?:es)?|zweig|getaggt|merge[- ]?requests?",
    fr: "commits?|pull requests?|prs?|branches?|étiquet\\p{L}+",
    es: "commits?|pull requests?|prs?|ramas?|etiquet\\p{L}+",
    pt: "commits?|pull requests?|prs?|branch(?:es)?|ramos?|etiquet\\p{L}+",
    it: "commit|pull request|branch|ram[oi]",
    ru: "коммит\\p{L}*|пул-?реквест\\p{L}*|ветк\\p{L}+|пр",
    pl: "commit\\p{L}*|pull request\\p{L}*|pr|gałąź|gałęz\\p{L}+|branch\\p{L}*",
  },
  cjk: "提交|合并请求|分支|コミット|プルリク\\p{L}*|ブランチ|커밋|브랜치|풀\\s?리퀘",
};

/** What was done to code, told as past. */
export const CHANGED: WordTable = {
  words: {
    en: "(?:re)?added|removed|renamed|fixed|moved|merged|introduced|refactored|rewr(?:ote|itten)|changed|updated|deleted|reverted|touched|edited|pushed|tagged|broke|split|bumped|migrated|converted|replaced|extracted|dropped|committed|cherry-picked|rebased|squashed|cleaned up|opened|closed|landed|force-pushed|stashed|authored|branched off|(?:was|were|got|been) cut|created|implemented|points? (?:to|at)|(?:is|are) (?:in|on) (?:main|master|trunk|develop)",
    de: "umbenannt|gelöscht|entfernt|hinzugefügt|gemergt|geändert|verschoben|behoben|eingeführt|umgebaut|ersetzt",
    fr: "fusionn\\p{L}+|supprim\\p{L}+|renomm\\p{L}+|ajout\\p{L}+|corrig\\p{L}+|déplac\\p{L}+|introdui\\p{L}+",
    es: "arregló|eliminó|renombró|añadió|agregó|cambió|movió|corrigió|se (?:fusionó|eliminó|añadió|renombró|integró)|introdujo|borró|actualizó|fusion\\p{L}+|hizo",
    pt: "removeu|renomeou|adicionou|corrigiu|alterou|moveu|introduziu|apagou|atualizou|foi (?:fundid\\p{L}+|integrad\\p{L}+|mesclad\\p{L}+|removid\\p{L}+)|fez",
    it: "rimosso|rinominato|aggiunto|corretto|cambiato|spostato|introdotto|ha \\p{L}+to|è stato \\p{L}+to",
    ru: "переименовал\\p{L}*|удалил\\p{L}*|добавил\\p{L}*|исправил\\p{L}*|изменил\\p{L}*|перен[её]с\\p{L}*|слил\\p{L}*|влил\\p{L}*|слит\\p{L}*|обновил\\p{L}*|внёс|внес\\p{L}*",
    pl: "usunął|usunęł\\p{L}+|zmienił\\p{L}*|dodał\\p{L}*|naprawił\\p{L}*|przeniósł|przeniosł\\p{L}+|scalon\\p{L}*|zmergowan\\p{L}*|poprawił\\p{L}*|zaktualizował\\p{L}*",
  },
  cjk: "重命名|改名|删除了?|添加了?|修复了?|合并|移动了?|重构了|更新了|しました|された|されました|削除|追加|改名|修正し|マージ|했(?:다|습니다)|되었|삭제|추가|수정|병합",
};

/** Something goes wrong. */
export const SYMPTOM: WordTable = {
  words: {
    en: "complain(?:s|ed|ing)?|missing|null pointer|did(?:n['’]t| not) (?:load|work|start|build|compile|run|show|appear)|errors?|exceptions?|crash(?:es|ed)?|bugs?|fail(?:s|ed|ing|ures?)?|hangs?|hung|conflicts?|broken|stuck|flaky|leaks?|not (?:found|working|starting)|does(?:n['’]t| not) (?:start|work|build|compile)|warnings?|infinite \\p{L}+|deadlock|race condition|timeouts?|timed out|crashed|issue|problem|(?:already |is |are )(?:in use|taken|occupied)|won['’]?t (?:start|build|compile|load|open|connect)|can(?:not|['’]t) (?:find|connect|open|load|resolve)|\\p{L}*(?:Error|Exception)",
    de: "fehler\\p{L}*|problem\\p{L}*|ausnahme\\p{L}*|absturz|abstürz\\p{L}*|schlägt fehl|fehlschl\\p{L}+|fehlgeschlagen|hängt|konflikt\\p{L}*|kaputt|bug",
    fr: "erreurs?|exceptions?|bogues?|bugs?|plant\\p{L}+|échou\\p{L}+|échec|problèmes?|conflits?|bloqu\\p{L}+",
    es: "error(?:es)?|excepci\\p{L}+|fall[aoó]\\p{L}*|problemas?|bug|conflictos?|colgad\\p{L}+",
    pt: "erros?|exceç\\p{L}+|falh\\p{L}+|problemas?|bug|conflitos?",
    it: "error[ei]|eccezion\\p{L}+|fallisc\\p{L}+|fallit\\p{L}+|problem[ai]|bug|conflitt\\p{L}+",
    ru: "ошибк\\p{L}+|исключени\\p{L}+|падает|падал\\p{L}*|падени\\p{L}+|проблем\\p{L}+|баг\\p{L}*|сбо\\p{L}+|зависа\\p{L}+",
    pl: "błąd\\p{L}*|błęd\\p{L}+|wyjąt\\p{L}+|problem\\p{L}*|awari\\p{L}+|bug|konflikt\\p{L}*|nie działa\\p{L}*",
  },
  cjk: "报错|错误|异常|崩溃|失败|问题|冲突|修复方法|エラー|例外|クラッシュ|失敗|不具合|問題|バグ|에러|오류|예외|실패|문제|버그",
};

/** What was done, or is to be done, about it in code or on the machine. */
export const REMEDY: WordTable = {
  words: {
    en: "(?:was |were |is |be |i |we |got )?(?:fixed|resolved|solved|worked around|corrected|patched|repaired) (?:it |this |that |the \\p{L}+ )?(?:by|with|via|when|after|through)|to (?:fix|solve|resolve|work around|get rid of)|(?:the )?(?:fix|solution|remedy|workaround|resolution)(?: (?:for|to|of|was|is)|:)|fix(?:ed)?:|(?:went|goes) away|(?:works|worked|passes|passed|builds|compiles|starts|loads) (?:again |now |fine )?(?:after|when|once|since) (?:i|we|\\p{L}+ing)|(?:fixed|resolved|solved|corrected) .{0,80} by \\p{L}+ing|helped|i (?:added|removed|changed|set|replaced|wrapped|restarted|deleted|cleared|updated)|[;,:] (?:i )?(?:added|removed|fixed|changed|replaced|moved|set|patched) (?:it|them|that|this|one)|(?:is|are|was|were|got) (?:now |finally )?(?:fixed|solved|resolved)(?! (?:on|until|at|as) )|(?:works?|worked|pass(?:es|ed)?|built|ran|runs|green|fine) again|so i (?:\\p{L}+ )?(?:\\p{L}+ed|put|set|made|took|ran|wrote|rewrote)|(?:disappeared|vanished|stopped|is gone|was gone) (?:after|when|once)|(?:delete|remove|clear|clean|wipe|reset|purge) (?:the )?(?:\\p{L}+ )?(?:node_modules|cache|caches|build|dist|lock ?file|volumes?|database|target|venv)|(?:re-?run|re-?install|re-?start|re-?build|re-?boot|kill|restart|rebuild|reinstall)\\b|run (?:it |them )?(?:\\p{L}+ ){0,2}?(?:again|with|install)|run ⟦k⟧|add(?:ing)? (?:an?|the) (?:missing |null |optional )|was caused by (?:an?|the|missing|a missing)|root cause|default(?:ed|ing)? (?:it )?to|(?:had|needed|have|need) to (?:restart|rebuild|reinstall|clear|delete|kill|re-?run|downgrade|upgrade)|(?:add|remov|sett|chang|updat|restart|clear|reinstall|disabl|enabl|upgrad|downgrad|increas)ing .{0,40} (?:fixe[sd]|solve[sd]|resolve[sd]|help(?:s|ed)|did it|work(?:s|ed))|(?:fix|fixed|resolved|resolve|solved)(?= the)|turned out to be|the culprit|update[sd]? the snapshots?",
    de: "(?:gelöst|behoben|gefixt|repariert)|(?:habe|hab|haben) (?:ich |wir )?(?:\\p{L}+ ){0,3}?(?:ergänzt|hinzugefügt|entfernt|geändert|neu gestartet|gelöscht|ersetzt)|um (?:den|das|die) \\p{L}+ zu (?:beheben|lösen|fixen)|lösung(?: für|:)|hilft|half|neu (?:starten|installieren|bauen)|lösch(?:e|en)|indem|war ein(?:e)? fehlend\\p{L}*|es fehlten? (?:ein|eine|der|die|das)|ursache war|lag an",
    fr: "(?<!non )(?:corrigé|résolu|réparé)e?s? (?:en|par|avec|grâce)|j['’]ai (?:corrigé|résolu|réparé)|en ajoutant|en supprimant|en redémarrant|en vidant|pour (?:corriger|résoudre)|solution(?: :|:| pour)|j['’]ai (?:ajouté|supprimé|redémarré)|je l['’]ai (?:ajout|corrig|remplac|supprim|chang|déplac)\\p{L}+|réinstall\\p{L}+|relanc\\p{L}+",
    es: "(?:se )?(?:solucion(?:ó|é|ado|a)|arregl(?:ó|é|ado)|resolvi(?:ó|do)|resuelto|corrig(?:ió|í|e)|corregid\\p{L})|borrando|añadiendo|agregando|reinstal\\p{L}+|reinici\\p{L}+|l[oa]s? (?:añadí|agregué|cambié|quité|borré|moví)|solución(?::| para)|para (?:arreglar|solucionar|resolver)",
    pt: "corrigi(?:u|do)?|resolvi(?:do|u)?|resolveu|solucion(?:ei|ou|ado)|consert(?:ei|ou|ado)|adicionando|removendo|apagando|reinstal\\p{L}+|reinici\\p{L}+|solução(?::| para)|para (?:corrigir|resolver)",
    it: "risolto|corretto|sistemato|risolvendo|aggiungendo|cancellando|reinstall\\p{L}+|riavvi\\p{L}+|l['’]ho (?:aggiunt|corrett|sistemat|tolt|cambiat|spostat)\\p{L}+|soluzione(?::| per)|per (?:risolvere|correggere)",
    ru: "исправ\\p{L}+|исчез\\p{L}*|устран\\p{L}+|помогл\\p{L}+|помог|решени\\p{L}+:|решил\\p{L}*|удалени\\p{L}+|переустанов\\p{L}+|перезапуст\\p{L}+|повторной установки|чтобы (?:исправить|решить)",
    pl: "napraw\\p{L}+|rozwiąz\\p{L}+|pomogło|zniknął|usunięci\\p{L}+|przeinstal\\p{L}+|zrestart\\p{L}+|aby naprawić|dodając|usuwając",
  },
  cjk: "修复方法|解决(?:方法|办法|了)|重新(?:安装|运行|启动|编译)|就好了|删除(?:后|缓存)|加上|清(?:除|空)缓存|直りました|直った|解決(?:しました|した|方法)|再インストール|再起動|削除して|追加したら|해결|다시 (?:설치|실행|시작)|고쳤|수정했",
};

/** Of this hour, whatever else the sentence says. */
export const THIS_TASK: WordTable = {
  words: {
    en: "in this (?:commit|pr|pull request|branch|session|conversation|task|ticket|turn|run|step|change|file|function|test|refactor(?:ing)?|view|page|screen|form|component|class|method|dialog)|for this (?:commit|pr|pull request|branch|session|task|ticket|run|step|change|one|file|function|test)|this time|just this once|this (?:session|conversation),? (?:i|we|the agent)|(?:next|remaining|current) (?:steps?|thing to do|task|up)(?: (?:is|are|was)|:)|next up|step \\d+ of \\d+|(?:still|left|remaining|remains?) to (?:do|be done|write|fix|add)|to[- ]?do(?::| list| today|s? (?:are|is))|in the middle of|half(?:way)? (?:done|through)|half of the \\p{L}+ (?:is|are) done|current (?:task|todo|work|step)|task at hand|session (?:progress|summary|status|state)|progress(?: so far)?:|steps? \\d+(?: (?:to|and|-) \\d+)?(?: of the plan)? (?:is|are) (?:done|complete)|so far|still (?:need|have) to|we stopped at|pick up (?:from|at|where)|continue (?:with|from|where)|before (?:we continue|the next step)|left to do|done (?:with )?(?:\\d+|one|two|three|four|five|six|half) of|left for (?:tomorrow|later|today|next)|the (?:rest|others?|other half) (?:is|are) (?:still )?(?:left|open|missing|to do|pending|to come)|waiting for (?:the )?(?:ci|review|build|tests?|pipeline)|not yet (?:done|committed|pushed)|ready (?:for review|to merge)|continue tomorrow|(?:plan|tasks?|todos?) for (?:today|tomorrow|this session)|uncommitted|(?:today|tomorrow|now|then|next|still|first) (?:i|we)(?:['’]ll| will| need to| have to| must| want to)|(?:i|we) (?:still |just )?(?:need|have|want) to .{3,60} (?:next|today|tomorrow|now|first|afterwards)|(?:i|we)(?:['’]ll| will) .{3,60} (?:next|today|tomorrow|now|later)|i (?:still |just )(?:need|have) to|(?:build|ci|pipeline|main|tests?|suite) (?:is|are) (?:currently |still )?(?:red|broken|failing|green)",
    de: "in diese[mr] (?:commit|pr|branch|sitzung|aufgabe|datei)|für diese[ns]? (?:commit|pr|aufgabe|mal)|diesmal|dieses mal|nur heute|im moment|momentan|gerade (?:baue|arbeite|schreibe|refaktoriere|dabei|noch)|nächster schritt|als nächstes|noch zu tun|noch offen|es fehl(?:t|en) noch|bin gerade|sind gerade|aktuelle aufgabe|bisher|(?:ich|wir) (?:muss|müssen) (?:jetzt |heute |noch |gleich )|muss noch|müssen noch|heute (?:noch )?(?:mache|baue|schreibe|fixe)",
    fr: "dans ce (?:commit|fichier)|dans cette (?:pr|session|tâche|branche)|pour (?:ce commit|cette (?:pr|fois|tâche))|cette fois(?:-ci)?|en ce moment|en train de|prochaine étape|il (?:me )?reste (?:à|les|des|le|la)|tâche (?:actuelle|en cours)|je dois (?:encore|maintenant)|il faut encore|ensuite,? (?:je|on)",
    es: "en este (?:commit|pr|archivo)|en esta (?:sesión|tarea|rama)|por esta vez|esta vez|ahora mismo|estoy \\p{L}+(?:ando|iendo)|siguiente paso|próximo paso|(?<!hace )(?:me )?falta[n]? (?:el|la|los|las|por|dos|un)|tarea actual|(?:todavía|aún) (?:tengo|hay) que|ahora (?:tengo|toca)|luego (?:hay|toca|tengo)",
    pt: "neste (?:commit|pr|arquivo|ficheiro)|nesta (?:sessão|tarefa|branch)|desta vez|neste momento|estou (?:a \\p{L}+|\\p{L}+ndo)|próximo passo|falta[m]? (?:o|a|os|as|dois|duas|um)|tarefa atual|ainda (?:tenho|falta|preciso)|agora (?:tenho|vou)",
    it: "in quest[oa] (?:commit|pr|sessione|branch|file)|questa volta|in questo momento|sto \\p{L}+ndo|prossimo passo|manca(?:no)? (?:il|la|i|le|ancora)|devo ancora|adesso devo",
    ru: "в этом (?:коммите|пр|файле)|в этой (?:ветке|сессии|задаче)|в этот раз|прямо сейчас|сейчас \\p{L}+(?:ю|у|ем|им)|следующий шаг|осталось|текущая задача|(?:мне )?(?:ещё|еще) (?:нужно|надо)|(?:теперь|дальше) (?:нужно|надо|буду)",
    pl: "w tym (?:commicie|pliku|pr)|w tej (?:sesji|gałęzi)|tym razem|w tej chwili|teraz \\p{L}+(?:am|em|ę|ję|amy|emy)|następny krok|został[yo]? (?:jeszcze )?\\p{L}+|do zrobienia|muszę jeszcze|jeszcze (?:muszę|trzeba)|następnie",
  },
  cjk: "这(?:一)?次|目前正在|正在(?:重构|修复|修改|开发|编写|迁移|做)|下一步|接下来|还剩|还没(?:写|做)|待办|当前任务|今は.{0,12}中|(?:修正|作業|実装|移行|調査)中|残り(?:は|の)|次のステップ|次は.{0,30}(?:書く|する|やる|直す|実装|追加|書き|進め)|今回(?:は|だけ)|지금은?.{0,12}중|이번에(?:는|만)?|다음 단계|남은",
};

/** Somebody is at it. */
export const IN_PROGRESS: WordTable = {
  words: {
    en: "(?:currently|now|still|busy|(?:i['’]m|i am|we['’]re|(?:user|we|team|agent) (?:is|are))(?: currently| now| still| just| busy)?) (?:refactoring|working|implementing|migrating|fixing|writing|debugging|adding|rewriting|building|testing|updating|moving|investigating|reviewing|splitting|porting|converting|replacing|cleaning|finishing|renaming|removing)",
    de: "(?:ich|wir) (?:arbeite|arbeiten|baue|bauen|schreibe|schreiben) (?:gerade|noch|jetzt)",
    it: "stiamo \\p{L}+ndo",
    es: "estamos \\p{L}+(?:ando|iendo)",
    pt: "estamos (?:a \\p{L}+|\\p{L}+ndo)",
  },
};

/** Hedges of the hour, which make an order one of the hour. */
export const FOR_NOW: WordTable = {
  words: {
    en: "for now|right now|at the moment|for the moment|at present|today|tonight|this (?:morning|afternoon|week)|temporarily|for the time being",
    de: "vorerst|fürs erste|(?<!ab )heute|derzeit|vorübergehend|jetzt",
    fr: "pour l['’]instant|pour le moment|(?<!d['’])aujourd['’]hui|provisoirement",
    es: "por ahora|de momento|(?<!partir de )hoy|temporalmente",
    pt: "por agora|por enquanto|(?<!partir de )hoje|temporariamente",
    it: "per ora|oggi|temporaneamente",
    ru: "пока(?: что)?|сегодня|временно",
    pl: "na razie|dziś|dzisiaj|tymczasowo",
  },
  cjk: "暂时|现在先|今天|先(?=不|别|把|用)|とりあえず|一旦|今日は?|오늘|당분간|일단",
};

/** Tells somebody to do something or to leave it. */
export const ORDER: WordTable = {
  words: {
    en: "skip|ignore|leave|don['’]?t|do not|disable|mock|stub|hold off|wait|no need|comment out|hard-?code",
    de: "überspring\\p{L}*|ignorier\\p{L}*|lass\\p{L}*|nicht|keine?",
    fr: "ne|n['’]\\p{L}+|ignore[rz]?|laisse[rz]?|saute[rz]?",
    es: "no|ignora|omite|deja|salta",
    pt: "não|ignora|deixa|salta|pula",
    it: "non|ignora|lascia|salta",
    ru: "не|пропусти\\p{L}*|оставь\\p{L}*|игнорируй\\p{L}*",
    pl: "nie|pomiń|zostaw|zignoruj",
  },
  cjk: "不要|别|跳过|忽略|しないで|スキップ|무시|하지\\s?마|건너",
};

/** A habit that an order may set, as its first word: how to work, wherever it applies. */
export const HABIT: WordTable = {
  words: {
    en: "no|put|keep|use|prefer|place|store|name|write|run|see|read|ask|explain|show|never|always|don['’]?t|do not|avoid|when|before|after|if|make sure|remember|treat|check",
    de: "nutz\\p{L}*|verwend\\p{L}*|leg\\p{L}*|schreib\\p{L}*|wenn|bevor|kein\\p{L}*|frag\\p{L}*",
    fr: "utilise[rz]?|mets|mettez|place[rz]?|écri[sv]\\p{L}*|quand|avant",
    es: "usa|utiliza|pon|coloca|escribe|cuando|antes",
    pt: "usa|use|utiliza|coloca|coloque|escreve|escreva|quando|antes",
    it: "usa|utilizza|metti|scrivi|quando|prima",
    ru: "используй\\p{L}*|клади\\p{L}*|пиши\\p{L}*|когда|перед",
    pl: "używaj|umieszczaj|pisz|kiedy|przed",
  },
  cjk: "请|每次|使用时",
};

/** An order for one thing: the verb that begins it. */
export const ONE_OFF: WordTable = {
  words: {
    en: "(?:please |can you |could you |let['’]s |now |then |next,? |also |(?:the )?user (?:asked|wants|wanted|requested|needs) (?:me |you )?to |asked (?:me )?to |i (?:need|want) (?:you )?to )*(?:add|remove|delete|rename|fix|update|change|create|implement|refactor|move|extract|split|convert|replace|bump|revert|undo|commit|push|merge|finish|clean up|investigate|debug|rewrite|port|wire up|increase|decrease|adjust|tweak|center|redo|regenerate|insert)",
    de: "(?:bitte )?(?:füge?|lösch\\p{L}*|benenn\\p{L}*|entfern\\p{L}*|änder\\p{L}*|erstell\\p{L}*|ersetz\\p{L}*|verschieb\\p{L}*|behebe?|korrigier\\p{L}*|implementier\\p{L}*|refaktorier\\p{L}*|aktualisier\\p{L}*|bau\\p{L}*)",
    fr: "(?:s['’]il te plaît,? )?(?:ajoute[rz]?|supprime[rz]?|renomme[rz]?|corrige[rz]?|modifie[rz]?|crée[rz]?|remplace[rz]?|déplace[rz]?|implémente[rz]?|refactorise[rz]?)",
    es: "(?:por favor,? )?(?:añade|agrega|elimina|borra|renombra|corrige|arregla|cambia|crea|reemplaza|mueve|implementa|refactoriza)",
    pt: "(?:por favor,? )?(?:adiciona|adicione|remove|remova|apaga|renomeia|renomeie|corrige|corrija|muda|mude|cria|crie|substitui|substitua|move|mova|implementa|implemente|refatora|refatore)",
    it: "(?:per favore,? )?(?:aggiungi|rimuovi|elimina|rinomina|correggi|cambia|crea|sostituisci|sposta|implementa)",
    ru: "(?:пожалуйста,? )?(?:добавь\\p{L}*|удали\\p{L}*|переименуй\\p{L}*|исправь\\p{L}*|измени\\p{L}*|создай\\p{L}*|замени\\p{L}*|перенеси\\p{L}*|реализуй\\p{L}*|отрефактори\\p{L}*)",
    pl: "(?:proszę,? )?(?:dodaj|usuń|zmień nazwę|popraw|napraw|zmień|utwórz|stwórz|zamień|przenieś|zaimplementuj|zrefaktoryzuj)",
  },
  cjk: "(?:请|帮我|把)(?:.{0,2})(?:添加|删除|重命名|修复|修改|创建|实现|重构|移动|替换)|(?:追加|削除|修正|変更|作成|実装|移動|置換)して(?!おく)|(?:추가|삭제|수정|변경|생성|구현|이동)해",
};
