import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { problemsOf, sectionOf } from "../../scripts/release.mjs";
import { PROJECT } from "./tree.ts";

interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly "working-directory"?: string;
}
interface Workflow {
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[]; readonly "timeout-minutes"?: number }>>;
}

const FOLDER = join(PROJECT, ".github", "workflows");
/** What a build leaves, and where it comes from. */
const BUILT: Readonly<Record<string, string>> = { "dist/memdir.cjs": "src/bin.ts" };

function parsed(text: string): Workflow {
  const document = parseDocument(text, { strict: true });
  expect(document.errors).toEqual([]);
  return document.toJS();
}

/** Scripts and files that a step starts and that are not there. */
function missing({ run = "", "working-directory": place = "." }: Step): readonly string[] {
  const folder = join(PROJECT, place);
  if (!existsSync(join(folder, "package.json"))) return [place];
  const { scripts } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const named = [...run.matchAll(/\bnpm (?:run )?(?:-s )?(?:run )?([\w:-]+)/gu)].map(([, name]) => name ?? "");
  const npms = new Set(["ci", "pack", "publish", "sbom", "install"]);
  const files = [...run.matchAll(/\b(?:node|bash) ([\w./-]+)/gu)].map(([, file]) => file ?? "");
  return [
    ...named.filter((name) => !npms.has(name) && scripts[name] === undefined),
    ...files.filter((file) => !existsSync(join(folder, BUILT[file] ?? file))),
    ...(run.includes("npm ci") && !existsSync(join(folder, "package-lock.json")) ? ["package-lock.json"] : []),
  ];
}

describe("the workflows", () => {
  const workflows = readdirSync(FOLDER).map((file) => parsed(readFileSync(join(FOLDER, file), "utf8")));
  const jobs = workflows.flatMap((one) => Object.values(one.jobs));

  it("start scripts and files that are there", () => {
    const steps = jobs.flatMap((job) => job.steps);
    expect(steps.filter(({ run }) => run !== undefined).length).toBeGreaterThan(10);
    expect(steps.flatMap(missing)).toEqual([]);
    expect(missing({ run: "npm run nothing && node scripts/nothing.mjs" })).toEqual(["nothing", "scripts/nothing.mjs"]);
    expect(missing({ run: "npm test", "working-directory": "site" })).toEqual(["test"]);
  });

  it("read the repository and no more unless a job says so, and end", () => {
    for (const { permissions } of workflows) expect(permissions).toEqual({ contents: "read" });
    for (const job of jobs) expect(job["timeout-minutes"]).toBeLessThanOrEqual(60);
  });

  it("run on three systems and three versions of Node", () => {
    expect(parsed(readFileSync(join(FOLDER, "ci.yml"), "utf8")).jobs["everywhere"]).toMatchObject({
      strategy: { matrix: { os: ["ubuntu-latest", "macos-latest", "windows-latest"], node: [20, 22, 24] } },
    });
  });
});

describe("a release", () => {
  const changelog = "# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-01-02\n\n- New.\n\n## [1.2.2] - 2026-01-01\n";
  const files = {
    manifest: { version: "1.2.3" },
    lock: { version: "1.2.3" },
    server: { version: "1.2.3", packages: [{ version: "1.2.3" }] },
    changelog,
  };

  it("has what the changelog says of it, and one version everywhere", () => {
    expect(problemsOf("v1.2.3", files)).toEqual([]);
    expect(sectionOf(changelog, "1.2.3")).toBe("- New.");
  });

  it("is refused for another tag, another version or a changelog without it", () => {
    expect(problemsOf("v1.2.4", files)).toEqual(["the tag is v1.2.4, package.json says 1.2.3"]);
    const server = { version: "1.2.3", packages: [{ version: "1.2.2" }] };
    expect(problemsOf("v1.2.3", { ...files, server })).toHaveLength(1);
    expect(problemsOf("v1.2.3", { ...files, lock: { version: "1.2.2" } })).toHaveLength(1);
    for (const text of ["", changelog.replace(" - 2026-01-02", ""), changelog.replace("- New.", "")])
      expect(problemsOf("v1.2.3", { ...files, changelog: text })).toHaveLength(1);
  });
});
