/** An invented memory as the server would return it, only for pictures and tests of the page. */
const NOW = Date.parse("2026-11-23T09:30:00Z");
const DAY = 86_400_000;
const ago = (days, hours = 0) => new Date(Date.now() - days * DAY - hours * 3_600_000).toISOString();

const SUBJECTS = [
  [
    "feedback",
    "project",
    "Tests use the real database",
    "integration tests run against PostgreSQL in Docker, never mocks",
  ],
  ["user", "user", "Prefers short answers", "answers in a few lines; details only when asked for"],
  ["project", "project", "Importer listens on port 4250", "the importer service listens on 4250 in every environment"],
  ["feedback", "project", "No default exports", "named exports only: renames stay visible in review"],
  ["reference", "project", "Error dashboard", "errors of the checkout are in Grafana, board checkout-errors"],
  ["project", "project", "Freeze before Black Friday", "no deploys from 23 to 30 November without Ana"],
  ["feedback", "user", "Ask before deleting files", "never delete files without asking, not even generated ones"],
  ["project", "team", "Money is in cents", "amounts are integers in cents; the format is a matter of the page"],
  ["user", "user", "Works in Lisbon time", "in Lisbon, mostly from nine to six"],
  ["reference", "team", "On-call rota", "who is on call stands in PagerDuty, schedule Platform"],
  [
    "project",
    "project",
    "Migrations run by hand",
    "memdir: migrations are started by hand after the deploy, with `make migrate`",
  ],
  ["feedback", "project", "Commit messages in English", "present tense, plain English, no ticket numbers"],
];
const SERVICES = [
  "catalogue",
  "checkout",
  "mailer",
  "search",
  "invoices",
  "webhooks",
  "pricing",
  "media",
  "auth",
  "loyalty",
];

function noteItems() {
  const items = SUBJECTS.map(([type, scope, name, description], at) => ({
    id: `${scope}:${type}_${at}.md`,
    file: `${type}_${at}.md`,
    scope,
    name,
    description,
    type,
    version: `aa${at}`,
    time: ago(at * 1.7, at),
    ...(at === 0 && { pinned: true }),
    ...(at === 6 && { guard: true }),
    ...(at === 4 && { problems: ["The frontmatter has no `description`."] }),
    ...(at % 4 !== 3 && { recalled: { times: 21 - at, last: ago(at) } }),
  }));
  for (const [at, service] of SERVICES.entries())
    items.push({
      id: `project:owner_${service}.md`,
      file: `owner_${service}.md`,
      scope: "project",
      name: `Who owns ${service}`,
      description: `${service} belongs to the ${at % 2 === 0 ? "platform" : "shop"} team; ask in #${service}`,
      type: at % 3 === 0 ? "reference" : "project",
      version: `bb${at}`,
      time: ago(25 + at * 6),
      ...(at === 9 && { supersededBy: "owner_auth.md" }),
    });
  return items;
}

const BODY = `Integration tests run against a real PostgreSQL in Docker, never against mocks.

**Why:** in September the mocked tests were green while the migration failed in production.

**How to apply:**

- Start it with \`make db\`; each test file gets a schema of its own.
- Fixtures are in \`test/fixtures\`, see [[Who owns checkout]] and [[Migrations run by hand]].
- \`pnpm test --watch\` keeps the container running.

\`\`\`sh
make db && pnpm test
\`\`\`
`;
const fileOf = (note, body) =>
  `---\nname: ${note.name}\ndescription: ${note.description}\nmetadata:\n  type: ${note.type}\n---\n\n${body}`;

function versionsOf(note) {
  const one = (seq, days, actor, reason, kind, session) => ({
    scope: note.scope,
    seq,
    time: ago(days),
    actor,
    reason,
    ...(session !== undefined && { session }),
    files: [{ file: note.file, kind }],
  });
  return [
    one(31, 2, "user", "pinned", "changed"),
    one(24, 9, "dream", "merged “tests need docker” into this note", "changed"),
    one(12, 30, "rules", "captured from a session", "added", "s-0c41f2"),
  ];
}

const PROMPTS = [
  "write integration tests for the importer",
  "why does the checkout test fail in CI?",
  "set up a test database on my laptop",
  "add a migration for the loyalty table",
  "which port does the importer listen on?",
];

function recallsOf() {
  return Array.from({ length: 14 }, (_, at) => ({
    time: ago(at * 1.3, at),
    session: `s-${(0xc41f2 + at * 977).toString(16)}`,
    prompt: PROMPTS[at % PROMPTS.length],
    score: [0.91, 0.74, 0.62, 0.22, 0.14][at % 5],
    fate: ["shown", "shown", "shown", "pointed", "surfaced"][at % 5],
    by: "rules",
  }));
}

