import { sha256 } from "../shared/hash.ts";
import { scriptOf, textsOf } from "../transcripts/tool-calls.ts";
import type { ToolCall } from "../transcripts/turn.ts";
import { type ParsePipelines, type Ran, headOf, ranIn, LOOKING, REVERTING } from "./commands.ts";
import { verdictOf } from "./outcome.ts";
import type { EvidenceEvent, KnownSkill, Task } from "./types.ts";

/** What happened to one skill in a task. */
export interface SkillUse {
  readonly skill: string;
  readonly events: readonly EvidenceEvent[];
}

export interface UseContext {
  readonly parse: ParsePipelines;
  readonly isEveryday: (head: string) => boolean;
  /** The next task, which may undo what this one did. */
  readonly following: Task | undefined;
}

/**
 * Which skills reached the agent in a task, which it followed, and the result. A load is recognised by the tool or the
 * path, a follow by the skill's own uncommon commands after the load, a pass by its own check after the last of them.
 * Only a skill's own check judges it; how the task ended does not.
 */
export function usesIn(task: Task, known: readonly KnownSkill[], context: UseContext): readonly SkillUse[] {
  return known.flatMap((skill) => {
    const loadedAt = task.calls.findIndex((call) => loads(call, skill, context.parse));
    if (loadedAt < 0) return [];
    const event = eventsOf(task, skill);
    const follow = followOf(task, skill, loadedAt, context);
    const events = [
      event("loaded", {}),
      ...(follow === undefined
        ? []
        : [
            event("followed", { result: follow.result, calls: task.calls.length - loadedAt, minutes: minutesOf(task) }),
          ]),
      ...(follow === undefined ? [] : against(task, skill, { follow, loadedAt, context })),
    ];
    return [{ skill: skill.id, events }];
  });
}

type Told = Extract<EvidenceEvent, { kind: "loaded" | "followed" | "corrected" | "harm" }>;

function eventsOf(
  { agent, session, id, end, time }: Task,
  skill: KnownSkill,
): <K extends Told["kind"]>(
  kind: K,
  more: Omit<Extract<Told, { kind: K }>, "kind" | "id" | "time" | "revision" | "place">,
) => EvidenceEvent {
  const place = { agent, session, task: id };
  return (kind, more) =>
    ({
      kind,
      id: sha256([kind, agent, session, id, skill.id, skill.revision].join(":")).slice(0, 16),
      time: Date.parse(end ?? time ?? "") || 0,
      revision: skill.revision,
      place,
      ...more,
    }) as EvidenceEvent;
}

function minutesOf({ time, end }: Task): number | undefined {
  const ms = Date.parse(end ?? "") - Date.parse(time ?? "");
  return Number.isFinite(ms) ? Math.round(ms / 6_000) / 10 : undefined;
}

/** Whether a call brought the skill's text to the agent. */
export function loads(call: ToolCall, { name, path }: KnownSkill, parse: ParsePipelines): boolean {
  if (call.result?.status === "failed" || call.result?.status === "rejected") return false;
  const tool = (call.name.split(/__|[.:/]/u).at(-1) ?? call.name).toLowerCase();
  const texts = textsOf(call.input);
  // A name reads the revision in force; a newer one on trial is read only by its path.
  const isInForce = !path.endsWith("/next/SKILL.md");
  if (/memdir/iu.test(call.name))
    // Clients prefix the server's name in different ways: `mcp__memdir__read`, `mcp_memdir_read`, `memdir_read`.
    return (
      isInForce &&
      /[^a-z](?:skill|read)$/iu.test(call.name) &&
      texts.some((text) => text === name || text === `skill:${name}`)
    );
  if (/^(?:skill|activate_skill|use_skill|load_skill)$/u.test(tool))
    return isInForce && texts.some((text) => text === name || text.endsWith(`:${name}`));
  const isFile = (text: string): boolean =>
    text.endsWith(path.split("/").slice(-4).join("/")) ||
    (isInForce && PUBLISHED.test(text) && text.endsWith(`/skills/${name}/SKILL.md`));
  const script = scriptOf(call);
  if (script === undefined)
    return /^(?:read|read_file|view|cat|open|read_many_files)$/u.test(tool) && texts.some(isFile);
  return (parse(script) ?? []).some(({ commands }) =>
    commands.some(
      ({ words }) =>
        ((LOOKING.has(words[0] ?? "") || words[0] === "sed") && words.some(isFile)) ||
        (isInForce && headOf(words) === "memdir skill" && words.includes("show") && words.includes(name)),
    ),
  );
}

/** A copy in a client's folder. */
const PUBLISHED = /(?:^|\/)\.(?:agents|claude)\/skills\//u;

interface Follow {
  readonly result: "pass" | "fail" | "unknown";
  /** Index of the call that ran its last step. */
  readonly lastAt: number;
}

