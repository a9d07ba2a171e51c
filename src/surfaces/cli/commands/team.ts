import { requireClean } from "../../../app/notes/gate.ts";
import { countNotes } from "../../../app/workspace/note-count.ts";
import { locate } from "../../../app/workspace/locations.ts";
import { revokeTeam, type TeamPlace, teamPlace, trustTeam, useTeamDirectory } from "../../../app/workspace/groups.ts";
import { stripHidden } from "../../../core/shared/hidden.ts";
import { counted, oneLine, truncate } from "../../../core/shared/text.ts";
import { shellWord } from "../../../core/shared/shell-word.ts";
import type { Invocation } from "../command.ts";
import { keepWhole, paragraph } from "../wrap.ts";
import { EXIT, UsageError, type Io, json, line, paint, unknownAction } from "../io.ts";

export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const workspace = invocation.workspace();
  const { locations, clock } = workspace;
  const [what, directory] = invocation.positionals;
  const now = new Date(clock.now()).toISOString();
  const before = teamPlace(locations);
  if (what === "use") {
    if (directory === undefined || directory.trim() === "")
      throw new UsageError("team use needs a directory: `memdir team use .memdir/team`, or `memdir team use private`");
    await requireClean(workspace, directory);
    useTeamDirectory(locations, directory === "private" ? undefined : directory, now);
  } else if (what === "trust") {
    const place = teamPlace(locations);
    if (!place.trusted && !(await agrees(invocation, place))) return EXIT.ok;
    trustTeam(locations, now);
  } else if (what === "revoke") revokeTeam(locations);
  else if (what !== undefined) throw unknownAction(what, ["use", "trust", "revoke"]);
  const { cwd, environment } = locations;
  const place = teamPlace(what === undefined ? locations : locate({ cwd, environment }));
  const left = leftBehind(before, place);
  if (invocation.flag("json")) json(io, { ...place, ...(left && { left }) });
  else {
    print(io, place);
    if (left) paragraph(io, paint(io, "yellow", keepWhole(leftSentence(left, place), [left.directory])));
  }
  return EXIT.ok;
}

interface LeftBehind {
  readonly directory: string;
  readonly notes: number;
  /** What reads them again. */
  readonly back: string;
}

/** The notes of the former directory, which are no longer the team's. */
function leftBehind(before: TeamPlace, { directory }: TeamPlace): LeftBehind | undefined {
  const notes = before.directory === directory ? 0 : countNotes(before.directory);
  if (notes === 0) return undefined;
  const back = `memdir team use ${before.inRepository ? shellWord(before.directory) : "private"}`;
  return { directory: before.directory, notes, back };
}

function leftSentence({ directory, notes, back }: LeftBehind, now: TeamPlace): string {
  return `${counted(notes, "note")} in ${directory} ${notes === 1 ? "stays" : "stay"} there and ${notes === 1 ? "is" : "are"} no longer read. To take them along, move the files to ${now.directory}; \`${back}\` reads them there again.`;
}

async function agrees(invocation: Invocation, place: TeamPlace): Promise<boolean> {
  if (invocation.flag("yes")) return true;
  print(invocation.io, place);
  const answer = await invocation.io.confirm("These notes came with the repository. Let agents here read them?");
  if (answer === undefined)
    throw new UsageError(
      "trust lets agents read notes that others wrote: read them first, then add --yes to do it without a terminal",
    );
  return answer;
}

function print(io: Io, { directory, inRepository, trusted, notes }: TeamPlace): void {
  line(
    io,
    `${directory}  ${inRepository ? "files of the repository" : "private to this machine"}, ${counted(notes.length, "note")}`,
  );
  if (trusted) return;
  line(io, paint(io, "yellow", "not trusted: memdir neither reads nor writes them. Their descriptions:"));
  for (const { file, description } of notes.slice(0, 50))
    line(
      io,
      `  ${oneLine(stripHidden(file))}: ${truncate(oneLine(stripHidden(description)), Math.max(40, io.width - 20))}`,
    );
  line(io, "`memdir team trust` lets agents read them");
}
