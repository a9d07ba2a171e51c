import { shownNote, shownText } from "../../core/notes/shown-note.ts";
import { isUtf8, parseNote } from "../../core/notes/parse-note.ts";
import { guardHash } from "../../core/guards/guard.ts";
import { noteKey } from "../../core/recall/ledger.ts";
import type { LoggedRecall } from "../../core/recall/log-line.ts";
import { contentVersion } from "../../core/shared/content-version.ts";
import { shellWord } from "../care/audit.ts";
import { guardOfNote } from "../guards/guard-approval.ts";
import { approvedGuards } from "../guards/guard-registry.ts";
import { chainOf } from "../notes/supersede.ts";
import { versionsOf } from "../notes/versions.ts";
import { checkLine, speaksOfProject, verifyNotes } from "../recall/verify-notes.ts";
import { mayWrite, modeIn } from "../workspace/modes.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import { overriddenBy } from "../workspace/overridden.ts";
import { type NoteRef, shownRef } from "../workspace/workspace.ts";
import { backlinksOf, linksFrom } from "./links.ts";
import { listFacts, noteItem } from "./note-list.ts";
import { idOf, type Reading, refOf } from "./reading.ts";
import type { CheckedClaim, GuardView, NoteId, NoteRecall, NoteView } from "./shapes.ts";
import { versionItems } from "./versions.ts";

const MOST_RECALLS = 100;
const MOST_VERSIONS = 100;

/** A note with all that is known of it; `undefined` when it is not in the index. */
export function noteView(reading: Reading, id: NoteId): NoteView | undefined {
  const { workspace, kept } = reading;
  for (const { store } of workspace.stores) store.reconcile("full");
  const ref = refOf(workspace, id);
  const bytes = ref?.scoped.store.read(ref.file);
  if (ref === undefined || bytes === undefined) return undefined;
  const { scoped, file, entry } = ref;
  const note = shownNote(parseNote(file, bytes, workspace.codec));
  const { validFrom, validTo, evidence } = note;
  const winner = overriddenBy(workspace.stores, scoped.scope, note);
  const guardRule = guardView(workspace, ref);
  const claims = claimsOf(workspace, ref);
  return {
    ...noteItem(scoped, entry, listFacts(reading)),
    version: contentVersion(bytes),
    path: `${scoped.store.directory}/${file}`,
    text: shownText(bytes),
    body: note.body,
    editable: isUtf8(bytes),
    ...(validFrom !== undefined && { validFrom }),
    ...(validTo !== undefined && { validTo }),
    ...(evidence !== undefined && { evidence }),
    links: linksFrom(reading, ref),
    backlinks: backlinksOf(reading, ref),
    ...(claims !== undefined && { claims }),
    recalls: recallsOf(kept.recalls(workspace.recallLog), id),
    versions: versionItems(reading, scoped, versionsOf(scoped, file).slice(0, MOST_VERSIONS)),
    chain: chainOf(workspace, ref).map((link) => ({
      id: idOf(scoped, link.file),
      description: link.description,
      ...(link.validFrom !== undefined && { validFrom: link.validFrom }),
      ...(link.validTo !== undefined && { validTo: link.validTo }),
    })),
    contradicts: note.contradicts.map((other) => idOf(scoped, other)),
    ...(guardRule !== undefined && { guardRule }),
    ...(winner !== undefined && { overriddenBy: winner }),
    movesTo: workspace.scopes.filter((to) => to !== scoped.scope && mayWrite(modeIn(workspace.modes, to).mode)),
    forgetCommand: `memdir forget ${shellWord(shownRef(workspace, ref))}`,
  };
}

function claimsOf(workspace: OpenWorkspace, ref: NoteRef): readonly CheckedClaim[] | undefined {
  if (!speaksOfProject(ref.scoped.scope)) return undefined;
  const verified = verifyNotes(workspace, ref);
  return verified?.notes
    .flatMap(({ checks }) => checks)
    .map((check) => ({
      claim: check.claim,
      kind: check.kind,
      verdict: check.verdict,
      line: checkLine(check),
    }));
}

/** The recalls of the log that considered a note, newest first. */
function recallsOf(recalls: readonly LoggedRecall[], id: NoteId): readonly NoteRecall[] {
  const found: NoteRecall[] = [];
  for (const recall of recalls.toReversed()) {
    const considered = consideredIn(recall, id);
    if (considered === undefined) continue;
    const { time, session, prompt, by } = recall;
    found.push({
      time,
      ...(session !== undefined && { session }),
      ...(prompt !== undefined && { prompt }),
      ...considered,
      by,
    });
    if (found.length === MOST_RECALLS) break;
  }
  return found;
}

/** The log keeps ten candidates of a recall; what was given may be beyond them. */
function consideredIn(recall: LoggedRecall, id: NoteId): { readonly score: number; readonly fate: string } | undefined {
  const is = (note: LoggedRecall["candidates"][number] | LoggedRecall["selected"][number]): boolean =>
    noteKey(note) === id;
  const candidate = recall.candidates.find(is);
  if (candidate !== undefined) return { score: candidate.score, fate: candidate.fate };
  const shown = recall.selected.find(is);
  if (shown !== undefined) return { score: shown.score, fate: "shown" };
  const pointed = recall.pointed.find(is);
  return pointed === undefined ? undefined : { score: pointed.score, fate: "pointed" };
}

function guardView(workspace: OpenWorkspace, ref: NoteRef): GuardView | undefined {
  const { scoped, file } = ref;
  const read = guardOfNote(scoped.store.directory, file)?.read;
  if (read === undefined || read.kind === "none") return undefined;
  if (read.kind === "invalid") return { state: "invalid", reason: read.reason };
  const { tool, pattern, action, message } = read.guard;
  const approved = approvedGuards(workspace.locations).find((one) => one.scope === scoped.scope && one.file === file);
  const isApproved = approved?.hash === guardHash(read.guard);
  return {
    state: isApproved ? "approved" : "waiting",
    tool,
    pattern,
    action,
    ...(message !== undefined && { message }),
    ...(!isApproved && { command: `memdir guard enable ${shellWord(shownRef(workspace, ref))}` }),
  };
}
