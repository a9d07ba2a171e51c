import { execFileSync, spawn } from "node:child_process";
import { devNull } from "node:os";
import path from "node:path";
import { withoutGitVariables } from "../../../core/shared/git-variables.ts";
import type { HeadAnswer, NoAnswer } from "../../../core/sync/transport.ts";
import type { GitEnvironment } from "../command.ts";
import { isObjectId } from "./space-tree.ts";

/** Git's answer after talking to another repository. */
export type Talk =
  | { readonly outcome: "ok"; readonly output: string }
  /** The branch has moved since it was last seen. */
  | { readonly outcome: "moved" }
  /** There is no repository at the address. */
  | { readonly outcome: "not-found"; readonly message: string }
  | { readonly outcome: "login"; readonly message: string }
  /** The repository is read-only for this user, or the host does not allow this push. */
  | { readonly outcome: "rejected"; readonly message: string }
  | { readonly outcome: "offline"; readonly message: string };

export interface Network {
  /** Runs git on the mirror, without prompts and within the time limit. */
  talk(args: readonly string[], timeoutMs: number): Promise<Talk>;
  /** The commit of a branch of the other repository, by one process; `undefined` if none. Changes nothing here. */
  headOf(ref: string): Promise<HeadAnswer>;
}

/** Only login settings of the person's configuration are used: no hooks, filters, aliases or rewritten addresses. */
const USED_SETTINGS = "^(credential\\..*|core\\.sshcommand|ssh\\.variant)$";
const SETTINGS_TIMEOUT_MS = 5000;
const HEAD_TIMEOUT_MS = 20_000;
const MAX_OUTPUT_BYTES = 16_000_000;

export function openNetwork(mirror: string, remote: string, environment: GitEnvironment): Network {
  let variables: Record<string, string> | undefined;
  const network: Network = {
    talk(args, timeoutMs) {
      variables ??= networkVariables(environment, isOnDisk(remote) ? [] : personalSettings(environment));
      return run(["--git-dir", mirror, ...FIXED, ...args], variables, timeoutMs);
    },
    async headOf(ref) {
      const asked = await network.talk(["ls-remote", "--quiet", "--", remote, ref], HEAD_TIMEOUT_MS);
      if (asked.outcome !== "ok") return noAnswer(asked);
      const line = asked.output.split("\n").find((one) => one.endsWith(`\t${ref}`));
      const head = line?.split("\t")[0];
      return { outcome: "head", head: head !== undefined && isObjectId(head) ? head : undefined };
    },
  };
  return network;
}

export function noAnswer(talk: Exclude<Talk, { readonly outcome: "ok" }>): NoAnswer {
  if (talk.outcome === "moved") return { outcome: "offline", message: "the branch is being changed by others" };
  if (talk.outcome === "login") return { outcome: "denied", reason: "login", message: talk.message };
  if (talk.outcome === "rejected") return { outcome: "denied", reason: "role", message: talk.message };
  return { outcome: talk.outcome, message: talk.message };
}

/** A repository on this machine's disk needs no login. */
function isOnDisk(remote: string): boolean {
  return path.isAbsolute(remote) || /^file:\/\//iu.test(remote);
}

type Settings = readonly (readonly [name: string, value: string])[];

const FIXED = [
  "-c",
  `core.hooksPath=${devNull}`,
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.askPass=",
  "-c",
  "gc.auto=0",
  "-c",
  "maintenance.auto=false",
  "-c",
  "credential.interactive=false",
  "-c",
  "http.followRedirects=initial",
];

function networkVariables(environment: GitEnvironment, settings: Settings): Record<string, string> {
  const rest = Object.fromEntries(
    Object.entries(withoutGitVariables(environment)).filter(([name]) => name !== "SSH_ASKPASS"),
  );
  const command = environment["GIT_SSH_COMMAND"] ?? valueOf(settings, "core.sshcommand");
  const ssh = environment["GIT_SSH"];
  const isPlain = (valueOf(settings, "ssh.variant") ?? "ssh") === "ssh";
  const taken = settings.filter(([name]) => name !== "core.sshcommand");
  return {
    ...rest,
    ...(command === undefined && ssh !== undefined
      ? { GIT_SSH: ssh }
      : { GIT_SSH_COMMAND: `${command ?? "ssh"}${isPlain ? " -o BatchMode=yes -o ConnectTimeout=10" : ""}` }),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_COUNT: String(taken.length),
    ...Object.fromEntries(
      taken.flatMap(([name, value], at) => [
        [`GIT_CONFIG_KEY_${at}`, name],
        [`GIT_CONFIG_VALUE_${at}`, value],
      ]),
    ),
    GIT_TERMINAL_PROMPT: "0",
    GCM_INTERACTIVE: "never",
    SSH_ASKPASS_REQUIRE: "never",
    GIT_ALLOW_PROTOCOL: "file:git:http:https:ssh",
    GIT_HTTP_LOW_SPEED_LIMIT: "1",
    GIT_HTTP_LOW_SPEED_TIME: "20",
    LC_ALL: "C",
  };
}

