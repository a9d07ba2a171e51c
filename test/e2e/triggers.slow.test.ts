import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { captureStatus } from "../../src/app/background/capture-status.ts";
import { locate } from "../../src/app/workspace/locations.ts";
import { emptyHome, homeOf } from "../support/cli.ts";
import { until } from "../support/fake-agent.ts";
import { scratch } from "../support/scratch.ts";

const DIST = fileURLToPath(new URL("../../dist/", import.meta.url));
const MINUTE = 60_000;

let root: string;
let project: string;
let environment: Record<string, string | undefined>;

beforeEach(() => {
  root = scratch();
  project = `${homeOf(root)}/project`;
  environment = { ...emptyHome(root), MEMDIR_RECALL_LOG: "text" };
  fs.mkdirSync(path.join(project, ".git"), { recursive: true });
});

function memdir(...args: readonly string[]): string {
  return execFileSync(process.execPath, [path.join(DIST, "memdir.cjs"), ...args], {
    cwd: project,
    env: environment,
    encoding: "utf8",
  });
}

function hook(session: string, event: object, client = "claude-code"): string {
  const { stdout } = spawnSync(process.execPath, [path.join(DIST, "hook.cjs"), client], {
    env: environment,
    input: JSON.stringify({
      session_id: session,
      cwd: project,
      transcript_path: path.join(root, `${session}.jsonl`),
      ...event,
    }),
    encoding: "utf8",
  });
  return stdout === "" ? "" : (JSON.parse(stdout).hookSpecificOutput?.additionalContext ?? "");
}

const calling = (tool_name: string, tool_input: object, hook_event_name = "PreToolUse"): object => ({
  hook_event_name,
  tool_name,
  tool_input,
});

/** A session starts; what its notes are brought up by is known afterwards. */
async function started(session: string): Promise<void> {
  hook(session, { hook_event_name: "SessionStart", source: "startup" });
  const status = (): ReturnType<typeof captureStatus> => captureStatus(locate({ cwd: project, environment }));
  await until(() => status().pending === 0 && status().worker === undefined, 40_000);
}

function noted(): void {
  memdir("remember", "Rotate the keys of src/billing/ledger.ts only with Ana.", "--type", "project", "--name", "keys");
  memdir(
    "remember",
    "Run the smoke tests before `git push`, because the CI skips them.",
    "--type",
    "feedback",
    "--name",
    "smoke",
  );
}

describe("a note that names what the agent touches", () => {
  it("is given in one line, once a session, and why tells of it", { timeout: 2 * MINUTE }, async () => {
    noted();
    await started("scan");
    const edit = calling("Edit", { file_path: `${project}/src/billing/ledger.ts` });
    expect(hook("a", calling("Read", { file_path: `${project}/src/other.ts` }))).toBe("");
    const given = hook("a", edit);
    expect(given).toContain("project_keys.md: Rotate the keys");
    expect(given).not.toContain("smoke");
    expect(hook("a", edit)).toBe("");
    expect(hook("a", calling("Bash", { command: "git status" }))).toBe("");
    expect(hook("a", calling("Bash", { command: "cd src && git push --force origin main" }))).toContain("smoke");
    expect(hook("b", edit)).toContain("Rotate the keys");
    hook("a", { hook_event_name: "UserPromptSubmit", prompt: "what about the smoke tests of the billing ledger" });
    expect(memdir("why", "--last").replaceAll(/\s+/gu, " ")).toContain(
      "brought up a line of project_keys.md, feedback_smoke.md",
    );
  });

  it("is given for a glob, a folder and a bare name that one file has", { timeout: 2 * MINUTE }, async () => {
    fs.rmSync(path.join(project, ".git"), { recursive: true });
    execFileSync("git", ["init", "-q"], { cwd: project, env: environment });
    for (const file of ["Makefile", "a/run.sh", "b/run.sh", "c/run.sh", "d/run.sh"]) {
      fs.mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
      fs.writeFileSync(path.join(project, file), "x");
    }
    const notes = {
      glob: "Files like *.proto are made by the schema team.",
      folder: "Never edit `migrations/`, add a new step.",
      bare: "The Makefile is made from the pipeline.",
      many: "Each run.sh needs the staging token.",
    };
    for (const [name, text] of Object.entries(notes)) memdir("remember", text, "--type", "project", "--name", name);
    await started("scan");
    const read = (file: string): string => hook("a", calling("Read", { file_path: `${project}/${file}` }));
    expect(read("api/v1/orders.proto")).toContain("project_glob.md");
    expect(read("migrations/0001.sql")).toContain("project_folder.md");
    expect(read("Makefile")).toContain("project_bare.md");
    expect(read("a/run.sh")).toBe("");
  });

  it("is given after the call in Gemini CLI, which takes nothing before it", { timeout: 2 * MINUTE }, async () => {
    noted();
    await started("scan");
    const input = { command: "git push" };
    expect(hook("a", calling("run_shell_command", input, "BeforeTool"), "gemini")).toBe("");
    expect(hook("a", calling("run_shell_command", input, "AfterTool"), "gemini")).toContain("smoke");
  });

  it("is given by a pattern of its own, and not once it was removed or changed", { timeout: 2 * MINUTE }, async () => {
    noted();
    const { stores } = locate({ cwd: project, environment });
    const directory = stores[0]?.directory ?? "";
    fs.writeFileSync(
      path.join(directory, "deploys.md"),
      "---\nname: deploys\ndescription: Deploys wait for the release captain\nmetadata:\n  type: project\n  when: { tool: Bash, pattern: 'kubectl +apply' }\n---\n\nAsk in the channel.\n",
    );
    await started("scan");
    expect(hook("a", calling("Bash", { command: "kubectl apply -f x.yaml" }))).toContain("release captain");
    fs.appendFileSync(path.join(directory, "deploys.md"), "More.\n");
    expect(hook("b", calling("Bash", { command: "kubectl apply -f x.yaml" }))).toBe("");
    memdir("remove", "keys");
    expect(hook("b", calling("Read", { file_path: `${project}/src/billing/ledger.ts` }))).toBe("");
  });

  it(
    "is given although the session started with its line, but not where a prompt brought the note",
    { timeout: 2 * MINUTE },
    async () => {
      noted();
      await started("a");
      const edit = calling("Edit", { file_path: `${project}/src/billing/ledger.ts` });
      expect(hook("a", edit)).toContain("Rotate the keys");
      expect(hook("a", edit)).toBe("");
      const asked = { hook_event_name: "UserPromptSubmit", prompt: "rotate the keys of the billing ledger with Ana" };
      expect(hook("b", edit)).toContain("Rotate the keys");
      expect(hook("b", asked)).not.toContain("Rotate the keys");
      expect(hook("c", asked)).toContain("Rotate the keys");
      expect(hook("c", edit)).toBe("");
      memdir("edit", "keys", "--description", "Keys of src/billing/ledger.ts need Ana and Tom");
      await started("d");
      expect(hook("d", edit)).toContain("Ana and Tom");
    },
  );
});
