import type { SqlRow, SqlStatement } from "./driver.ts";
import { numberOf, textOf } from "./index-rows.ts";

type Prepare = (sql: string) => SqlStatement;

/** More retired notes than this, the likeliest first, say no more about what was asked. */
const MOST_RETIRED = 50;
/** Longer chains of notes that superseded one another are a circle or a mistake. */
const LONGEST_CHAIN = 20;

/** What superseded notes with any of the terms were about, as terms with spaces between, by the id of the live note in their place. */
export function pastOfHeirs(prepare: Prepare, terms: readonly string[]): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  if (terms.length === 0) return found;
  const match = `about : (${terms.map((term) => `"${term.replaceAll('"', '""')}"`).join(" OR ")})`;
  const rows = prepare("SELECT heir, about FROM past WHERE past MATCH ? ORDER BY rank, heir, about LIMIT ?").all([
    match,
    MOST_RETIRED,
  ]);
  const heirs = new Map<string, number | undefined>();
  for (const row of rows) {
    const named = textOf(row, "heir");
    if (!heirs.has(named)) heirs.set(named, liveHeir(prepare, named));
    const id = heirs.get(named);
    if (id !== undefined) found.set(id, `${found.get(id) ?? ""} ${textOf(row, "about")}`);
  }
  return found;
}

/** The note at the end of the chain; `undefined` where it is gone. */
function liveHeir(prepare: Prepare, named: string): number | undefined {
  let next = named;
  for (let link = 0; link < LONGEST_CHAIN; link++) {
    const row = noteNamed(prepare, next);
    if (row === undefined) return undefined;
    if (row["superseded_by"] === null) return numberOf(row, "id");
    next = textOf(row, "superseded_by");
  }
  return undefined;
}

/** A note names its heir by file, by the file without its ending, or by its name. */
function noteNamed(prepare: Prepare, named: string): SqlRow | undefined {
  return (
    prepare("SELECT id, superseded_by FROM note WHERE file IN (?, ? || '.md') ORDER BY length(file) LIMIT 1").get([
      named,
      named,
    ]) ??
    prepare("SELECT id, superseded_by FROM note WHERE name = ? ORDER BY superseded_by IS NOT NULL, file LIMIT 1").get([
      named,
    ])
  );
}
