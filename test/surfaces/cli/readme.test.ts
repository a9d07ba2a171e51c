import fs from "node:fs";
import { expect, it } from "vitest";
import { cli, emptyHome } from "../../support/cli.ts";
import { scratch } from "../../support/scratch.ts";

interface Example {
  readonly argv: readonly string[];
  readonly shown: readonly string[];
}

/** The commands of the README's console block, each with the lines below it. */
function examples(): readonly Example[] {
  const text = fs.readFileSync(new URL("../../../README.md", import.meta.url), "utf8");
  const [, block = ""] = /```console\n([\s\S]*?)```/u.exec(text) ?? [];
  return block.split(/^\$ memdir /mu).flatMap((part): Example[] => {
    const [command = "", ...shown] = part.trimEnd().split("\n");
    const argv = [...command.matchAll(/"([^"]*)"|(\S+)/gu)].map(([, quoted, bare]) => quoted ?? bare ?? "");
    return argv.length === 0 ? [] : [{ argv, shown }];
  });
}

it("the README's everyday commands print what it shows, in its order", async () => {
  const root = scratch();
  const commands = examples();
  expect(commands.map(({ argv: [name] }) => name)).toEqual(["remember", "list", "recall", "undo", "doctor"]);
  for (const { argv, shown } of commands) {
    const { out } = await cli(argv, { cwd: root, environment: emptyHome(root), terminal: 80 });
    const runtime = /runtime: Node \S+ with \S+/gu;
    const lines = out.replaceAll(runtime, "runtime").trimEnd().split("\n");
    const wanted = shown.map((line) => line.replaceAll(runtime, "runtime"));
    // `[…]` stands for whatever lines there are.
    const cut = wanted.indexOf("[…]");
    const seen =
      cut === -1 ? lines : [...lines.slice(0, cut), "[…]", ...lines.slice(lines.length - (wanted.length - cut - 1))];
    expect([argv[0], seen]).toEqual([argv[0], wanted]);
  }
});
