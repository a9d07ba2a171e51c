import { parseJson } from "../../core/shared/json.ts";

/** A prompt with the notes that help with it; none when nothing should be shown. */
export interface LabelledPrompt {
  readonly prompt: string;
  readonly notes: readonly string[];
  /** From 1 on. */
  readonly line: number;
}

export type LabelledFile =
  | { readonly ok: true; readonly prompts: readonly LabelledPrompt[] }
  /** What is wrong with the first bad line. */
  | { readonly ok: false; readonly line: number; readonly message: string };

const FORM = '{"prompt": "…", "notes": ["file-or-name"]}';

/** Reads JSON lines; empty ones are passed over. */
export function readLabelled(text: string): LabelledFile {
  const prompts: LabelledPrompt[] = [];
  for (const [index, raw] of text
    .replace(/^\uFEFF/u, "")
    .split(/\r?\n/u)
    .entries()) {
    if (raw.trim() === "") continue;
    const line = index + 1;
    const parsed = parseLine(raw);
    if (typeof parsed === "string") return { ok: false, line, message: parsed };
    prompts.push({ ...parsed, line });
  }
  return prompts.length === 0
    ? { ok: false, line: 1, message: `there is no prompt in it; write lines like ${FORM}` }
    : { ok: true, prompts };
}

/** The prompt, or what is wrong with the line. */
function parseLine(raw: string): Omit<LabelledPrompt, "line"> | string {
  const value = parseJson(raw);
  if (value === undefined) return `this is not JSON; write ${FORM}`;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return `an object is needed: ${FORM}`;
  const prompt: unknown = "prompt" in value ? value.prompt : undefined;
  const notes: unknown = "notes" in value ? value.notes : undefined;
  if (typeof prompt !== "string" || prompt.trim() === "") return `"prompt" is missing or empty: ${FORM}`;
  if (!Array.isArray(notes))
    return `"notes" is missing: a list of notes that help, or [] where nothing should be shown`;
  const names = notes.filter((note): note is string => typeof note === "string" && note !== "");
  return names.length < notes.length
    ? `"notes" holds something that is not the name of a note`
    : { prompt, notes: [...new Set(names)] };
}

export function writeLabelled(prompts: readonly Pick<LabelledPrompt, "prompt" | "notes">[]): string {
  return prompts.map(({ prompt, notes }) => `${JSON.stringify({ prompt, notes })}\n`).join("");
}
