import fs from "node:fs";
import path from "node:path";
import { writeSession, DIALECTS } from "./dialects.mjs";

const DAY = 86_400_000;
const START = Date.UTC(2026, 2, 2, 9);

/** The parts of memdir that the bench drives; a test may replace one with a faulty one. */
export async function loadParts(load) {
  const [
    { openWorkspace },
    { locate },
    { openShelf },
    { recallWithSkills },
    candidates,
    check,
    settings,
    learn,
    ask,
    skill,
  ] = await Promise.all([
    load("app/workspace/open-workspace.js"),
    load("app/workspace/locations.js"),
    load("app/skills/shelf.js"),
    load("app/skills/offer.js"),
    load("app/skills/candidates.js"),
    load("app/skills/check.js"),
    load("app/workspace/skills-mode.js"),
    load("app/background/learn-skills.js"),
    load("app/skills/ask.js"),
    load("core/skills/skill.js"),
  ]);
  return {
    openWorkspace,
    locate,
    openShelf,
    recallWithSkills,
    draftFrom: candidates.draftFrom,
    listCandidates: candidates.listCandidates,
    approveCheck: check.approveCheck,
    tryCheck: check.tryCheck,
    changeSkillSettings: settings.changeSkillSettings,
    learnSkills: learn.learnSkills,
    takeSkillQuestion: ask.takeSkillQuestion,
    commandsOf: skill.commandsOf,
  };
}

/** memdir in one project, on a day that the bench sets. */
export function openMemory(parts, { home, project, isolated }) {
  let day = 0;
  let count = 0;
  const clock = { now: () => START + day * DAY, timeZone: "UTC" };
  const environment = { HOME: home, PATH: process.env.PATH };
  const workspace = parts.openWorkspace(parts.locate({ cwd: project, environment }), { clock });
  const shelf = () => parts.openShelf(workspace);
  parts.changeSkillSettings(path.join(home, ".memdir"), { mode: "auto", check: isolated ? "ask" : "never" });
  return {
    workspace,
    shelf,
    nextDay: () => void day++,
    session: () => `session-${count + 1}`,
    stageOf: (name) => stageOf(shelf(), name),
    offered: (prompt, session) => offered(parts, workspace, prompt, session),
    /** Writes the session as one of the clients would, and reads it as at the end of a session. */
    async learn(exchanges) {
      const dialect = DIALECTS[count % DIALECTS.length];
      const session = `session-${++count}`;
      const transcript = path.join(home, `${session}.jsonl`);
      const startMs = clock.now() - 3_600_000;
      fs.writeFileSync(transcript, writeSession(dialect, { session, cwd: project, startMs, exchanges }));
      const job = { session, transcript, checkpoint: "session-end" };
      await parts.learnSkills(workspace, job, AbortSignal.timeout(60_000));
    },
    /** The user lets memdir run the check; in mode `auto` nothing else is needed. */
    try(name) {
      const open = shelf();
      const stored = open.find(name);
      const { check } = (stored.next ?? stored).skill;
      if (check !== undefined) parts.approveCheck(open.skills, check);
      parts.tryCheck(open, stored);
      return stageOf(open, name);
    },
  };
}

/** The skill that recall offers at a prompt, as the agent finds it. */
function offered(parts, workspace, prompt, session) {
  const question = { prompt, session, agent: "bench", verify: undefined };
  const { rendered, delivered } = parts.recallWithSkills(workspace.locations, workspace, question);
  delivered();
  const line = rendered.text.split("\n").find((one) => one.startsWith("- [skill"));
  if (line === undefined) return undefined;
  const name = /\] ([\w-]+)/u.exec(line)?.[1] ?? "";
  const { path: file, skill, text } = parts.openShelf(workspace).find(name);
  const isByName = line.includes("memdir skill show");
  return {
    check: skill.check,
    commands: parts.commandsOf(skill.body),
    load: (hands) => (isByName ? hands.run(`memdir skill show ${name}`, text) : hands.read(file, text)),
  };
}

function stageOf(shelf, name) {
  return shelf.list().find((one) => one.name === name)?.standing.current.state.stage ?? "none";
}
