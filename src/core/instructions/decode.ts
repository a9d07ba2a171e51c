import type { SectionFlag } from "./section.ts";

export interface DecodedFile {
  /** Bytes that are not UTF-8 as U+FFFD. */
  readonly text: string;
  readonly flags: readonly SectionFlag[];
}

/** Reads bytes as text, whatever they are, without a byte order mark; line endings stay. */
export function decodeFile(bytes: Uint8Array): DecodedFile {
  const { text, flags } = decodeRaw(bytes);
  return { text: text.startsWith("\uFEFF") ? text.slice(1) : text, flags };
}

/** The same with its byte order mark. */
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
