/** What memdir makes of one case, and whether it matches the label. */
import fs from "node:fs";
import path from "node:path";

const DAY = /\d{4}-(?:\d{2}-\d{2}|\d{2}|Q\d|W\d{2})(?!\d)|\b(?:19|20)\d{2}\b(?![-\d])/gu;
const RELATIONS = new Set(["beside", "same", "refines", "replaces", "contradicts"]);

/** `{verdict, got}`: `right`, `wrong`, or `verbatim` if a date or a change that could be known was left alone. */
export async function outcomeOf(one, place, openMemory) {
  const project = path.join(place, "project");
  fs.mkdirSync(path.join(project, ".git"), { recursive: true });
  if (typeof one.instructions === "string") fs.writeFileSync(path.join(project, "CLAUDE.md"), `${one.instructions}\n`);
  const said = momentOf(one.said);
  const memory = openMemory({
    cwd: project,
    environment: { HOME: path.join(place, "home"), PATH: process.env.PATH },
    clock: { now: () => said, timeZone: one.timeZone ?? "UTC" },
    model: "off",
  });
  try {
    return await JUDGES[one.group](one, memory);
  } finally {
    memory.close();
  }
}

const JUDGES = { dates, facts, exclusions, types };

/** Noon of the given day, so that it is the same day in every time zone. */
function momentOf(said) {
  const ms = Date.parse(/^\d{4}-\d{2}-\d{2}$/u.test(said ?? "") ? `${said}T12:00:00Z` : (said ?? ""));
  return Number.isNaN(ms) ? Date.parse("2026-11-18T12:00:00Z") : ms;
}

async function dates({ text, expect }, memory) {
  const result = await memory.remember({ body: text, name: "case", insist: true });
  const got = memory.show(result.ref?.file ?? "")?.note.body.trim() ?? text;
  const isVerbatim = expect === "verbatim" || expect === null || expect.length === 0;
  const wanted = isVerbatim ? [text] : [expect].flat();
  if (wanted.some((one) => folded(one) === folded(got))) return { verdict: "right", got };
  const written = datesIn(got, text);
  if (written.length === 0) return { verdict: isVerbatim ? "right" : "verbatim", got };
  // Either a whole text or only the dates.
  const days = new Set(wanted.flatMap((one) => datesIn(one, text)));
  const isRight = written.every((day) => days.has(day)) && (Array.isArray(expect) || written.length === days.size);
  return { verdict: isRight ? "right" : "wrong", got };
}

/** The dates in a text that are not in the text before it. */
function datesIn(text, before) {
  const known = new Set(before.match(DAY));
  return [...new Set(text.match(DAY))].filter((day) => !known.has(day));
}

function folded(text) {
  return text.replace(/\s+/gu, " ").trim();
}

async function facts({ before, after, type, expect }, memory) {
  const say = (body) => refusable(() => memory.remember({ body, ...(type !== undefined && { type }) }));
  const first = await say(before);
  if (first.outcome === "refused") return { verdict: "wrong", got: "refused before" };
  const old = first.ref?.file ?? "";
  const earlier = memory.show(old)?.note.body;
  const result = await say(after);
  const got = result.outcome === "refused" ? "refused" : relationOf(result, old, earlier, memory);
  return { verdict: got === expect ? "right" : got === "beside" ? "verbatim" : "wrong", got };
}

function relationOf(result, old, earlier, memory) {
  const named = [result.relation, result.change, result.change?.kind].find((name) => RELATIONS.has(name));
  if (named !== undefined) return named;
  if (result.outcome === "known" || result.outcome === "similar") return "same";
  const note = memory.show(old)?.note;
  if (note === undefined || note.supersededBy !== undefined) return "replaces";
  if (note.body !== earlier) return "refines";
  return (result.rivals ?? []).length > 0 ? "contradicts" : "beside";
}

async function exclusions({ text, type, expect }, memory) {
  const { outcome } = await refusable(() => memory.remember({ body: text, ...(type !== undefined && { type }) }));
  const got = outcome === "refused" ? "refused" : "saved";
  return { verdict: got === expect ? "right" : "wrong", got };
}

async function types({ text, expect }, memory) {
  const result = await refusable(() => memory.remember({ body: text, insist: true }));
  const got = result.ref === undefined ? result.outcome : memory.show(result.ref.file)?.note.type;
  return { verdict: got === expect ? "right" : "wrong", got };
}

async function refusable(save) {
  try {
    return await save();
  } catch (error) {
    if (error?.code === "refused") return { outcome: "refused" };
    throw error;
  }
}
