import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { type AgentGround, layOutForAgents, memdirBlocks } from "./agent-ground.ts";
import { type Piece, REAL_AGENTS, type RealAgent } from "./real-agents.ts";
import { treeOf } from "./with-memdir.ts";

const FILE = process.env["MEMDIR_RECORDING"];
const [claude, codex] = REAL_AGENTS;

/** memdir's own blocks and the person's words, in the order of the request; nothing of a client's own text. */
function recorded(pieces: readonly Piece[], prompt: string): string {
  const parts = pieces.flatMap((piece) =>
    piece.text.trim().endsWith(prompt) ? [{ role: piece.role, text: prompt }] : memdirBlocks([piece]),
  );
  return parts.map(({ role, text }) => `[${role}]\n${text}`).join("\n\n");
}

async function session(ground: AgentGround, agent: RealAgent, where: string, prompt: string): Promise<string> {
  const { run, requests } = await ground.ask(agent, {
    prompt,
    cwd: where === "another worktree" ? ground.worktree : ground.project,
  });
  expect(run.code, run.err).toBe(0);
  return `### ${agent.title}, in ${where}\n\nWhat its model was asked, memdir's blocks and the person's words alone:\n\n\`\`\`text\n${recorded(requests[0] ?? [], prompt)}\n\`\`\`\n`;
}

it.skipIf(FILE === undefined || claude?.program === undefined || codex?.program === undefined)(
  "a session with memory is recorded as text, into the file that MEMDIR_RECORDING names",
  async () => {
    if (FILE === undefined || claude === undefined || codex === undefined) return;
    const ground = layOutForAgents({ home: { ...claude.settings, ...codex.settings } });
    try {
      for (const { name } of [claude, codex]) ground.memdir("install", name, "--yes");
      ground.memdir("remember", "I am called dev and prefer short answers.", "--type", "user", "--name", "who-i-am");
      ground.memdir("pin", "who-i-am");
      const first = await session(
        ground,
        claude,
        "the project",
        "From now on always run the integration tests against the postgres container, never mocks: mocked tests passed while the migration failed.",
      );
      const notes = [...treeOf(ground.home)]
        .filter(([file]) => file.includes("/memory/feedback_"))
        .map(([file, bytes]) => `${path.basename(file)}\n\n${Buffer.from(bytes, "latin1").toString("utf8").trimEnd()}`);
      const noted = `### What memdir noted when the turn had ended\n\n\`\`\`text\n$ memdir list\n${ground.memdir("list")}\n${notes.join("\n\n")}\n\`\`\`\n`;
      const second = await session(
        ground,
        claude,
        "another worktree",
        "Write the integration tests for the orders importer.",
      );
      const third = await session(
        ground,
        codex,
        "the project",
        "Write the integration tests for the invoices importer.",
      );
      const other = await session(ground, claude, "the project", "Rename the colour constants in the stylesheet.");
      const text = [first, noted, second, third, other].join("\n");
      expect(text).not.toContain(ground.root);
      fs.writeFileSync(FILE, text);
    } finally {
      ground.remove();
    }
  },
);
