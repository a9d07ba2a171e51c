import type { FoundSecret } from "./found-secret.ts";
import { isMachineMade, isPlaceholder, switches } from "./judge-value.ts";

/** `acme_9f8e…`, `ac-live-9f8e…`: a short name and a value in one word, as vendors who publish no list make them. */
const PREFIXED = /(?<![\w./@#-])([a-z]{2,12})[_-](?:[a-z0-9]{1,8}[_-]){0,2}([A-Za-z0-9]{24,})(?![A-Za-z0-9])/gu;

/** Names before a value that are not secret: identifiers of calls, files, digests. */
const OPEN_PREFIX =
  /^(?:hidden|sha|md|toolu|call|msg|req|resp|run|thread|file|img|image|id|user|usr|org|proj|cus|price|prod|sub|evt|acct|session|sess|ses|prt|chatcmpl|job|task|build|commit|rev|hash|digest|etag|trace|span|node|chunk|asst|step|batch|cid|uid|urn|layer|index|main|vendor|app|chunkhash|bundle|temp|tmp|backup|snapshot|claude|agent|gpt|model|vol|snap|subnet|vpc|ami|sg|eni|rtb|igw|arn|key|worker|page|static|test|data|db|table|branch|wt|pr|wf|css|js|svelte|jss|makeStyles)$/u;

/** A line with a name and a value and nothing else: `acme 9f8e…`, `"acme": "9f8e…",`, `acme=9f8e…`. */
const NAMED =
  /^[^\S\n]{0,40}(?:export |const |let |var |[-*] )?["'`$]?([A-Za-z][\w.-]{1,40}?)["'`]?(?:[^\S\n]{0,8}(?:=>|[:=])[^\S\n]{0,8}|[^\S\n]{1,8}(?:-[^\S\n]{1,8})?)["'`]?((?:[a-z]{1,10}[_-])?[A-Za-z0-9][A-Za-z0-9_-]{17,300})["'`]?[,;]?[^\S\n]{0,8}$/gmu;

/** Last words of names whose value is not secret, however random it looks. */
const OPEN_WORDS = new Set(
  "id ids hidden oid stash upstream onto uuid guid uid sha sha1 sha256 sha512 hash commit rev revision digest checksum md5 etag version session sessions origin head parent tree tag object integrity fingerprint sum merge cherry pick fixup squash reword ref blob image container node file path url branch trace span request deployment build run job task user org team project account tenant device machine instance cursor seed nonce signature class style test thread conversation agent model name slug workspace database db bucket channel page folder drive sheet doc index address wallet contract tx txid block public pub publishable message event entity item record row ticket issue order customer entry correlation transaction plan prompt todo note memory challenge from to at in on by and or of the is was".split(
    " ",
  ),
);

/** Values that stand alone, or after the bare name of a service. */
export function findBare(text: string): readonly FoundSecret[] {
  if (!/[A-Za-z0-9]{16}|[0-9a-f]{8}-/u.test(text)) return [];
  const prefixed = [...text.matchAll(PREFIXED)].filter(
    ([, name = "", value = ""]) => !OPEN_PREFIX.test(name) && isToken(value),
  );
  const named = [...text.matchAll(NAMED)].filter(
    ([, name = "", value = ""]) => !isOpen(name) && isMachineMade(value, 20) && isMixed(value) && !isPlaceholder(value),
  );
  return [
    ...prefixed.map((match) => ({ start: match.index, end: match.index + match[0].length, rule: "prefixed-token" })),
    ...named.map((match) => {
      const start = match.index + match[0].lastIndexOf(match[2] ?? "");
      return { start, end: start + (match[2] ?? "").length, rule: "named-value" };
    }),
  ];
}

function isToken(value: string): boolean {
  const kinds = [/[a-z]/u, /[A-Z]/u, /\d/u].filter((kind) => kind.test(value)).length;
  return (
    (kinds === 3 || /^[0-9a-f]{32,}$/u.test(value) || (kinds === 2 && value.length >= 30 && /\d/u.test(value))) &&
    isMachineMade(value, 24)
  );
}

function isOpen(name: string): boolean {
  const words = name.split(/[._-]|(?<=[a-z0-9])(?=[A-Z])/u).filter((word) => word !== "");
  return OPEN_WORDS.has((words.at(-1) ?? "").toLowerCase());
}

/** Not a name with a number in it, such as `draft2020Vocabularies`. */
function isMixed(value: string): boolean {
  return value.replace(/\D/gu, "").length >= 5 || switches(value) >= value.length * 0.3;
}
