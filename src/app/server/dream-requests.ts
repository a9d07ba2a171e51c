import { spaceIdOf } from "../../core/server/memory-names.ts";
import { DREAM_STATUSES, type DreamStatus } from "../../core/server/dreams.ts";
import { isRecord, record } from "../../core/shared/json.ts";
import { withoutSecrets } from "../../core/shared/sanitize.ts";
import type { Turn } from "../../core/transcripts/turn.ts";
import { denied, type Denial } from "./ports.ts";
import { isText, parseTimesOf, type Query } from "./memory-requests.ts";

/** Checks and parses the content of requests about dreams. */

const invalid = (message: string): Denial => denied("invalid", message);

const MOST = { sessions: 100, model: 256, instructions: 4_096, messages: 5_000 } as const;

export interface DreamWords {
  readonly spaceId: string;
  readonly storeId: string;
  /** Sorted, without duplicates. */
  readonly sessionIds: readonly string[];
  readonly model: string;
  readonly instructions: string | undefined;
  readonly updates: boolean;
}

export function parseNewDream(body: unknown): DreamWords | Denial {
  if (!isRecord(body)) return invalid("the body is a JSON object");
  const inputs = parseInputs(body["inputs"]);
  if ("kind" in inputs) return inputs;
  const model = parseModel(body["model"]);
  if (typeof model !== "string") return model;
  const { instructions } = body;
  if (
    instructions !== undefined &&
    instructions !== null &&
    (!isText(instructions, MOST.instructions) || instructions === "")
  )
    return invalid(`instructions: 1 to ${MOST.instructions} characters`);
  const updates = parseBehaviour(body["output_behavior"], inputs.storeId);
  if (typeof updates !== "boolean") return updates;
  return { ...inputs, model, updates, instructions: typeof instructions === "string" ? instructions : undefined };
}

const INPUTS = "inputs: exactly one entry of type memory_store and one of type sessions";

function parseInputs(value: unknown): Pick<DreamWords, "spaceId" | "storeId" | "sessionIds"> | Denial {
  const entries = Array.isArray(value) ? value.map(record) : [];
  const store = entries.find(({ type }) => type === "memory_store");
  const sessions = entries.find(({ type }) => type === "sessions");
  if (entries.length !== 2 || store === undefined || sessions === undefined) return invalid(INPUTS);
  const storeId = store["memory_store_id"];
  const ids = sessions["session_ids"];
  if (typeof storeId !== "string") return invalid("inputs: memory_store_id is a text");
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === "string"))
    return invalid("inputs: session_ids is a list of texts");
  const sessionIds = [...new Set(ids.map(String))].toSorted();
  if (sessionIds.length !== ids.length) return invalid("inputs: each session is named once");
  if (ids.length < 1 || ids.length > MOST.sessions) return invalid(`inputs: 1 to ${MOST.sessions} sessions`);
  return { storeId, spaceId: spaceIdOf(storeId) ?? "", sessionIds };
}

function parseModel(value: unknown): string | Denial {
  const { id, speed } = isRecord(value) ? value : { id: value, speed: undefined };
  if (typeof id !== "string" || id === "" || !isText(id, MOST.model))
    return invalid(`model: an id of 1 to ${MOST.model} characters`);
  if (speed !== undefined && speed !== null && speed !== "standard")
    return invalid("model: speed can only be standard");
  return id;
}

function parseBehaviour(value: unknown, storeId: string): boolean | Denial {
  if (value === undefined || value === null) return false;
  const { type, memory_store_id: target } = record(value);
  if (type === "create_new") return false;
  if (type !== "update_existing") return invalid("output_behavior: create_new or update_existing");
  return target === storeId || invalid("output_behavior: memory_store_id is that of the memory store in inputs");
}

export interface DreamFilter {
  readonly statuses: readonly DreamStatus[];
  readonly archived: boolean;
  readonly since: number | undefined;
  readonly until: number | undefined;
}

export function parseDreamFilter(query: Query, wanted: readonly string[]): DreamFilter | Denial {
  const times = parseTimesOf(query, "gt", "lt");
  if ("kind" in times) return times;
  const known = DREAM_STATUSES.filter((status) => wanted.includes(status));
  if (known.length !== new Set(wanted).size) return invalid(`statuses: ${DREAM_STATUSES.join(", ")}`);
  const statuses = wanted.length === 0 ? DREAM_STATUSES : known;
  return { ...times, statuses, archived: query("include_archived") === "true" };
}

/** A session from the body of a request, with messages in the form of the Messages API. Secrets are removed. */
export function parseNewSession(body: unknown, now: number): readonly Turn[] | Denial {
  const { messages } = record(body);
  if (!Array.isArray(messages) || messages.length === 0 || messages.length > MOST.messages)
    return invalid(`messages: 1 to ${MOST.messages} messages`);
  const turns: Turn[] = [];
  for (const [place, message] of messages.entries()) {
    const { role, content, created_at: at } = record(message);
    if (role !== "user" && role !== "assistant") return invalid(`messages[${place}]: role is user or assistant`);
    const time = typeof at === "string" ? Date.parse(at) : now;
    if (Number.isNaN(time)) return invalid(`messages[${place}]: created_at is a time as RFC 3339 writes it`);
    const text = textIn(content);
    if (text === undefined) return invalid(`messages[${place}]: content is a text or a list of content blocks`);
    if (text !== "") turns.push(turn(role, String(place + 1), withoutSecrets(text), new Date(time).toISOString()));
  }
  return turns;
}

function turn(role: Turn["role"], id: string, text: string, time: string): Turn {
  return { role, id, text, time, toolCalls: [] };
}

/** The text of a message, without inputs and outputs of tools. */
function textIn(content: unknown): string | undefined {
  const isWhole = (text: string): boolean => !/[\p{Cs}\0]/u.test(text);
  if (typeof content === "string") return isWhole(content) ? content : undefined;
  if (!Array.isArray(content)) return undefined;
  const text = content
    .flatMap((block) => {
      const { type, text: said } = record(block);
      return type === "text" && typeof said === "string" ? [said] : [];
    })
    .join("\n\n");
  return isWhole(text) ? text : undefined;
}

/** Turns as the database stores them. */
export function parseTurns(value: unknown): readonly Turn[] {
  if (!Array.isArray(value)) return [];
  return value
    .map(record)
    .map(({ role, id, text, time }) =>
      turn(role === "user" ? "user" : "assistant", String(id), String(text), String(time)),
    );
}
