import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { memdirBlocks } from "./agent-ground.ts";
import { REAL_AGENTS } from "./real-agents.ts";
import { type Done, layOutWalkThrough, linesOf, masked, resultsIn } from "./walk-through.ts";

const PAGE = fileURLToPath(new URL("../../docs/checkpoints.md", import.meta.url));
const FILES = {
  "src/parse.ts": '// reads the file twice\nexport const parse = (text: string): string[] => text.split("\\n");\n',
  "src/import.ts": 'import { parse } from "./parse.ts";\nexport const rows = parse("");\n',
  "src/batch.ts": "export const BATCH = 500;\n",
  "check.sh": "echo 'retry is not ported'; exit 1\n",
};
const MOST_CHARACTERS = 9500;
const RECORDING = process.env["MEMDIR_RECORDING"];
const [claude, codex] = REAL_AGENTS;

it.skipIf(claude?.program === undefined || codex?.program === undefined)(
  "docs/checkpoints.md is followed line by line: a task begun in Claude Code goes on in Codex, in another worktree",
  { timeout: 600_000, retry: 0 },
  async () => {
    if (claude === undefined || codex === undefined) return;
    const page = fs.readFileSync(PAGE, "utf8");
    const { ground, type } = layOutWalkThrough([claude, codex], FILES);
    const mask = (text: string): string => masked(text, ground.home);
    const done: Done[] = [];
    try {
      for (const { typed, output, ran } of linesOf(page)) {
        // Ids differ from run to run: the newest checkpoint's stands for the one in the page.
        const present = ran.some(({ command }) => /\b[0-9a-f]{10}\b/u.test(command))
          ? newest((await type("memdir checkpoint list --json", [])).out)
          : "";
        const commands = ran.map(({ command }) => command.replace(/\b[0-9a-f]{10}\b/u, present));
        const step = await type(typed, commands);
        done.push(step);
        if (RECORDING !== undefined) record(step, commands, ground.home);
        expect(step.code, `${typed}\n${step.err}\n${step.out}`).toBe(0);
        expect(step.left, typed).toEqual([]);
        if (RECORDING !== undefined) continue;
        expect(mask(step.out), typed).toBe(mask(output));
        const results = mask(resultsIn(step.requests.at(-1) ?? []).join("\n"));
        for (const one of ran) expect(results, one.command).toContain(mask(one.output));
      }
      const [going, told, after] = done.filter(({ typed }) => typed.startsWith("codex "));
      const first = going?.requests[0] ?? [];
      const last = going?.requests.at(-1) ?? [];
      const notices = memdirBlocks(first).filter(({ text }) => text.includes("unfinished"));
      expect(notices.map(({ role }) => role)).toEqual([codex.place]);
      expect(first.findIndex(({ text }) => text.includes("unfinished-task"))).toBeLessThan(
        first.findIndex(({ text }) => text.includes("Go on with the importer.")),
      );
      expect(RECORDING ?? mask(page)).toContain(RECORDING ?? mask(notices[0]?.text ?? "no notice"));
      const restored = resultsIn(last).flatMap((text) =>
        [...text.matchAll(/<memdir-context source="checkpoint">[\s\S]*?<\/memdir-context>/gu)].map(([block]) => block),
      );
      expect(restored).toHaveLength(1);
      expect(restored[0]?.length).toBeLessThanOrEqual(MOST_CHARACTERS);
      for (const words of [
        "The vendor takes 400 now",
        "saved in another checkout",
        "src/import.ts (modified, still so)",
        "batches of 500",
        "port the retry",
        "who signs off",
      ])
        expect(restored[0]).toContain(words);
      expect(
        memdirBlocks(told?.requests[0] ?? []).filter(({ text }) => text.includes("unfinished-task")),
        "what Codex saved is unfinished",
      ).toHaveLength(1);
      expect(
        memdirBlocks(after?.requests[0] ?? []).filter(({ text }) => text.includes("unfinished-task")),
        "dismissed, so nobody speaks of it",
      ).toEqual([]);
    } finally {
      ground.remove();
    }
  },
);

function newest(listed: string): string {
  const [first]: readonly { readonly id: string }[] = JSON.parse(listed);
  return first?.id ?? "";
}

/** What a person who follows the page sees, for the page. */
function record(step: Done, commands: readonly string[], home: string): void {
  const lines = [
    `$ ${step.typed}`,
    ...commands.map((command) => `> ${command}`),
    "-- results",
    ...resultsIn(step.requests.at(-1) ?? []),
    "-- blocks",
    ...memdirBlocks(step.requests[0] ?? []).map(({ role, text }) => `[${role}] ${text}`),
    "-- out",
    step.out,
    "",
  ];
  fs.appendFileSync(RECORDING ?? "", lines.join("\n").replaceAll(home, "/home/dev"));
}
