import { existsSync, readdirSync } from "node:fs";

export function transfersIn(memdirHome: string): string {
  return `${memdirHome}/transfers`;
}

/** The directory with records of unfinished moves. */
export function pendingTransfersIn(memdirHome: string): string {
  return `${transfersIn(memdirHome)}/pending`;
}

/** The directory with records of unfinished forgets. */
export function forgetsIn(memdirHome: string): string {
  return `${memdirHome}/forgets`;
}

/** Whether a move or a forget is incomplete, by a killed process or a running one. */
export function isWorkPending(memdirHome: string): boolean {
  const forgets = forgetsIn(memdirHome);
  return isTransferPending(memdirHome) || (existsSync(forgets) && readdirSync(forgets).length > 0);
}

/** Whether a move between stores is incomplete, by a running or a dead process. Costs only one check. */
export function isTransferPending(memdirHome: string): boolean {
  const directory = pendingTransfersIn(memdirHome);
  return existsSync(directory) && readdirSync(directory).length > 0;
}
