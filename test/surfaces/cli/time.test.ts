import fc from "fast-check";
import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { locate } from "../../../src/app/workspace/locations.ts";
import { undoSteps } from "../../../src/app/transfer/undo.ts";
import { openWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import { createNote, remember } from "../../../src/app/notes/remember.ts";
import { pin, remove, revise } from "../../../src/app/notes/revise.ts";
import { restore, supersede } from "../../../src/app/notes/supersede.ts";
import { movingClock } from "../../support/moving-clock.ts";
import { memoryDirectory, scratch } from "../../support/scratch.ts";
import { person } from "../../support/person.ts";

const named = (notes: readonly { readonly file: string }[]) => notes.map(({ file }) => file);

describe("facts over time", () => {
  it("are a chain that history shows, of which the last is recalled", async () => {
    const { memdir, json } = person();
    await memdir(["remember", "--name", "port 8080", "The importer listens on port 8080"]);
    await memdir(["remember", "--beside", "--name", "port 9090", "The importer listens on port 9090"]);
    await memdir(["remember", "--beside", "--name", "port 7070", "The importer listens on port 7070"]);
    expect((await memdir(["supersede", "port-8080", "port-9090"])).out).toContain(
      "project_port_8080.md is superseded by project_port_9090.md",
    );
    await memdir(["supersede", "port-9090", "port-7070"]);
    const { chain } = await json(["history", "port-9090"]);
    expect(named(chain)).toEqual(["project_port_8080.md", "project_port_9090.md", "project_port_7070.md"]);
    expect(chain[0].validTo).toBe(chain[1].validFrom);
    expect(chain[2].validTo).toBeUndefined();
    expect((await memdir(["history", "port-7070"])).out).toMatch(
      /this fact over time:\n {2}.* to .*project_port_8080\.md/u,
    );
    expect(named((await json(["recall", "which port does the importer listen on?"])).selected)).toEqual([
      "project_port_7070.md",
    ]);
    await memdir(["undo"]);
    expect(named((await json(["list"])).notes)).toEqual(["project_port_7070.md", "project_port_9090.md"]);
    expect((await memdir(["restore", "port-8080"])).out).toContain(
      "restored project_port_8080.md, which was superseded",
    );
    expect(named((await json(["list"])).notes)).toHaveLength(3);
  });

  it("are a chain too where a person wrote what came after by its name, or by its file without the ending", async () => {
    const { root, memdir, json } = person();
    const notes = ["--dir", `${root}/notes`];
    for (const name of ["old", "new"]) await memdir(["remember", name, "--name", name, "--beside", ...notes]);
    await memdir(["supersede", "old", "new", ...notes]);
    const file = `${root}/notes/project_old.md`;
    for (const by of ["new", "project_new", "project_new.md"]) {
      fs.writeFileSync(file, fs.readFileSync(file, "utf8").replace(/(?<=supersededBy: ).*/u, by));
      const { chain } = await json(["history", "project_new.md", ...notes]);
      expect([by, named(chain ?? [])]).toEqual([by, ["project_old.md", "project_new.md"]]);
    }
  });

  it("get the dates of their words, which the answer names", async () => {
    const { memdir } = person();
    const said = (await memdir(["remember", "The licence audit ends on 4 May 2031, the report was due yesterday"])).out;
    expect(said).toMatch(/^with dates: yesterday \(\d{4}-\d{2}-\d{2}\)$/mu);
    expect((await memdir(["remember", "Never deploy on a Friday"])).out).not.toContain("with dates");
  });

  it("are never retired across scopes, twice, in a circle, or when pinned", async () => {
    const { memdir } = person();
    await memdir(["remember", "--name", "a", "The importer listens on port 8080"]);
    await memdir(["remember", "--beside", "--name", "b", "The importer listens on port 9090"]);
    await memdir(["remember", "--name", "c", "--scope", "user", "The importer listens on port 7070"]);
    expect((await memdir(["supersede", "a", "c"])).err).toContain("two scopes");
    expect((await memdir(["supersede", "a", "a"])).code).toBe(2);
    expect((await memdir(["supersede", "a"])).code).toBe(2);
    await memdir(["pin", "a"]);
    expect((await memdir(["supersede", "a", "b"])).code).toBe(4);
    await memdir(["pin", "a", "--off"]);
    expect((await memdir(["supersede", "a", "b"])).code).toBe(0);
    expect((await memdir(["supersede", "a", "b"])).code).toBe(5);
    expect((await memdir(["supersede", "b", "a"])).code).toBe(5);
  });

  it("are asked of the past: recall, context, list and show as of a day", async () => {
    const { memdir, json } = person();
    await memdir(["remember", "--name", "port", "The importer listens on port 8080"]);
    const then = new Date().toISOString();
    await new Promise((resolve) => setTimeout(resolve, 20));
    await memdir(["edit", "port", "--body", "The importer listens on port 9090"]);
    const past = await json(["recall", "--as-of", then, "which port does the importer listen on?"]);
    expect(past.text).toContain("port 8080");
    expect((await json(["recall", "which port does the importer listen on?"])).text).toContain("port 9090");
    expect((await memdir(["context", "--as-of", then])).out).toContain("project_port.md");
    expect((await json(["context", "--as-of", then])).notes).toHaveLength(1);
    expect((await memdir(["recall", "--as-of", "1999-01-01", "port"])).code).toBe(3);
    expect((await memdir(["recall", "--as-of", "yesterday-ish", "port"])).code).toBe(2);
    expect((await memdir(["recall", "--as-of", then, "--session", "s", "port"])).code).toBe(2);
    expect((await memdir(["context", "--as-of", then, "--why", "x"])).code).toBe(2);
  });
});

describe("contradictions", () => {
  async function contradicting() {
    const one = person();
    await one.memdir(["remember", "--name", "staging port", "The staging server listens on port 8080."]);
    // By hand: what is remembered would have superseded the first.
    const { path } = await one.json(["show", "staging port"]);
    const second = fs.readFileSync(path, "utf8").replaceAll("8080", "9090").replace("staging port", "staging port two");
    fs.writeFileSync(path.replace("staging_port", "staging_port_two"), second);
    return one;
  }

  it("are listed with what each says, and settled by keeping one", async () => {
    const { memdir, json } = await contradicting();
    const { conflicts } = await json(["conflicts"]);
    expect(conflicts).toHaveLength(1);
    expect(conflicts[0].reason).toMatch(/"8080" .* against "9090"|"9090" .* against "8080"/u);
    expect((await memdir(["conflicts", "keep", "staging port two"])).out).toContain(
      "project_staging_port_two.md holds; project_staging_port.md is superseded",
    );
    expect((await json(["conflicts"])).conflicts).toEqual([]);
    expect((await memdir(["undo"])).code).toBe(0);
    expect((await json(["conflicts"])).conflicts).toHaveLength(1);
  });

  it("hold side by side where a user says so of the older one, with all that contradict it", async () => {
    const { memdir, json } = person();
    await memdir(["remember", "--name", "billing", "Customer Volvo is billed monthly."]);
    for (const doubt of [
      "I heard customer Volvo is billed weekly, not sure.",
      "Maybe customer Volvo is billed yearly.",
    ])
      expect((await json(["remember", doubt])).contradicts).toHaveLength(1);
    expect((await json(["conflicts", "both", "billing"])).others).toHaveLength(2);
    expect((await memdir(["conflicts"])).out).toContain("no notes contradict each other");
    expect((await memdir(["review", "--list"])).out).toContain("nothing waits");
    await memdir(["undo"]);
    expect((await memdir(["conflicts"])).out).toContain("against");
  });

  it("that are none are not asked again, in a dream neither, until that is undone", async () => {
    const { memdir, json } = await contradicting();
    await memdir(["conflicts", "both", "staging port"]);
    expect((await json(["conflicts"])).conflicts).toEqual([]);
    expect((await json(["dream", "--dry-run"])).operations ?? []).toEqual([]);
    await memdir(["undo", "staging port"]);
    expect((await json(["conflicts"])).conflicts).toHaveLength(1);
  });

  it("are never found across scopes, and what is none is said so", async () => {
    const { memdir, json } = person();
    await memdir(["remember", "--name", "p", "The staging server listens on port 8080."]);
    await memdir(["remember", "--name", "q", "--scope", "user", "The staging server listens on port 9090."]);
    expect((await json(["conflicts"])).conflicts).toEqual([]);
    expect((await memdir(["conflicts", "keep", "p"])).code).toBe(3);
    expect((await memdir(["conflicts", "frob"])).code).toBe(2);
    expect((await memdir(["conflicts", "keep"])).code).toBe(2);
  });
});

describe("restore", () => {
  it("brings a removed note back with its bytes, once, and says what was never here", async () => {
    const { memdir, json, root } = person();
    await memdir(["remember", "--name", "plan", "The plan is to move in June"]);
    const { path } = await json(["show", "plan"]);
    const before = fs.readFileSync(path);
    await memdir(["remove", "plan"]);
    expect((await memdir(["restore", "plan"])).out).toContain("which was removed");
    expect(fs.readFileSync(path)).toEqual(before);
    expect((await memdir(["restore", "plan"])).out).toContain("nothing to restore");
    expect((await memdir(["restore", "no-such"])).code).toBe(3);
    expect((await memdir(["restore"])).code).toBe(2);
    expect(root).toContain("Jané Döe");
  });

  it("ends 30 days after the removal", async () => {
    const clock = movingClock();
    const root = scratch();
    const workspace = openWorkspace(
      locate({ dir: `${root}/notes`, cwd: root, environment: { HOME: root, PATH: "" } }),
      { clock },
    );
    const saved = await remember(workspace, { name: "plan", body: "The plan is to move in June" });
    if (saved.outcome !== "created") throw new Error("not saved");
    remove(saved.ref);
    clock.move(31 * 86_400_000);
    expect(() => restore(workspace, saved.ref)).toThrow("more than 30 days ago");
    workspace.close();
  });
});

type Act = { readonly kind: "remember" | "revise" | "remove" | "pin" | "supersede" | "restore"; readonly at: number };
const act: fc.Arbitrary<Act> = fc.record({
  kind: fc.constantFrom(
    "remember" as const,
    "remember" as const,
    "revise" as const,
    "remove" as const,
    "pin" as const,
    "supersede" as const,
    "restore" as const,
  ),
  at: fc.nat({ max: 50 }),
});

describe("undo", () => {
  it(
    "restores the bytes of any operation, any number of steps back, and over again",
    { tags: ["slow"], timeout: 300_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(act, { minLength: 1, maxLength: 14 }),
          fc.infiniteStream(fc.nat({ max: 100 })),
          async (acts, counts) => {
            const root = scratch(memoryDirectory());
            const clock = movingClock();
            const workspace = openWorkspace(
              locate({ dir: `${root}/notes`, cwd: root, environment: { HOME: root, PATH: "" } }),
              { clock },
            );
            const scoped = workspace.open("project");
            if (scoped === undefined) throw new Error("no store");
            const bytes = () =>
              Object.fromEntries(
                scoped.store.index
                  .entries()
                  .map(({ file }) => [file, new TextDecoder().decode(scoped.store.read(file))]),
              );
            const states = [bytes()];
            let number = 0;
            for (const { kind, at } of acts) {
              clock.move(1000);
              const before = scoped.store.history().versions().length;
              const live = scoped.store.index.entries();
              const file = live[at % Math.max(1, live.length)]?.file;
              const other = live[(at + 1) % Math.max(1, live.length)]?.file;
              try {
                if (kind === "remember")
                  await remember(workspace, {
                    name: `note ${String(number++)}`,
                    body: `Fact ${String(at)} of the shop, number ${String(number)}`,
                  });
                else if (file === undefined || other === undefined) continue;
                else if (kind === "revise")
                  await revise(workspace, { scoped, file }, { body: `Revised ${String(at)} ${String(number++)}` });
                else if (kind === "remove") remove({ scoped, file });
                else if (kind === "pin") pin(workspace, { scoped, file }, at % 2 === 0);
                else if (kind === "restore") restore(workspace, { scoped, file });
                else if (at % 2 === 0) supersede(workspace, { scoped, file }, { scoped, file: other });
                else
                  createNote(
                    workspace,
                    scoped,
                    { type: "project", name: `heir ${String(number++)}`, description: "d", body: "Newer" },
                    "user",
                    { superseded: [{ file, says: "" }], contradicts: [] },
                  );
              } catch (error) {
                if (!(error instanceof Error && error.name === "MemoryError")) throw error; // what cannot be superseded
              }
              if (scoped.store.history().versions().length > before) states.push(bytes());
            }
            // Some steps back, then from there further back, to the beginning.
            let at = states.length - 1;
            for (const count of counts) {
              if (at === 0) break;
              const steps = 1 + (count % at);
              clock.move(1000);
              expect(undoSteps(workspace, scoped, undefined, steps).map(({ outcome }) => outcome)).toEqual(
                Array.from({ length: steps }, () => "undone"),
              );
              at -= steps;
              expect(bytes()).toEqual(states[at]);
            }
            workspace.close();
          },
        ),
        { numRuns: 60, endOnFailure: true },
      );
    },
  );

  it("names a version of another scope as history prints it", async () => {
    const { memdir, json } = person();
    await memdir(["remember", "--name", "mine", "--scope", "user", "Only about me"]);
    await memdir(["remember", "--name", "ours", "Of the project"]);
    expect((await json(["history"])).versions.map(({ ref }: { ref: string }) => ref).toSorted()).toEqual([
      "1",
      "user:1",
    ]);
    expect((await memdir(["diff", "user:1"])).out).toContain("version user:1");
    expect((await memdir(["undo", "user:1"])).out).toContain("undone: version user:1");
    expect(named((await json(["list"])).notes)).toEqual(["project_ours.md"]);
    expect((await memdir(["undo", "team:1"])).code).toBe(3);
    expect((await memdir(["undo", "--steps", "0"])).code).toBe(2);
    expect((await memdir(["undo", "1", "--steps", "2"])).code).toBe(2);
  });
});
