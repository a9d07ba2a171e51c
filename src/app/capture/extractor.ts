import path from "node:path";
import { instructionsAt } from "../instructions/instruction-text.ts";
import { openProjectLooks } from "../../adapters/tree/project-looks.ts";
import { extractMemories, type ProjectTools } from "../../core/capture/extract/extract.ts";
import { markWithLines, maskSecrets } from "../../core/shared/secrets/mask.ts";
import type { Model, ParentRequest } from "../../core/models/model.ts";
import type { Extractor } from "./capture-session.ts";
import { findNote } from "../workspace/workspace.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { chooseJudge, chooseModel } from "../models/models.ts";
import { openModel } from "../models/open-model.ts";
import { readModelSettings } from "../workspace/settings.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";

export interface ExtractorOptions {
  /** A model of the caller's, instead of the chosen one. */
  readonly model?: Model;
  /** The caller's last request. Its own model is then asked, since a cache belongs to one model. */
  readonly parent?: ParentRequest;
  /** Cancels the requests to the model. */
  readonly signal?: AbortSignal;
}

/** Makes the chosen model propose what to remember. @throws MemoryError `invalid-input` if none is chosen. */
export async function openExtractor(
  workspace: OpenWorkspace,
  { model: given, parent, signal }: ExtractorOptions = {},
): Promise<Extractor> {
  const model = given ?? (await requireModel(workspace, parent));
  const tools = readingTools(workspace);
  return {
    extract: (input, deps) =>
      extractMemories(input, {
        ...deps,
        model,
        tools,
        now: () => workspace.clock.now(),
        ...(parent === undefined ? {} : { parent }),
        ...(signal === undefined ? {} : { signal }),
      }),
    instructions: () => instructionText(workspace),
  };
}

/** The user's own agent, to judge finished sessions within the daily budget; `undefined` if that is not allowed. */
export async function openJudge(workspace: OpenWorkspace, signal: AbortSignal): Promise<Extractor | undefined> {
  const { locations, clock } = workspace;
  const settings = readModelSettings(locations.memdirHome);
  const choice = chooseJudge(locations, settings);
  if (choice.kind !== "chosen") return undefined;
  return openExtractor(workspace, { model: await openModel(choice, settings, { ...locations, clock }), signal });
}

/** The text of the project's instruction files at the start of a session. */
export function instructionText({ locations }: OpenWorkspace): string {
  return instructionsAt(locations);
}

/** The chosen model, within its budget. @throws MemoryError `invalid-input` if none is chosen. */
export async function requireModel({ locations, clock }: OpenWorkspace, parent?: ParentRequest): Promise<Model> {
  const settings = readModelSettings(locations.memdirHome);
  const choice = chooseModel(locations, settings);
  if (choice.kind !== "chosen")
    throw new MemoryError(
      "invalid-input",
      `no model can be asked: ${choice.reason}; \`memdir models\` shows and chooses one, and without --model rules do the work`,
    );
  const sameModel = parent?.request["model"];
  const name =
    parent?.provider === choice.name.provider && typeof sameModel === "string"
      ? { ...choice.name, model: sameModel }
      : choice.name;
  return openModel({ ...choice, name }, settings, {
    memdirHome: locations.memdirHome,
    environment: locations.environment,
    clock,
  });
}

/** Gives access to the notes of the scopes in use and to the current project, and to nothing else. */
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
    look: ({ tool, argument }, limit) =>
      tool === "note" ? Promise.resolve(readNote(workspace, argument).slice(0, limit)) : looks[tool](argument, limit),
  };
}

function readNote(workspace: OpenWorkspace, reference: string): string {
  const found = findNote(workspace, reference);
  const bytes = found.found ? found.ref.scoped.store.read(found.ref.file) : undefined;
  return bytes === undefined ? "there is no such note" : new TextDecoder().decode(bytes);
}
