import { stripHidden } from "../../shared/hidden.ts";
import { oneLine, truncate } from "../../shared/text.ts";
import { compareStatements } from "../../notes/compare.ts";
import { CHANGE, DAY_MS } from "../duplicates.ts";
import {
  type DreamNote,
  isOpen,
  isProtected,
  type DreamEdit,
  type DreamKind,
  type DreamOperation,
  type RefusedOperation,
} from "../operation.ts";
import { statementOf } from "../../notes/statement.ts";
import { shownText, type ShownNote, saysNoMore, tellsAll } from "./groups.ts";
import type { DreamProposal } from "./proposal.ts";

export interface DreamJudgeInput {
  readonly proposals: readonly DreamProposal[];
  /** Id in the brief → the note. */
  readonly shown: ReadonlyMap<string, ShownNote>;
  /** Why a text must not be stored: a secret, hidden characters, orders to agents; `undefined` for a clean one. */
  readonly unclean: (text: string) => Promise<string | undefined>;
}

export interface JudgedProposals {
  readonly operations: readonly DreamOperation[];
  readonly refused: readonly RefusedOperation[];
}

/** Replacing more notes than this by one is not tidying. */
const MOST_DROPPED = 5;
const LEAST_QUOTE = 12;
const LONGEST_TEXT = 4_000;

/**
 * Decides which of a model's proposals may be applied. Their notes must have been shown, be in one group and be
 * quoted. A new text has exactly the values of the notes it replaces. Retiring over half of the notes is refused.
 */
export async function judgeDreamProposals(input: DreamJudgeInput): Promise<JudgedProposals> {
  const operations: DreamOperation[] = [];
  const refused: RefusedOperation[] = [];
  const touched = new Set<string>();
  for (const proposal of input.proposals) {
    const verdict = await judge(proposal, input, touched);
    if (verdict.kind === "refused") refused.push(refusedProposal(proposal, input.shown, verdict.why));
    else {
      operations.push(verdict.operation);
      for (const file of verdict.operation.edits.length === 0 ? [] : verdict.operation.files) touched.add(file);
    }
  }
  const retired = operations.flatMap(({ edits }) => edits.filter(({ kind }) => kind === "retire"));
  if (retired.length * 2 <= input.shown.size) return { operations, refused };
  const why = `the model would retire ${retired.length} of the ${input.shown.size} notes it was shown; nothing of such an answer is done`;
  return {
    operations: operations.filter(({ edits }) => edits.length === 0),
    refused: [
      ...refused,
      ...operations
        .filter(({ edits }) => edits.length > 0)
        .map((operation): RefusedOperation => ({ operation, reason: "unfounded", message: why })),
    ],
  };
}

type Verdict =
  | { readonly kind: "operation"; readonly operation: DreamOperation }
  | { readonly kind: "refused"; readonly why: string };

const no = (why: string): Verdict => ({ kind: "refused", why });

interface Named {
  readonly keep: DreamNote | undefined;
  readonly drop: readonly DreamNote[];
}

async function judge(
  proposal: DreamProposal,
  { shown, unclean }: DreamJudgeInput,
  touched: ReadonlySet<string>,
): Promise<Verdict> {
  const ids = [...(proposal.keep === "" ? [] : [proposal.keep]), ...proposal.drop];
  const strange = ids.find((id) => !shown.has(id));
  if (strange !== undefined)
    return no(`it names "${truncate(oneLine(stripHidden(strange)), 40)}", which is none of the notes it was shown`);
  if (new Set(ids).size < ids.length) return no("it keeps and drops the same note");
  if (proposal.drop.length > MOST_DROPPED)
    return no(`it drops ${proposal.drop.length} notes at once; ${MOST_DROPPED} is the most`);
  const notes = ids.map((id) => shown.get(id)).filter((one) => one !== undefined);
  if (new Set(notes.map(({ group }) => group)).size > 1) return no("its notes stand in different groups");
  const unquoted = ids.find((id) => !isQuoted(id, shown, proposal));
  if (unquoted !== undefined) return no(`it quotes no words of ${shown.get(unquoted)?.note.file ?? unquoted}`);
  const drop = proposal.drop.flatMap((id) => shown.get(id)?.note ?? []);
  const protectedOne = drop.find(isProtected);
  if (protectedOne !== undefined) return no(`${protectedOne.file} is yours or pinned; it is never changed`);
  if (notes.some(({ note }) => touched.has(note.file))) return no("an earlier proposal changes one of its notes");
  const dirty = proposal.text === "" ? undefined : await unclean(proposal.text);
  if (dirty !== undefined) return no(`its text has ${dirty}`);
  const named: Named = { keep: proposal.keep === "" ? undefined : shown.get(proposal.keep)?.note, drop };
  return byAction(proposal, named);
}

function isQuoted(id: string, shown: ReadonlyMap<string, ShownNote>, { quotes }: DreamProposal): boolean {
  const note = shown.get(id)?.note;
  const text = note === undefined ? "" : oneLine(shownText(note));
  return quotes.some(
    ({ note: of, quote }) =>
      of === id && oneLine(quote).length >= Math.min(LEAST_QUOTE, text.length) && text.includes(oneLine(quote)),
  );
}

