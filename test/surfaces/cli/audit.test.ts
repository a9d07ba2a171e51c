import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { cli, emptyHome } from "../../support/cli.ts";
import { scratch } from "../../support/scratch.ts";

function text(body: string, more = ""): string {
  return `---\nname: ${body.slice(0, 12).replace(/[^a-z ]/giu, "")}\ndescription: ${JSON.stringify(body.slice(0, 80))}\nmetadata:\n  type: project\n  created: 2025-01-02T09:00:00Z\n  source: rules\n${more}---\n\n${body}\n`;
}

async function auditOf(files: Readonly<Record<string, string>>) {
  const root = scratch();
  fs.mkdirSync(`${root}/notes`);
  for (const [file, content] of Object.entries(files)) fs.writeFileSync(`${root}/notes/${file}`, content);
  const { code, out } = await cli(["audit", "--json", "--dir", `${root}/notes`], { environment: emptyHome(root), cwd: root });
  const findings: { code: string; files: string[]; mend: string }[] = JSON.parse(out).findings;
  return { code, found: findings.map((finding) => `${finding.code} ${finding.files.join(" ")}`), findings };
}

describe("memdir audit", () => {
  it("finds nothing in a sound store", async () => {
    expect(await auditOf({ "a.md": text("Deploys wait for the QA team."), "b.md": text("Log lines carry the request id.") })).toMatchObject({ code: 0, found: [] });
  });

  it("finds each kind of rot and names a command for it", async () => {
    const secret = ["ghp", "_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].join("");
    const { code, found, findings } = await auditOf({
      "same1.md": text("Integration tests use the postgres container."),
      "same2.md": text("Please remember: integration tests use the postgres container."),
      "old.md": text("Releases of the app go out on Monday."),
      "new.md": text("Releases of the app go out on Thursday."),
      "secret.md": text(`The deploy token of the shop is ${secret} for now.`),
      "loop.md": text("<memdir-context source=\"recall\"> Use the container </memdir-context>"),
      "long.md": text(`A long story. ${"word ".repeat(1200)}`),
      "link.md": text("See [[nowhere]] for the story of the importer."),
      "date.md": text("The freeze of the shop starts next Thursday for good."),
      "a.conflict-1.md": text("A copy that nobody joined with the other yet."),
      "heirless.md": text("An older word on caches.", "  supersededBy: gone.md\n"),
      "broken.md": "---\nname: [unclosed\n---\n\nBody of a broken one.\n",
      "MEMORY.md": "- [Gone](gone-note.md) — was here\n",
    });
    expect(code).toBe(1);
    expect(found).toEqual(expect.arrayContaining([
      "secret secret.md", "contradiction old.md new.md", "recall-loop loop.md", "conflict-copy a.conflict-1.md", "unreadable broken.md",
      "orphan link.md", "orphan heirless.md", "orphan MEMORY.md", "relative-date date.md", "oversize long.md",
    ]));
    expect(found.filter((one) => one.startsWith("duplicate"))).toHaveLength(1);
    expect(findings.every(({ mend }) => mend.length > 0)).toBe(true);
  });
});
