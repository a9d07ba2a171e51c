import { findHidden } from "../hidden.ts";
import { decodeText, type SecretShape, SHAPES } from "./shapes.ts";
import { findBare, findLabelled, type FoundSecret } from "./find-labelled.ts";

/**
 * Tokens recognised by their beginning, as their issuers publish it: the vendor, the beginnings (case counts), and the
 * rest as the source of a pattern. Patterns are looser than published where that is safe: a token that a user shortened
 * must not reach a file either.
 *
 * The pattern is tried only after a beginning, so the table costs nothing in a text without one. To stay linear, every
 * repetition has an upper bound, except one at the very end.
 */
export type VendorFormat = readonly [vendor: string, beginnings: string, rest: string];

const UUID = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";

export const VENDOR_FORMATS: readonly VendorFormat[] = [
  ["1password", "ops_eyJ", "[\\w-]{20,}={0,2}"],
  ["1password", "A3-", "[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}"],
  ["adafruit", "aio_", "[A-Za-z0-9]{24,}"],
  ["adobe", "p8e-", "[\\w-]{32,}"],
  ["age", "AGE-SECRET-KEY-1 age-secret-key-1", "[0-9A-Za-z]{20,}"],
  ["airtable", "pat", "[A-Za-z0-9]{14}\\.[0-9a-f]{64}"],
  ["alibaba", "LTAI", "[A-Za-z0-9]{12,22}(?![A-Za-z0-9])"],
  ["anthropic", "sk-ant-", "[\\w-]{24,}"],
  ["apify", "apify_api_", "[A-Za-z0-9]{30,}"],
  ["artifactory", "AKCp", "[A-Za-z0-9]{60,}"],
  ["artifactory", "cmVmd", "[A-Za-z0-9]{59}(?![A-Za-z0-9])"],
  ["asana", "0/ 1/ 2/", "(?:\\d{16}(?:/\\d{16})?:)?[0-9a-f]{32}(?![A-Za-z0-9])"],
  ["atlassian", "ATATT3 ATCTT3", "[\\w=-]{40,}"],
  ["aws", "ABSK", "[A-Za-z0-9+/]{100,}={0,2}"],
  ["aws", "bedrock-api-key-", "[A-Za-z0-9+/=]{40,}"],
  ["beamer", "b_", "[A-Za-z0-9=_/-]{44}(?![\\w-])"],
  ["bitbucket", "ATBB", "[A-Za-z0-9]{28,}"],
  ["browserstack", "bstack_", "[A-Za-z0-9]{20,}"],
  ["buildkite", "bkua_ bkat_ bkct_", "[0-9a-z]{40}(?![A-Za-z0-9])"],
  ["cargo", "cio", "[A-Za-z0-9]{32}(?![A-Za-z0-9])"],
  ["cerebras", "csk-", "[A-Za-z0-9]{32,}"],
  ["circleci", "CCIPAT_ CCIPRJ_", "[A-Za-z0-9]{20,40}_[0-9a-f]{40}"],
  ["clickhouse", "4b1d", "[A-Za-z0-9]{38}(?![A-Za-z0-9])"],
  ["clickup", "pk_", "\\d{5,9}_[A-Z0-9]{24,}"],
  ["clojars", "CLOJARS_ clojars_", "[A-Za-z0-9]{60}"],
  ["cloudflare", "cfat_ cfut_ cfk_ cfoc_", "[A-Za-z0-9]{40,}"],
  ["cloudflare", "v1.0-", "[0-9a-f]{24,64}-[0-9a-f]{100,}"],
  ["contentful", "CFPAT-", "[\\w-]{40,}"],
  ["databricks", "dapi", "[0-9a-fA-F]{32}(?:-\\d)?(?![A-Za-z0-9])"],
  ["datadog", "ddapp_ ddpat_", "[A-Za-z0-9]{34,}"],
  ["deno", "ddp_ ddw_ ddo_", "[A-Za-z0-9]{36}"],
  ["dfuse", "web_ server_", "[0-9a-f]{32}(?![A-Za-z0-9])"],
  ["digitalocean", "doo_v1_ dop_v1_ dor_v1_", "[0-9a-f]{32,}"],
  ["docker", "dckr_pat_ dckr_oat_", "[\\w-]{20,}"],
  ["doppler", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", "(?:[\\w-]{1,40}\\.)?[A-Za-z0-9]{40,}"],
  ["dropbox", "sl.", "(?:u\\.)?[\\w-]{100,}"],
  ["duffel", "duffel_test_ duffel_live_", "[\\w=-]{40,}"],
  [
    "dynatrace",
    "dt0a01. dt0b01. dt0c01. dt0d01. dt0e01. dt0h01. dt0k01. dt0s01. dt0s02. dt0s06. dt0s16.",
    "[A-Z0-9]{24}\\.[A-Z0-9]{64}",
  ],
  ["easypost", "EZAK EZTK", "[A-Za-z0-9]{54}(?![A-Za-z0-9])"],
  ["e2b", "e2b_", "[0-9a-f]{40}"],
  ["elevenlabs", "sk_", "[0-9a-f]{48}(?![A-Za-z0-9])"],
  ["facebook", "EAAM EAAC EAAA EAAG EAAB", "[A-Za-z0-9]{60,}"],
  ["figma", "figd_ figo_ figu_ figdr_ figor_ figur_", "[\\w-]{36,}"],
  ["firecrawl", "fc-", "[0-9a-f]{32}(?![A-Za-z0-9])"],
  ["fireworks", "fw_", "[A-Za-z0-9]{22,}(?![A-Za-z0-9])"],
  ["flutterwave", "FLWSECK- FLWSECK_TEST- FLWSECK_LIVE-", "[0-9a-zA-Z]{12,}(?:-X)?"],
  ["fly", "fm1a_ fm1r_ fm2_", "[\\w+/=-]{80,}"],
  ["fly", "fo1_", "[\\w-]{43}(?![\\w-])"],
  ["fly", "FlyV1 ", "\\S{40,}"],
  ["frameio", "fio-u- ffio-u-", "[\\w=-]{50,}"],
  ["github", "ghp_ gho_ ghu_ ghs_ ghr_", "\\w{16,}"],
  ["github", "github_pat_", "\\w{20,}"],
  [
    "gitlab",
    "glpat- gldt- glrt- glrtr- glptt- glft- glsoat- glcbt- glimt- glagent- gloas- glffct- glwt- GR1348941",
    "[\\w.-]{16,}",
  ],
  ["google", "AIza", "[\\w-]{30,}"],
  ["google", "GOCSPX-", "[\\w-]{20,}"],
  ["google", "ya29.", "[\\w-]{20,}"],
  ["google", "1//0", "[\\w-]{35,}"],
  ["grafana", "glc_eyJ", "[\\w+/=-]{16,}"],
  ["grafana", "glsa_", "[A-Za-z0-9]{32}_[0-9a-f]{8}"],
  ["groq", "gsk_", "[A-Za-z0-9]{40,}"],
  ["harness", "pat. sat.", "[\\w-]{22}\\.[0-9a-f]{24}\\.[A-Za-z0-9]{20}"],
  ["heroku", "HRKU-", "[\\w-]{36,}"],
  ["hubspot", "pat-na1- pat-na2- pat-na3- pat-eu1- pat-ap1-", UUID],
  ["huggingface", "hf_ api_org_", "[A-Za-z]{34,}"],
  ["infracost", "ico-", "[A-Za-z0-9]{32}(?![A-Za-z0-9])"],
  ["intra42", "s-s4t2ud- s-s4t2af-", "[0-9a-f]{40,}"],
  ["ionic", "ion_", "[A-Za-z0-9]{42,}"],
  ["jina", "jina_", "[A-Za-z0-9]{50,}"],
  ["jwt", "eyJ", "[\\w-]{8,200}\\.(?:eyJ[\\w-]{8,}|[\\w-]{100,})(?:\\.[\\w-]*){0,3}"],
  ["klaviyo", "pk_", "[0-9a-z]{34}(?![A-Za-z0-9])"],
  ["langfuse", "sk-lf- pk-lf-", UUID],
  ["langsmith", "lsv2_pt_ lsv2_sk_", "[0-9a-f]{32}_[0-9a-f]{10}"],
  ["launchdarkly", "sdk- api- mob- rel-", UUID],
  ["linear", "lin_api_ lin_oauth_ lin_wh_", "\\w{24,}"],
  ["lob", "live_ test_ live_pub_ test_pub_", "[0-9a-f]{31,35}(?![A-Za-z0-9])"],
  ["mailersend", "mlsn.", "[0-9a-f]{64}"],
  ["mailgun", "key- pubkey-", "[0-9a-f]{32}(?![A-Za-z0-9])"],
  ["mapbox", "sk.eyJ pk.eyJ tk.eyJ", "[\\w\\\\-]{20,400}\\.[\\w-]{16,}"],
  ["mem0", "m0-", "[A-Za-z0-9]{36,}"],
  ["mercury", "secret-token:mercury_", "[\\w-]{30,}"],
  ["microsoft-teams-app", "MCAT-", "[\\w-]{30,}"],
  ["netlify", "nfp_ nfc_ nfu_ nfo_ nfb_", "[A-Za-z0-9]{36,}"],
  ["newrelic", "NRAK- NRJS- NRII- NRIQ- NRAA- NRRA- NRSP- NRBR-", "[A-Za-z0-9_-]{19,}"],
  ["newrelic", "px-api- px-dep-", "[0-9a-z]{8}(?:-[0-9a-z]{4}){3}-[0-9a-z]{12}"],
  ["notion", "ntn_", "\\d{11}\\w{30,}"],
  ["notion", "secret_", "[A-Za-z0-9]{43}(?![A-Za-z0-9])"],
  ["npm", "npm_", "\\w{20,}"],
  ["nuget", "oy2", "[a-z0-9]{43}(?![A-Za-z0-9])"],
  ["nvidia", "nvapi-", "[\\w-]{50,}"],
  ["openai", "sk-proj- sk-svcacct- sk-admin- sk-None-", "[\\w-]{24,}"],
  ["openai", "sk-", "(?:[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}|[0-9a-f]{32}(?![A-Za-z0-9])|[A-Za-z0-9]{40,})"],
  ["openai", "sess-", "[A-Za-z0-9]{40}"],
  ["openrouter", "sk-or-", "(?:v\\d-)?[\\w-]{24,}"],
  ["openshift", "sha256~", "[\\w-]{20,}"],
  ["paypal", "access_token$production$ access_token$sandbox$", "[0-9a-z]{16}\\$[0-9a-f]{32}"],
  ["perplexity", "pplx-", "[A-Za-z0-9]{40,}"],
  ["pinecone", "pcsk_", "[A-Za-z0-9]{5,12}_[A-Za-z0-9]{40,}"],
  ["plaid", "access-sandbox- access-development- access-production-", UUID],
  ["planetscale", "pscale_tkn_ pscale_pw_ pscale_oauth_ pscale_otkn_", "[\\w.-]{32,}"],
  ["polar", "polar_oat_ polar_pat_ polar_whs_", "\\w{20,}"],
  ["posthog", "phc_ phx_ phs_ phr_ pha_", "[A-Za-z0-9]{40,}"],
  ["postman", "PMAK- pmak-", "[0-9a-fA-F]{24}-[0-9a-fA-F]{34}"],
  ["prefect", "pnu_ pnb_", "[A-Za-z0-9]{36}"],
  ["pubnub", "pub-c- sub-c- sec-c-", "[0-9A-Za-z]{8}(?:-[0-9A-Za-z]{4}){3}-[0-9A-Za-z]{12}|[A-Za-z0-9]{48}"],
  ["pulumi", "pul-", "[0-9a-f]{40}"],
  ["pypi", "pypi-", "[\\w-]{30,}"],
  ["razorpay", "rzp_live_ rzp_test_", "\\w{10,}"],
  ["readme", "rdme_", "[a-z0-9]{60,}"],
  ["render", "rnd_", "[A-Za-z0-9]{28,}"],
  ["replicate", "r8_", "[A-Za-z0-9]{37,}"],
  ["resend", "re_", "[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}"],
  ["rubygems", "rubygems_", "[0-9a-f]{48}"],
  ["runpod", "rpa_", "[A-Z0-9]{40,}"],
  ["salesforce", "00D", "[A-Za-z0-9]{9,15}![\\w.]{80,}"],
  ["scalingo", "tk-us-", "[\\w-]{48}"],
  ["segment", "sgp_", "[A-Za-z0-9]{40,}"],
  ["sendgrid", "SG.", "[\\w-]{16,64}\\.[\\w-]{16,}"],
  ["sendinblue", "xkeysib- xsmtpsib-", "[0-9a-f]{64}-[A-Za-z0-9]{16}"],
  ["sentry", "sntrys_ sntryu_ sntrya_ sntryi_", "[\\w+/=-]{24,}"],
  ["shippo", "shippo_live_ shippo_test_", "[0-9a-fA-F]{40}"],
  ["shopify", "shpat_ shpca_ shppa_ shpss_ shptka_ shpua_", "[A-Za-z0-9]{24,}"],
  ["slack", "xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xoxe.xoxb- xoxe.xoxp-", "[\\w%+/=-]{12,}"],
  ["slack", "xapp- xwfp-", "\\d-\\w{6,20}-[\\w-]{10,}"],
  ["sonar", "squ_ sqp_ sqa_", "[0-9a-f]{40}"],
  ["sourcegraph", "sgp_ sgd_ slk_ sgd_", "(?:(?:[0-9a-fA-F]{16}|local)_){0,2}[0-9a-fA-F]{40,}"],
  ["square", "sq0atp- sq0csp- sq0idp- sq0atb-", "[\\w-]{22,}"],
  ["square", "EAAA", "[\\w-]{56,}"],
  ["stripe", "sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_ rk_prod_", "\\w{10,}"],
  ["stripe", "whsec_", "[\\w+/=]{16,}"],
  ["supabase", "sbp_ sb_secret_ sbs_", "[\\w-]{16,}"],
  ["tailscale", "tskey-", "[a-z]{2,12}-[A-Za-z0-9]{8,24}-[A-Za-z0-9]{16,}"],
  ["tavily", "tvly-", "(?:dev-|prod-)?[\\w-]{28,}"],
  ["teamwork", "tkn.v1_", "[\\w+/=-]{30,}"],
  ["telnyx", "KEY0", "[0-9A-Fa-f]{31}_[A-Za-z0-9]{22}"],
  ["tencent", "AKID", "[A-Za-z0-9]{32}(?![A-Za-z0-9])"],
  ["together", "tgp_v1_", "[\\w-]{40,}"],
  ["trigger", "tr_dev_ tr_prod_ tr_stg_ tr_pat_", "[A-Za-z0-9]{20,}"],
  ["twilio", "SK AC", "[0-9a-f]{32}(?![A-Za-z0-9])"],
  ["typeform", "tfp_", "[\\w.=-]{40,}"],
  ["ubidots", "BBFF- BBUS-", "[A-Za-z0-9]{30,}"],
  ["vault", "hvs. hvb. hvr.", "[\\w-]{40,}"],
  ["vault", "s.", "[A-Za-z0-9]{24}(?![\\w.(/-])"],
  ["vercel", "vcp_ vca_ vci_ vck_ vcr_", "[A-Za-z0-9]{36,}"],
  ["voiceflow", "VF.", "(?:DM|WS)\\.[0-9a-f]{24}\\.[A-Za-z0-9]{16}"],
  ["wandb", "wandb_v1_", "[\\w-]{40,}"],
  ["weights", "local-", "[0-9a-f]{40}"],
  ["xai", "xai-", "\\w{60,}"],
  ["yandex", "AQVN", "[\\w-]{35,38}(?![\\w-])"],
  ["yandex", "y0_ y1_ y2_ y3_", "[\\w-]{50,}"],
  ["yandex", "t1.", "[A-Za-z0-9]{20,40}\\.[\\w-]{86}"],
  ["zoho", "1000.", "[0-9a-f]{32}\\.[0-9a-f]{32}"],
];

interface Beginning {
  readonly vendor: string;
  readonly text: string;
  readonly rest: string;
}

/** Beginnings by their first two characters. */
let beginnings: ReadonlyMap<string, readonly Beginning[]> | undefined;

/** Compiled when a beginning is found: a new process pays only for the patterns it needs. */
const patterns = new Map<string, RegExp>();

/** Tokens in the published format of a vendor. Time is linear in the length of `text`. */
export function findVendorTokens(text: string): readonly FoundSecret[] {
  beginnings ??= groupBeginnings();
  const found: FoundSecret[] = [];
  for (let at = 0; at < text.length - 1; at++) {
    if (!isWordStart(text, at)) continue;
    const one = tokenAt(text, at, beginnings.get(text.slice(at, at + 2)) ?? []);
    if (one === undefined) continue;
    found.push(one);
    at = one.end - 1;
  }
  return found;
}

function tokenAt(text: string, at: number, candidates: readonly Beginning[]): FoundSecret | undefined {
  let best: FoundSecret | undefined;
  for (const { vendor, text: beginning, rest } of candidates) {
    if (!text.startsWith(beginning, at)) continue;
    const pattern = patternOf(rest);
    pattern.lastIndex = at + beginning.length;
    if (pattern.test(text) && pattern.lastIndex > (best?.end ?? 0))
      best = { start: at, end: pattern.lastIndex, rule: vendor };
  }
  return best;
}

function groupBeginnings(): ReadonlyMap<string, readonly Beginning[]> {
  const groups = new Map<string, Beginning[]>();
  for (const [vendor, all, rest] of VENDOR_FORMATS) {
    // A beginning may end with a space ("FlyV1 "): only a space between two beginnings separates them.
    for (const text of all.endsWith(" ") ? [all] : all.split(" ")) {
      const key = text.slice(0, 2);
      groups.set(key, [...(groups.get(key) ?? []), { vendor, text, rest }]);
    }
  }
  return groups;
}

function patternOf(rest: string): RegExp {
  const known = patterns.get(rest);
  if (known !== undefined) return known;
  const pattern = new RegExp(rest, "uy");
  patterns.set(rest, pattern);
  return pattern;
}

function isWordStart(text: string, at: number): boolean {
  return isLetterOrDigit(text.charCodeAt(at)) && (at === 0 || !isLetterOrDigit(text.charCodeAt(at - 1)));
}

function isLetterOrDigit(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

/**
 * The one scan for secrets, used for notes, logs, prompts and pastes alike. Findings are in order and do not overlap.
 * Invisible characters do not hide a secret. Time is linear in the length.
 */
export function findSecrets(text: string): readonly FoundSecret[] {
  if (text === "") return [];
  const hidden = findHidden(text);
  if (hidden.length === 0) return joinOverlaps(findVisible(text));
  const { visible, positions } = withoutHidden(text, hidden);
  const found = findVisible(visible).map(({ start, end, rule }) => ({
    start: positions[start] ?? text.length,
    end: (positions[end - 1] ?? text.length - 1) + 1,
    rule,
  }));
  return joinOverlaps(found);
}

function findVisible(text: string): readonly FoundSecret[] {
  return [...findVendorTokens(text), ...findGeneral(text), ...findEncoded(text)];
}

/** Secrets without a vendor's beginning: found by their position, their label or their looks. */
export function findGeneral(text: string): readonly FoundSecret[] {
  const small = text.toLowerCase();
  const shapes = SHAPES.filter(({ hints }) => hints.length === 0 || hints.some((hint) => small.includes(hint)));
  return [...shapes.flatMap((shape) => findShape(shape, text)), ...findLabelled(text), ...findBare(text)];
}

const BEFORE_CHARACTERS = 300;

/** Exported for the gate that runs each shape over input made to slow it down. */
export function findShape({ name, pattern, more, accepts }: SecretShape, text: string): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const value = match.slice(1).findLast((group) => group !== undefined && group.length > 1) ?? match[0];
    const before = text.slice(Math.max(0, match.index - BEFORE_CHARACTERS), match.index);
    if (accepts !== undefined && !accepts(value, before)) {
      pattern.lastIndex = match.index + 1; // the refused match may contain another
      continue;
    }
    const start = match.index + match[0].lastIndexOf(value);
    const end = endOf(more, text, start + value.length);
    found.push({ start, end, rule: name });
    pattern.lastIndex = Math.max(end, match.index + 1);
  }
  return found;
}

