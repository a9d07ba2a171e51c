import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { openMemory } from "../../src/index.ts";
import { findSecrets } from "../../src/core/shared/secrets/find-secrets.ts";
import { locate } from "../../src/app/workspace/locations.ts";
import { openWorkspace } from "../../src/app/workspace/open-workspace.ts";
import { startContext } from "../../src/app/recall/session-start.ts";
import { memoryOffer, TOOL_NAMES } from "../../src/surfaces/mcp/memory-offer.ts";
import { openProjectMemory } from "../../src/surfaces/mcp/project-memory.ts";
import { cli, emptyHome } from "../support/cli.ts";
import { PLANTED_SECRETS } from "../support/planted-secrets.ts";
import { scratch } from "../support/scratch.ts";
import { serve } from "../surfaces/web/served.ts";

/** What a person wrote into files with an editor: secrets where whatever is shown of a note comes from. */
function handWritten(text: string, at: number): Readonly<Record<string, string>> {
  const frontmatter = (lines: readonly string[], body: string): string => `---\n${lines.join("\n")}\n---\n\n${body}\n`;
  const dated = (day: string): string => `metadata:\n  type: project\n  modified: ${day}T10:00:00Z`;
  const quoted = JSON.stringify(text);
  return {
    [`bare-${at}.md`]: `${text}\n\nThe quokka deploys need it.\n`,
    [`titled-${at}.md`]: `# ${text}\n\nThe quokka release goes out at noon.\n`,
    [`beyond-${at}.md`]: `The quokka team meets in the large room behind the kitchen on the second floor, next to the window, and there: ${text}\n`,
    [`described-${at}.md`]: frontmatter(
      ["name: quokka described", `description: ${quoted}`, dated("2026-01-02")],
      text,
    ),
    [`named-${at}.md`]: frontmatter(
      [`name: ${quoted}`, "description: the quokka name", `type: ${quoted}`],
      "The quokka name.",
    ),
    [`pinned-${at}.md`]: frontmatter(
      ["name: quokka pinned", "description: pinned quokka", "metadata:\n  type: project\n  pinned: true"],
      `The quokka pins.\n\n${text}`,
    ),
    [`rival-old-${at}.md`]: frontmatter(
      ["name: rival-old", "description: the quokka port", dated("2026-01-02")],
      `The quokka-${at} service listens on port 8080. ${text}`,
    ),
    [`rival-new-${at}.md`]: frontmatter(
      ["name: rival-new", "description: the quokka port", dated("2026-02-02")],
      `The quokka-${at} service listens on port 9090. ${text}`,
    ),
    [`twin-${at}.md`]: frontmatter(
      ["name: twin", "description: the twin", dated("2026-02-03")],
      `Wombats dig ${at} holes. ${text}`,
    ),
    [`twin-too-${at}.md`]: frontmatter(
      ["name: twin-too", "description: the twin", dated("2026-02-04")],
      `Wombats dig ${at} holes. ${text}`,
    ),
    [`stale-${at}.md`]: frontmatter(
      ["name: stale", "description: quokka path", dated("2026-02-04")],
      `The quokka path is \`src/quokka/gone.ts\` since yesterday, ${text}`,
    ),
  };
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/gu, "\\$&");

/** Whether the scan finds the secret wherever it stands in a file: what it misses in running text is another matter. */
function isKnown(file: string, secret: string): boolean {
  const found = findSecrets(file);
  const forms = [secret, JSON.stringify(secret).slice(1, -1)];
  return [...file.matchAll(new RegExp(forms.map(escaped).join("|"), "gu"))].every(({ index }) =>
    found.some(({ start, end }) => start <= index && index < end),
  );
}

