import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { forgetNote } from "../../../src/app/care/forget.ts";
import { findNote } from "../../../src/app/workspace/workspace.ts";
import { setUpSync, syncStatus } from "../../../src/app/sync/sync.ts";
import { MemoryServer } from "../../support/memory-server.ts";
import { whereIs } from "../../support/every-byte.ts";
import { person } from "../../support/person.ts";
import { A_SECRET } from "../../support/planted-secrets.ts";
import { scratchForFile } from "../../support/scratch-for-file.ts";
import { noteSaying as note, syncDevice } from "../../support/sync-device.ts";

const server = new MemoryServer();
beforeAll(() => server.start({ directory: scratchForFile() }));
afterAll(() => server.stop());

/** A store with an application, and devices of the same person. */
async function shop(user: string) {
  const { beta } = await server.client(user);
  const { id } = await beta.memoryStores.create({ name: "Shop" });
  const at = { memory_store_id: id };
  const remote = `anthropic:${id}@${server.url}`;
  const token = await server.token(user);
  const { memories, memoryVersions } = beta.memoryStores;
  return {
    id,
    at,
    remote,
    memories,
    versions: memoryVersions,
    device: () => syncDevice({ url: server.url, token }, { remote }),
    paths: async () => {
      const all: string[] = [];
      for await (const item of memories.list(id)) if (item.type === "memory") all.push(item.path);
      return all;
    },
    named: async (path: string) => {
      for await (const item of memories.list(id)) if (item.type === "memory" && item.path === path) return item;
      throw new Error(`there is no ${path}`);
    },
  };
}

describe("a store of the memory API that two devices and an application share", () => {
  it("carries notes, edits, renames and deletions both ways, and merges on the device", async () => {
    const { at, id, memories, device, named, paths } = await shop("carrier");
    const [one, two] = [await device(), await device()];
    one.write("project_a.md", note("The port is 8080.\n\nThe host is alpha."));
    one.write("project_b.md", note("The deploy runs on Fridays."));
    expect(await one.sync()).toMatchObject({ pushed: 2, refused: [], conflicts: [] });
    expect(await two.sync()).toMatchObject({ pulled: 2, pushed: 0 });
    const before = await named("/project_a.md");
    expect((await memories.retrieve(before.id, at)).content).toBe(one.read("project_a.md"));

    await memories.update(before.id, { ...at, content: note("The port is 9090.\n\nThe host is alpha.") });
    one.write("project_a.md", note("The port is 8080.\n\nThe host is beta."));
    expect(await one.sync()).toMatchObject({ merged: 1, conflicts: [] });
    expect((await memories.retrieve(before.id, at)).content).toBe(note("The port is 9090.\n\nThe host is beta."));

    await memories.update((await named("/project_b.md")).id, { ...at, path: "/project_deploy.md" });
    await memories.create(id, { path: "/project_new.md", content: note("From the application.") });
    await memories.create(id, { path: "/MEMORY.md", content: "an index of the application's own" });
    await two.sync();
    expect(two.files().toSorted()).toEqual(["project_a.md", "project_deploy.md", "project_new.md"]);
    expect(two.read("project_a.md")).toBe(one.read("project_a.md"));
    await memories.delete((await named("/project_new.md")).id, at);
    two.remove("project_deploy.md");
    await two.sync();
    await one.sync();
    expect(one.files()).toEqual(["project_a.md"]);
    expect(await paths()).toEqual(["/MEMORY.md", "/project_a.md"]);
    expect(await one.using((workspace) => syncStatus(workspace))).toMatchObject({
      spaces: [{ scope: "project", kind: "store", state: "idle", pending: 0, conflicts: [], refused: [] }],
    });
  });

  it("keeps both texts where the same line changed, in the store too", async () => {
    const { at, memories, device, named, paths } = await shop("conflict");
    const one = await device();
    one.write("project_a.md", note("from the start"));
    await one.sync();
    await memories.update((await named("/project_a.md")).id, { ...at, content: note("from the application") });
    one.write("project_a.md", note("from the device"));
    const [conflict] = (await one.sync()).conflicts;
    expect(one.read("project_a.md")).toBe(note("from the application"));
    expect(one.read(conflict?.copy ?? "")).toBe(note("from the device"));
    expect(await paths()).toEqual([`/${conflict?.copy}`, "/project_a.md"].toSorted());
  });

  it("carries a forget: no version keeps the text, and the other device keeps no byte of it", async () => {
    const { id, device, named, versions, paths } = await shop("forgetter");
    const [one, two] = [await device(), await device()];
    const marker = "quokka-ledger-4711";
    one.write("project_a.md", note(`The ${marker} is in the drawer.`));
    one.write("project_b.md", note("The other one stays."));
    await one.sync();
    await two.sync();
    two.write("project_a.md", note(`The ${marker} is on the shelf.`));
    await two.sync();
    await one.sync();
    const { id: memory } = await named("/project_a.md");
    expect(whereIs(marker, two.root).length).toBeGreaterThan(1);
    await one.using((workspace) => {
      const found = findNote(workspace, "project_a.md");
      if (found.found) forgetNote(workspace, found.ref);
    });
    await one.sync();
    await two.sync();
    for (const { root, files } of [one, two]) {
      expect(files()).toEqual(["project_b.md"]);
      expect(whereIs(marker, root)).toEqual([]);
    }
    expect(await paths()).toEqual(["/project_b.md"]);
    const past = (await versions.list(id, { view: "full", memory_id: memory })).data;
    expect(past.length).toBeGreaterThan(1);
    expect(past.map(({ content, path, redacted_at: at }) => [content, path, at !== null])).toEqual(
      past.map(() => [null, null, true]),
    );
  });

  it("sends nothing that is private to the machine", async () => {
    const { device, paths } = await shop("private");
    const one = await device();
    one.write("project_open.md", note("This may travel."));
    one.write("project_key.md", note(`The key is ${A_SECRET.secret}.`));
    one.write("MEMORY.md", "- a line that a person wrote\n");
    await one.memdir(["remember", "only here: the disk is /dev/sdb", "--scope", "local", "--type", "project"]);
    const run = await one.sync();
    expect(run.refused.map(({ key, reason }) => [key, reason])).toEqual([["project_key.md", "secret"]]);
    expect(await paths()).toEqual(["/project_open.md"]);
    expect(await one.sync()).toMatchObject({ pushed: 0 });
  });

  it("stops before it removes most of the notes, here as there, until a person allows it", async () => {
    const { at, device, memories, named, paths } = await shop("emptied");
    const [one, two] = [await device(), await device()];
    const files = Array.from({ length: 16 }, (_, n) => `project_${String(n).padStart(2, "0")}.md`);
    for (const file of files) one.write(file, note(file));
    await one.sync();
    await two.sync();
    for (const file of files.slice(0, 12)) await memories.delete((await named(`/${file}`)).id, at);
    expect((await one.sync()).spaces[0]).toMatchObject({ state: "ask", stopped: { where: "here" } });
    expect(one.files()).toHaveLength(16);
    await one.sync({ acceptRemovals: 12 });
    expect(one.files()).toHaveLength(4);
    for (const file of files.slice(12)) two.remove(file);
    expect((await two.sync()).spaces[0]).toMatchObject({ state: "ask" });
    expect(await paths()).toHaveLength(4);
  });
});

