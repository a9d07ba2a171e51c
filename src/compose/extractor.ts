import path from "node:path";
import { instructionFiles } from "../adapters/files/instruction-files.ts";
import { extractMemories, type ProjectTools } from "../core/capture/extract/extract.ts";
import type { Extractor } from "../core/memory/capture-session.ts";
import type { Model } from "../core/models/model.ts";
import { findNote } from "../core/memory/workspace.ts";
import { MemoryError } from "../core/shared/errors.ts";
import { locateInstructions } from "./instructions.ts";
import { chooseModel } from "./models.ts";
import { openModel } from "./open-model.ts";
import { readModelSettings } from "./settings.ts";
import type { OpenWorkspace } from "./workspace.ts";

/** The chosen model as one that proposes what to remember; `signal` cancels what it is asked. @throws MemoryError `invalid-input` where none is chosen. */
export async function openExtractor(workspace: OpenWorkspace, signal?: AbortSignal): Promise<Extractor> {
  const { locations, clock } = workspace;
  const model = await requireModel(workspace);
  const tools = readingTools(workspace);
  return {
    extract: (input, deps) => extractMemories(input, { ...deps, model, tools, now: () => clock.now(), ...(signal === undefined ? {} : { signal }) }),
    instructions: () => locateInstructions(locations).open().start().sections.map(({ text }) => text).join("\n\n"),
  };
}

/** The chosen model, within its budget. @throws MemoryError `invalid-input` where none is chosen. */
export async function requireModel({ locations, clock }: OpenWorkspace): Promise<Model> {
  const settings = readModelSettings(locations.memdirHome);
  const choice = chooseModel(locations, settings);
  if (choice.kind !== "chosen") throw new MemoryError("invalid-input", `no model can be asked: ${choice.reason}; \`memdir models\` shows and chooses one, and without --model rules do the work`);
  return openModel(choice, settings, { memdirHome: locations.memdirHome, environment: locations.environment, clock });
}

/** Notes of the scopes in force and files inside the project; nothing else can be seen. */
function readingTools(workspace: OpenWorkspace): ProjectTools {
  return {
    look: ({ tool, argument }, limit) => Promise.resolve((tool === "note" ? readNote(workspace, argument) : readProjectFile(workspace, argument)).slice(0, limit)),
  };
}

function readNote(workspace: OpenWorkspace, reference: string): string {
  const found = findNote(workspace, reference);
  const bytes = found.found ? found.ref.scoped.store.read(found.ref.file) : undefined;
  return bytes === undefined ? "there is no such note" : new TextDecoder().decode(bytes);
}

function readProjectFile({ locations }: OpenWorkspace, given: string): string {
  const root = instructionFiles.realPath(locations.project?.root ?? locations.cwd);
  const real = root === undefined ? undefined : instructionFiles.realPath(path.resolve(root, given));
  if (root === undefined || real === undefined) return "there is no such file";
  if (!real.startsWith(`${root}/`)) return "refused: only files inside the project can be read";
  const file = instructionFiles.read(real);
  return file.state === "read" ? new TextDecoder().decode(file.bytes) : file.state === "absent" ? "there is no such file" : `cannot be read: ${file.why}`;
}
