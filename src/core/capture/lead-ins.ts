import { trimLead } from "./trim-lead.ts";
import { keyWords } from "./words.ts";

/**
 * What stands before the thing itself and says only that something is coming: "For context:",
 * "One more thing before I forget:", "Remember to". Tried at the start, again and again, until none is left.
 * Where a language needs the words for its grammar ("Merk dir, dass …"), only the form with a colon is here.
 */
const LEAD_INS: Readonly<Record<string, readonly string[]>> = {
  english: [
    String.raw`for (?:some |more |a bit of |your )*(?:context|background|reference|information|the record)\s*[,:–—-]`,
    String.raw`(?:some |a bit of |quick )?(?:context|background|reminder|note|heads[- ]up|nb|ps)\s*:`,
    String.raw`(?:just )?(?:so (?:that )?you know|for what it['’]?s worth)\s*[,:–—-]`,
    String.raw`(?:ok |okay |and |oh )*(?:one|another|a) (?:more|other|last|final|quick|small)? ?(?:thing|note|point|rule|request)(?: (?:before i forget|to (?:note|remember|keep in mind)))?\s*[,:.–—-]`,
    String.raw`(?:and |oh )*before i forget\s*[,:–—-]`,
    String.raw`(?:ok |okay |and )*(?:the )?last (?:one|thing|point)\s*[,:.–—-]`,
    String.raw`while (?:i['’]?m|we['’]?re|you['’]?re) at it\s*,`,
    String.raw`(?:this|it)(?:['’]s| is) (?:very |really |super |extremely )*(?:important|crucial|critical)\s*[:–—-]`,
    String.raw`(?:very |really )?important\s*:`,
    String.raw`as i(?:['’]ve)? (?:already )?(?:said|mentioned|explained)(?: (?:before|earlier|already))?\s*,`,
    String.raw`(?:please|pls|kindly)\b,?`,
    String.raw`(?:also|and|but|so|first)\s*,`,
    String.raw`(?:remember|don['’]?t forget|do not forget|make a (?:mental )?note)(?: to\b| that\b|\s*[,:])?(?!\s*(?:me\b|when\b|how\b))`,
    String.raw`(?:keep|bear) in mind(?: that\b|\s*[,:])?`,
    String.raw`(?:take )?note that\b`,
  ],
  chinese: [
    "(?:我们|你|这|这样|那)?(?:还是|又|依然|仍然)?(?:不对|不行|错了)[,，。!！]",
    "(?:请)?(?:一定要)?(?:记住|记得|牢记|注意)(?:一点)?[,，:：]?",
    "(?:对了|另外|还有|顺便(?:说一下)?|最后(?:一点)?|补充一点|背景|供参考)[,，:：]",
    "请(?![求假教客示帖])",
  ],
  japanese: [
    "(?:ちなみに|あと|それと|念のため|なお|最後に|補足)[、,:：]",
    "(?:いや|いいえ|違います|違う)[、,。]",
    "覚えておいて(?:ください|ね)?[、,:：。]",
  ],
  korean: [
    String.raw`(?:참고로|그리고|마지막으로|한 가지 더|아니(?:요)?)\s*[,:]`,
    String.raw`기억해\s?(?:줘|주세요)\s*[,:.]`,
  ],
  german: [
    String.raw`(?:zur info|zum kontext|kontext|hinweis|noch (?:et)?was|übrigens|merk(?:e)? dir)\s*[,:](?! (?:dass|wie|zu)\b)`,
    String.raw`bitte\b,?`,
  ],
  french: [
    String.raw`(?:pour (?:info|information|contexte|le contexte)|contexte|au fait|encore une chose|à noter)\s*[,:]`,
    String.raw`s['’]il (?:te|vous) pla[iî]t\s*,?`,
    String.raw`n['’]oublie[sz]? pas (?:que\b|de\b|d['’])`,
  ],
  "spanish and portuguese": [
    String.raw`(?:para|por) (?:contexto|referencia|referência)\s*[,:]`,
    String.raw`(?:por cierto|aliás|a propósito|una cosa más|mais uma coisa|contexto)\s*[,:]`,
    String.raw`por favor\b,?`,
    String.raw`(?:recuerda|recuerde|ten(?:ga)? en cuenta|tenha em mente)(?: que\b|\s*[:,])`,
    String.raw`(?:lembre-se|lembra-te)(?: de\b| que\b|\s*[:,])`,
    String.raw`não (?:se )?esqueça (?:de|que)\b`,
  ],
  "russian and polish": [
    String.raw`(?:для контекста|кстати|ещё одно|еще одно|к слову)\s*[,:]`,
    String.raw`(?:запомни|помни|учти|имей в виду)(?:те)?\s*(?:,\s*что(?!\p{L})|:)`,
    String.raw`пожалуйста(?!\p{L}),?`,
    String.raw`(?:dla kontekstu|przy okazji|na marginesie|jeszcze jedno)\s*[,:]`,
    String.raw`(?:pamiętaj|pamiętajcie),? (?:że|aby|żeby|by)(?!\p{L})`,
    String.raw`proszę(?!\p{L}),?`,
  ],
};

const LEAD_IN = new RegExp(`^(?:${Object.values(LEAD_INS).flat().join("|")})\\s*`, "iu");

/** The sentence from where it says something; unchanged where nothing would be left. */
export function withoutLeadIn(text: string): string {
  let rest = trimLead(text);
  for (let previous = ""; previous !== rest;) {
    previous = rest;
    const next = trimLead(rest.replace(LEAD_IN, ""));
    if (keyWords(next).length > 0) rest = next;
  }
  return rest;
}
