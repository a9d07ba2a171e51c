/** What can be done with a note. Each change says which text was seen. */
import type { ComponentChild } from "preact";
import { useRef, useState } from "preact/hooks";
import type { NoteView } from "../../src/surfaces/web/api.ts";
import { useKeys } from "../base/keys.ts";
import { change, notes, readOnlyReason } from "../base/store.ts";
import { Command, Copy, Dialog } from "../parts/parts.tsx";
import { plainly, T } from "../parts/text.tsx";

/** A change of one note, with its way back. */
function changeNote(path: string, note: { readonly id: string; readonly version: string }, more: object = {}): void {
  const run = (seen: string): void => {
    void change(
      path,
      { id: note.id, seen, ...more },
      {
        again: run,
        undo: ({ id, version }) => {
          // A note that is gone has no version: it is brought back.
          if (version === undefined) void change("restore", { id: note.id });
          else changeNote("undo", { id: id ?? note.id, version });
        },
      },
    );
  };
  run(note.version);
}

function SupersedeDialog({ note, close }: { readonly note: NoteView; readonly close: () => void }): ComponentChild {
  const [words, setWords] = useState("");
  const all = notes.value.state === "ready" ? notes.value.value : [];
  const wanted = words.toLowerCase();
  const found = all
    .filter((one) => one.scope === note.scope && one.id !== note.id && one.supersededBy === undefined)
    .filter((one) => `${one.name} ${one.description}`.toLowerCase().includes(wanted))
    .slice(0, 8);
  return (
    <Dialog title="Which note holds instead?" close={close}>
      <input
        type="search"
        aria-label="Search notes of the same scope"
        placeholder={`Search notes of scope ${note.scope}`}
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
      />
      <ul class="choose">
        {found.map((one) => (
          <li key={one.id}>
            <button
              type="button"
              onClick={() => {
                changeNote("supersede", note, { by: { id: one.id, seen: one.version } });
                close();
              }}
            >
              <b>
                <T>{one.name}</T>
              </b>
              <span>
                <T>{one.description}</T>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="dim">No other note of this scope matches.</p>}
    </Dialog>
  );
}

function ForgetDialog({ note, close }: { readonly note: NoteView; readonly close: () => void }): ComponentChild {
  return (
    <Dialog title="Forget this note" close={close}>
      <p>
        Forgetting purges the note everywhere, its history included, and cannot be undone. It is done in a terminal, not
        from a page:
      </p>
      <Command text={note.forgetCommand} />
    </Dialog>
  );
}

type Asked = "supersede" | "forget" | undefined;

function More({
  note,
  locked,
  ask,
}: {
  readonly note: NoteView;
  readonly locked: boolean;
  readonly ask: (asked: Asked) => void;
}): ComponentChild {
  const menu = useRef<HTMLDetailsElement>(null);
  const item = (name: string, run: () => void, disabled = locked): ComponentChild => (
    <button
      type="button"
      disabled={disabled}
      onClick={() => {
        menu.current?.removeAttribute("open");
        run();
      }}
    >
      {name}
    </button>
  );
  return (
    <details
      class="menu"
      ref={menu}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        menu.current?.removeAttribute("open");
        menu.current?.querySelector("summary")?.focus();
      }}
      onFocusOut={(event) => {
        if (!(event.relatedTarget instanceof Node && menu.current?.contains(event.relatedTarget) === true))
          menu.current?.removeAttribute("open");
      }}
    >
      <summary>More</summary>
      <div class="menu-items">
        {note.supersededBy === undefined
          ? item("Superseded by …", () => ask("supersede"))
          : item("Restore", () => changeNote("restore", note))}
        {note.movesTo.map((to) => item(`Move to ${plainly(to)}`, () => changeNote("move", note, { to })))}
        {item("Remove", () => changeNote("remove", note))}
        {item("Forget …", () => ask("forget"), false)}
      </div>
    </details>
  );
}

function undoTitle({ undo }: NoteView): string {
  return undo === undefined
    ? "Nothing to take back"
    : `${undo.again ? "Do again" : "Take back"}: ${plainly(undo.what)}`;
}

export function NoteActions({
  note,
  asFile,
  showAsFile,
  edit,
  canEdit,
}: {
  readonly note: NoteView;
  readonly asFile: boolean;
  readonly showAsFile: () => void;
  readonly edit: () => void;
  readonly canEdit: boolean;
}): ComponentChild {
  const [asked, ask] = useState<Asked>();
  const reason = readOnlyReason(note.scope);
  const locked = reason !== undefined;
  const pin = (): void => changeNote("pin", note, { pinned: note.pinned !== true });
  const undo = (): void => changeNote("undo", note);
  const mayUndo = !locked && note.undo !== undefined;
  const mayEdit = note.editable && !locked && canEdit;
  useKeys({
    ...(!locked && { p: pin }),
    ...(mayUndo && { u: undo }),
    ...(mayEdit && { e: edit }),
  });
  return (
    <>
      <div class="actions" role="toolbar" aria-label="Note">
        <button type="button" disabled={locked} onClick={pin} aria-pressed={note.pinned === true}>
          {note.pinned === true ? "Unpin" : "Pin"} <kbd aria-hidden="true">p</kbd>
        </button>
        <button type="button" disabled={!mayEdit} onClick={edit}>
          Edit <kbd aria-hidden="true">e</kbd>
        </button>
        <button type="button" disabled={!mayUndo} title={undoTitle(note)} onClick={undo}>
          Undo <kbd aria-hidden="true">u</kbd>
        </button>
        <button type="button" aria-pressed={asFile} onClick={showAsFile}>
          File
        </button>
        <Copy text={note.path} label="Copy path" />
        <More note={note} locked={locked} ask={ask} />
      </div>
      {!note.editable && <p class="remark">The file is not UTF-8: it can be read here and not edited.</p>}
      {asked === "supersede" && <SupersedeDialog note={note} close={() => ask(undefined)} />}
      {asked === "forget" && <ForgetDialog note={note} close={() => ask(undefined)} />}
    </>
  );
}
