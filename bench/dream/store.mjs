// A store of notes as after five years, with planted problems, decoys and protected notes, and labels for all of them.
// The same seed gives the same bytes.
import { writeNotes, writeProject } from "./write.mjs";

/** Mulberry32: small, seeded, good enough to shuffle with. */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const SERVICES =
  "billing orders catalogue checkout inventory shipping search pricing accounts sessions notifications webhooks reports ledger payouts refunds coupons reviews uploads thumbnails mailer scheduler gateway audit exports imports archive telemetry rollout profiles invites quotas tenants".split(
    " ",
  );
const ASPECTS = [
  ["deploys", (s, v) => `Deploys of the ${s} service wait for the ${v} team.`],
  ["logging", (s, v) => `Log lines of the ${s} service carry the ${v} identifier.`],
  ["testing", (s, v) => `Tests for the ${s} service run against the ${v} container.`],
  ["review", (s, v) => `Changes to the ${s} service are reviewed by the ${v} group.`],
  ["naming", (s, v) => `Columns of the ${s} tables begin with the ${v} prefix.`],
  ["errors", (s, v) => `Errors of the ${s} service are wrapped with the ${v} context.`],
  ["migrations", (s, v) => `Migrations of the ${s} schema are split by ${v} batches.`],
  ["caching", (s, v) => `The ${s} cache is keyed by the ${v} region.`],
  ["limits", (s, v) => `Rate limits of the ${s} service follow the ${v} plan.`],
  ["alerts", (s, v) => `Alerts of the ${s} service page the ${v} rota.`],
  ["retries", (s, v) => `Retries in the ${s} client honour the ${v} header.`],
  ["flags", (s, v) => `Feature flags of the ${s} service live with the ${v} settings.`],
  ["docs", (s, v) => `Documentation of the ${s} service is written for ${v} readers.`],
  ["fixtures", (s, v) => `Fixtures of the ${s} tests are generated from the ${v} sample.`],
  ["queues", (s, v) => `Messages of the ${s} queue are ordered by the ${v} key.`],
  ["access", (s, v) => `Access to the ${s} console is granted by the ${v} owner.`],
];
const VALUES =
  "amber birch cedar copper delta ember falcon granite harbor indigo jasper krypton lagoon maple nimbus onyx pepper quartz raven saffron tundra umber velvet willow xenon yarrow zephyr alder basil cobalt dahlia".split(
    " ",
  );
const REASONS = [
  "an outage last spring came from the other way",
  "the auditors asked for it",
  "the vendor counts it that way",
  "two teams were bitten by it",
  "the old way lost an afternoon",
  "support could not tell cases apart",
  "the nightly run depends on it",
];
const START = Date.parse("2021-06-01T09:00:00Z");
const YEARS_MS = 5 * 365 * 86_400_000;

/**
 * Writes `size` notes to `directory/memory` and, if git is available, a repository to `directory/project` whose history
 * renamed and deleted files that notes name. Returns labels: what must be found, what must stay.
 */
export function generateStore(directory, { size = 2000, seed = 1 } = {}) {
  const random = randomFrom(seed);
  const world = {
    random,
    notes: new Map(),
    labels: [],
    decoys: [],
    protected: [],
    prompts: [],
    combinations: combinations(random),
    moved: [],
    removed: [],
  };
  const share = (part) => Math.round(size * part);
  plantDuplicates(world, share(0.03), share(0.03), share(0.015));
  plantContradictions(world, share(0.02), share(0.015));
  plantReferences(world, share(0.02), share(0.015));
  plantDates(world, share(0.02));
  plantLinks(world, share(0.01));
  plantDecoys(world, share(0.05));
  plantProtected(world, share(0.02));
  while (world.notes.size < size) addNote(world, fact(world), { prompt: world.notes.size % 5 === 0 });
  writeNotes(path.join(directory, "memory"), world);
  writeProject(path.join(directory, "project"), world);
  return {
    labels: world.labels,
    decoys: world.decoys,
    protected: world.protected,
    prompts: world.prompts,
    size: world.notes.size,
  };
}

function combinations(random) {
  const all = SERVICES.flatMap((service) =>
    ASPECTS.flatMap(([aspect, say]) => VALUES.map((value) => ({ service, aspect, value, text: say(service, value) }))),
  );
  return shuffled(all, random).values();
}

function shuffled(items, random) {
  const out = [...items];
  for (let i = out.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [out[i], out[j]] = [out[j], out[i]];
  }
  return out;
}

const pick = (world, items) => items[Math.floor(world.random() * items.length)];