it("setup takes key and address from the environment, and says what is missing", async () => {
  const { id, memories } = await shop("setter");
  const { cwd, environment, memdir } = person();
  const setup = (more: Record<string, string>, remote = `anthropic:${id}`) =>
    memdir(["sync", "setup", "--remote", remote, "--scope", "user", "--manual", "--yes"], {
      cwd,
      environment: { ...environment, ...more },
    });
  const key = { ANTHROPIC_API_KEY: await server.token("setter") };
  const address = { ANTHROPIC_BASE_URL: server.url };
  expect(await setup(address)).toMatchObject({ code: 3, err: expect.stringContaining("ANTHROPIC_API_KEY") });
  expect((await setup({ ...key, ANTHROPIC_BASE_URL: "http://memory.example.org" })).err).toContain("in the open");
  expect((await setup({ ...key, ...address }, "anthropic:notes")).err).toContain("is not the address of a store");
  for (const slip of [`anthropc:${id}`, id])
    expect((await setup({ ...key, ...address }, slip)).err).toContain("write anthropic:memstore_…");
  expect((await setup({ ...key, ...address }, `anthropic:memstore_${"0".repeat(32)}`)).err).toContain("has no store");
  await memdir(["remember", "The deploy runs on Fridays", "--scope", "user", "--type", "user", "--name", "deploy"]);
  expect(await setup({ ...key, ...address })).toMatchObject({ code: 0, err: "" });
  expect((await memories.list(id)).data).toMatchObject([{ path: "/user_deploy.md" }]);
  const second = ["sync", "setup", "--remote", `anthropic:${id}`, "--scope", "project", "--manual", "--yes"];
  expect(await memdir(second, { cwd, environment: { ...environment, ...key, ...address } })).toMatchObject({
    code: 2,
    err: expect.stringContaining("a store holds those of one scope"),
  });
  // A later run goes where the setup went, whatever the environment says by then.
  const elsewhere = { environment: { ...environment, ...key, ANTHROPIC_BASE_URL: "http://127.0.0.1:9" } };
  expect(await memdir(["sync", "now"], elsewhere)).toMatchObject({ code: 0 });
  const status = (await memdir(["sync", "status"])).out;
  expect(status).toContain(`anthropic:${id}@${server.url}`);
  expect((await memdir(["sync", "devices"])).out).toContain("a repository or store does not know");
});

it("setup refuses an archived store", async () => {
  const user = "archivist";
  const { beta } = await server.client(user);
  const { id } = await beta.memoryStores.create({ name: "old" });
  await beta.memoryStores.archive(id);
  const device = await syncDevice(
    { url: server.url, token: await server.token(user) },
    { remote: `${(await shop(user)).remote}` },
  );
  const setup = device.using((workspace) =>
    setUpSync(workspace, { remote: `anthropic:${id}@${server.url}`, scope: "user", tokenFile: `${device.root}/token` }),
  );
  await expect(setup).rejects.toThrow("archived");
});
