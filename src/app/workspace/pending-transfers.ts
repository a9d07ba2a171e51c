import { existsSync, readdirSync } from "node:fs";

export function transfersIn(memdirHome: string): string {
  return `${memdirHome}/transfers`;
}

/** Where the records of moves lie that have begun and not ended. */
export function pendingTransfersIn(memdirHome: string): string {
  return `${transfersIn(memdirHome)}/pending`;
}

/** Where the records of notes lie that are to be forgotten and are not seen to be yet. */
export function forgetsIn(memdirHome: string): string {
  return `${memdirHome}/forgets`;
}

/** Whether a killed process, or one at work, left a move or a forget half done. */
export function isWorkPending(memdirHome: string): boolean {
  const forgets = forgetsIn(memdirHome);
  return isTransferPending(memdirHome) || (existsSync(forgets) && readdirSync(forgets).length > 0);
}

/** Whether a move between stores is half done, by a process at work or a dead one; for whoever must not pay for more than a look. */
export function isTransferPending(memdirHome: string): boolean {
  const directory = pendingTransfersIn(memdirHome);
  return existsSync(directory) && readdirSync(directory).length > 0;
}
