/** Words that say where, for whom or when a statement holds: with another of them it is about another subject. */
export const SETTINGS: readonly { readonly of: string; readonly words: string }[] = [
  {
    of: "environment",
    words:
      "staging production prod dev development qa uat preview sandbox local locally ci test tests testing demo canary beta nightly produktion testumgebung recette preproduction pruebas producción produção produzione тест продакшен",
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
      "when if unless while during before after until except only weekdays weekends holidays wenn falls außer quand si cuando si quando se если когда",
  },
];

/** A number after one of these names a thing; it is no value. */
export const NUMBERED: ReadonlySet<string> = new Set(
  "issue issues pr mr ticket bug task story phase step case chapter section page milestone sprint round team day week item row line slot shard part stage level lesson exercise figure table appendix rfc adr room floor building customer user account order invoice group batch run test build".split(
    " ",
  ),
);

/** What a number says something of, wherever it stands. */
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

/** Verbs that look like plurals, as far as they follow numbers. */
export const VERBS: ReadonlySet<string> = new Set(
  (
    "adds allows asks belongs blocks breaks calls comes contains covers crashes creates depends deploys does ends expects " +
    "fails fixes gets gives goes handles happens has holds hosts keeps lacks lands lists listens lives loads looks makes " +
    "means moves needs owns passes points prints proxies reads refers requires returns runs says sends serves shows ships " +
    "stays starts stops takes talks tells times touches tracks uses waits wants works writes"
  ).split(" "),
);
/** What follows a verb and hardly a thing that is counted. */
export const OBJECTS: ReadonlySet<string> = new Set("a an the its their our my your no another twice only".split(" "));

/** Words that join parts of a sentence: a value never holds one. */
export const JOINTS: ReadonlySet<string> = new Set(
  "in on at to with for by from of via through into onto over under and or but as than before after per without within about between not no never when if unless while during because so that which is are was were has have do does auf mit für von zu nach bei und oder im am in avec pour dans sur et ou de à con para en y o por em no na e com da do di per su и в на с для из от".split(
    " ",
  ),
);

/** Words that a statement means the same without. */
export const LIGHT: ReadonlySet<string> = new Set(
  "a an the we i our my us you your he she they their his her its user please just always generally usually really also must should shall will would can team project der die das ein eine einen einem wir ich unser unsere immer bitte le la les un une des nous je notre el los las una nosotros yo nuestro siempre nós eu nosso sempre il lo gli noi io мы я наш всегда 我们 我 我們 est sommes siamo".split(
    " ",
  ),
);

/** What a team does with a tool: "we track bugs in Jira" ends when the team leaves Jira, whatever it tracks. */
export const PRACTICES: ReadonlySet<string> = new Set(
  "track write host store keep log monitor manage build test lint format bundle document plan chat ship release publish review report file serve render schedule sign translate design deploy send".split(
    " ",
  ),
);

/** In scripts without spaces: what may stand around a value and says nothing else. */
export const AROUND_VALUE =
  /^(?:我们|我|的|在|上|部署在|部署到|使用|用|运行在|现在|了|。|は|です|だ|を|に|で|デプロイ先は|デプロイ先|使う|使います|使用|우리는|에|에서|을|를|배포한다|배포합니다|쓴다|사용한다)*$/u;
