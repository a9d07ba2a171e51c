import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../../app/workspace/locations.ts";

/** A file that leads a browser to the page. */
export interface Redirect {
  readonly file: string;
  remove(): void;
}

/**
 * Arguments of a process can be read by every user of the machine, and the link holds a code; so the browser is given
 * a file that only its owner can read.
 */
export function writeRedirect(memdirHome: string, url: string): Redirect {
  const directory = join(memdirHome, "web");
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  chmodSync(directory, 0o700);
  const file = join(directory, `open-${process.pid}.html`);
  rmSync(file, { force: true });
  const page = `<!doctype html><meta charset="utf-8"><title>memdir</title><meta http-equiv="refresh" content="0;url=${url}">\n`;
  writeFileSync(file, page, { mode: 0o600, flag: "wx" });
  return { file, remove: () => rmSync(file, { force: true }) };
}

/** Asks the desktop to open a file; `false` where there is none to ask. */
export function openFile(file: string, environment: Environment): boolean {
  const opener = openerHere(environment);
  if (opener === undefined) return false;
  const [command, ...before] = opener;
  const child = spawn(command, [...before, file], { detached: true, stdio: "ignore" });
  // The link is printed as well, so that nothing depends on it.
  child.once("error", () => undefined);
  child.unref();
  return true;
}

function openerHere(environment: Environment): readonly [string, ...string[]] | undefined {
  if (process.platform === "darwin") return ["open"];
  if (process.platform === "win32") return ["cmd", "/c", "start", ""];
  const has = (name: string): boolean => (environment[name] ?? "") !== "";
  return has("DISPLAY") || has("WAYLAND_DISPLAY") ? ["xdg-open"] : undefined;
}
