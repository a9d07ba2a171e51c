import fs from "node:fs";
import path from "node:path";
import { recallNotes } from "../recall/recall-notes.ts";
import { remember } from "../notes/remember.ts";
import { mayWrite, type ModeChoice, modeIn } from "../workspace/modes.ts";
import type { ScopedStore } from "../workspace/workspace.ts";
import { entryTarget, loadIndex, withoutLine } from "../../core/notes/index-file.ts";
import { INDEX_FILE } from "../../core/notes/names.ts";
import { findSecrets } from "../../core/shared/secrets/find-secrets.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { forgetNote } from "./forget.ts";
import { findOtherStores } from "../workspace/aliases.ts";
import { obstaclesToFirst } from "../workspace/saving.ts";
import { obstacleToChanging, obstacleToWriting } from "../../adapters/files/writable.ts";
import { installPlace } from "../install/install.ts";
import { installedAgents, installedLine } from "../install/install-state.ts";
import { examineProjects } from "../transfer/projects.ts";
import { obstacleTo } from "../skills/check.ts";
import { countSkills, skillsLine } from "../skills/skills.ts";
import { openShelf } from "../skills/shelf.ts";
import { openScratch, type OpenWorkspace } from "../workspace/open-workspace.ts";
import { countedNotes } from "../workspace/note-count.ts";
import { counted } from "../../core/shared/text.ts";

export interface Finding {
  readonly check: string;
  readonly level: "ok" | "warn" | "fail";
  readonly result: string;
  /** What is checked, and why it matters. */
  readonly why: string;
  readonly remedy?: string;
}

/** Runs every check of `memdir doctor` in turn. Changes only derived files. */
export async function* diagnose(workspace: OpenWorkspace): AsyncGenerator<Finding> {
  yield runtime();
  yield gitFinding(workspace);
  yield agentsFinding(workspace);
  yield* selfTest();
  for (const scoped of workspace.stores) yield* storeFindings(scoped);
  const project = modeIn(workspace.modes, "project");
  if (project.mode === "off") {
    yield switchedOff(project);
    return;
  }
  yield* skillFindings(workspace);
  yield* unmade(workspace);
  yield elsewhere(workspace);
  yield* leftovers(workspace);
}

/** When the project's memory is off, doctor does not look for its notes. */
function switchedOff({ reason }: ModeChoice): Finding {
  return {
    check: "mode",
    level: "ok",
    result: `memory of this project is off (${reason ?? "settings"}); memdir opened none of its directories`,
    why: "off means that no command reads or writes anything, doctor included",
  };
}

/** What renamed and moved checkouts left behind; one finding each. */
function* leftovers({ locations }: OpenWorkspace): Generator<Finding> {
  for (const { kind, message, remedy } of examineProjects(locations))
    yield {
      check: `projects: ${kind}`,
      level: "warn",
      result: message,
      why: "no session reads these notes until you bring them here",
      remedy,
    };
}

/** Yields nothing when skills are not used. */
function* skillFindings(workspace: OpenWorkspace): Generator<Finding> {
  const counts = countSkills(workspace);
  const line = skillsLine(counts);
  if (line === undefined) return;
  const odd = [
    ...counts.damaged,
    ...counts.changedCopies.map((file) => `${file} was changed by hand and is yours now`),
  ];
  yield {
    check: "skills",
    level: counts.damaged.length === 0 ? "ok" : "warn",
    result: [line, ...odd.slice(0, 5)].join("; "),
    why: "skills that memdir learnt are trusted only on evidence; a SKILL.md that clients cannot read is never used",
    ...(counts.damaged.length > 0 && { remedy: "fix or remove the file that is named" }),
  };
  const obstacle = obstacleTo(openShelf(workspace).skills);
  yield {
    check: "skills: checks",
    level: "ok",
    result: obstacle === undefined ? "can be run in isolation" : `memdir runs none and only observes: ${obstacle}`,
    why: "a skill's check runs without home and network, or not at all",
  };
}

function runtime(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const engine = major > 22 || (major === 22 && minor >= 13) ? "node:sqlite" : "libsql";
  return {
    check: "runtime",
    level: major > 20 || (major === 20 && minor >= 19) ? "ok" : "fail",
    result: `Node ${process.versions.node} with ${engine}`,
    why: "memdir needs Node 20.19 or newer; the index uses the SQLite that comes with it, or libsql",
    ...(major < 20 && { remedy: "install a current Node" }),
  };
}

function gitFinding(workspace: OpenWorkspace): Finding {
  const found = workspace.locations.hasGit();
  return {
    check: "git",
    level: found ? "ok" : "warn",
    result: found ? "found" : "not found",
    why: "history is kept in a git repository outside your notes, or without git in the journal",
    ...(!found && { remedy: "install git; memdir loses nothing meanwhile" }),
  };
}