/** A subject that is never used twice, so that only planted notes are duplicates. */
const used = new WeakMap();
function fact(world) {
  const taken = used.get(world) ?? new Set();
  used.set(world, taken);
  for (;;) {
    const next = world.combinations.next().value;
    if (next === undefined)
      return {
        service: `unit${taken.size}`,
        aspect: "notes",
        text: `The unit${taken.add(`x${taken.size}`).size} plan was agreed with the ${pick(world, VALUES)} office.`,
      };
    // A second value for the same service and aspect would contradict the first.
    if (taken.has(`${next.service} ${next.aspect}`) && taken.size < SERVICES.length * ASPECTS.length) continue;
    if (taken.has(next.text)) continue;
    taken.add(`${next.service} ${next.aspect}`).add(next.text);
    return taken.size > 2 * SERVICES.length * ASPECTS.length
      ? {
          ...next,
          text: next.text
            .replace(" service", ` service in stage s${taken.size}`)
            .replace(" cache", ` cache in stage s${taken.size}`),
        }
      : next;
  }
}

function addNote(
  world,
  { service, aspect, text },
  { type = "project", source = "rules", pinned = false, after, extra = "", prompt = false } = {},
) {
  const number = world.notes.size + 1;
  const file = `${type}_${service}_${aspect}_${number}.md`;
  const created =
    after === undefined
      ? START + Math.floor(world.random() * YEARS_MS * 0.9)
      : after + 86_400_000 * (2 + Math.floor(world.random() * 60));
  const why = world.random() < 0.5 && extra === "" ? `\n\n**Why:** ${pick(world, REASONS)}.` : "";
  world.notes.set(file, {
    file,
    name: `${service} ${aspect} ${number}`,
    text,
    body: `${text}${extra}${why}`,
    type,
    source,
    pinned,
    created,
  });
  if (prompt)
    world.prompts.push({
      prompt: `What do we do about ${aspect} in ${service}? ${text.split(" ").slice(-3).join(" ")}`,
      file,
    });
  return file;
}

const createdOf = (world, file) => world.notes.get(file).created;

function plantDuplicates(world, exact, near, contained) {
  for (let i = 0; i < exact; i++) {
    const said = fact(world);
    const first = addNote(world, said, { prompt: i % 3 === 0 });
    world.labels.push({ kind: "duplicate", files: [first, addNote(world, said, { after: createdOf(world, first) })] });
  }
  for (let i = 0; i < near; i++) {
    const said = fact(world);
    const first = addNote(world, said, { prompt: i % 3 === 0 });
    world.labels.push({
      kind: "near-duplicate",
      files: [
        first,
        addNote(world, { ...said, text: reworded(world, said.text, i) }, { after: createdOf(world, first) }),
      ],
    });
  }
  for (let i = 0; i < contained; i++) {
    const said = fact(world);
    const other = fact(world);
    const first = addNote(world, said, { extra: " " });
    world.labels.push({
      kind: "near-duplicate",
      files: [
        first,
        addNote(world, { ...said, text: `${said.text} ${other.text}` }, { after: createdOf(world, first), extra: " " }),
      ],
    });
  }
}

/** The same statement with other function words, inflections, case or framing. */
function reworded(_world, text, index) {
  const ways = [
    (t) => `Please remember: ${t.charAt(0).toLowerCase()}${t.slice(1)}`,
    (t) => t.replace(/\.$/u, "!").replace(/^/u, "Note that "),
    (t) =>
      t
        .replace(/\bare\b/u, "should always be")
        .replace(/\bwait\b/u, "must wait")
        .replace(/\bis\b/u, "has to be"),
    (t) => `${t.toUpperCase().charAt(0)}${t.slice(1).replace(/\bthe\b/gu, "our")}`,
    (t) =>
      `We need this: ${t.replace(/\bservice\b/u, "services")}`.replace("We need this: ", "Just so that you know, "),
  ];
  return ways[index % 4](text);
}

function plantContradictions(world, settled, open) {
  for (let i = 0; i < settled; i++) {
    const { service } = fact(world);
    const first = addNote(world, {
      service,
      aspect: "timeout",
      text: `The timeout of the ${service}${i} calls is ${5 + i} seconds.`,
    });
    const second = addNote(
      world,
      { service, aspect: "timeout", text: `The timeout of the ${service}${i} calls is now ${60 + i} seconds.` },
      { after: createdOf(world, first) },
    );
    world.labels.push({ kind: "superseded", files: [second, first] });
  }
  const days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"];
  for (let i = 0; i < open; i++) {
    const { service } = fact(world);
    const denied = i % 2 === 0;
    const texts = denied
      ? [`Squash commits of the ${service}${i} branch.`, `Don't squash commits of the ${service}${i} branch.`]
      : [
          `Releases of ${service}${i} go out on ${days[i % 5]}.`,
          `Releases of ${service}${i} go out on ${days[(i + 2) % 5]}.`,
        ];
    const first = addNote(world, { service, aspect: "rhythm", text: texts[0] });
    world.labels.push({
      kind: "conflict",
      files: [addNote(world, { service, aspect: "rhythm", text: texts[1] }, { after: createdOf(world, first) }), first],
    });
  }
}

