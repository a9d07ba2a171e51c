import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { createKept, type Reading } from "../../../src/app/browse/note-list.ts";
import { skillsView } from "../../../src/app/browse/skills-view.ts";
import { devicesView, syncView } from "../../../src/app/browse/sync-view.ts";
import { locate } from "../../../src/app/workspace/locations.ts";
import { openWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import { cli, emptyHome } from "../../support/cli.ts";
import { scratch } from "../../support/scratch.ts";
import { onTrial, PROPOSAL, promoted, skillPlace } from "../../support/skills.ts";

describe("the view of skills", () => {
  it("has nothing where nothing was learnt, and says in which mode", () => {
    const workspace = skillPlace({ mode: "observe" }).workspace();
    expect(skillsView({ workspace, kept: createKept() })).toEqual({
      mode: "observe",
      skills: [],
      candidates: [],
      moreCandidates: 0,
      waiting: [],
      people: 0,
      damaged: [],
    });
  });

  it("gives each skill with its stage, its evidence in words, newest first, and where it is offered", async () => {
    const place = skillPlace();
    await promoted(place);
    const [skill] = skillsView({ workspace: place.workspace(), kept: createKept() }).skills;
    expect(skill).toMatchObject({
      name: PROPOSAL.name,
      stage: "promoted",
      evidence: "3 of 3 passed",
      check: PROPOSAL.check,
      text: expect.stringContaining("Generate the client"),
      follows: 3,
      revisions: [{ revision: 1, author: "host-agent", passes: 3, fails: 0 }],
    });
    expect(skill?.where).toContain("recall");
    expect(skill?.events[0]).toMatchObject({ says: "followed, its check passed", session: expect.any(String) });
    expect(skill?.events.map(({ time }) => time)).toEqual(
      skill?.events.map(({ time }) => time).toSorted((a, b) => (a < b ? 1 : -1)),
    );
  });

  it("shows the commands that answer a doubted draft, and approves nothing", async () => {
    const place = skillPlace();
    const shelf = place.shelf();
    const verdict = await shelf.propose({
      ...PROPOSAL,
      steps: [{ text: "Clean up", command: "rm -rf ../other" }, ...PROPOSAL.steps],
    });
    expect(verdict.kind).toBe("waits");
    const [waiting] = skillsView({ workspace: place.workspace(), kept: createKept() }).waiting;
    const id = shelf.waiting()[0]?.id ?? "";
    expect(waiting?.commands).toEqual([`memdir review accept ${id}`, `memdir review reject ${id}`]);
    expect(shelf.waiting()).toHaveLength(1);
  });

  it("says that a skill on trial is one", async () => {
    const place = skillPlace();
    await onTrial(place.shelf());
    const [skill] = skillsView({ workspace: place.workspace(), kept: createKept() }).skills;
    expect(skill).toMatchObject({ stage: "trial", evidence: "not used yet", follows: 0 });
    expect(skill).not.toHaveProperty("lastUse");
  });
});

describe("the view of sync", () => {
  function here() {
    const root = scratch();
    fs.mkdirSync(`${root}/shop`);
    const bare = `${root}/notes of Jané.git`;
    execFileSync("git", ["init", "--quiet", "--bare", bare]);
    const options = { cwd: `${root}/shop`, environment: emptyHome(root) };
    const reading: Reading = { workspace: openWorkspace(locate(options)), kept: createKept() };
    return { reading, options, bare };
  }

  it("is empty where nothing syncs", () => {
    expect(syncView(here().reading)).toEqual({ spaces: [], working: false, runs: [] });
  });

  it("says of each space what `sync status --json` says", async () => {
    const { options, bare } = here();
    const run = (...argv: readonly string[]) => cli(argv, options);
    await run("remember", "Answers are short.", "--name", "short answers", "--type", "user", "--scope", "user");
    const made = await run("sync", "setup", "--manual", "--remote", bare, "--scope", "user", "--yes");
    expect(made).toMatchObject({ code: 0, err: "" });
    await run("remember", "Named exports only.", "--name", "exports", "--type", "user", "--scope", "user");
    const [status] = JSON.parse((await run("sync", "status", "--json")).out).spaces;
    const reading = { workspace: openWorkspace(locate(options)), kept: createKept() };
    const [space] = syncView(reading).spaces;
    for (const name of ["scope", "directory", "remote", "kind", "space", "state", "message", "pending", "lastRun"])
      expect([name, Object.entries(space ?? {}).find(([key]) => key === name)?.[1]]).toEqual([name, status[name]]);
    expect(space).toMatchObject({ kind: "git", state: "idle", pending: 1, automatic: false });
    expect(space).not.toHaveProperty("keys");
    expect(syncView(reading).runs[0]).toMatchObject({ scope: "user", pushed: 1 });
    // A repository does not know who reads it, and none is asked.
    expect(await devicesView(reading)).toEqual({
      spaces: [{ scope: "user", kind: "git", remote: bare, openForgets: 0 }],
    });
  });
});
