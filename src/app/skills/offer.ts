import { nodeFiles } from "../../adapters/files/node-files.ts";
import { askedWords, openVocabulary } from "../../core/recall/prompt.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { safeId } from "../../core/shared/sanitize.ts";
import {
  chooseOffers,
  markOfChange,
  type Offerable,
  offerLine,
  OFFERS_FILE,
  parseOffers,
  wasOffered,
} from "../../core/skills/offer.ts";
import type { EvidenceEvent } from "../../core/skills/types.ts";
import { type AnsweredRecall, recall, type RecallQuestion } from "../recall/recall.ts";
import type { RecallWorkspace } from "../recall/recall-notes.ts";
import type { Locations } from "../workspace/locations.ts";
import { mayWrite } from "../workspace/modes.ts";
import { skillsPlace } from "../workspace/skills-mode.ts";

export interface SkillQuestion extends RecallQuestion {
  /** The client, for the evidence; `undefined` if unknown. */
  readonly agent?: string | undefined;
  /** How the agent opens a skill, if not by its file. */
  readonly readSkillWith?: ((name: string) => string) | undefined;
}

/** Recall of notes, with one line for each skill that the prompt triggers. Without skills it costs one file check. */
export function recallWithSkills(
  locations: Locations,
  workspace: RecallWorkspace,
  question: SkillQuestion,
): AnsweredRecall {
  const root = `${locations.memdirHome}/skills`;
  const bytes = workspace.mode === "off" ? undefined : nodeFiles.read(`${root}/${OFFERS_FILE}`);
  if (bytes === undefined) return recall(workspace, question);
  const place = skillsPlace(locations);
  // A change was interrupted: the file may be outdated, and the next command updates it.
  const places = [place.user, ...(place.project === undefined ? [] : [place.project])];
  if (places.some((one) => nodeFiles.stat(markOfChange(one)) !== undefined)) return recall(workspace, question);
  const entries = parseOffers(new TextDecoder().decode(bytes)).filter(
    (one) => one.place === place.user || one.place === place.project,
  );
  const words = askedWords(question.prompt, openVocabulary()).map(({ forms }) => forms);
  const { offered, wanted } = chooseOffers(entries, words, workspace.clock.now());
  const fresh = offered.filter((one) => !isKnown(one, question.session));
  const readWith = question.readSkillWith;
  const lines = fresh.map((one) => offerLine(one, readWith?.(one.name) ?? shownPath(one.path, locations.home)));
  const answered = recall(workspace, { ...question, skills: lines });
  const delivered = (): void => {
    answered.delivered();
    if (question.session === undefined || !mayWrite(locations.mode)) return;
    const now = workspace.clock.now();
    for (const one of fresh.slice(0, answered.rendered.skills)) jot(one, "offered", question, now);
    for (const one of wanted) jot(one, "wanted", question, now);
  };
  return { ...answered, delivered };
}

function shownPath(path: string, home: string): string {
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

function evidenceFile({ place, name }: Offerable): string {
  return `${place}/${name}/evidence.jsonl`;
}

/** One offer a session is enough: an agent that did not take it up is not asked at every prompt. */
function isKnown(one: Offerable, session: string | undefined): boolean {
  if (session === undefined) return false;
  const bytes = nodeFiles.read(evidenceFile(one));
  return bytes !== undefined && wasOffered(new TextDecoder().decode(bytes), safeId(session), one.revision);
}

/** Without a lock and without syncing to disk: an offer lost in a power failure does no harm. */
function jot(
  one: Offerable,
  kind: "offered" | "wanted",
  { session, agent, prompt }: SkillQuestion,
  time: number,
): void {
  if (nodeFiles.stat(evidenceFile(one)) === undefined) return;
  const place = { agent: agent ?? "", session: safeId(session ?? ""), task: sha256(prompt).slice(0, 12) };
  const id = sha256([kind, one.id, one.revision, place.session, place.task].join(":")).slice(0, 16);
  const event: EvidenceEvent = { kind, id, time, revision: one.revision, place };
  nodeFiles.jot(evidenceFile(one), new TextEncoder().encode(`\n${JSON.stringify(event)}\n`));
}
