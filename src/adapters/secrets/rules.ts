import { PROVIDER_TOKENS } from "./provider-tokens.ts";
import type { SecretRule } from "./secret-rule.ts";

/** What a secret looks like when its issuer gave it no shape: where it stands gives it away. */
const GENERAL_RULES: readonly SecretRule[] = [
  { name: "private-key", pattern: /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|$)/gu },
  { name: "age-key", pattern: /\bAGE-SECRET-KEY-1[0-9A-Z]{20,}/giu },
  { name: "jwt", pattern: /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?/gu },
  { name: "aws-key-id", pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b/gu, accepts: (value) => !value.endsWith("EXAMPLE") },
  { name: "aws-secret", pattern: /\baws_?(?:secret|session)[\w.-]*\W{1,5}([A-Za-z0-9/+=]{30,})/giu },
  { name: "azure", pattern: /\b(?:AccountKey|SharedAccessKey|SharedSecret)=([A-Za-z0-9+/]{20,}={0,2})|[?&]sig=([A-Za-z0-9%+/]{30,}={0,2})/gu },
  { name: "wallet-key", pattern: /\b0x[0-9a-fA-F]{64}\b/gu },
  { name: "k8s-secret", pattern: /\bkind:\s*Secret\b[\s\S]{0,400}?\bdata:\s*\n(?:\s+[\w.-]+:\s*[A-Za-z0-9+/=]{4,}\s*\n?)+/gu },
  { name: "connection-string", pattern: /\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver|clickhouse|ftps?|sftp|smtps?|ldaps?|https?|ssh):\/\/[^\s:/@"'`<>]*:([^\s@"'`<>]{2,})@[^\s"'`<>]/giu, accepts: isPasswordInUrl },
  { name: "bearer", pattern: /\b(?:bearer|authorization:\s*(?:basic|token))\s+([A-Za-z0-9._~+/-]{16,}={0,2})/giu, accepts: looksRandom },
  { name: "assignment", pattern: /(?<![A-Za-z])(?:[A-Za-z]+[_-])*(?:pass(?:word|wd|phrase)?|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|client[_-]?secret|credentials?)(?:[_-][A-Za-z]+)?["'`]?\s*(?::=|=>|[:=])\s*["'`]?([^\s"'`,;<>(){}[\]]{6,})/giu, accepts: isAssignedSecret },
  // camelCase: `dbPassword: "…"`, `githubToken = …`, and the variables of database clients.
  { name: "assignment", pattern: /\b[a-z]\w*(?:Password|Passwd|Passphrase|Secret|Token|ApiKey|AccessKey|PrivateKey|SecretKey|Credentials?)["'`]?\s*(?::=|=>|[:=])\s*["'`]?([^\s"'`,;<>(){}[\]]{6,})/gu, accepts: isAssignedSecret },
  { name: "assignment", pattern: /\b(?:PGPASSWORD|MYSQL_PWD|REDISCLI_AUTH|SSHPASS)=["']?([^\s"'`;]{3,})/gu, accepts: isCredential },
  { name: "assignment", pattern: /\b_auth(?:Token)?\s*=\s*["']?([\w+/=.-]{16,})/gu, accepts: (value) => !PLACEHOLDER.test(value) },
  // A passphrase of plain words.
  { name: "assignment", pattern: /\b(?:password|passwd|passphrase|pwd|api[_-]?key)["'`]?\s*=\s*["'`]?([a-z]+(?:-[a-z]+){2,})(?![\w-])/giu, accepts: (value) => !PLACEHOLDER.test(value) },
  // On a command line: `--password …`, `curl -u name:…`, `sshpass -p …`, and a line of .netrc.
  { name: "command-line", pattern: /(?:^|\s)--?(?:password|passwd|pass|token|secret|api-key|apikey|access-token|auth-token)[ =]["']?([^\s"'`,;<>(){}[\]]{6,})/giu, accepts: isAssignedSecret },
  { name: "command-line", pattern: /\b(?:curl|wget|http)\b[^\n|;]*?\s(?:-u|--user)[ =]?["']?[\w.@-]+:([^\s"'`]{3,})/gu, accepts: isCredential },
  { name: "command-line", pattern: /\bsshpass\s+-p\s*["']?([^\s"'`]{3,})|\bmachine\s+\S+\s+login\s+\S+\s+password\s+(\S{3,})/gu, accepts: isCredential },
  { name: "cookie", pattern: /\b(?:set-)?cookie:\s*[^\n]*?(?:sess\w*|sid|auth\w*|token|jwt)\w*=([\w%+/.=-]{20,})/giu, accepts: looksRandom },
  { name: "password-hash", pattern: /\$2[aby]\$\d{2}\$[./A-Za-z0-9]{53}|\$(?:5|6|y|argon2id?)\$[^\s:'"`]{30,}/gu },
  { name: "putty-key", pattern: /\bPuTTY-User-Key-File-\d:[\s\S]*?(?:Private-MAC: *[0-9a-f]+|$)/gu },
  // Said in words: "the password is …", "my token: …".
  { name: "password-in-words", pattern: /(?<![A-Za-z])(?:password|passphrase|passwd|token|secret|api key|access key|pin)\s+(?:is|was|=)\s+["'`]?([^\s"'`,;<>(){}[\]]{6,})/giu, accepts: (value) => isAssignedSecret(value) && /\d/u.test(value) },
  { name: "password-in-words", pattern: /(?:mot de passe|passwort|kennwort|contraseña|clave|senha|wachtwoord|hasło|пароль|токен|密码|口令|パスワード|暗証番号|비밀번호)\s*(?:is|est|ist|es|é|は|是|为|：|:|=|-|—|это)?\s*["'`「]?([\w!@#$%^&*+./~?=-]{6,})/giu, accepts: (value) => isAssignedSecret(value) && /\d/u.test(value) },
  // A text that calls itself secret; the words after it are not looked at, whoever wrote it has decided.
  { name: "declared", pattern: /\bthis (?:is|stays|remains|must (?:stay|remain|be kept)) (?:strictly |top |a )?(?:secret|confidential)(?=\s*(?:[.:!,;\n]|$)|\s+[A-Z0-9](?![\w-]))[^\n]*/giu },
];

export const SECRET_RULES: readonly SecretRule[] = [...GENERAL_RULES, ...PROVIDER_TOKENS];

const PLACEHOLDER = /^(?:(?:replace|insert|put|enter|fill[_-]in|add|set|paste)[_-](?:[a-z]+[_-])*(?:password|passwd|secret|token|key|credentials?|value|here|me|this|yours?)|replace-?me|(?:password|secret|token|key)[_-]here|x{3,}|\*+|\.{3,}|…|change[_-]?me|example|placeholder|dummy|redacted|todo|none|null|undefined|true|false|required|optional|string|your[_-].*|my[_-]?(?:password|secret|token|api[_-]?key).*|<.*|\$.*|%.*|\{\{?.*|process\.env.*|os\.environ.*|env\.?.*|secrets\..*)$/iu;

/** A password inside a URL, dull ones such as "password" too: nobody can tell whether the server takes it. Not a variable or "put it here". */
function isPasswordInUrl(value: string): boolean {
  return !PLACEHOLDER.test(value) && !/[{}$]/u.test(value);
}

/** A password that is a value, not a variable or the word "password". */
function isCredential(value: string): boolean {
  return !PLACEHOLDER.test(value) && !/^(?:pass(?:word|wd)?|pwd|secret)$/iu.test(value) && !/[{}$]/u.test(value);
}

/** A value someone would assign to a secret: mixed, and neither a placeholder nor an expression. */
function isAssignedSecret(raw: string): boolean {
  const value = raw.replace(/[.!?]+$/u, "");
  if (value.length < 6 || PLACEHOLDER.test(value)) return false;
  if (/^[\w$]+(?:\.[\w$]+)+$/u.test(value) && !/\d/u.test(value)) return false;
  if (/^(?:\.{0,2}\/|~|[A-Za-z]:\\|https?:\/\/)/u.test(value)) return false;
  const kinds = [/[a-z]/u, /[A-Z]/u, /\d/u, /[^A-Za-z0-9]/u].filter((kind) => kind.test(value)).length;
  return (/\d/u.test(value) && kinds >= 2) || kinds >= 4 || (kinds >= 3 && looksRandom(value)) || (value.length >= 24 && looksRandom(value));
}

/** Shannon entropy of the characters above what words and identifiers reach at that length. */
function looksRandom(value: string): boolean {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits >= (value.length >= 20 ? 3.5 : 2.9) && /\d/u.test(value);
}
