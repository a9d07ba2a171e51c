import { nameOf } from "../../../app/models/models.ts";
import { requireClean } from "../../../app/notes/gate.ts";
import {
  chooseEmbedder,
  chooseModel,
  type ModelChoice,
  providerStates,
  requireChoosable,
  requireEmbedder,
  chooseJudge,
  requireJudge,
} from "../../../app/models/models.ts";
import { spentOnModels } from "../../../app/models/open-model.ts";
import {
  changeSettings,
  type ModelSettings,
  readModelSettings,
  settingsFile,
} from "../../../app/workspace/settings.ts";
import type { SpendSum } from "../../../core/models/spend.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError, type Io, json, line, paint, table } from "../io.ts";

export async function run(invocation: Invocation): Promise<number> {
  const workspace = invocation.workspace();
  const { locations, clock } = workspace;
  await requireClean(workspace, invocation.option("use"), invocation.option("embed"), invocation.option("url"));
  apply(invocation, locations.memdirHome);
  const settings = readModelSettings(locations.memdirHome);
  const choice = chooseModel(locations, settings);
  const spent = spentOnModels(locations, clock);
  const embeddings = chooseEmbedder(locations, settings);
  const sessions = chooseJudge(locations, settings);
  const providers = providerStates(locations.environment, settings);
  const { budget } = settings;
  if (invocation.flag("json"))
    json(invocation.io, {
      ...choiceJson(choice),
      embeddings: choiceJson(embeddings),
      sessions: choiceJson(sessions),
      budget,
      spent,
      providers,
      settings: settingsFile(locations.memdirHome),
    });
  else print(invocation.io, { choice, embeddings, sessions }, settings, spent, providers);
  return EXIT.ok;
}

function apply(invocation: Invocation, memdirHome: string): void {
  const use = invocation.option("use");
  const consent = invocation.option("consent");
  const url = invocation.option("url");
  if (invocation.flag("off") && use !== undefined) throw new UsageError("give --off or --use, not both");
  if (consent !== undefined && consent !== "agent-cli" && consent !== "none")
    throw new UsageError(`unknown consent "${consent}"; use agent-cli or none`);
  if (url !== undefined && url !== "off" && !/^https?:\/\/./iu.test(url))
    throw new UsageError(`"${url}" is not an address; write http://HOST:PORT/v1, or off to remove it`);
  const embed = invocation.option("embed");
  if (embed !== undefined)
    changeSettings(memdirHome, { embeddings: embed === "off" ? undefined : requireEmbedder(embed) });
  if (use !== undefined) changeSettings(memdirHome, { model: use === "auto" ? undefined : requireChoosable(use) });
  if (invocation.flag("off")) changeSettings(memdirHome, { model: "off" });
  if (url !== undefined) changeSettings(memdirHome, { modelUrl: url === "off" ? undefined : url });
  const judge = invocation.option("judge");
  if (judge !== undefined) changeSettings(memdirHome, { judge: judge === "none" ? "off" : requireJudge(judge) });
  if (consent !== undefined) changeSettings(memdirHome, { consent: consent === "none" ? undefined : [consent] });
}

/** The choice without its key. */
export function choiceJson(choice: ModelChoice): {
  readonly model: string | undefined;
  readonly state: ModelChoice["kind"];
  readonly reason: string;
} {
  if (choice.kind === "none") return { model: undefined, state: "none", reason: choice.reason };
  return {
    model: nameOf(choice),
    state: choice.kind,
    reason: choice.kind === "blocked" ? choice.reason : choice.from,
  };
}

/** One line about which model is asked, for `models` and `status`. */
export function choiceLine(choice: ModelChoice): string {
  if (choice.kind === "none") return `none (${choice.reason})`;
  if (choice.kind === "blocked") return `${nameOf(choice)} (${choice.from}) cannot be asked: ${choice.reason}`;
  return `${nameOf(choice)} (${choice.from})`;
}

export function spentLine(spent: SpendSum, { budget }: Pick<ModelSettings, "budget">): string {
  const unfinished = spent.unfinished === 0 ? "" : `; ${spent.unfinished} unfinished`;
  return `${spent.requests} of ${budget.requests} requests, ${spent.tokens} of ${budget.tokens} tokens, ${spent.seconds.toFixed(0)} of ${budget.seconds} s, $${spent.dollars.toFixed(3)} of $${budget.dollars.toFixed(2)}${unfinished}`;
}

interface Choices {
  readonly choice: ModelChoice;
  readonly embeddings: ModelChoice;
  /** The model that looks through finished sessions. */
  readonly sessions: ModelChoice;
}

function print(
  io: Io,
  { choice, embeddings, sessions }: Choices,
  settings: ModelSettings,
  spent: SpendSum,
  providers: ReturnType<typeof providerStates>,
): void {
  const shown = (one: ModelChoice): string =>
    one.kind === "blocked" ? paint(io, "yellow", choiceLine(one)) : choiceLine(one);
  line(io, `model       ${shown(choice)}`);
  line(io, `embeddings  ${shown(embeddings)}`);
  line(io, `sessions    ${shown(sessions)}`);
  line(io, `today       ${spentLine(spent, settings)}`);
  line(
    io,
    "\nRecall always works without a model. A model helps beside it and sees only note descriptions, never their text.",
  );
  const rows = providers.map(({ provider, defaultModel, state }) => [
    `  ${paint(io, "cyan", defaultModel === "" ? provider : `${provider}/${defaultModel}`)}`,
    state,
  ]);
  line(io, `\n${table(rows).join("\n")}`);
}
