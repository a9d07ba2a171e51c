/** What waits for a person: one proposal after another, with two keys. */
import type { ComponentChild } from "preact";
import { useState } from "preact/hooks";
import type { ReviewItem, ReviewRuleItem, ReviewView } from "../../src/surfaces/web/api.ts";
import { useKeys } from "../base/keys.ts";
import { hrefOf } from "../base/route.ts";
import { activity, change, readOnlyReason, useRead } from "../base/store.ts";
import { Diff } from "../parts/diff.tsx";
import { Await, Empty, NoteLink, Page, Section, Tag, Type } from "../parts/parts.tsx";
import { Prose, T, Time } from "../parts/text.tsx";

const KINDS = {
  create: "New note",
  revise: "Change of a note",
  retire: "Note to retire",
  supersede: "New note in place of an older one",
} as const;
const NO_TARGETS: ReadonlyMap<string, string> = new Map();

function seen(item: ReviewItem, more: object = {}): object {
  return { id: item.id, seen: item.version, ...more };
}

function accept(item: ReviewItem, always = false): void {
  void change("review/accept", seen(item, always ? { always } : {}));
}
function reject(item: ReviewItem, never = false): void {
  void change("review/reject", seen(item, never ? { never } : {}));
}

const wordsOf = (text: string): string =>
  text
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
    ?.join(" ") ?? "";

function saysTheSame(description: string, body = ""): boolean {
  return wordsOf(description) === wordsOf(body);
}

/** Whether the text of the note has the words that the person said: they need not stand there twice. */
function isInBody(quote: string, body = ""): boolean {
  const said = wordsOf(quote);
  return (
    said !== "" &&
    body.split(/["“”\n]/u).some((part) => {
      const words = wordsOf(part);
      return words !== "" && words.length * 2 > said.length && (words.includes(said) || said.includes(words));
    })
  );
}

function What({ item }: { readonly item: ReviewItem }): ComponentChild {
  if (item.kind === "retire")
    return (
      <p>
        {item.target !== undefined && <NoteLink id={item.target.id} />}
        {item.by !== undefined && (
          <>
            {" "}
            would be superseded by <T>{item.by}</T>
          </>
        )}
      </p>
    );
  return (
    <>
      {item.kind === "supersede" && item.target !== undefined && (
        <p>
          Would supersede <NoteLink id={item.target.id} />
        </p>
      )}
      <h2 class="proposal-name">
        <T>{item.name ?? "Without a name"}</T>
      </h2>
      {item.description !== undefined && !saysTheSame(item.description, item.body) && (
        <p class="note-says">
          <T>{item.description}</T>
        </p>
      )}
      {item.kind === "revise" && item.target?.text !== undefined && item.text !== undefined ? (
        <Diff before={item.target.text} after={item.text} />
      ) : (
        item.body !== undefined && <Prose text={item.body} targets={NO_TARGETS} />
      )}
    </>
  );
}

function Edit({ item, close }: { readonly item: ReviewItem; readonly close: () => void }): ComponentChild {
  const [text, setText] = useState(item.text ?? "");
  return (
    <form
      class="edit"
      onSubmit={(event) => {
        event.preventDefault();
        void change("review/edit", seen(item, { text })).then((answer) => {
          if (answer.ok) close();
        });
      }}
    >
      <textarea
        aria-label="The proposal as a file"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <div class="buttons">
        <button type="submit" class="primary">
          Save the proposal
        </button>
        <button type="button" onClick={close}>
          Discard
        </button>
      </div>
    </form>
  );
}

function Quotation({ text }: { readonly text: string }): ComponentChild {
  if (text === "") return null;
  return (
    <blockquote class="quotation">
      <T>{text}</T>
    </blockquote>
  );
}

function Proposal({ item, current }: { readonly item: ReviewItem; readonly current: boolean }): ComponentChild {
  const [editing, setEditing] = useState(false);
  return (
    <li class={current ? "proposal current" : "proposal"} aria-current={current ? "true" : undefined}>
      <p class="meta">
        <b>{KINDS[item.kind]}</b>
        {item.type !== undefined && <Type of={item.type} />}
        <span>
          <T>{item.scope}</T> scope
        </span>
        <Time time={item.time} />
        {item.doubtful && <Tag tone="warn">doubtful</Tag>}
        {item.source === "model" && <Tag>from a model</Tag>}
      </p>
      {editing ? <Edit item={item} close={() => setEditing(false)} /> : <What item={item} />}
      {!isInBody(item.quote, item.body ?? item.description) && <Quotation text={item.quote} />}
      <p class="dim">
        <T>{item.reason}</T> ·{" "}
        <a href={hrefOf("sessions", item.evidence.session)}>
          session <T>{item.evidence.session.slice(0, 16)}</T>
        </a>
      </p>
      {item.stale !== undefined && (
        <p class="remark warn">
          <T>{item.stale}</T>
        </p>
      )}
      {!editing && <Verdicts item={item} current={current} edit={() => setEditing(true)} />}
    </li>
  );
}

