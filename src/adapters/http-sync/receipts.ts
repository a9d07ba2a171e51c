import { isRecord } from "../../core/shared/json.ts";
import type { NoAnswer } from "../../core/sync/transport.ts";
import { ask, refusalOf } from "./answer.ts";
import type { HttpSpace } from "./transport.ts";

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
