import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { homedir, tmpdir } from "node:os";
import path from "node:path";

export interface CheckRequest {
  readonly command: string;
  /** The checkout as the person has it, including uncommitted work and dependencies. */
  readonly directory: string;
  /** The git directory when it is outside the checkout (a worktree); it is readable. */
  readonly gitDirectory?: string | undefined;
  /** Runs the same command with an empty directory in place of the checkout. */
  readonly emptyTree?: boolean;
  readonly timeoutMs?: number;
}

export type CheckResult =
  | { readonly kind: "ran"; readonly status: number; readonly output: string; readonly ms: number }
  | { readonly kind: "timed-out"; readonly output: string; readonly ms: number }
  /** Nothing was run. */
  | { readonly kind: "not-isolated"; readonly why: string };

/** Runs one command without access to the home directory or the network; everything it writes is discarded. */
export interface CheckRunner {
  run(request: CheckRequest): CheckResult;
  /** Why commands cannot be isolated here; `undefined` if they can. */
  obstacle(): string | undefined;
}

const TIMEOUT_MS = 60_000;
const OUTPUT_BYTES = 200_000;
const TAIL_CHARACTERS = 1_500;

/** Tool directories in the home that PATH may point into; nothing else in a home is visible. */
const TOOL_HOMES = [".nvm", ".pyenv", ".rbenv", ".asdf", ".volta", ".sdkman", ".rustup", ".bun", ".deno", ".fnm", "go"];

/**
 * Linux namespaces through `unshare`, without root: own user, network, mounts, processes and IPC. The whole system is
 * readable, but homes, /run and temporary directories are empty, only harmless devices are present, and the checkout is
 * an overlay whose upper layer is in memory. If any step of the setup fails, the command is not run.
 */
export function openCheckRunner(environment: Readonly<Record<string, string | undefined>>): CheckRunner {
  const run = (request: CheckRequest): CheckResult => {
    const why = unfit(request.directory);
    return why === undefined ? isolated(environment, request) : { kind: "not-isolated", why };
  };
  return {
    run,
    obstacle() {
      const result = run({ command: "true", directory: tmpdir(), emptyTree: true, timeoutMs: 10_000 });
      return result.kind === "not-isolated" ? result.why : undefined;
    },
  };
}

function unfit(directory: string): string | undefined {
  if (process.platform !== "linux") return `checks are isolated on Linux only, and this is ${process.platform}`;
  return /[,:\\\n]/u.test(directory) ? "the path of the checkout has a comma, a colon or a backslash" : undefined;
}