/** Each kind of place holds three of the secrets, and each secret stands in some of them. */
const FILES: Readonly<Record<string, string>> = Object.assign(
  {},
  ...PLANTED_SECRETS.map(({ text, secret }, at) =>
    Object.fromEntries(
      Object.entries(handWritten(text, at)).filter(
        ([, file], kind) =>
          [0, 1, 2].some((one) => (3 * kind + one) % PLANTED_SECRETS.length === at) && isKnown(file, secret),
      ),
    ),
  ),
);

/** The first note of each kind. */
function some(kind: string): string {
  return Object.keys(FILES).find((file) => file.startsWith(`${kind}-`)) ?? kind;
}

const ASKED = "what do the quokka deploys need for the release";

/** Every command that shows notes, as text and as JSON. */
const COMMANDS: readonly (readonly string[])[] = [
  ["list"],
  ["list", "--as-of", "2099-01-01"],
  ...["bare", "titled", "beyond", "described", "pinned", "named"].map((kind) => ["show", some(kind)]),
  ["show", some("described"), "--as-of", "2099-01-01"],
  ["recall", ASKED],
  ["recall", ASKED, "--explain"],
  ["why", ASKED],
  ["why-not", some("described"), ASKED],
  ["replay"],
  ["search", "quokka"],
  ["history"],
  ["history", some("described")],
  ["diff", some("described")],
  ["verify"],
  ["verify", some("stale")],
  ["audit"],
  ["doctor"],
  ["status"],
  ["conflicts"],
  ["dream"],
  ["dream", "log"],
  ["review"],
  ["context"],
  ["instructions"],
  ["forget", some("described")],
  ["remember", "The quokka-1 service listens on port 7070."],
  ["promote", some("described"), "--to", "user", "--dry-run"],
  ["undo"],
];

interface Said {
  readonly surface: string;
  readonly text: string;
}

function written() {
  const root = scratch();
  const dir = `${root}/notes`;
  const cwd = `${root}/work`;
  fs.mkdirSync(dir, { recursive: true });
  fs.mkdirSync(`${cwd}/.git`, { recursive: true });
  const files = FILES;
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(`${dir}/${name}`, text);
  return { root, dir, cwd, files, environment: emptyHome(root) };
}

type Place = ReturnType<typeof written>;

async function byCommand({ dir, cwd, environment }: Place): Promise<readonly Said[]> {
  const said: Said[] = [];
  for (const argv of COMMANDS)
    for (const more of [[], ["--json"]]) {
      const { out, err } = await cli([...argv, ...more, "--dir", dir], { cwd, environment });
      said.push({ surface: `memdir ${[...argv, ...more].join(" ")}`, text: out + err });
    }
  return said;
}

const CALL = {
  client: { name: "test", canElicit: false, canSample: false, hasRoots: false },
  meta: {},
  signal: new AbortController().signal,
  progress: () => undefined,
  notify: () => undefined,
  request: async () => ({}),
};

async function overMcp({ dir, cwd, environment, files }: Place): Promise<readonly Said[]> {
  const memory = openProjectMemory({ dir, cwd, environment });
  const offer = memoryOffer(memory, TOOL_NAMES);
  const tools = new Map(offer.tools().map((tool) => [tool.spec.name, tool]));
  const calls: readonly (readonly [string, Record<string, unknown>])[] = [
    ["list", {}],
    ["recall", { prompt: ASKED }],
    ["search_past", { query: "quokka" }],
    ["remember", { text: "The quokka-2 service listens on port 6060." }],
    ...Object.keys(files).map((note) => ["read", { note }] as const),
  ];
  const said: Said[] = [];
  for (const [name, given] of calls)
    said.push({ surface: `MCP ${name}`, text: JSON.stringify((await tools.get(name)?.run(given, CALL)) ?? null) });
  const list = offer.resources?.list(undefined);
  said.push({ surface: "MCP resources", text: JSON.stringify(list ?? null) });
  for (const file of Object.keys(files))
    said.push({
      surface: "MCP resource",
      text: JSON.stringify(offer.resources?.read(`memdir://notes/project/${file}`) ?? null),
    });
  offer.close();
  return said;
}

