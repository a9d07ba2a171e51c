import { type Candidate, Loader } from "../loader.ts";
import { directoriesDownTo, isInside, join, parentOf } from "../paths.ts";
import type { InstructionSet } from "../section.ts";
import { readSettings, record, type Settings, strings } from "../settings.ts";
import type { ClientProfile, ClientView, Place } from "./client.ts";
import { inlineImports } from "./gemini-imports.ts";

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
  private readonly root: string;

  constructor(place: Place) {
    this.place = place;
    this.loader = new Loader(place, { text: "raw", once: true });
    this.directory = join(place.variables["GEMINI_CLI_HOME"] || place.home, ".gemini");
    const settings = [join(this.directory, "settings.json"), join(place.cwd, ".gemini/settings.json")].map((path) => contextOf(readSettings(place.files, path)));
    const names = settings.findLast((context) => strings(context["fileName"]).length > 0)?.["fileName"];
    this.names = [...new Set(names === undefined ? ["GEMINI.md"] : strings(names))];
    const markers = settings.findLast((context) => Array.isArray(context["memoryBoundaryMarkers"]))?.["memoryBoundaryMarkers"];
    this.root = this.rootBy(markers === undefined ? [".git"] : strings(markers));
  }

  start(): InstructionSet {
    for (const name of this.names) this.file({ path: join(this.directory, name), label: "global context", scope: "user", reason: "session-start" });
    const directories = directoriesDownTo(this.place.cwd).filter((directory) => isInside(directory, this.root));
    // Code units of the whole path, as the client sorts.
    const paths = directories.flatMap((directory) => this.names.map((name) => join(directory, name))).toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    for (const path of paths) this.file({ path, label: "project context", scope: "project", reason: "session-start" });
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
    const inlined = inlineImports(this.place.files, candidate.path, file.text);
    this.loader.show(file, { text: inlined.text.trim() });
    for (const { path, importedBy, characters } of inlined.imports) this.loader.showInlined({ ...candidate, path, importedBy, reason: "include" }, characters);
    for (const { path, importedBy, why, outside } of inlined.failed) {
      if (outside) this.loader.exclude({ path, importedBy, why: "outside the project; the client never imports it" });
      else if (why.startsWith("ENOENT")) this.loader.miss({ path, importedBy, why: "there is no such file" });
      else this.loader.fail({ path, importedBy, why });
    }
  }

  private rootBy(markers: readonly string[]): string {
    const { cwd, files } = this.place;
    return directoriesDownTo(cwd).toReversed().find((directory) => markers.some((marker) => files.kind(join(directory, marker)) !== undefined)) ?? cwd;
  }
}

/** `context.fileName`, and the older `contextFileName`. */
function contextOf(settings: Settings): Settings {
  const older = settings["contextFileName"];
  return { ...(older !== undefined && { fileName: older }), ...record(settings["context"]) };
}