function isolated(
  environment: Readonly<Record<string, string | undefined>>,
  { command, directory, gitDirectory, emptyTree = false, timeoutMs = TIMEOUT_MS }: CheckRequest,
): CheckResult {
  const home = environment["HOME"] ?? homedir();
  const search = environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin";
  const scratch = fs.mkdtempSync(path.join(tmpdir(), "memdir-check-"));
  const token = randomBytes(12).toString("hex");
  const started = performance.now();
  try {
    const result = spawnSync(
      "unshare",
      [
        "--user",
        "--map-root-user",
        "--net",
        "--mount",
        "--pid",
        "--ipc",
        "--fork",
        "--kill-child",
        "--",
        "sh",
        "-c",
        SCRIPT,
        "memdir-check",
      ],
      {
        cwd: "/",
        env: {
          PATH: `${search}:/usr/sbin:/sbin`,
          SEARCH: search,
          S: scratch,
          TREE: directory,
          EMPTY: emptyTree ? "1" : "",
          TOKEN: token,
          COMMAND: command,
          HOMES: [
            home,
            "/home",
            "/root",
            "/run",
            "/tmp",
            "/var/tmp",
            "/dev/shm",
            environment["MEMDIR_HOME"] ?? "",
          ].join("\n"),
          VISIBLE: [...toolPlaces(search, home), ...(gitDirectory === undefined ? [] : [gitDirectory])].join("\n"),
        },
        stdio: ["ignore", "pipe", "pipe"],
        timeout: timeoutMs,
        killSignal: "SIGKILL",
        maxBuffer: OUTPUT_BYTES * 10,
      },
    );
    return judged(result, token, performance.now() - started);
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}

function judged(result: ReturnType<typeof spawnSync>, token: string, ms: number): CheckResult {
  const out = String(result.stdout ?? "");
  const errors = String(result.stderr ?? "");
  const at = out.indexOf(`${token}\n`);
  if (at === -1) {
    const said = errors.trim().split("\n").at(-1) ?? "";
    const why = result.error === undefined ? said : result.error.message;
    return { kind: "not-isolated", why: why === "" ? "the namespaces could not be set up" : why.slice(0, 300) };
  }
  const output = `${out.slice(at + token.length + 1)}${errors}`.trim().slice(-TAIL_CHARACTERS);
  return result.status === null
    ? { kind: "timed-out", output, ms: Math.round(ms) }
    : { kind: "ran", status: result.status, output, ms: Math.round(ms) };
}

/** Directories in the home that the programs on PATH need. */
function toolPlaces(search: string, home: string): readonly string[] {
  const inside = search.split(":").filter((one) => one.startsWith(`${home}/`));
  const places = inside.flatMap((directory) => {
    const first = directory.slice(home.length + 1).split("/")[0] ?? "";
    if (TOOL_HOMES.includes(first)) return [path.join(home, first)];
    const rust = first === ".cargo" ? [path.join(home, ".rustup")] : [];
    return [directory, path.join(path.dirname(directory), "lib"), ...rust];
  });
  return [...new Set(places)].filter((place) => place !== home && fs.existsSync(place));
}

/** `set -e` throughout: if any step of the setup fails, the script ends before it prints TOKEN and runs the command. */
const SCRIPT = String.raw`
set -eu
mount --make-rprivate /
mount -t tmpfs -o size=1g,mode=755 tmpfs "$S"
mkdir "$S/root" "$S/up" "$S/work"
mount --rbind / "$S/root"
R="$S/root"
# Whatever is mounted below it can only be read; options that the kernel has locked are repeated.
while read -r _ _ _ _ point options _; do
  case "$point" in
    "$R"|"$R"/*)
      point=$(printf '%b' "$point")
      # A place that another mount hides, or that is gone, cannot be reached anyway.
      [ -e "$point" ] || continue
      mount -o "remount,bind,ro,$(printf '%s' "$options" | sed 's/\brw\b/ro/')" "$point" 2>/dev/null ||
        { umount -l "$point" 2>/dev/null && mount -t tmpfs -o ro,size=4k tmpfs "$point"; } ;;
  esac
done < /proc/self/mountinfo
# Devices that do no harm.
mkdir "$S/dev" "$S/dev/shm"
for device in null zero full random urandom; do
  : > "$S/dev/$device"
  mount --bind "/dev/$device" "$S/dev/$device"
done
mount --rbind "$S/dev" "$R/dev"
# Directories of memory over homes and the places where sockets lie; what must be seen in them is bound again.
printf '%s\n' "$HOMES" | sort -u | while read -r place; do
  [ -n "$place" ] && [ -d "$R$place" ] && [ ! -L "$R$place" ] || continue
  mount -t tmpfs -o size=1g,mode=777,nosuid,nodev tmpfs "$R$place"
done
printf '%s\n' "$VISIBLE" | while read -r place; do
  [ -n "$place" ] && [ -d "$place" ] || continue
  mkdir -p "$R$place" 2>/dev/null || true
  mount --bind "$place" "$R$place"
  mount -o remount,bind,ro "$R$place" 2>/dev/null || mount -o remount,bind,ro,nosuid,nodev "$R$place"
done
mkdir -p "$R$TREE" 2>/dev/null || true
if [ -n "$EMPTY" ]; then
  mount -t tmpfs -o size=1g,nosuid,nodev tmpfs "$R$TREE"
else
  mount -t overlay overlay -o "lowerdir=$TREE,upperdir=$S/up,workdir=$S/work" "$R$TREE"
fi
for secret in /etc/shadow /etc/gshadow /etc/sudoers; do
  [ -f "$R$secret" ] && mount --bind /dev/null "$R$secret"
done
mount -t proc -o nosuid,nodev,noexec proc "$R/proc"
cd "$R"
pivot_root . .
umount -l .
T=/tmp
mkdir -p "$T/home"
cd "$TREE"
ulimit -c 0
ulimit -f 2097152
ulimit -t 120
echo "$TOKEN"
exec setpriv --no-new-privs --inh-caps=-all --ambient-caps=-all --bounding-set=-all \
  env -i PATH="$SEARCH" HOME="$T/home" TMPDIR="$T" LANG=C.UTF-8 CI=1 MEMDIR_NESTED=1 MEMDIR_MODE=off sh -c "$COMMAND"
`;
