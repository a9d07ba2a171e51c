/** What stands where something secret stood. */
const REDACTED = "[redacted]";

/** Values that need no second look: armoured keys, well-known prefixes, a password inside a URL. */
const CERTAIN = new RegExp(
  [
    String.raw`-----BEGIN [A-Z0-9 ]*PRIVATE KEY[A-Z ]*-----[\s\S]*?(?:-----END [A-Z0-9 ]*-----|$)`,
    String.raw`(?<![A-Za-z0-9])(?:gh[a-z]_|github_pat_|gl[a-z]{1,5}-|sk[-_]|pk_|rk_|whsec_|xox[a-z]{1,3}[-.]|xapp-|A[KSBC][IC]A(?=[A-Z2-7]{12})|AIza|GOCSPX-|ya29\.|npm_|pypi-|hf_|gsk_|dapi|do[opr]_v1_|dckr_|hv[sbr]\.|lin_|ntn_|eyJ|ops_eyJ|SG\.|AGE-SECRET-KEY-|ATATT3)[\w.+/=-]{8,}`,
    String.raw`(?<=:\/\/[^\s:\/@]{0,80}:)[^\s@\/]{2,200}(?=@)`,
    String.raw`(?<=hooks\.slack\.com\/(?:services|workflows)\/|discord(?:app)?\.com\/api\/webhooks\/)[\w\/-]{12,}`,
  ].join("|"),
  "giu",
);

/** `password = …`, `token: …`, `api key is …`, `Bearer …`; a value that was only said must look like one. */
const ASSIGNED = /((?:pass(?:word|wd|phrase)?|pwd|secret|token|api[ _-]?key|access[ _-]?key|private[ _-]?key|account[ _-]?key|credentials?|sig)["'`]?\s{0,3}(?:(?::=|=>|[:=])\s{0,3}|\s(?:is|was)\s{1,3})["'`]?|\b(?:bearer|basic)\s{1,3})([^\s"'`,;<>(){}[\]]{6,})/giu;

const LONG_RUN = /[A-Za-z0-9+/_=-]{20,}/gu;

/** Without any of it no pattern above can match; to compile them takes a process that has just started some 5 ms. Without the Unicode flag, which doubles its time. */
const SUSPECT = /[\d_=+]|:\/\/|-{5}|\.\S|\b(?:sk|gl\w{1,5}|xox\w{1,3}|xapp|gocspx)-|[a-z]{16}|pass|pwd|secret|token|key|credential|sig|bearer|basic/i;

/**
 * A text without what has the shape of a token, a key or a password. Cheap, because it stands in the way of a
 * prompt, and so cautious: a commit's hash goes too. What it leaves is for a log on the person's own disk.
 */
export function redactTokens(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return text
    .replace(CERTAIN, REDACTED)
    .replace(ASSIGNED, (whole, label: string, value: string) => (isAssigned(label, value) ? label + REDACTED : whole))
    .replace(LONG_RUN, (run) => (looksRandom(run) ? REDACTED : run));
}

/**
 * A text with what was found in it, and whatever else `redactTokens` takes for a secret, blotted out letter by
 * letter: lines and positions stay where they were.
 */
export function maskLines(text: string, findings: readonly { readonly start: number; readonly end: number }[]): string {
  const blot = (part: string): string => part.replace(/[^\n]/gu, (character) => "•".repeat(character.length));
  let masked = "";
  let from = 0;
  for (const { start, end } of findings.toSorted((a, b) => a.start - b.start)) {
    if (end <= from) continue;
    masked += text.slice(from, Math.max(from, start)) + blot(text.slice(Math.max(from, start), end));
    from = end;
  }
  masked += text.slice(from);
  return blotTokens(masked, blot);
}

function blotTokens(text: string, blot: (part: string) => string): string {
  return text
    .replace(CERTAIN, blot)
    .replace(ASSIGNED, (whole, label: string, value: string) => (isAssigned(label, value) ? label + blot(value) : whole))
    .replace(LONG_RUN, (run) => (looksRandom(run) ? blot(run) : run));
}

function isAssigned(label: string, value: string): boolean {
  return /[=:]\s*["'`]?$/u.test(label) || /[\d\W]/u.test(value.replace(/\W+$/u, ""));
}

/** Words change between small letters, capitals and digits now and then, tokens at every third character. */
function looksRandom(run: string): boolean {
  if (!/\d/u.test(run)) return false;
  if (/[0-9a-f]{32}/iu.test(run)) return true;
  let switches = 0;
  let before = 0;
  for (let at = 0; at < run.length; at++) {
    const kind = kindOf(run.charCodeAt(at));
    if (kind !== 0 && before !== 0 && kind !== before) switches++;
    before = kind;
  }
  return switches >= run.length * 0.3;
}

/** 1 digit, 2 capital, 3 small letter, 0 anything else. */
function kindOf(code: number): number {
  if (code >= 48 && code <= 57) return 1;
  if (code >= 65 && code <= 90) return 2;
  return code >= 97 && code <= 122 ? 3 : 0;
}