/** A follow: at least half of its uncommon commands, at least two if it has two, in order and after the load. */
function followOf(
  task: Task,
  skill: KnownSkill,
  loadedAt: number,
  { parse, isEveryday }: UseContext,
): Follow | undefined {
  const ran = ranIn(task.calls, parse).filter(({ at }) => at > loadedAt);
  const wanted = uncommonCommands(skill, parse, isEveryday);
  const needed = Math.max(Math.min(2, wanted.length), Math.ceil(wanted.length / 2));
  if (needed === 0) return undefined;
  let from = 0;
  let found = 0;
  let lastAt = -1;
  for (const command of wanted) {
    const index = ran.findIndex(
      (one, place) => place >= from && one.call.result?.status !== "rejected" && matches(command, one),
    );
    if (index < 0) continue;
    found++;
    from = index + 1;
    lastAt = Math.max(lastAt, ran[index]?.at ?? -1);
  }
  if (found < needed) return undefined;
  const check = skill.check;
  const checks = check === undefined ? [] : ran.filter((one) => one.at >= lastAt && matches(check, one));
  // The first result of the check counts: if it passes only later, that is the agent's own work.
  const first = checks.find(({ result }) => result !== "unknown")?.result;
  return { lastAt, result: first === "passed" ? "pass" : first === "failed" ? "fail" : "unknown" };
}

/** The commands that distinguish this skill from others; everyday ones run by chance in one task of five. */
function uncommonCommands(
  { commands, check }: KnownSkill,
  parse: ParsePipelines,
  isEveryday: (head: string) => boolean,
): readonly string[] {
  const isUncommon = (source: string): boolean => {
    const head = headOf(parse(source)?.[0]?.commands[0]?.words ?? []);
    return head !== "" && !isEveryday(head) && !LOOKING.has(head);
  };
  const steps = commands
    .flatMap((command) => (parse(placeholdersQuoted(command)) ?? []).map(({ source }) => source))
    .filter((source) => source !== check && isUncommon(source));
  // A skill with only everyday steps is followed by running its check, if that is uncommon.
  return steps.length > 0 || check === undefined || !isUncommon(placeholdersQuoted(check)) ? steps : [check];
}

/** Otherwise `<name>` would be a redirection. */
function placeholdersQuoted(command: string): string {
  return command.replace(/<(\w+)>/gu, "__$1__");
}

/** Compares by prefix, ignoring placeholders, white space and options that the agent appended. */
export function matches(template: string, { command }: Pick<Ran, "command">): boolean {
  const pattern = placeholdersQuoted(template)
    .trim()
    .split(/(__\w+?__|\s+)/u)
    .map((part) =>
      /^__\w+__$/u.test(part)
        ? String.raw`(?:"[^"]*"|'[^']*'|[^\s"']+)`
        : /^\s+$/u.test(part)
          ? String.raw`\s+`
          : part.replace(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`),
    )
    .join("");
  return new RegExp(`^(?:\\./)?${pattern}(?:\\s|$)`, "u").test(command.trim());
}

/** Evidence against a skill that was followed: interruption, correction, undone work, or denial by a guard. */
function against(
  task: Task,
  skill: KnownSkill,
  { follow, loadedAt, context }: { readonly follow: Follow; readonly loadedAt: number; readonly context: UseContext },
): readonly EvidenceEvent[] {
  const { parse, following } = context;
  const event = eventsOf(task, skill);
  const next = task.next ?? "";
  const isRejected = verdictOf(task.next) === "corrected";
  const names = next.includes(skill.name) || next.toLowerCase().includes(skill.name.replaceAll("-", " "));
  const step = skill.commands.some(
    (command) => command.length > 3 && next.includes(command.replace(/\s*<\w+>.*$/u, "")),
  );
  const reverted =
    takesBack(ranIn(task.calls, parse).filter(({ at }) => at > follow.lastAt)) ||
    (following !== undefined && isRejected && takesBack(ranIn(following.calls, parse)));
  const denied = task.calls.some(
    (call, at) =>
      at > loadedAt &&
      call.result?.status === "rejected" &&
      GUARDED.test(`${call.result.head}`) &&
      ranIn([call], parse).some((one) => skill.commands.some((command) => matches(command, one))),
  );
  const how = reverted ? "reverted" : isRejected && step ? "rejected" : denied ? "guard-denied" : undefined;
  return [
    ...(how === undefined ? [] : [event("harm", { how })]),
    ...((task.interrupted && !denied) || (isRejected && names) ? [event("corrected", {})] : []),
  ];
}

const GUARDED = /\b(?:guard|hook|denied|blocked|not allowed by)\b/iu;

function takesBack(ran: readonly Ran[]): boolean {
  return ran.some(({ command }) => REVERTING.test(command));
}
