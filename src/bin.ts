import { commands, page, quietSync, reader, server } from "./bundles.ts";
import { nameHidden } from "./core/shared/hidden.ts";

/**
 * The `memdir` command. A plain `recall` is answered by the hooks' bundle; `mcp`, `web` and a sync with nothing to do
 * have bundles of their own. Everything else, including every mistake, goes to the full command line.
 */
async function main(argv: readonly string[]): Promise<number> {
  // Comes first: a client without an answer keeps waiting, so a server that may do nothing says so.
  if (argv[0] === "mcp" && !argv.includes("--help") && !argv.includes("-h"))
    return server().serveMcp(argv.slice(1), process.env);
  // Inside an agent that memdir started itself, memory must not ask memory. A silent hook lets everything pass.
  if (process.env["MEMDIR_NESTED"] === "1") return 0;
  if (argv[0] === "web" && !argv.includes("--help") && !argv.includes("-h"))
    return page().serveWeb(argv.slice(1), process.env);
  const code = quickly(argv);
  // Nothing is left to do: output is written synchronously, and the kernel closes files faster than we would.
  if (code !== undefined) process.exit(code);
  const interrupt = { says: "nothing was changed" };
  process.on("SIGINT", () => {
    // After the terminal's ^C.
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

/** The plain forms of the most frequent commands; `undefined` if the full command line must answer. */
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