export function demoNotes() {
  return noteItems();
}

export function demoNote(item, items) {
  const linked = (note) => ({ target: note.name, id: note.id, name: note.name, description: note.description });
  const checkout = items.find(({ name }) => name === "Who owns checkout");
  const migrations = items.find(({ name }) => name === "Migrations run by hand");
  const links = item.pinned === true && checkout && migrations ? [linked(checkout), linked(migrations)] : [];
  const body = item.pinned === true ? BODY : `${item.description.at(0)?.toUpperCase()}${item.description.slice(1)}.\n`;
  return {
    ...item,
    path: `/home/you/.claude/projects/shop/memory/${item.file}`,
    text: fileOf(item, body),
    body,
    editable: true,
    evidence: {
      session: "s-0c41f2",
      message: "m52",
      quotation: "no, don't mock the database. we got burned by that last quarter",
    },
    links,
    backlinks: [linked(items[10]), linked(items[2])].filter(({ id }) => id !== item.id),
    claims: [
      { claim: "test/fixtures", kind: "path", verdict: "holds", line: "holds" },
      { claim: "make db", kind: "script", verdict: "renamed", line: "renamed: make database (2026-10-02)" },
      { claim: "pnpm test", kind: "script", verdict: "holds", line: "holds" },
    ],
    recalls: recallsOf(),
    ...(item.pinned === true && { undo: { again: true, what: "pinned" } }),
    versions: versionsOf(item),
    chain:
      item.pinned === true
        ? [
            { id: items[11].id, description: "tests may mock the database", validFrom: ago(90), validTo: ago(30) },
            { id: item.id, description: item.description, validFrom: ago(30) },
          ]
        : [{ id: item.id, description: item.description }],
    contradicts: [],
    ...(item.guard === true && {
      guardRule: {
        state: "waiting",
        tool: "Bash",
        pattern: "rm\\s",
        action: "ask",
        message: "Ask before deleting files.",
        command: `memdir guard approve ${item.file}`,
      },
    }),
    movesTo: ["user", "team"].filter((scope) => scope !== item.scope),
    forgetCommand: `memdir forget ${item.id}`,
  };
}

export function demoVersion(note, seq) {
  const after = note.text;
  const before =
    seq === 31
      ? after.replace("metadata:\n", "metadata:\n  pinned: false\n")
      : after
          .replace("never against mocks", "where it is easy")
          .replace("- `pnpm test --watch` keeps the container running.\n", "");
  const version = note.versions.find((one) => one.seq === seq) ?? note.versions[0];
  return { version, files: [{ file: note.file, kind: "changed", ...(seq !== 12 && { before }), after }], more: 0 };
}

export function demoAsk(prompt, items, noteId) {
  const words = prompt
    .toLowerCase()
    .split(/[^a-z]+/u)
    .filter(Boolean);
  const scores = [0.91, 0.66, 0.27, 0.19, 0.12, 0.08];
  const candidates = [items[0], items[2], items[10], items[12], items[13], items[4]].map((note, at) => ({
    id: note.id,
    file: note.file,
    scope: note.scope,
    name: note.name,
    description: note.description,
    score: scores[at],
    fate: at < 2 ? "shown" : at < 4 ? "pointed" : "unlikely",
    says: at < 2 ? "shown whole" : at < 4 ? "shown in one line" : "not likely enough",
    has: words.slice(at, at + 3),
    relates: at === 1 ? ["service"] : [],
    lacks: words.slice(0, at),
  }));
  const text = `<memory>\n# ${items[0].name}\n(2 days old)\n\n${BODY}\n- ${items[10].name}: ${items[10].description}\n</memory>`;
  return {
    prompt,
    verdict: "found",
    says: "2 notes shown whole, 2 in one line, of 22",
    floors: { whole: 0.45, pointer: 0.15 },
    words: words.map((word, at) => ({
      word,
      notes: [3, 5, 9, 12, 4, 2][at % 6],
      telling: !["for", "the", "a"].includes(word),
    })),
    candidates,
    more: 9,
    given: [{ clients: ["Claude Code", "Codex", "Gemini CLI"], text, tokens: 212 }],
    ms: 7.2,
    remarks: [],
    ...(noteId && {
      whyNot: {
        id: noteId,
        reason: "no-words",
        says: "The note has none of the prompt's telling words.",
        score: 0.04,
        rank: 9,
        places: ["“for” only in the text, and it is too common to tell anything"],
        remedy: "A description that names what people ask for would help.",
      },
    }),
  };
}

