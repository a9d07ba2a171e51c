import { keyWords } from "../notes/wording/words.ts";

/** "… because it breaks the build" → "it breaks the build", in the person's own words. */
export function reasonIn(text: string): string | undefined {
  const match = REASON_CLAUSE.exec(text);
  const clause = match?.[1] ?? match?.[2];
  if (match === null || clause === undefined) return undefined;
  if (match.index === 0 && /^that/i.test(text)) return undefined;
  // "so that" and "otherwise" carry the sense and stay with the reason.
  if (/^[\s,;]*(?:so that|otherwise|or else|that['’]s)/i.test(match[0])) return match[0].replace(/^[\s,;]+/u, "");
  // A leading "since X, do Y" has its reason before the comma.
  return match.index === 0 ? clause.split(/,\s/u)[0] : clause;
}

const REASON_CLAUSE = new RegExp(
  [
    String.raw`(?:[,;]?\s|^)(?:because|since(?! (?:v?\d|last|yesterday|then|the (?:last|beginning|start)|we (?:started|last)))|so that|otherwise|or else|as (?=(?:it|this|that|they|we)\b)|that['’]s (?=what|why|just|not))\s*,?\s*(.{8,})$`,
    String.raw`\s[–—-]+\s(?=(?:we|it|this|that|they|last|there)(?:['’]\w+)?\s)(.{12,})$`,
  ].join("|"),
  "i",
);

/** The rule alone, where a trailing reason stands on its own under **Why:** and enough is left. */
export function withoutReason(text: string, reason = reasonIn(text)): string {
  if (reason === undefined || !text.endsWith(reason)) return text;
  const rule = text.slice(0, text.length - reason.length).replace(/[\s,;–—-]*(?:because|since|as)?[\s,;–—-]*$/i, "");
  return keyWords(rule).length >= 2 ? rule : text;
}

/**
 * Sentences in other languages than English that look like wishes and are none: what users of the product do, what a
 * text says, what holds for the moment. English has its own, finer patterns in classify.ts.
 */

/** "The user must never …": a specification of the product. */
const USERS =
  /(?<!\p{L})(?:l['’]utilisat(?:eur|rice)|les utilisateurs|(?:der|die|ein|eine|unsere?) (?:be)?nutzer(?:in|innen)?|el usuario|la usuaria|los usuarios|o usuário|os usuários|пользовател(?:ь|и|ям|ю)|użytkowni[ck])(?!\p{L})|^(?:我们的)?(?:用户|客户)(?!说|要求我)|(?:ユーザー?|顧客)(?:は|が)|(?:사용자|고객)(?:는|은|가|이)(?!\p{L})/iu;

/** "This button must always …": a part of the product. */
const PARTS =
  /(?<!\p{L})(?:diese[rs]?|ce(?:tte)?|est[ea]|эта|этот|это) (?:knopf|schaltfläche|button|seite|feld|dialog|bouton|page|champ|menu|bot[oó]n|página|campo|men[uú]|bot[aã]o|кнопка|страница|поле|меню|окно)(?!\p{L})|(?:这个|这|此)(?:按钮|页面|弹窗|字段|菜单|列表)|この(?:ボタン|画面|ページ|項目|メニュー|一覧)|이 (?:버튼|화면|페이지|메뉴|목록|필드)/iu;

/** "The docs say that one must always …": somebody else's words. */
const TEXT_SAYS =
  /(?<!\p{L})(?:(?:in der |die )?(?:doku(?:mentation)?|anleitung|fehlermeldung) (?:steht|sagt|schreibt|heißt)|(?:la |le |les )?(?:docs?|documentation|message|page|readme) (?:dit|disent|indique|précise)|(?:la |el )?(?:documentación|docs?|página|mensaje|readme) (?:dice|indica|pone)|(?:a |o )?(?:documentação|docs?|página|mensagem|readme) (?:diz|indica|fala)|(?:kolleg\p{L}+|chef\p{L}*|er|sie) (?:sagt|meint|meinte|sagte),? |(?:un |une |le |la )?(?:collègue|chef) (?:dit|pense)|(?:compañer[oa]|jef[ea]|colega|chefe) (?:dice|dijo|cree|disse|diz|acha)|коллег\p{L}* (?:сказал|говорит|считает)\p{L}*|в (?:документации|доке|ошибке|readme|статье) (?:сказано|написано|говорится|пишут))(?!\p{L})|(?:文档|网页|报错|官网|教程|同事|别人|他们)(?:上|里|中)?(?:说|写|提示|显示|觉得|建议)|(?:ドキュメント|エラー|ページ|記事|README)(?:に|では)(?:は)?.*(?:書いて|書かれて|とある|と出)|(?:と(?:言って|言われ)|だそう|らしい)|(?:다|라)고 (?:했|하더|합니다|들었)|(?:문서|에러|오류|페이지|가이드)(?:에는|에|에서)\s?.*(?:되어|적혀|쓰여|나와)/iu;

/** "For the moment": over when the task is over. */
const FOR_NOW =
  /(?<!\p{L})(?:pour (?:l['’]instant|le moment)|tout de suite|por (?:ahora|el momento|enquanto|ora)|de momento|ahora mismo|jetzt (?:noch )?(?:nicht|kein)|fürs erste|erst(?:mal| einmal)|im moment|diesmal|dieses mal|cette fois(?:-ci)?|esta vez|desta vez|в этот раз|пока(?: что)?|сейчас|на данный момент|na razie|(?<!od )teraz)(?!\p{L})|(?:今は|今回は|とりあえず|いったん|一旦)|这(?:一)?次|(?:지금은|이번에?[는엔]|일단은?|당장은?)|^(?:现在|目前|暂时|先)/iu;

/** "The list must always …": the same without pointing at it; a part of a screen is the subject and something is due of it. */
const PARTS_DUE =
  /^(?:d(?:ie|er|as)|la|le|les|el|los|las|o|a|os|as) (?:list[ea]|liste|knopf|schaltfläche|button|bouton|bot[oó]n|bot[aã]o|seite|page|página|feld|champ|campo|men[uü]|menú|tabelle|tableau|tabla|tabela|spalte|colonne|columna|coluna|überschrift|titre|título|formular|formulaire|formulario|formulário)(?!\p{L})|^(?:список|кнопка|страница|поле|меню|окно|таблица|заголовок|форма)(?!\p{L})|^(?:列表|按钮|页面|弹窗|菜单|表格|标题|图标|输入框|表单|界面)(?:里|上|中)?(?:要|应|必须|需要|始终|总是|永远|一直|得)|^(?:一覧|ボタン|画面|ページ|メニュー|表|見出し|項目|フォーム)[はがを]|^(?:목록|버튼|화면|페이지|메뉴|표|제목|입력창|필드|폼)[은는이가을를](?!\p{L})/iu;

/** "WARNING: use the new interface", "npm WARN …": a line that a tool prints begins with its label. Small letters are a person's: "hinweis: …". */
const LABELLED =
  /^(?:(?:npm|yarn|pnpm|pip|cargo|gradle|mvn|tsc|eslint)[!:]? )?(?:\[?(?:WARN(?:ING)?|ERROR|ERR!?|NOTICE|DEPRECAT(?:ED|ION)|WARNUNG|FEHLER|HINWEIS|AVERTISSEMENT|ERREUR|ATTENTION|ADVERTENCIA|AVISO|ERRO|ATENÇÃO|ATENCIÓN|ПРЕДУПРЕЖДЕНИЕ|ВНИМАНИЕ|ОШИБКА)\]?)(?:[\s:：]|$)|^(?:警告|提示|错误|エラー|경고|오류)\s*[:：]/u;

export function specifies(plain: string): boolean {
  return USERS.test(plain) || PARTS.test(plain) || PARTS_DUE.test(plain);
}

export function repeatsOthers(plain: string): boolean {
  return TEXT_SAYS.test(plain) || LABELLED.test(plain);
}

export function isForNow(plain: string): boolean {
  return FOR_NOW.test(plain);
}
