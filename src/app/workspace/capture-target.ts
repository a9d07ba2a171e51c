import { MemoryError } from "../../core/shared/errors.ts";
import { isRecord } from "../../core/shared/json.ts";
import type { Locations } from "./locations.ts";
import { changeSettings, readAllSettings, settingsFile } from "./settings.ts";

/** Where capture writes what a session says. */
export type CaptureTarget = "notes" | "log";

export interface TargetChoice {
  readonly to: CaptureTarget;
  /** The setting that decided it; `undefined` for the default. */
  readonly reason: string | undefined;
}

/** `capture.projects.ROOT` of settings.json, else `capture.to`, else notes. @throws MemoryError `invalid-input` */
export function captureTarget({
  memdirHome,
  modeKey,
  formerly,
}: Pick<Locations, "memdirHome" | "modeKey" | "formerly">): TargetChoice {
  const capture = captureSettings(memdirHome);
  const keys = [modeKey, ...formerly.map(({ root }) => root)];
  const own = keys.map((key) => projectsOf(capture)[key]).find((one) => one !== undefined);
  if (own !== undefined) return { to: parseTarget(own, settingsFile(memdirHome)), reason: "set for this project" };
  const everywhere = capture["to"];
  return everywhere === undefined
    ? { to: "notes", reason: undefined }
    : { to: parseTarget(everywhere, settingsFile(memdirHome)), reason: "set for everywhere" };
}

/** Sets it for a project, or for all (`undefined`); `default` removes it. Other settings stay. */
export function changeCaptureTarget(memdirHome: string, word: string, project: string | undefined): void {
  const to = word === "default" ? undefined : parseTarget(word, "--capture-to");
  const capture = captureSettings(memdirHome);
  const projects =
    project === undefined ? projectsOf(capture) : withoutUndefined({ ...projectsOf(capture), [project]: to });
  const next = withoutUndefined({
    ...capture,
    ...(project === undefined ? { to } : {}),
    projects: Object.keys(projects).length === 0 ? undefined : projects,
  });
  changeSettings(memdirHome, { capture: Object.keys(next).length === 0 ? undefined : next });
}

function captureSettings(memdirHome: string): Readonly<Record<string, unknown>> {
  const capture = readAllSettings(memdirHome)["capture"];
  return isRecord(capture) ? capture : {};
}

function projectsOf(capture: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return isRecord(capture["projects"]) ? capture["projects"] : {};
}

function withoutUndefined(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined));
}

function parseTarget(word: unknown, where: string): CaptureTarget {
  if (word === "notes" || word === "log") return word;
  throw new MemoryError("invalid-input", `${where} says that capture goes to "${String(word)}"; use notes or log`);
}
