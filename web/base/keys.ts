/** Single keys. They never act in a field, and can be switched off (WCAG 2.1.4). */
import { signal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { go } from "./route.ts";

const SETTING = "memdir-single-keys";
const CHAIN_MS = 1200;

export const singleKeys = signal(localStorage.getItem(SETTING) !== "off");
export const helpOpen = signal(false);

export function switchSingleKeys(on: boolean): void {
  singleKeys.value = on;
  if (on) localStorage.removeItem(SETTING);
  else localStorage.setItem(SETTING, "off");
}

/** After `g`. */
const PLACES: Readonly<Record<string, string>> = {
  n: "notes",
  a: "ask",
  r: "review",
  x: "conflicts",
  t: "timeline",
  s: "sessions",
  d: "dreams",
  l: "links",
  k: "skills",
  y: "sync",
  h: "health",
  c: "cost",
};

type Action = () => void;
const stack: Readonly<Record<string, Action>>[] = [];
let chainUntil = 0;

/**
 * Keys of a view, as long as it is shown; the last one that was shown counts. They change together with what the page
 * shows: a key must never act on what stood there before.
 */
export function useKeys(actions: Readonly<Record<string, Action>>): void {
  useLayoutEffect(() => {
    stack.push(actions);
    return () => {
      stack.splice(stack.indexOf(actions), 1);
    };
  });
}

function inField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}

function onKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const field = inField(event.target);
  if (event.key === "Escape" && field && event.target instanceof HTMLElement) event.target.blur();
  // Whoever writes a note must not change another by typing beside the field.
  if (field || document.querySelector("dialog[open], form.edit") !== null) return;
  if (!singleKeys.value && event.key.length === 1) return;
  const place = PLACES[event.key];
  if (performance.now() < chainUntil && place !== undefined) {
    chainUntil = 0;
    event.preventDefault();
    go(`#/${place}`);
    return;
  }
  chainUntil = event.key === "g" ? performance.now() + CHAIN_MS : 0;
  if (event.key === "?") helpOpen.value = true;
  // Wherever the list of notes is not: it comes first.
  if (event.key === "/" && !stack.some((actions) => actions["/"] !== undefined)) {
    event.preventDefault();
    go("#/notes");
    setTimeout(() => document.querySelector<HTMLInputElement>(".filters input[type=search]")?.select(), 50);
    return;
  }
  const action = stack.findLast((actions) => actions[event.key] !== undefined)?.[event.key];
  if (action === undefined) return;
  event.preventDefault();
  action();
}

export function listenToKeys(): void {
  addEventListener("keydown", onKey);
}
