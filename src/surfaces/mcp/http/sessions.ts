import { randomUUID } from "node:crypto";
import type { Conversation } from "../conversation.ts";

export interface Session {
  readonly id: string;
  readonly conversation: Conversation;
}

/** Conversations by id, at most so many. A session in use is never ended for another. */
export interface Sessions {
  /** `undefined` when there is no room: the client asks again in `RETRY_SECONDS`. */
  open(conversation: () => Conversation): Session | undefined;
  find(id: string): Session | undefined;
  end(id: string): boolean;
  endAll(): void;
}

/** Each may hold an index and its lock open: some five files. */
const MOST_SESSIONS = 512;
/** A session that asked nothing for so long is ended when others need room (ms). */
const SPARE_MS = 10 * 60_000;
/** And for so long in any case (ms). */
const IDLE_MS = 60 * 60_000;
export const RETRY_SECONDS = 30;

export function createSessions(now: () => number, most = MOST_SESSIONS): Sessions {
  const sessions = new Map<string, Session & { used: number }>();
  const end = (id: string): boolean => {
    sessions.get(id)?.conversation.close();
    return sessions.delete(id);
  };
  const idleLongerThan = (ms: number): readonly string[] =>
    [...sessions.values()]
      .filter(({ used, conversation }) => conversation.busy === 0 && now() - used > ms)
      .toSorted((one, other) => one.used - other.used)
      .map(({ id }) => id);
  const makeRoom = (): boolean => {
    for (const id of idleLongerThan(IDLE_MS)) end(id);
    if (sessions.size < most) return true;
    const [longest] = idleLongerThan(SPARE_MS);
    return longest !== undefined && end(longest);
  };
  return {
    open(conversation) {
      if (!makeRoom()) return undefined;
      const session = { id: randomUUID(), conversation: conversation(), used: now() };
      sessions.set(session.id, session);
      return session;
    },
    find(id) {
      const session = sessions.get(id);
      if (session !== undefined) session.used = now();
      return session;
    },
    end,
    endAll() {
      for (const id of sessions.keys()) end(id);
    },
  };
}
