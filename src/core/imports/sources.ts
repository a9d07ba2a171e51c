import { type FrontmatterCodec, splitFrontmatter } from "../notes/frontmatter.ts";
import { parseNote } from "../notes/parse-note.ts";
import { isObject, parseLine, stringOf } from "../transcripts/record.ts";
import { candidate, candidatesOfSections, type ImportCandidate, type ImportKind, type SourceFile, titleOf } from "./candidate.ts";

/** What the files of a tool remember. Never throws: what cannot be understood is left out. */
export function candidatesIn(kind: ImportKind, files: readonly SourceFile[], codec: FrontmatterCodec): readonly ImportCandidate[] {
  switch (kind) {
    case "claude-code":
      return files.flatMap((file) => (isIndex(file) ? [] : noteCandidate(file, codec)));
    case "codex":
      return files.flatMap((file) => (file.path.includes("/") ? candidate(file.path, titleOf(file.path), splitFrontmatter(file.text).body) : candidatesOfSections(file, titleOf(file.path))));
    case "gemini":
      return files.flatMap((file) => geminiCandidates(file, codec));
    case "server-memory":
      return files.flatMap(serverMemoryCandidates);
    case "basic-memory":
      return files.flatMap((file) => basicMemoryCandidate(file, codec));
    case "openclaw":
      return files.flatMap((file) => candidatesOfSections(file, isIndex(file) ? "Long-term memory" : `Log of ${titleOf(file.path)}`));
  }
}

function isIndex({ path }: SourceFile): boolean {
  return /(?:^|\/)MEMORY\.md$/u.test(path);
}

function noteCandidate(file: SourceFile, codec: FrontmatterCodec): readonly ImportCandidate[] {
  const note = parseNote(file.path, Buffer.from(file.text), codec);
  if (note.supersededBy !== undefined) return [];
  return candidate(file.path, note.name, note.body, { description: note.description, ...(note.type === undefined ? {} : { type: note.type }) });
}

/** Notes beside an index of links; what the index says itself; and the list in GEMINI.md of older versions. */
function geminiCandidates(file: SourceFile, codec: FrontmatterCodec): readonly ImportCandidate[] {
  if (/(?:^|\/)GEMINI\.md$/u.test(file.path)) return addedMemories(file);
  if (!isIndex(file)) return noteCandidate(file, codec);
  const own = file.text.split("\n").filter((line) => !/^\s*[-*]\s*\[[^\]]*\]\([^)]*\.md\)/u.test(line)).join("\n");
  return candidatesOfSections({ ...file, text: own }, "Gemini memory");
}

function addedMemories({ path, text }: SourceFile): readonly ImportCandidate[] {
  const [, list = ""] = /^## Gemini Added Memories[ \t]*\n([\s\S]*?)(?=^#{1,2} |$(?![\s\S]))/mu.exec(text.replace(/\r\n?/gu, "\n")) ?? [];
  return list.split(/^[-*] /mu).slice(1).flatMap((fact) => candidate(`${path}#Gemini Added Memories: ${fact.trim().slice(0, 60)}`, "", fact));
}

/** Lines `{"type":"entity","name","entityType","observations"}` and `{"type":"relation","from","to","relationType"}`. */
function serverMemoryCandidates({ path, text }: SourceFile): readonly ImportCandidate[] {
  const records = text.split("\n").filter((line) => line.trim() !== "").map(parseLine).flatMap((line) => (line.ok ? [line.record] : []));
  const relations = records.filter(({ type }) => type === "relation");
  return records.filter(({ type }) => type === "entity").flatMap((entity) => {
    const name = stringOf(entity["name"]) ?? "";
    const observations = Array.isArray(entity["observations"]) ? entity["observations"].flatMap((one) => (typeof one === "string" ? one : isObject(one) ? (stringOf(one["content"]) ?? []) : [])) : [];
    const facts = [...observations.map((one) => `- ${one}`), ...relations.filter(({ from }) => from === name).map((one) => `- ${stringOf(one["relationType"]) ?? "relates to"} ${stringOf(one["to"]) ?? ""}`)];
    const kind = stringOf(entity["entityType"]);
    return name === "" || facts.length === 0 ? [] : candidate(`${path}#${name}`, name, facts.join("\n"), { description: `${name}${kind === undefined ? "" : ` (${kind})`}: ${facts[0]?.slice(2) ?? ""}` });
  });
}

/** A note with `- [category] fact #tag` and `- relation [[Target]]` lines; it is Markdown and stays as it is. */
function basicMemoryCandidate(file: SourceFile, codec: FrontmatterCodec): readonly ImportCandidate[] {
  const { block, body } = splitFrontmatter(file.text);
  const { data } = codec.read(block);
  const title = stringOf(data["title"]) ?? titleOf(file.path);
  const text = body.replace(/^\s*# [^\n]*\n/u, "");
  const fact = /^\s*- \[[^\]\n]+\]\s+(.+?)(?:\s+#\S+)*\s*$/mu.exec(text)?.[1];
  return candidate(stringOf(data["permalink"]) ?? file.path, title, text, { description: fact === undefined ? title : `${title}: ${fact}` });
}
