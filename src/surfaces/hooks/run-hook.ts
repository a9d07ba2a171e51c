import { captureJobs, queueCapture, startCaptureWorker, transcriptWithout } from "../../app/background/capture-jobs.ts";
import { sessionNotesForHooks } from "../../app/session-notes/hook-session-notes.ts";
import { mayTell, owedNotice, tellOfMissed } from "./missed.ts";
import { wantSync } from "../../app/background/want-sync.ts";
import { clearGone, traceFailure } from "../../app/background/hook-trace.ts";
import { type Environment, locate } from "../../app/workspace/locations.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { nameHidden } from "../../core/shared/hidden.ts";
import { endsOf, truncate } from "../../core/shared/text.ts";
import { type ApprovedGuard, testPatterns } from "../../app/guards/guard-registry.ts";
import { clientNamed, clientSpeaking } from "./clients.ts";
import type { NotesEvent } from "./answers.ts";
import { type HookAnswer, type HookClient, type HookEvent, type JsonRecord, MOST_CHARACTERS, textOf } from "./event.ts";
import type { Hook, HookParts, Way } from "./hook.ts";
import { answerTool } from "./on-tool.ts";
import { areTriggersStale } from "../../app/recall/note-triggers.ts";
import { isRefinerNamed } from "../../app/workspace/settings.ts";
import { runDetached } from "../../app/background/hook-process.ts";

/** How long a client waits for an answer when the index must be updated first (ms). */
const ANSWER_MS = 1200;

/** A model is shown only this much of the beginning and end of a prompt (characters). */
const PROMPT_CHARACTERS = 20_000;

/** Answers in a process that may write. `false` if it was too slow; it then continues up to its own limit. */
async function answerElsewhere({ file, client, input, environment, locations, write }: Hook): Promise<boolean> {
  const prompt = input["prompt"];
  const shortened = typeof prompt === "string" ? { ...input, prompt: endsOf(prompt, PROMPT_CHARACTERS) } : input;
  const output = await runDetached({
    command: [file, client.name, "full"],
    input: JSON.stringify({ ...shortened, cwd: locations.cwd }),
    cwd: locations.memdirHome,
    environment,
    waitMs: ANSWER_MS,
  });
  if (output === undefined) return false;
  if (output !== "") write(output);
  return true;
}

/** Starts the side query of a prompt without waiting for it. */
async function refineElsewhere({ file, client, input, environment, locations }: Hook, prompt: string): Promise<void> {
  const shortened = { ...input, cwd: locations.cwd, prompt: prompt.slice(0, PROMPT_CHARACTERS) };
  await runDetached({
    command: [file, client.name, "refine"],
    input: JSON.stringify(shortened),
    cwd: locations.memdirHome,
    environment,
    waitMs: 0,
  });
}

/**
 * Answers one hook. Whatever fails, the client's turn continues: there is no output except perhaps one line for the
 * user, and a line in the trace that `memdir status` shows.
 */
export async function runHook(argv: readonly string[], parts: HookParts): Promise<void> {
  const named = clientNamed(argv[0]);
  if (named === undefined) return;
  let client = named;
  let event: HookEvent | undefined;
  try {
    const input = parse(parts.read());
    client = clientSpeaking(named, input);
    event = client.read(input);
    if (event === undefined) return;
    const locations = locate({ environment: parts.environment, ...(event.cwd !== undefined && { cwd: event.cwd }) });
    if (event.kind === "session-start") clearGone(locations.home, client.name);
    if (locations.mode === "off") return;
    const happened = event;
    const speaking = client;
    const way = wayOf(argv[1]);
    let isSilent = true;
    const write = (text: string): boolean => {
      isSilent &&= text === "";
      return parts.write(text);
    };
    const say = (answer: HookAnswer): boolean =>
      write(
        speaking.write(happened, shown(withinCap({ ...answer, ...noticeOf(owedNotice(happened, locations), answer) }))),
      );
    const hook = { ...parts, write, client: speaking, event, locations, input, say };
    await answerEvent(hook, way);
    if (way !== "hook") return;
    if (isSilent && mayTell(happened)) say({});
    if (
      event.kind === "session-start" &&
      (captureJobs(locations).lastMissed() !== undefined || areTriggersStale(locations))
    )
      leaveJob(hook);
    if ((event.kind === "session-start" || event.kind === "session-end") && !event.inSubAgent)
      wantSync(locations, "session");
  } catch (error) {
    fail(parts, client, event, error);
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
      leaveJob(hook);
      const context = sessionNotesForHooks(locations, event.session, MOST_CHARACTERS);
      if (context !== undefined) hook.say({ context });
      return undefined;
    }
    case "turn-end":
    case "session-end":
      leaveJob(hook);
      return undefined;
  }
}

