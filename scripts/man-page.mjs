/** Writes the manual page, `man memdir`, from the catalogue of commands */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Exit codes in the words of the help; `memdir help` ends with the same text. */
const EXIT_CODES = [
  ["0", "done"],
  ["1", "failed"],
  ["2", "wrong usage"],
  ["3", "not found"],
  ["4", "refused (a secret, hidden text)"],
  ["5", "conflict"],
  ["6", "store busy, read-only or full"],
  ["130", "interrupted"],
];

/** Escapes text so that the formatter reads no letter of it as a command. Letters beyond ASCII are given by number. */
export function roff(text) {
  return text
    .replaceAll("\\", String.raw`\e`)
    .replaceAll("-", String.raw`\-`)
    .replace(/^(?=[.'])/gmu, String.raw`\&`)
    .replace(/[^\p{ASCII}]/gu, (letter) => `\\[u${letter.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}]`);
}

function paragraph(text) {
  return `.PP\n${roff(text.trim())}`;
}

function item(head, text) {
  return `.TP\n${head}\n${roff(text)}`;
}

function optionItem([name, { type, value, summary }]) {
  const taken = type === "string" ? String.raw` \fI${roff(value ?? "VALUE")}\fR` : "";
  return item(String.raw`\fB${roff(`--${name}`)}\fR${taken}`, summary);
}

function commandSection({ name, aliases, usage, summary, details, options, examples }) {
  return [
    String.raw`.SS ${roff([name, ...(aliases ?? [])].join(", "))}`,
    String.raw`\fBmemdir ${roff(name)}\fR ${roff(usage)}`.trimEnd(),
    paragraph(`${summary[0].toUpperCase()}${summary.slice(1)}.`),
    ...(details === undefined ? [] : [paragraph(details)]),
    ...Object.entries(options).map(optionItem),
    ...examples.map(
      ([command, meaning]) =>
        `.PP\n.RS 4\n.nf\n${roff(command)}${meaning === "" ? "" : `  # ${roff(meaning)}`}\n.fi\n.RE`,
    ),
  ].join("\n");
}

/** The whole page; `date` is the day of the release. */
export function manPage({ commands, common, version, description, date }) {
  return `${[
    `.TH MEMDIR 1 "${date}" "memdir ${version}" "User Commands"`,
    `.SH NAME\nmemdir \\- ${roff(description.replace(/\.$/u, ""))}`,
    String.raw`.SH SYNOPSIS` +
      "\n" +
      String.raw`\fBmemdir\fR \fICOMMAND\fR [\fIARGUMENTS\fR] [\fB\-\-dir\fR \fIDIR\fR] [\fB\-\-json\fR]`,
    ".SH DESCRIPTION",
    roff("Notes are Markdown files that you can read and edit. `memdir demo` shows memdir at work."),
    ".SH COMMANDS",
    ...commands.map(commandSection),
    ".SH OPTIONS OF EVERY COMMAND",
    ...Object.entries(common).map(optionItem),
    ".SH EXIT STATUS",
    ...EXIT_CODES.map(([code, meaning]) => item(String.raw`\fB${code}\fR`, meaning)),
  ].join("\n")}\n`;
}

/** The day of the newest release in the changelog, so that two builds of one version are the same. */
function releaseDate(root) {
  const [, date] =
    /^## \[\d[^\]]*\] - (\d{4}-\d{2}-\d{2})/mu.exec(readFileSync(join(root, "CHANGELOG.md"), "utf8")) ?? [];
  return date ?? "";
}

/** @param {string} dist a finished build of the project at `root` */
export async function writeManPage(root, dist) {
  const { COMMANDS, COMMON_OPTIONS } = await import(pathToFileURL(join(dist, "surfaces", "cli", "catalogue.js")).href);
  const { version, description } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const page = manPage({ commands: COMMANDS, common: COMMON_OPTIONS, version, description, date: releaseDate(root) });
  writeFileSync(join(dist, "memdir.1"), page);
}
