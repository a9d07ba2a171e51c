import { runDetached } from "../../app/background/hook-child.ts";
import type { Hook } from "./hook.ts";

/** How long a client waits for an answer that needs the index brought up to date (ms). */
const ANSWER_MS = 1200;
/** Of a longer prompt a model is shown its beginning (characters). */
const PROMPT_CHARACTERS = 20_000;

/** Answers in a process that may write. `false` when it was not done in time; it goes on then, to its own bound. */
export async function answerElsewhere({ file, client, input, environment, locations, write }: Hook): Promise<boolean> {
  const prompt = input["prompt"];
  const shortened =
    typeof prompt === "string" && prompt.length > 2 * PROMPT_CHARACTERS
      ? { ...input, prompt: `${prompt.slice(0, PROMPT_CHARACTERS)}\n${prompt.slice(-PROMPT_CHARACTERS)}` }
      : input;
  const output = await runDetached({
    command: [file, client.name, "full"],
    input: JSON.stringify({ ...shortened, cwd: locations.cwd }),
    cwd: locations.memdirHome,
    environment,
    waitMs: ANSWER_MS,
  });
  if (output === undefined) return false;
  if (output !== "") write(output);
  return true;
}

/** Starts the side query of a prompt; nobody waits for it. */
export async function refineElsewhere(
  { file, client, input, environment, locations }: Hook,
  prompt: string,
): Promise<void> {
  const shortened = { ...input, cwd: locations.cwd, prompt: prompt.slice(0, PROMPT_CHARACTERS) };
  await runDetached({
    command: [file, client.name, "refine"],
    input: JSON.stringify(shortened),
    cwd: locations.memdirHome,
    environment,
    waitMs: 0,
  });
}