function answerToolCall(
  { full, shell, locations, say, client, event: { kind } }: Hook,
  event: Parameters<typeof answerTool>[1],
): undefined {
  const recheck = (guard: ApprovedGuard): boolean => full().recheckGuard(locations, guard);
  const judge = { test: testPatterns, parse: (script: string) => shell().simpleCommands(script) };
  const { takesContext } = client;
  const answer = answerTool(locations, event, { judge, recheck, takesContext, now: Date.now() });
  const { tooSlow, delivered, ...said } = answer;
  if ((said.context !== undefined || said.decision !== undefined) && say(said)) delivered?.();
  const [name] = tooSlow;
  if (name !== undefined)
    traceFailure(
      locations.memdirHome,
      {
        client: client.name,
        event: kind,
        code: "slow-guard",
        message: `the pattern of the guard in "${name}" takes too long on some input; such a call goes on without it`,
      },
      Date.now(),
      false,
    );
  return undefined;
}

/** Answers at once from an up-to-date index; otherwise in another process, which may finish after this one gave up. */
async function answerNotes(hook: Hook, event: NotesEvent): Promise<void> {
  const { answers, client, locations, say } = hook;
  if (event.kind === "prompt" && event.prompt.trim() === "") return;
  if (!answers(event.kind).answerQuickly(locations, event, { client, say }) && !(await answerElsewhere(hook))) {
    throw new MemoryError(
      "unavailable",
      "the notes changed so much that they could not be looked through in time; that goes on in the background, and the next prompt has them",
    );
  }
  if (event.kind === "prompt" && isRefinerNamed(locations)) await refineElsewhere(hook, event.prompt);
}

async function answerInOwnProcess({ client, full, locations, say }: Hook, event: NotesEvent, way: Way): Promise<void> {
  if (way === "full") full().answerInFull(locations, event, { client, say });
  if (way === "refine") await full().refinePrompt(locations, event);
}

/**
 * Leaves a record for capture: of an ended turn, a checkpoint, or a start. Sub-agents' turns belong to the parent's.
 */
function leaveJob(hook: Hook): void {
  const { client, event, locations } = hook;
  const { session, turn, kind } = event;
  const checkpoint = kind === "before-compaction" || kind === "session-end" ? kind : undefined;
  const transcript = event.transcript ?? transcriptWithout(client.name, session, locations);
  if (event.inSubAgent || session === "" || transcript === undefined) return;
  const queued = queueCapture(locations, {
    agent: client.name,
    session,
    transcript,
    capture: kind === "turn-end" || kind === "session-end",
    checkpoint,
    ...(turn !== undefined && { turn }),
  });
  if (queued.kind === "kept") startCaptureWorker(locations);
  if (queued.kind === "missed") tellOfMissed(hook, queued);
}

/** Joins all notices for the user into one line. */
function noticeOf(...answers: readonly HookAnswer[]): HookAnswer {
  const notices = answers.flatMap(({ notice }) => (notice === undefined ? [] : [notice]));
  return notices.length === 0 ? {} : { notice: notices.join(" · ") };
}

function withinCap(answer: HookAnswer): HookAnswer {
  const { context } = answer;
  return context === undefined || context.length <= MOST_CHARACTERS
    ? answer
    : { ...answer, context: truncate(context, MOST_CHARACTERS) };
}

/** Clients print these texts, so hidden characters are named. */
function shown({ context, decision, notice }: HookAnswer): HookAnswer {
  return {
    ...(context !== undefined && { context: nameHidden(context) }),
    ...(decision !== undefined && { decision: { ...decision, reason: nameHidden(decision.reason) } }),
    ...(notice !== undefined && { notice: nameHidden(notice) }),
  };
}

function parse(text: string): JsonRecord {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/u, ""));
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return Object.fromEntries(Object.entries(value));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new MemoryError(
    "invalid-input",
    `what came on standard input is not a JSON object (${text.length} characters)`,
  );
}

/** The agent is told nothing; the user is told of each kind of failure at most once a day. */
function fail(
  { environment, write }: HookParts,
  client: HookClient,
  event: HookEvent | undefined,
  error: unknown,
): void {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof MemoryError ? error.code : "bug";
  const home = memdirHomeOf(environment);
  const told =
    home !== undefined &&
    traceFailure(
      home,
      { client: client.name, event: event?.kind ?? "unknown", code, message },
      Date.now(),
      event !== undefined,
    );
  if (told && event !== undefined)
    write(
      client.write(
        event,
        shown({
          notice: `memdir could not help here (${truncate(message, 200)}). The agent works on without it; \`memdir status\` shows more.`,
        }),
      ),
    );
}

/** The same directory that `locate` finds; `locate` may be what failed. */
function memdirHomeOf(environment: Environment): string | undefined {
  const home = textOf(environment, "HOME") ?? textOf(environment, "USERPROFILE");
  return textOf(environment, "MEMDIR_HOME") ?? (home === undefined ? undefined : `${home}/.memdir`);
}
