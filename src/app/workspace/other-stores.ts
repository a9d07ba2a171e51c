import path from "node:path";
import { modeIn } from "./modes.ts";
import { comparablePath } from "../../core/notes/project.ts";
import { counted } from "../../core/shared/text.ts";
import { identitiesOf, knownCheckouts } from "./checkouts.ts";
import { isClaudeHere, type Locations } from "./locations.ts";
import { countNotes, hasNote } from "./note-count.ts";

export interface OtherStore {
  readonly directory: string;
  readonly notes: number;
  /** Why it may belong to this project. */
  readonly reason: string;
}

/** Notes of this checkout at its paths before it was renamed, in addition to those that it has here. */
export function leftBehind(locations: Locations): OtherStore[] {
  const own = ownDirectory(locations);
  return locations.formerly
    .filter(({ directory }) => directory !== own)
    .map(({ directory, root }) => candidate(directory, `this repository was at ${root}`))
    .filter(({ notes }) => notes > 0);
}

/**
 * One line if notes of this project are in a likelier store than the one in use: the store here is empty while the
 * repository has notes under another path, or there are notes from before it was renamed. Starts no process.
 */
export function likelierStore(locations: Locations): string | undefined {
  const own = ownDirectory(locations);
  if (own === undefined || modeIn(locations.modes, "project").mode === "off") return undefined;
  const [behind] = leftBehind(locations);
  const other = behind ?? (hasNote(own) ? undefined : knownElsewhere(locations, [])[0]);
  if (other === undefined) return undefined;
  const { directory, notes, reason } = other;
  const remedy = `memdir ${behind === undefined ? "link" : "project merge"} '${directory}'`;
  return `memdir: ${counted(notes, "note")} of this project ${notes === 1 ? "is" : "are"} in ${directory} (${reason}), which is not read here; \`${remedy}\` brings them in`;
}

/** Populated stores that may be this project's: another spelling of its path, or the same repository elsewhere. */
export function knownElsewhere(locations: Locations, more: readonly string[]): OtherStore[] {
  const { project, pathRules } = locations;
  if (project === undefined) return [];
  const projects = path.join(
    isClaudeHere(locations.environment, locations.configDirectory) ? locations.configDirectory : locations.memdirHome,
    "projects",
  );
  const bySpelling = project.aliases.map((slug) =>
    candidate(path.join(projects, slug, "memory"), "another spelling of the same path"),
  );
  const known = knownCheckouts(locations);
  const identities = known.length === 0 ? [] : [...identitiesOf(project), ...more];
  const byIdentity = known
    .filter(
      ({ identity, root }) =>
        identities.includes(identity) || comparablePath(root, pathRules) === comparablePath(project.root, pathRules),
    )
    .map(({ root, directory }) => candidate(directory, `the same repository was at ${root}`));
  const own = ownDirectory(locations);
  const seen = new Set([own]);
  return [...bySpelling, ...byIdentity].filter(({ notes, directory }) => {
    if (notes === 0 || seen.has(directory)) return false;
    seen.add(directory);
    return true;
  });
}

/** Claude Code's directory or memdir's own, if the one not in use has notes. */
export function otherPlace(locations: Locations): OtherStore[] {
  const slug = locations.project?.slug ?? "";
  const places = [locations.configDirectory, locations.memdirHome].map((base) =>
    path.join(base, "projects", slug, "memory"),
  );
  const own = ownDirectory(locations);
  const others = places
    .filter((place) => place !== own)
    .map((place) =>
      candidate(
        place,
        "Claude Code and memdir each keep a directory for this project; move the files of one into the other",
      ),
    );
  return others.filter(({ notes }) => notes > 0);
}

export function ownDirectory(locations: Locations): string | undefined {
  return locations.project === undefined
    ? undefined
    : locations.stores.find(({ scope }) => scope === "project")?.directory;
}

function candidate(directory: string, reason: string): OtherStore {
  return { directory, reason, notes: countNotes(directory) };
}
