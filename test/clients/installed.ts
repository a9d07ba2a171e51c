import path from "node:path";

/** The folder that a client's package was installed into, if anybody said where the clients are. */
export function installation(client: string): string | undefined {
  const clients = process.env["MEMDIR_CLIENTS"];
  return clients === undefined || clients === "" ? undefined : path.join(clients, client);
}

/** What to do when a client is not there; printed once in place of its comparisons. */
export function howToInstall(client: string, packageName: string, isPython = false): string {
  const command = isPython
    ? `python3 -m venv DIR/${client} && DIR/${client}/bin/pip install ${packageName}`
    : `npm install --no-save --prefix DIR/${client} ${packageName}`;
  return `${client} is not installed, so nothing was compared with it. Install it with: ${command}, and set MEMDIR_CLIENTS=DIR\n`;
}
