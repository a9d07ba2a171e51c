import { cutAtWord, oneLine } from "../shared/text.ts";
import type { Checkpoint, SectionName } from "./checkpoint.ts";
import { parseJson, record } from "../shared/json.ts";

/** What the start of a session says of an unfinished task: enough for one line, without reading the checkpoint. */
export interface Unfinished {
  readonly id: string;
  readonly name: string;
  /** ISO time. */
  readonly saved: string;
  readonly branch: string | undefined;
  readonly isAutomatic: boolean;
  /** The checkpoint's file; if it is gone, nothing is said. */
  readonly path: string;
}

/** The newest task with a next step, not yet restored or dismissed. `checkpoints`: newest first. */
export function unfinishedTask(
  checkpoints: readonly (Checkpoint & { readonly path: string })[],
  isSettled: (id: string) => boolean,
): Unfinished | undefined {
  const seen = new Set<string>();
  for (const { id, name, saved, git, automatic, path, sections } of checkpoints) {
    const isLast = !seen.has(name);
    seen.add(name);
    if (isLast && !isSettled(id) && (sections.next ?? "").trim() !== "")
      return { id, name, saved, branch: git?.branch, isAutomatic: automatic !== undefined, path };
  }
  return undefined;
}

/** `undefined` for text that memdir did not write. */
export function parseUnfinished(text: string): Unfinished | undefined {
  const value = record(parseJson(text));
  const textOf = (name: string): string | undefined =>
    typeof value[name] === "string" && value[name] !== "" ? value[name] : undefined;
  const [id, name, saved, path] = ["id", "name", "saved", "path"].map(textOf);
  if (
    id === undefined ||
    !/^[0-9a-f]{10}$/u.test(id) ||
    name === undefined ||
    path === undefined ||
    !Number.isFinite(Date.parse(saved ?? ""))
  )
    return undefined;
  return {
    id,
    name,
    path,
    saved: new Date(saved ?? "").toISOString(),
    branch: textOf("branch"),
    isAutomatic: value["isAutomatic"] === true,
  };
}

/** Words of messages that only approve or say "go on", in the languages that capture reads. */
const GO_AHEAD: ReadonlySet<string> = new Set(
  (
    "ok okay okey k kk yes yeah yep yup ya y sure go goes going ahead on continue continuing proceed resume next please pls do it that this these those all both now keep carry looks look good lgtm great perfect nice cool awesome thanks thank thx you fine right alright correct exactly approved approve approval accept accepted sounds start begin finish lets let us again try retry redo the a an and then so with from more step one first second third option way as is was were we are where what whats left off there here done not yet hi hello hey morning just still up to me my your i im go-ahead ship stop wait " +
    "ja jo klar gut genau weiter weitermachen mach bitte danke fortfahren los nochmal " +
    "oui ouais vas-y vas y allez continuez poursuis poursuivez merci encore bien d'accord " +
    "sí si vale dale claro sigue seguir adelante continúa continua continuar gracias por favor hazlo " +
    "sim certo pode prossiga segue obrigado obrigada isso " +
    "tak dalej kontynuuj dobrze dzięki proszę " +
    "да ок хорошо дальше продолжай продолжить давай спасибо пожалуйста"
  ).split(" "),
);

const GO_AHEAD_CJK =
  /^(?:继续|接着|好的?|可以|行|对|是的?|请|吧|做|下一步|谢谢|はい|続けて|続き|ください|お願い(?:します)?|進めて|次|네|예|계속|해|해줘|해주세요|좋아요?|진행)+$/u;

/** "ok go ahead", "continue", "2": does not say what the work is. */
export function isGoAhead(text: string): boolean {
  const words =
    text
      .toLowerCase()
      .replaceAll("’", "'")
      .match(/[\p{L}\p{N}]+(?:['-][\p{L}]+)*/gu) ?? [];
  return words.every((word) => GO_AHEAD.has(word.replaceAll("'", "")) || GO_AHEAD.has(word) || isFiller(word));
}

function isFiller(word: string): boolean {
  return /^\p{N}+$/u.test(word) || GO_AHEAD_CJK.test(word);
}

/** What a session did, as far as rules can tell. */
export interface SessionState {
  readonly sections: Readonly<Partial<Record<SectionName, string>>>;
  /** ISO time of its first message. */
  readonly began: string | undefined;
  /** Files were edited, or a to-do list was kept. */
  readonly isWork: boolean;
  /** Commands other than those about checkpoints were run. */
  readonly hasRunCommands: boolean;
  /** The user's last request, if a compaction interrupts it. */
  readonly under: string;
  /** The current step or files, to name the task when no goal was stated. */
  readonly about: string;
  /** It saved or restored a checkpoint itself. */
  readonly usesCheckpoints: boolean;
}

/** The sections to save of a session, merged with those of the task it continues, if any. */
export function sectionsToSave(
  state: SessionState,
  base: Pick<Checkpoint, "sections"> | undefined,
): SessionState["sections"] {
  const sections = base === undefined ? state.sections : goneOn(base, state);
  return { ...sections, next: nonEmpty(sections.next, state.under === "" ? "" : `- Go on with: ${state.under}`) };
}

/** Most characters of `done` that a task keeps from session to session, newest first. */
const DONE_CHARACTERS = 6_000;

/** The state of a task continued in this session: earlier sections stay, and what was done is added. */
function goneOn(
  { sections: before }: Pick<Checkpoint, "sections">,
  { sections }: Pick<SessionState, "sections">,
): SessionState["sections"] {
  return {
    ...before,
    plan: nonEmpty(before.plan, sections.plan),
    done: newest(joined(before.done, sections.done), DONE_CHARACTERS),
    next: nonEmpty(sections.next, before.next),
    decisions: joined(before.decisions, sections.decisions),
    questions: joined(before.questions, sections.questions),
  };
}

/** Joins lines, each once. */
function joined(...texts: readonly (string | undefined)[]): string {
  return [...new Set(texts.flatMap((text) => (text ?? "").trim().split("\n")))]
    .filter((line) => line.trim() !== "")
    .join("\n");
}

function newest(text: string, characters: number): string {
  return text.length <= characters ? text : text.slice(text.indexOf("\n", text.length - characters) + 1);
}

function nonEmpty(...texts: readonly (string | undefined)[]): string {
  return texts.find((text) => text !== undefined && text.trim() !== "") ?? "";
}

/** Whether there is something to keep: work, or commands in a tree with uncommitted changes. */
export function isWorthKeeping({ isWork, hasRunCommands }: SessionState, hasUncommittedChanges: boolean): boolean {
  return isWork || (hasRunCommands && hasUncommittedChanges);
}

/** Names a task by the first words of its goal, else by what it is about. */
export function taskName(sections: SessionState["sections"], about = ""): string {
  return cutAtWord(oneLine(sections.goal ?? "") || oneLine(about) || oneLine(sections.next ?? "") || "task", 50, "");
}
