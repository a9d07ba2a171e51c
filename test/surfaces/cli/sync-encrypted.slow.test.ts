import { execFileSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import { afterAll, describe, expect, it } from "vitest";
import { openDatabase } from "../../../src/adapters/postgres/open-database.ts";
import { type CliResult, cli, emptyHome, homeOf } from "../../support/cli.ts";
import { whereIs } from "../../support/every-byte.ts";
import { MemoryServer } from "../../support/memory-server.ts";
import { postgresCluster, postgresData, postgresPrograms } from "../../support/postgres-cluster.ts";
import { scratchForFile } from "../../support/scratch-for-file.ts";

/** Words that must be nowhere but on the devices: in a text, a name, a line of MEMORY.md, a forgotten note. */
const CANARIES = ["quokka", "wombat", "numbat", "potoroo"] as const;
/** The same grep finds this one, which goes to a space without encryption. */
const READABLE = "bandicoot";

interface Remote {
  readonly name: string;
  readonly root: string;
  /** Arguments of `sync setup` of one device. */
  setup(device: string): Promise<readonly string[]>;
  /** Ends it, and gives every place that holds the word: files, rows, logs, what went over the line. */
  whereIs(word: string): Promise<readonly string[]>;
  readonly hasReceipts: boolean;
}

class Device {
  readonly name: string;
  readonly #root: string;
  constructor(root: string, name: string) {
    this.name = name;
    this.#root = `${root}/${name}`;
    fs.mkdirSync(`${this.#root}/shop`, { recursive: true });
  }

  get home(): string {
    return homeOf(this.#root);
  }

  run(...argv: readonly string[]): Promise<CliResult> {
    return cli(argv, { cwd: `${this.#root}/shop`, environment: emptyHome(this.#root) });
  }

  async json(...argv: readonly string[]) {
    const { out, err, code } = await this.run(...argv, "--json");
    if (out === "") throw new Error(`${argv.join(" ")}: ${code} ${err}`);
    return JSON.parse(out);
  }

  async good(...argv: readonly string[]): Promise<string> {
    const { code, out, err } = await this.run(...argv);
    if (code !== 0) throw new Error(`${argv.join(" ")}: ${code} ${out}${err}`);
    return out;
  }

  remember(name: string, words: string): Promise<string> {
    return this.good("remember", words, "--name", name, "--type", "feedback", "--scope", "user", "--force");
  }

  async names(): Promise<readonly string[]> {
    const { notes } = await this.json("list", "--scope", "user");
    return notes.map(({ file }: { file: string }) => file).toSorted();
  }

  async status() {
    return (await this.json("sync", "status", "--scope", "user")).spaces[0];
  }

  async notes(): Promise<string> {
    return (await this.status()).directory;
  }
}

/** A line on which every byte is kept, both ways. */
async function recorded(target: string): Promise<{ readonly url: string; bytes(): Buffer; close(): void }> {
  const { hostname, port } = new URL(target);
  const parts: Buffer[] = [];
  const server = net.createServer((near) => {
    const far = net.connect(Number(port), hostname);
    near.on("data", (part) => void (parts.push(part), far.write(part)));
    far.on("data", (part) => void (parts.push(part), near.write(part)));
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on("close", () => other.destroy()).on("error", () => other.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const near = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${near}`, bytes: () => Buffer.concat(parts), close: () => server.close() };
}

const servers = new Set<MemoryServer>();
afterAll(async () => {
  for (const server of servers) await server.stop();
});

/** `databaseUrl`: of a PostgreSQL server, instead of the embedded database. */
async function serverRemote(databaseUrl?: string): Promise<Remote> {
  const root = scratchForFile();
  const server = new MemoryServer();
  await server.start({ directory: `${root}/server`, ...(databaseUrl !== undefined && { databaseUrl }) });
  servers.add(server);
  const line = await recorded(server.url);

  return {
    name: databaseUrl === undefined ? "a server" : "a server on PostgreSQL",
    root,
    hasReceipts: true,
    async setup(device) {
      const file = `${root}/token-${device}`;
      fs.writeFileSync(file, await server.token("jane"), { mode: 0o600 });
      return ["--remote", line.url, "--token-file", file];
    },
    async whereIs(word) {
      // A server that ends writes everything from its log to its tables.
      if (servers.delete(server)) await server.stop();
      line.close();
      const sent = line.bytes().includes(word) ? ["the line"] : [];
      const logged = server.log.includes(word) ? ["the log"] : [];
      return [...sent, ...logged, ...whereIs(word, `${root}/server`), ...(await inPostgres(word, databaseUrl))];
    },
  };
}

/** Files of its data directory, the write-ahead log included, once all that was written is there. */
async function inPostgres(word: string, url: string | undefined): Promise<readonly string[]> {
  if (url === undefined) return [];
  const database = await openDatabase({ url, connections: 1 });
  await database.query("checkpoint");
  await database.close();
  return whereIs(word, postgresData(url));
}

async function gitRemote(): Promise<Remote> {
  const root = scratchForFile();
  fs.mkdirSync(`${root}/remote`);
  execFileSync("git", ["init", "--quiet", "--bare", `${root}/remote/notes.git`]);
  return {
    name: "a git repository",
    root,
    hasReceipts: false,
    setup: async () => ["--remote", `${root}/remote/notes.git`],
    whereIs: async (word) => whereIs(word, `${root}/remote`),
  };
}

const programs = postgresPrograms();
const REMOTES: readonly (readonly [string, () => Promise<Remote>])[] = [
  ["a git repository", gitRemote],
  ["a server", () => serverRemote()],
  ...(programs === undefined
    ? []
    : [["a server on PostgreSQL", async () => serverRemote(await postgresCluster(programs))] as const]),
];

describe.each(REMOTES)("an encrypted space on %s", (_, open) => {
  it("is read by approved devices alone, from its first day to the loss of a device", async () => {
    const remote = await open();
    const story = { remote, a: new Device(remote.root, "a"), b: new Device(remote.root, "b") };
    await isReadOnceApproved(story);
    await carriesAll(story);
    await isClosedByRevocation(story);
    await isNoOther(story);
    for (const word of CANARIES) expect([word, await remote.whereIs(word)]).toEqual([word, []]);
    const readable = await remote.whereIs(READABLE);
    expect(readable.filter((place) => place !== "the line")).not.toEqual([]);
  }, 240_000);
});

interface Story {
  readonly remote: Remote;
  readonly a: Device;
  readonly b: Device;
}

async function setUp(remote: Remote, device: Device, ...more: readonly string[]): Promise<CliResult> {
  const address = await remote.setup(device.name);
  return device.run("sync", "setup", ...address, "--scope", "user", "--manual", "--yes", "--encrypt", ...more);
}

/** Is read by a device once it is approved by its words, and by none before. */
async function isReadOnceApproved({ remote, a, b }: Story): Promise<void> {
  await a.remember("wombat plan", "The quokka ledger is in the drawer.");
  const made = await setUp(remote, a);
  expect(made).toMatchObject({ code: 0, err: "" });
  expect(made.out).toContain("the recovery phrase is in ");
  await b.remember("of b", "Only on b so far, with a wombat.");
  expect(await setUp(remote, b)).toMatchObject({ code: 0 });
  const { state, message, keys } = await b.status();
  expect([state, message]).toEqual([
    "key",
    expect.stringMatching(/^key missing: this device waits until one that has the key approves it$/u),
  ]);
  expect(await b.names()).toEqual(["feedback_of_b.md"]);
  expect((await b.run("status")).out).toMatch(/sync of user: key missing/u);
  expect(await b.run("sync", "now")).toMatchObject({ code: 4 });

  const wrong = await a.run("sync", "approve", "--device", "zoo-zoo-zoo-zoo-zoo-zoo");
  expect(wrong).toMatchObject({ code: 3, err: expect.stringContaining("no device asks") });
  expect((await a.run("status")).out).toMatch(/1 device asks for the key/u);
  expect(await b.json("sync", "now")).toMatchObject({ pulled: 0, pushed: 0 });
  expect((await b.status()).state).toBe("key");

  await a.good("sync", "approve", "--device", keys.words.replaceAll("-", " ").toUpperCase());
  expect(await b.json("sync", "now")).toMatchObject({ pulled: 1, pushed: 1, refused: [], conflicts: [] });
  expect((await a.json("sync", "now")).pulled).toBe(1);
  expect(await a.names()).toEqual(["feedback_of_b.md", "feedback_wombat_plan.md"]);
  expect(await b.names()).toEqual(await a.names());
  expect((await b.status()).keys).toMatchObject({ words: null, requests: 0, devices: [{}, { isHere: true }] });
  expect((await a.json("sync", "devices")).spaces[0].keys.devices).toHaveLength(2);
}

/** Carries edits, renames, removals, lines by hand and forgets as any other. */
async function carriesAll({ remote, a, b }: Story): Promise<void> {
  const [ofA, ofB] = [await a.notes(), await b.notes()];
  fs.appendFileSync(`${ofA}/MEMORY.md`, "\n- numbat: always ask first\n");
  fs.renameSync(`${ofB}/feedback_wombat_plan.md`, `${ofB}/feedback_wombat_list.md`);
  fs.appendFileSync(`${ofA}/feedback_of_b.md`, "\nAnd a quokka, said a.\n");
  await a.remember("secret potoroo", "The potoroo is to be forgotten.");
  for (const one of [a, b, a]) await one.good("sync", "now");
  expect(await b.names()).toEqual(["feedback_of_b.md", "feedback_secret_potoroo.md", "feedback_wombat_list.md"]);
  expect(await a.names()).toEqual(await b.names());
  expect(fs.readFileSync(`${ofB}/MEMORY.md`, "utf8")).toContain("numbat: always ask first");
  expect(fs.readFileSync(`${ofB}/feedback_of_b.md`, "utf8")).toContain("said a.");
  const forgotten = await a.good("forget", "user:secret_potoroo", "--yes");
  await b.good("remove", "user:of_b");
  for (const one of [a, b, a]) await one.good("sync", "now");
  expect(await a.names()).toEqual(["feedback_wombat_list.md"]);
  expect(await b.names()).toEqual(["feedback_wombat_list.md"]);
  expect(whereIs("potoroo", b.home)).toEqual([]);
  if (!remote.hasReceipts) return;
  // Without another run: each device tells the server what it has applied.
  const [{ receipts }] = (await a.json("sync", "receipts")).spaces;
  expect(receipts).toMatchObject([{ open: [] }]);
  expect(receipts[0].done).toHaveLength(2);
  const id = /receipt ([0-9a-f]{8}) /u.exec(forgotten)?.[1] ?? "none";
  expect(await a.good("sync", "receipts")).toContain(id);
}

/** Is closed to a device that was revoked, and open to the recovery phrase. */
async function isClosedByRevocation({ remote, a, b }: Story): Promise<void> {
  const { keys } = await b.status();
  const { id } = keys.devices.find(({ isHere }: { isHere: boolean }) => isHere);
  expect(await b.run("sync", "revoke", id, "--yes")).toMatchObject({ code: 4 });
  const before = (await a.status()).keys.recovery;
  const old = fs.readFileSync(before, "utf8");
  const { revoked, run } = await a.json("sync", "revoke", id, "--yes");
  expect(revoked).toMatchObject([{ scope: "user", device: { id, isRemoved: true } }]);
  expect(run).toMatchObject({ pushed: expect.any(Number), refused: [] });
  expect(run.pushed).toBeGreaterThan(0);
  await a.remember("after", "Written after the wombat laptop was lost.");
  await a.good("sync", "now");
  expect(await b.run("sync", "now")).toMatchObject({ code: 4 });
  expect((await b.status()).message).toContain("this device was removed");
  // Neither of them counts the device that was removed.
  for (const one of [a, b]) {
    const { devices } = (await one.status()).keys;
    expect(devices.filter(({ isRemoved }: { isRemoved: boolean }) => !isRemoved)).toHaveLength(1);
    expect(await one.good("sync", "status")).toContain("1 device has the key");
  }
  expect(await b.names()).toEqual(["feedback_wombat_list.md"]);

  const c = new Device(remote.root, "c");
  const phrase = /phrase: (.*)/u.exec(fs.readFileSync(revoked[0].recovery, "utf8"))?.[1] ?? "";
  expect(phrase.split(" ")).toHaveLength(12);
  fs.writeFileSync(`${remote.root}/old.txt`, old);
  const late = await setUp(remote, c, "--recovery", `${remote.root}/old.txt`);
  expect(late).toMatchObject({ code: expect.any(Number), err: expect.stringContaining("does not open this space") });
  expect((await c.json("sync", "status")).spaces).toEqual([]);
  fs.writeFileSync(`${remote.root}/words.txt`, phrase);
  expect(await setUp(remote, c, "--recovery", `${remote.root}/words.txt`)).toMatchObject({ code: 0, err: "" });
  expect(await c.names()).toEqual(["feedback_after.md", "feedback_wombat_list.md"]);
  expect(await c.good("show", "user:after")).toContain("wombat laptop");
}

/** And one without encryption are never taken for each other. */
async function isNoOther({ remote }: Story): Promise<void> {
  const d = new Device(remote.root, "d");
  await d.remember("mine", "A wombat that stays here.");
  const address = await remote.setup("d");
  const plain = await d.run("sync", "setup", ...address, "--scope", "user", "--manual", "--yes");
  expect(plain).toMatchObject({ err: expect.stringMatching(/encrypted.*--encrypt.*[Nn]othing was set up/u) });
  expect((await d.json("sync", "status")).spaces).toEqual([]);
  const readable = new Device(remote.root, "e");
  await readable.remember("open", `The ${READABLE} may be read by all.`);
  const other = [...(await remote.setup("e")), "--scope", "user", "--manual", "--yes", "--space", "open"];
  await readable.good("sync", "setup", ...other);
  const sealed = await d.run("sync", "setup", ...address, ...other.slice(-2), "--scope", "user", "--yes", "--encrypt");
  expect(sealed).toMatchObject({ err: expect.stringMatching(/not encrypted|without encryption/u) });
  expect((await d.json("sync", "status")).spaces).toEqual([]);
}
