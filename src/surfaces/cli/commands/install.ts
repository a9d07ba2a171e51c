import { existsSync } from "node:fs";
import {
  type FilePlan,
  install as installFiles,
  type InstallPlace,
  installPlace,
  planInstall,
  refusalText,
  clientTitle,
  pastedSettings,
  serverEntry,
  wantsRule,
} from "../../../app/install/install.ts";
import { agentsHere, isAbsent } from "../../../app/install/install-places.ts";
import { CODEX_AGAIN, pathWarning, reviewSteps, judgeQuestion } from "../../../app/install/review.ts";
import type { Installable, InstallScope } from "../../../app/install/targets.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError, type Io, json, line, paint } from "../io.ts";
import { paragraph } from "../wrap.ts";
import { fileJson, isAgreed, namedClients, printDiff, scopeOf } from "./install-words.ts";
import { counted } from "../../../core/shared/text.ts";

interface ClientPlan {
  readonly agent: Installable;
  readonly files: readonly FilePlan[];
  readonly state: "install" | "unchanged" | "refused" | "by hand";
  /** The client was not on this machine when the plan was made. */
  readonly isAbsent: boolean;
}

export async function run(invocation: Invocation): Promise<number> {
  const { locations, clock } = invocation.workspace();
  invocation.io.ifInterrupted("nothing was changed");
  const place = installPlace(locations, { rule: invocation.flag("rule") });
  const scope = scopeOf(invocation) ?? "user";
  const named = namedClients(invocation);
  const hooked = named.filter((agent) => !wantsRule(agent));
  if (place.rule && (named.length === 0 || hooked.length > 0))
    throw new UsageError(
      named.length === 0
        ? "--rule is for clients without hooks: name one, as in `memdir install vscode --rule`"
        : `${clientTitle(hooked[0] ?? "mcp")} has hooks and needs no rule; leave --rule out`,
    );
  const agents = named.length > 0 ? named : agentsHere(locations, place.directories);
  if (agents.length === 0)
    throw new MemoryError(
      "not-found",
      "no client found: no settings directory and no command of one that memdir knows; name one, as in `memdir install claude-code`",
    );
  const plans = agents.map((agent) => ({
    ...planClient(place, agent, scope),
    isAbsent: isAbsent(locations, place.directories, agent),
  }));
  const wanted = plans.filter(({ state }) => state === "install");
  if (!invocation.flag("json")) showPlans(invocation.io, plans, place);
  if (wanted.length > 0 && !invocation.flag("dry-run")) requireLasting(place);
  const done =
    wanted.length > 0 && !invocation.flag("dry-run") && (await isAgreed(invocation, question(wanted), "install"));
  if (done) for (const { agent } of wanted) installFiles(place, agent, scope, new Date(clock.now()).toISOString());
  const judge = done ? await askForJudge(invocation, wanted) : undefined;
  report(invocation, {
    plans,
    place,
    scope,
    done,
    declined: wanted.length > 0 && !done && !invocation.flag("dry-run"),
    judge,
  });
  return plans.some(({ state }) => state === "refused") ? EXIT.refused : EXIT.ok;
}

/** Asked once, only at a terminal: `--yes` does not cover what is sent to a model. */
async function askForJudge(invocation: Invocation, plans: readonly ClientPlan[]): Promise<string | undefined> {
  if (invocation.flag("yes") || invocation.flag("json")) return undefined;
  const { locations } = invocation.workspace();
  const asked = judgeQuestion(
    locations,
    plans.map(({ agent }) => agent),
  );
  if (asked === undefined) return undefined;
  const installed = plans.map(({ agent }) => clientTitle(agent)).join(" and ");
  invocation.io.ifInterrupted(`memdir is in ${installed}; nothing looks through finished sessions`);
  const yes = await invocation.io.confirm(`\n${asked.text}`);
  if (yes === undefined) return undefined;
  asked.answer(yes);
  return `${yes ? "It looks" : "It does not look"} through finished sessions; \`memdir models --judge ${yes ? "none" : "AGENT"}\` changes that.`;
}

function planClient(place: InstallPlace, agent: Installable, scope: InstallScope): Omit<ClientPlan, "isAbsent"> {
  const files = planInstall(place, agent, scope);
  const states = new Set(files.map(({ outcome }) => outcome.state));
  return {
    agent,
    files,
    state:
      files.length === 0
        ? "by hand"
        : states.has("refused")
          ? "refused"
          : states.has("change")
            ? "install"
            : "unchanged",
  };
}

function question(plans: readonly ClientPlan[]): string {
  const files = plans.flatMap((plan) => plan.files).filter(({ outcome }) => outcome.state === "change").length;
  return `Make these changes (${counted(files, "file")})?`;
}

function showPlans(io: Io, plans: readonly ClientPlan[], place: InstallPlace): void {
  for (const { agent, files, state } of plans) {
    if (state === "install")
      for (const plan of files.filter(({ outcome }) => outcome.state === "change")) printDiff(io, plan);
    if (state === "by hand") line(io, byHand(agent, place));
    for (const { file, outcome } of files)
      if (outcome.state === "refused")
        paragraph(io, paint(io, "yellow", `${clientTitle(agent)} stays as it is: ${refusalText(file, outcome)}`));
  }
}

