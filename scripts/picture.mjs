/**
 * `npm run picture`: draws docs/session.svg, the output of `npm start`, from a real run in a scratch home. Long parts
 * are cut and marked as cut; nothing else is changed.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { COMMAND, ensureBuild, ROOT } from "./ensure-build.mjs";

const COLUMNS = 100;
const LINE_HEIGHT = 18;
const CHARACTER_WIDTH = 7.8;
const MARGIN = 16;
/** The number of lines drawn of each numbered part. */
const PART_LINES = [2, 8, 4, 7];

/** The command's output, without the directory of this run. */
function run() {
  const home = mkdtempSync(join(tmpdir(), "memdir-picture-"));
  try {
    const environment = { HOME: home, PATH: process.env.PATH, NO_COLOR: "1" };
    const printed = execFileSync(process.execPath, [COMMAND, "demo"], { env: environment, encoding: "utf8" });
    return printed.replaceAll(/\S*\/memdir-[A-Za-z0-9]{6}/gu, "~/scratch");
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** The lines to draw: the beginning of each part. */
export function partsOf(printed) {
  const parts = printed.trim().split(/\n(?=\d\. |…|\d… )/u);
  return parts.slice(0, PART_LINES.length).flatMap((part, at) => {
    const lines = part.split("\n").filter((line) => line.trim() !== "");
    const kept = lines.slice(0, PART_LINES[at]);
    return [...kept, ...(kept.length < lines.length ? ["  […]"] : []), ""];
  });
}

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

export function draw(lines) {
  const width = Math.ceil(COLUMNS * CHARACTER_WIDTH) + 2 * MARGIN;
  const height = (lines.length + 2) * LINE_HEIGHT + 2 * MARGIN;
  const shown = ["$ npm start", "", ...lines].map((line, at) => {
    const text = line.length > COLUMNS ? `${line.slice(0, COLUMNS - 1)}…` : line;
    const style = /^(?:\$|\d)/u.test(text) ? ' class="head"' : "";
    return `  <text x="${MARGIN}" y="${MARGIN + (at + 1) * LINE_HEIGHT}"${style} xml:space="preserve">${escaped(text)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="What npm start prints: a session goes in, notes come out, the next session starts with them">
  <style>
    rect { fill: #10141b; }
    text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #d6dde6; }
    .head { fill: #7fd1b9; font-weight: 600; }
  </style>
  <rect width="${width}" height="${height}" rx="8"/>
${shown.join("\n")}
</svg>
`;
}

if (process.argv[1] === import.meta.filename) {
  await ensureBuild();
  writeFileSync(join(ROOT, "docs", "session.svg"), draw(partsOf(run())));
}
