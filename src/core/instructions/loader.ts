import type { Place } from "./clients/client.ts";
import { decodeFile, decodeRaw } from "./ports.ts";
import type {
  InstructionScope,
  InstructionSection,
  InstructionSet,
  LoadReason,
  NotLoaded,
  SectionFlag,
  WaitingRule,
} from "./section.ts";

/** Files with more characters than this load whole and are flagged. */
const LARGE_CHARACTERS = 40_000;

/** A file that a client would load, not yet looked up. */
export interface Candidate {
  readonly path: string;
  /** `undefined` when the client shows the file without a label. */
  readonly label: string | undefined;
  readonly scope: InstructionScope;
  readonly reason: LoadReason;
  readonly importedBy?: string;
  readonly touched?: string;
  readonly flags?: readonly SectionFlag[];
}

/** A file that was read, before the client's own rules change its text. */
export interface LoadedFile {
  readonly candidate: Candidate;
  readonly realPath: string;
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly flags: readonly SectionFlag[];
}

/** How a client reads files. */
export interface Reading {
  /** `keep`: a byte order mark at the start is part of the text. */
  readonly byteOrderMark: "keep" | "drop";
  /** By what candidates count as the same file, which is then shown once. */
  readonly once: "real-path" | "path" | "never";
}

export interface ShownText {
  readonly text: string;
  readonly flags?: readonly SectionFlag[];
  readonly paths?: readonly string[];
}

/**
 * Reads candidates, each real file once, and records the outcome of each. One loader is one session: a loaded file is
 * not loaded again.
 */
export class Loader {
  private readonly seen = new Set<string>();
  private sections: InstructionSection[] = [];
  private excluded: NotLoaded[] = [];
  private pending: NotLoaded[] = [];
  private unreadable: NotLoaded[] = [];
  private missing: NotLoaded[] = [];
  private waiting: WaitingRule[] = [];
  private readonly place: Place;
  private readonly reading: Reading;

  constructor(place: Place, reading: Reading) {
    this.place = place;
    this.reading = reading;
  }

  /** Reads a file unless read before; `undefined` when there is nothing to load. Failed reads are recorded. */
  read(candidate: Candidate): LoadedFile | undefined {
    const { path, importedBy } = candidate;
    const because = importedBy === undefined ? {} : { importedBy };
    const realPath = this.place.files.realPath(path);
    if (realPath === undefined) {
      if (this.place.files.kind(path) !== undefined)
        this.unreadable.push({ path, why: "a symbolic link that leads nowhere or in a circle", ...because });
      return undefined;
    }
    const identity = this.reading.once === "path" ? path : realPath;
    if (this.reading.once !== "never" && this.seen.has(identity)) return undefined;
    const file = this.place.files.read(path);
    if (file.state === "absent") return undefined;
    this.seen.add(identity);
    if (file.state === "unreadable") {
      this.unreadable.push({ path, why: file.why, ...because });
      return undefined;
    }
    const decoded = this.reading.byteOrderMark === "keep" ? decodeRaw(file.bytes) : decodeFile(file.bytes);
    const isLink = realPath !== path && this.place.files.kind(path) === "link";
    return {
      candidate,
      realPath,
      bytes: file.bytes,
      text: decoded.text,
      flags: [...decoded.flags, ...(isLink ? (["link"] as const) : []), ...(candidate.flags ?? [])],
    };
  }

  /** Adds a file to the context as the client shows it. */
  show(file: LoadedFile, shown: ShownText): void {
    const { path, label, scope, reason, importedBy, touched } = file.candidate;
    const flags = [...file.flags, ...(shown.flags ?? [])];
    if (shown.text.length > LARGE_CHARACTERS) flags.push("over-40000");
    this.sections.push({
      path,
      label,
      scope,
      reason,
      importedBy,
      characters: shown.text.length,
      flags: [...new Set(flags)],
      text: shown.text,
      ...(shown.paths !== undefined && { paths: shown.paths }),
      ...(touched !== undefined && { touched }),
    });
  }

  /** Records a file with nothing that the client would show. */
  skipEmpty({ candidate: { path, importedBy } }: LoadedFile): void {
    this.excluded.push({ path, why: "it is empty", ...(importedBy !== undefined && { importedBy }) });
  }

  /** Records a file whose text is part of its importer's. */
  showInlined(candidate: Candidate, characters: number): void {
    const { path, label, scope, reason, importedBy } = candidate;
    this.sections.push({ path, label, scope, reason, importedBy, characters, flags: ["inlined"], text: "" });
  }

  isLoaded(realPath: string): boolean {
    return this.seen.has(realPath);
  }

  /** Marks a file as loaded without reading it: it was shown already. */
  markLoaded(realPath: string): void {
    this.seen.add(realPath);
  }

  /** Lets a waiting rule's file be read again. */
  release(realPath: string): void {
    this.seen.delete(realPath);
  }

  exclude(entry: NotLoaded): void {
    this.excluded.push(entry);
  }

  defer(entry: NotLoaded): void {
    if (!this.pending.some(({ path, importedBy }) => path === entry.path && importedBy === entry.importedBy))
      this.pending.push(entry);
  }

  fail(entry: NotLoaded): void {
    this.unreadable.push(entry);
  }

  miss(entry: NotLoaded): void {
    this.missing.push(entry);
  }

  wait(rule: WaitingRule): void {
    this.waiting.push(rule);
  }

  /** What was gathered since the last call. */
  take(): InstructionSet {
    const { sections, unreadable, missing, waiting } = this;
    // A file refused by one path but loaded by another is loaded.
    const loaded = new Set(sections.map(({ path }) => path));
    const excluded = this.excluded.filter(({ path }) => !loaded.has(path));
    const pending = this.pending.filter(({ path }) => !loaded.has(path));
    this.sections = [];
    this.excluded = [];
    this.pending = [];
    this.unreadable = [];
    this.missing = [];
    this.waiting = [];
    return { sections, excluded, pending, unreadable, missing, waiting };
  }
}
