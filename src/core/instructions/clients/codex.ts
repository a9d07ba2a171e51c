import { record } from "../../shared/json.ts";
import { decodeRaw } from "../ports.ts";
import { type Candidate, Loader, type LoadedFile } from "../loader.ts";
import { directoriesDownTo, isInside, join, resolvePath } from "../paths.ts";
import type { InstructionSet } from "../section.ts";
import type { ClientProfile, ClientView, Place } from "./client.ts";

/** Most bytes of all project files together. */
const PROJECT_BYTES = 32_768;

/** Codex CLI, as observed with 0.169.0: no imports, nothing on demand, files unchanged. */
export const codex: ClientProfile = {
  agent: "codex",
  title: "Codex",
  open: (place) => new CodexView(place),
};

class CodexView implements ClientView {
  private readonly place: Place;
  private readonly loader: Loader;
  private readonly home: string;
  private readonly settings: CodexSettings;

  constructor(place: Place) {
    this.place = place;
    this.loader = new Loader(place, { byteOrderMark: "keep", once: "never" });
    const given = place.variables["CODEX_HOME"];
    this.home = given === undefined || given === "" ? join(place.home, ".codex") : resolvePath(place.cwd, given);
    this.settings = readSettings(place, join(this.home, "config.toml"));
  }

  start(): InstructionSet {
    this.userFile();
    this.projectFiles();
    return this.loader.take();
  }

  touched(): InstructionSet {
    return this.loader.take();
  }

  /** Shows the first non-empty file. */
  private userFile(): void {
    for (const name of ["AGENTS.override.md", "AGENTS.md"]) {
      const file = this.loader.read({
        path: join(this.home, name),
        label: "AGENTS.md instructions",
        scope: "user",
        reason: "session-start",
      });
      const text = file?.text.replace(/^\p{White_Space}+|\p{White_Space}+$/gu, "") ?? "";
      if (file === undefined) continue;
      if (text !== "") return this.loader.show(file, { text });
      this.loader.skipEmpty(file);
    }
  }

  private projectFiles(): void {
    const directories = this.directories();
    const chosen = directories.map((directory) => this.candidateIn(directory));
    const loop = chosen.find((one) => one?.loop === true);
    if (loop !== undefined) {
      const why = `${loop.path} is a symbolic link in a circle: the client then shows no project file at all`;
      for (const one of chosen)
        if (one !== undefined && one.loop === false) this.loader.exclude({ path: one.path, why });
      this.loader.read(this.project(loop.path));
      return;
    }
    let remaining = this.budget();
    for (const one of chosen) {
      const file = one === undefined ? undefined : this.loader.read(this.project(one.path));
      if (file !== undefined) remaining -= this.showWithin(file, remaining);
    }
  }

  /** Shows what fits; returns the number of bytes shown. */
  private showWithin(file: LoadedFile, remaining: number): number {
    if (remaining <= 0) {
      this.loader.exclude({
        path: file.candidate.path,
        why: `the ${this.budget()} bytes for project files are used up`,
      });
      return 0;
    }
    const isCut = file.bytes.byteLength > remaining;
    const bytes = isCut ? file.bytes.subarray(0, remaining) : file.bytes;
    const { text } = decodeRaw(bytes);
    if (text.trim() === "") {
      this.loader.skipEmpty(file);
      return 0;
    }
    this.loader.show(file, { text, flags: isCut ? ["cut"] : [] });
    return bytes.byteLength;
  }

  private project(path: string): Candidate {
    return { path, label: `AGENTS.md instructions for ${this.place.cwd}`, scope: "project", reason: "session-start" };
  }

  /** From the project's root down to the working directory. */
  private directories(): string[] {
    const { cwd, files } = this.place;
    const markers = this.settings.rootMarkers;
    const above = directoriesDownTo(cwd);
    const root =
      above
        .toReversed()
        .find((directory) => markers.some((marker) => files.kind(join(directory, marker)) !== undefined)) ?? cwd;
    return above.filter((directory) => isInside(directory, root));
  }

  /** The first name that is a file; an empty override also hides the others. */
  private candidateIn(directory: string): { readonly path: string; readonly loop: boolean } | undefined {
    const { files } = this.place;
    for (const name of ["AGENTS.override.md", "AGENTS.md", ...this.fallbackNames()]) {
      const path = join(directory, name);
      const kind = files.kind(path);
      if (kind === undefined) continue;
      const real = files.realPath(path);
      if (real === undefined) {
        if (files.isLoop(path)) return { path, loop: true };
        continue;
      }
      if (files.kind(real) === "file") return { path, loop: false };
    }
    return undefined;
  }

  /** Names with a folder are ignored. */
  private fallbackNames(): readonly string[] {
    return this.settings.fallbackNames.map((name) => name.trim()).filter((name) => name !== "" && !name.includes("/"));
  }

  private budget(): number {
    return this.settings.budget;
  }
}

interface CodexSettings {
  readonly budget: number;
  readonly fallbackNames: readonly string[];
  readonly rootMarkers: readonly string[];
}

/** The user's settings. If the user trusts the project, its directories' settings override them, nearest last. */
function readSettings(place: Place, path: string): CodexSettings {
  const user = valuesOf(place, path);
  const root = place.gitRoot ?? place.cwd;
  const isTrusted = record(record(user["projects"])[root])["trust_level"] === "trusted";
  const projects = isTrusted ? directoriesDownTo(place.cwd).filter((directory) => isInside(directory, root)) : [];
  const layers = projects.map((directory) => valuesOf(place, join(directory, ".codex/config.toml")));
  const merged: Readonly<Record<string, unknown>> = Object.assign({}, user, ...layers);
  const budget = merged["project_doc_max_bytes"];
  return {
    budget: typeof budget === "number" ? budget : PROJECT_BYTES,
    fallbackNames: textsOf(merged["project_doc_fallback_filenames"]) ?? [],
    rootMarkers: textsOf(user["project_root_markers"]) ?? [".git"],
  };
}

function textsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : undefined;
}

function valuesOf(place: Place, path: string): Readonly<Record<string, unknown>> {
  const file = place.files.read(path);
  return file.state === "read" ? place.toml(new TextDecoder().decode(file.bytes)) : {};
}
