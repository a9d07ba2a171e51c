import fs from "node:fs";
import { beforeEach, expect, it } from "vitest";
import { recallNotes, renderOutcome } from "../../../src/app/recall/recall-notes.ts";
import { locate } from "../../../src/app/workspace/locations.ts";
import { openWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import { emptyHome } from "../../support/cli.ts";
import { scratch } from "../../support/scratch.ts";

let root: string;

/** As a person or a client writes a note: nothing says what it contradicts. */
function write(file: string, statement: string, day: string, more = ""): void {
  const metadata = `metadata:\n  type: project\n  created: ${day}T12:00:00.000Z\n${more}`;
  fs.writeFileSync(
    `${root}/notes/${file}`,
    `---\nname: ${file.replace(".md", "")}\ndescription: ${statement}\n${metadata}---\n\n${statement}.\n`,
  );
}

beforeEach(() => {
  root = scratch();
  fs.mkdirSync(`${root}/notes`);
  for (const thing of ["mailer", "search", "ledger", "archive"])
    write(`${thing}.md`, `The ${thing} is looked after by Ann`, "2026-01-05");
});

function recalled(prompt: string): { readonly files: readonly string[]; readonly text: string } {
  const workspace = openWorkspace(locate({ dir: `${root}/notes`, environment: emptyHome(root) }));
  try {
    const outcome = recallNotes(workspace, prompt);
    return {
      files: [...outcome.selected, ...outcome.pointed].map(({ file }) => file),
      text: renderOutcome(workspace.clock, outcome).text,
    };
  } finally {
    workspace.close();
  }
}

const PROMPT = "which port does the importer service listen on?";

it("the newer of two notes that contradict one another comes first and says so, whoever wrote them", () => {
  write("old.md", "The importer service listens on port 4017", "2026-01-12");
  write("young.md", "The importer service listens on port 4250", "2026-02-02");
  const { files, text } = recalled(PROMPT);
  expect(files).toEqual(["young.md", "old.md"]);
  expect(text).toContain("It contradicts old.md, which is older; nobody has settled which holds.");
  expect(text).toContain("The newer young.md contradicts it; nobody has settled which holds.");
});

it("what a person said of the two stands: both hold, or one replaced the other", () => {
  write("old.md", "The importer service listens on port 4017", "2026-01-12");
  write("young.md", "The importer service listens on port 4250", "2026-02-02", "  agreesWith: old.md\n");
  const both = recalled(PROMPT);
  expect(both.files.toSorted()).toEqual(["old.md", "young.md"]);
  expect(both.text).not.toContain("contradicts");
  write("old.md", "The importer service listens on port 4017", "2026-01-12", "  supersededBy: young\n");
  const replaced = recalled(PROMPT);
  expect(replaced.files).toEqual(["young.md"]);
  expect(replaced.text).not.toContain("contradicts");
});

it("notes about different things contradict nothing", () => {
  write("importer.md", "The importer service listens on port 4017", "2026-01-12");
  write("exporter.md", "The exporter service listens on port 4250", "2026-02-02");
  const { files, text } = recalled("which port do the importer service and the exporter service listen on?");
  expect(files.toSorted()).toEqual(["exporter.md", "importer.md"]);
  expect(text).not.toContain("contradicts");
});
