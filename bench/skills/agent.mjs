import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

export const CHECK = "scripts/check.sh";
/** After this many calls without success the agent gives up. */
const MOST_CALLS = 40;

/** A checkout of a family's repository with real scripts. */
export function makeRepository(directory, family) {
  const put = (file, text, mode = 0o644) => {
    const at = path.join(directory, file);
    fs.mkdirSync(path.dirname(at), { recursive: true });
    fs.writeFileSync(at, text, { mode });
  };
  put(family.file, "first\n");
  const target = `target=$(cat ${family.file})`;
  const script = (file, lines) =>
    put(file, ["#!/bin/sh", 'cd "$(dirname "$0")/.."', target, ...lines, ""].join("\n"), 0o755);
  for (const [at, step] of family.steps.entries()) {
    const words = step.split(" ").filter((word) => !word.includes("="));
    const variable = family.needs?.[words[0]];
    script(words[0], [
      ...(at === 0
        ? []
        : [`[ "$(cat .work/${at} 2>/dev/null)" = "$target" ] || { echo "error: out of date" >&2; exit 1; }`]),
      ...(words.length > 1 ? ['[ "$1" = "$target" ] || { echo "error: unknown value" >&2; exit 2; }'] : []),
      ...(variable === undefined
        ? []
        : [`[ -n "$${variable}" ] || { echo "error: ${variable} is required" >&2; exit 3; }`]),
      `mkdir -p .work && echo "$target" > .work/${at + 1} && echo done`,
    ]);
  }
  for (const { script: file, does } of family.others)
    script(file, does === "fails" ? ['echo "error: not configured" >&2', "exit 1"] : ["echo up to date"]);
  script(CHECK, [
    `[ "$(cat .work/${family.steps.length} 2>/dev/null)" = "$target" ] || { echo "1 failed"; exit 1; }`,
    "echo 1 passed",
  ]);
  return directory;
}

/** One call after another in a checkout, recorded for the transcript. */
export function openHands(directory) {
  const calls = [];
  const tired = () => calls.length >= MOST_CALLS;
  return {
    calls,
    tired,
    read(file, text) {
      calls.push({ read: file, output: text });
      return text;
    },
    edit(file, text) {
      fs.writeFileSync(path.join(directory, file), text);
      calls.push({ edit: path.join(directory, file) });
    },
    /** Whether it succeeded. */
    run(command, output) {
      const ran =
        output === undefined
          ? spawnSync("sh", ["-c", command], { cwd: directory, encoding: "utf8", env: { PATH: process.env.PATH } })
          : { status: 0, stdout: output, stderr: "" };
      calls.push({ command, output: `${ran.stdout}${ran.stderr}`, failed: ran.status !== 0 });
      return ran.status === 0;
    },
  };
}

/**
 * Tries the obvious commands in order, three times, with the check after each that succeeded. A form of a command is
 * not tried again once another form has worked.
 */
function explore(hands, { obvious, check = CHECK }, value) {
  const worked = new Map();
  for (const command of [...obvious, ...obvious, ...obvious]) {
    if (hands.tired()) return false;
    const program = /scripts\/\S+/u.exec(command)?.[0];
    if ((worked.get(program) ?? command) !== command) continue;
    if (!hands.run(filled(command, value))) continue;
    worked.set(program, command);
    if (hands.run(check)) return true;
  }
  return false;
}

/**
 * Does a task: the edit, then the steps of the skill that it was offered, then the obvious commands. An agent that
 * trusts the skill's check stops when that passes; others also run the task's own check.
 */
export function doTask(hands, family, value, { skill, trusts = false } = {}) {
  const { check = CHECK } = family;
  if (skill !== undefined) skill.load(hands);
  hands.edit(family.file, `${value}\n`);
  if (skill !== undefined) {
    for (const command of skill.commands) hands.run(filled(command, value));
    const own = skill.check === undefined ? false : hands.run(filled(skill.check, value));
    if (own && (skill.check === check || trusts)) return skill.check === check;
    if (skill.check !== check && hands.run(check)) return true;
  } else if (hands.run(check)) return true;
  return explore(hands, family, value);
}

function filled(command, value) {
  return command.replaceAll("VALUE", value).replace(/<\w+>/gu, value);
}
