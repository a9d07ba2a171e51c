/** Sessions, and what each was given, and what was captured from it. */
import type { ComponentChild } from "preact";
import type { GivenNote, SessionEvent, SessionItem, SessionsView, SessionView } from "../../src/surfaces/web/api.ts";
import { hrefOf, route } from "../base/route.ts";
import { activity, state, useRead } from "../base/store.ts";
import { hour, minute, percent, plural } from "../base/words.ts";
import { Await, Empty, NoteLink, Page, Section, Tag } from "../parts/parts.tsx";
import { T, Time } from "../parts/text.tsx";

function Given({
  notes,
  word,
  prompt,
}: {
  readonly notes: readonly GivenNote[];
  readonly word: string;
  readonly prompt?: string | undefined;
}): ComponentChild {
  if (notes.length === 0) return null;
  return (
    <ul class="given-notes">
      {notes.map((note) => (
        <li key={note.id}>
          <span class="dim">{word}</span>
          <NoteLink id={note.id} />
          {note.score !== undefined && (
            <b class="share" title="how likely it was to help">
              {percent(note.score)}
            </b>
          )}
          {prompt !== undefined && (
            <a class="dim" href={hrefOf("ask", undefined, { prompt, note: note.id })}>
              why?
            </a>
          )}
          {note.cut === true && <Tag tone="quiet">cut</Tag>}
          {note.since !== undefined && <Tag tone="warn">{note.since} since</Tag>}
        </li>
      ))}
    </ul>
  );
}

function Event({ event }: { readonly event: SessionEvent }): ComponentChild {
  return (
    <li class={`event ${event.kind}`}>
      <time dateTime={event.time}>{hour(event.time)}</time>
      <span class="event-kind">{event.kind === "forked" || event.kind === "compacted" ? "context" : event.kind}</span>
      <div class="event-what">
        {event.kind === "prompt" ? (
          <>
            <p>
              {event.prompt === undefined ? (
                <span class="dim">the log keeps only a hash of the prompt</span>
              ) : (
                <a class="asked" href={hrefOf("ask", undefined, { prompt: event.prompt })}>
                  <T>{event.prompt}</T>
                </a>
              )}
            </p>
            <Given notes={event.shown} word="whole" prompt={event.prompt} />
            <Given notes={event.pointed} word="one line" prompt={event.prompt} />
            {event.shown.length + event.pointed.length === 0 && <p class="dim">nothing was given</p>}
            {event.spent === true && <Tag tone="warn">the session’s budget had ended</Tag>}
          </>
        ) : event.kind === "start" ? (
          <>
            <Given notes={event.pinned} word="pinned" />
            <Given notes={event.listed.map((id) => ({ id }))} word="one line" />
            {event.pinned.length + event.listed.length === 0 && <p class="dim">no note</p>}
          </>
        ) : event.kind === "trigger" ? (
          <Given notes={event.pointed.map((id) => ({ id }))} word="one line" />
        ) : event.kind === "forked" ? (
          <p>
            Forked from{" "}
            <a href={hrefOf("sessions", event.from)}>
              <T>{event.from}</T>
            </a>
          </p>
        ) : (
          <p class="dim">The client compacted: what was given before is gone from its model</p>
        )}
      </div>
      {event.kind === "prompt" && <span class="dim tokens">{event.tokens.toLocaleString("en")} tokens</span>}
    </li>
  );
}

function Session({ id }: { readonly id: string }): ComponentChild {
  const [loaded, again] = useRead<SessionView>(`session?id=${encodeURIComponent(id)}`, activity.value);
  return (
    <Page title="Session">
      <p class="session-id">
        <a href={hrefOf("sessions")}>← All sessions</a>
        <code>
          <T>{id}</T>
        </code>
      </p>
      <Await loaded={loaded} what="the session" again={again}>
        {(view) => (
          <>
            <p class="lead" hidden={view.first === ""}>
              {plural(view.recalls, "recall")}, about {view.tokens.toLocaleString("en")} tokens given,{" "}
              <Time time={view.first} />
              {minute(view.first) !== minute(view.last) && (
                <>
                  {" "}
                  to <Time time={view.last} />
                </>
              )}
              .
            </p>
            <Section title="What it was given">
              {view.events.length === 0 && <p class="dim">The log has nothing of this session.</p>}
              <ol class="events">
                {view.events.map((event, at) => (
                  <Event key={at} event={event} />
                ))}
              </ol>
            </Section>
            <Section title="Captured from it" count={view.captured.length}>
              {view.captured.length === 0 && <p class="dim">No note was captured from this session.</p>}
              <ul class="plain">
                {view.captured.map((note) => (
                  <li key={note.id}>
                    <NoteLink id={note.id} name={note.name} />
                    <span class="dim">
                      {" "}
                      <T>{note.description}</T>
                    </span>
                  </li>
                ))}
              </ul>
              {view.waiting.length > 0 && (
                <p>
                  <a href={hrefOf("review")}>{plural(view.waiting.length, "proposal")}</a> from it{" "}
                  {view.waiting.length === 1 ? "waits" : "wait"} in the review.
                </p>
              )}
            </Section>
          </>
        )}
      </Await>
    </Page>
  );
}

function Row({ session, most }: { readonly session: SessionItem; readonly most: number }): ComponentChild {
  return (
    <li>
      <a class="session-row" href={hrefOf("sessions", session.id)}>
        <span class="session-name">
          {session.prompt !== undefined && (
            <span>
              <T>{session.prompt}</T>
            </span>
          )}
          <code>
            <T>{session.id}</T>
          </code>
        </span>
        <span class="dim">
          <Time time={session.last} />
        </span>
        <span class="meter" aria-hidden="true">
          <span style={{ width: `${(100 * session.tokens) / Math.max(1, most)}%` }} />
        </span>
        <span class="dim numbers">
          {plural(session.recalls, "recall")} · {session.tokens.toLocaleString("en")} tokens
          {session.waiting > 0 && ` · ${plural(session.waiting, "proposal")}`}
        </span>
      </a>
    </li>
  );
}

export function SessionsPage(): ComponentChild {
  const { id } = route.value;
  const [loaded, again] = useRead<SessionsView>(id === undefined ? "sessions" : undefined, activity.value);
  if (id !== undefined) return <Session key={id} id={id} />;
  return (
    <Page
      title="Sessions"
      lead="What each session was given at its start and at every prompt, and what was captured from it."
    >
      <Await loaded={loaded} what="the sessions" again={again}>
        {({ sessions }) =>
          sessions.length === 0 ? (
            <Empty title="No session in the log">
              <p>
                {state.value?.recallLog.keeps === "nothing"
                  ? "The log of recalls is off: MEMDIR_RECALL_LOG says so."
                  : "A session appears here once an agent asked for notes in it."}
              </p>
            </Empty>
          ) : (
            <ol class="sessions">
              {sessions.map((session) => (
                <Row key={session.id} session={session} most={Math.max(...sessions.map(({ tokens }) => tokens))} />
              ))}
            </ol>
          )
        }
      </Await>
    </Page>
  );
}
