/** Words of which a message can consist that approves or goes on and does not say with what, in the languages capture reads. */
const GO_AHEAD: ReadonlySet<string> = new Set(
  (
    "ok okay okey k kk yes yeah yep yup ya y sure go goes going ahead on continue continuing proceed resume next please pls do it that this these those all both now keep carry looks look good lgtm great perfect nice cool awesome thanks thank thx you fine right alright correct exactly approved approve approval accept accepted sounds start begin finish lets let us again try retry redo the a an and then so with from more step one first second third option way as is was were we are where what whats left off there here done not yet hi hello hey morning just still up to me my your i im go-ahead ship stop wait " +
    "ja jo klar gut genau weiter weitermachen mach bitte danke fortfahren los nochmal " +
    "oui ouais vas-y vas y allez continuez poursuis poursuivez merci encore bien d'accord " +
    "sí si vale dale claro sigue seguir adelante continúa continua continuar gracias por favor hazlo " +
    "sim certo pode prossiga segue obrigado obrigada isso " +
    "tak dalej kontynuuj dobrze dzięki proszę " +
    "да ок хорошо дальше продолжай продолжить давай спасибо пожалуйста"
  ).split(" "),
);
const GO_AHEAD_CJK =
  /^(?:继续|接着|好的?|可以|行|对|是的?|请|吧|做|下一步|谢谢|はい|続けて|続き|ください|お願い(?:します)?|進めて|次|네|예|계속|해|해줘|해주세요|좋아요?|진행)+$/u;

/** "ok go ahead", "continue", "2": says nothing of what the work is. */
export function isGoAhead(text: string): boolean {
  const words =
    text
      .toLowerCase()
      .replaceAll("’", "'")
      .match(/[\p{L}\p{N}]+(?:['-][\p{L}]+)*/gu) ?? [];
  return words.every((word) => GO_AHEAD.has(word.replaceAll("'", "")) || GO_AHEAD.has(word) || isFiller(word));
}

function isFiller(word: string): boolean {
  return /^\p{N}+$/u.test(word) || GO_AHEAD_CJK.test(word);
}
