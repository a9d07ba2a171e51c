import { isLineage } from "../../core/notes/history.ts";
import { repositoryOf } from "../../core/server/identity.ts";
import { isRole } from "../../core/server/roles.ts";
import { isRecord } from "../../core/shared/json.ts";
import { LIMITS, type Change, type WireMarks } from "../../core/sync/protocol.ts";
import { denied, type Denial } from "./ports.ts";
import { SPACE_KINDS, type NewSpace } from "./spaces.ts";
import { TOKEN_DAYS, type NewToken } from "./tokens.ts";

/** Checks and parses the content of sync requests. */

const invalid = (message: string): Denial => denied("invalid", message);
const REVISION_MAX = Number.MAX_SAFE_INTEGER;

export function parsePush(body: unknown): readonly Change<number>[] | Denial {
  const list = isRecord(body) ? body["changes"] : undefined;
  if (!Array.isArray(list)) return invalid('The body is { "changes": [ … ] }.');
  if (list.length > LIMITS.pushChanges)
    return denied("too-large", `A push has at most ${LIMITS.pushChanges} changes, and this one has ${list.length}.`);
  const changes: Change<number>[] = [];
  for (const [place, item] of list.entries()) {
    const change = parseChange(item);
    if (change === undefined)
      return invalid(`Change ${place} is not { key, lineage, base, state, body? } or { forget }.`);
    changes.push(change);
  }
  const keys = changes.flatMap((change) => ("forget" in change ? [] : [change.key]));
  return new Set(keys).size === keys.length ? changes : invalid("A push names each note once.");
}

function parseChange(item: unknown): Change<number> | undefined {
  if (!isRecord(item)) return undefined;
  if ("forget" in item) return isLineage(item["forget"]) ? { forget: item["forget"] } : undefined;
  const { key, lineage, base, state, body, group } = item;
  if (typeof key !== "string" || !isLineage(lineage) || !isRevision(base)) return undefined;
  // Markdown has no NUL, and the database cannot store one.
  if (key.includes("\0")) return undefined;
  if (group !== undefined && typeof group !== "string") return undefined;
  const rest = { key, lineage, base, ...(group === undefined ? {} : { group }) };
  if (state === "deleted") return body === undefined ? { ...rest, state } : undefined;
  return state === "live" && typeof body === "string" ? { ...rest, state, body } : undefined;
}

function isRevision(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/** The id of a push. The client chose it before sending and sends it again on a retry. */
export function parsePushId(text: string | undefined): string | Denial {
  if (text !== undefined && /^[\w.:-]{8,100}$/u.test(text)) return text;
  return invalid("The header Idempotency-Key has 8 to 100 letters, digits, dots, colons, hyphens or underscores.");
}

/** A number in a query; `fallback` if missing. */
export function parseNumber(text: string | undefined, fallback: number): number | Denial {
  if (text === undefined || text === "") return fallback;
  const value = /^\d{1,16}$/u.test(text) ? Number(text) : REVISION_MAX + 1;
  return value <= REVISION_MAX ? value : invalid(`${JSON.stringify(text.slice(0, 40))} is not a number.`);
}

export function parseMarks(body: unknown): WireMarks | Denial {
  const list = isRecord(body) ? body["marks"] : undefined;
  if (!Array.isArray(list) || list.length > LIMITS.marks)
    return invalid(`The body is { "marks": [ { "seq", "mark" } ] } with at most ${LIMITS.marks}.`);
  const marks = list.flatMap((item: unknown) => {
    if (!isRecord(item) || !isRevision(item["seq"]) || typeof item["mark"] !== "string") return [];
    return [{ seq: item["seq"], mark: item["mark"] }];
  });
  return marks.length === list.length ? { marks } : invalid("A mark is { seq, mark }.");
}

const LABEL = /^[^\p{Cc}]{1,200}$/u;

export function parseSpace(body: unknown): NewSpace | Denial {
  const { kind, name, identity = "", sealed = false, repository } = isRecord(body) ? body : {};
  const known = SPACE_KINDS.find((one) => one === kind);
  if (known === undefined) return invalid(`"kind" is one of ${SPACE_KINDS.join(", ")}.`);
  if (typeof name !== "string" || !LABEL.test(name)) return invalid('"name" has 1 to 200 characters.');
  if (typeof identity !== "string" || identity.length > 200) return invalid('"identity" has at most 200 characters.');
  if (typeof sealed !== "boolean") return invalid('"sealed" is true or false.');
  // Only the server sets which repository a space belongs to.
  if (repositoryOf(identity) !== undefined) return invalid('"identity" is not that of a repository: use "repository".');
  if (repository === undefined) return { kind: known, name, identity, sealed };
  if (typeof repository !== "string" || !REPOSITORY_NAME.test(repository) || known !== "team")
    return invalid('"repository" is OWNER/NAME, for a space of the kind team.');
  return { kind: known, name, identity, sealed, repository };
}

const REPOSITORY_NAME = /^(?!\.)[\w.-]{1,100}\/(?!\.)[\w.-]{1,100}$/u;

/** How a device describes itself when its user logs in. */
export function parseLogin(body: unknown): { readonly host: string | undefined; readonly device: string } | Denial {
  const { host, device = "unnamed" } = isRecord(body) ? body : {};
  if (host !== undefined && (typeof host !== "string" || !LABEL.test(host))) return invalid('"host" names a provider.');
  return typeof device === "string" && LABEL.test(device)
    ? { host, device }
    : invalid('"device" has 1 to 200 characters.');
}

/** A login as typed in a command. */
const LOGIN = /^[\w.@-]{1,100}$/u;

export function parseToken(body: unknown): NewToken | Denial {
  const { user, space, role = "writer", days = TOKEN_DAYS.usual, device = "unnamed" } = isRecord(body) ? body : {};
  if (user !== undefined && (typeof user !== "string" || !LOGIN.test(user)))
    return invalid('"user" has 1 to 100 letters, digits, or any of . @ - _');
  if (space !== undefined && (typeof space !== "string" || !LABEL.test(space)))
    return invalid('"space" is the id of a space, or KIND:NAME.');
  if (!isRole(role)) return invalid('"role" is reader, writer or admin.');
  if (typeof days !== "number" || !(days > 0 && days <= TOKEN_DAYS.most))
    return invalid(`"days" is more than 0 and at most ${TOKEN_DAYS.most}.`);
  if (typeof device !== "string" || !LABEL.test(device)) return invalid('"device" has 1 to 200 characters.');
  return { user, space, role, days, device };
}

export function parseMember(body: unknown): { readonly user: string; readonly role: NewToken["role"] } | Denial {
  const { user, role } = isRecord(body) ? body : {};
  if (typeof user !== "string" || !LOGIN.test(user)) return invalid('"user" is the login of a user of this server.');
  return isRole(role) ? { user, role } : invalid('"role" is reader, writer or admin.');
}

/** The revision in `If-Match` (`"12"`), or 0 when no note may exist (`If-None-Match: *`). */
export function parseBase(ifMatch: string | undefined, ifNoneMatch: string | undefined): number | undefined {
  if (ifNoneMatch === "*") return 0;
  const [, seq] = /^"(\d{1,15})"$/u.exec(ifMatch ?? "") ?? [];
  return seq === undefined ? undefined : Number(seq);
}
