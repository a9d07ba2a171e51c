import { type FrontmatterCodec, splitFrontmatter } from "../../core/notes/frontmatter.ts";
import { parseNote } from "../../core/notes/parse-note.ts";
import { counted } from "../../core/shared/text.ts";
import { type JsonObject, isObject, parseLine, stringOf } from "../../core/transcripts/turn.ts";
import {
  candidate,
  candidatesOfItems,
  candidatesOfSections,
  type ImportCandidate,
  type ImportKind,
  joined,
  orSkipped,
  placeOf,
  type ReadCandidates,
  skippedPiece,
  type SourceFile,
  titleOf,
} from "./candidate.ts";
import { db0Candidates, isDayFile } from "./import-days.ts";
import { entriesOf } from "./hermes-entries.ts";

/** The memories in the files of a tool, and what is skipped. Never throws. */
export function candidatesIn(kind: ImportKind, files: readonly SourceFile[], codec: FrontmatterCodec): ReadCandidates {
  return joined(files.map((file) => readSource(kind, file, codec)));
}

function readSource(kind: ImportKind, file: SourceFile, codec: FrontmatterCodec): ReadCandidates {
  switch (kind) {
    case "claude-code":
      return isIndex(file) ? ownIndexLines(file) : noteCandidate(file, codec);
    case "codex":
      return orSkipped(
        file.path,
        file.path.includes("/")
          ? candidate(file.path, titleOf(file.path), splitFrontmatter(file.text).body)
          : candidatesOfSections(file, titleOf(file.path)),
      );
    case "gemini":
      return geminiCandidates(file, codec);
    case "server-memory":
      return serverMemoryCandidates(file);
    case "basic-memory":
      return orSkipped(file.path, basicMemoryCandidate(file, codec));
    case "openclaw":
      if (isDayFile(file.path)) return { candidates: [], skipped: [] };
      return orSkipped(
        file.path,
        isIndex(file) ? candidatesOfItems(file, "Long-term memory") : candidatesOfSections(file, titleOf(file.path)),
      );
    case "db0":
      return ["db0_state", "db0_log"].includes(file.path) ? { candidates: [], skipped: [] } : db0Candidates(file);
    case "hermes":
      return orSkipped(file.path, hermesEntries(file));
  }
}

/** Entries separated by a line `§`; those of USER.md are about the user. */
function hermesEntries({ path, text }: SourceFile): readonly ImportCandidate[] {
  const isOfPerson = /(?:^|\/)USER\.md$/u.test(path);
  return entriesOf(text).flatMap((entry) =>
    candidate(placeOf(path, entry), "", entry, isOfPerson ? { type: "user" } : {}),
  );
}

function isIndex({ path }: SourceFile): boolean {
  return /(?:^|\/)MEMORY\.md$/u.test(path);
}

/** The index is regenerated from the notes; other lines that the user wrote into it are reported. */
function ownIndexLines({ path, text }: SourceFile): ReadCandidates {
  const [first, ...more] = text
    .split(/\r\n?|\n/u)
    .flatMap((line, at) =>
      /^\s*(?:$|#|<!--|[-*+]\s*(?:\[[^\]]*\]\(|\(\d+ more notes? ))/u.test(line) ? [] : [at + 1],
    );
  return first === undefined
    ? { candidates: [], skipped: [] }
    : skippedPiece(
        path,
        `${counted(more.length + 1, "line")} of the index that ${more.length === 0 ? "names" : "name"} no note`,
        first,
      );
}

/** A note in memdir's own form, imported with its whole frontmatter. */
function noteCandidate(file: SourceFile, codec: FrontmatterCodec): ReadCandidates {
  const note = parseNote(file.path, Buffer.from(file.text), codec);
  if (note.supersededBy !== undefined) return skippedPiece(file.path, "another note superseded it");
  const isReadable =
    splitFrontmatter(file.text).state === "closed" &&
    !note.problems.some(({ code }) => code === "malformed-frontmatter");
  const original = {
    text: file.text,
    pinned: note.pinned,
    ...(file.changed !== undefined && note.modified === undefined && { changed: file.changed }),
  };
  const found = candidate(file.path, note.name, note.body, {
    description: note.description,
    ...(note.type === undefined ? {} : { type: note.type }),
  });
  return orSkipped(file.path, isReadable ? found.map((one) => ({ ...one, original })) : found);
}

/** Notes next to an index of links, the index's own text, and the list in GEMINI.md of older versions. */
function geminiCandidates(file: SourceFile, codec: FrontmatterCodec): ReadCandidates {
  if (/(?:^|\/)GEMINI\.md$/u.test(file.path))
    return orSkipped(
      file.path,
      addedMemories(file),
      "it has no list of added memories, and its instructions are not notes",
    );
  if (!isIndex(file)) return noteCandidate(file, codec);
  const own = file.text
    .split("\n")
    .filter((line) => !/^\s*[-*]\s*\[[^\]]*\]\([^)]*\.md\)/u.test(line))
    .join("\n");
  return { candidates: candidatesOfSections({ ...file, text: own }, "Gemini memory"), skipped: [] };
}

