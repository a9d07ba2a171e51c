import type { Reading } from "../../app/browse/note-list.ts";
import type { Fields } from "./body.ts";
import type { Jobs } from "./jobs.ts";

/** What a request to the API is answered from. */
export interface Asked {
  readonly reading: Reading;
  readonly jobs: Jobs;
  readonly query: URLSearchParams;
  /** Empty for GET. */
  readonly fields: Fields;
}

export interface Answer {
  readonly status: number;
  readonly body: object;
}

export type Route = (asked: Asked) => Answer | Promise<Answer>;

export const ok = (body: object): Answer => ({ status: 200, body });
