import { setFlagsFromString } from "node:v8";
import { type Environment, type LocationOptions, locate } from "../../app/workspace/locations.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { nameHidden } from "../../core/shared/hidden.ts";
import { ArgumentError, type PageArguments, readArguments } from "./body.ts";
import { openAssets } from "./assets.ts";
import { createJobs, workInProcess } from "./jobs.ts";
import { servePage } from "./server.ts";
import { CODE_MS, createPageSessions } from "./session.ts";
import { openSource } from "./source.ts";
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A file that redirects a browser to the page. */
export interface Redirect {
  readonly file: string;
  remove(): void;
}

/**
 * Every user of the machine can read a process's arguments, and the link contains a code; so the browser is given a
 * file that only its owner can read.
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

/** Asks the desktop to open a file; `false` if there is no desktop. */
export function openFile(file: string, environment: Environment): boolean {
  const opener = openerHere(environment);
  if (opener === undefined) return false;
  const [command, ...before] = opener;
  const child = spawn(command, [...before, file], { detached: true, stdio: "ignore" });
  // The link is printed as well, so a failure is harmless.
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

/** The page's process ends after this long without a request (ms). */
const IDLE_MS = 30 * 60_000;
const EXIT_MS = 1000;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Times that a test controls instead of the machine. */
export interface PageTimes {
  /** Milliseconds; never goes back. */
  readonly now: () => number;
  /** How often the idle time is checked (ms). */
  readonly lookMs: number;
}

const MACHINE: PageTimes = { now: () => performance.now(), lookMs: 30_000 };

/** Serves the page until Ctrl-C or half an hour without a request; resolves to the exit code. Bundled separately. */
export async function serveWeb(
  argv: readonly string[],
  environment: Environment,
  times: PageTimes = MACHINE,
): Promise<number> {
  const control = new AbortController();
  const stop = (): void => control.abort();
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    await serve(readArguments(argv), environment, times, control);
    return 0;
  } catch (error) {
    if (!(error instanceof ArgumentError) && !(error instanceof MemoryError)) throw error;
    const help = error instanceof ArgumentError ? "`memdir web --help` shows how it is used\n" : "";
    process.stderr.write(nameHidden(`memdir: ${error.message}\n${help}`));
    return error instanceof ArgumentError ? 2 : 1;
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, stop);
    // Anything left pending must not keep the process alive; a test's own process goes on.
    if (times === MACHINE) setTimeout(() => process.exit(), EXIT_MS).unref();
  }
}

async function serve(
  wanted: PageArguments,
  environment: Environment,
  { now, lookMs }: PageTimes,
  control: AbortController,
): Promise<void> {
  const options: LocationOptions & { readonly environment: Environment } = {
    environment,
    ...(wanted.dir !== undefined && { dir: wanted.dir }),
    ...(wanted.agentType !== undefined && { agentType: wanted.agentType }),
  };
  // The process runs for hours next to other work: a small heap matters more here than top speed.
  for (const flag of ["--optimize-for-size", "--heap-growing-percent=20"]) setFlagsFromString(flag);
  const { memdirHome } = locate(options);
  const source = openSource(options);
  const sessions = createPageSessions(now);
  const jobs = createJobs(workInProcess(options), () => Date.now());
  let last = now();
  const used = (): void => {
    last = now();
  };
  const assets = openAssets(new URL("../../web/", import.meta.url));
  const server = await servePage({ source, sessions, jobs, assets, port: wanted.port, used });
  const url = `http://127.0.0.1:${server.port}/#code=${sessions.newCode()}`;
  const redirect = announce(wanted, environment, memdirHome, url);
  const timer = setInterval(() => {
    if (now() - last >= IDLE_MS) control.abort();
  }, lookMs);
  await aborted(control.signal);
  clearInterval(timer);
  redirect?.remove();
  jobs.close();
  await server.close();
  source.close();
}

function announce(
  { json, opens }: PageArguments,
  environment: Environment,
  memdirHome: string,
  url: string,
): Redirect | undefined {
  if (json) {
    process.stdout.write(`${JSON.stringify({ url })}\n`);
    return undefined;
  }
  const redirect = opens ? writeRedirect(memdirHome, url) : undefined;
  const isOpening = redirect !== undefined && openFile(redirect.file, environment);
  process.stdout.write(
    `${isOpening ? "Your browser opens the page. If it does not, open this link within a minute; it works once:" : "Open this link within a minute; it works once:"}\n${url}\nCtrl-C ends the page; so does half an hour without use.\n`,
  );
  if (redirect !== undefined) setTimeout(() => redirect.remove(), CODE_MS).unref();
  return redirect;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    else signal.addEventListener("abort", () => done(), { once: true });
  });
}