function plantReferences(world, renamed, dead) {
  for (let i = 0; i < renamed; i++) {
    const { service } = fact(world);
    const [from, to] = [`src/${service}/step-${i}.ts`, `src/${service}/stages/step-${i}.ts`];
    world.moved.push([from, to]);
    world.labels.push({
      kind: "renamed",
      files: [
        addNote(world, {
          service,
          aspect: "step",
          text: `The retry of ${service} step ${i} in \`${from}\` must stay idempotent for replays.`,
        }),
      ],
      to,
    });
  }
  for (let i = 0; i < dead; i++) {
    const { service } = fact(world);
    const gone = `scripts/${service}-shim-${i}.sh`;
    world.removed.push(gone);
    world.labels.push({
      kind: "dead",
      files: [
        addNote(
          world,
          {
            service,
            aspect: "shim",
            text: `The workaround for the ${service} import lives in \`${gone}\` until the vendor ships a fix.`,
          },
          { type: "reference" },
        ),
      ],
    });
  }
}

function plantDates(world, count) {
  const phrases = ["next Thursday", "tomorrow", "in two weeks", "next Monday"];
  for (let i = 0; i < count; i++) {
    const { service } = fact(world);
    world.labels.push({
      kind: "relative-date",
      files: [
        addNote(
          world,
          {
            service,
            aspect: "freeze",
            text: `The freeze of ${service} wave ${i} starts ${phrases[i % phrases.length]} for the mobile cut.`,
          },
          { extra: " " },
        ),
      ],
    });
  }
}

function plantLinks(world, count) {
  for (let i = 0; i < count; i++) {
    const said = fact(world);
    const missing = i % 2 === 0 ? `removed-note-${i}` : undefined;
    const heir = addNote(world, fact(world));
    const link = missing ?? `retired-${i}`;
    if (missing === undefined)
      world.notes.set(`project_retired_${i}.md`, {
        file: `project_retired_${i}.md`,
        name: link,
        text: "",
        body: `An older word on ${said.service} link ${i}.`,
        type: "project",
        source: "rules",
        pinned: false,
        created: START,
        supersededBy: heir,
      });
    world.labels.push({
      kind: "stale-link",
      files: [addNote(world, { ...said, text: `${said.text} See [[${link}]] for the rest of it.` }, { extra: " " })],
    });
  }
}

/** Pairs that look alike and must both stay: another subject and value, another order, or an extra condition. */
function plantDecoys(world, count) {
  const makers = [
    (s, t, i) => [
      `Use the ${s}${i} importer instead of the ${t}${i} exporter for backfills.`,
      `Use the ${t}${i} exporter instead of the ${s}${i} importer for backfills.`,
    ],
    (s, t, i) => [
      `Run the ${s}${i} linter before the ${t}${i} tests in every pipeline.`,
      `Run the ${t}${i} tests before the ${s}${i} linter in every pipeline.`,
    ],
    (s, t, i) => [
      `The ${s}${i} database holds the invoices of wholesale customers.`,
      `The ${t}${i} database holds the invoices of retail customers.`,
    ],
    (s, _, i) => [
      `Merge ${s}${i} pull requests without a second review.`,
      `Merge ${s}${i} pull requests only after a second review.`,
    ],
    (s, t, i) => [`Team ${s}${i} deploys the gateway by hand.`, `Team ${t}${i} deploys the gateway by hand.`],
    (s, _, i) => [
      `Copy ${s}${i} snapshots from staging to production at night.`,
      `Copy ${s}${i} snapshots from production to staging at night.`,
    ],
  ];
  for (let i = 0; i < count; i++) {
    const [{ service: s }, { service: t }] = [fact(world), fact(world)];
    const [a, b] = makers[i % makers.length](s, t === s ? `${t}-b` : t, i);
    const first = addNote(world, { service: s, aspect: "pair", text: a }, { extra: " " });
    world.decoys.push([
      first,
      addNote(world, { service: s, aspect: "pair", text: b }, { after: createdOf(world, first), extra: " " }),
    ]);
  }
}

/** The user's own notes and pinned notes, with every problem that the others have. */
function plantProtected(world, count) {
  for (let i = 0; i < count; i++) {
    const said = fact(world);
    const how = i % 2 === 0 ? { source: "user" } : { pinned: true };
    const kinds = [
      said.text,
      `The freeze of ${said.service} release ${i} starts next Friday.`,
      `See [[removed-${i}]] about ${said.service} ${i}.`,
    ];
    const text = kinds[i % kinds.length];
    world.protected.push(addNote(world, { ...said, text }, { ...how, extra: " " }));
    if (i % kinds.length === 0) world.protected.push(addNote(world, { ...said, text }, { ...how, extra: " " }));
  }
}
