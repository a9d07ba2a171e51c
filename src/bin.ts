import { loadCached } from "./surfaces/cli/code-cache.ts";

/**
 * The `memdir` command. A plain `recall` or `context` is answered by one bundled file whose compiled code is kept
 * beside it, and so is `mcp`; everything else, and every mistake, goes to the full command line.
 */
async function main(argv: readonly string[]): Promise<number> {
  // Before the rest: a client that gets no answer waits, so a server that may do nothing says so.
  if (argv[0] === "mcp" && !argv.includes("--help") && !argv.includes("-h")) return serve(argv.slice(1));
  // Inside an agent that memdir itself started: memory must not ask memory. A hook that says nothing lets everything pass.
  if (process.env["MEMDIR_NESTED"] === "1") return 0;
  if (argv[0] === "recall" || argv[0] === "context") {
    const code = argv[0] === "recall" ? quickRecall(argv.slice(1)) : quickContext(argv.slice(1));
    // Nothing is left to do: output is written synchronously and the kernel closes files faster than we do.
    if (code !== undefined) process.exit(code);
  }
  process.on("SIGINT", () => process.exit(130));
  const { runProcess } = await import("./surfaces/cli/process.ts");
  return runProcess(argv, process.env);
}

function quickRecall(argv: readonly string[]): number | undefined {
  const { recallQuickly } = loadCached("quick-recall");
  const code: unknown = typeof recallQuickly === "function" ? recallQuickly(argv, process.env, verify) : undefined;
  return typeof code === "number" ? code : undefined;
}

/** Loaded only when a recall has something to check; passes the outcome through. */
function verify(locations: unknown, outcome: unknown): unknown {
  const { verifyQuickly } = loadCached("quick-verify");
  return typeof verifyQuickly === "function" ? verifyQuickly(locations, outcome) : outcome;
}

function quickContext(argv: readonly string[]): number | undefined {
  const { contextQuickly } = loadCached("quick-context");
  const code: unknown = typeof contextQuickly === "function" ? contextQuickly(argv, process.env) : undefined;
  return typeof code === "number" ? code : undefined;
}

async function serve(argv: readonly string[]): Promise<number> {
  const { serveMcp } = loadCached("mcp");
  const code: unknown = typeof serveMcp === "function" ? await serveMcp(argv, process.env) : undefined;
  return typeof code === "number" ? code : 1;
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`memdir: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  },
);
