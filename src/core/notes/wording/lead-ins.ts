import leadIns from "./lead-ins.json" with { type: "json" };
import { keyWords } from "./words.ts";

/** The sentence without greeting, answer or filler in front: "ok so, …", "no, …", "great! also …". */
export function trimLead(text: string): string {
  let rest = text.trim();
  for (let previous = ""; previous !== rest;) {
    previous = rest;
    rest = rest.replace(LEAD, "").trimStart();
  }
  return rest === "" ? text.trim() : rest;
}

const LEAD = new RegExp(
  String.raw`^(?:(?:(?:no|nope|nah|yes|yeah|yep|yup|ok|okay|k|so|great|perfect|nice|cool|thanks|thank you|awesome|fantastic|phenomenal|excellent|good|looks good|lgtm|right|sure|well|hey|hi|hello|hmm+|btw|by the way|oh|ah|oops|dude|man|bro|no man|go ahead|actually|again|anyway|alright|wait|stop|exactly|one more thing|another thing|fyi|listen|look|nein|ja|non|oui|sí|si|não|sim|nie|tak|нет|да)(?:[,.!:;…]+|\s*[-–—]+)\s*)|(?:(?:and|but|so|also|ok|okay|yeah|yep|yup|btw|fyi|then|now|moreover|furthermore|additionally|plus|well|actually|likewise|however|finally)\s*,?\s+)|(?:不是?|对|好的?|嗯|いや|はい|違う|아니요?|네)[,，、。!！]\s*|[-–—:,.;!\])]+\s*)`,
  "i",
);

/*
 * What stands before the thing itself and says only that something is coming: "For context:", "Remember to". Tried at
 * the start, again and again, until none is left. Where a language needs the words for its grammar ("Merk dir,
 * dass …"), only the form with a colon is in the list.
 */
const LEAD_IN = new RegExp(`^(?:${Object.values(leadIns).flat().join("|")})\\s*`, "iu");

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
