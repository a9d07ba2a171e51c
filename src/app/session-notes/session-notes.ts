import { randomUUID } from "node:crypto";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { openSessionNotes, type SessionNotesStore } from "../../adapters/files/session-notes.ts";
import { rejects } from "../../core/capture/classify.ts";
import { isPlanted } from "../../core/capture/gates.ts";
import { maskSecrets } from "../../core/shared/secrets/mask.ts";
import { splitSentences } from "../../core/capture/sentences.ts";
import { isExplicit, signsIn } from "../../core/capture/digest.ts";
import { captureFate, mayWrite, modeIn, refusedByMode } from "../workspace/modes.ts";
import { sanitize } from "../../core/shared/sanitize.ts";
import type { Model } from "../../core/models/model.ts";
import {
  framedNotes,
  sectionsText,
  type SessionNotes,
  DEFAULT_TEMPLATE,
  parseTemplate,
  type Template,
} from "../../core/session-notes/notes.ts";
import type { Words } from "../../core/session-notes/rules.ts";
import { type NotesUpdate, type UpdateDeps, updateNotes, wordsOf } from "../../core/session-notes/update.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { estimateTokens } from "../../core/shared/text.ts";
import type { Transcript } from "../../core/transcripts/turn.ts";
import { locateInstructions } from "../instructions/instructions.ts";
import type { Locations } from "../workspace/locations.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";

export interface SessionNotesOptions {
  /** Asked for changes; without a model, rules are used. */
  readonly model?: Model;
  /** The user requested it, so thresholds and manual mode do not apply. */
  readonly asked?: boolean;
  readonly signal?: AbortSignal;
}

export type SessionNotesUpdate =
  | (NotesUpdate & { readonly warning: string | undefined })
  /** The mode of the project's scope forbids automatic writes. */
  | { readonly kind: "forbidden"; readonly warning: undefined };

/**
 * Renews the notes of a session when it has progressed far enough since the last time (see `THRESHOLDS`). To be called
 * after each turn; otherwise it costs reading one small file.
 * @throws MemoryError `refused` when the user requested it and the mode forbids it.
 */
export async function updateSessionNotes(
  workspace: OpenWorkspace,
  transcript: Transcript,
  options: SessionNotesOptions = {},
): Promise<SessionNotesUpdate> {
  const { locations, clock } = workspace;
  const { asked = false, model, signal } = options;
  const choice = modeIn(locations.modes, "project");
  if (asked && !mayWrite(choice.mode)) throw refusedByMode("memory of the project scope", choice);
  // They are not notes of the store, so confirm mode does not apply.
  if (captureFate(choice.mode, asked ? "person" : "itself") === "nothing")
    return { kind: "forbidden", warning: undefined };
  const store = openStoreOf(locations);
  const { template, warning } = readTemplate(locations);
  const update = await updateNotes(
    transcript,
    store.read(transcript.session),
    {
      ...wordGates(workspace),
      instructions: () =>
        locateInstructions(locations)
          .open()
          .start()
          .sections.map(({ text }) => text)
          .join("\n\n"),
      template,
      project: locations.modeKey,
      now: clock.now(),
      ...(model === undefined ? {} : { model }),
      ...(signal === undefined ? {} : { signal }),
    },
    asked,
  );
  if (update.kind !== "not-due") store.write(update.notes);
  return { ...update, warning };
}

/**
 * What an agent is given of its session after a compaction: framed as data, most important first, at most `budget`
 * estimated tokens (default 12,000), and byte-identical until the notes change. `undefined` when there are no notes or
 * memory is off.
 */
export function sessionNotesText(locations: Locations, session: string, budget?: number): string | undefined {
  const notes = readSessionNotes(locations, session);
  return notes === undefined ? undefined : framedNotes(notes, budget, sanitize);
}

export function readSessionNotes(locations: Locations, session: string): SessionNotes | undefined {
  return isOff(locations) ? undefined : openStoreOf(locations).read(session);
}

