/** All notes in a list, and the one that is open beside it. */
import type { ComponentChild } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import type { NoteItem } from "../../src/surfaces/web/api.ts";
import { kept } from "../base/connect.ts";
import { type Filters, filtered, findable, FLAGS, NO_FILTERS } from "../base/filter.ts";
import { useKeys } from "../base/keys.ts";
import { go, hrefOf, route } from "../base/route.ts";
import { notes, refresh, state } from "../base/store.ts";
import { age, plural } from "../base/words.ts";
import { Command, Empty, Failure, Loading, Tag, Type } from "../parts/parts.tsx";
import { T } from "../parts/text.tsx";
import { VirtualList } from "../parts/virtual.tsx";
import { NotePane } from "./note.tsx";

const ROW = 62;
const WIDE = "(min-width: 60rem)";

function keptFilters(): Filters {
  const [words = "", scope = "", type = "", time = "", flag = ""] = kept.get("filters").split("\n");
  return { words, scope, type, age: time, flag };
}

function Row({ note, open }: { readonly note: NoteItem; readonly open: boolean }): ComponentChild {
  return (
    <a class="row" href={hrefOf("notes", note.id)} aria-current={open ? "true" : undefined}>
      <span class="row-name">
        <b>
          <T>{note.name}</T>
        </b>
        {note.pinned === true && <Tag>pinned</Tag>}
        {note.guard === true && <Tag>guard</Tag>}
        {note.supersededBy !== undefined && <Tag tone="quiet">superseded</Tag>}
        {note.problems !== undefined && <Tag tone="warn">problem</Tag>}
        <time dateTime={note.time}>{age(note.time)}</time>
      </span>
      <span class="row-says">
        <Type of={note.type} />
        <span>
          <T>{note.description}</T>
        </span>
      </span>
    </a>
  );
}

function Choice({
  label,
  value,
  options,
  set,
}: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, name: string])[];
  readonly set: (value: string) => void;
}): ComponentChild {
  return (
    <select
      aria-label={label}
      class={value === "" ? "choice" : "choice chosen"}
      value={value}
      onChange={(event) => set(event.currentTarget.value)}
    >
      {options.map(([one, name]) => (
        <option key={one} value={one}>
          {name}
        </option>
      ))}
    </select>
  );
}

const AGES = [
  ["", "Any age"],
  ["1", "A day"],
  ["7", "A week"],
  ["30", "A month"],
  ["365", "A year"],
] as const;

function distinct(of: readonly string[]): (readonly [string, string])[] {
  return [...new Set(of)].toSorted().map((value) => [value, value]);
}

function NoNotes(): ComponentChild {
  return (
    <Empty title="No notes yet">
      <p>Agents leave notes as they work with you. You can also write the first one:</p>
      <Command text={'memdir remember "Tests run with pnpm test"'} />
    </Empty>
  );
}

function Shown({
  all,
  list,
  at,
  clear,
}: {
  readonly all: number;
  readonly list: readonly NoteItem[];
  readonly at: number;
  readonly clear: () => void;
}): ComponentChild {
  const cursor = route.value.id;
  if (notes.value.state === "loading") return <Loading what="the notes" />;
  if (notes.value.state === "failed") return <Failure failed={notes.value.failed} again={() => void refresh()} />;
  if (all === 0) return <NoNotes />;
  if (list.length === 0)
    return (
      <Empty title="Nothing matches">
        <p>
          {all.toLocaleString("en")} notes are there. The search looks at the names, descriptions and files of those
          that the filters let through; without filters, at notes in force.
        </p>
        <button type="button" onClick={clear}>
          Clear the filters
        </button>
      </Empty>
    );
  return (
    <VirtualList
      items={list}
      rowHeight={ROW}
      keep="notes-top"
      at={at}
      label="Notes"
      draw={(note) => <Row note={note} open={note.id === cursor} />}
    />
  );
}

