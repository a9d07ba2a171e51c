/**
 * How well outcomes are recognised: DIR holds sessions/*.jsonl (transcripts of any client) and labels.jsonl, one line
 * per task, {"session","task","label":"good"|"bad"|"unknown","part"?}. Prints only numbers and ids.
 */
import fs from "node:fs";
import path from "node:path";

const KINDS = ["good", "bad", "unknown"];

export async function outcomes(load, directories, { list = false } = {}) {
  const { tasksOf } = await load("core/skills/tasks.js");
  const { judgeOutcome } = await load("core/skills/outcome.js");
  const { pipelines } = await load("adapters/shell/pipelines.js");
  const { readTranscriptFile } = await load("app/past/transcript.js");
  const rows = directories.flatMap((directory) => {
    const labels = fs
      .readFileSync(path.join(directory, "labels.jsonl"), "utf8")
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => JSON.parse(line));
    const wanted = new Map(labels.map((label) => [`${label.session} ${label.task}`, label]));
    const files = fs.readdirSync(path.join(directory, "sessions")).filter((name) => name.endsWith(".jsonl"));
    return files.flatMap((name) =>
      tasksOf(readTranscriptFile(path.join(directory, "sessions", name))).flatMap((task) => {
        const label = wanted.get(`${task.session} ${task.id}`);
        return label === undefined
          ? []
          : [{ ...label, source: path.basename(directory), outcome: judgeOutcome(task, pipelines) }];
      }),
    );
  });
  if (list)
    for (const { source, session, task, label, outcome } of rows.filter((row) => row.label !== row.outcome.kind))
      console.log(`${source} ${session} ${task}: ${label}, told ${outcome.kind} (${outcome.reasons.join(", ")})`);
  const parts = [...new Set(rows.map(({ part }) => part))];
  for (const part of parts.length > 1 ? [...parts, undefined] : [undefined])
    print(part ?? "all", part === undefined ? rows : rows.filter((row) => row.part === part));
  return rows;
}

function print(title, rows) {
  const count = (label, told) => rows.filter((row) => row.label === label && row.outcome.kind === told).length;
  console.log(`\n${title}: ${rows.length} tasks`);
  console.log("labelled \\ told    good   bad  unknown");
  for (const label of KINDS)
    console.log(label.padEnd(16) + KINDS.map((told) => String(count(label, told)).padStart(7)).join(""));
  for (const kind of ["good", "bad"]) {
    const told = rows.filter(({ outcome }) => outcome.kind === kind).length;
    const labelled = rows.filter(({ label }) => label === kind).length;
    const clearly = told - count("unknown", kind);
    const right = count(kind, kind);
    console.log(
      `${kind}: precision ${right}/${told} (of tasks labelled good or bad ${right}/${clearly}), recall ${right}/${labelled}`,
    );
  }
}
