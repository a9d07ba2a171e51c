import {
  isAssignedSecret,
  isCredential,
  isMachineMade,
  isPasswordInUrl,
  isPlaceholder,
  looksRandom,
} from "./find-labelled.ts";

/** Decodes base64 to text; `undefined` if it is not base64, or its bytes are not text. */
export function decodeText(encoded: string): string | undefined {
  const plain = encoded.replace(/=+$/u, "").replaceAll("-", "+").replaceAll("_", "/");
  if (plain.length % 4 === 1 || !/^[A-Za-z0-9+/]+$/u.test(plain)) return undefined;
  const text = atob(plain);
  return /^[\t\n\r\u0020-\u007E]+$/u.test(text) ? text : undefined;
}

/** A name and a password in the form of HTTP basic authentication. */
function isBasicCredential(encoded: string): boolean {
  return /^[^\s:]*:\S/u.test(decodeText(encoded) ?? "");
}

/** A kind of secret recognised by its context. The first capture group, if any, is the secret itself. */
export interface SecretShape {
  readonly name: string;
  /** In lower case; a text that contains none of them is not searched. If empty, every text is. */
  readonly hints: readonly string[];
  /** Every repetition has an upper bound, so that time stays linear; `more` covers the rest of a longer secret. */
  readonly pattern: RegExp;
  /** Sticky: the rest of the secret after the part that `pattern` found. */
  readonly more?: RegExp;
  /** Accepts the captured value; default: every match. `before` is the text before it, at most 300 characters. */
  readonly accepts?: (value: string, before: string) => boolean;
}

const VALUE = String.raw`[^\s"'\x60,;<>(){}[\]]`;

