import { type Candidate, Loader } from "../loader.ts";
import { directoriesDownTo, isInside, join, parentOf, resolvePath } from "../paths.ts";
import type { InstructionSet } from "../section.ts";
import { record } from "../../shared/json.ts";
import { readSettings, type Settings, strings, decodeRaw, type InstructionFiles } from "../ports.ts";
import type { ClientProfile, ClientView, Place } from "./client.ts";

/** A file at this depth is still inlined; its own imports stay as text. */
const DEEPEST = 5;

interface Inlined {
  readonly text: string;
  /** Inlined files, in order. */
  readonly imports: readonly { readonly path: string; readonly importedBy: string; readonly characters: number }[];
  readonly failed: readonly {
    readonly path: string;
    readonly importedBy: string;
    readonly why: string;
    readonly outside: boolean;
  }[];
}

interface Inlining {
  readonly files: InstructionFiles;
  readonly root: string;
  readonly imports: { path: string; importedBy: string; characters: number }[];
  readonly failed: { path: string; importedBy: string; why: string; outside: boolean }[];
}

/** Replaces each `@path` by the imported file, which must be below the project's root, as Gemini CLI does. */
function inlineImports(files: InstructionFiles, path: string, text: string, markers: readonly string[]): Inlined {
  const root = rootAbove(files, parentOf(path), markers);
  const state: Inlining = { files, root: files.realPath(root) ?? root, imports: [], failed: [] };
  return { text: expand(state, path, text, []), imports: state.imports, failed: state.failed };
}

/** The nearest directory above with one of the markers, else the directory itself. */
function rootAbove(files: InstructionFiles, directory: string, markers: readonly string[]): string {
  return (
    directoriesDownTo(directory)
      .toReversed()
      .find((one) => markers.some((marker) => files.kind(join(one, marker)) !== undefined)) ?? directory
  );
}

function expand(state: Inlining, path: string, text: string, chain: readonly string[]): string {
  if (chain.length >= DEEPEST) return text;
  let out = "";
  let from = 0;
  for (const { start, end, target } of mentions(text)) {
    out += text.slice(from, start) + replacement(state, path, target, chain);
    from = end;
  }
  return out + text.slice(from);
}

