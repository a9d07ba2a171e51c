import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { AGENTS, goneMark, hookCommand } from "../../../src/core/install/agents.ts";
import { scratch } from "../../support/scratch.ts";

const SHELLS = ["sh", "bash", "dash", "zsh", "fish"].filter(
  (shell) => spawnSync(shell, ["-c", "exit 0"]).error === undefined,
);

interface Hooked {
  readonly home: string;
  readonly node: string;
  readonly hook: string;
  run(
    shell: string,
    client?: (typeof AGENTS)[number],
  ): { readonly code: number | null; readonly out: string; readonly err: string };
}

/** A hook that prints what it was told, in a path that is quoted wrongly sooner or later. */
function hooked(): Hooked {
  const root = scratch();
  const [home, hook] = [path.join(root, "home"), path.join(root, `it's "so"`, "hook.cjs")];
  const node = path.join(root, "node");
  fs.mkdirSync(home);
  fs.mkdirSync(path.dirname(hook));
  fs.symlinkSync(process.execPath, node);
  fs.writeFileSync(
    hook,
    'const { hook_event_name: event } = JSON.parse(require("node:fs").readFileSync(0, "utf8")); console.log(process.argv[2], event); process.exit(event === "fails" ? 3 : 0);',
  );
  return {
    home,
    node,
    hook,
    run: (shell, client = "codex") => {
      const { status, stdout, stderr } = spawnSync(shell, ["-c", hookCommand({ node, hook }, client)], {
        input: '{"hook_event_name":"Stop"}',
        // Without a locale, fish finds no home whose path has letters outside ASCII.
        env: { HOME: home, PATH: process.env["PATH"], LANG: "C.UTF-8" },
        encoding: "utf8",
      });
      return { code: status, out: stdout, err: stderr };
    },
  };
}

describe("the hook command as a guard", () => {
  it.each(SHELLS)("runs memdir where it is, in %s, with the event on its standard input", (shell) => {
    expect(hooked().run(shell)).toEqual({ code: 0, out: "codex Stop\n", err: "" });
  });

  it.each(SHELLS)(
    "tells a person once a client, in %s, and is silent from then on, when memdir or Node is gone",
    (shell) => {
      for (const gone of ["node", "hook"] as const) {
        const ground = hooked();
        fs.rmSync(ground[gone]);
        for (const client of AGENTS) {
          const first = ground.run(shell, client);
          expect(first).toMatchObject({ code: 0, err: "" });
          expect(JSON.parse(first.out)).toEqual({ systemMessage: expect.stringContaining("memdir install") });
          expect(fs.readdirSync(path.join(ground.home, ".memdir"))).toContain(goneMark(client));
          expect(ground.run(shell, client)).toEqual({ code: 0, out: "", err: "" });
        }
      }
    },
  );

  it("is silent where not even that can be remembered", () => {
    const ground = hooked();
    fs.rmSync(ground.hook);
    fs.writeFileSync(path.join(ground.home, ".memdir"), "not a folder");
    expect(ground.run("sh")).toEqual({ code: 0, out: "", err: "" });
  });
});
