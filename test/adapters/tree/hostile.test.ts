import fs from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { newRepository, type Repository } from "../../support/git-repository.ts";
import { filesBelow, scratch } from "../../support/scratch.ts";
import { treeOf, verdicts } from "./tree.ts";

const NOTE =
  "See `src/a.ts`, `src/b.ts`, `src/c.ts`, `wasHere()`, `neverWas()`, `stillHere()` and `--some-flag`. Run `npm run lint`. It depends on `left-pad`. Work is on branch `feature/x1`.";

let scratchRoot: string;
let repository: Repository;
let marker: string;

beforeEach(() => {
  scratchRoot = scratch();
  marker = `${scratchRoot}/ran`;
  repository = newRepository(`${scratchRoot}/orders`);
  repository.write("package.json", '{"scripts":{"test":"x"},"dependencies":{"left-pad":"1"}}\n');
  repository.write("src/a.ts", "wasHere()\n");
  repository.write("src/b.ts", "stillHere()\n");
  repository.write("src/c.ts", "other\n");
  repository.commit();
  repository.write("package.json", '{"scripts":{"test":"x"}}\n');
  repository.git("mv", "src/c.ts", "src/d.ts");
  repository.git("rm", "--quiet", "src/a.ts");
  repository.commit();
});

/** A program that leaves the marker; git may call it in any way. */
function trap(): string {
  const file = `${scratchRoot}/trap.sh`;
  fs.writeFileSync(file, `#!/bin/sh\ntouch '${marker}'\ncat 2>/dev/null\n`, { mode: 0o755 });
  return `'${file}'`;
}

describe("a hostile repository", () => {
  it("runs nothing: no monitor, pager, driver, filter, hook, alias, signature check or transport", () => {
    const run = trap();
    const plain = run.slice(1, -1);
    const settings: Readonly<Record<string, string>> = {
      "core.fsmonitor": run,
      "core.pager": run,
      "pager.log": run,
      "pager.grep": run,
      "diff.external": run,
      "diff.evil.textconv": run,
      "diff.evil.command": run,
      "filter.evil.clean": run,
      "filter.evil.smudge": run,
      "filter.evil.process": run,
      "core.sshCommand": run,
      "core.editor": run,
      "core.askPass": plain,
      "core.hooksPath": `${scratchRoot}/hooks`,
      "core.gitProxy": run,
      "gpg.program": plain,
      "log.showSignature": "true",
      "credential.helper": `!${run}`,
      "alias.log": `!${run}`,
      "alias.grep": `!${run}`,
      "alias.ls-files": `!${run}`,
      "core.alternateRefsCommand": run,
      "interactive.diffFilter": run,
      "extensions.partialClone": "origin",
      "remote.origin.url": `ext::sh -c ${run}`,
      "remote.origin.promisor": "true",
      "protocol.ext.allow": "always",
      "uploadpack.packObjectsHook": run,
      "core.worktree": scratchRoot,
      "include.path": `${scratchRoot}/more`,
    };
    fs.writeFileSync(`${scratchRoot}/more`, `[core]\n\tfsmonitor = "${run}"\n`);
    fs.mkdirSync(`${scratchRoot}/hooks`);
    for (const hook of [
      "post-index-change",
      "post-checkout",
      "reference-transaction",
      "pre-auto-gc",
      "fsmonitor-watchman",
    ]) {
      fs.copyFileSync(plain, `${scratchRoot}/hooks/${hook}`);
      fs.copyFileSync(plain, `${repository.root}/.git/hooks/${hook}`);
    }
    repository.write(".gitattributes", "* diff=evil filter=evil text\n");
    repository.write(".git/info/attributes", "* diff=evil filter=evil\n");
    fs.rmSync(`${repository.root}/src/d.ts`);
    for (const [key, value] of Object.entries(settings))
      fs.appendFileSync(`${repository.root}/.git/config`, section(key, value));
    const environment = {
      ...process.env,
      GIT_EXTERNAL_DIFF: plain,
      GIT_PAGER: plain,
      GIT_SSH_COMMAND: plain,
      PAGER: plain,
    };
    const facts = treeOf(repository.root, `${scratchRoot}/home`, environment).ask(
      {
        paths: ["src/a.ts", "src/c.ts", "src/d.ts"],
        words: ["wasHere", "neverWas", "stillHere"],
        scripts: ["lint"],
        packages: ["left-pad"],
        branches: ["feature/x1"],
      },
      20_000,
    );
    expect(fs.existsSync(marker)).toBe(false);
    expect([
      facts.paths.get("src/a.ts")?.state,
      facts.paths.get("src/d.ts")?.state,
      facts.words.get("wasHere")?.state,
      facts.words.get("stillHere")?.state,
      facts.packages.get("left-pad")?.state,
    ]).toEqual(["deleted", "deleted", "former", "here", "former"]);
  });

  it("would run the trap if git were asked in the usual way, so the trap is a trap", () => {
    const run = trap();
    fs.appendFileSync(`${repository.root}/.git/config`, section("core.fsmonitor", run));
    repository.git("status");
    expect(fs.existsSync(marker)).toBe(true);
  });

  it("never fetches: what is missing stays unchecked", () => {
    for (const file of fs.readdirSync(`${repository.root}/.git/objects`, { recursive: true, encoding: "utf8" })) {
      const object = `${repository.root}/.git/objects/${file}`;
      if (/^[0-9a-f]{2}\//u.test(file)) fs.rmSync(object);
    }
    expect(verdicts(NOTE, repository.root, `${scratchRoot}/home`)).toMatchObject({
      "src/a.ts": "unchecked",
      "src/b.ts": "holds",
    });
  });

  it("leads nowhere through its .git file or its refs", () => {
    const other = `${scratchRoot}/odd`;
    fs.mkdirSync(`${other}/.git/refs/heads`, { recursive: true });
    fs.writeFileSync(`${other}/.git/HEAD`, "ref: refs/../../../orders/.git/HEAD\n");
    expect(verdicts(NOTE, other, `${scratchRoot}/home`)["src/a.ts"]).toBe("unchecked");
    fs.rmSync(`${other}/.git`, { recursive: true });
    fs.writeFileSync(`${other}/.git`, "gitdir: /dev/null\n");
    expect(verdicts(NOTE, other, `${scratchRoot}/home`)["src/a.ts"]).toBe("unchecked");
  });

  it("is not touched by looking at it", () => {
    const before = filesBelow(repository.root);
    verdicts(NOTE, repository.root, `${scratchRoot}/home`);
    expect(filesBelow(repository.root)).toEqual(before);
  });
});

function section(key: string, value: string): string {
  const parts = key.split(".");
  const name = parts.length > 2 ? `${parts[0] ?? ""} "${parts.slice(1, -1).join(".")}"` : (parts[0] ?? "");
  return `[${name}]\n\t${parts.at(-1) ?? ""} = "${value.replace(/["\\]/gu, String.raw`\$&`)}"\n`;
}