function valueOf(settings: Settings, name: string): string | undefined {
  return settings.findLast(([one]) => one === name)?.[1];
}

/** Settings from the system's and the person's files, in their order, which matters for credential helpers. */
function personalSettings(environment: GitEnvironment): Settings {
  const env = withoutGitVariables(environment);
  for (const name of ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"]) {
    const value = environment[name];
    if (value !== undefined) env[name] = value;
  }
  // The remaining scope is that of a repository, if the root of the disk is one.
  const all = fieldsOf(["--show-scope"], env);
  if (all !== undefined)
    return all.flatMap((scope, at) => (at % 2 === 0 && PERSONAL.has(scope) ? [settingIn(all[at + 1] ?? "")] : []));
  // Git before 2.26 does not have that option.
  return ["--system", "--global"].flatMap((where) => (fieldsOf([where], env) ?? []).map(settingIn));
}

const PERSONAL: ReadonlySet<string> = new Set(["system", "global"]);

/** `undefined` if git fails (a missing file, an unknown option); empty if there is no login setting. */
function fieldsOf(options: readonly string[], env: Record<string, string>): readonly string[] | undefined {
  try {
    const output = execFileSync("git", ["config", ...options, "--includes", "--null", "--get-regexp", USED_SETTINGS], {
      env,
      cwd: "/",
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      timeout: SETTINGS_TIMEOUT_MS,
      windowsHide: true,
    });
    return output.split("\0").filter((entry) => entry !== "");
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return "status" in error && error.status === NOTHING_FOUND ? [] : undefined;
  }
}

const NOTHING_FOUND = 1;

function settingIn(entry: string): readonly [string, string] {
  const end = entry.indexOf("\n");
  return end === -1 ? [entry, "true"] : [entry.slice(0, end), entry.slice(end + 1)];
}

function run(args: readonly string[], env: Record<string, string>, timeoutMs: number): Promise<Talk> {
  return new Promise((resolve) => {
    const child = spawn("git", args, { env, stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
    let output = "";
    let errors = "";
    let isLate = false;
    const end = (): void => {
      isLate = true;
      child.kill("SIGKILL");
      // A helper process of git may outlive it and keep them open.
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const timer = setTimeout(end, timeoutMs);
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (output.length > MAX_OUTPUT_BYTES) end();
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors = (errors + text).slice(-20_000);
    });
    child.on("error", (error) => {
      clearTimeout(timer);
      resolve({ outcome: "offline", message: `git could not be run: ${error.message}` });
    });
    child.on("close", (status) => {
      clearTimeout(timer);
      if (isLate) resolve({ outcome: "offline", message: "the other side did not answer in time" });
      else if (status === 0) resolve({ outcome: "ok", output });
      else resolve(reasonOf(`${errors}\n${output}`));
    });
  });
}

/** The first matching pattern gives the reason. Any other text from the host is ignored. */
const REASONS: readonly (readonly [Exclude<Talk["outcome"], "ok">, RegExp])[] = [
  ["moved", /\[rejected\]|(?:cannot lock ref|reference already exists|incorrect old value)/u],
  [
    "login",
    /could not read (?:Username|Password)|Authentication failed|terminal prompts disabled|Permission denied \(|Host key verification failed|error: 401/u,
  ],
  [
    "rejected",
    /\[remote rejected\]|Permission to \S+ denied|error: 403|insufficient permission|unable to create temporary object directory|Read-only file system|unpacker error|[Ww]rite access|read-only|not allowed to push/u,
  ],
  [
    "not-found",
    /does not appear to be a git repository|[Rr]epository (?:'.*' )?not found|not a git repository|does not exist/u,
  ],
];

function reasonOf(errors: string): Talk {
  const [outcome] = REASONS.find(([, pattern]) => pattern.test(errors)) ?? ["offline" as const];
  return outcome === "moved" ? { outcome } : { outcome, message: sentenceOf(errors) };
}

/** The most informative line, without any password in an address. */
function sentenceOf(errors: string): string {
  const lines = errors.split("\n").map((one) => one.trim());
  const line =
    lines.find((one) => /^(?:fatal|error): /u.test(one)) ??
    lines.find((one) => one.includes("rejected]")) ??
    "git failed";
  return line.replace(/:\/\/[^/@\s]*@/gu, "://").slice(0, 300);
}
