/** The cases of all *.jsonl files below a directory (or of one file), in order. */
import fs from "node:fs";
import path from "node:path";

const GROUPS = new Set(["dates", "facts", "exclusions", "types"]);

export function readCases(place) {
  const files = fs.statSync(place).isFile()
    ? [place]
    : fs
        .readdirSync(place, { recursive: true })
        .filter((name) => name.endsWith(".jsonl"))
        .toSorted()
        .map((name) => path.join(place, name));
  return files.flatMap((file) =>
    fs
      .readFileSync(file, "utf8")
      .split("\n")
      .flatMap((line, at) => (line.trim() === "" ? [] : [caseOf(JSON.parse(line), `${file}:${at + 1}`)])),
  );
}

/** Alternative field names are accepted, so that a set labelled elsewhere can be read unchanged. */
function caseOf(line, where) {
  if (!GROUPS.has(line.group)) throw new Error(`${where}: "group" is ${JSON.stringify(line.group)}`);
  const one = {
    ...line,
    lang: line.lang ?? line.language ?? "en",
    author: line.author ?? "-",
    text: line.text ?? line.phrase ?? line.input ?? line.statement ?? line.now,
    before: line.before ?? line.old ?? line.earlier,
    after: line.after ?? line.new ?? line.later,
    said: line.said ?? line.date ?? line.today ?? line.on,
    expect: line.expect ?? line.expected ?? line.want ?? line.label ?? line.gold ?? "verbatim",
  };
  const isPair = line.group === "facts";
  if (isPair ? one.before === undefined || one.after === undefined : one.text === undefined)
    throw new Error(`${where}: ${isPair ? '"before" and "after" are' : '"text" is'} missing`);
  return one;
}
