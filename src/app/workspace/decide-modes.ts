import { everyScope, MODES, type Mode, type ModeChoice, type ScopeModes } from "./modes.ts";
import { SCOPES, type Scope } from "../../core/notes/note.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { changeSettings, readAllSettings, settingsFile } from "./settings.ts";
import { record } from "../../core/shared/json.ts";

/** Modes as set: for every scope at once (`all`), or for single scopes. */
export type ModeSetting = Readonly<Partial<Record<Scope | "all", Mode>>>;

/** The `modes` of settings.json. */
export interface ModeSettings {
  readonly everywhere: ModeSetting;
  /** By the project's root directory, or by the notes directory given with `--dir`. */
  readonly projects: Readonly<Record<string, ModeSetting>>;
}

export interface ModePlace {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The file of Claude Code's settings that switches memory off, as shown to the user. */
  readonly offInClaude: string | undefined;
  readonly memdirHome: string;
  /** The key of this project in the settings, then its keys from before it was renamed or moved. */
  readonly projects: readonly string[];
}

/**
 * The mode of each scope. From highest to lowest priority: inside an agent started by memdir; MEMDIR_MODE; Claude
 * Code's switches; this project's setting; the setting for everywhere; `auto`. Reads at most one small file.
 * @throws MemoryError `invalid-input` for an unknown mode: the user's choice is never guessed.
 */
export function decideModes({ environment, offInClaude, memdirHome, projects }: ModePlace): ScopeModes {
  const forced = forcedMode(environment, offInClaude);
  if (forced !== undefined) return everyScope(forced);
  const settings = readModeSettings(memdirHome);
  return new Map(SCOPES.map((scope) => [scope, settingFor(settings, projects, scope)]));
}

function forcedMode(environment: ModePlace["environment"], offInClaude: string | undefined): ModeChoice | undefined {
  // A model that memdir asks must not use memdir.
  if (environment["MEMDIR_NESTED"] === "1")
    return { mode: "off", reason: "MEMDIR_NESTED=1: this runs inside an agent that memdir started", isForced: true };
  const asked = environment["MEMDIR_MODE"] ?? "";
  if (asked !== "") return { mode: parseMode(asked, "MEMDIR_MODE"), reason: `MEMDIR_MODE=${asked}`, isForced: true };
  const disabled = environment["CLAUDE_CODE_DISABLE_AUTO_MEMORY"];
  if (disabled === "1" || disabled === "true")
    return { mode: "off", reason: `CLAUDE_CODE_DISABLE_AUTO_MEMORY=${disabled}`, isForced: true };
  return offInClaude === undefined
    ? undefined
    : { mode: "off", reason: `autoMemoryEnabled is false in ${offInClaude}`, isForced: true };
}

function settingFor({ everywhere, projects }: ModeSettings, keys: readonly string[], scope: Scope): ModeChoice {
  const here = inForce(projects, keys) ?? {};
  const forProject = here[scope] ?? here.all;
  if (forProject !== undefined) return { mode: forProject, reason: "set for this project" };
  const forAll = everywhere[scope] ?? everywhere.all;
  return forAll === undefined ? { mode: "auto", reason: undefined } : { mode: forAll, reason: "set for everywhere" };
}

function inForce(projects: ModeSettings["projects"], keys: readonly string[]): ModeSetting | undefined {
  return keys.map((key) => projects[key]).find((setting) => setting !== undefined);
}

export function readModeSettings(memdirHome: string): ModeSettings {
  const modes = record(readAllSettings(memdirHome)["modes"]);
  const where = settingsFile(memdirHome);
  return {
    everywhere: parseSetting(modes["everywhere"], where),
    projects: Object.fromEntries(
      Object.entries(record(modes["projects"])).map(([project, setting]) => [project, parseSetting(setting, where)]),
    ),
  };
}

export interface ModeChange {
  /** `default` removes the setting. */
  readonly mode: Mode | "default";
  /** `undefined`: for every scope, replacing the settings of single scopes. */
  readonly scope: Scope | undefined;
  /** The project's key, or `undefined` for everywhere. */
  readonly project: string | undefined;
  /** Earlier keys of the project; their settings move to its current key. */
  readonly formerly?: readonly string[];
}

/** Sets a mode and keeps everything else in settings.json. */
export function changeMode(memdirHome: string, { mode, scope, project, formerly = [] }: ModeChange): ModeSettings {
  const { everywhere, projects } = readModeSettings(memdirHome);
  const change = (before: ModeSetting): ModeSetting => withMode(before, scope, mode);
  const next =
    project === undefined
      ? { everywhere: change(everywhere), projects }
      : { everywhere, projects: moved(projects, project, formerly, change) };
  const kept = {
    everywhere: next.everywhere,
    projects: Object.fromEntries(
      Object.entries(next.projects).filter(([, setting]) => Object.keys(setting).length > 0),
    ),
  };
  const isEmpty = Object.keys(kept.everywhere).length + Object.keys(kept.projects).length === 0;
  changeSettings(memdirHome, { modes: isEmpty ? undefined : kept });
  return kept;
}

function moved(
  projects: ModeSettings["projects"],
  project: string,
  formerly: readonly string[],
  change: (before: ModeSetting) => ModeSetting,
): ModeSettings["projects"] {
  const others = Object.entries(projects).filter(([key]) => !formerly.includes(key));
  return { ...Object.fromEntries(others), [project]: change(inForce(projects, [project, ...formerly]) ?? {}) };
}

function withMode(before: ModeSetting, scope: Scope | undefined, mode: Mode | "default"): ModeSetting {
  if (scope === undefined) return mode === "default" ? {} : { all: mode };
  const others = Object.fromEntries(Object.entries(before).filter(([name]) => name !== scope));
  return mode === "default" ? others : { ...others, [scope]: mode };
}

/**
 * `where` names the setting that holds the mode; `others` are words that the caller accepts besides.
 * @throws MemoryError `invalid-input`, listing the valid words.
 */
export function parseMode(text: string, where?: string, others: readonly string[] = []): Mode {
  const mode = MODES.find((one) => one === text);
  const words = [...MODES, ...others];
  if (mode === undefined)
    throw new MemoryError(
      "invalid-input",
      `${where === undefined ? `unknown mode "${text}"` : `${where} is "${text}"`}; use ${words.slice(0, -1).join(", ")} or ${words.at(-1) ?? ""}`,
    );
  return mode;
}

function parseSetting(value: unknown, where: string): ModeSetting {
  return Object.fromEntries(
    Object.entries(record(value)).map(([scope, mode]) => {
      if (scope !== "all" && !SCOPES.some((one) => one === scope))
        throw new MemoryError(
          "invalid-input",
          `"${scope}" under "modes" in ${where} is not a scope; use all, ${SCOPES.join(", ")}`,
        );
      return [scope, parseMode(String(mode), `the mode of ${scope} in ${where}`)];
    }),
  );
}