const ALWAYS = "Accept it, and from now on what is said like it without asking";
const NEVER = "Reject it, and propose nothing like it again";

function Verdicts({
  item,
  current,
  edit,
}: {
  readonly item: ReviewItem;
  readonly current: boolean;
  readonly edit: () => void;
}): ComponentChild {
  const locked = readOnlyReason(item.scope) !== undefined;
  return (
    <>
      <div class="actions">
        <button
          type="button"
          class="primary"
          disabled={locked || item.stale !== undefined}
          onClick={() => accept(item)}
        >
          Accept {current && <kbd aria-hidden="true">a</kbd>}
        </button>
        <button type="button" disabled={locked} onClick={() => reject(item)}>
          Reject {current && <kbd aria-hidden="true">r</kbd>}
        </button>
        {item.text !== undefined && (
          <button type="button" disabled={locked} onClick={edit}>
            Edit
          </button>
        )}
        {!item.doubtful && (
          <button type="button" class="quiet" title={ALWAYS} disabled={locked} onClick={() => accept(item, true)}>
            Always like this
          </button>
        )}
        <button type="button" class="quiet" title={NEVER} disabled={locked} onClick={() => reject(item, true)}>
          Never like this
        </button>
      </div>
      {current && (
        <p class="dim hint">
          “Always” and “never” also settle what is said like this later. The rule is listed below; drop it at any time.
        </p>
      )}
    </>
  );
}

function Rules({ rules }: { readonly rules: readonly ReviewRuleItem[] }): ComponentChild {
  if (rules.length === 0) return null;
  return (
    <Section title="Always and never" count={rules.length}>
      <ul class="rows">
        {rules.map((rule) => (
          <li key={rule.id}>
            <Tag tone={rule.verdict === "always" ? "good" : "warn"}>{rule.verdict}</Tag>
            <span>
              <T>{rule.says}</T>
            </span>
            <button type="button" class="quiet" onClick={() => void change("review/drop-rule", { rule: rule.id })}>
              Drop
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}

interface Place {
  readonly at: number;
  readonly setAt: (at: number) => void;
}

function Queue({ view, place: { at, setAt } }: { readonly view: ReviewView; readonly place: Place }): ComponentChild {
  const place = Math.min(at, view.waiting.length - 1);
  const item = view.waiting[place];
  const locked = item === undefined || readOnlyReason(item.scope) !== undefined;
  const move = (to: number): void => {
    const next = Math.max(0, Math.min(view.waiting.length - 1, to));
    setAt(next);
    document.querySelectorAll(".proposal")[next]?.scrollIntoView({ block: "nearest" });
  };
  useKeys({
    j: () => move(place + 1),
    k: () => move(place - 1),
    ...(!locked && item.stale === undefined && { a: () => accept(item) }),
    ...(!locked && { r: () => reject(item) }),
  });
  return (
    <>
      {view.lapsed !== undefined && (
        <p class="remark">
          <T>{view.lapsed}</T>
        </p>
      )}
      {view.damaged.map((file) => (
        <p key={file} class="remark warn">
          A proposal cannot be read: <T>{file}</T>
        </p>
      ))}
      {view.waiting.length === 0 && (
        <Empty title="Nothing waits">
          <p>
            What capture doubts, or what the mode <b>confirm</b> holds back, waits here until you accept or reject it.
          </p>
        </Empty>
      )}
      <ol class="queue">
        {view.waiting.map((one, index) => (
          <Proposal key={one.id} item={one} current={index === place} />
        ))}
      </ol>
      <Rules rules={view.rules} />
    </>
  );
}

export function ReviewPage(): ComponentChild {
  // Kept while the queue loads again after a change.
  const [at, setAt] = useState(0);
  const [loaded, again] = useRead<ReviewView>("review", activity.value);
  const waiting = loaded.state === "ready" ? loaded.value.waiting.length : 0;
  return (
    <Page
      title="Review"
      lead={
        waiting === 0 ? (
          "What agents want to remember and you have not judged yet."
        ) : (
          <>
            {waiting} {waiting === 1 ? "proposal waits" : "proposals wait"}. <kbd>a</kbd> accepts, <kbd>r</kbd> rejects,{" "}
            <kbd>j</kbd> and <kbd>k</kbd> move.
          </>
        )
      }
    >
      <Await loaded={loaded} what="the review queue" again={again}>
        {(view) => <Queue view={view} place={{ at, setAt }} />}
      </Await>
    </Page>
  );
}
