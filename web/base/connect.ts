/** Speaks with the server. An answer that was refused is a value; nothing here throws. */
import { signal } from "@preact/signals";
import type { ConflictAnswer, ErrorAnswer, RemovedAnswer, SessionAnswer } from "../../src/surfaces/web/api.ts";

const TOKEN = "memdir-token";
const PLACE = "memdir-place";

/** Whether the server answers, and whether it knows this page. */
export type Link = "joining" | "open" | "ended" | "no-session";
export const link = signal<Link>("joining");

export interface Failed {
  readonly ok: false;
  /** 0 where no server answered. */
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly conflict?: ConflictAnswer["conflict"];
  readonly removed?: RemovedAnswer["removed"];
}
export type Answer<Value> = { readonly ok: true; readonly value: Value } | Failed;

const ENDED: Failed = {
  ok: false,
  status: 0,
  code: "ended",
  message: "The server of this page has ended. Start it again with `memdir web`.",
};

async function parsed<Value>(response: Response): Promise<Value> {
  return response.json();
}

async function failedOf(response: Response): Promise<Failed> {
  const status = response.status;
  try {
    const { error, ...rest } = await parsed<ErrorAnswer & Partial<ConflictAnswer & RemovedAnswer>>(response);
    return { ok: false, status, ...error, ...rest };
  } catch {
    // What answers is not memdir: another program may have the port by now.
    return { ok: false, status, code: "unknown", message: `The server answered ${status} and gave no reason.` };
  }
}

async function call<Value>(path: string, init: RequestInit): Promise<Answer<Value>> {
  try {
    const token = sessionStorage.getItem(TOKEN);
    const response = await fetch(`/api/${path}`, {
      ...init,
      headers: {
        ...(init.body !== undefined && { "Content-Type": "application/json" }),
        ...(token !== null && { Authorization: `Bearer ${token}` }),
      },
    });
    if (response.status === 401) link.value = "no-session";
    else link.value = "open";
    if (!response.ok) return await failedOf(response);
    return { ok: true, value: await parsed<Value>(response) };
  } catch {
    // The connection was refused, or the answer was cut off.
    link.value = "ended";
    return ENDED;
  }
}

export function read<Value>(path: string): Promise<Answer<Value>> {
  return call(path, { method: "GET" });
}

export function send<Value>(path: string, body: object): Promise<Answer<Value>> {
  return call(path, { method: "POST", body: JSON.stringify(body) });
}

/** Exchanges the code of the address for a token, once, and takes it out of the address. */
export async function join(): Promise<void> {
  const code = /^#code=([\w-]+)$/u.exec(location.hash)?.[1];
  if (code !== undefined) {
    history.replaceState(null, "", sessionStorage.getItem(PLACE) ?? "#/notes");
    sessionStorage.removeItem(TOKEN);
    const answer = await send<SessionAnswer>("session", { code });
    if (answer.ok) sessionStorage.setItem(TOKEN, answer.value.token);
  }
  if (sessionStorage.getItem(TOKEN) === null && link.value !== "ended") link.value = "no-session";
}

export function keepPlace(hash: string): void {
  sessionStorage.setItem(PLACE, hash);
}

/** A text or choice that outlives a reload and the end of the server. */
export const kept = {
  get: (name: string): string => sessionStorage.getItem(`memdir-${name}`) ?? "",
  set: (name: string, value: string): void => {
    if (value === "") sessionStorage.removeItem(`memdir-${name}`);
    else sessionStorage.setItem(`memdir-${name}`, value);
  },
};
