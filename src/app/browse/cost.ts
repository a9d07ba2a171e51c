import { shownText } from "../../core/notes/shown-note.ts";
import { loadIndex } from "../../core/notes/index-file.ts";
import { INDEX_FILE } from "../../core/notes/names.ts";
import { noteKey } from "../../core/recall/ledger.ts";
import { sumSpend } from "../../core/models/spend.ts";
import { dayIn } from "../../core/shared/clock.ts";
import { estimateTokens } from "../../core/shared/tokens.ts";
import { modelSpending } from "../models/open-model.ts";
import type { CostView } from "./activity-shapes.ts";
import type { Reading } from "./reading.ts";
import { tokensOf } from "./sessions.ts";

const MOST_NOTES = 20;

/** What memory costs: text that agents were given, what sessions start with, what models were paid. */
export function costView({ workspace, kept }: Reading): CostView {
  const { clock } = workspace;
  const recalls = kept.recalls(workspace.recallLog);
  const byDay = grouped(recalls, ({ time }) => dayIn(clock.timeZone, Date.parse(time)));
  const times = new Map<string, number>();
  for (const { selected, pointed } of recalls)
    for (const note of [...selected, ...pointed]) times.set(noteKey(note), (times.get(noteKey(note)) ?? 0) + 1);
  const spending = grouped(modelSpending(workspace.locations), ({ time }) => dayIn(clock.timeZone, time));
  return {
    days: [...byDay].toSorted(byFirst).map(([day, some]) => ({
      day,
      recalls: some.length,
      tokens: some.reduce((sum, { characters }) => sum + tokensOf(characters), 0),
      sessions: new Set(some.flatMap(({ session }) => session ?? [])).size,
    })),
    notes: [...times]
      .toSorted((a, b) => b[1] - a[1])
      .slice(0, MOST_NOTES)
      .map(([id, count]) => ({ id, times: count })),
    start: workspace.stores.flatMap(({ scope, store }) => {
      const page = store.read(INDEX_FILE);
      const loaded = page === undefined ? undefined : loadIndex(shownText(page)).text;
      return loaded === undefined
        ? []
        : [{ scope, tokens: estimateTokens(loaded), lines: loaded === "" ? 0 : loaded.split("\n").length }];
    }),
    models: [...spending].toSorted(byFirst).map(([day, entries]) => {
      const { requests, tokens, dollars } = sumSpend(entries);
      return { day, requests, tokens, dollars };
    }),
  };
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

function byFirst([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
