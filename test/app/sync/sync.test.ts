import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { forgetNote } from "../../../src/app/care/forget.ts";
import { locate } from "../../../src/app/workspace/locations.ts";
import { openWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import { person } from "../../support/person.ts";
import { findNote } from "../../../src/app/workspace/workspace.ts";
import { endSync, pauseSync, resumeSync, setUpSync, syncLog, syncStatus } from "../../../src/app/sync/sync.ts";
import { whereIs } from "../../support/every-byte.ts";
import { noteSaying as note, syncDevice } from "../../support/sync-device.ts";
import { startSpaceServer } from "../../support/sync-server.ts";
import { noteText } from "../../support/store.ts";

test("a note that one device saved is on the other, with its identity, and edits of both meet", async () => {
  const server = await startSpaceServer();
  const [one, two] = [await syncDevice(server), await syncDevice(server)];
  one.write("project_a.md", note("The port is 8080.\n\nThe host is alpha."));
  expect(await one.sync()).toMatchObject({ pushed: 1, refused: [], conflicts: [] });
  expect(await two.sync()).toMatchObject({ pulled: 1, pushed: 0 });
  expect(two.read("project_a.md")).toBe(one.read("project_a.md"));
  expect(await two.lineageOf("project_a.md")).toBe(await one.lineageOf("project_a.md"));
  expect(await two.lineageOf("project_a.md")).toMatch(/^[0-9a-f]{24}$/u);

  one.write("project_a.md", note("The port is 9090.\n\nThe host is alpha."));
  two.write("project_a.md", note("The port is 8080.\n\nThe host is beta."));
  await one.sync();
  expect(await two.sync()).toMatchObject({ merged: 1, conflicts: [] });
  await one.sync();
  const both = note("The port is 9090.\n\nThe host is beta.");
  expect([one.read("project_a.md"), two.read("project_a.md")]).toEqual([both, both]);
  expect((await one.sync()).pushed).toBe(0);
  expect(await one.using((workspace) => syncStatus(workspace))).toMatchObject({
    spaces: [{ scope: "project", kind: "server", state: "idle", pending: 0, refused: [], conflicts: [] }],
  });
});

test("two texts for the same line are both kept, an edit beats a deletion, and a rename arrives as one", async () => {
  const server = await startSpaceServer();
  const [one, two] = [await syncDevice(server), await syncDevice(server)];
  for (const file of ["project_a.md", "project_b.md", "project_c.md"]) one.write(file, note(`${file} says one.`));
  await one.sync();
  await two.sync();
  one.write("project_a.md", note("from one"));
  two.write("project_a.md", note("from two"));
  one.remove("project_b.md");
  two.write("project_b.md", note("project_b.md says two."));
  fs.renameSync(path.join(one.directory, "project_c.md"), path.join(one.directory, "project_d.md"));
  await one.sync();
  const { conflicts, pulled } = await two.sync();
  // What changed on a device: the other text with the copy of its own, and the rename; then the copy, and what was edited.
  expect(pulled).toBe(2);
  expect((await one.sync()).pulled).toBe(2);
  expect(conflicts).toHaveLength(1);
  const copy = conflicts[0]?.copy ?? "";
  for (const { read, files } of [one, two]) {
    expect([read("project_a.md"), read(copy)]).toEqual([note("from one"), note("from two")]);
    expect(files().toSorted()).toEqual([copy, "project_a.md", "project_b.md", "project_d.md"].toSorted());
    expect(read("project_b.md")).toBe(note("project_b.md says two."));
  }
  expect(await two.lineageOf("project_d.md")).toBe(await one.lineageOf("project_d.md"));
});

test("a text of the other device counts as pulled where it goes beside what is here", async () => {
  const server = await startSpaceServer();
  const [one, two] = [await syncDevice(server), await syncDevice(server)];
  fs.writeFileSync(path.join(two.directory, "project_a.md"), Buffer.from("caf\u00e9, not UTF-8", "latin1"));
  one.write("project_a.md", note("from one"));
  await one.sync();
  const { pulled, conflicts } = await two.sync();
  expect([pulled, conflicts.length]).toEqual([1, 1]);
});

test.each([
  ["notaurl", /"notaurl" is neither an address nor a directory here/u],
  ["", /name a remote/u],
])("%j is no address of a remote, and sets nothing up", async (remote, message) => {
  const { cwd, environment } = person();
  const workspace = openWorkspace(locate({ cwd, environment }));
  await expect(setUpSync(workspace, { remote, scope: "user" })).rejects.toThrow(message);
  expect(syncStatus(workspace).spaces).toEqual([]);
  workspace.close();
});

test("the notes of a team are those of a checkout: elsewhere a setup says so", async () => {
  const { root, environment } = person();
  const cwd = `${root}/elsewhere`;
  fs.mkdirSync(cwd);
  fs.mkdirSync(`${root}/notes.git`);
  const workspace = openWorkspace(locate({ cwd, environment }));
  await expect(setUpSync(workspace, { remote: `${root}/notes.git`, scope: "team", isDirect: true })).rejects.toThrow(
    /is not in a checkout, and a team's notes belong to a repository/u,
  );
  workspace.close();
});

test("an https address of a server without TLS is told in words", async () => {
  const server = await startSpaceServer();
  const { root, cwd, environment } = person();
  fs.writeFileSync(`${root}/token`, `${server.token}\n`);
  const workspace = openWorkspace(locate({ cwd, environment }));
  const remote = server.url.replace("http:", "https:");
  const setup = setUpSync(workspace, { remote, scope: "user", tokenFile: `${root}/token` });
  await expect(setup).rejects.toThrow(/does not speak HTTPS there/u);
  await expect(setup).rejects.not.toThrow(/SSL|:[0-9A-F]{8}:/u);
  workspace.close();
});

test("what is forgotten on one device is gone from every byte of the other, of the server, and of what sync keeps", async () => {
  const server = await startSpaceServer();
  const [one, two] = [await syncDevice(server), await syncDevice(server)];
  const marker = "quokka-ledger-4711";
  one.write("project_a.md", note(`The ${marker} is in the drawer.`));
  one.write("project_b.md", note("The other one stays."));
  await one.sync();
  await two.sync();
  expect(whereIs(marker, two.root).length).toBeGreaterThan(1);
  await one.using((workspace) => {
    const found = findNote(workspace, "project_a.md");
    if (found.found) forgetNote(workspace, found.ref);
  });
  expect(whereIs(marker, one.root)).toEqual([]);
  await one.sync();
  await two.sync();
  expect(whereIs(marker, two.root)).toEqual([]);
  expect(server.space("s0").everything()).not.toContain(marker);
  expect([one.files(), two.files()]).toEqual([["project_b.md"], ["project_b.md"]]);
});

test("a personal fact in a file of the team stays here, unless the team has it already; status says so", async () => {
  const server = await startSpaceServer();
  const one = await syncDevice(server, { scope: "team" });
  one.write("project_a.md", note("Ask the vendor about the port."));
  expect((await one.sync()).pushed).toBe(1);
  one.write("project_a.md", note("Ask ada@example.org about the port."));
  one.write("project_b.md", note("My manager is Ada."));
  one.write("user_c.md", noteText("c", "Likes short answers.", "Likes short answers.", "user"));
  const { refused, pushed } = await one.sync();
  expect(pushed).toBe(0);
  expect(refused.map(({ key, reason }) => `${key} ${reason}`).toSorted()).toEqual([
    "project_a.md personal",
    "project_b.md personal",
    "user_c.md person",
  ]);
  for (const bytes of ["ada@example.org", "My manager", "Likes short"]) expect(server.received()).not.toContain(bytes);
  expect((await one.using((workspace) => syncStatus(workspace))).spaces[0]?.refused).toHaveLength(3);
});

test("an edit of what the team has already is sent, a personal fact in it or not, also under another name", async () => {
  const server = await startSpaceServer();
  const one = await syncDevice(server, { scope: "team" });
  const lineage = "0198c1a2b3c4d5e6f708192a3b4c5d6e";
  const body = note("Ask ada@example.org about the port.");
  server.space("s0").push("p1", { changes: [{ key: "project_a.md", lineage, base: 0, state: "live", body }] });
  expect((await one.sync()).pulled).toBe(1);
  one.write("project_a.md", note("Ask ada@example.org about the new port."));
  expect(await one.sync()).toMatchObject({ pushed: 1, refused: [] });
  fs.renameSync(path.join(one.directory, "project_a.md"), path.join(one.directory, "project_b.md"));
  expect(await one.sync()).toMatchObject({ refused: [] });
  expect([...server.space("s0").texts().keys()]).toEqual(["project_b.md"]);
  one.write("project_b.md", note("Ask ada@example.org or bob@example.org about the new port."));
  expect(await one.sync()).toMatchObject({ pushed: 0, refused: [{ reason: "personal" }] });
});

test("a secret, a local note and a hidden character never leave the machine, and status says what stayed", async () => {
  const server = await startSpaceServer();
  const one = await syncDevice(server);
  const secret = ["ghp", "_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("");
  one.write("project_a.md", note(`The token is ${secret}`));
  one.write("project_b.md", note("A harmless note."));
  one.write("project_c.md", note("Turned\u202E text."));
  await one.using((workspace) => {
    const local = workspace.open("local");
    local?.store.commit([{ kind: "create", file: "project_l.md", content: note("wombat canary") }], {
      actor: "user",
      reason: "said",
    });
    expect(local).toBeDefined();
  });
  const { refused, pushed } = await one.sync();
  expect(pushed).toBe(1);
  expect(refused.map(({ key, reason }) => `${key} ${reason}`).toSorted()).toEqual([
    "project_a.md secret",
    "project_c.md hidden",
  ]);
  for (const bytes of [secret, "wombat canary", "\u202E"]) expect(server.received()).not.toContain(bytes);
  const { spaces } = await one.using((workspace) => syncStatus(workspace));
  expect(spaces[0]?.refused).toHaveLength(2);
  for (const scope of ["local", "agent-local"])
    await expect(one.using((workspace) => setUpSync(workspace, { remote: server.url, scope }))).rejects.toThrow(
      /never leave/u,
    );
});

test("a deletion of most of a space stops until a person allows it", async () => {
  const server = await startSpaceServer();
  const one = await syncDevice(server);
  for (let n = 0; n < 14; n++) one.write(`project_n${n}.md`, note(`number ${n}`));
  await one.sync();
  for (let n = 0; n < 12; n++) one.remove(`project_n${n}.md`);
  const [asked] = (await one.sync()).spaces;
  expect(asked).toMatchObject({ state: "ask", pushed: 0 });
  expect(server.space("s0").texts().size).toBe(14);
  await one.sync({ acceptRemovals: Infinity });
  expect(server.space("s0").texts().size).toBe(2);
});

test("a server restored from a backup is filled again, and nothing is lost", async () => {
  const server = await startSpaceServer();
  const [one, two] = [await syncDevice(server), await syncDevice(server)];
  one.write("project_a.md", note("first"));
  await one.sync();
  await two.sync();
  const restore = server.space("s0").backup();
  one.write("project_a.md", note("second"));
  one.write("project_b.md", note("new"));
  await one.sync();
  restore();
  await two.sync();
  await one.sync();
  await two.sync();
  for (const { read } of [one, two])
    expect([read("project_a.md"), read("project_b.md")]).toEqual([note("second"), note("new")]);
});

test("without a connection nothing changes and the next run goes on; a refused token pauses and says so", async () => {
  const server = await startSpaceServer();
  const one = await syncDevice(server);
  one.write("project_a.md", note("waits"));
  server.answerWith(503);
  expect((await one.sync()).spaces).toMatchObject([{ state: "offline", pushed: 0 }]);
  server.answerWith(401);
  expect((await one.sync()).spaces).toMatchObject([{ state: "paused" }]);
  expect(await one.using((workspace) => syncStatus(workspace))).toMatchObject({
    spaces: [{ state: "paused", pending: 1 }],
  });
  server.answerWith(undefined);
  expect(await one.sync()).toMatchObject({ pushed: 1, spaces: [{ state: "idle" }] });
  expect((await one.using((workspace) => syncLog(workspace))).map(({ state }) => state)).toEqual([
    "idle",
    "paused",
    "offline",
  ]);
  expect(await one.using((workspace) => pauseSync(workspace))).toEqual(["project"]);
  one.write("project_b.md", note("later"));
  expect(await one.sync()).toMatchObject({ pushed: 0, spaces: [] });
  await one.using((workspace) => resumeSync(workspace));
  expect(await one.sync()).toMatchObject({ pushed: 1 });
  await one.using((workspace) => endSync(workspace));
  expect(await one.using((workspace) => syncStatus(workspace))).toEqual({ spaces: [] });
});

test("lines that people wrote into MEMORY.md travel as a set", async () => {
  const server = await startSpaceServer();
  const [one, two] = [await syncDevice(server), await syncDevice(server)];
  one.write("MEMORY.md", "Ask Jane before a release.\n");
  two.write("MEMORY.md", "The office is closed on Fridays.\n");
  await one.sync();
  await two.sync();
  await one.sync();
  for (const { read } of [one, two]) {
    expect(read("MEMORY.md")).toContain("Ask Jane before a release.");
    expect(read("MEMORY.md")).toContain("The office is closed on Fridays.");
  }
  one.write("MEMORY.md", (one.read("MEMORY.md") ?? "").replace("Ask Jane before a release.\n", ""));
  await one.sync();
  await two.sync();
  expect(two.read("MEMORY.md")).not.toContain("Ask Jane");
  expect(two.read("MEMORY.md")).toContain("closed on Fridays");
});

test("undo of the last step takes back what the person did, not what came from the other device", async () => {
  const server = await startSpaceServer();
  const [one, two] = [await syncDevice(server), await syncDevice(server)];
  await two.memdir(["remember", "The mascot of the shop is a pelican called Ada.", "--type", "project"]);
  const [own] = two.files();
  expect(own).toBeDefined();
  one.write("project_a.md", note("from one"));
  await one.sync();
  await two.sync();
  const { out } = await two.memdir(["undo", "--steps", "1"]);
  expect(two.read("project_a.md"), out).toBe(note("from one"));
  expect(two.files(), out).toEqual(["project_a.md"]);
});

test("what sync keeps may be read by its person only", async () => {
  const server = await startSpaceServer();
  const one = await syncDevice(server);
  one.write("project_a.md", note("x"));
  await one.sync();
  const mode = (file: string): number => fs.statSync(file).mode & 0o77;
  const state = await one.using((workspace) => workspace.open("project")?.store.state ?? "");
  const home = path.resolve(state, "../..");
  for (const file of ["sync.db", "last-run.json", "log.jsonl", "remote"]) expect(mode(`${state}/sync/${file}`)).toBe(0);
  expect(mode(`${home}/sync/spaces.json`)).toBe(0);
});

test("the name of a forgotten note is in no record of a sync, not in what a killed one left, nor in MEMORY.md", async () => {
  const server = await startSpaceServer();
  const [one, two] = [await syncDevice(server), await syncDevice(server)];
  const secret = ["ghp", "_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("");
  one.write("project_quokka.md", note("A first text."));
  one.write("project_b.md", note("The other one stays."));
  await one.sync();
  await two.sync();
  two.write("project_quokka.md", note(`Now with ${secret}`));
  await two.sync();
  const records = findRecords(two.memdirHome);
  expect(fs.readFileSync(records, "utf8")).toContain("quokka");
  fs.copyFileSync(records, `${records}.4194999`);
  fs.appendFileSync(
    path.join(path.dirname(records), "log.jsonl"),
    `${JSON.stringify({ time: "2026-01-01T00:00:00.000Z", state: "offline", message: "cannot write /n/project_quokka.md" })}\n`,
  );
  await one.using((workspace) => {
    const found = findNote(workspace, "project_quokka.md");
    if (found.found) forgetNote(workspace, found.ref);
  });
  // A line that somebody else still had.
  await one.sync();
  fs.appendFileSync(path.join(one.directory, "MEMORY.md"), "- [Quokka](project_quokka.md) — old line\n");
  await one.sync();
  await two.sync();
  const left = whereIs("quokka", two.root).filter((file) => !file.includes("/proposals/"));
  expect(left).toEqual([]);
  expect(server.space("s0").everything()).not.toContain("quokka");
});

function findRecords(home: string): string {
  const found = fs
    .readdirSync(home, { recursive: true, encoding: "utf8" })
    .find((file) => file.endsWith("last-run.json"));
  return path.join(home, found ?? "");
}

test("counts notes alone: a rename is one, and marks, lines of MEMORY.md and what was never here are none", async () => {
  const server = await startSpaceServer();
  const [one, two] = [await syncDevice(server), await syncDevice(server)];
  for (const file of ["project_a.md", "project_b.md", "project_c.md"]) one.write(file, note(`${file} says one.`));
  fs.appendFileSync(path.join(one.directory, "MEMORY.md"), "- always ask first\n");
  await one.sync();
  expect(await two.sync()).toMatchObject({ pulled: 3 });
  fs.renameSync(path.join(one.directory, "project_a.md"), path.join(one.directory, "project_d.md"));
  one.remove("project_b.md");
  fs.appendFileSync(path.join(one.directory, "MEMORY.md"), "- and answer\n");
  one.write("project_gone.md", note("never seen by two"));
  await one.sync();
  one.remove("project_gone.md");
  await one.sync();
  await one.using((workspace) => {
    const found = findNote(workspace, "project_c");
    if (found.found) forgetNote(workspace, found.ref);
  });
  await one.sync();
  expect(await two.sync()).toMatchObject({ pulled: 3 });
  expect(two.files()).toEqual(["project_d.md"]);
  expect(await one.sync()).toMatchObject({ pulled: 0, pushed: 0 });
});

test("a note that is too large stays here, and the person is told how large it may be", async () => {
  const server = await startSpaceServer();
  const one = await syncDevice(server);
  one.write("project_large.md", note("word ".repeat(60_000)));
  const refused = [{ key: "project_large.md", reason: "size", limitBytes: 250_000 }];
  expect(await one.sync()).toMatchObject({ pushed: 0, refused });
  expect(await one.using((workspace) => syncStatus(workspace))).toMatchObject({ spaces: [{ refused }] });
  expect((await one.memdir(["sync", "status"])).out).toContain("was not sent: it has more than 250,000 bytes");
  expect(server.received()).not.toContain("word word");
});

test("a note that is not text stays here, and the person is told", async () => {
  const server = await startSpaceServer();
  const one = await syncDevice(server);
  one.write("project_latin.md", note("word"));
  fs.writeFileSync(`${one.directory}/project_latin.md`, Buffer.from("---\nname: latin\n---\n\nJan\xe9\n", "latin1"));
  const refused = [{ key: "project_latin.md", reason: "text" }];
  expect(await one.sync()).toMatchObject({ pushed: 0, refused });
  expect(await one.using((workspace) => syncStatus(workspace))).toMatchObject({ spaces: [{ refused }] });
  expect((await one.memdir(["sync", "status"])).out).toContain("project_latin.md was not sent: it is not UTF-8 text");
});

test("lines of MEMORY.md travel and are not counted as notes", async () => {
  const server = await startSpaceServer();
  const [one, two] = [await syncDevice(server), await syncDevice(server)];
  one.write("project_a.md", note("word"));
  await one.sync();
  fs.appendFileSync(`${one.directory}/MEMORY.md`, "- a line of my own\n");
  expect(await one.sync()).toMatchObject({ pushed: 0 });
  expect(await two.sync()).toMatchObject({ pulled: 1 });
  expect(fs.readFileSync(`${two.directory}/MEMORY.md`, "utf8")).toContain("- a line of my own");
});

test("a token or key that is not there is missing, and nothing is paused", async () => {
  const server = await startSpaceServer();
  const one = await syncDevice(server);
  fs.rmSync(`${one.root}/token`);
  expect((await one.sync()).spaces).toMatchObject([{ state: "key" }]);
  expect(await one.using((workspace) => syncStatus(workspace))).toMatchObject({
    spaces: [{ state: "key", message: expect.stringContaining("the token cannot be read from") }],
  });
  fs.writeFileSync(`${one.root}/token`, server.token);
  expect((await one.sync()).spaces).toMatchObject([{ state: "idle" }]);
});

test("no other run begins before one has done all that it does at the remote, a pull request included", async () => {
  const one = await syncDevice(await startSpaceServer());
  const empty = { outcome: "page", head: "", next: "", changes: [] } as const;
  const nothing = {
    pull: () => Promise.resolve(empty),
    push: () => Promise.reject(new Error("there is nothing to push")),
    read: () => Promise.resolve({ outcome: "entry", entry: undefined } as const),
    common: () => Promise.resolve({ outcome: "common", cursor: "" } as const),
  };
  const meanwhile: string[] = [];
  const finish = async (): Promise<readonly string[]> => {
    const { spaces } = await one.sync({ transport: () => nothing, waitMs: 0 });
    meanwhile.push(...spaces.map(({ message }) => message));
    return ["a branch waits for the team"];
  };
  const { spaces } = await one.sync({ transport: () => ({ ...nothing, finish }) });
  expect(spaces).toMatchObject([{ state: "idle", notices: ["a branch waits for the team"] }]);
  expect(meanwhile).toEqual(["another sync of this store is at work"]);
  expect((await one.sync({ transport: () => nothing })).spaces).toMatchObject([{ state: "idle", message: "" }]);
});
