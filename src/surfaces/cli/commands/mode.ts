import { noteScope } from "../../../app/notes/gate.ts";
import { captureTarget, changeCaptureTarget } from "../../../app/workspace/capture-target.ts";
import { type Mode, type ModeChoice, modeIn, type ScopeModes } from "../../../app/workspace/modes.ts";
import { changeMode, parseMode, readModeSettings } from "../../../app/workspace/decide-modes.ts";
import { changeSkillsMode } from "../../../app/skills/skills.ts";
import { noteCheckout } from "../../../app/workspace/checkout-note.ts";
import { parseSkillsMode, readSkillsMode } from "../../../app/workspace/skills-mode.ts";
import { locate } from "../../../app/workspace/locations.ts";
import type { OpenWorkspace } from "../../../app/workspace/open-workspace.ts";
import type { Scope } from "../../../core/notes/note.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError, type Io, json, line, paint, table } from "../io.ts";
import { paragraph } from "../wrap.ts";
import { counted } from "../../../core/shared/text.ts";

export async function run(invocation: Invocation): Promise<number> {
  const { locations } = invocation.workspace();
  const captureTo = invocation.option("capture-to");
  const [word] = invocation.positionals;
  const skills = invocation.option("skills");
  const scope = noteScope(invocation.option("scope"));
  if (invocation.flag("project") && invocation.flag("everywhere"))
    throw new UsageError("give --project or --everywhere, not both");
  if (skills !== undefined) changeSkillsMode(invocation.workspace(), parseSkillsMode(skills));
  if (captureTo !== undefined)
    changeCaptureTarget(locations.memdirHome, captureTo, invocation.flag("everywhere") ? undefined : locations.modeKey);
  if (
    word === undefined &&
    captureTo === undefined &&
    skills === undefined &&
    (scope !== undefined || invocation.flag("project") || invocation.flag("everywhere"))
  )
    throw new UsageError("mode needs a value: `memdir mode auto|confirm|manual|recall-only|off|default`");
  if (word !== undefined) change(invocation, word, scope);
  const { modes } = word === undefined ? locations : relocated(invocation);
  const scopes = locations.stores.map((place) => place.scope);
  const others = otherProjects(locations);
  const target = captureTarget(locations);
  if (invocation.flag("json"))
    json(invocation.io, {
      modes: modesJson(modes, scopes),
      captureTo: target.to,
      skills: readSkillsMode(locations.memdirHome),
      project: locations.modeKey,
      projectsWithTheirOwn: others,
    });
  else {
    print(invocation.io, modes, scopes, invocation.flag("everywhere") ? others : [], word);
    if (skills !== undefined) line(invocation.io, `\nskills: ${skills}, in every project`);
    if (target.to === "log")
      line(
        invocation.io,
        `\ncapture writes to the daily log (${target.reason ?? DEFAULT}); \`memdir mode --capture-to notes\` changes it`,
      );
  }
  return EXIT.ok;
}

function change(invocation: Invocation, word: string, scope: Scope | undefined): void {
  const { locations } = invocation.workspace();
  const mode: Mode | "default" =
    word === "default" || word === "on" ? "default" : parseMode(word, undefined, ["default"]);
  changeMode(locations.memdirHome, {
    mode,
    scope,
    project: invocation.flag("everywhere") ? undefined : locations.modeKey,
    formerly: locations.formerly.map(({ root }) => root),
  });
  noteCheckout(locations);
}

/** The modes now in force, not those requested: a stronger setting may decide. */
function relocated(invocation: Invocation): { readonly modes: ScopeModes } {
  const { locations } = invocation.workspace();
  const { project, stores, environment, cwd, agentType } = locations;
  return locate({
    cwd,
    environment,
    ...(agentType === undefined ? {} : { agentType }),
    ...(project === undefined && stores[0] !== undefined ? { dir: stores[0].directory } : {}),
  });
}

function otherProjects({ memdirHome, modeKey }: OpenWorkspace["locations"]): readonly string[] {
  return Object.keys(readModeSettings(memdirHome).projects).filter((project) => project !== modeKey);
}

interface ShownMode {
  readonly mode: Mode;
  readonly reason: string;
}

export function modesJson(modes: ScopeModes, scopes: readonly Scope[]): Readonly<Record<string, ShownMode>> {
  return Object.fromEntries(
    scopes.map((scope) => {
      const choice = modeIn(modes, scope);
      return [scope, { mode: choice.mode, reason: reasonOf(choice) }];
    }),
  );
}

/** One line if all scopes agree, otherwise one per scope. */
export function modeLines(modes: ReturnType<typeof modesJson>): readonly string[] {
  const entries = Object.entries(modes);
  const words = ({ mode, reason }: ShownMode): string => `${mode}${reason === DEFAULT ? "" : ` (${reason})`}`;
  const only = oneForAll(entries);
  return only !== undefined ? [words(only)] : entries.map(([scope, one]) => `${scope}: ${words(one)}`);
}

/** The mode that every scope has, for the same reason; `undefined` if they differ. */
function oneForAll(modes: readonly (readonly [string, ShownMode])[]): ShownMode | undefined {
  const first = modes[0]?.[1];
  return modes.every(([, { mode, reason }]) => mode === first?.mode && reason === first.reason) ? first : undefined;
}

const DEFAULT = "the default";

const DOES: Readonly<Record<Mode, string>> = {
  auto: "recalled; captured automatically",
  confirm: "recalled; captured notes wait in `memdir review`",
  manual: "recalled; saved only when you ask",
  "recall-only": "recalled; never written",
  off: "neither read nor written",
};

function print(
  io: Io,
  modes: ScopeModes,
  scopes: readonly Scope[],
  others: readonly string[],
  stored: string | undefined,
): void {
  const all = Object.entries(modesJson(modes, scopes));
  const one = oneForAll(all);
  const rows = (one === undefined ? all : [["every scope", one] as const]).map(([name, { mode, reason }]) => [
    paint(io, "bold", name),
    mode,
    `${DOES[mode]} (${reason})`,
  ]);
  for (const row of table(rows)) line(io, row);
  const forced = scopes.map((scope) => modeIn(modes, scope)).find(({ isForced }) => isForced === true);
  if (forced !== undefined) {
    const kept = stored === undefined ? "" : `\`${stored}\` is stored, but `;
    line(io);
    paragraph(io, `${kept}${reasonOf(forced)} overrides what \`memdir mode\` sets, as long as it lasts.`);
  } else if (scopes.every((scope) => modeIn(modes, scope).mode === "off"))
    line(io, "\n`memdir mode default` turns it on again.");
  if (others.length > 0)
    line(
      io,
      `\n${counted(others.length, "other project has a mode of its own, which stays", "other projects have modes of their own, which stay")}: ${others.join(", ")}`,
    );
}

function reasonOf({ reason }: ModeChoice): string {
  return reason ?? DEFAULT;
}
