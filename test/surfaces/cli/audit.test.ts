import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { locate } from "../../../src/app/workspace/locations.ts";
import { openWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import { yamlFrontmatter } from "../../../src/adapters/yaml/frontmatter.ts";
import { parseNote } from "../../../src/core/notes/parse-note.ts";
import { AUDIT_CODES } from "../../../src/app/care/audit.ts";
import { cli, emptyHome } from "../../support/cli.ts";
import { gitIn } from "../../support/git-repository.ts";
import { person } from "../../support/person.ts";
import { scratch } from "../../support/scratch.ts";

function text(body: string, more = ""): string {
  return `---\nname: ${body.slice(0, 12).replace(/[^a-z ]/giu, "")}\ndescription: ${JSON.stringify(body.slice(0, 80))}\nmetadata:\n  type: project\n  created: 2025-01-02T09:00:00Z\n  source: rules\n${more}---\n\n${body}\n`;
}

async function auditOf(files: Readonly<Record<string, string>>) {
  const root = scratch();
  fs.mkdirSync(`${root}/notes`);
  for (const [file, content] of Object.entries(files)) fs.writeFileSync(`${root}/notes/${file}`, content);
  const { code, out } = await cli(["audit", "--json", "--dir", `${root}/notes`], {
    environment: emptyHome(root),
    cwd: root,
  });
  const findings: { code: string; files: string[]; mend: string }[] = JSON.parse(out).findings;
  return { code, found: findings.map((finding) => `${finding.code} ${finding.files.join(" ")}`), findings };
}

describe("memdir audit", () => {
  it("finds nothing in a sound store", async () => {
    expect(
      await auditOf({ "a.md": text("Deploys wait for the QA team."), "b.md": text("Log lines carry the request id.") }),
    ).toMatchObject({ code: 0, found: [] });
  });

  it("finds each kind of rot and names a command for it", async () => {
    const secret = ["ghp", "_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].join("");
    const { code, found, findings } = await auditOf({
      "same1.md": text("Integration tests use the postgres container."),
      "same2.md": text("Please remember: integration tests use the postgres container."),
      "old.md": text("Releases of the app go out on Monday."),
      "new.md": text("Releases of the app go out on Thursday."),
      "secret.md": text(`The deploy token of the shop is ${secret} for now.`),
      "loop.md": text('<memdir-context source="recall"> Use the container </memdir-context>'),
      "long.md": text(`A long story. ${"word ".repeat(1200)}`),
      "link.md": text("See [[nowhere]] for the story of the importer."),
      "date.md": text("The freeze of the shop starts next Thursday for good."),
      "a.conflict-1.md": text("A copy that nobody joined with the other yet."),
      "heirless.md": text("An older word on caches.", "  supersededBy: gone.md\n"),
      "broken.md": "---\nname: [unclosed\n---\n\nBody of a broken one.\n",
      "MEMORY.md": "- [Gone](gone-note.md) — was here\n",
    });
    expect(code).toBe(1);
    expect(found).toEqual(
      expect.arrayContaining([
        "secret secret.md",
        "contradiction old.md new.md",
        "recall-loop loop.md",
        "conflict-copy a.conflict-1.md",
        "unreadable broken.md",
        "orphan link.md",
        "orphan heirless.md",
        "orphan MEMORY.md",
        "relative-date date.md",
        "oversize long.md",
      ]),
    );
    expect(found.filter((one) => one.startsWith("duplicate"))).toHaveLength(1);
    expect(findings.every(({ mend }) => mend.length > 0)).toBe(true);
  });

  it("names for each finding a command that really mends it", async () => {
    const secret = ["ghp", "_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].join("");
    const unsigned = (body: string): string => text(body).replace("  source: rules\n", "");
    const rotten: Readonly<Record<string, string | Buffer>> = {
      "same1.md": text("Integration tests use the postgres container."),
      "same2.md": text("Please remember: integration tests use the postgres container."),
      "mine1.md": unsigned("Migrations run before the deploy of the shop."),
      "mine 2's.md": unsigned("Please note that migrations run before the deploy of the shop."),
      "pin1.md": text("Photos of the office are kept in the cupboard.", "  pinned: true\n"),
      "pin2.md": text("Please remember: photos of the office are kept in the cupboard.", "  pinned: true\n"),
      "old.md": text("Releases of the app go out on Monday."),
      "new.md": text("Releases of the app go out on Thursday."),
      "low.md": text("The staging server listens on port 8080.", "  pinned: true\n"),
      "high.md": text("The staging server listens on port 9090.", "  pinned: true\n"),
      "secret.md": text(`The deploy token of the shop is ${secret} for now.`),
      "loop.md": text('<memdir-context source="recall"> Use the container </memdir-context>'),
      "long.md": text(`A long story. ${"word ".repeat(1200)}`),
      "link.md": text("See [[nowhere]] for the story of the importer."),
      "date.md": text("The freeze of the shop starts next Thursday for good."),
      "gone.md": text("The cache of the till is written by `src/till/cache-writer.ts` alone."),
      "a.conflict-1.md": text("A copy that nobody joined with the other yet."),
      "heirless.md": text("An older word on caches.", "  supersededBy: nobody.md\n"),
      "broken.md": "---\nname: [unclosed\n---\n\nBody of a broken one.\n",
      "open.md": "---\nname: open\n\nBody of one that never ends.\n",
      "latin.md": Buffer.from(text("Le café du bureau ferme tôt."), "latin1"),
      "nul.md": text("A word with \0 in it, from a broken editor."),
      "hidden.md": text("A word with a tag\u{E0041}\u{E0042} that nobody sees."),
      "markers.md": text("<<<<<<< ours\none\n=======\ntwo\n>>>>>>> theirs"),
      "MEMORY.md": "- [Gone](gone-note.md) — was here\n",
    };
    for (const [at, topic] of [
      "espresso",
      "parking",
      "printer",
      "fridge",
      "meeting room",
      "bicycles",
      "plants",
      "windows",
    ].entries())
      Object.assign(rotten, { [`sound${at}.md`]: text(`The ${topic} of the office is looked after by Ann.`) });
    const { root, cwd, environment } = person();
    const { git, write, commit } = gitIn(cwd);
    git("init", "-q", "--initial-branch=main");
    write("src/till/cache-writer.ts", "export const size = 1;\n");
    commit();
    fs.rmSync(`${cwd}/src/till/cache-writer.ts`);
    write("readme.txt", "The shop.\n");
    commit();
    const notes = `${root}/notes`;
    fs.mkdirSync(notes);
    for (const [file, content] of Object.entries(rotten)) fs.writeFileSync(`${notes}/${file}`, content);
    const found = async (): Promise<readonly Found[]> =>
      JSON.parse((await cli(["audit", "--json", "--dir", notes], { environment, cwd })).out).findings;
    await cli(["recall", "who looks after the espresso machine?", "--dir", notes], { environment, cwd });
    const first = await found();
    expect(new Set(first.map(({ code }) => code))).toEqual(
      new Set(AUDIT_CODES.filter((code) => code !== "index-drift")),
    );
    let left = first;
    for (const [at, { code, files, mend }] of first.entries()) {
      const isThere = (one: Found): boolean => one.code === code && one.files.join() === files.join();
      if (!left.some(isThere)) continue; // mended with another
      const words = shellWords(mend);
      const status =
        words[0] === "memdir"
          ? (
              await cli(words.slice(1), {
                environment,
                cwd,
                answer: true,
                edit: () => text(`Shelf ${at} of the archive stays locked at night.`),
              })
            ).code
          : spawnSync("sh", ["-c", mend], { env: { ...environment, EDITOR: editor(root) } }).status;
      left = await found();
      expect({ mend, code: status, left: left.filter(isThere) }).toEqual({ mend, code: 0, left: [] });
    }
    expect(left).toEqual([]);
  }, 240_000);

  it("has an index that drifted made again by the command it names", async () => {
    const { cwd, environment, memdir } = person();
    await memdir(["remember", "--name", "port", "The importer listens on port 8080."]);
    const findings = async (): Promise<readonly Found[]> =>
      JSON.parse((await memdir(["audit", "--json"])).out).findings;
    const workspace = openWorkspace(locate({ cwd, environment }));
    const [scoped] = workspace.stores;
    if (scoped === undefined) throw new Error("the project has no store");
    const { store } = scoped;
    const { index } = store;
    // A file changed just now is read again whatever its stamp says.
    const anHourAgo = new Date(Date.now() - 3_600_000);
    for (const file of index.stamps().keys()) fs.utimesSync(`${store.directory}/${file}`, anHourAgo, anHourAgo);
    store.reconcile("full");
    expect(await findings()).toEqual([]);
    for (const [file, stamp] of index.stamps())
      index.apply({
        upsert: [
          {
            ...stamp,
            file,
            note: parseNote(file, Buffer.from(text("Other words than those of the file.")), yamlFrontmatter),
          },
        ],
        remove: [],
      });
    workspace.close();
    const drifted = await findings();
    expect(drifted).toMatchObject([{ code: "index-drift", mend: "memdir doctor" }]);
    await memdir(["doctor"]);
    expect(await findings()).toEqual([]);
  }, 120_000);
});

interface Found {
  readonly code: string;
  readonly files: readonly string[];
  readonly mend: string;
}

/** A command line taken apart as a shell does it, so far as it is quoted here. */
function shellWords(command: string): readonly string[] {
  return spawnSync("sh", ["-c", `printf '%s\\0' ${command}`], { encoding: "utf8" })
    .stdout.split("\0")
    .slice(0, -1);
}

/** Takes the dead line out, as a person would. */
function editor(root: string): string {
  const file = `${root}/editor`;
  fs.writeFileSync(file, '#!/bin/sh\ngrep -v gone-note "$1" > "$1.new"\nmv "$1.new" "$1"\n', { mode: 0o755 });
  return file;
}
