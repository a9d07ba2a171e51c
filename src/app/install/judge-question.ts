import { chooseJudge, requireJudge } from "../models/models.ts";
import type { Locations } from "../workspace/locations.ts";
import { changeSettings, readModelSettings } from "../workspace/settings.ts";
import { canBeCalled } from "./install-places.ts";

/** Agents that can be run without a screen, with what they are called as a model and what they add of their own. */
const JUDGES = [
  { agent: "claude-code", title: "Claude Code", model: "claude-cli", adds: "" },
  { agent: "codex", title: "Codex", model: "codex-cli", adds: " Codex adds some 35,000 characters of its own." },
  {
    agent: "gemini",
    title: "Gemini CLI",
    model: "gemini-cli",
    adds: " Gemini CLI adds some 35,000 characters of its own.",
  },
] as const;

export interface JudgeQuestion {
  readonly text: string;
  /** Keeps the answer, so that nobody asks again. */
  readonly answer: (yes: boolean) => void;
}

/** The one question whether an agent may look through finished sessions; `undefined` where it was answered, or nobody could. */
export function judgeQuestion(
  locations: Pick<Locations, "environment" | "memdirHome" | "mode">,
  agents: readonly string[],
): JudgeQuestion | undefined {
  const settings = readModelSettings(locations.memdirHome);
  const found = JUDGES.find(({ agent }) => agents.includes(agent) && canBeCalled(agent, locations));
  const isSettled = settings.judge !== undefined || settings.model !== undefined;
  if (found === undefined || isSettled || chooseJudge(locations, settings).kind !== "none") return undefined;
  return {
    text: `Let ${found.title} look through each finished session for things to remember?
Once a session it gets what you typed (at most 300 words, without pastes and secrets), what your instruction files say and one line a note, under your own login: some 3,000 tokens, more with many notes.${found.adds} Without it, the next session's agent is asked.`,
    answer: (yes) => changeSettings(locations.memdirHome, { judge: yes ? requireJudge(found.model) : "off" }),
  };
}
