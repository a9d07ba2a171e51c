/** Small pieces that every view is made of. */
import type { ComponentChild, ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Failed } from "../base/connect.ts";
import { hrefOf } from "../base/route.ts";
import { type Loaded, nameOf, noteOf } from "../base/store.ts";
import { T } from "./text.tsx";

type Tone = "plain" | "good" | "warn" | "bad" | "quiet";

export function Tag({ tone = "plain", children }: { readonly tone?: Tone; readonly children: ComponentChildren }) {
  return <span class={`tag ${tone}`}>{children}</span>;
}

/** The type of a note is always a word, never a colour alone. */
export function Type({ of }: { readonly of: string }): ComponentChild {
  const known = ["user", "feedback", "project", "reference"].includes(of);
  return (
    <span class={`type ${known ? of : "other"}`}>
      <T>{of}</T>
    </span>
  );
}

export function NoteLink({ id, name }: { readonly id: string; readonly name?: string }): ComponentChild {
  const note = noteOf(id);
  return (
    <a class="note-link" href={hrefOf("notes", id)}>
      <T>{name ?? note?.name ?? nameOf(id)}</T>
    </a>
  );
}

/** Links with commas between them, which never begin a line. */
export function NoteLinks({ ids }: { readonly ids: readonly string[] }): ComponentChild {
  return ids.map((id, at) => (
    <span key={id}>
      <span class="together">
        <NoteLink id={id} />
        {at < ids.length - 1 && ","}
      </span>{" "}
    </span>
  ));
}

export function Page({
  title,
  lead,
  actions,
  children,
}: {
  readonly title: string;
  readonly lead?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}): ComponentChild {
  return (
    <div class="page">
      <header class="page-head">
        <h1 tabIndex={-1}>{title}</h1>
        {actions}
      </header>
      {lead !== undefined && <p class="lead">{lead}</p>}
      {children}
    </div>
  );
}

export function Section({
  title,
  count,
  children,
}: {
  readonly title: string;
  readonly count?: number;
  readonly children: ComponentChildren;
}): ComponentChild {
  return (
    <section class="section">
      <h2>
        {title}
        {count !== undefined && <span class="count">{count.toLocaleString("en")}</span>}
      </h2>
      {children}
    </section>
  );
}

/** Nothing to show, why, and what to do. */
export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}): ComponentChild {
  return (
    <div class="empty" role="status">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

export function Loading({ what }: { readonly what: string }): ComponentChild {
  return (
    <div class="loading" role="status">
      <span class="sr">Loading {what}</span>
      <i /> <i /> <i />
    </div>
  );
}

export function Failure({ failed, again }: { readonly failed: Failed; readonly again?: () => void }): ComponentChild {
  return (
    <div class="failure" role="alert">
      <p class="empty-title">{failed.status === 0 ? "The server has ended" : "This could not be loaded"}</p>
      <p>
        <T>{failed.message}</T>
      </p>
      {again !== undefined && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Loading and failure look the same everywhere; what is there is the view's own. */
export function Await<Value>({
  loaded,
  what,
  again,
  children,
}: {
  readonly loaded: Loaded<Value>;
  readonly what: string;
  readonly again?: () => void;
  readonly children: (value: Value) => ComponentChild;
}): ComponentChild {
  if (loaded.state === "loading") return <Loading what={what} />;
  if (loaded.state === "failed") return <Failure failed={loaded.failed} {...(again !== undefined && { again })} />;
  return children(loaded.value);
}

const COPIED_MS = 1500;

export function Copy({ text, label = "Copy" }: { readonly text: string; readonly label?: string }): ComponentChild {
  const [copied, setCopied] = useState(false);
  return (
    <button
      type="button"
      class="quiet"
      onClick={() => {
        navigator.clipboard.writeText(text).then(
          () => {
            setCopied(true);
            setTimeout(() => setCopied(false), COPIED_MS);
          },
          // Refused by the browser: the text stands beside the button and can be selected.
          () => setCopied(false),
        );
      }}
    >
      <span aria-live="polite">{copied ? "Copied" : label}</span>
    </button>
  );
}

/** A command to run in a terminal: the page shows it and does not run it. */
export function Command({ text }: { readonly text: string }): ComponentChild {
  return (
    <div class="command">
      <code>
        <T>{text}</T>
      </code>
      <Copy text={text} />
    </div>
  );
}

/** A message with room of its own over the page; Esc closes it. */
export function Dialog({
  title,
  close,
  wide = false,
  children,
}: {
  readonly title: string;
  readonly close: () => void;
  readonly wide?: boolean;
  readonly children: ComponentChildren;
}): ComponentChild {
  const place = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    place.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog ref={place} class={wide ? "wide-dialog" : ""} aria-label={title} onClose={close}>
      <header>
        <h2>{title}</h2>
        <button type="button" class="quiet" onClick={close} aria-label="Close">
          ✕
        </button>
      </header>
      {children}
    </dialog>
  );
}

/** A share of one as a bar, with a mark where a note is sure enough to be shown whole. */
export function Score({ score, floor }: { readonly score: number; readonly floor?: number }): ComponentChild {
  return (
    <span class="score" aria-hidden="true">
      <span style={{ width: `${Math.max(0, Math.min(1, score)) * 100}%` }} />
      {floor !== undefined && <b style={{ left: `${floor * 100}%` }} />}
    </span>
  );
}
