import { queueCapture, startCaptureWorker, transcriptWithout } from "../../compose/capture-jobs.ts";
import { readInput, writeOutput } from "../../compose/hook-process.ts";
import { sessionNotesForHooks } from "../../compose/hook-session-notes.ts";
import { traceFailure } from "../../compose/hook-trace.ts";
import { type Environment, locate } from "../../compose/locations.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { truncate } from "../../core/shared/text.ts";
import { clientNamed } from "./clients.ts";
import { answerElsewhere, refineElsewhere } from "./elsewhere.ts";
import { type HookAnswer, type HookClient, type HookEvent, type JsonRecord, MOST_CHARACTERS, textOf } from "./event.ts";
import type { Hook, HookParts, Way } from "./hook.ts";
import { answerTool } from "./on-tool.ts";
import { isRefinerNamed } from "../../compose/settings.ts";

/**
 * Answers one hook. Whatever goes wrong, the client's turn goes on: no output then but perhaps one line for the
 * person, and a line in the trace that `memdir status` shows.
 */
export async function runHook(argv: readonly string[], parts: HookParts): Promise<void> {
  const client = clientNamed(argv[0]);
  if (client === undefined) return;
  let event: HookEvent | undefined;
  try {
    const input = parse(readInput());
    event = client.read(input);
    if (event === undefined) return;
    const locations = locate({ environment: parts.environment, ...(event.cwd !== undefined && { cwd: event.cwd }) });
    if (locations.mode === "off") return;
    const happened = event;
    const say = (answer: HookAnswer): boolean => writeOutput(client.write(happened, withinCap(answer)));
    await answerEvent({ ...parts, client, event, locations, input, say }, wayOf(argv[1]));
  } catch (error) {
    fail(parts.environment, client, event, error);
  }
}

function wayOf(word: string | undefined): Way {
  return word === "full" || word === "refine" ? word : "hook";
}

async function answerEvent(hook: Hook, way: Way): Promise<void> {
  const { event, locations } = hook;
  switch (event.kind) {
    case "before-tool":
    case "after-tool":
      return answerToolCall(hook, event);
    case "prompt":
    case "session-start":
    case "after-compaction":
      return way === "hook" ? answerNotes(hook, event) : answerInOwnProcess(hook, event, way);
    case "before-compaction": {
      if (leaveJob(hook)) startCaptureWorker(locations);
      const context = sessionNotesForHooks(locations, event.session, MOST_CHARACTERS);
      if (context !== undefined) hook.say({ context });
      return undefined;
    }
    case "turn-end":
    case "session-end":
      if (leaveJob(hook)) startCaptureWorker(locations);
      return undefined;
  }
}

function answerToolCall({ load, locations, say, client, event: { kind } }: Hook, event: Parameters<typeof answerTool>[1]): undefined {
  const recheck = (guard: unknown): boolean => {
    const { recheckGuard } = load("hook-full");
    return typeof recheckGuard === "function" && recheckGuard(locations, guard) === true;
  };
  const { tooSlow, ...said } = answerTool(locations, event, recheck, Date.now());
  if (said.context !== undefined || said.decision !== undefined) say(said);
  const [name] = tooSlow;
  if (name !== undefined) traceFailure(locations.memdirHome, { client: client.name, event: kind, code: "slow-guard", message: `the pattern of the guard in "${name}" takes too long on some input; such a call goes on without it` }, Date.now(), false);
  return undefined;
}

/** From an index that is up to date, here and now; else in another process, which may finish after this one gave up. */
async function answerNotes(hook: Hook, event: Extract<HookEvent, { kind: "prompt" | "session-start" | "after-compaction" }>): Promise<void> {
  const { client, load, locations, say } = hook;
  if (event.kind === "prompt" && event.prompt.trim() === "") return;
  const { answerQuickly } = load("hook-recall");
  const verify = (outcome: unknown): unknown => {
    const { verifyQuickly } = load("quick-verify");
    return typeof verifyQuickly === "function" ? verifyQuickly(locations, outcome) : outcome;
  };
  const done: unknown = typeof answerQuickly === "function" ? answerQuickly(locations, event, { client, verify, say }) : undefined;
  if (done === false && !(await answerElsewhere(hook))) {
    throw new MemoryError("unavailable", "the notes changed so much that they could not be looked through in time; that goes on in the background, and the next prompt has them");
  }
  if (event.kind === "prompt" && isRefinerNamed(locations)) await refineElsewhere(hook, event.prompt);
}

async function answerInOwnProcess({ client, load, locations, say }: Hook, event: HookEvent, way: Way): Promise<void> {
  const { answerInFull, refinePrompt } = load("hook-full");
  if (way === "full" && typeof answerInFull === "function") answerInFull(locations, event, { client, say });
  if (way === "refine" && typeof refinePrompt === "function") await refinePrompt(locations, event);
}

/** A record of a turn that ended, of a checkpoint to save, or of both; sub-agents' turns are part of the turn that started them. */
function leaveJob({ client, event, locations }: Hook): boolean {
  const { session, turn, kind } = event;
  const checkpoint = kind === "before-compaction" || kind === "session-end" ? kind : undefined;
  const transcript = event.transcript ?? transcriptWithout(client.name, session, locations);
  if (event.inSubAgent || session === "" || transcript === undefined) return false;
  return queueCapture(locations, { agent: client.name, session, transcript, capture: kind !== "before-compaction", checkpoint, ...(turn !== undefined && { turn }) });
}

function withinCap(answer: HookAnswer): HookAnswer {
  const { context } = answer;
  return context === undefined || context.length <= MOST_CHARACTERS ? answer : { ...answer, context: truncate(context, MOST_CHARACTERS) };
}

function parse(text: string): JsonRecord {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/u, ""));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return Object.fromEntries(Object.entries(value));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new MemoryError("invalid-input", `what came on standard input is not a JSON object (${text.length} characters)`);
}

/** Nothing is said to the agent; the person hears of each kind of failure once a day at most. */
function fail(environment: Environment, client: HookClient, event: HookEvent | undefined, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof MemoryError ? error.code : "bug";
  const home = memdirHomeOf(environment);
  const told = home !== undefined && traceFailure(home, { client: client.name, event: event?.kind ?? "unknown", code, message }, Date.now(), event !== undefined);
  if (told && event !== undefined) writeOutput(client.write(event, { notice: `memdir could not help here (${truncate(message, 200)}). The agent works on without it; \`memdir status\` shows more.` }));
}

/** The same as `locate` finds, which may be what failed. */
function memdirHomeOf(environment: Environment): string | undefined {
  const home = textOf(environment, "HOME") ?? textOf(environment, "USERPROFILE");
  return textOf(environment, "MEMDIR_HOME") ?? (home === undefined ? undefined : `${home}/.memdir`);
}
