import type { SpaceDevices } from "../../../app/sync/receipts.ts";
import { counted } from "../../../core/shared/text.ts";
import { type Io, line, paint, table } from "../io.ts";
import { plain } from "./sync-text.ts";

export function printDevices(io: Io, spaces: readonly SpaceDevices[]): void {
  for (const { scope, remote, devices, keys } of spaces) {
    line(io, `${scope}  ${plain(remote)}`);
    if (keys !== null) printHolders(io, keys);
    if (devices === undefined && keys === null) line(io, `  ${UNKNOWN}`);
    if (devices?.length === 0) line(io, "  no device has synced yet");
    const rows = (devices ?? []).map(({ device, user, seenAt, isCurrent }) => [
      `  ${plain(device)}`,
      plain(user),
      `seen ${timeOf(seenAt)}`,
      isCurrent ? "has everything" : "has not fetched the latest changes",
    ]);
    for (const row of table(rows)) line(io, row.trimEnd());
  }
}

/** Who can read an encrypted space. */
function printHolders(io: Io, { devices, requests }: NonNullable<SpaceDevices["keys"]>): void {
  const rows = devices.map(({ id, name, since, isHere, isRemoved }) => [
    `  ${plain(name)}`,
    id,
    isRemoved ? "has no key any more" : `has the key since ${timeOf(since)}`,
    isHere ? "this device" : "",
  ]);
  for (const row of table(rows)) line(io, row.trimEnd());
  if (requests > 0) line(io, `  ${counted(requests, "device asks", "devices ask")} for the key`);
}

/** The server forgot the names too. */
export function printReceipts(io: Io, spaces: readonly SpaceDevices[]): void {
  for (const { scope, remote, devices, receipts } of spaces) {
    line(io, `${scope}  ${plain(remote)}`);
    if (devices === undefined) line(io, `  ${UNKNOWN}`);
    else if (receipts.length === 0) line(io, "  nothing was forgotten");
    for (const { lineage, forgottenAt, done, open } of receipts) {
      const purged = `purged on ${counted(done.length, "device")}`;
      const waits = open.length === 0 ? "" : paint(io, "yellow", `, not yet on ${plain(open.join(", "))}`);
      line(io, `  ${timeOf(forgottenAt)}  ${plain(lineage).slice(0, 8)}  ${purged}${waits}`);
    }
  }
}

const UNKNOWN = "a repository or store does not know which devices use it";

function timeOf(iso: string): string {
  return iso.slice(0, 16).replace("T", " ");
}
