/** Edits a note's file. What is typed outlives a reload and the end of the server. */
import type { ComponentChild } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { NoteView } from "../../src/surfaces/web/api.ts";
import { kept } from "../base/connect.ts";
import { change } from "../base/store.ts";
import { Diff } from "../parts/diff.tsx";
import { Copy } from "../parts/parts.tsx";
import { Prose } from "../parts/text.tsx";

type Beside = "text" | "preview" | "changes";

/** The text after the frontmatter. */
function bodyOf(text: string): string {
  return text.replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n?/u, "");
}

function Tabs({ now, show }: { readonly now: Beside; readonly show: (one: Beside) => void }): ComponentChild {
  return (
    <div class="tabs" role="group" aria-label="Show">
      {(["text", "preview", "changes"] as const).map((one) => (
        <button key={one} type="button" aria-pressed={now === one} onClick={() => show(one)}>
          {one === "text" ? "Write" : one === "preview" ? "Preview" : "Changes"}
        </button>
      ))}
    </div>
  );
}

function Field({
  text,
  type,
  save,
}: {
  readonly text: string;
  readonly type: (text: string) => void;
  readonly save: () => void;
}): ComponentChild {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <textarea
      ref={field}
      aria-label="The note's file"
      spellcheck
      value={text}
      onInput={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save();
      }}
    />
  );
}

function Buttons({
  text,
  idle,
  discard,
}: {
  readonly text: string;
  readonly idle: boolean;
  readonly discard: () => void;
}): ComponentChild {
  return (
    <div class="buttons">
      <button type="submit" class="primary" disabled={idle}>
        Save
      </button>
      <button type="button" onClick={discard}>
        Discard
      </button>
      <Copy text={text} label="Copy text" />
      <span class="dim">What you type is kept in this tab until you save or discard it.</span>
    </div>
  );
}

/** What was being typed, with the hash that was seen when it began: a later text must not pass for it. */
function begun(note: NoteView, place: string): { readonly seen: string; readonly text: string } {
  const [seen = "", ...rest] = kept.get(place).split("\n");
  return seen === "" ? { seen: note.version, text: note.text } : { seen, text: rest.join("\n") };
}

export function NoteEdit({
  note,
  targets,
  close,
}: {
  readonly note: NoteView;
  readonly targets: ReadonlyMap<string, string>;
  readonly close: () => void;
}): ComponentChild {
  const place = `draft ${note.id}`;
  const [base] = useState(() => begun(note, place));
  const [text, setText] = useState(base.text);
  const [beside, setBeside] = useState<Beside>("text");
  const [busy, setBusy] = useState(false);
  const done = (): void => {
    kept.set(place, "");
    close();
  };
  const save = async (seen: string): Promise<void> => {
    setBusy(true);
    const answer = await change(
      "revise",
      { id: note.id, seen, text },
      {
        again: (now) => void save(now),
        undo: ({ id, version }) =>
          void change("undo", { id: id ?? note.id, ...(version !== undefined && { seen: version }) }),
      },
    );
    setBusy(false);
    if (answer.ok) done();
  };
  return (
    <form
      class="edit"
      onSubmit={(event) => {
        event.preventDefault();
        void save(base.seen);
      }}
    >
      <Tabs now={beside} show={setBeside} />
      {beside === "preview" && <Prose text={bodyOf(text)} targets={targets} />}
      {beside === "changes" && <Diff before={note.text} after={text} />}
      {beside === "text" && (
        <Field
          text={text}
          type={(typed) => {
            setText(typed);
            kept.set(place, `${base.seen}\n${typed}`);
          }}
          save={() => void save(base.seen)}
        />
      )}
      <Buttons text={text} idle={busy || text === note.text} discard={done} />
    </form>
  );
}
