/** One shape of secret. The first capture group, where there is one, is the secret itself. */
export interface SecretRule {
  readonly name: string;
  readonly pattern: RegExp;
  /** Whether the captured value is one; without it every match is. */
  readonly accepts?: (value: string) => boolean;
}

/**
 * Shapes that secretlint's recommended preset does not know or reads more strictly than a memory should:
 * a token that somebody shortened, or a made-up one in a real shape, must not reach a note either.
 */
export const SECRET_RULES: readonly SecretRule[] = [
  { name: "private-key", pattern: /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|$)/gu },
  { name: "age-key", pattern: /\bAGE-SECRET-KEY-1[0-9A-Z]{20,}/giu },
  { name: "jwt", pattern: /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?/gu },
  { name: "onepassword", pattern: /\bops_eyJ[\w-]{20,}={0,2}/gu },
  { name: "stripe", pattern: /\b(?:sk|rk)_(?:live|test)_\w{10,}|\bwhsec_[\w+/=]{16,}/gu },
  { name: "google-api-key", pattern: /\bAIza[\w-]{30,}/gu },
  { name: "google-oauth", pattern: /\bGOCSPX-[\w-]{20,}|\bya29\.[\w-]{20,}/gu },
  { name: "github", pattern: /\bgh[pousr]_\w{16,}|\bgithub_pat_\w{20,}/gu },
  { name: "gitlab", pattern: /\bgl(?:pat|dt|rt|ptt|ft|soat|cbt|imt|agent)-[\w-]{16,}/gu },
  { name: "huggingface", pattern: /\b(?:hf|api_org)_[A-Za-z]{34,}\b/gu },
  { name: "npm", pattern: /\bnpm_\w{20,}/gu },
  { name: "pypi", pattern: /\bpypi-[\w-]{30,}/gu },
  { name: "aws-key-id", pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b/gu, accepts: (value) => !value.endsWith("EXAMPLE") },
  { name: "aws-secret", pattern: /\baws_?(?:secret|session)[\w.-]*\W{1,5}([A-Za-z0-9/+=]{30,})/giu },
  { name: "azure", pattern: /\b(?:AccountKey|SharedAccessKey|SharedSecret)=([A-Za-z0-9+/]{20,}={0,2})|[?&]sig=([A-Za-z0-9%+/]{30,}={0,2})/gu },
  { name: "twilio", pattern: /\b(?:SK|AC)[0-9a-f]{32}\b/gu },
  { name: "sendgrid", pattern: /\bSG\.[\w-]{16,}\.[\w-]{16,}/gu },
  { name: "mailgun", pattern: /\bkey-[0-9a-f]{32}\b/gu },
  { name: "telegram", pattern: /(?<![\w:])\d{8,10}:[A-Za-z0-9_-]{35}(?![\w-])/gu },
  { name: "discord", pattern: /\bdiscord(?:app)?\.com\/api\/webhooks\/\d{10,}\/[\w-]{20,}|\b[MNO][A-Za-z\d_-]{23,27}\.[\w-]{6}\.[\w-]{27,}/gu },
  { name: "slack", pattern: /\bxox[abeoprs](?:\.xox[bp])?-[\w-]{12,}|\bxapp-\d-\w{6,}-[\w-]{10,}|hooks\.slack\.com\/(?:services|workflows)\/[\w/]{12,}/gu },
  { name: "shopify", pattern: /\bshp(?:at|ca|pa|ss|tka)_[A-Za-z0-9]{24,}/gu },
  { name: "linear", pattern: /\blin_(?:api|oauth|wh)_\w{24,}/gu },
  { name: "notion", pattern: /\bntn_\d{11}\w{30,}/gu },
  { name: "openai", pattern: /\bsk-(?:proj|svcacct|admin)-[\w-]{24,}|\bsk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}|\bsk-[A-Za-z0-9]{40,}/gu },
  { name: "anthropic", pattern: /\bsk-ant-[\w-]{24,}/gu },
  { name: "openrouter", pattern: /\bsk-or-(?:v\d-)?[\w-]{24,}/gu },
  { name: "groq", pattern: /\bgsk_[A-Za-z0-9]{40,}/gu },
  { name: "databricks", pattern: /\bdapi[0-9a-fA-F]{32}(?:-\d)?\b/gu },
  { name: "digitalocean", pattern: /\bdo[opr]_v1_[0-9a-f]{32,}/gu },
  { name: "docker", pattern: /\bdckr_(?:pat|oat)_[\w-]{20,}/gu },
  { name: "figma", pattern: /\bfig[dou]r?_[\w-]{36,}/gu },
  { name: "grafana", pattern: /\bgl(?:c_eyJ[\w+/=-]{16,}|sa_[A-Za-z0-9]{32}_[0-9a-f]{8})/gu },
  { name: "vault", pattern: /\bhv[sbr]\.[\w-]{40,}/gu },
  { name: "vercel", pattern: /\bvc[paikr]_[A-Za-z0-9]{36,}/gu },
  { name: "cloudflare", pattern: /\bcf(?:at|ut|k|oc)_[A-Za-z0-9]{40,}/gu },
  { name: "tailscale", pattern: /(?<![A-Za-z])tskey-[a-z]+-[A-Za-z0-9]{8,}-[A-Za-z0-9]{16,}/gu },
  { name: "supabase", pattern: /\bsb[ps]_(?:secret_)?[\w-]{20,}/gu },
  { name: "sentry", pattern: /\bsntry[su]_[\w+/=-]{24,}/gu },
  { name: "atlassian", pattern: /\bATATT3[\w=-]{40,}/gu },
  { name: "wallet-key", pattern: /\b0x[0-9a-fA-F]{64}\b/gu },
  { name: "k8s-secret", pattern: /\bkind:\s*Secret\b[\s\S]{0,400}?\bdata:\s*\n(?:\s+[\w.-]+:\s*[A-Za-z0-9+/=]{4,}\s*\n?)+/gu },
  { name: "connection-string", pattern: /\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver|clickhouse|ftps?|sftp|smtps?|ldaps?|https?|ssh):\/\/[^\s:/@"'`<>]*:([^\s@"'`<>]{2,})@[^\s"'`<>]/giu, accepts: isCredential },
  { name: "bearer", pattern: /\b(?:bearer|authorization:\s*(?:basic|token))\s+([A-Za-z0-9._~+/-]{16,}={0,2})/giu, accepts: looksRandom },
  { name: "assignment", pattern: /(?<![A-Za-z])(?:[A-Za-z]+[_-])*(?:pass(?:word|wd|phrase)?|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|client[_-]?secret|credentials?)(?:[_-][A-Za-z]+)?["'`]?\s*(?::=|=>|[:=])\s*["'`]?([^\s"'`,;<>(){}[\]]{6,})/giu, accepts: isAssignedSecret },
  // Said in words: "the password is …", "my token: …".
  { name: "told", pattern: /(?<![A-Za-z])(?:password|passphrase|passwd|token|secret|api key|access key|pin)\s+(?:is|was|=)\s+["'`]?([^\s"'`,;<>(){}[\]]{6,})/giu, accepts: (value) => isAssignedSecret(value) && /\d/u.test(value) },
];

const PLACEHOLDER = /^(?:(?:replace|insert|put|enter|fill[_-]in|add|set|paste)[_-](?:[a-z]+[_-])*(?:password|passwd|secret|token|key|credentials?|value|here|me|this|yours?)|replace-?me|(?:password|secret|token|key)[_-]here|x{3,}|\*+|\.{3,}|…|change[_-]?me|example|placeholder|dummy|redacted|todo|none|null|undefined|true|false|required|optional|string|your[_-].*|my[_-]?(?:password|secret|token|api[_-]?key).*|<.*|\$.*|%.*|\{\{?.*|process\.env.*|os\.environ.*|env\.?.*|secrets\..*)$/iu;

/** A password inside a URL that is a value, not a variable or the word "password". */
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