const MORE = /[^\s"'`,;<>(){}[\]]*/uy;

const SIGN = String.raw`\s{0,8}(?:::=|:=|\?=|=>|={1,3}|!={1,2}|:)\s{0,8}`;

const ASSIGN = String.raw`${SIGN}["'\x60]?`;

/** Secrets whose issuer gave them no beginning; the context gives them away. */
export const SHAPES: readonly SecretShape[] = [
  {
    name: "private-key",
    hints: ["private key"],
    pattern:
      /-{4,5} ?BEGIN (?:[A-Z0-9]{1,20} ){0,5}PRIVATE KEY(?: BLOCK)? ?-{4,5}[\s\S]*?(?:-{4,5} ?END (?:[A-Z0-9]{1,20} ){0,5}PRIVATE KEY(?: BLOCK)? ?-{4,5}|$)/gu,
  },
  {
    name: "putty-key",
    hints: ["putty-user-key"],
    pattern: /\bPuTTY-User-Key-File-\d:[\s\S]*?(?:Private-MAC: {0,9}[0-9a-f]+|$)/gu,
  },
  {
    name: "aws",
    hints: ["akia", "asia", "abia", "acca"],
    pattern: /\b((?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16})\b/gu,
    accepts: (value) => !value.endsWith("EXAMPLE"),
  },
  {
    name: "aws",
    hints: ["aws"],
    pattern: /\baws[\w. -]{0,30}(?:secret|session)[\w.-]{0,30}(?: (?:access )?key)?\W{1,5}([A-Za-z0-9/+=]{30,200})/giu,
    more: /[A-Za-z0-9/+=]*/uy,
  },
  {
    name: "azure",
    hints: ["accountkey=", "sharedaccesskey=", "sharedsecret=", "sig="],
    pattern:
      /(?<![A-Za-z])(?:AccountKey|SharedAccessKey|SharedSecret)=([A-Za-z0-9+/]{20,200}={0,2})|[?&]sig=([A-Za-z0-9%+/]{30,200}={0,2})/gu,
  },
  { name: "azure", hints: ["q~"], pattern: /(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~-])/gu },
  { name: "azure", hints: ["azdo"], pattern: /(?<![A-Za-z0-9])[A-Za-z0-9]{72,76}AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9])/gu },
  {
    name: "azure",
    hints: ["azcmk", "azse", "acdb", "azfu", "apim", "+amc", "+asb", "+aeh", "+ari", "+ast", "aiot"],
    pattern:
      /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{33,80}(?:\+AMC|\+ASb|\+AEh|\+ARm|\+ASt|ACDb|AzSe|AzFu|APIM|AIoT)[A-Za-z0-9+/]{5,8}={0,2}/gu,
  },
  { name: "wallet-key", hints: ["0x"], pattern: /\b0x[0-9a-fA-F]{64}\b/gu },
  {
    name: "k8s-secret",
    hints: ["kind"],
    pattern:
      /\bkind:\s{0,20}Secret\b[\s\S]{0,400}?\bdata:\s{0,20}\n(?:\s{1,40}[\w.-]{1,200}:\s{0,20}[A-Za-z0-9+/=]{4,}[^\S\n]{0,20}\n?){1,200}/gu,
  },
  {
    name: "kubeconfig",
    hints: ["client-key-data"],
    pattern: /\bclient-key-data["']?:\s{0,8}["']?([A-Za-z0-9+/=]{16,})/gu,
  },
  {
    name: "docker-auth",
    hints: ["auth"],
    pattern: /"auth"\s{0,8}:\s{0,8}"([A-Za-z0-9+/=]{8,2000})"/gu,
    accepts: isBasicCredential,
  },
  {
    name: "connection-string",
    hints: ["://"],
    pattern: /(?<=:\/\/)[^\s:/@"'`<>]{0,200}:([^\s@"'`<>]{2,300})@[^\s"'`<>]/gu,
    accepts: isPasswordInUrl,
  },
  {
    name: "token-in-url",
    hints: ["://"],
    pattern: /(?<=:\/\/)(?!git@)([^\s:/@"'`<>]{16,300})@[^\s"'`<>]/gu,
    accepts: (value) => isMachineMade(value, 16),
  },
  {
    name: "token-in-url",
    hints: ["token=", "key=", "secret=", "auth=", "sig=", "code=", "password=", "hmac="],
    pattern:
      /(?<=[?&](?:[a-z]{1,20}[_-]){0,2}(?:token|api_?key|key|secret|auth|sig(?:nature)?|code|password|hmac)=)([\w.~%+/=-]{12,400})/giu,
    more: /[\w.~%+/=-]*/uy,
    accepts: (value) => isMachineMade(value, 12),
  },
  {
    name: "authorization",
    hints: ["bearer", "authorization", "basic "],
    pattern:
      /\b(?:bearer|authorization["']?\s{0,4}[:=]\s{0,4}["']?(?:[a-z]{2,12}[ ]{1,3}(?:token=)?)?)\s{0,4}["']?([A-Za-z0-9._~+/-]{16,100}={0,2})/giu,
    more: /[A-Za-z0-9._~+/-]*={0,2}/uy,
    accepts: looksRandom,
  },
  {
    name: "authorization",
    hints: ["basic "],
    pattern: /\bbasic\s{1,4}([A-Za-z0-9+/]{6,400}={0,2})/giu,
    accepts: isBasicCredential,
  },
  {
    name: "authorization",
    hints: ["-key", "-token", "-auth", "-secret"],
    pattern:
      /(?:\b|-)(?:api|auth|access|token|private|service|user|server|client|app|license|subscription)-(?:key|token|secret|auth)["']?\s{0,4}:\s{0,4}["']?([\w.~+/=-]{8,400})/giu,
    more: /[\w.~+/=-]*/uy,
    accepts: (value) => isMachineMade(value, 8),
  },
  {
    name: "assignment",
    hints: ["pass", "pwd", "secret", "token", "key", "credential"],
    pattern: new RegExp(
      String.raw`(?<![A-Za-z])(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|client[_-]?secret|credentials?|(?:bind|admin|root|db) ?(?:pw|pass))(?:[_-][A-Za-z]{1,30}){0,2}["'\x60]?\]?${ASSIGN}(${VALUE}{6,64})`,
      "giu",
    ),
    more: MORE,
    accepts: isAssignedSecret,
  },
  // camelCase: `dbPassword: "…"`, `githubToken = …`, and the variables of database clients.
  {
    name: "assignment",
    hints: ["pass", "secret", "token", "key", "credential"],
    pattern: new RegExp(
      String.raw`(?<=[a-z0-9])(?:Password|Passwd|Passphrase|Pwd|Secret|Token|ApiKey|AccessKey|PrivateKey|SecretKey|Credentials?)["'\x60]?\]?${ASSIGN}(${VALUE}{6,64})`,
      "gu",
    ),
    more: MORE,
    accepts: isAssignedSecret,
  },
  // A password in quotation marks may consist of plain letters.
  {
    name: "assignment",
    hints: ["pass", "pwd"],
    pattern: new RegExp(
      String.raw`(?:password|passwd|passphrase|passcode|pwd)["'\x60]?\]?(?:${SIGN}|[^\S\n]{1,8}|[^\S\n]is[^\S\n])(["'])([^\s"'\x60<>(){}[\],;]{5,200})\1`,
      "giu",
    ),
    accepts: isQuotedPassword,
  },
  {
    name: "assignment",
    hints: ["pgpassword", "mysql_pwd", "rediscli_auth", "sshpass="],
    pattern: /\b(?:PGPASSWORD|MYSQL_PWD|REDISCLI_AUTH|SSHPASS)=["']?([^\s"'`;]{3,300})/gu,
    accepts: isCredential,
  },
  {
    name: "assignment",
    hints: ["_auth"],
    pattern: /(?<![A-Za-z0-9])_auth(?:Token)?["']?\s{0,8}[=:]\s{0,8}["']?([\w+/=.-]{16,400})/gu,
    more: /[\w+/=.-]*/uy,
    accepts: (value) => !isPlaceholder(value),
  },
  // A passphrase of plain words.
  {
    name: "assignment",
    hints: ["pass", "pwd", "key"],
    pattern:
      /\b(?:password|passwd|passphrase|pwd|api[_-]?key)["'`]?\s{0,8}=\s{0,8}["'`]?([a-z]{1,40}(?:-[a-z]{1,40}){2,8})(?![\w-])/giu,
    accepts: (value) => !isPlaceholder(value),
  },
  {
    name: "bundle-credentials",
    hints: ["bundle_"],
    pattern: /\bBUNDLE_[\w.-]{1,80}["']?\s{0,4}[=:]\s{0,4}["']?([0-9a-f]{8}:[0-9a-f]{8})\b/giu,
  },
  // On a command line: `--password …`, `curl -u name:…`, `sshpass -p …`, and a line of .netrc.
  {
    name: "command-line",
    hints: ["--", " -p"],
    pattern: new RegExp(
      String.raw`(?<=^|\s)--?(?:[a-z]{1,20}-){0,2}(?:password|passwd|pass|token|secret|api-?key|auth-key|access-key)[ =]["']?(${VALUE}{6,64})`,
      "giu",
    ),
    more: MORE,
    accepts: isAssignedSecret,
  },
  {
    name: "command-line",
    hints: ["-u", "--user", "--proxy-user"],
    pattern:
      /(?<![\w-])(?:-u|--user|--proxy-user)[ =]{0,3}(?:"[^\s":]{0,100}:([^"\n]{2,200})"|'[^\s':]{0,100}:([^'\n]{2,200})'|[^\s"':]{0,100}:([^\s"'`]{2,200}))/gu,
    accepts: (value, before) =>
      isCredential(value) && /(?:^|[^\w-])(?:curl|wget|https?|xh|httpie)\b[^|;]*$/u.test(before),
  },
  {
    name: "command-line",
    hints: ["sshpass"],
    pattern: /\bsshpass\s{1,4}-p\s{0,4}["']?([^\s"'`]{3,200})/gu,
    accepts: isCredential,
  },
  {
    name: "command-line",
    hints: ["machine"],
    pattern: /\bmachine\s{1,8}\S{1,200}\s{1,8}login\s{1,8}\S{1,200}\s{1,8}password\s{1,8}(\S{3,200})/gu,
    accepts: isCredential,
  },
  {
    name: "command-line",
    hints: ["mysql", "mongo", "redis-cli"],
    pattern:
      /\b(?:mysql(?:dump|admin)?|mongo(?:sh|dump)?)\b[^\n|;]{0,200}?\s-p(?! )["']?([^\s"'`]{3,200})|\bredis-cli\b[^\n|;]{0,200}?\s-a[ ]{1,4}["']?([^\s"'`]{3,200})/gu,
    accepts: (value) => isCredential(value) && !/^\d+$/u.test(value),
  },
  {
    name: "command-line",
    hints: ["securestring"],
    pattern: /\bConvertTo-SecureString\s{1,4}(?:-String\s{1,4})?["']([^"'\n]{4,200})["']/giu,
    accepts: isCredential,
  },
  {
    name: "cookie",
    hints: ["cookie:"],
    pattern:
      /\b(?:set-)?cookie:[^\n]{0,300}?(?:sess[a-z]{0,10}|sid|auth[a-z]{0,10}|token|jwt)\w{0,20}=([\w%+/.=-]{20,400})/giu,
    more: /[\w%+/.=-]*/uy,
    accepts: looksRandom,
  },
  {
    name: "password-hash",
    hints: ["$2", "$1$", "$5$", "$6$", "$y$", "$apr1$", "$argon2", "pbkdf2"],
    pattern:
      /\$2[abxy]\$\d{2}\$[./A-Za-z0-9]{53}|\$(?:5|6|y|argon2id?|argon2i)\$[^\s:'"`]{30,}|\$(?:1|apr1)\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}|\bpbkdf2_sha\d{1,3}\$\d{1,8}\$[^\s:'"`]{20,}/gu,
  },
  {
    name: "telegram",
    hints: [":"],
    pattern: /(?<![\w:])\d{8,10}:[A-Za-z0-9_-]{34,36}(?![\w-])/gu,
    accepts: (value) => /[A-Z]/u.test(value),
  },
  { name: "facebook", hints: ["|"], pattern: /(?<![\w|])\d{13,17}\|[\w-]{20,40}(?![\w-])/gu },
  {
    name: "discord",
    hints: ["/webhooks/"],
    pattern: /\bdiscord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{10,24}\/[\w-]{20,}/gu,
  },
  { name: "discord", hints: ["."], pattern: /(?<![\w.-])[MNO][A-Za-z\d_-]{23,27}\.[\w-]{6}\.[\w-]{27,}/gu },
  {
    name: "slack",
    hints: ["hooks.slack"],
    pattern: /hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/[\w/]{12,}/gu,
  },
  { name: "zapier", hints: ["hooks.zapier"], pattern: /hooks\.zapier\.com\/hooks\/catch\/\d{1,20}\/\w{5,}/gu },
  {
    name: "teams-webhook",
    hints: ["/incomingwebhook/"],
    pattern: /\.office\.com\/webhook(?:b2)?\/[\w@%-]{36,120}\/IncomingWebhook\/\w{20,}(?:\/[\w-]{1,60})?/gu,
  },
  { name: "hashicorp", hints: [".atlasv1."], pattern: /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}/gu },
  { name: "mailchimp", hints: ["-us"], pattern: /(?<![A-Za-z0-9])[0-9a-f]{32}-us\d{1,2}\b/gu },
  { name: "newrelic", hints: ["nral"], pattern: /(?<![A-Za-z0-9])[A-Za-z0-9]{36}NRAL\b/gu },
  { name: "truenas", hints: ["-"], pattern: /(?<![\w-])\d{1,3}-[A-Za-z0-9]{64}(?![A-Za-z0-9])/gu },
  { name: "kagi", hints: ["kagi"], pattern: /(?<![\w-])[\w-]{11}\.[\w-]{43}(?![\w-])/gu },
  {
    name: "okta",
    hints: ["okta", "ssws"],
    pattern: /(?<![\w-])00[\w-]{40}(?![\w-])/gu,
    accepts: (value) => isMachineMade(value, 20),
  },
  { name: "fullstory", hints: ["na1.", "eu1."], pattern: /\b(?:na1|eu1)\.[A-Za-z0-9+/]{100}/gu },
  {
    name: "thingsboard",
    hints: ["thingsboard"],
    pattern: /thingsboard[\w.-]{0,60}(?::\d{1,5})?\/api\/v1\/([a-z0-9]{20})(?![a-z0-9])/giu,
  },
  // Stated in words: "the password is …", "the password of the staging db is …".
  {
    name: "password-in-words",
    hints: ["pass", "token", "secret", "key", "pin", "pw", "login"],
    pattern: new RegExp(
      String.raw`(?<![A-Za-z])(?:password|passphrase|passwd|passcode|token|secret|api key|access key|pin|pw|login)(?:\s{1,3}(?:of|for|to|on|in|at)\s{1,3}(?:[\w.@/'-]{1,40}\s{1,3}){1,6}?|\s{0,3})(?:\s{1,3}?(?:is|was|=)|is|was|=|:|->|→)\s{0,3}["'\x60]?(${VALUE}{6,64})`,
      "giu",
    ),
    more: MORE,
    accepts: (value) => isAssignedSecret(value) && /\d/u.test(value),
  },
  {
    name: "password-in-words",
    hints: [],
    pattern:
      /(?:mot de passe|passwort|kennwort|contraseña|clave|senha|wachtwoord|hasło|пароль|токен|密码|口令|パスワード|暗証番号|비밀번호)\s{0,4}(?:is|est|ist|es|é|は|是|为|：|:|=|-|—|это)?\s{0,4}["'`「]?([\w!@#$%^&*+./~?=-]{6,64})/giu,
    more: MORE,
    accepts: (value) => isAssignedSecret(value) && /\d/u.test(value),
  },
  // A text that declares itself secret; the words after it are not checked, since its author has decided.
  {
    name: "declared",
    hints: ["this "],
    pattern:
      /\bthis (?:is|stays|remains|must (?:stay|remain|be kept)) (?:strictly |top |a )?(?:secret|confidential)(?=\s{0,9}(?:[.:!,;\n]|$)|\s{1,9}[A-Z0-9](?![\w-]))[^\n]*/giu,
  },
];

/** Excludes words of forms and messages about passwords, and names in code. */
function isQuotedPassword(value: string): boolean {
  return /^\w[\w!@$%^&*?+~=-]*$/u.test(value) && (isCredential(value) || /^\w+\$\w+$/u.test(value));
}
