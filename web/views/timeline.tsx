/** What happened, day by day. */
import type { ComponentChild } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { TimelineEvent, TimelineView, VersionItem } from "../../src/surfaces/web/api.ts";
import { type Failed, kept, read } from "../base/connect.ts";
import { hrefOf } from "../base/route.ts";
import { activity } from "../base/store.ts";
import { actorWord, day, hour, longDay } from "../base/words.ts";
import { Empty, Failure, Loading, NoteLinks, Page } from "../parts/parts.tsx";
import { T } from "../parts/text.tsx";
import { VersionTexts } from "./versions.tsx";

const KINDS = [
  ["", "All"],
  ["recall", "Recalls"],
  ["capture", "Captures"],
  ["edit", "Edits"],
  ["dream", "Dreams"],
  ["start", "Starts"],
  ["undo", "Undone"],
] as const;
const NAMED = 4;

function Names({ ids }: { readonly ids: readonly string[] }): ComponentChild {
  return (
    <>
      <NoteLinks ids={ids.slice(0, NAMED)} />
      {ids.length > NAMED && <span class="dim"> and {ids.length - NAMED} more</span>}
    </>
  );
}

function Session({ id }: { readonly id: string | undefined }): ComponentChild {
  if (id === undefined) return null;
  return (
    <a class="session" href={hrefOf("sessions", id)}>
      <T>{id.length > 14 ? `${id.slice(0, 13)}…` : id}</T>
    </a>
  );
}

function Version({ version }: { readonly version: VersionItem }): ComponentChild {
  const [open, setOpen] = useState(false);
  const ids = version.files.filter(({ kind }) => kind !== "deleted").map(({ file }) => `${version.scope}:${file}`);
  const gone = version.files.length - ids.length;
  return (
    <>
      <p>
        <b>{actorWord(version.actor)}</b>: <T>{version.reason}</T>{" "}
        <button type="button" class="quiet small" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "Hide" : "Changes"}
        </button>
      </p>
      <p class="event-notes">
        <Names ids={ids} />
        {gone > 0 && <span class="dim"> {gone} removed</span>}
      </p>
      {open && <VersionTexts version={version} />}
    </>
  );
}

function What({ event }: { readonly event: TimelineEvent }): ComponentChild {
  if (event.kind === "recall")
    return (
      <>
        <p>
          {event.prompt === undefined ? (
            <span class="dim">a prompt, of which the log keeps only a hash</span>
          ) : (
            <a class="asked" href={hrefOf("ask", undefined, { prompt: event.prompt })}>
              <T>{event.prompt}</T>
            </a>
          )}
        </p>
        <p class="event-notes">
          {event.shown.length === 0 && event.pointed.length === 0 && <span class="dim">nothing was given</span>}
          {event.shown.length > 0 && (
            <>
              <span class="dim">whole: </span>
              <Names ids={event.shown} />
              <span class="dim">· </span>
            </>
          )}
          {event.pointed.length > 0 && (
            <>
              <span class="dim">one line: </span>
              <Names ids={event.pointed} />
              <span class="dim">· </span>
            </>
          )}
          {event.tokens > 0 && <span class="dim">{event.tokens.toLocaleString("en")} tokens</span>}
        </p>
      </>
    );
  if (event.kind === "start")
    return (
      <p>
        A session started with <Names ids={event.notes} />
        {event.notes.length === 0 && <span class="dim">no note</span>}
      </p>
    );
  return <Version version={event.version} />;
}

const WORDS: Readonly<Record<TimelineEvent["kind"], string>> = {
  recall: "recall",
  capture: "captured",
  edit: "edit",
  dream: "dream",
  undo: "undone",
  start: "start",
};

function Events({ events }: { readonly events: readonly TimelineEvent[] }): ComponentChild {
  const days = new Map<string, TimelineEvent[]>();
  for (const event of events) {
    const its = day(event.time);
    days.set(its, [...(days.get(its) ?? []), event]);
  }
  return (
    <>
      {[...days].map(([its, those]) => (
        <section class="day" key={its}>
          <h2>{longDay(those[0]?.time ?? its)}</h2>
          <ol>
            {those.map((event, at) => (
              <li key={`${event.time} ${at}`} class={`event ${event.kind}`}>
                <time dateTime={event.time}>{hour(event.time)}</time>
                <span class="event-kind">{WORDS[event.kind]}</span>
                <div class="event-what">
                  <What event={event} />
                </div>
                <Session id={event.session} />
              </li>
            ))}
          </ol>
        </section>
      ))}
    </>
  );
}

interface Held {
  readonly events: readonly TimelineEvent[];
  readonly before?: string;
  readonly missing?: string;
}

function Kinds({ kind, set }: { readonly kind: string; readonly set: (kind: string) => void }): ComponentChild {
  return (
    <div class="tabs" role="group" aria-label="Show">
      {KINDS.map(([one, name]) => (
        <button
          key={one}
          type="button"
          aria-pressed={kind === one}
          onClick={() => {
            kept.set("timeline", one);
            set(one);
          }}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

export function TimelinePage(): ComponentChild {
  const [kind, setKind] = useState(kept.get("timeline"));
  const [held, hold] = useState<Held>();
  const [failed, setFailed] = useState<Failed>();
  const load = async (before?: string): Promise<void> => {
    const asked = new URLSearchParams({ ...(before !== undefined && { before }), ...(kind !== "" && { kind }) });
    const answer = await read<TimelineView>(`timeline?${asked.toString()}`);
    if (!answer.ok) {
      if (held === undefined) setFailed(answer);
      return;
    }
    setFailed(undefined);
    hold({
      ...answer.value,
      events: [...(before === undefined ? [] : (held?.events ?? [])), ...answer.value.events],
    });
  };
  useEffect(() => void load(), [kind, activity.value]);
  return (
    <Page title="Timeline" lead="Recalls, captures, edits and dreams, the newest first.">
      <Kinds kind={kind} set={setKind} />
      {held?.missing !== undefined && (
        <p class="remark">
          <T>{held.missing}</T>
        </p>
      )}
      {failed !== undefined && <Failure failed={failed} again={() => void load()} />}
      {held === undefined && failed === undefined && <Loading what="the timeline" />}
      {held?.events.length === 0 && (
        <Empty title={kind === "" ? "Nothing happened yet" : "Nothing of this kind"}>
          {kind === "" ? (
            <p>Recalls and changes appear here as agents work with you.</p>
          ) : (
            <button type="button" onClick={() => setKind("")}>
              Show all
            </button>
          )}
        </Empty>
      )}
      {held !== undefined && <Events events={held.events} />}
      {held?.before !== undefined && (
        <button type="button" onClick={() => void load(held.before)}>
          Older
        </button>
      )}
    </Page>
  );
}
