import type { SectionFlag } from "./section.ts";

export interface DecodedFile {
  /** Bytes that are not UTF-8 as U+FFFD. */
  readonly text: string;
  readonly flags: readonly SectionFlag[];
}

/** Reads bytes as text, whatever they are; `undefined` for a binary file (one with NUL bytes). */
export function decodeFile(bytes: Uint8Array): DecodedFile | undefined {
  if (bytes.includes(0)) return undefined;
  const { text: decoded, flags } = decodeRaw(bytes);
  const text = decoded.startsWith("\uFEFF") ? decoded.slice(1) : decoded;
  return { text: text.includes("\r") ? text.replace(/\r\n?/gu, "\n") : text, flags };
}

/** As clients read that change nothing: byte order mark and line endings stay. */
export function decodeRaw(bytes: Uint8Array): DecodedFile {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const flags: SectionFlag[] = text.startsWith("\uFEFF") ? ["bom"] : [];
  if (text.includes("\uFFFD") && !isUtf8(bytes)) flags.push("invalid-utf8");
  return { text, flags };
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false; // how the decoder says no
    throw error;
  }
}