function byAction(proposal: DreamProposal, named: Named): Verdict {
  switch (proposal.action) {
    case "merge":
      return merge(proposal, named);
    case "supersede":
      return supersede(proposal, named);
    case "retire":
      return named.keep === undefined && named.drop.length > 0
        ? told("flag", "suggests to retire it", proposal, named)
        : no("to retire takes notes to drop and none to keep");
    case "correct":
      return correct(proposal, named);
  }
}

function merge(proposal: DreamProposal, { keep, drop }: Named): Verdict {
  if (keep === undefined || drop.length === 0) return no("to merge takes one note to keep and one to drop");
  const all = [keep, ...drop];
  const apart = drop.find(
    (note) => compareStatements(statementOf(keep.body), statementOf(note.body)).kind === "contradicts",
  );
  if (apart !== undefined)
    return no(`${apart.file} and ${keep.file} contradict each other; which one holds is for you to say`);
  const why = textProblem(proposal.text, all, keep);
  if (why !== undefined) return no(why);
  const body: DreamEdit[] =
    proposal.text === "" || proposal.text === keep.body ? [] : [{ kind: "body", file: keep.file, text: proposal.text }];
  return {
    kind: "operation",
    operation: operationOf("merge", "the model finds that they say the same", proposal, all, [
      ...body,
      ...drop.map((note): DreamEdit => ({ kind: "retire", file: note.file, by: keep.file })),
    ]),
  };
}

function correct(proposal: DreamProposal, { keep, drop }: Named): Verdict {
  if (keep === undefined || drop.length > 0 || proposal.text === "")
    return no("to correct takes one note and its new text");
  if (proposal.text.length > keep.body.length) return no("a correction is never longer than the note");
  const why = textProblem(proposal.text, [keep], keep);
  return why === undefined
    ? {
        kind: "operation",
        operation: operationOf(
          "correct",
          "the model puts it shorter",
          proposal,
          [keep],
          [{ kind: "body", file: keep.file, text: proposal.text }],
        ),
      }
    : no(why);
}

/** Why a text cannot replace these notes; an empty text stands for the unchanged kept note. */
function textProblem(text: string, notes: readonly DreamNote[], keep: DreamNote): string | undefined {
  if (text !== "" && isProtected(keep)) return `${keep.file} is yours or pinned; it is never changed`;
  if (text.length > LONGEST_TEXT || text.length > notes.reduce((sum, { body }) => sum + body.length + 40, 0))
    return "its text is longer than the notes together";
  const body = text === "" ? keep.body : text;
  return (
    saysNoMore(body, notes.map(shownText)) ??
    notes.map((note) => tellsAll(body, note.body, note.file)).find((why) => why !== undefined)
  );
}

function supersede(proposal: DreamProposal, named: Named): Verdict {
  const { keep, drop } = named;
  if (keep === undefined || drop.length === 0)
    return no("to supersede takes the newer note to keep and the older to drop");
  const isNewer = drop.every((note) => keep.time - note.time >= DAY_MS);
  const terms = statementOf(keep.body).terms;
  const isSameSubject = drop.every((note) => {
    const [head] = statementOf(note.body).sentences;
    const plain = head?.words.filter(({ value }) => value === undefined) ?? [];
    return plain.length > 1 && plain.filter(({ term }) => terms.has(term)).length * 2 >= plain.length;
  });
  if (!isNewer || !isSameSubject || !CHANGE.test(keep.body))
    return told("conflict", "thinks that the first makes the others untrue", proposal, named);
  return {
    kind: "operation",
    operation: operationOf(
      "supersede",
      "the model finds that the newer note says what changed",
      proposal,
      [keep, ...drop],
      drop.map((note): DreamEdit => ({ kind: "retire", file: note.file, by: keep.file })),
    ),
  };
}

/** For a person to decide: a model's word alone retires nothing. */
function told(kind: "conflict" | "flag", what: string, proposal: DreamProposal, { keep, drop }: Named): Verdict {
  return {
    kind: "operation",
    operation: operationOf(kind, `the model ${what}`, proposal, [...(keep === undefined ? [] : [keep]), ...drop], []),
  };
}

function operationOf(
  kind: DreamKind,
  finding: string,
  { reason }: DreamProposal,
  notes: readonly DreamNote[],
  edits: readonly DreamEdit[],
): DreamOperation {
  const changed = new Set(edits.map(({ file }) => file));
  return {
    kind,
    cause: "model",
    files: notes.map(({ file }) => file),
    reason: `${finding}${said(reason)}`,
    edits,
    ask: edits.length === 0 || notes.some((note) => changed.has(note.file) && !isOpen(note)),
  };
}

function said(reason: string): string {
  const clean = truncate(oneLine(stripHidden(reason)), 200);
  return clean === "" ? "" : `: "${clean}"`;
}

function refusedProposal(
  proposal: DreamProposal,
  shown: ReadonlyMap<string, ShownNote>,
  why: string,
): RefusedOperation {
  const files = [proposal.keep, ...proposal.drop.slice(0, MOST_DROPPED)].flatMap(
    (id) => shown.get(id)?.note.file ?? [],
  );
  const kind: DreamKind = proposal.action;
  return {
    operation: {
      kind,
      cause: "model",
      files,
      reason: `the model proposes to ${proposal.action}${said(proposal.reason)}`,
      edits: [],
      ask: true,
    },
    reason: "unfounded",
    message: why,
  };
}