function endOf(more: RegExp | undefined, text: string, end: number): number {
  if (more === undefined) return end;
  more.lastIndex = end;
  return more.test(text) ? more.lastIndex : end;
}

/** A vendor's token or a key wrapped in base64. */
function findEncoded(text: string): readonly FoundSecret[] {
  return [...text.matchAll(/[A-Za-z0-9+/_-]{24,}={0,2}/gu)].flatMap((match) => {
    const decoded = decodeText(match[0]);
    if (
      decoded === undefined ||
      (findVendorTokens(decoded).length === 0 && !/-BEGIN [A-Z ]{0,40}PRIVATE KEY/u.test(decoded))
    )
      return [];
    return [{ start: match.index, end: match.index + match[0].length, rule: "base64" }];
  });
}

function withoutHidden(
  text: string,
  hidden: readonly { readonly start: number; readonly end: number }[],
): { readonly visible: string; readonly positions: readonly number[] } {
  const positions: number[] = [];
  let visible = "";
  let from = 0;
  for (const { start, end } of [...hidden, { start: text.length, end: text.length }]) {
    visible += text.slice(from, start);
    for (; from < start; from++) positions.push(from);
    from = end;
  }
  return { visible, positions };
}

function joinOverlaps(found: readonly FoundSecret[]): readonly FoundSecret[] {
  const joined: FoundSecret[] = [];
  for (const one of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = joined.at(-1);
    if (last === undefined || one.start >= last.end) joined.push(one);
    else if (one.end > last.end) joined[joined.length - 1] = { ...last, end: one.end };
  }
  return joined;
}
