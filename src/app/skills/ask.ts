import { nodeFiles, putFile } from "../../adapters/files/node-files.ts";
import { fenced, sanitize } from "../../core/shared/sanitize.ts";
import { oneLine } from "../../core/shared/text.ts";
import type { Locations } from "../workspace/locations.ts";
import { mayWrite } from "../workspace/modes.ts";
import { readSkillsMode, skillsPlace } from "../workspace/skills-mode.ts";

const QUESTION_FILE = "question";

type Place = Pick<Locations, "memdirHome" | "project" | "formerly">;

/** Leaves the one line with which the project's next session is asked; a later line replaces it. */
export function leaveSkillQuestion(place: Place, line: string): void {
  const file = questionFile(place);
  if (file === undefined) return;
  nodeFiles.makeDirectory(file.slice(0, file.lastIndexOf("/")));
  putFile(file, line);
}

export interface SkillQuestion {
  readonly text: string;
  /** The line was not shown, so another session may be asked. */
  readonly undelivered: () => void;
}

/** The line, once: of two sessions that start together, one is asked. If there is no line, nothing is read. */
export function takeSkillQuestion(locations: Place & Pick<Locations, "mode">): SkillQuestion | undefined {
  const file = questionFile(locations);
  if (file === undefined || nodeFiles.stat(file) === undefined || !mayWrite(locations.mode)) return undefined;
  const mode = readSkillsMode(locations.memdirHome);
  if (mode !== "auto" && mode !== "confirm") return undefined;
  const taken = `${file}.${process.pid}`;
  if (nodeFiles.rename(file, taken) !== "renamed") return undefined;
  const line = oneLine(sanitize(new TextDecoder().decode(nodeFiles.read(taken) ?? new Uint8Array())));
  nodeFiles.remove(taken);
  return line === ""
    ? undefined
    : { text: fenced("skill-candidate", [line]), undelivered: () => leaveSkillQuestion(locations, line) };
}

function questionFile(place: Place): string | undefined {
  const { project } = skillsPlace(place);
  return project === undefined ? undefined : `${project}/${QUESTION_FILE}`;
}