function Choices({
  filters,
  set,
  all,
}: {
  readonly filters: Filters;
  readonly set: (some: Partial<Filters>) => void;
  readonly all: readonly NoteItem[];
}): ComponentChild {
  const scopes = distinct([...all.map(({ scope }) => scope), ...(state.value?.scopes.map(({ scope }) => scope) ?? [])]);
  return (
    <div class="choices">
      <Choice
        label="Scope"
        value={filters.scope}
        set={(scope) => set({ scope })}
        options={[["", "Scope"], ...scopes]}
      />
      <Choice
        label="Type"
        value={filters.type}
        set={(type) => set({ type })}
        options={[["", "Type"], ...distinct(all.map(({ type }) => type))]}
      />
      <Choice label="Changed within" value={filters.age} set={(time) => set({ age: time })} options={AGES} />
      <Choice label="Show" value={filters.flag} set={(flag) => set({ flag })} options={Object.entries(FLAGS)} />
    </div>
  );
}

function Tally({
  shown,
  all,
  filters,
  clear,
}: {
  readonly shown: number;
  readonly all: number;
  readonly filters: Filters;
  readonly clear: () => void;
}): ComponentChild {
  return (
    <div class="tally">
      <p role="status">
        {shown === all ? "" : `${shown.toLocaleString("en")} of `}
        {plural(all, "note")}
      </p>
      {shown > 0 && Object.values(filters).some((value) => value !== "") && (
        <button type="button" class="quiet small" onClick={clear}>
          Clear the filters
        </button>
      )}
    </div>
  );
}

function Pane({ id }: { readonly id: string | undefined }): ComponentChild {
  return (
    <section class="note-pane" aria-label="Note" tabIndex={-1}>
      {id === undefined ? (
        <div class="pane-hint">
          <p>
            Choose a note, or press <kbd>j</kbd>. <kbd>/</kbd> searches, <kbd>?</kbd> shows all keys.
          </p>
        </div>
      ) : (
        <NotePane id={id} />
      )}
    </section>
  );
}

export function NotesPage(): ComponentChild {
  const [filters, setFilters] = useState(keptFilters);
  const field = useRef<HTMLInputElement>(null);
  const all = notes.value.state === "ready" ? notes.value.value : [];
  const prepared = useMemo(() => findable(all), [all]);
  const list = useMemo(() => filtered(prepared, filters), [prepared, filters]);
  const { id } = route.value;
  const at = id === undefined ? -1 : list.findIndex((note) => note.id === id);
  const set = (some: Partial<Filters>): void => {
    const next = { ...filters, ...some };
    setFilters(next);
    kept.set("filters", Object.values(next).join("\n").trimEnd());
  };
  const open = (next: NoteItem | undefined): void => {
    if (next !== undefined) go(hrefOf("notes", next.id), { replace: id !== undefined && matchMedia(WIDE).matches });
  };
  useKeys({
    "/": () => {
      if (id !== undefined && !matchMedia(WIDE).matches) go(hrefOf("notes"));
      setTimeout(() => field.current?.select());
    },
    j: () => open(list[at + 1]),
    k: () => open(list[Math.max(0, at - 1)]),
    Escape: () => go(hrefOf("notes")),
  });
  return (
    <div class={id === undefined ? "notes" : "notes with-note"}>
      <h1 class="sr">Notes</h1>
      <section class="list-pane" aria-label="All notes">
        <div class="filters" role="search">
          <div class="search">
            <input
              ref={field}
              type="search"
              aria-label="Search name, description and file"
              placeholder="Search notes"
              value={filters.words}
              onInput={(event) => set({ words: event.currentTarget.value })}
              onKeyDown={(event) => {
                if (event.key === "Enter") open(list[0]);
              }}
            />
            <kbd aria-hidden="true">/</kbd>
          </div>
          <Choices filters={filters} set={set} all={all} />
          <Tally shown={list.length} all={all.length} filters={filters} clear={() => set(NO_FILTERS)} />
        </div>
        <Shown all={all.length} list={list} at={at} clear={() => set(NO_FILTERS)} />
      </section>
      <Pane id={id} />
    </div>
  );
}