function agentsFinding({ locations }: OpenWorkspace): Finding {
  const all = installedAgents(installPlace(locations));
  const { text, problem } = installedLine(all);
  return {
    check: "agents",
    level: problem !== undefined ? "fail" : all.length === 0 ? "warn" : "ok",
    result: problem ?? text,
    why:
      all.length === 0
        ? "notes come to an agent, and from it, once it is connected"
        : "clients start memdir by the paths in their settings, so these must exist",
    ...(all.length === 0 && { remedy: "memdir install" }),
    ...(problem !== undefined && {
      remedy: `memdir install ${all
        .filter(({ missing }) => missing.length > 0)
        .map(({ agent }) => agent)
        .join(" ")}`,
    }),
  };
}

/** Writes, recalls and forgets a note in a scratch store, then searches the disk for its bytes. */
async function* selfTest(): AsyncGenerator<Finding> {
  const word = `lapwing${Math.random().toString(36).slice(2, 10)}`;
  const scratch = openScratch();
  const why = "memdir saves, recalls and purges a note in a scratch directory, with the code that your notes use";
  try {
    const saved = await remember(scratch, {
      type: "project",
      name: `${word} nests`,
      body: `The ${word} nests in the north tower of the lighthouse.`,
    });
    yield { check: "self-test: write", level: saved.outcome === "created" ? "ok" : "fail", result: saved.outcome, why };
    const recalled = recallNotes(scratch, `where does the ${word} nest in the lighthouse?`);
    const found = saved.outcome === "created" && recalled.selected.some(({ file }) => file === saved.ref.file);
    yield { check: "self-test: recall", level: found ? "ok" : "fail", result: found ? "found" : "not found", why };
    if (saved.outcome === "created") forgetNote(scratch, saved.ref);
    scratch.close();
    const traces = filesWith(scratch.root, word);
    yield {
      check: "self-test: forget",
      level: traces.length === 0 ? "ok" : "fail",
      result: traces.length === 0 ? "no trace left" : `still in ${traces.join(", ")}`,
      why,
    };
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    yield { check: "self-test", level: "fail", result: error.message, why };
  } finally {
    fs.rmSync(scratch.root, { recursive: true, force: true });
  }
}

function filesWith(directory: string, word: string): string[] {
  return fs.readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(directory, entry.name);
    if (entry.isDirectory()) return filesWith(file, word);
    return entry.name.includes(word) || fs.readFileSync(file).includes(word) ? [file] : [];
  });
}

function* storeFindings({ scope, store }: ScopedStore): Generator<Finding> {
  const { skipped } = store.reconcile("full");
  const entries = store.index.entries();
  const superseded = entries.filter(({ supersededBy }) => supersededBy !== undefined).length;
  const odd = entries.filter(({ problems }) => problems.length > 0);
  const secret = filesWithSecrets(store);
  yield {
    check: `${scope}: notes`,
    level: odd.length + skipped.length + secret.length === 0 ? "ok" : "warn",
    result: `${countedNotes(entries.length - superseded, superseded)} in ${store.directory}${[...secret.slice(0, 5).map((file) => `; ${file}: holds what looks like a secret, which memdir shows nowhere; say where it is kept instead`), ...odd.slice(0, 5).map(({ file, problems }) => `; ${file}: ${problems[0]?.message ?? ""}`), ...skipped.slice(0, 5).map(({ file, reason }) => `; ${file}: ${reason}`)].join("")}`,
    why: "memdir reads every file, and names what looks wrong without changing it",
  };
  yield savingFinding(scope, store);
  yield indexFinding(scope, store);
  yield pageFinding(scope, store);
  yield historyFinding(scope, store);
}

/** Files into which a user wrote what looks like a secret; memdir itself lets none through. */
function filesWithSecrets({ index, read }: ScopedStore["store"]): readonly string[] {
  return [...index.entries().map(({ file }) => file), INDEX_FILE].filter((file) => {
    const bytes = read(file);
    return bytes !== undefined && findSecrets(new TextDecoder().decode(bytes)).length > 0;
  });
}

/** Opens the history, as `history`, `undo` and `forget` do: what stops this would stop them too. */
function historyFinding(scope: string, store: ScopedStore["store"]): Finding {
  const faults = historyFaults(store);
  return {
    check: `${scope}: history`,
    level: faults.length === 0 ? "ok" : "fail",
    result: faults.length === 0 ? "sound" : faults.join("; "),
    why: "the journal goes into the history, and git checks every object of it",
    ...(faults.length > 0 && {
      remedy: `move ${store.state}/history.git and ${store.state}/journal.jsonl to another place: a new history starts from the notes as they are`,
    }),
  };
}

