/** What memdir knows of programs, so that one guard meets all spellings of a command. */

interface Wrapper {
  /** Options that take the next word. */
  readonly valueOptions: readonly string[];
  /** Words between the options and the command that is run. */
  readonly operands: number;
}

const wrapper = (operands: number, ...valueOptions: readonly string[]): Wrapper => ({ operands, valueOptions });

/** Programs that run the command behind them. */
export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map([
  ["sudo", wrapper(0, "-u", "-g", "-h", "-p", "-C", "-r", "-t", "-T", "-U", "-D", "-R")],
  ["doas", wrapper(0, "-u", "-C")],
  ["env", wrapper(0, "-u", "-C", "--unset", "--chdir")],
  ["command", wrapper(0)],
  ["builtin", wrapper(0)],
  ["exec", wrapper(0, "-a")],
  ["nohup", wrapper(0)],
  ["setsid", wrapper(0)],
  ["time", wrapper(0, "-f", "-o")],
  ["nice", wrapper(0, "-n", "--adjustment")],
  ["ionice", wrapper(0, "-c", "-n")],
  ["stdbuf", wrapper(0, "-i", "-o", "-e")],
  ["timeout", wrapper(1, "-s", "-k", "--signal", "--kill-after")],
  ["xargs", wrapper(0, "-I", "-n", "-P", "-d", "-L", "-s", "-a", "-E")],
]);

/** Options before the subcommand that take the next word. */
export const VALUE_OPTIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ["git", ["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env", "--super-prefix"]],
  ["docker", ["-c", "-H", "-l", "--config", "--context", "--host", "--log-level"]],
  ["podman", ["-c", "--connection", "--log-level", "--url"]],
  ["kubectl", ["-n", "-s", "--namespace", "--context", "--cluster", "--kubeconfig", "--server", "--user", "--as"]],
  ["helm", ["-n", "--namespace", "--kube-context", "--kubeconfig"]],
  ["npm", ["-C", "-w", "--prefix", "--workspace", "--registry"]],
  ["pnpm", ["-C", "-F", "--dir", "--filter"]],
  ["yarn", ["--cwd"]],
  ["gh", ["-R", "--repo"]],
  ["aws", ["--profile", "--region", "--endpoint-url", "--output"]],
  ["gcloud", ["--project", "--account", "--configuration"]],
  ["terraform", []],
  ["systemctl", ["-H", "-M", "--host", "--machine"]],
  ["cargo", ["-C", "--color", "--config", "-Z"]],
  ["make", ["-C", "-f", "--directory", "--file"]],
]);

/** Programs that only print or look for what they are given. */
export const PRINTERS: ReadonlySet<string> = new Set([
  "echo",
  "printf",
  "print",
  "grep",
  "egrep",
  "fgrep",
  "rg",
  "ag",
  "ack",
]);

const MESSAGES = ["-m", "-am", "--message"];
const PAGES = ["-t", "--title", "-b", "--body", "-n", "--notes", "-d", "--description"];

/** Options whose value is prose, by program. */
export const PROSE_OPTIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ["git", MESSAGES],
  ["hg", MESSAGES],
  ["jj", MESSAGES],
  ["svn", MESSAGES],
  ["gh", PAGES],
  ["glab", PAGES],
]);

type Twins = readonly (readonly [short: string, long: string])[];

/** Two spellings of one option, by program or by program and subcommand; `+` is a word that begins with it. */
export const OPTION_TWINS: ReadonlyMap<string, Twins> = new Map<string, Twins>([
  [
    "git push",
    [
      ["-f", "--force"],
      ["+", "--force"],
      ["-d", "--delete"],
      ["-u", "--set-upstream"],
      ["-n", "--dry-run"],
    ],
  ],
  [
    "git commit",
    [
      ["-n", "--no-verify"],
      ["-a", "--all"],
    ],
  ],
  ["git clean", [["-f", "--force"]]],
  ["git checkout", [["-f", "--force"]]],
  [
    "git branch",
    [
      ["-D", "--delete --force"],
      ["-d", "--delete"],
      ["-f", "--force"],
    ],
  ],
  ["git add", [["-A", "--all"]]],
  [
    "rm",
    [
      ["-r", "--recursive"],
      ["-R", "--recursive"],
      ["-f", "--force"],
    ],
  ],
  ["chmod", [["-R", "--recursive"]]],
  ["chown", [["-R", "--recursive"]]],
  ["npm install", [["-g", "--global"]]],
  ["npm publish", [["-w", "--workspace"]]],
  ["docker rm", [["-f", "--force"]]],
  ["docker rmi", [["-f", "--force"]]],
]);

export const SHELLS: ReadonlySet<string> = new Set(["sh", "bash", "zsh", "dash", "ksh", "ash"]);

/** Options with a value before the host of `ssh`. */
export const CODE_OPTIONS = {
  ssh: [
    "-b",
    "-c",
    "-D",
    "-E",
    "-e",
    "-F",
    "-I",
    "-i",
    "-J",
    "-L",
    "-l",
    "-m",
    "-O",
    "-o",
    "-p",
    "-R",
    "-S",
    "-W",
    "-w",
  ],
} as const;
