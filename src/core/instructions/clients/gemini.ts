import { type Candidate, Loader } from "../loader.ts";
import { directoriesDownTo, isInside, join, parentOf } from "../paths.ts";
import type { InstructionSet } from "../section.ts";
import { readSettings, record, type Settings, strings } from "../settings.ts";
import type { ClientProfile, ClientView, Place } from "./client.ts";
import { inlineImports, rootAbove } from "./gemini-imports.ts";

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
  private readonly root: string;

  constructor(place: Place) {
    this.place = place;
    this.loader = new Loader(place, { byteOrderMark: "keep", once: "real-path" });
    this.directory = join(place.variables["GEMINI_CLI_HOME"] || place.home, ".gemini");
    const settings = [join(this.directory, "settings.json"), join(place.cwd, ".gemini/settings.json")].map((path) => contextOf(readSettings(place.files, path)));
    const names = settings.findLast((context) => strings(context["fileName"]).length > 0)?.["fileName"];
    this.names = [...new Set([...strings(names), "GEMINI.md"])];
    const markers = settings.findLast((context) => Array.isArray(context["memoryBoundaryMarkers"]))?.["memoryBoundaryMarkers"];
    this.markers = markers === undefined ? [".git"] : strings(markers);
    this.root = rootAbove(place.files, place.cwd, this.markers);
  }

  start(): InstructionSet {
    for (const name of this.names) this.file({ path: join(this.directory, name), label: "global context", scope: "user", reason: "session-start" });
    const directories = directoriesDownTo(this.place.cwd).filter((directory) => isInside(directory, this.root));
    // Each file once by the outermost of its paths, then by code units of the whole path, as the client sorts.
    const { files } = this.place;
    const seen = new Set<string>();
    const paths = directories.flatMap((directory) => this.names.map((name) => join(directory, name))).filter((path) => {
      const real = files.realPath(path);
      const isNew = real === undefined || !seen.has(real);
      if (real !== undefined) seen.add(real);
      return isNew;
    });
    for (const path of paths.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))) this.file({ path, label: "project context", scope: "project", reason: "session-start" });
    return this.loader.take();
  }

  touched(paths: readonly string[]): InstructionSet {
    for (const touched of paths) {
      if (!isInside(touched, this.place.cwd)) continue;
      const directories = directoriesDownTo(parentOf(touched)).filter((directory) => isInside(directory, this.root));
      for (const directory of directories) for (const name of this.names) this.file({ path: join(directory, name), label: "newly discovered project context", scope: "project", reason: "nested-traversal", touched });
    }
    return this.loader.take();
  }

  private file(candidate: Candidate): void {
    const file = this.loader.read(candidate);
    if (file === undefined) return;
    const inlined = inlineImports(this.place.files, candidate.path, file.text, this.markers);
    const text = inlined.text.trim();
    if (text === "") return this.loader.skipEmpty(file);
    this.loader.show(file, { text });
    for (const { path, importedBy, characters } of inlined.imports) this.loader.showInlined({ ...candidate, path, importedBy, reason: "include" }, characters);
    for (const { path, importedBy, why, outside } of inlined.failed) {
      if (outside) this.loader.exclude({ path, importedBy, why: "outside the project; the client never imports it" });
      else if (why.startsWith("ENOENT")) this.loader.miss({ path, importedBy, why: "there is no such file" });
      else this.loader.fail({ path, importedBy, why });
    }
  }
}

/** `context.fileName`, and the older `contextFileName`. */
function contextOf(settings: Settings): Settings {
  const older = settings["contextFileName"];
  return { ...(older !== undefined && { fileName: older }), ...record(settings["context"]) };
}
