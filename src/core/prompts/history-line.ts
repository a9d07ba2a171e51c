import { isObject, objectsOf, stringOf } from "../transcripts/format.ts";
import { parseJson } from "../shared/json.ts";

/** A prompt as the history keeps it, one a line. */
export interface KeptPrompt {
  /** ISO. */
  readonly time: string;
  /** Directory of the project. */
  readonly project: string;
  readonly session: string | undefined;
  readonly agent: string | undefined;
  /** With marks in the place of long pastes. */
  readonly prompt: string;
  readonly pastes: readonly { readonly number: number; readonly sha256: string }[];
}

export function historyLine(prompt: KeptPrompt): string {
  return `${JSON.stringify(prompt)}\n`;
}

/** Lines that cannot be read are passed over: a half line is what a full disk leaves. */
export function readHistory(text: string): readonly KeptPrompt[] {
  return text.split("\n").flatMap((line) => {
    const value = parseJson(line);
    if (!isObject(value)) return [];
    const { time, project, prompt } = value;
    if (
      typeof time !== "string" ||
      typeof project !== "string" ||
      typeof prompt !== "string" ||
      !Number.isFinite(Date.parse(time))
    )
      return [];
    const pastes = objectsOf(value["pastes"]).flatMap(({ number, sha256 }) =>
      typeof number === "number" && typeof sha256 === "string" && /^[0-9a-f]{64}$/u.test(sha256)
        ? [{ number, sha256 }]
        : [],
    );
    return [{ time, project, session: stringOf(value["session"]), agent: stringOf(value["agent"]), prompt, pastes }];
  });
}

/** The newest prompts of each project, newest first; the same words of one session at one moment once. */
export function newestPrompts(prompts: readonly KeptPrompt[], perProject: number): readonly KeptPrompt[] {
  const seen = new Set<string>();
  const counts = new Map<string, number>();
  return prompts
    .toSorted((a, b) => Date.parse(b.time) - Date.parse(a.time))
    .filter((one) => {
      const key = JSON.stringify([one.project, one.session, one.prompt, one.time]);
      const count = counts.get(one.project) ?? 0;
      if (seen.has(key) || count >= perProject) return false;
      seen.add(key);
      counts.set(one.project, count + 1);
      return true;
    });
}