export function demoTimeline(items) {
  const version = (seq, actor, reason, kind, at) => ({
    scope: "project",
    seq,
    time: ago(at),
    actor,
    reason,
    files: [{ file: items[0].file, kind }],
  });
  return Array.from({ length: 26 }, (_, at) => {
    const time = ago(at * 0.45);
    const session = `s-${(0xc41f2 + Math.floor(at / 3) * 977).toString(16)}`;
    if (at % 9 === 4)
      return {
        kind: "capture",
        time,
        session,
        version: version(40 - at, "rules", "2 notes from a session", "added", at),
      };
    if (at % 11 === 7)
      return { kind: "dream", time, version: version(40 - at, "dream", "merged 2 notes, retired 1", "changed", at) };
    if (at % 6 === 5) return { kind: "start", time, session, notes: items.slice(0, 9).map(({ id }) => id) };
    if (at % 8 === 1) return { kind: "edit", time, version: version(40 - at, "user", "pinned", "changed", at) };
    return {
      kind: "recall",
      time,
      session,
      prompt: PROMPTS[at % PROMPTS.length],
      shown: at % 5 === 3 ? [] : [items[at % 5].id],
      pointed: items.slice(6, 6 + (at % 4)).map(({ id }) => id),
      tokens: 60 + ((at * 37) % 300),
      by: "rules",
    };
  });
}

export function demoReview(items) {
  const common = {
    time: ago(0, 3),
    scope: "project",
    source: "rules",
    evidence: { session: "s-0c41f2", message: "m7" },
  };
  const create = (id, name, description, quote, more = {}) => ({
    ...common,
    id,
    version: `${id}v`,
    kind: "create",
    type: "feedback",
    name,
    description,
    body: `${description}.\n`,
    text: `---\nname: ${name}\ndescription: ${description}\n---\n\n${description}.\n`,
    reason: "said once, in passing",
    doubtful: false,
    quote,
    ...more,
  });
  return {
    waiting: [
      create(
        "p1",
        "Use pnpm, not npm",
        "Packages are installed with pnpm; npm leaves a second lock file",
        "please use pnpm here, npm makes a second lock file",
      ),
      {
        ...create(
          "p2",
          "Importer listens on port 4250",
          "The importer listens on 4260",
          "we moved the importer to 4260 yesterday",
          { kind: "revise", doubtful: true, reason: "contradicts what the note says", source: "model" },
        ),
        target: {
          id: items[2].id,
          text: `---\nname: Importer listens on port 4250\ndescription: The importer listens on 4250\n---\n\nThe importer listens on 4250.\n`,
        },
        text: `---\nname: Importer listens on port 4250\ndescription: The importer listens on 4260\n---\n\nThe importer listens on 4260.\n`,
      },
      {
        ...common,
        id: "p3",
        version: "p3v",
        kind: "retire",
        target: { id: items[20].id },
        by: "owner_auth.md",
        reason: "the service is gone from the tree",
        doubtful: false,
        quote: "we shut down loyalty",
      },
    ],
    rules: [{ id: "r1", verdict: "never", says: "never create a note about a single failing test", time: ago(12) }],
    damaged: [],
  };
}

export function demoDreams(items) {
  const line = (kind, at, reason) => ({ kind, files: [items[at].file], reason });
  return {
    last: ago(1, 6),
    next: "after a day and five sessions; 3 more sessions",
    dreams: [
      {
        scope: "project",
        time: ago(1, 6),
        notes: 22,
        ms: 1840,
        version: 24,
        undone: false,
        applied: [
          line("merge", 0, "says the same as “tests need docker”"),
          line("retire", 12, "its path is gone from the tree"),
        ],
        refused: [{ ...line("merge", 3, "looks like “exports”"), why: "the answer to a prompt would change" }],
        told: [line("contradiction", 2, "two ports for the importer")],
      },
      {
        scope: "project",
        time: ago(4),
        notes: 21,
        ms: 990,
        undone: true,
        version: 18,
        applied: [line("merge", 5, "says the same twice")],
        refused: [],
        told: [],
      },
      { scope: "user", time: ago(8), notes: 4, ms: 210, undone: false, applied: [], refused: [], told: [] },
    ],
  };
}

