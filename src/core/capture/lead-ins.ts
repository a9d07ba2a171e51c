import leadIns from "./lead-ins.json" with { type: "json" };
import { trimLead } from "./trim-lead.ts";
import { keyWords } from "./words.ts";

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