/** Newest first, of this project or of all. */
export function listSessionNotes(locations: Locations, everywhere: boolean): readonly SessionNotes[] {
  return isOff(locations)
    ? []
    : openStoreOf(locations)
        .list()
        .filter(({ project }) => everywhere || project === locations.modeKey);
}

/** Estimated tokens that session notes take in a model's context. */
export function tokensOf(sections: SessionNotes["sections"]): number {
  return estimateTokens(sectionsText(sections));
}

export function removeSessionNotes(locations: Locations, session: string): boolean {
  return openStoreOf(locations).remove(session);
}

/** The template that the user may edit; created if missing. */
export function writeTemplate(locations: Pick<Locations, "memdirHome">): {
  readonly file: string;
  readonly created: boolean;
  readonly problem: string | undefined;
} {
  const file = templateFile(locations);
  const bytes = nodeFiles.read(file);
  if (bytes === undefined) {
    nodeFiles.makeDirectory(file.slice(0, file.lastIndexOf("/")));
    nodeFiles.create(file, new TextEncoder().encode(DEFAULT_TEMPLATE));
  }
  return { file, created: bytes === undefined, problem: readTemplate(locations).warning };
}

function isOff({ modes }: Locations): boolean {
  return modeIn(modes, "project").mode === "off";
}

function openStoreOf({ memdirHome }: Pick<Locations, "memdirHome">): SessionNotesStore {
  return openSessionNotes({
    directory: `${memdirHome}/session-memory`,
    files: nodeFiles,
    now: () => Date.now(),
    newId: randomUUID,
  });
}

function templateFile({ memdirHome }: Pick<Locations, "memdirHome">): string {
  return `${memdirHome}/session-memory/config/template.md`;
}

function readTemplate(locations: Pick<Locations, "memdirHome">): {
  readonly template: Template;
  readonly warning: string | undefined;
} {
  const bytes = nodeFiles.read(templateFile(locations));
  const edited = bytes === undefined ? undefined : parseTemplate(new TextDecoder().decode(bytes));
  if (edited?.ok === true) return { template: edited.template, warning: undefined };
  const own = parseTemplate(DEFAULT_TEMPLATE);
  if (!own.ok) throw new MemoryError("corrupt", `memdir's own template of session notes is broken: ${own.problem}`);
  return {
    template: own.template,
    warning:
      edited === undefined
        ? undefined
        : `${templateFile(locations)} cannot be used: ${edited.problem}; memdir's own sections are used`,
  };
}

function wordGates({
  secrets,
}: Pick<OpenWorkspace, "secrets">): Pick<UpdateDeps, "mask" | "isPlanted" | "judge" | "gist"> {
  return { mask: async (text) => (await maskSecrets(text, secrets)).masked, isPlanted, judge, gist };
}

/** For other rule-based summaries of a session. */
export function ruleWords(workspace: Pick<OpenWorkspace, "secrets">): Words {
  return wordsOf(wordGates(workspace));
}

/** A message with fewer typed characters (pastes excluded) says too little. */
const LEAST_GIST = 20;

function gist(message: string): string {
  const typed = splitSentences(message)
    .map(({ text }) => text)
    .join(" ");
  return typed.length < LEAST_GIST ? message : typed;
}

function judge(message: string): { readonly corrections: readonly string[]; readonly decisions: readonly string[] } {
  const typed = splitSentences(message).filter(({ origin }) => origin !== "quoted");
  const corrections = typed.filter(({ plain }) => rejects(plain));
  const decisions = typed.filter((sentence) => !corrections.includes(sentence) && decides(sentence.text));
  return { corrections: corrections.map(({ text }) => text), decisions: decisions.map(({ text }) => text) };
}

/** Whether it says how to work from now on. */
function decides(text: string): boolean {
  const signs = signsIn(text);
  return isExplicit(text) || (signs.has("decision") && signs.has("person"));
}
