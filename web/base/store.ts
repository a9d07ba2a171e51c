/** What several views share: the state of the memory, its notes, and messages about changes. */
import { computed, signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import type { NoteItem, NotesView, StateView, Written } from "../../src/surfaces/web/api.ts";
import { type Answer, type Failed, link, read, send } from "./connect.ts";

const POLL_MS = 3000;

export const state = signal<StateView | undefined>(undefined);
/** Changes whenever a note does, and whenever this page changed something. */
export const stamp = signal("");
/** Changes with a recall, a dream or a proposal too. */
export const activity = signal("");

export type Loaded<Value> =
  | { readonly state: "loading" }
  | { readonly state: "ready"; readonly value: Value }
  | { readonly state: "failed"; readonly failed: Failed };

export const notes = signal<Loaded<readonly NoteItem[]>>({ state: "loading" });
const byId = computed(
  () => new Map((notes.value.state === "ready" ? notes.value.value : []).map((note) => [note.id, note])),
);

/** A note's name, or its file where the list does not have it. */
export function nameOf(id: string): string {
  return byId.value.get(id)?.name ?? id.slice(id.indexOf(":") + 1);
}
export function noteOf(id: string): NoteItem | undefined {
  return byId.value.get(id);
}

/** Why a scope cannot be written, for people; absent where it can. */
export function readOnlyReason(scope: string): string | undefined {
  return state.value?.scopes.find((one) => one.scope === scope)?.readOnly;
}

async function loadNotes(): Promise<void> {
  const answer = await read<NotesView>("notes");
  if (answer.ok) notes.value = { state: "ready", value: answer.value.notes };
  else if (notes.value.state !== "ready") notes.value = { state: "failed", failed: answer };
}

/** Asks how things stand, and for the notes where they changed. */
export async function refresh(): Promise<void> {
  const answer = await read<StateView>("state");
  if (!answer.ok) {
    if (notes.value.state === "loading") notes.value = { state: "failed", failed: answer };
    return;
  }
  state.value = answer.value;
  const changed = answer.value.stamp !== stamp.value || notes.value.state !== "ready";
  stamp.value = answer.value.stamp;
  activity.value = `${answer.value.stamp} ${answer.value.activity}`;
  if (changed) await loadNotes();
}

/** Both at once for the first sight, then the state every few seconds while the page is seen. */
export async function follow(): Promise<void> {
  if (link.value === "no-session") return;
  await Promise.all([loadNotes(), refreshState()]);
  setInterval(() => {
    if (!document.hidden && link.value !== "no-session") void refresh();
  }, POLL_MS);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && link.value !== "no-session") void refresh();
  });
}

async function refreshState(): Promise<void> {
  const answer = await read<StateView>("state");
  if (!answer.ok) return;
  state.value = answer.value;
  stamp.value = answer.value.stamp;
  activity.value = `${answer.value.stamp} ${answer.value.activity}`;
}

/** What `path` answers; asked again when `mark` changes, with the old answer in sight until the new one is there. */
export function useRead<Value>(path: string | undefined, mark = ""): [Loaded<Value>, () => void] {
  const [held, hold] = useState<{ readonly path: string; readonly loaded: Loaded<Value> }>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (path === undefined) return undefined;
    let current = true;
    void read<Value>(path).then((answer) => {
      if (!current) return;
      // A server that ended does not empty the page.
      if (!answer.ok && answer.status === 0 && held?.path === path && held.loaded.state === "ready") return;
      hold({
        path,
        loaded: answer.ok ? { state: "ready", value: answer.value } : { state: "failed", failed: answer },
      });
    });
    return () => {
      current = false;
    };
  }, [path, mark, round]);
  const loaded: Loaded<Value> = held !== undefined && held.path === path ? held.loaded : { state: "loading" };
  return [loaded, () => setRound(round + 1)];
}

/** What was done or refused, until the next one or until it is closed. */
export interface Message {
  readonly kind: "done" | "failed";
  readonly text: string;
  readonly undo?: () => void;
}
export const message = signal<Message | undefined>(undefined);

/** Two texts of one note, where another wrote in between. */
export interface Clash {
  readonly failed: Failed;
  readonly again?: (seen: string) => void;
}
export const clash = signal<Clash | undefined>(undefined);

/**
 * Makes a change and says what became of it. `again` repeats it over what stands there now, once the person saw both
 * texts.
 */
export async function change(
  path: string,
  body: object,
  { undo, again }: { readonly undo?: (written: Written) => void; readonly again?: (seen: string) => void } = {},
): Promise<Answer<Written>> {
  const answer = await send<Written>(path, body);
  if (answer.ok) {
    const written = answer.value;
    message.value = { kind: "done", text: written.says, ...(undo !== undefined && { undo: () => undo(written) }) };
    await refresh();
  } else if (answer.status === 409 && answer.conflict !== undefined)
    clash.value = { failed: answer, ...(again !== undefined && { again }) };
  else message.value = { kind: "failed", text: answer.message };
  return answer;
}