function replacement(state: Inlining, importedBy: string, target: string, chain: readonly string[]): string {
  const path = resolvePath(parentOf(importedBy), target);
  const fail = (why: string, outside: boolean): string => {
    state.failed.push({ path, importedBy, why, outside });
    return `<!-- Import failed: ${target} - ${why} -->`;
  };
  const real = state.files.realPath(path) ?? path;
  if (/^(?:file|https?):\/\//u.test(target) || !isInside(real, state.root)) return fail("Path traversal attempt", true);
  if (chain.includes(path)) return `<!-- File already processed: ${target} -->`;
  const file = state.files.read(path);
  if (file.state === "absent") return fail(`ENOENT: no such file or directory, access '${path}'`, false);
  if (file.state === "unreadable")
    return fail(
      state.files.kind(real) === "directory" ? "EISDIR: illegal operation on a directory, read" : file.why,
      false,
    );
  const { text } = decodeRaw(file.bytes);
  state.imports.push({ path, importedBy, characters: text.length });
  return `<!-- Imported from: ${target} -->\n${expand(state, path, text, [...chain, path])}\n<!-- End of import from: ${target} -->`;
}

/** `@path` after white space, up to the next white space; not between equal runs of backticks. */
function mentions(text: string): { readonly start: number; readonly end: number; readonly target: string }[] {
  if (!text.includes("@")) return [];
  const code = codeRegions(text);
  let at = 0;
  return [...text.matchAll(/(?<![^ \t\r\n])@([./A-Za-z][^ \t\r\n]*)/gu)].flatMap((match) => {
    const start = match.index;
    while ((code[at]?.end ?? Number.POSITIVE_INFINITY) <= start) at++;
    const region = code[at];
    return region !== undefined && region.start <= start
      ? []
      : [{ start, end: start + match[0].length, target: match[1] ?? "" }];
  });
}

/** From a run of backticks to the next run of the same length, possibly within a longer run. */
function codeRegions(text: string): { readonly start: number; readonly end: number }[] {
  const regions: { start: number; end: number }[] = [];
  /** Runs that do not occur again later. */
  const gone = new Set<string>();
  for (let at = text.indexOf("`"); at !== -1;) {
    let stop = at;
    while (text[stop] === "`") stop++;
    let end = -1;
    for (let length = stop - at; length > 0 && end === -1; length--) {
      const run = "`".repeat(length);
      if (gone.has(run)) continue;
      const close = text.indexOf(run, at + length);
      if (close === -1) gone.add(run);
      else end = close + length;
    }
    if (end !== -1) regions.push({ start: at, end });
    at = text.indexOf("`", end === -1 ? at + 1 : end);
  }
  return regions;
}

/** Gemini CLI, as observed with 0.61.0. */
export const gemini: ClientProfile = {
  agent: "gemini",
  title: "Gemini CLI",
  open: (place) => new GeminiView(place),
};

class GeminiView implements ClientView {
  private readonly place: Place;
  private readonly loader: Loader;
  private readonly directory: string;
  private readonly names: readonly string[];
  private readonly markers: readonly string[];
  /** The working directory, and the directories that the settings add. */
  private readonly starts: readonly string[];

  constructor(place: Place) {
    this.place = place;
    this.loader = new Loader(place, { byteOrderMark: "keep", once: "real-path" });
    this.directory = join(place.variables["GEMINI_CLI_HOME"] || place.home, ".gemini");
    const settings = [join(this.directory, "settings.json"), join(place.cwd, ".gemini/settings.json")].map((path) =>
      contextOf(readSettings(place.files, path)),
    );
    const names = settings.findLast((context) => strings(context["fileName"]).length > 0)?.["fileName"];
    this.names = [...new Set([...strings(names), "GEMINI.md"])];
    const markers = settings.findLast((context) => Array.isArray(context["memoryBoundaryMarkers"]))?.[
      "memoryBoundaryMarkers"
    ];
    this.markers = markers === undefined ? [".git"] : strings(markers);
    const added = settings.flatMap((context) => strings(context["includeDirectories"]));
    this.starts = [
      place.cwd,
      ...added.map((path) => (path.startsWith("~/") ? join(place.home, path.slice(2)) : resolvePath(place.cwd, path))),
    ];
  }

  start(): InstructionSet {
    for (const name of this.names)
      this.file({ path: join(this.directory, name), label: "global context", scope: "user", reason: "session-start" });
    const directories = this.starts.flatMap((start) => this.directories(start, start));
    // Each file once, by its outermost path, then by code units of the whole path, as the client sorts.
    const { files } = this.place;
    const seen = new Set<string>();
    const paths = directories
      .flatMap((directory) => this.names.map((name) => join(directory, name)))
      .filter((path) => {
        const real = files.realPath(path);
        const isNew = real === undefined || !seen.has(real);
        if (real !== undefined) seen.add(real);
        return isNew;
      });
    for (const path of paths.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)))
      this.file({ path, label: "project context", scope: "project", reason: "session-start" });
    return this.loader.take();
  }

  touched(paths: readonly string[]): InstructionSet {
    for (const touched of paths) {
      const start = this.starts.filter((one) => isInside(touched, one)).toSorted((a, b) => b.length - a.length)[0];
      if (start === undefined) continue;
      for (const directory of this.directories(parentOf(touched), start))
        for (const name of this.names)
          this.file({
            path: join(directory, name),
            label: "newly discovered project context",
            scope: "project",
            reason: "nested-traversal",
            touched,
          });
    }
    return this.loader.take();
  }

  /** From the root above a start down to a directory below it. */
  private directories(last: string, start: string): string[] {
    const root = rootAbove(this.place.files, start, this.markers);
    return directoriesDownTo(last).filter((directory) => isInside(directory, root));
  }

  private file(candidate: Candidate): void {
    const file = this.loader.read(candidate);
    if (file === undefined) return;
    const inlined = inlineImports(this.place.files, candidate.path, file.text, this.markers);
    const text = inlined.text.trim();
    if (text === "") return this.loader.skipEmpty(file);
    this.loader.show(file, { text });
    for (const { path, importedBy, characters } of inlined.imports)
      this.loader.showInlined({ ...candidate, path, importedBy, reason: "include" }, characters);
    for (const { path, importedBy, why, outside } of inlined.failed) {
      if (outside) this.loader.exclude({ path, importedBy, why: "outside the project; the client never imports it" });
      else if (why.startsWith("ENOENT")) this.loader.miss({ path, importedBy, why: "there is no such file" });
      else this.loader.fail({ path, importedBy, why });
    }
  }
}

/** `context.fileName`, or the older `contextFileName`. */
function contextOf(settings: Settings): Settings {
  const older = settings["contextFileName"];
  return { ...(older !== undefined && { fileName: older }), ...record(settings["context"]) };
}