async function fromLibrary({ dir, cwd, environment, files }: Place): Promise<readonly Said[]> {
  const memory = openMemory({ dir, cwd, environment, model: "off" });
  const said = (surface: string, value: unknown): Said => ({
    surface: `library ${surface}`,
    text: JSON.stringify(value ?? null),
  });
  const all = [
    said("list", memory.list()),
    said("list as of", memory.list({ asOf: new Date("2099-01-01") })),
    said("recall", await memory.recall(ASKED)),
    ...Object.keys(files).map((file) => said("show", memory.show(file))),
    ...Object.keys(files).map((file) => said("show as of", memory.show(file, { asOf: new Date("2099-01-01") }))),
  ];
  memory.close();
  return all;
}

function atSessionStart({ dir, cwd, environment }: Place): readonly Said[] {
  const workspace = openWorkspace(locate({ dir, cwd, environment }));
  for (const { store } of workspace.stores) store.reconcile("full");
  const { text } = startContext(workspace, {
    source: "session-start",
    known: new Map(),
    showsProjectIndex: false,
    readWith: "the read tool",
    most: 20_000,
  });
  workspace.close();
  return [{ surface: "session start", text }];
}

async function onPage({ root, files }: Place): Promise<readonly Said[]> {
  const page = await serve(root);
  const said: Said[] = [];
  const look = async (target: string): Promise<void> => {
    said.push({ surface: `page ${target}`, text: (await page.ask("GET", `/api/${target}`)).text });
  };
  for (const target of ["notes", "timeline", "graph", "review", "dreams", "sessions", "cost", "state"])
    await look(target);
  for (const file of Object.keys(files)) await look(`note?id=project:${file}`);
  for (const seq of [1, 2, 3]) await look(`version?scope=project&seq=${seq}`);
  for (const job of ["conflicts", "health"]) {
    await page.post("jobs", { job, do: "start" });
    await expect.poll(async () => JSON.stringify(await page.get(job)), { timeout: 30_000 }).not.toContain('"running"');
    await look(job);
  }
  said.push({ surface: "page ask", text: (await page.post("ask", { prompt: ASKED })).text });
  return said;
}

const SURFACES: Readonly<Record<string, (place: Place) => Promise<readonly Said[]> | readonly Said[]>> = {
  "the command line": byCommand,
  MCP: overMcp,
  "the library": fromLibrary,
  "the start of a session": atSessionStart,
  "the page": onPage,
};

describe("a secret that a person wrote into a file by hand", () => {
  it.each(Object.entries(SURFACES))(
    "is shown nowhere by %s, and the file stays as it is",
    { timeout: 300_000 },
    async (_, surface) => {
      const place = written();
      const said = [
        ...(await surface(place)),
        {
          surface: "MEMORY.md",
          text: fs.existsSync(`${place.dir}/MEMORY.md`) ? fs.readFileSync(`${place.dir}/MEMORY.md`, "utf8") : "",
        },
      ];
      const leaks = said.flatMap(({ surface: where, text }) =>
        PLANTED_SECRETS.filter(({ secret }) => shows(text, secret)).map(({ name }) => `${where}: ${name}`),
      );
      expect([...new Set(leaks)]).toEqual([]);
      for (const [name, text] of Object.entries(place.files))
        expect(fs.readFileSync(`${place.dir}/${name}`, "utf8"), name).toBe(text);
      expect(said.some(({ text }) => text.includes("[redacted]"))).toBe(true);
      expect(Object.keys(place.files).length).toBeGreaterThan(25);
    },
  );
});

/** Whole or its beginning, as it stands in text or in JSON. */
function shows(text: string, secret: string): boolean {
  return [secret.slice(0, 10), JSON.stringify(secret.slice(0, 10)).slice(1, -1)].some((one) => text.includes(one));
}
