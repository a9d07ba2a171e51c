import { commands, page, quietSync, reader, server } from "./bundles.ts";
import { nameHidden } from "./core/shared/hidden.ts";

/**
 * The `memdir` command. The bundle of the hooks answers a plain `recall`; `mcp`, `web` and a sync that finds nothing to
 * do have their own bundles. Everything else, including every mistake, goes to the full command line.
 */
async function main(argv: readonly string[]): Promise<number> {
  // First of all: a client waits for an answer, so a server that is not allowed to do anything must say so.
  if (argv[0] === "mcp" && !argv.includes("--help") && !argv.includes("-h"))
    return server().serveMcp(argv.slice(1), process.env);
  // Inside an agent that memdir itself started, memory must not ask memory. A silent hook lets everything pass.
  if (process.env["MEMDIR_NESTED"] === "1") return 0;
  if (argv[0] === "web" && !argv.includes("--help") && !argv.includes("-h"))
    return page().serveWeb(argv.slice(1), process.env);
  const code = quickly(argv);
  // Exit at once: output is written synchronously, and the kernel closes files faster than we do.
  if (code !== undefined) process.exit(code);
  const interrupt = { says: "nothing was changed" };
  process.on("SIGINT", () => {
    // After the ^C that a terminal shows.
    process.stderr.write(`${process.stderr.isTTY ? "\n" : ""}memdir: interrupted; ${interrupt.says}\n`);
    process.exit(130);
  });
  const asked = argv[0] === "sync" ? await quietSync().sync().syncQuickly(argv.slice(1), process.env) : {};
  if ("code" in asked) process.exit(asked.code);
  // The demo leaves nothing behind, not even compiled code.
  return commands(argv[0] === "demo" ? "" : undefined)
    .commandLine()
    .runProcess(argv, process.env, interrupt, asked);
}

/** Answers the plain forms of the most frequent commands; `undefined` when the full command line has to answer. */
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
