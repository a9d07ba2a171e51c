import { type Candidate, Loader } from "../loader.ts";
import { directoriesDownTo, isInside, join, parentOf, resolvePath } from "../paths.ts";
import type { InstructionSet } from "../section.ts";
import { record } from "../../shared/json.ts";
import { readSettings, type Settings, strings } from "../settings.ts";
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
  /** Where the session starts, and the directories that the settings add to it. */
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
    // Each file once by the outermost of its paths, then by code units of the whole path, as the client sorts.
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

/** `context.fileName`, and the older `contextFileName`. */
function contextOf(settings: Settings): Settings {
  const older = settings["contextFileName"];
  return { ...(older !== undefined && { fileName: older }), ...record(settings["context"]) };
}
