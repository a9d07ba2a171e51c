import { estimateTokens } from "../../core/shared/tokens.ts";
import { absenceSentence, placeSentences, remedySentence } from "../recall/absence-words.ts";
import { explainAbsence } from "../recall/explain-absence.ts";
import { explainProbe, probeRecall } from "../recall/explain-recall.ts";
import { outcomeWords, verdictSentence } from "../recall/explanation-words.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { AskView, WhyNot } from "./activity-shapes.ts";
import { idOf, type Reading, refOf } from "./reading.ts";
import type { NoteId } from "./shapes.ts";

/** Who takes what `memdir recall` gives, as it is. */
const CLIENTS = ["claude-code", "codex", "gemini", "opencode", "mcp"];

/** What a prompt would be given and why, neither counted nor logged. */
export function askView(
  { workspace }: Reading,
  { prompt, session, note }: { readonly prompt: string; readonly session?: string; readonly note?: NoteId },
): AskView {
  for (const { store } of workspace.stores) store.reconcile("full");
  const probe = probeRecall(workspace, prompt, session);
  const explanation = explainProbe(workspace, probe);
  const { text } = probe.rendered;
  const ref = note === undefined ? undefined : refOf(workspace, note);
  return {
    prompt,
    verdict: explanation.verdict,
    says: verdictSentence(explanation),
    floors: explanation.floors,
    words: explanation.words.map(({ word, notes, terms }) => ({ word, notes, telling: terms.length > 0 })),
    candidates: explanation.candidates.map((candidate) => {
      const { scope, file, score, fate, has, relates, lacks } = candidate;
      const entry = workspace.stores.find((one) => one.scope === scope)?.store.index.entry(file);
      return {
        id: idOf({ scope }, file),
        file,
        scope,
        name: entry?.name ?? file,
        description: entry?.description ?? "",
        score,
        fate,
        says: outcomeWords(candidate, explanation),
        has,
        relates,
        lacks,
      };
    }),
    more: explanation.more,
    given: [{ clients: CLIENTS, text, tokens: estimateTokens(text) }],
    ...(explanation.ms !== undefined && { ms: explanation.ms }),
    remarks: explanation.remarks,
    ...(ref !== undefined && { whyNot: whyNot(workspace, ref, prompt, session) }),
  };
}

function whyNot(
  workspace: Workspace,
  ref: Parameters<typeof explainAbsence>[1],
  prompt: string,
  session: string | undefined,
): WhyNot {
  const absence = explainAbsence(workspace, ref, prompt, session);
  const remedy = remedySentence(absence);
  return {
    id: idOf(ref.scoped, ref.file),
    reason: absence.reason,
    says: absenceSentence(absence),
    score: absence.score,
    ...(absence.rank !== undefined && { rank: absence.rank }),
    places: placeSentences(absence),
    ...(remedy !== undefined && { remedy }),
  };
}
