import fs from "node:fs";
import { openShelf, type OpenShelf } from "../../src/app/skills/shelf.ts";
import { locate } from "../../src/app/workspace/locations.ts";
import { openWorkspace, type OpenWorkspace } from "../../src/app/workspace/open-workspace.ts";
import type { FilePort } from "../../src/core/notes/file-port.ts";
import type { DraftProposal, EvidenceEvent } from "../../src/core/skills/types.ts";
import { scratch } from "./scratch.ts";

const DAY = 86_400_000;
export const START = Date.parse("2026-03-02T09:00:00Z");

export const PROPOSAL: DraftProposal = {
  author: "host-agent",
  scope: "project",
  name: "regenerate-api-client",
  description: "Regenerates the typed API client after a schema change. Use when openapi.yaml changed.",
  when: "After openapi.yaml changed.",
  steps: [{ text: "Generate the client", command: "sh scripts/generate.sh openapi.yaml" }, { text: "Read the diff" }],
  pitfalls: ["`npm run gen` failed with `no schema`; `sh scripts/generate.sh` worked"],
  check: "sh scripts/check.sh",
  programs: ["sh"],
  from: ["claude-code:s:m"],
  candidate: undefined,
};

/** A home and a project for one test, on a day that the test sets. */
export interface SkillPlace {
  readonly home: string;
  readonly project: string;
  day: number;
  workspace(): OpenWorkspace;
  shelf(files?: FilePort): OpenShelf;
}

export function skillPlace(
  options: { readonly root?: string; readonly project?: string; readonly git?: boolean; readonly mode?: string } = {},
): SkillPlace {
  const root = options.root ?? scratch();
  const [home, project] = [`${root}/home`, `${root}/${options.project ?? "project"}`];
  for (const directory of [`${home}/.memdir`, `${project}/scripts`]) fs.mkdirSync(directory, { recursive: true });
  if (!fs.existsSync(`${home}/.memdir/settings.json`))
    fs.writeFileSync(`${home}/.memdir/settings.json`, JSON.stringify({ skills: { mode: options.mode ?? "auto" } }));
  const place: SkillPlace = {
    home,
    project,
    day: 0,
    workspace: () =>
      openWorkspace(
        locate({
          cwd: project,
          environment: { HOME: home, ...(options.git === true && { PATH: process.env["PATH"] }) },
        }),
        { clock: { now: () => START + place.day * DAY, timeZone: "UTC" } },
      ),
    shelf: (files) => openShelf(place.workspace(), files === undefined ? {} : { files }),
  };
  return place;
}

/** A use of the skill on a day, in a session of that day. */
export function followed(day: number, result: "pass" | "fail", revision = 1): EvidenceEvent {
  const place = { agent: "claude-code", session: `s${day}`, task: `t${day}` };
  return {
    kind: "followed",
    id: `f${day}${result}`,
    time: START + day * DAY,
    revision,
    place,
    result,
    calls: 3,
    minutes: 1,
  };
}

export function triedEvent(revision = 1): EvidenceEvent {
  return { kind: "tried", id: `tried${revision}`, time: START, revision, result: "passed", note: "", mode: "auto" };
}

/** Keeps the skill of `PROPOSAL` and puts it on trial; returns its id. */
export async function onTrial(shelf: OpenShelf, proposal: DraftProposal = PROPOSAL): Promise<string> {
  const verdict = await shelf.propose(proposal);
  if (verdict.kind !== "kept") throw new Error(JSON.stringify(verdict));
  shelf.record(verdict.skill, [triedEvent(verdict.revision)]);
  return verdict.skill;
}

/** The same, then promoted by three passes. */
export async function promoted(place: SkillPlace, proposal: DraftProposal = PROPOSAL): Promise<string> {
  const shelf = place.shelf();
  const id = await onTrial(shelf, proposal);
  place.day = 3;
  shelf.record(
    id,
    [1, 2, 3].map((day) => followed(day, "pass")),
  );
  return id;
}

/** Everything visible of the skill: its stage, its text, the copies in clients' folders, the offers for hooks. */
export function seenOf(place: SkillPlace, name = PROPOSAL.name): string {
  const shelf = place.shelf();
  const text = (file: string): string => (fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "absent");
  const stored = shelf.list().find((one) => one.name === name);
  const directory = shelf.skills.place.project ?? "";
  return JSON.stringify({
    current: stored?.standing.current.state,
    next: stored?.standing.next?.state,
    shown: stored?.text,
    file: text(`${directory}/${name}/SKILL.md`),
    newer: text(`${directory}/${name}/next/SKILL.md`),
    claude: text(`${place.project}/.claude/skills/${name}/SKILL.md`),
    agents: text(`${place.project}/.agents/skills/${name}/SKILL.md`),
    offers: text(`${place.home}/.memdir/skills/offers.json`),
    settings: text(`${place.home}/.memdir/settings.json`),
    published: text(`${place.home}/.memdir/skills/published.json`),
  });
}
