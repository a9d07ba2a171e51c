import { randomUUID } from "node:crypto";
import type { Conversation } from "../conversation.ts";

export interface Session {
  readonly id: string;
  readonly conversation: Conversation;
}

/** Conversations by id, at most so many: the one that was idle longest makes room for a new one. */
export interface Sessions {
  /** `undefined` when all are busy. */
  open(conversation: () => Conversation): Session | undefined;
  find(id: string): Session | undefined;
  end(id: string): boolean;
  endAll(): void;
}

const MOST_SESSIONS = 32;
const IDLE_MS = 60 * 60_000;

export function createSessions(now: () => number, most = MOST_SESSIONS): Sessions {
  const sessions = new Map<string, Session & { used: number }>();
  const end = (id: string): boolean => {
    sessions.get(id)?.conversation.close();
    return sessions.delete(id);
  };
  const makeRoom = (): boolean => {
    for (const { id, used, conversation } of sessions.values()) if (conversation.busy === 0 && now() - used > IDLE_MS) end(id);
    if (sessions.size < most) return true;
    const [oldest] = [...sessions.values()].filter(({ conversation }) => conversation.busy === 0).toSorted((a, b) => a.used - b.used);
    return oldest !== undefined && end(oldest.id);
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