export function demoConflicts(items) {
  const side = (note, body, days) => ({ id: note.id, name: note.name, body, version: note.version, time: ago(days) });
  return {
    conflicts: [
      {
        newer: side(items[2], "The importer listens on port **4250** in every environment.", 3),
        older: side(items[10], "The importer listens on port **4017**; the port is set in `.env`.", 51),
        reason: "Both give the port of the importer: 4250 and 4017.",
        others: [items[13].id],
        more: 0,
      },
      {
        newer: side(items[3], "Named exports only.", 6),
        older: side(items[11], "Components have a default export, everything else named ones.", 80),
        reason: "One forbids default exports, the other asks for them.",
        others: [],
        more: 0,
      },
    ],
    omitted: 0,
  };
}

export function demoHealth(items) {
  const finding = (from, check, level, message, more = {}) => ({ from, check, level, message, notes: [], ...more });
  return {
    findings: [
      finding("doctor", "hooks of Codex", "fail", "The hook is not in ~/.codex/config.toml, so prompts get no notes.", {
        command: "memdir install codex",
        why: "Without the hook an agent starts with nothing.",
      }),
      finding("audit", "stale claims", "warn", "3 notes name what is gone from the tree.", {
        notes: items.slice(0, 3).map(({ id }) => id),
        command: "memdir verify",
      }),
      finding("audit", "long descriptions", "warn", "1 note has a description that an index line cuts.", {
        notes: [items[5].id],
        command: `memdir edit ${items[5].id}`,
        hint: "120 characters fit.",
      }),
      finding("doctor", "store", "ok", "22 notes, every file reads."),
      finding("doctor", "index", "ok", "the same as a rebuild."),
      finding("doctor", "history", "ok", "git 2.47, 31 versions."),
    ],
    omitted: 0,
  };
}

export function demoCost(items) {
  const days = Array.from({ length: 34 }, (_, at) => at)
    .filter((at) => at % 7 !== 5 && at % 7 !== 6)
    .map((at) => ({
      day: new Date(NOW - (33 - at) * DAY).toISOString().slice(0, 10),
      recalls: 6 + ((at * 7) % 13),
      tokens: 900 + ((at * 733) % 2600),
      sessions: 2 + (at % 4),
    }));
  return {
    days,
    notes: items.slice(0, 8).map(({ id }, at) => ({ id, times: 41 - at * 4 })),
    start: [
      { scope: "project", tokens: 610, lines: 16 },
      { scope: "user", tokens: 120, lines: 4 },
    ],
    models: [],
  };
}

export function demoGraph(items) {
  const edges = items
    .flatMap((_, at) =>
      at === 0 ? [] : [[at, Math.floor(at / 3)], ...(at % 4 === 0 ? [[at, (at * 7) % items.length]] : [])],
    )
    .filter(([from, to]) => from !== to);
  return {
    nodes: items.map(({ id, name, type, scope }, at) => ({
      id,
      name,
      type,
      scope,
      out: edges.filter(([from]) => from === at).length,
      in: edges.filter(([, to]) => to === at).length,
    })),
    edges,
    dead: [
      { id: items[1].id, target: "tone of voice" },
      { id: items[4].id, target: "grafana.md" },
    ],
    orphans: 3,
  };
}

export function demoSessions() {
  return Array.from({ length: 12 }, (_, at) => ({
    id: `s-${(0xc41f2 + at * 977).toString(16)}`,
    first: ago(at * 1.3, 2),
    last: ago(at * 1.3, 1),
    recalls: 12 - at,
    tokens: 2100 - at * 150,
  }));
}

export function demoSession(id, items) {
  return {
    id,
    first: ago(1, 2),
    last: ago(1, 1),
    recalls: 4,
    tokens: 640,
    events: [
      {
        kind: "start",
        time: ago(1, 2),
        pinned: [{ id: items[0].id }],
        listed: items.slice(1, 9).map((note) => note.id),
      },
      {
        kind: "prompt",
        time: ago(1, 1.9),
        prompt: PROMPTS[0],
        shown: [{ id: items[0].id, score: 0.91 }],
        pointed: [{ id: items[2].id, score: 0.22 }],
        tokens: 212,
        by: "rules",
      },
      {
        kind: "prompt",
        time: ago(1, 1.7),
        prompt: "thanks, now run them",
        shown: [],
        pointed: [],
        tokens: 0,
        by: "rules",
      },
      { kind: "compacted", time: ago(1, 1.5) },
      {
        kind: "prompt",
        time: ago(1, 1.2),
        prompt: PROMPTS[3],
        shown: [{ id: items[10].id, score: 0.83, since: "changed" }],
        pointed: [{ id: items[7].id, score: 0.18 }],
        tokens: 96,
        by: "rules",
      },
    ],
    captured: [{ id: items[0].id, name: items[0].name, description: items[0].description }],
    waiting: ["p1"],
  };
}
