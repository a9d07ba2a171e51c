/**
 * Whether a tag may become a release: every file with a version has this one, and the changelog has a section for it.
 * Prints that section. Usage: node scripts/release.mjs TAG
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isMain } from "./gates/report.mjs";

/** The changelog's text about a version, or `undefined` if it has no dated section. */
export function sectionOf(changelog, version) {
  const sections = changelog.split(/^(?=## )/mu);
  const head = `## [${version}] - `;
  const found = sections.find((one) => one.startsWith(head) && /^\d{4}-\d\d-\d\d\n/u.test(one.slice(head.length)));
  return found?.slice(found.indexOf("\n")).trim();
}

/** @returns what forbids a release of this tag, one line each */
export function problemsOf(tag, { manifest, lock, server, changelog }) {
  const { version } = manifest;
  const versions = {
    "package-lock.json": lock.version,
    "server.json": server.version,
    "server.json, packages": server.packages[0]?.version,
  };
  return [
    ...(tag === `v${version}` ? [] : [`the tag is ${tag}, package.json says ${version}`]),
    ...Object.entries(versions)
      .filter(([, other]) => other !== version)
      .map(([file, other]) => `${file} says ${other}, package.json ${version}`),
    ...(sectionOf(changelog, version) ? [] : [`CHANGELOG.md has no section "## [${version}] - DATE" with text`]),
  ];
}

if (isMain(import.meta.url)) {
  const read = (file) => readFileSync(join(import.meta.dirname, "..", file), "utf8");
  const [manifest, lock, server] = ["package.json", "package-lock.json", "server.json"].map((file) =>
    JSON.parse(read(file)),
  );
  const changelog = read("CHANGELOG.md");
  const problems = problemsOf(process.argv[2] ?? "", { manifest, lock, server, changelog });
  if (problems.length === 0) process.stdout.write(`${sectionOf(changelog, manifest.version)}\n`);
  else {
    process.stderr.write(`${problems.join("\n")}\n`);
    process.exitCode = 1;
  }
}
