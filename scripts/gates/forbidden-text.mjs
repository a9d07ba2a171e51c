/**
 * Text that must not enter the repository: paths of a developer's machine, package registries, e-mail addresses, and
 * anything shaped like a secret. Usage: node scripts/gates/forbidden-text.mjs [ROOT]
 */
import { execFileSync } from "node:child_process";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { FAKE_TOKEN } from "../demo/session-script.mjs";
import { listFiles, readText } from "./files.mjs";
import { isMain, report } from "./report.mjs";

/** Invented people: examples and tests need some absolute paths. */
const EXAMPLE_PEOPLE = "dev|user|you|me|jane|jan|ann|anna|alice|bob|sam|Jan%C3%A9|Jané";
/** Addresses in domains reserved for examples, and the user part of git's SSH addresses. */
const EXAMPLE_MAIL = /@(?:[\w-]+\.)*(?:example(?:\.(?:com|org|net))?|test|invalid|localhost)$|^git@/iu;

/** Not part of a longer path, word or address. */
const START = String.raw`(?<![\w.~/\\-])`;

const RULES = [
  { rule: "machine-path", pattern: new RegExp(`${START}/(?:work|tmp|root|mnt|var/folders)/[\\w.-]+`, "gu") },
  {
    rule: "machine-path",
    pattern: new RegExp(`${START}/(?:home|Users)/(?!(?:${EXAMPLE_PEOPLE})(?![\\w-]))[\\w.-]+`, "gu"),
  },
  {
    rule: "machine-path",
    pattern: new RegExp(`[A-Za-z]:\\\\+Users\\\\+(?!(?:${EXAMPLE_PEOPLE})(?![\\w-]))[\\w.-]+`, "gu"),
  },
  {
    rule: "registry-host",
    pattern: /\bregistry\.[\w.-]+\.[a-z]{2,}|\b(?:npm|pkg)\.(?:pkg\.)?(?:github|jsr)\.(?:com|io)\b/giu,
  },
  { rule: "e-mail", pattern: /(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\b/giu, allow: EXAMPLE_MAIL },
  { rule: "secret", pattern: /\b(?:gh[opsur]_|npm_)[A-Za-z0-9]{36}/gu },
  { rule: "secret", pattern: /\bgithub_pat_\w{22,}|\bglpat-[\w-]{20,}|\bxox[abeoprs]-[\w-]{10,}/gu },
  { rule: "secret", pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[\w-]{35}/gu },
  { rule: "secret", pattern: /\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{24,}|\b[rs]k_live_[A-Za-z0-9]{16,}/gu },
  { rule: "secret", pattern: /-{5}BEGIN (?:[A-Z]+ )*PRIVATE KEY-{5}/gu },
  { rule: "secret", pattern: /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/gu },
];

/** The one exception: the demo session contains one invented token, to show that memory refuses it. */
const EXEMPT = [{ path: "demo/session.jsonl", rule: "secret", text: FAKE_TOKEN }];

function isExempt(finding) {
  return EXEMPT.some(({ path, rule, text }) => path === finding.path && rule === finding.rule && text === finding.text);
}

const EXAMPLE_PATH = new RegExp(`^/(?:home|Users)/(?:${EXAMPLE_PEOPLE})(?:/|$)`, "u");

/** The names of this machine: a path that the general patterns do not match would still leak. */
export function localRules(values) {
  return values
    .filter(({ text }) => text.length > 4 && !EXAMPLE_PATH.test(text))
    .map(({ rule, text }) => {
      const literal = text.replace(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`);
      return { rule, pattern: new RegExp(`${START}${literal}`, "gu") };
    });
}

/** Findings for one text. Only the first characters of a match are shown, because it may be a secret. */
export function scan(path, text, rules = RULES) {
  const findings = [];
  for (const { rule, pattern, allow } of rules) {
    for (const match of text.matchAll(pattern)) {
      if (allow?.test(match[0]) === true || isExempt({ path, rule, text: match[0] })) continue;
      const line = text.slice(0, match.index).split("\n").length;
      findings.push({ rule, path, line, message: `${match[0].slice(0, 12)}…` });
    }
  }
  return findings;
}

let knownRegistryHost;

/** Asked of npm only once, because the answer takes a third of a second. */
function registryHost() {
  knownRegistryHost ??= askRegistryHost();
  return knownRegistryHost;
}

function askRegistryHost() {
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const url = execFileSync(npm, ["config", "get", "registry"], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return URL.canParse(url.trim()) ? new URL(url.trim()).host : "";
}

function rulesOfThisMachine(root) {
  return localRules([
    { rule: "machine-path", text: root },
    { rule: "machine-path", text: `${dirname(root)}/` },
    { rule: "machine-path", text: `${homedir()}/` },
    { rule: "machine-path", text: `${tmpdir()}/` },
    { rule: "registry-host", text: registryHost() },
  ]);
}

export function checkText(root) {
  const rules = [...RULES, ...rulesOfThisMachine(root)];
  const paths = listFiles(root);
  const findings = paths.flatMap((path) => {
    const text = readText(join(root, path));
    return text === undefined ? [] : scan(path, text, rules);
  });
  return { checked: paths.length, findings };
}

if (isMain(import.meta.url)) process.exitCode = report("forbidden text", checkText(process.argv[2] ?? process.cwd()));