function historyFaults(store: ScopedStore["store"]): readonly string[] {
  try {
    store.history();
    return store.verify();
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    // Missing write access, a full disk or another writer's lock is reported by the finding about saving.
    return error.code === "permission" || error.code === "locked" || error.code === "disk-full"
      ? store.verify()
      : [error.message];
  }
}

/** A project store that does not exist yet: it must be possible to create it and its state. */
function* unmade({ locations, modes }: OpenWorkspace): Generator<Finding> {
  const [first] = locations.stores;
  if (first === undefined || fs.existsSync(first.directory) || !mayWrite(modeIn(modes, first.scope).mode)) return;
  const problems = obstaclesToFirst(first);
  yield {
    check: `${first.scope}: saving`,
    level: problems.length === 0 ? "ok" : "fail",
    result:
      problems.length === 0
        ? `notes can be saved; the first one creates ${first.directory}`
        : `notes cannot be saved: ${problems.join("; ")}`,
    why: "the first note creates the directory of notes and memdir's state for it",
    ...(problems.length > 0 && { remedy: `${MAKE_WRITABLE}, or choose another place` }),
  };
}

const MAKE_WRITABLE = "give your user write permission there, or mount the disk read-write";

/** Files written in place. One that belongs to another user blocks writing even in the user's own directory. */
const STATE_FILES = ["lock.db", "journal.jsonl", "journal.mark"];

function savingFinding(scope: string, { directory, state }: ScopedStore["store"]): Finding {
  const files = STATE_FILES.map((name) => path.join(state, name)).filter((file) => fs.existsSync(file));
  const problems = [
    ...[directory, state].flatMap((place) => obstacleToWriting(place) ?? []),
    ...files.flatMap((file) => obstacleToChanging(file) ?? []),
  ];
  return {
    check: `${scope}: saving`,
    level: problems.length === 0 ? "ok" : "fail",
    result: problems.length === 0 ? "notes can be saved" : `notes can be read but not saved: ${problems.join("; ")}`,
    why: "a note goes to a journal first, then to its directory",
    ...(problems.length > 0 && { remedy: MAKE_WRITABLE }),
  };
}

function indexFinding(scope: string, store: ScopedStore["store"]): Finding {
  const why = "the index is built again from the files; both must match";
  if (store.index.degraded !== undefined)
    return { check: `${scope}: index`, level: "warn", result: store.index.degraded, why };
  try {
    const before = store.index.digest();
    store.rebuildIndex();
    const same = before === store.index.digest();
    return {
      check: `${scope}: index`,
      level: same ? "ok" : "warn",
      result: same ? "matches the files" : "differed from the files; rebuilt",
      why,
    };
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return { check: `${scope}: index`, level: "warn", result: error.message, why };
  }
}

function pageFinding(scope: string, store: ScopedStore["store"]): Finding {
  const text = new TextDecoder().decode(store.read(INDEX_FILE) ?? new Uint8Array());
  const { lines, characters, cut, listed } = loadIndex(text);
  const loaded = new Set(listed);
  const live = store.index.entries().filter(({ supersededBy }) => supersededBy === undefined);
  const unlisted = live.map(({ file }) => file).filter((file) => !loaded.has(file));
  const dead = text
    .split("\n")
    .map(entryTarget)
    .filter((file) => file !== undefined && store.index.entry(file) === undefined && !file.includes("://"));
  const level = cut.length > 0 || dead.length > 0 ? "warn" : "ok";
  const notes = [
    cut.length > 0 ? `${counted(cut.length, "entry is", "entries are")} cut off by the client` : "",
    unlisted.length > 0 ? withoutLine(unlisted.length, unlisted.slice(0, 5)) : "",
    dead.length > 0 ? `lines without a note: ${dead.slice(0, 5).join(", ")}` : "",
  ].filter((part) => part !== "");
  return {
    check: `${scope}: MEMORY.md`,
    level,
    result: [`${counted(lines, "line")}, ${characters} characters`, ...notes].join("; "),
    why: "the client loads 200 lines and 25,000 characters of it; memdir keeps lines of your own",
    ...(level === "warn" && { remedy: "shorten or fix your own lines in it; memdir keeps its own within the limits" }),
  };
}

function elsewhere(workspace: OpenWorkspace): Finding {
  const notes = workspace.stores.find(({ scope }) => scope === "project")?.store.index.count() ?? 0;
  const others = findOtherStores(workspace.locations, notes);
  return {
    check: "identity",
    level: others.length === 0 ? "ok" : "warn",
    result:
      others.length === 0
        ? "no notes of this project elsewhere"
        : others.map(({ directory, reason }) => `${directory} (${reason})`).join("; "),
    why: "a renamed, moved or cloned checkout gets another directory; memdir looks for its old notes",
    ...(others[0] !== undefined && { remedy: `memdir link '${others[0].directory}'` }),
  };
}
