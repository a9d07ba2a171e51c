import path from "node:path";
import { openProjectLooks } from "../adapters/tree/project-looks.ts";
import { extractMemories, type ProjectTools } from "../core/capture/extract/extract.ts";
import { markWithLines, maskSecrets } from "../core/capture/gates.ts";
import type { Extractor } from "../core/memory/capture-session.ts";
import { findNote } from "../core/memory/workspace.ts";
import { MemoryError } from "../core/shared/errors.ts";
import { locateInstructions } from "./instructions.ts";
import { chooseModel } from "./models.ts";
import { openModel } from "./open-model.ts";
import { readModelSettings } from "./settings.ts";
import type { OpenWorkspace } from "./workspace.ts";

/** The chosen model as one that proposes what to remember. @throws MemoryError `invalid-input` where none is chosen. */
export async function openExtractor(workspace: OpenWorkspace): Promise<Extractor> {
  const { locations, clock } = workspace;
  const settings = readModelSettings(locations.memdirHome);
  const choice = chooseModel(locations, settings);
  if (choice.kind !== "chosen") throw new MemoryError("invalid-input", `no model can be asked: ${choice.reason}; \`memdir models\` shows and chooses one, and without --model rules do the work`);
  const model = await openModel(choice, settings, { memdirHome: locations.memdirHome, environment: locations.environment, clock });
  const tools = readingTools(workspace);
  return {
    extract: (input, deps) => extractMemories(input, { ...deps, model, tools, now: () => clock.now() }),
    instructions: () => locateInstructions(locations).open().start().sections.map(({ text }) => text).join("\n\n"),
  };
}

/** Notes of the scopes in force and the project around the person; nothing else can be seen. */
function readingTools(workspace: OpenWorkspace): ProjectTools {
  const { locations, secrets } = workspace;
  const looks = openProjectLooks({
    cwd: locations.cwd,
    emptyRepository: path.join(locations.memdirHome, "trees", "empty"),
    environment: locations.environment,
    mask: async (text) => (await maskSecrets(text, secrets, markWithLines)).masked,
    elapsedMs: () => performance.now(),
  });
  return {
    look: ({ tool, argument }, limit) => (tool === "note" ? Promise.resolve(readNote(workspace, argument).slice(0, limit)) : looks[tool](argument, limit)),
  };
}

function readNote(workspace: OpenWorkspace, reference: string): string {
  const found = findNote(workspace, reference);
  const bytes = found.found ? found.ref.scoped.store.read(found.ref.file) : undefined;
  return bytes === undefined ? "there is no such note" : new TextDecoder().decode(bytes);
}
