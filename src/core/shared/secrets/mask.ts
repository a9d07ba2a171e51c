/** Finds secrets in a text: the one scan of `find-secrets.ts`. A port, so that a test can plant findings. */
export interface SecretScanner {
  /** Half-open UTF-16 ranges of each finding, with the rule's name; empty when clean. */
  scan(text: string): Promise<readonly { readonly start: number; readonly end: number; readonly rule: string }[]>;
}

export interface SecretFinding {
  readonly found: boolean;
  readonly masked: string;
}

/** Replaces a secret. */
export const SECRET_MARK = "[secret]";

/** Replaces each secret in `text` by the mark, or by the result of `markOf`. */
export async function maskSecrets(
  text: string,
  secrets: SecretScanner,
  markOf: (secret: string) => string = () => SECRET_MARK,
): Promise<SecretFinding> {
  const findings = (await secrets.scan(text)).toSorted((a, b) => a.start - b.start);
  let masked = "";
  let from = 0;
  for (const { start, end } of findings) {
    if (start > from) masked += text.slice(from, start);
    if (end > from) masked += markOf(text.slice(Math.max(from, start), end));
    from = Math.max(from, end);
  }
  return { found: findings.length > 0, masked: masked + text.slice(from) };
}

/** A mark that keeps the number of lines. */
export function markWithLines(secret: string): string {
  return SECRET_MARK + "\n".repeat(secret.split("\n").length - 1);
}
