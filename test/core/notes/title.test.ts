import { describe, expect, it } from "vitest";
import { generateIndex } from "../../../src/core/notes/index-file.ts";
import { newNoteFile } from "../../../src/core/notes/names.ts";
import { beyondTitle, describeBeside, titleOf } from "../../../src/core/notes/title.ts";

function indexLine(prose: string): string {
  const name = titleOf(prose);
  const note = { file: newNoteFile("feedback", name, () => false), name, description: describeBeside(name, prose) };
  return generateIndex(undefined, [note], 1, () => false).content.split("\n")[1] ?? "";
}

describe("the name of a note that nobody named", () => {
  it.each([
    ["a short text, whole", "Merge freeze starts Thursday", "Merge freeze starts Thursday"],
    [
      "the first sentence",
      "Use pnpm, never npm. The lock file of npm breaks the build of the docs.",
      "Use pnpm, never npm",
    ],
    [
      "the first sentence, beyond an abbreviation",
      "Deploys go to Qux Inc. in Oslo, e.g. by 5 p.m. on Fridays. The account of the old host is closed since the summer.",
      "Deploys go to Qux Inc. in Oslo, e.g. by 5 p.m. on Fridays",
    ],
    [
      "the main clause",
      "Make a git commit right after each task, because the nightly build measures every commit on its own",
      "Make a git commit right after each task",
    ],
    [
      "whole words, without an end that hangs in the air",
      "Never run kubectl apply by hand in the production cluster of the payments team",
      "Never run kubectl apply by hand",
    ],
    [
      "no negation without what it denies",
      "Deployments of the billing service on a Friday must not start before the on-call engineer agrees",
      "Deployments of the billing service on a Friday",
    ],
    [
      "an address, cut at one of its parts",
      "https://wiki.example.org/engineering/handbook/incident-response-and-escalation",
      "https://wiki.example.org/engineering/handbook",
    ],
  ])("is %s", (_, prose, name) => expect(titleOf(prose)).toBe(name));
});

describe("the description beside it", () => {
  it("says what the name does not", () => {
    const prose = "Use pnpm, never npm. The lock file of npm breaks the build of the docs.";
    expect(describeBeside(titleOf(prose), prose)).toBe("The lock file of npm breaks the build of the docs");
    const lines = "# Releases\n\nEvery release is cut from main by the bot.";
    expect(describeBeside(titleOf(lines), lines)).toBe("Every release is cut from main by the bot");
  });

  it("is the whole sentence where the name is a part of it, or where there is nothing more to say", () => {
    const prose = "Never run kubectl apply by hand in the production cluster of the payments team";
    expect(describeBeside(titleOf(prose), prose)).toBe(prose);
    expect(describeBeside("kubectl", prose)).toBe(prose);
    expect(describeBeside("Deploys on Tuesdays", "Deploys on Tuesdays")).toBe("Deploys on Tuesdays");
  });
});

describe("an index line", () => {
  it("shows after its title what the title leaves out, cut at a word", () => {
    const line = indexLine(
      "Never run kubectl apply by hand in the production cluster of the payments team, use the deploy pipeline",
    );
    expect(line).toBe(
      "- [Never run kubectl apply by hand](feedback_never_run_kubectl_apply_by_hand.md) — …in the production cluster of the payments team, use the deploy…",
    );
    expect(line.length).toBeLessThanOrEqual(150);
  });

  it("does not say its title twice", () => {
    expect(indexLine("Merge freeze starts Thursday")).toBe(
      "- [Merge freeze starts Thursday](feedback_merge_freeze_starts_thursday.md)",
    );
    expect(beyondTitle("No mocks", "Use the test container")).toBe("Use the test container");
    expect(beyondTitle("Use-pnpm", "Use pnpm in this repository")).toBe("…in this repository");
  });
});

describe("the file name of a long name", () => {
  it("ends with a whole word", () => {
    const name =
      "the order import retries every failed request of the payment provider three times with growing pauses";
    expect(newNoteFile("project", name, () => false)).toBe(
      "project_the_order_import_retries_every_failed_request_of_the_payment_provider.md",
    );
  });
});
