import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { openMemory } from "../../../src/app/memory.ts";
import { locate } from "../../../src/app/workspace/locations.ts";
import { openWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import { isRecord } from "../../../src/core/shared/json.ts";
import { emptyHome } from "../../support/cli.ts";
import { scratch } from "../../support/scratch.ts";
import { serve, type Served, writeNote } from "./served.ts";

let root: string;
let notes: string;
let page: Served;
const PORT = "project:project_port.md";

beforeEach(async () => {
  root = scratch();
  notes = `${root}/notes`;
  writeNote(
    notes,
    "project_port.md",
    "The billing service listens on port 8080",
    "Port 8080. See [[hosts]] and [[nowhere]].",
  );
  writeNote(notes, "project_hosts.md", "Where the services run", "The hosts of staging.\n\n[port](project_port.md)");
  page = await serve(root);
});

/** What an answer says under a name. */
function at(value: unknown, ...names: readonly (string | number)[]): unknown {
  let found = value;
  for (const name of names)
    found = Array.isArray(found) ? found[Number(name)] : isRecord(found) ? found[name] : undefined;
  return found;
}

const note = (id: string) => page.get(`note?id=${encodeURIComponent(id)}`);
const seenOf = async (id: string): Promise<string> => String(at(await note(id), "version"));

describe("a read gives", () => {
  it("all notes, with what their writers have to say that they saw", async () => {
    expect(await page.get("notes")).toMatchObject({
      notes: [
        { id: "project:project_hosts.md", file: "project_hosts.md", scope: "project", type: "project" },
        {
          id: PORT,
          name: "project_port",
          description: "The billing service listens on port 8080",
          version: await seenOf(PORT),
        },
      ],
    });
  });

  it("the same stamp after the index was made anew", async () => {
    await page.get("notes");
    writeNote(notes, "project_a_later_one.md", "Written after the others", "It comes first by name.");
    const before = await page.get("notes");
    const other = openWorkspace(locate({ dir: notes, cwd: root, environment: emptyHome(root) }));
    for (const { store } of other.stores) store.rebuildIndex();
    other.close();
    expect(at(await page.get("notes"), "stamp")).toBe(at(before, "stamp"));
    writeNote(notes, "project_a_later_one.md", "Written after the others", "Now it says more.");
    expect(at(await page.get("notes"), "stamp")).not.toBe(at(before, "stamp"));
  });

  it("a note with its links both ways, dead ones too, and the command that would purge it", async () => {
    expect(await note(PORT)).toMatchObject({
      path: path.join(notes, "project_port.md"),
      body: expect.stringContaining("Port 8080."),
      links: [{ target: "hosts" }, { target: "nowhere" }],
      backlinks: [{ id: "project:project_hosts.md" }],
      forgetCommand: "memdir forget project_port.md",
      editable: true,
    });
    expect(await note("project:project_hosts.md")).toMatchObject({ links: [{ target: "project_port.md", id: PORT }] });
  });

  it("who recalled a note, when and why, and what a session was given", async () => {
    const memory = openMemory({ dir: notes, cwd: root, environment: emptyHome(root) });
    memory.recall("which port does the billing service listen on", { session: "s-1" });
    memory.close();
    const prompt = "which port does the billing service listen on";
    expect(at(await note(PORT), "recalls", 0)).toMatchObject({ session: "s-1", prompt, fate: "shown", by: "rules" });
    expect(at(await page.get("notes"), "notes", 1, "recalled", "times")).toBe(1);
    expect(await page.get("sessions")).toMatchObject({ sessions: [{ id: "s-1", recalls: 1 }] });
    expect(await page.get("session?id=s-1")).toMatchObject({
      events: [{ kind: "prompt", prompt, shown: [{ id: PORT }], tokens: expect.any(Number) }],
      captured: [],
    });
    expect(await page.get("timeline?kind=recall")).toMatchObject({ events: [{ kind: "recall", shown: [PORT] }] });
    expect(await page.get("cost")).toMatchObject({
      days: [{ recalls: 1, sessions: 1 }],
      notes: expect.arrayContaining([{ id: PORT, times: 1 }]),
    });
    expect((await page.ask("GET", "/api/session?id=unknown")).status).toBe(404);
  });

  it("what a prompt would be given, and why another note would not", async () => {
    const asked = { prompt: "which port does the billing service listen on", note: "project:project_hosts.md" };
    expect((await page.post("ask", asked)).json).toMatchObject({
      verdict: "shown",
      candidates: expect.arrayContaining([expect.objectContaining({ id: PORT, fate: "shown" })]),
      given: [{ text: expect.stringContaining("8080"), tokens: expect.any(Number) }],
      whyNot: { id: "project:project_hosts.md", says: expect.any(String) },
    });
    expect(at(await page.get("sessions"), "sessions")).toEqual([]);
  });

  it("the graph, the queue, the dreams and the state, empty as well", async () => {
    expect(await page.get("graph")).toMatchObject({
      nodes: [
        { id: "project:project_hosts.md", out: 1, in: 0 },
        { id: PORT, out: 0, in: 1 },
      ],
      edges: [[0, 1]],
      dead: [
        { id: PORT, target: "hosts" },
        { id: PORT, target: "nowhere" },
      ],
      orphans: 0,
    });
    expect(await page.get("review")).toEqual({ waiting: [], rules: [], damaged: [] });
    expect(await page.get("dreams")).toMatchObject({ dreams: [], next: expect.any(String) });
    expect(await page.get("state")).toMatchObject({
      mode: "auto",
      waiting: 0,
    });
  });
});

describe("a change", () => {
  it("is made when its writer saw the present text, and is taken back and made again", async () => {
    const pinned = await page.post("pin", { id: PORT, seen: await seenOf(PORT), pinned: true });
    expect(pinned).toMatchObject({ status: 200, json: { outcome: "written", version: await seenOf(PORT) } });
    expect(fs.readFileSync(`${notes}/project_port.md`, "utf8")).toContain("pinned: true");
    expect((await page.post("undo", { id: PORT, seen: await seenOf(PORT) })).json).toMatchObject({ outcome: "undone" });
    expect(fs.readFileSync(`${notes}/project_port.md`, "utf8")).not.toContain("pinned");
    expect((await page.post("redo", { id: PORT, seen: await seenOf(PORT) })).json).toMatchObject({ outcome: "redone" });
    expect(fs.readFileSync(`${notes}/project_port.md`, "utf8")).toContain("pinned: true");
  });

  it("of two at once one is written, and the other gets both texts", async () => {
    const seen = await seenOf(PORT);
    const before = fs.readFileSync(`${notes}/project_port.md`, "utf8");
    const edits = ["9090", "7070"].map((port) => before.replaceAll("8080", port));
    const answers = await Promise.all(edits.map((text) => page.post("revise", { id: PORT, seen, text })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const lost = answers.findIndex(({ status }) => status === 409);
    const present = fs.readFileSync(`${notes}/project_port.md`, "utf8");
    expect(present).toBe(edits[1 - lost]);
    expect(answers[lost]?.json).toMatchObject({
      error: { code: "conflict" },
      conflict: { id: PORT, yours: edits[lost], theirs: present, version: await seenOf(PORT) },
    });
  });

  it("of a note that an editor changed meanwhile is not made", async () => {
    const seen = await seenOf(PORT);
    const before = fs.readFileSync(`${notes}/project_port.md`, "utf8");
    fs.writeFileSync(`${notes}/project_port.md`, before.replace("Port 8080.", "Port 9999."));
    for (const [name, rest] of [
      ["pin", { pinned: true }],
      ["remove", {}],
      ["move", { to: "user" }],
    ] as const)
      expect(await page.post(name, { id: PORT, seen, ...rest })).toMatchObject({
        status: 409,
        json: { conflict: { theirs: expect.stringContaining("9999"), yours: before } },
      });
    expect(fs.existsSync(`${notes}/project_port.md`)).toBe(true);
  });

  it("that removes a note says where it went, and restore brings it back", async () => {
    const text = fs.readFileSync(`${notes}/project_port.md`, "utf8");
    await page.post("remove", { id: PORT, seen: await seenOf(PORT) });
    const gone = await page.ask("GET", `/api/note?id=${encodeURIComponent(PORT)}`);
    expect(gone).toMatchObject({ status: 410, json: { error: { code: "removed" }, removed: { id: PORT, text } } });
    expect((await page.post("pin", { id: PORT, seen: "gone", pinned: true })).status).toBe(409);
    expect((await page.post("restore", { id: PORT })).json).toMatchObject({ outcome: "restored", id: PORT });
    expect(fs.readFileSync(`${notes}/project_port.md`, "utf8")).toBe(text);
  });

  it("lets one note hold in place of another", async () => {
    const hosts = "project:project_hosts.md";
    const by = { id: PORT, seen: await seenOf(PORT) };
    expect((await page.post("supersede", { id: hosts, seen: await seenOf(hosts), by })).status).toBe(200);
    expect(at(await note(PORT), "chain")).toMatchObject([{ id: hosts }, { id: PORT }]);
  });

  it("that brings a secret is refused and not written", async () => {
    const before = fs.readFileSync(`${notes}/project_port.md`, "utf8");
    const text = `${before}\n${["ghp", "_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"].join("")}\n`;
    const refused = await page.post("revise", { id: PORT, seen: await seenOf(PORT), text });
    expect(refused).toMatchObject({ status: 422, json: { error: { code: "secret" } } });
    expect(fs.readFileSync(`${notes}/project_port.md`, "utf8")).toBe(before);
  });

  it("shows in the note's versions with the text before and after", async () => {
    await page.post("pin", { id: PORT, seen: await seenOf(PORT), pinned: true });
    const seq = Number(at(await note(PORT), "versions", 0, "seq"));
    const version = await page.get(`version?scope=project&seq=${seq}&id=${encodeURIComponent(PORT)}`);
    expect(at(version, "files", 0, "before")).not.toContain("pinned");
    expect(at(version, "files", 0, "after")).toContain("pinned: true");
  });
});

describe("slow work", () => {
  const until = async (name: string): Promise<unknown> => {
    for (let tries = 0; tries < 600; tries++) {
      const job = await page.get(name);
      if (at(job, "state") !== "working") return job;
      await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error(`${name} did not end`);
  };

  it("begins when it is asked for, is kept, and is stale after a change", async () => {
    writeNote(
      notes,
      "project_other.md",
      "The billing service listens on port 9090",
      "The billing service listens on port 9090.",
    );
    writeNote(
      notes,
      "project_port.md",
      "The billing service listens on port 8080",
      "The billing service listens on port 8080.",
    );
    expect(await page.get("conflicts")).toEqual({ state: "idle" });
    await page.post("jobs", { job: "conflicts", do: "start" });
    const found = await until("conflicts");
    expect(found).toMatchObject({
      state: "ready",
      stale: false,
      result: { conflicts: [expect.anything()], omitted: 0 },
    });
    const [one, other] = ["newer", "older"].map((which) => at(found, "result", "conflicts", 0, which));
    const [id, seen, otherId, otherSeen] = [at(one, "id"), at(one, "version"), at(other, "id"), at(other, "version")];
    const settle = { id, seen, settle: "keep", others: [{ id: otherId, seen: otherSeen }] };
    expect((await page.post("conflicts", settle)).json).toMatchObject({ outcome: "settled" });
    expect(await page.get("conflicts")).toMatchObject({ state: "ready", stale: true });
    expect(at(await note(String(otherId)), "supersededBy")).toBeDefined();
  });

  it("is stopped when it is cancelled, and says why when it fails", async () => {
    let stopped = 0;
    page = await serve(root, {
      startWork: (name) => ({
        result: name === "health" ? Promise.reject(new Error("the disk is gone")) : new Promise(() => undefined),
        stop: () => stopped++,
      }),
    });
    await page.post("jobs", { job: "conflicts", do: "start" });
    expect(await page.get("conflicts")).toMatchObject({ state: "working" });
    await page.post("jobs", { job: "conflicts", do: "cancel" });
    expect([await page.get("conflicts"), stopped]).toEqual([{ state: "idle" }, 1]);
    await page.post("jobs", { job: "health", do: "start" });
    expect(await until("health")).toEqual({ state: "failed", message: "the disk is gone" });
  });
});

describe("memory that is switched off or only read", () => {
  it("is not shown where it is off, and says so", async () => {
    page = await serve(root, { environment: { MEMDIR_MODE: "off" } });
    expect(await page.get("state")).toMatchObject({ mode: "off" });
    expect(await page.ask("GET", "/api/notes")).toMatchObject({ status: 403, json: { error: { code: "refused" } } });
  });

  it("is shown and not changed where it is recall-only", async () => {
    const seen = await seenOf(PORT);
    page = await serve(root, { environment: { MEMDIR_MODE: "recall-only" } });
    expect(at(await page.get("state"), "scopes", 0, "readOnly")).toContain("recall-only");
    expect((await page.ask("GET", "/api/notes")).status).toBe(200);
    expect(await page.post("pin", { id: PORT, seen, pinned: true })).toMatchObject({ status: 403 });
    expect(fs.readFileSync(`${notes}/project_port.md`, "utf8")).not.toContain("pinned");
  });

  it("keeps hostile names and texts as data", async () => {
    const file = "project_<img src=x onerror=alert(1)>.md";
    writeNote(notes, file, "a \u202Etrap", "<script>alert(1)</script> [x](javascript:alert(1))");
    const answer = await page.ask("GET", `/api/note?id=${encodeURIComponent(`project:${file}`)}`);
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(answer.json).toMatchObject({ id: `project:${file}`, body: expect.stringContaining("<script>") });
  });
});