function byHand(agent: Installable, { program }: InstallPlace): string {
  const { file, text } = pastedSettings(agent, program);
  const title = agent === "mcp" ? "Every MCP client" : clientTitle(agent);
  return `${title} takes this, in ${file}:\n\n${text}\n`;
}

interface Outcome {
  readonly plans: readonly ClientPlan[];
  readonly place: InstallPlace;
  readonly scope: InstallScope;
  readonly done: boolean;
  /** The user saw the plan and said no. */
  readonly declined: boolean;
  /** The answer to the question whether an agent may look through sessions. */
  readonly judge: string | undefined;
}

function notesOf({ agent, files, state }: ClientPlan, { scope, place }: Outcome): readonly string[] {
  if (state === "refused" || state === "by hand") return [];
  const paths = Object.values(place.program);
  const hooks = files.find(({ what }) => what === "hooks")?.outcome;
  const isMoved = agent === "codex" && hooks?.state === "change" && hooks.had.length > 0;
  const warning = pathWarning(agent, paths);
  const unread = files.flatMap(({ file, outcome }) =>
    outcome.state === "change" && outcome.caution !== undefined ? [`${file}: ${outcome.caution}`] : [],
  );
  return [
    ...(isMoved ? [CODEX_AGAIN] : []),
    ...unread,
    ...reviewSteps(agent, scope),
    ...(warning === undefined ? [] : [warning]),
  ];
}

/** Clients would start files that npm deletes from time to time. @throws MemoryError with the command that helps. */
function requireLasting({ program }: InstallPlace): void {
  if (/[\\/]_npx[\\/]/u.test(program.hook))
    throw new MemoryError(
      "refused",
      "memdir runs from npx's cache, which npm empties from time to time, and nothing was changed; `npm install -g memdir && memdir install` keeps it in place",
    );
}

/** Problems with memdir itself that would make an installation stop working. */
function cautions({ program }: InstallPlace): readonly string[] {
  const missing = [program.hook, program.command].filter((file) => !existsSync(file));
  return missing.map((file) => `${file} is missing; until it is back, the clients work without memory`);
}

function report(invocation: Invocation, outcome: Outcome): void {
  const { io } = invocation;
  const { plans, scope, done, place } = outcome;
  const next = nextStep(outcome);
  if (invocation.flag("json")) {
    const clients = plans.map((plan) => ({
      client: plan.agent,
      scope,
      state: plan.state === "install" ? (done ? "installed" : "would install") : plan.state,
      files: plan.files.map(fileJson),
      review: notesOf(plan, outcome),
      ...(plan.isAbsent && { absent: true }),
    }));
    json(io, {
      done,
      clients,
      cautions: cautions(place),
      ...(plans.some(({ state }) => state === "by hand") && {
        server: serverEntry(place.program),
        paste: plans.flatMap(({ agent, state }) =>
          state === "by hand" ? [{ client: agent, ...pastedSettings(agent, place.program) }] : [],
        ),
      }),
      next,
    });
    return;
  }
  if (outcome.declined) {
    line(io, "Nothing changed.");
    return;
  }
  for (const plan of plans) {
    if (plan.state === "unchanged") line(io, `${clientTitle(plan.agent)}: already installed, nothing changes`);
    if (plan.state === "install" && done) {
      line(io, paint(io, "green", `${clientTitle(plan.agent)}: installed`));
      for (const {
        file,
        outcome: { state },
      } of plan.files)
        if (state === "change") line(io, paint(io, "dim", `    ${file}`));
    }
    if (plan.isAbsent && plan.state !== "by hand")
      paragraph(io, `${clientTitle(plan.agent)} was not found on this machine; memdir waits for it.`, "    ");
    for (const note of plan.state === "install" ? notesOf(plan, outcome) : []) paragraph(io, note, "    ");
  }
  for (const caution of cautions(place)) paragraph(io, paint(io, "yellow", caution));
  if (outcome.judge !== undefined) paragraph(io, outcome.judge);
  if (next !== undefined) paragraph(io, `\n${next}`);
}

/** The one thing for the user to do next. */
function nextStep({ plans, done, scope, declined }: Outcome): string | undefined {
  const first = plans.find(({ state }) => state === "install");
  if (first === undefined) return undefined;
  if (declined) return "Nothing changed.";
  if (!done) return "Nothing changed. Run it without --dry-run to make these changes.";
  if (plans.some(({ agent, state }) => agent === "codex" && state === "install"))
    return "Next: start codex and type /hooks to let it run memdir's hooks.";
  if (first.agent === "mcp") return "Next: start your client in this project and say yes to the server memdir.";
  if (scope === "project" || first.agent === "gemini")
    return `Next: start ${clientTitle(first.agent)} in this project, say yes to its question, and tell it something worth remembering.`;
  if (first.agent === "openclaw")
    return "Next: tell OpenClaw something worth remembering. A running Gateway loads the plugin within seconds.";
  return `Next: start ${clientTitle(first.agent)} again and tell it something worth remembering.`;
}
