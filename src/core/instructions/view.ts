import type { ClientProfile, ClientView, Place } from "./clients/client.ts";
import { type Agent, AGENTS, type InstructionSection, type InstructionSet, type NotLoaded } from "./section.ts";
import { claudeCode } from "./clients/claude-code.ts";
import { codex } from "./clients/codex.ts";
import { gemini } from "./clients/gemini.ts";
import { openCode } from "./clients/opencode.ts";

/** Every client that memdir knows. */
export const PROFILES: Readonly<Record<Agent, ClientProfile>> = {
  "claude-code": claudeCode,
  codex,
  gemini,
  opencode: openCode,
};

/** One client, or all clients merged into one view. */
export type AgentChoice = Agent | "all";

export function openView(place: Place, agent: AgentChoice): ClientView {
  if (agent !== "all") return PROFILES[agent].open(place);
  const views = AGENTS.map((one) => [one, PROFILES[one].open(place)] as const);
  return {
    start: () => merge(views.map(([one, view]) => [one, view.start()])),
    touched: (paths) => merge(views.map(([one, view]) => [one, view.touched(paths)])),
  };
}

/** Each file once, as the first client shows it, with the clients that load it. */
function merge(sets: readonly (readonly [Agent, InstructionSet])[]): InstructionSet {
  const sections = new Map<string, InstructionSection>();
  for (const [agent, set] of sets) {
    for (const section of set.sections) {
      const known = sections.get(section.path);
      sections.set(section.path, { ...(known ?? section), agents: [...new Set([...(known?.agents ?? []), agent])] });
    }
  }
  const loaded = new Set(sections.keys());
  const all = (pick: (set: InstructionSet) => readonly NotLoaded[]): NotLoaded[] => {
    const entries = new Map<string, NotLoaded>();
    for (const [, set] of sets)
      for (const entry of pick(set))
        if (!loaded.has(entry.path)) entries.set(`${entry.path}\n${entry.importedBy ?? ""}`, entry);
    return [...entries.values()];
  };
  return {
    sections: [...sections.values()].toSorted((a, b) => RANK[a.scope] - RANK[b.scope]),
    excluded: all(({ excluded }) => excluded),
    pending: all(({ pending }) => pending),
    unreadable: all(({ unreadable }) => unreadable),
    missing: all(({ missing }) => missing),
    waiting: sets.flatMap(([, { waiting }]) => waiting),
  };
}

const RANK = { managed: 0, user: 1, project: 2, local: 3 } as const;
