/** Skills, spaces and devices of an invented memory. */
const DAY = 86_400_000;
const ago = (days) => new Date(Date.now() - days * DAY).toISOString();

export function demoSkills() {
  const skill = (name, stage, more) => ({
    name,
    scope: "project",
    description: "Releases the command line: version, changelog, tag, and the check that the package starts.",
    stage,
    why: "its check passed 3 times in 2 sessions on 2 days",
    evidence: "3 of 3 passed",
    sessions: 2,
    lastUse: ago(2),
    where: "recall, claude",
    path: `/home/you/.memdir/skills/project/${name}/SKILL.md`,
    text: `---\nname: ${name}\n---\n\n1. \`npm version minor\`\n2. \`npm run changelog\`\n3. \`npm test\`\n`,
    check: "npm test",
    offers: 5,
    loads: 4,
    follows: 3,
    revisions: [{ revision: 1, stage, author: "host-agent", passes: 3, fails: 0 }],
    events: [
      { time: ago(2), revision: 1, kind: "followed", says: "followed, its check passed", session: "s-c41f2" },
      { time: ago(9), revision: 1, kind: "written", says: "written by your agent" },
    ],
    ...more,
  });
  return {
    mode: "observe",
    skills: [
      skill("release-cli", "promoted", { pinned: true }),
      skill("add-migration", "demoted", {
        why: "its check failed twice in a row",
        evidence: "2 of 5 passed",
        stale: "the script migrate is gone",
        where: "nowhere",
        next: { revision: 2, stage: "trial", evidence: "1 of 1 passed" },
      }),
    ],
    candidates: [
      {
        id: "c0a1b2c3d",
        time: ago(1),
        description: "regenerate the client after the schema changed",
        wants: ["done in two sessions"],
        refused: [],
        steps: ["pnpm run codegen", "pnpm run typecheck"],
        check: "pnpm test",
      },
      {
        id: "c9f8e7d6c",
        time: ago(3),
        description: "fix the typo in the footer",
        wants: [],
        refused: ["nothing checks it"],
        steps: ["sed -i s/teh/the/ footer.md"],
      },
    ],
    moreCandidates: 0,
    waiting: [
      {
        name: "seed-database",
        says: "memdir may try it once you allow its check: make test-db",
        commands: ["memdir skill try seed-database --approve"],
      },
    ],
    people: 2,
    damaged: [],
  };
}

export function demoSync() {
  const space = (scope, kind, remote, state, more = {}) => ({
    scope,
    directory: `/home/you/${scope}`,
    remote,
    kind,
    space: scope,
    state,
    message: "",
    pending: 0,
    conflicts: [],
    refused: [],
    lastRun: ago(0.1),
    automatic: true,
    ...more,
  });
  return {
    spaces: [
      space("project", "git", "git@example.com:shop/memory.git", "idle", { conflicts: ["feedback_0.md"] }),
      space("user", "store", "anthropic:memstore_01ABCdefGHIjklMNOpqrSTUv", "offline", {
        message: "the service did not answer; the next run tries again",
        pending: 3,
        retryAt: ago(0),
        refused: [{ path: "reference_keys.md", why: "holds a secret" }],
      }),
      space("team", "server", "https://memory.example.com", "ask", {
        message: "12 of 20 notes would be removed here; `memdir sync approve` names them and asks",
        keys: { devices: [{ id: "d1f2", name: "laptop", here: true }], requests: 1 },
      }),
    ],
    waiting: "a device asks for the keys of the team scope",
    working: false,
    runs: [
      { time: ago(0.1), scope: "project", state: "idle", message: "", pulled: 2, pushed: 1, conflicts: 1, refused: 0 },
      {
        time: ago(1),
        scope: "user",
        state: "offline",
        message: "no answer",
        pulled: 0,
        pushed: 0,
        conflicts: 0,
        refused: 1,
      },
    ],
  };
}

export function demoDevices() {
  return {
    spaces: [
      { scope: "project", remote: "git@example.com:shop/memory.git", openForgets: 0 },
      {
        scope: "team",
        remote: "https://memory.example.com",
        openForgets: 1,
        devices: [
          { device: "laptop", user: "ana", seen: ago(0.1), current: true },
          { device: "desktop", user: "ben", seen: ago(6), current: false },
        ],
      },
    ],
  };
}
