/**
 * Words that hold a sentence together and say nothing about its subject. The English ones are never indexed
 * (terms.ts); those of other languages are left out of prompts alone, where they would count as things asked for
 * that no note knows. Words that mean something in English or in code (`comment`, `plus`, `war`, `para`) are not here.
 */
export function isFunctionWord(term: string): boolean {
  return WORDS.has(term) || PAIRS.has(term) || (term.charCodeAt(0) > LAST_ALPHABETIC && isGrammarPair(term));
}

/** Chinese and Japanese characters come after it; a pattern of whole scripts is not made before there are some. */
const LAST_ALPHABETIC = 0x2e7f;

/** Japanese writes its grammar in hiragana and its subjects mostly in other scripts. */
function isGrammarPair(term: string): boolean {
  return (
    /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]{1,2}$/u.test(term) &&
    (/^\p{sc=Hiragana}+$/u.test(term) || PARTICLE.test(term))
  );
}

/** A pair with a Chinese particle runs across two words. */
const PARTICLE = /[吗呢吧嘛啊]|的$|^的|了$|^了|们$/u;

/** Without accents: terms have none (terms.ts). */
const FRENCH =
  "le la les un une des du de et ou donc ni que qui quoi dont je tu il elle nous vous ils elles moi toi lui leur leurs ma mes ta tes sa ses notre nos votre vos ce cet cette ces " +
  "ca cela aux au en dans par pour sous avec chez vers entre est sont suis etes etait etre ete avons avez avoir fait faire faut peut peux ne pas tres bien aussi encore deja toujours jamais " +
  "alors puis ici si quand pourquoi combien quel quelle quels quelles tous toute toutes meme autre autres viens vient venir qu merci veux veut dois doit y";
const GERMAN =
  "der das den dem ein eine einen einem einer eines und oder aber denn weil dass wenn als wie wer wo wann warum ich du er sie wir ihr mich dich sich uns euch mir dir ihm ihn ihnen mein dein unser euer ihre " +
  "ist sind waren bist seid haben habe hatte werden wird wurde kann kannst konnen muss mussen soll sollte nicht kein keine nur auch noch schon sehr zu zum zur im auf aus bei beim nach von vom vor uber unter um " +
  "durch ohne bitte doch dann hier dort diese dieser dieses diesen";
const SPANISH_PORTUGUESE_ITALIAN =
  "el los una unos unas pero quien cuando donde del al por sin sobre se su sus mi tus yo nosotros ellos es son fue ser estar esta estoy hay he ha han habia tengo tiene hacer haz puede puedes ya muy tambien " +
  "como porque este estos estas ese esa eso esto lo te foi nao um uma dos em pelo pela isso esse essa meu minha il lo gli uno della delle dello degli che non sono nel nella anche questo questa";
const WORDS: ReadonlySet<string> = new Set(`${FRENCH} ${GERMAN} ${SPANISH_PORTUGUESE_ITALIAN}`.split(" "));

/** Chinese pairs of talk: "we", "this", "how", "what", "a", "can", "help me", "please". */
const PAIRS: ReadonlySet<string> = new Set(
  "我们 你们 他们 这个 那个 这些 那些 怎么 什么 为什 一个 一下 可以 能不 不能 帮我 请你 需要 如何 是否 因为 所以 但是 如果 还是 或者 以及 没有 是不 这样 那样 现在 然后".split(
    " ",
  ),
);
