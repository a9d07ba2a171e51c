import { isRecord } from "../../core/shared/json.ts";
import type { NoAnswer } from "../../core/sync/transport.ts";
import { ask, type HttpServer, refusalOf } from "./answer.ts";
import type { HttpSpace } from "./transport.ts";

/** What a space is called on a server: its kind and, within one person's spaces, its name. */
export interface SpaceName {
  readonly kind: "user" | "project" | "group" | "team";
  readonly name: string;
  /** Whether it is to be encrypted where it is made. */
  readonly isEncrypted: boolean;
}

/** The server's id of the space of that name, which is made where there is none. */
export async function findOrMakeSpace(
  server: HttpServer,
  wanted: SpaceName,
): Promise<{ readonly outcome: "space"; readonly id: string; readonly isSealed: boolean } | NoAnswer> {
  const listed = await ask(server, { method: "GET", path: "/v1/spaces" });
  if (listed.outcome === "offline") return listed;
  if (listed.status !== 200) return refusalOf(server, listed);
  const spaces = isRecord(listed.body) && Array.isArray(listed.body["spaces"]) ? listed.body["spaces"] : [];
  const known = spaces.filter(isRecord).find(({ kind, name }) => kind === wanted.kind && name === wanted.name);
  const id = known === undefined ? undefined : idOf(known);
  if (id !== undefined) return { outcome: "space", id, isSealed: known?.["sealed"] === true };
  const { kind, name, isEncrypted: sealed } = wanted;
  const made = await ask(server, { method: "POST", path: "/v1/spaces", body: { kind, name, sealed } });
  if (made.outcome === "offline") return made;
  const fresh = made.status === 200 || made.status === 201 ? idOf(made.body) : undefined;
  return fresh === undefined ? refusalOf(server, made) : { outcome: "space", id: fresh, isSealed: sealed };
}

function idOf(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined;
  const { id, space } = value;
  if (typeof id === "string") return id;
  return isRecord(space) ? idOf(space) : undefined;
}

/** How far the devices of a space are, and what was forgotten there. */
export interface SpaceReceipts {
  readonly head: number;
  readonly devices: readonly {
    readonly device: string;
    readonly user: string;
    /** It has done everything up to there. */
    readonly revision: number;
    readonly seenAt: string;
  }[];
  /** The newest first. */
  readonly forgets: readonly { readonly lineage: string; readonly revision: number; readonly forgottenAt: string }[];
}

export async function askReceipts(
  place: HttpSpace,
): Promise<({ readonly outcome: "receipts" } & SpaceReceipts) | NoAnswer> {
  const path = `/v1/spaces/${encodeURIComponent(place.space)}/receipts`;
  const answer = await ask(place, { method: "GET", path });
  if (answer.outcome === "offline") return answer;
  if (answer.status !== 200) return refusalOf(place, answer);
  const { head, devices, forgets } = isRecord(answer.body) ? answer.body : {};
  if (typeof head !== "number" || !Array.isArray(devices) || !Array.isArray(forgets))
    return { outcome: "offline", message: `${place.url} gave an answer that this memdir does not understand` };
  return {
    outcome: "receipts",
    head,
    devices: devices.filter(isRecord).map(({ device, user, revision, seenAt }) => ({
      device: String(device),
      user: String(user),
      revision: Number(revision),
      seenAt: String(seenAt),
    })),
    forgets: forgets.filter(isRecord).map(({ lineage, revision, forgottenAt }) => ({
      lineage: String(lineage),
      revision: Number(revision),
      forgottenAt: String(forgottenAt),
    })),
  };
}
