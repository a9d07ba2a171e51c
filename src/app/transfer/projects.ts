import fs from "node:fs";
import path from "node:path";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import type { PlannedFile, Transfer } from "../workspace/transfer.ts";
import { comparablePath, identifyProject } from "../../core/notes/project.ts";
import { parseNote } from "../../core/notes/parse-note.ts";
import { pastElsewhere } from "../../core/notes/history.ts";
import { slugOf } from "../../core/notes/names.ts";
import type { NoteStore } from "../../core/notes/store.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { knownCheckouts } from "../workspace/checkouts.ts";
import { projectStoresIn, openStoreAt } from "../workspace/open-store.ts";
import { isClaudeHere, type Locations, location, locate, type StoreLocation } from "../workspace/locations.ts";
import { countNotes, hasNote } from "../workspace/note-count.ts";
import { projectEnd, runOperation } from "./project-operations.ts";
import { type ProjectFinding, stayedFinding } from "./stayed-behind.ts";
import { runTransfer } from "./transfers.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import { counted } from "../../core/shared/text.ts";

/** One project's notes on this machine. */
export interface ListedProject {
  readonly slug: string;
  readonly directory: string;
  readonly notes: number;
  /** The last known place of its checkout; `undefined` if unknown. */
  readonly root: string | undefined;
  readonly isHere: boolean;
}

export function listProjects(locations: Locations): readonly ListedProject[] {
  const { configDirectory, memdirHome, project } = locations;
  const roots = new Map(knownCheckouts(locations).map(({ directory, root }) => [directory, root]));
  const bases = [...new Set([configDirectory, memdirHome])];
  return bases
    .flatMap((base) => projectStoresIn(locations, base))
    .filter(({ place }) => place.scope === "project")
    .map(({ place: { directory }, name }) => ({
      slug: name,
      directory,
      notes: countNotes(directory),
      isHere: name === project?.slug,
      root: roots.get(directory) ?? (name === project?.slug ? project.root : undefined),
    }))
    .filter(({ notes }) => notes > 0);
}

/** Problems left by renamed, moved and merged checkouts. */
export function examineProjects(locations: Locations): readonly ProjectFinding[] {
  const projects = listProjects(locations);
  const ours = projects.filter(({ directory }) => directory.startsWith(`${locations.memdirHome}/`));
  const others = projects.filter((one) => !ours.includes(one));
  const twice = ours.flatMap((one): ProjectFinding[] =>
    others.some(({ slug }) => slug === one.slug)
      ? [
          {
            kind: "two-stores",
            message: `${one.slug} has notes in two places; the ${one.notes} in ${one.directory} are not used`,
            remedy: `memdir project merge '${one.directory}'`,
          },
        ]
      : [],
  );
  const stayed = isClaudeHere(locations.environment, locations.configDirectory)
    ? ours.filter(({ slug }) => !others.some((other) => other.slug === slug)).map(stayedFinding)
    : [];
  const lost = projects.flatMap((one): ProjectFinding[] =>
    one.root !== undefined && !fs.existsSync(one.root)
      ? [
          {
            kind: "no-checkout",
            message: `${counted(one.notes, "note")} of ${one.root}, which is gone, ${one.notes === 1 ? "is" : "are"} in ${one.directory}`,
            remedy: `memdir project mv '${one.root}' NEW-DIR`,
          },
        ]
      : [],
  );
  return [...twice, ...stayed, ...lost, ...collisions(locations)];
}

function collisions(locations: Locations): ProjectFinding[] {
  const bySlug = new Map<string, Set<string>>();
  for (const { root } of knownCheckouts(locations))
    if (fs.existsSync(root)) bySlug.set(slugOf(root), (bySlug.get(slugOf(root)) ?? new Set()).add(root));
  return [...bySlug].flatMap(([slug, roots]): ProjectFinding[] =>
    roots.size < 2
      ? []
      : [
          {
            kind: "slugs-collide",
            message: `${[...roots].join(" and ")} are both written ${slug}, so they share one store`,
            remedy: "memdir project split WORDS DIR, after one of them was renamed",
          },
        ],
  );
}

