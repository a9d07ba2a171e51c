import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { manPage } from "../../scripts/man-page.mjs";
import { COMMANDS, COMMON_OPTIONS } from "../../src/surfaces/cli/catalogue.ts";
import { EXIT } from "../../src/surfaces/cli/io.ts";

const ABOUT = { version: "1.2.3", description: "Memory as files.", date: "2026-01-02" };
const PAGE: string = manPage({ commands: COMMANDS, common: COMMON_OPTIONS, ...ABOUT });
const hasGroff = spawnSync("groff", ["--version"]).error === undefined;

/** What the formatter shows of a page, in one line, and what it complains of. */
function shown(page: string): { readonly text: string; readonly complaints: string } {
  const { stdout, stderr } = spawnSync("groff", ["-man", "-Tutf8", "-ww", "-P-cbou", "-rHY=0"], {
    input: page,
    encoding: "utf8",
  });
  return { text: stdout.replace(/\s+/gu, " "), complaints: stderr };
}

describe("the manual page", () => {
  it("has every command, option and exit code", () => {
    const text = PAGE.replaceAll(String.raw`\-`, "-");
    for (const { name, aliases, options } of COMMANDS) {
      expect(text).toContain(`.SS ${[name, ...(aliases ?? [])].join(", ")}\n`);
      for (const option of Object.keys(options)) expect(text).toContain(String.raw`\fB--${option}\fR`);
    }
    for (const code of Object.values(EXIT)) expect(text).toContain(`.TP\n\\fB${code}\\fR\n`);
    expect(text).toContain('.TH MEMDIR 1 "2026-01-02" "memdir 1.2.3"');
  });

  it.runIf(hasGroff)("is formatted without a complaint, and every summary and example can be read", () => {
    const { text, complaints } = shown(PAGE);
    expect(complaints).toBe("");
    for (const { summary, examples } of COMMANDS) {
      expect(text).toContain(summary.slice(1).replace(/\s+/gu, " "));
      for (const [example] of examples) expect(text).toContain(example.replace(/\s+/gu, " "));
    }
  });

  it.runIf(hasGroff)("shows letters that are commands to the formatter as they are", () => {
    const text = ".begin 'quoted' \\fB --flag, … “x”";
    const [command] = COMMANDS;
    if (command === undefined) throw new Error("there is no command");
    const { text: page, complaints } = shown(
      manPage({ commands: [{ ...command, details: `first\n${text}\n'last` }], common: {}, ...ABOUT }),
    );
    expect(complaints).toBe("");
    expect(page).toContain(`first ${text} 'last`);
  });
});
