/** One note: its text, where it came from, what became of it. */
import type { ComponentChild } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { NoteView, RemovedNote } from "../../src/surfaces/web/api.ts";
import { kept } from "../base/connect.ts";
import { hrefOf } from "../base/route.ts";
import { change, stamp, useRead } from "../base/store.ts";
import { actorWord } from "../base/words.ts";
import { Copy, Empty, Failure, Loading, NoteLink, Tag, Type } from "../parts/parts.tsx";
import { FileText, Prose, T, Time } from "../parts/text.tsx";
import { NoteActions } from "./note-actions.tsx";
import { NoteEdit } from "./note-edit.tsx";
import { NoteFacts } from "./note-facts.tsx";
import { Versions } from "./versions.tsx";

const WAIT_MS = 90;

/** The note that the reader stays on: running through the list asks for none of those passed. */
function useSettled(id: string): string | undefined {
  const [settled, setSettled] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setSettled(id), settled === undefined ? 0 : WAIT_MS);
    return () => clearTimeout(timer);
  }, [id]);
  return settled;
}

function targetsOf(note: NoteView): ReadonlyMap<string, string> {
  return new Map(note.links.flatMap(({ target, id }) => (id === undefined ? [] : [[target, id] as const])));
}

function Meta({ note }: { readonly note: NoteView }): ComponentChild {
  return (
    <p class="meta">
      <Type of={note.type} />
      <span>{note.scope} scope</span>
      <span>
        changed <Time time={note.time} />
      </span>
      <code>
        <T>{note.file}</T>
      </code>
      {note.pinned === true && <Tag>pinned</Tag>}
      {note.guard === true && <Tag>guard</Tag>}
      {note.supersededBy !== undefined && <Tag tone="quiet">superseded</Tag>}
    </p>
  );
}

function Remarks({ note }: { readonly note: NoteView }): ComponentChild {
  const successor = note.supersededBy === undefined ? undefined : `${note.scope}:${note.supersededBy}`;
  return (
    <>
      {note.problems?.map((problem) => (
        <p key={problem} class="remark warn">
          <T>{problem}</T>
        </p>
      ))}
      {successor !== undefined && (
        <p class="remark">
          Superseded: <NoteLink id={successor} /> holds in its place.
        </p>
      )}
      {note.overriddenBy !== undefined && (
        <p class="remark">
          The note of the same name in scope <b>{note.overriddenBy}</b> counts here instead.
        </p>
      )}
      {note.contradicts.length > 0 && (
        <p class="remark warn">
          Contradicts{" "}
          {note.contradicts.map((id) => (
            <span key={id}>
              <NoteLink id={id} />{" "}
            </span>
          ))}
          · <a href={hrefOf("conflicts")}>settle it</a>
        </p>
      )}
    </>
  );
}

function Removed({ id, removed }: { readonly id: string; readonly removed: RemovedNote }): ComponentChild {
  return (
    <div class="page">
      <Empty title="This note was removed">
        <p>
          <Time time={removed.version.time} />, by {actorWord(removed.version.actor)}: <T>{removed.version.reason}</T>
        </p>
        <button type="button" class="primary" onClick={() => void change("restore", { id })}>
          Bring it back
        </button>
      </Empty>
      {removed.text !== undefined && <FileText text={removed.text} />}
    </div>
  );
}

function Note({ note }: { readonly note: NoteView }): ComponentChild {
  const [asFile, setAsFile] = useState(false);
  const [editing, setEditing] = useState(kept.get(`draft ${note.id}`) !== "");
  const targets = useMemo(() => targetsOf(note), [note]);
  const top = useRef<HTMLElement>(null);
  useEffect(() => {
    top.current?.closest(".note-pane")?.scrollTo(0, 0);
  }, []);
  return (
    <article class="note" ref={top}>
      <a class="back" href={hrefOf("notes")}>
        ← All notes
      </a>
      <header>
        <h2 class="note-title">
          <T>{note.name}</T>
        </h2>
        {note.description !== "" && note.description !== note.name && (
          <p class="note-says">
            <T>{note.description}</T>
          </p>
        )}
        <Meta note={note} />
      </header>
      <NoteActions
        note={note}
        asFile={asFile}
        showAsFile={() => setAsFile(!asFile)}
        edit={() => setEditing(true)}
        canEdit={!editing}
      />
      <Remarks note={note} />
      {editing ? (
        <NoteEdit note={note} targets={targets} close={() => setEditing(false)} />
      ) : asFile ? (
        <div class="as-file">
          <p class="path">
            <code>
              <T>{note.path}</T>
            </code>
            <Copy text={note.path} label="Copy path" />
          </p>
          <FileText text={note.text} />
        </div>
      ) : (
        <Prose text={note.body} targets={targets} />
      )}
      <NoteFacts note={note} />
      <Versions id={note.id} versions={note.versions} version={note.version} />
    </article>
  );
}

export function NotePane({ id }: { readonly id: string }): ComponentChild {
  const settled = useSettled(id);
  const [loaded, again] = useRead<NoteView>(
    settled === undefined ? undefined : `note?id=${encodeURIComponent(settled)}`,
    stamp.value,
  );
  const last = useRef<NoteView | undefined>(undefined);
  if (loaded.state === "ready") last.current = loaded.value;
  if (loaded.state === "failed") {
    if (loaded.failed.removed !== undefined) return <Removed id={id} removed={loaded.failed.removed} />;
    if (loaded.failed.status === 404)
      return (
        <Empty title="There is no such note">
          <p>
            <a href={hrefOf("notes")}>All notes</a>
          </p>
        </Empty>
      );
    return <Failure failed={loaded.failed} again={again} />;
  }
  // The note before stays until the next one is there: no flicker on the way through the list.
  const shown = loaded.state === "ready" ? loaded.value : last.current;
  return shown === undefined ? <Loading what="the note" /> : <Note key={shown.id} note={shown} />;
}