/** What a merge or a split will do to one store. */
export interface StorePlan {
  readonly scope: StoreLocation["scope"];
  readonly from: StoreLocation;
  readonly to: StoreLocation;
  readonly moved: readonly string[];
  /** Already there, byte for byte. */
  readonly known: readonly string[];
  /** Another text has this name there: both are kept. */
  readonly both: readonly { readonly file: string; readonly as: string }[];
}

export interface ProjectMove {
  readonly plan: readonly StorePlan[];
  /** Applies it, one crash-safe step per store, with hand-written lines, checkpoints and settings; undone as one. */
  apply(): ReturnType<typeof runOperation>;
}

/**
 * Moves the notes of one project to another: all, or those that match `matches`. `mustBeEmpty`: the target may have no
 * notes yet, and also gets the history. @throws MemoryError `not-found`, `conflict`.
 */
export function planProjectMove(
  workspace: OpenWorkspace,
  from: string,
  to: string | undefined,
  options: { readonly mustBeEmpty?: boolean; readonly matches?: string } = {},
): ProjectMove {
  const sources = placesOf(workspace.locations, from);
  const targets = to === undefined ? ownPlaces(workspace.locations, sources) : placesOf(workspace.locations, to);
  const pairs = sources.flatMap((source) => {
    const target = targets.find(({ scope }) => scope === source.scope);
    return target === undefined || target.directory === source.directory || !fs.existsSync(source.directory)
      ? []
      : [{ source, target }];
  });
  const plans = pairs
    .map(({ source, target }) => planStore(workspace, source, target, options.matches))
    .filter(({ files }) => files.length > 0);
  if (plans.length === 0)
    throw new MemoryError(
      "not-found",
      `${from} has no notes${options.matches === undefined ? "" : ` with "${options.matches}" in them`} to move; \`memdir project list\` shows what there is`,
    );
  const taken = plans.find(({ plan }) => options.mustBeEmpty === true && hasNote(plan.to.directory));
  if (taken !== undefined)
    throw new MemoryError(
      "conflict",
      `${taken.plan.to.directory} has notes already; \`memdir project merge\` brings both together`,
    );
  return {
    plan: plans.map(({ plan }) => plan),
    apply: () => {
      const ends = {
        from: projectEnd(workspace.locations, from),
        to: projectEnd(workspace.locations, to),
        pairs: pairs.map(({ source, target }) => ({ from: source, to: target })),
        whole: options.matches === undefined,
      };
      return runOperation(workspace, ends, () => plans.map(({ plan, files }) => applyPlan(workspace, plan, files)));
    },
  };
}

function applyPlan(workspace: OpenWorkspace, { from, to }: StorePlan, files: readonly PlannedFile[]): Transfer {
  return withStores(workspace, from, to, (source, target) => {
    if (target.history().versions().length === 0)
      target.adoptHistory(pastElsewhere(source.history().transactions(), workspace.clock.now()));
    return runTransfer(workspace, {
      source: { scope: from.scope, store: source },
      target: { scope: to.scope, store: target },
      files,
      verb: "moved",
    });
  });
}

