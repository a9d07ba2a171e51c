import path from "node:path";

/** The folder that a client's package was installed into, if anybody said where the clients are. */
export function installation(client: string): string | undefined {
  const clients = process.env["MEMDIR_CLIENTS"];
  return clients === undefined || clients === "" ? undefined : path.join(clients, client);
}

/** What to do when a client is not there; printed once in place of its comparisons. */
export function howToInstall(client: string, packageName: string): string {
  return `${client} is not installed, so nothing was compared with it. Install it with: npm install --no-save --prefix DIR/${client} ${packageName}, and set MEMDIR_CLIENTS=DIR\n`;
}
