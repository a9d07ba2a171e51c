import type { Model } from "../models/model.ts";
import { stripHidden } from "../shared/hidden.ts";
import { oneLine } from "../shared/text.ts";
import { stripInjected } from "../transcripts/injected.ts";
import type { Transcript, Turn } from "../transcripts/turn.ts";
import { updateByModel } from "./model-update.ts";
import { type NotesSection, type SessionNotes, withinLimits } from "./notes.ts";
import { notesByRules, PRESENT_SECTIONS, type Words } from "./rules.ts";
import type { Template } from "./template.ts";
import { isDue, progressOf } from "./thresholds.ts";

export interface UpdateDeps {
  /** The text with secrets masked. */
  mask(text: string): Promise<string>;
  /** Reads like an order that somebody planted for an agent. */
  isPlanted(text: string): boolean;
  readonly judge: Words["judge"];
  readonly gist: Words["gist"];
  /** What instruction files say, joined: none of it is copied. */
  instructions(): string;
  readonly template: Template;
  readonly project: string;
  readonly now: number;
  readonly model?: Model;
  readonly signal?: AbortSignal;
}

export type NotesUpdate =
  | { readonly kind: "not-due" }
  | { readonly kind: "written"; readonly notes: SessionNotes }
  /** The model gave no answer that can be used. Only how far the session came is new in `notes`. */
  | { readonly kind: "kept"; readonly notes: SessionNotes; readonly reason: string };

/** A pasted file need not be looked through to its end: at most this much of a text is used (characters). */
const LOOKED_AT = 20_000;

/** The notes of a session after what was said since, when it is time for it. Writes nothing. */
export async function updateNotes(
  transcript: Transcript,
  before: SessionNotes | undefined,
  deps: UpdateDeps,
  asked = false,
): Promise<NotesUpdate> {
  const progress = progressOf(transcript);
  if (!asked && !isDue(progress, before?.progress)) return { kind: "not-due" };
  const base = {
    session: transcript.session,
    project: deps.project,
    progress,
    lastTurn: transcript.turns.at(-1)?.id ?? "",
  };
  const updated = new Date(deps.now).toISOString();
  const written = async (sections: readonly NotesSection[], by: SessionNotes["by"]): Promise<NotesUpdate> => ({
    kind: "written",
    notes: { ...base, updated, by, sections: await gated(sections, deps) },
  });
  const byRules = (): Promise<readonly NotesSection[]> => notesByRules(transcript, deps.template, wordsOf(deps));
  const old = deps.template.map(({ id, title }): NotesSection => ({
    id,
    title,
    text: before?.sections.find((section) => section.id === id)?.text ?? "",
  }));
  if (deps.model === undefined)
    return written(
      before?.by === "model" ? presentRenewed(old, await byRules()) : await byRules(),
      before?.by ?? "rules",
    );
  const turns = await Promise.all(newTurns(transcript.turns, before?.lastTurn).map((turn) => cleaned(turn, deps)));
  const update = await updateByModel(deps.model, {
    template: deps.template,
    before: old,
    turns,
    ...(deps.signal === undefined ? {} : { signal: deps.signal }),
  });
  if (update.kind === "changed") return written(update.sections, "model");
  // The next try is after as much talk again, not at once: a model that is down costs no more than one that works.
  if (before !== undefined) return { kind: "kept", notes: { ...before, progress }, reason: update.message };
  return written(await byRules(), "rules");
}

/** What a model wrote of the past stays; what is now is told by rules. */
function presentRenewed(old: readonly NotesSection[], ruled: readonly NotesSection[]): readonly NotesSection[] {
  return old.map((section) =>
    PRESENT_SECTIONS.has(section.id) || section.text === ""
      ? (ruled.find(({ id }) => id === section.id) ?? section)
      : section,
  );
}

function newTurns(turns: readonly Turn[], lastTurn: string | undefined): readonly Turn[] {
  return turns.slice(turns.findIndex(({ id }) => id === lastTurn) + 1);
}

async function cleaned(turn: Turn, deps: UpdateDeps): Promise<Turn> {
  return {
    ...turn,
    text: turn.text === "" ? "" : await deps.mask(stripHidden(stripInjected(turn.text)).slice(0, LOOKED_AT)),
  };
}

/** What rules know of words, over gates and judgements that others bring. */
export function wordsOf(deps: Pick<UpdateDeps, "mask" | "isPlanted" | "judge" | "gist">): Words {
  return {
    gist: (message) => deps.gist(stripHidden(stripInjected(message)).slice(0, LOOKED_AT)),
    judge: (message) => deps.judge(stripHidden(stripInjected(message)).slice(0, LOOKED_AT)),
    async clean(text) {
      const own = stripHidden(stripInjected(text)).slice(0, LOOKED_AT).trim();
      return own === "" || deps.isPlanted(own) ? "" : oneLine(await deps.mask(own));
    },
  };
}

/** Whoever wrote them: no secret, nothing hidden, no planted order, nothing of the instruction files, within the limits. */
async function gated(sections: readonly NotesSection[], deps: UpdateDeps): Promise<readonly NotesSection[]> {
  const instructions = deps.instructions();
  const clean = await Promise.all(
    sections.map(async (section): Promise<NotesSection> => {
      const lines = stripInjected(stripHidden(section.text))
        .split("\n")
        .filter((line) => !deps.isPlanted(line))
        .join("\n");
      return { ...section, text: withoutInstructions(lines === "" ? "" : await deps.mask(lines), instructions) };
    }),
  );
  return withinLimits(clean);
}

/** Characters; a shorter line can stand in instruction files by chance. */
const LEAST = 16;

/**
 * A text without the lines and sentences that instruction files have: those are read again from disk after a
 * compaction, and a copy here would outlive a change of them.
 */
export function withoutInstructions(text: string, instructions: string): string {
  const known = flat(instructions);
  if (known === "") return text;
  const lines = instructions
    .split("\n")
    .map(flat)
    .filter((line) => line.length >= LEAST);
  const isKnown = (part: string): boolean => {
    const own = flat(part);
    return (own.length >= LEAST && known.includes(own)) || lines.some((line) => own.includes(line));
  };
  return text
    .split("\n")
    .flatMap((line) => {
      const sentences = line.split(/(?<=[.!?。！？])\s+/u);
      const own = sentences.filter((sentence) => !isKnown(sentence));
      if (own.length === sentences.length && !isKnown(line)) return [line];
      const rest = own.join(" ");
      return flat(rest).length < LEAST || isKnown(rest) ? [] : [rest];
    })
    .join("\n");
}

function flat(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
