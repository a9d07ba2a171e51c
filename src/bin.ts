import { commands, page, quietSync, reader, server } from "./bundles.ts";
import { nameHidden } from "./core/shared/hidden.ts";

/**
 * The `memdir` command. A plain `recall` is answered by the bundle that hooks use, `mcp` and `web` by their own, and so is a
 * sync that finds nothing to do; everything else, and every mistake, goes to the full command line.
 */
async function main(argv: readonly string[]): Promise<number> {
  // Before the rest: a client that gets no answer waits, so a server that may do nothing says so.
  if (argv[0] === "mcp" && !argv.includes("--help") && !argv.includes("-h"))
    return server().serveMcp(argv.slice(1), process.env);
  // Inside an agent that memdir itself started: memory must not ask memory. A hook that says nothing lets everything pass.
  if (process.env["MEMDIR_NESTED"] === "1") return 0;
  if (argv[0] === "web" && !argv.includes("--help") && !argv.includes("-h"))
    return page().serveWeb(argv.slice(1), process.env);
  const code = quickly(argv);
  // Nothing is left to do: output is written synchronously and the kernel closes files faster than we do.
  if (code !== undefined) process.exit(code);
  const interrupt = { says: "nothing was changed" };
  process.on("SIGINT", () => {
    // After the ^C that a terminal shows.
    process.stderr.write(`${process.stderr.isTTY ? "\n" : ""}memdir: interrupted; ${interrupt.says}\n`);
    process.exit(130);
  });
  const asked = argv[0] === "sync" ? await quietSync().sync().syncQuickly(argv.slice(1), process.env) : {};
  if ("code" in asked) process.exit(asked.code);
  // The demo leaves nothing behind.
  return commands(argv[0] === "demo" ? "" : undefined)
    .commandLine()
    .runProcess(argv, process.env, interrupt, asked);
}

/** The plain forms of what is asked most; `undefined` when the full command line has to answer. */
function quickly([command, ...rest]: readonly string[]): number | undefined {
  if (command === "recall") return reader(command).recall().recallQuickly(rest, process.env);
  if (command === "context") return commands(command).context().contextQuickly(rest, process.env);
  return undefined;
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(
      nameHidden(`memdir: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`),
    );
    process.exitCode = 1;
  },
);
