/** Where the page is: `#/notes/ID`, `#/ask?prompt=…`. */
import { signal } from "@preact/signals";
import { keepPlace } from "./connect.ts";

export interface Route {
  readonly view: string;
  readonly id?: string;
  readonly query: URLSearchParams;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // Typed by hand, with a lone percent sign.
    return part;
  }
}

function routeOf(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/u, "").split("?", 2);
  const [view = "", ...rest] = path.split("/");
  const id = decoded(rest.join("/"));
  return { view: view === "" ? "notes" : view, ...(id !== "" && { id }), query: new URLSearchParams(query) };
}

export const route = signal<Route>(routeOf(location.hash));

export function hrefOf(view: string, id?: string, query?: Readonly<Record<string, string>>): string {
  const asked = query === undefined ? "" : `?${new URLSearchParams(query).toString()}`;
  return `#/${view}${id === undefined ? "" : `/${encodeURIComponent(id)}`}${asked}`;
}

function arrive(): void {
  if (!location.hash.startsWith("#/")) return;
  route.value = routeOf(location.hash);
  keepPlace(location.hash);
}

export function go(href: string, { replace = false } = {}): void {
  if (replace) {
    history.replaceState(null, "", href);
    arrive();
  } else location.hash = href;
}

export function followAddress(): void {
  addEventListener("hashchange", arrive);
  arrive();
}