function addedMemories({ path, text }: SourceFile): readonly ImportCandidate[] {
  const [, list = ""] =
    /^## Gemini Added Memories[ \t]*\n([\s\S]*?)(?=^#{1,2} |$(?![\s\S]))/mu.exec(text.replace(/\r\n?/gu, "\n")) ?? [];
  return list
    .split(/^[-*] /mu)
    .slice(1)
    .flatMap((fact) => candidate(`${path}#Gemini Added Memories: ${fact.trim().slice(0, 60)}`, "", fact));
}

/** Lines `{"type":"entity","name","entityType","observations"}` and `{"type":"relation","from","to","relationType"}`. */
function serverMemoryCandidates({ path, text }: SourceFile): ReadCandidates {
  const lines = text
    .split("\n")
    .flatMap((line, at) => (line.trim() === "" ? [] : [{ at: at + 1, read: parseLine(line) }]));
  const records = lines.flatMap(({ at, read }) => (read.ok ? [{ at, record: read.record }] : []));
  const relations = records.map(({ record }) => record).filter(({ type }) => type === "relation");
  const names = new Set(
    records.flatMap(({ record }) => (record["type"] === "entity" ? (stringOf(record["name"]) ?? []) : [])),
  );
  return joined(
    lines.map(({ at, read }) => {
      if (!read.ok) return skippedPiece(path, read.problem.startsWith("not JSON") ? "not JSON" : read.problem, at);
      const { record } = read;
      if (record["type"] === "relation")
        return names.has(stringOf(record["from"]) ?? "")
          ? { candidates: [], skipped: [] }
          : skippedPiece(path, "a relation from an entity that is not there", at);
      return record["type"] === "entity"
        ? entityCandidate(path, at, record, relations)
        : skippedPiece(path, "neither an entity nor a relation", at);
    }),
  );
}

function entityCandidate(
  path: string,
  at: number,
  entity: JsonObject,
  relations: readonly JsonObject[],
): ReadCandidates {
  const name = stringOf(entity["name"]) ?? "";
  const given: readonly unknown[] = Array.isArray(entity["observations"]) ? entity["observations"] : [];
  const observations = given.flatMap((one) =>
    typeof one === "string" ? one : isObject(one) ? (stringOf(one["content"]) ?? []) : [],
  );
  const facts = [
    ...observations.map((one) => `- ${one}`),
    ...relations
      .filter(({ from }) => from === name)
      .map((one) => `- ${stringOf(one["relationType"]) ?? "relates to"} ${stringOf(one["to"]) ?? ""}`),
  ];
  if (name === "") return skippedPiece(path, "an entity without a name", at);
  if (facts.length === 0) return skippedPiece(path, "an entity of which nothing is said", at);
  const kind = stringOf(entity["entityType"]);
  const candidates = candidate(`${path}#${name}`, name, facts.join("\n"), {
    description: `${name}${kind === undefined ? "" : ` (${kind})`}: ${facts[0]?.slice(2) ?? ""}`,
  });
  const odd = given.length - observations.length;
  return {
    candidates,
    skipped: odd === 0 ? [] : [{ path, line: at, why: `${counted(odd, "observation")} without a text` }],
  };
}

/** A note with `- [category] fact #tag` and `- relation [[Target]]` lines; being Markdown, it stays unchanged. */
function basicMemoryCandidate(file: SourceFile, codec: FrontmatterCodec): readonly ImportCandidate[] {
  const { block, body } = splitFrontmatter(file.text);
  const { data } = codec.read(block);
  const title = stringOf(data["title"]) ?? titleOf(file.path);
  const text = body.replace(/^\s*# [^\n]*\n/u, "");
  const fact = /^\s*- \[[^\]\n]+\]\s+(.+?)(?:\s+#\S+)*\s*$/mu.exec(text)?.[1];
  return candidate(stringOf(data["permalink"]) ?? file.path, title, text, {
    description: fact === undefined ? title : `${title}: ${fact}`,
  });
}
