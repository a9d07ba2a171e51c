/** Notes that contradict one another, side by side. */
import type { ComponentChild } from "preact";
import { useState } from "preact/hooks";
import type { ConflictItem, ConflictNote, ConflictsView } from "../../src/surfaces/web/api.ts";
import { change, noteOf, readOnlyReason } from "../base/store.ts";
import { JobView } from "../parts/job.tsx";
import { Empty, NoteLink, Page, Tag } from "../parts/parts.tsx";
import { Prose, T, Time } from "../parts/text.tsx";

const NO_TARGETS: ReadonlyMap<string, string> = new Map();
const SHOWN = 20;

type Seen = { readonly id: string; readonly version: string };
const asSeen = ({ id, version }: Seen): object => ({ id, seen: version });

function settle(item: ConflictItem, kept: ConflictNote, how: "keep" | "both"): void {
  const shown = kept === item.newer ? item.older : item.newer;
  const others = [shown, ...item.others.flatMap((id) => noteOf(id) ?? [])];
  void change("conflicts", { ...asSeen(kept), settle: how, others: others.map(asSeen) });
}

/** What became of it since the notes were compared; absent as long as it stands. */
function fateOf({ newer, older }: ConflictItem): string | undefined {
  const now = [noteOf(newer.id), noteOf(older.id)];
  if (now.some((note) => note?.supersededBy !== undefined)) return "settled";
  return now.every((note, at) => note?.version === [newer, older][at]?.version) ? undefined : "changed since";
}

function Side({
  item,
  note,
  label,
  locked,
  settled,
}: {
  readonly item: ConflictItem;
  readonly locked: boolean;
  readonly settled: boolean;
  readonly note: ConflictNote;
  readonly label: string;
}): ComponentChild {
  return (
    <section class="side">
      <p class="meta">
        <b>{label}</b> <Time time={note.time} /> {note.pinned === true && <Tag>pinned</Tag>}{" "}
        {settled && noteOf(note.id)?.supersededBy === undefined && <Tag tone="good">holds</Tag>}
      </p>
      <h2 class="proposal-name">
        <NoteLink id={note.id} name={note.name} />
      </h2>
      <Prose text={note.body} targets={NO_TARGETS} />
      {!settled && (
        <button type="button" disabled={locked} onClick={() => settle(item, note, "keep")}>
          This one holds
        </button>
      )}
    </section>
  );
}

function Conflict({ item }: { readonly item: ConflictItem }): ComponentChild {
  const [all, setAll] = useState(false);
  const fate = fateOf(item);
  const locked = fate !== undefined || readOnlyReason(item.newer.id.slice(0, item.newer.id.indexOf(":"))) !== undefined;
  const settled = fate === "settled";
  const others = all ? item.others : item.others.slice(0, 3);
  return (
    <li class="conflict">
      <p class="dim">
        {fate !== undefined && <Tag tone={fate === "settled" ? "good" : "quiet"}>{fate}</Tag>}{" "}
        {!settled && <T>{item.reason}</T>}
      </p>
      <div class="sides">
        <Side item={item} note={item.newer} label="Newer" locked={locked} settled={settled} />
        <Side item={item} note={item.older} label="Older" locked={locked} settled={settled} />
      </div>
      {item.others.length > 0 && (
        <p class="dim">
          Also of this subject:{" "}
          {others.map((id) => (
            <span key={id}>
              <NoteLink id={id} />{" "}
            </span>
          ))}
          {item.others.length > others.length && (
            <button type="button" class="quiet" onClick={() => setAll(true)}>
              {item.others.length - others.length + item.more} more
            </button>
          )}
        </p>
      )}
      {!settled && (
        <button type="button" disabled={locked} onClick={() => settle(item, item.newer, "both")}>
          Both hold
        </button>
      )}
    </li>
  );
}

function List({ view }: { readonly view: ConflictsView }): ComponentChild {
  const [shown, show] = useState(SHOWN);
  if (view.conflicts.length === 0)
    return (
      <Empty title="No contradictions">
        <p>No two notes that hold say opposite things.</p>
      </Empty>
    );
  return (
    <>
      <ol class="conflicts">
        {view.conflicts.slice(0, shown).map((item) => (
          <Conflict key={`${item.newer.id} ${item.older.id}`} item={item} />
        ))}
      </ol>
      {view.conflicts.length > shown && (
        <button type="button" onClick={() => show(shown + SHOWN)}>
          Show more
        </button>
      )}
      {view.omitted > 0 && <p class="dim">{view.omitted.toLocaleString("en")} more come once these are settled.</p>}
    </>
  );
}

export function ConflictsPage(): ComponentChild {
  return (
    <Page
      title="Conflicts"
      lead="Notes that say opposite things. The one that holds supersedes the others; the past stays readable."
    >
      <JobView<ConflictsView>
        name="conflicts"
        idle="All notes are compared with one another, in the background."
        start="Look for contradictions"
      >
        {(view) => <List view={view} />}
      </JobView>
    </Page>
  );
}