function planStore(
  workspace: OpenWorkspace,
  from: StoreLocation,
  to: StoreLocation,
  matches: string | undefined,
): { readonly plan: StorePlan; readonly files: readonly PlannedFile[] } {
  return withStores(workspace, from, to, (source, target) => {
    source.reconcile("full");
    target.reconcile("full");
    const taken = new Set<string>();
    const files = source.index.entries().flatMap(({ file }): PlannedFile[] => {
      const base = source.read(file);
      if (base === undefined || (matches !== undefined && !isAbout(workspace, file, base, matches))) return [];
      const isSame = (name: string): boolean => sha256(target.read(name) ?? new Uint8Array()) === sha256(base);
      const isFree = (name: string): boolean =>
        !taken.has(name) && target.read(name) === undefined && !target.index.hasFile(name);
      const name = isSame(file) || isFree(file) ? file : beside(file, (one) => isSame(one) || isFree(one));
      taken.add(name);
      return [{ from: file, to: name, base, content: isSame(name) ? undefined : base }];
    });
    const plan = {
      scope: from.scope,
      from,
      to,
      moved: files.filter((file) => file.content !== undefined && file.from === file.to).map((file) => file.from),
      known: files.filter(({ content }) => content === undefined).map((file) => file.from),
      both: files
        .filter((file) => file.content !== undefined && file.from !== file.to)
        .map((file) => ({ file: file.from, as: file.to })),
    };
    return { plan, files };
  });
}

function isAbout({ codec }: OpenWorkspace, file: string, bytes: Uint8Array, words: string): boolean {
  const { name, description, body } = parseNote(file, bytes, codec);
  return [file, name, description, body].some((text) => text.toLowerCase().includes(words.toLowerCase()));
}

function beside(file: string, isUsable: (name: string) => boolean): string {
  const stem = file.replace(/\.md$/iu, "");
  for (let number = 2; ; number++) if (isUsable(`${stem}_${number}.md`)) return `${stem}_${number}.md`;
}

function withStores<T>(
  { locations, clock }: OpenWorkspace,
  from: StoreLocation,
  to: StoreLocation,
  work: (source: NoteStore, target: NoteStore) => T,
): T {
  const source = openStoreAt(from, locations, clock);
  const target = openStoreAt(to, locations, clock);
  try {
    return work(source, target);
  } finally {
    source.close();
    target.close();
  }
}

/** The project, team and local stores of a project, by its checkout (which may be gone) or notes directory. */
function placesOf(locations: Locations, given: string): readonly StoreLocation[] {
  const target = path.resolve(locations.cwd, given);
  const isStore = path.basename(target) === "memory" && fs.existsSync(target);
  if (isStore) return placesIn(locations, target, path.basename(path.dirname(target)));
  if (fs.existsSync(target))
    return locate({
      cwd: identifyProject(fs.realpathSync(target), nodeFiles, locations.pathRules).root,
      environment: locations.environment,
    }).stores.filter(isProjects);
  const known = knownCheckouts(locations).find(
    ({ root }) => comparablePath(root, locations.pathRules) === comparablePath(target, locations.pathRules),
  );
  const bases = [locations.configDirectory, locations.memdirHome].map((base) =>
    path.join(base, "projects", slugOf(target), "memory"),
  );
  const directory = [known?.directory, ...bases].find((one) => one !== undefined && hasNote(one));
  if (directory === undefined)
    throw new MemoryError("not-found", `no notes of ${target} are known; \`memdir project list\` shows what there is`);
  return placesIn(locations, directory, slugOf(target));
}

function placesIn({ memdirHome }: Locations, directory: string, slug: string): readonly StoreLocation[] {
  return [
    { ...location(memdirHome, "project", directory), excluded: ["team"] },
    location(memdirHome, "team", path.join(directory, "team")),
    location(memdirHome, "local", path.join(memdirHome, "local", slug, "memory")),
  ];
}

/** The target places for the current project; for notes that stayed behind, Claude Code's directory. */
function ownPlaces(locations: Locations, sources: readonly StoreLocation[]): readonly StoreLocation[] {
  const own = locations.stores.filter(isProjects);
  const slug = locations.project?.slug;
  const isOwn = sources.some(({ directory }) =>
    own.some((place) => place.scope === "project" && place.directory === directory),
  );
  const base = isClaudeHere(locations.environment, locations.configDirectory)
    ? locations.configDirectory
    : locations.memdirHome;
  return isOwn && slug !== undefined ? placesIn(locations, path.join(base, "projects", slug, "memory"), slug) : own;
}

function isProjects({ scope }: StoreLocation): boolean {
  return scope === "project" || scope === "team" || scope === "local";
}
