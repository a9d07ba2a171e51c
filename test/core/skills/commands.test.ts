import { describe, expect, it } from "vitest";
import { pipelines } from "../../../src/adapters/shell/pipelines.ts";
import { edits, headOf, ranIn } from "../../../src/core/skills/commands.ts";
import type { ToolCall } from "../../../src/core/transcripts/turn.ts";

/** Joined, since it is a place of one machine. */
const TEMPORARY = ["", "tmp"].join("/");

type Status = NonNullable<ToolCall["result"]>["status"];

function call(command: string, status?: Status, output = ""): ToolCall {
  return {
    id: "c",
    name: "Bash",
    input: { command },
    ...(status !== undefined && { result: { status, head: output, tail: "" } }),
  };
}
const first = (command: string, status?: Status, output?: string) =>
  ranIn([call(command, status, output)], pipelines)[0];

describe("what a command is called", () => {
  it.each([
    ["pnpm run codegen --all", "npm run codegen"],
    ["npm run", "npm run"],
    ["npm --prefix app test", "npm test"],
    ["git -C app commit -m x", "git commit"],
    ["git commit", "git commit"],
    ["gh pr create --title x", "gh pr create"],
    ["./scripts/gen.sh x", "scripts/gen.sh"],
    ["/usr/bin/make test", "make test"],
    ["~/bin/gen all", "gen"],
    ["sh scripts/gen.sh x", "scripts/gen.sh"],
    ["sh ./scripts/gen.sh", "scripts/gen.sh"],
    ["bash -c 'ls'", "bash"],
    ["node -e 1", "node"],
    ["node --eval 1", "node"],
    ["python3", "python3"],
    ["python3 -", "python3"],
    ["python3 -m pytest tests", "pytest"],
    ["python3 app/manage.py migrate --fake", "manage.py migrate"],
    ["python3 -u gen.py", "gen.py"],
    ["bun run gen", "npm run gen"],
    ["bun test a", "bun test"],
    ["bun gen.ts", "gen.ts"],
    ["deno task gen", "deno task"],
    ["CI=1 X=y make test", "make test"],
    ["sudo -E apt-get install x", "apt-get install"],
    ["timeout 60 make test", "make test"],
    ["timeout -k 5 60s make test", "make test"],
    ["timeout -s KILL 60 make test", "make test"],
    ["timeout 60", ""],
    ["npx vitest run", "vitest"],
    ["npx -y vitest run", "vitest"],
    ["uv run pytest", "pytest"],
    ["uv sync", "uv"],
    ["bundle exec rspec", "rspec"],
    ["env -- make test", "make test"],
    ["sudo", "sudo"],
  ])("%j: %s", (command, expected) => {
    expect(headOf(command.split(" "))).toBe(expected);
  });

  it("of nothing is nothing", () => {
    expect(headOf([])).toBe("");
  });
});

describe("whether a command checks something", () => {
  it.each([
    ["npm test", true],
    ["npm t", true],
    ["npm run lint:fix", true],
    ["npm run codegen", false],
    ["pnpm --filter app test", true],
    ["yarn check-types", true],
    ["make check", true],
    ["make install", false],
    ["just e2e", true],
    ["turbo run build", true],
    ["go vet ./...", true],
    ["go run .", false],
    ["cargo clippy", true],
    ["node --test", true],
    ["node scripts/check.mjs", true],
    ["node scripts/gen.mjs", false],
    ["python3 -m mypy .", true],
    ["python3 -m http.server", false],
    ["sh scripts/check-client.sh", true],
    ["scripts/check.sh", true],
    ["check", false],
    ["eslint .", true],
    ["test -f a", true],
    ["test 1 = 1", false],
    ["[ -d a ]", true],
  ])("%j: %s", (command, expected) => {
    expect(first(command)?.verifies).toBe(expected);
  });
});

describe("whether a command only looks", () => {
  it.each([
    ["git status", true],
    ["git commit", false],
    ["ls > files.txt", false],
    ["cat a | grep b", true],
    ["cat a | sh", false],
    ["sed -n 1,5p a", true],
    ["sed -i s/a/b/ a", false],
    ["mk --version", true],
    ["mk --help", true],
    ["mk -h", true],
    ["mk all", false],
    ["curl https://x.example", true],
    ["curl -X POST https://x.example", false],
    ["curl --data x https://x.example", false],
    ["npm test", false],
  ])("%j: %s", (command, expected) => {
    expect(first(command)?.looks).toBe(expected);
  });
});

describe("what came of a command", () => {
  it.each<readonly [string, string, Status | undefined, string, string]>([
    ["a check that ended well", "npm test", "ok", "", "passed"],
    ["a check that failed", "npm test", "failed", "", "failed"],
    ["a check of which nothing is known", "npm test", undefined, "", "unknown"],
    ["one that was not allowed", "npm test", "rejected", "", "unknown"],
    ["a cut check that says it failed", "npm test | tail -3", "ok", "2 failed", "failed"],
    ["a cut check that says it passed", "npm test | tail -3", "ok", "Tests 3 passed", "passed"],
    ["a cut check that has nothing to say", "eslint . | tail -3", "ok", "", "passed"],
    ["a cut check that says something else", "eslint . | tail -3", "ok", "hello", "unknown"],
    ["a searched check that says nothing", "eslint . | grep x", "ok", "", "unknown"],
    ["a check whose failure is swallowed", "npm test || true", "ok", "", "unknown"],
    ["a step that worked", "mk all", "ok", "", "passed"],
    ["a step that failed", "mk all", "failed", "", "failed"],
    ["a cut step that failed", "mk all | cat", "failed", "", "unknown"],
    ["a cut step that worked", "mk all | cat", "ok", "", "passed"],
    ["a cut commit", "git commit -m x | cat", "ok", "[main 1234567] x", "passed"],
    ["a cut commit of nothing", "git commit -m x | cat", "ok", "nothing to commit", "failed"],
    ["a cut push that says nothing", "git push | cat", "ok", "", "unknown"],
  ])("%s", (_, command, status, output, expected) => {
    expect(first(command, status, output)?.result).toBe(expected);
  });

  it("is told of the command without what cuts its output", () => {
    expect(first("npm test 2>&1 | tail -3")?.command).toBe("npm test");
    expect(first("mk a | sh")?.command).toBe("mk a | sh");
  });

  it("is nothing for a script that is a program", () => {
    expect(ranIn([call(`mk ${"x".repeat(7_996)}`)], pipelines)).toHaveLength(1);
    expect(ranIn([call(`mk ${"x".repeat(7_998)}`)], pipelines)).toEqual([]);
  });
});

describe("whether a call edits", () => {
  const tool = (name: string, input: unknown = {}): ToolCall => ({ id: "c", name, input });

  it.each([
    ["echo x > a.ts", true],
    ["echo x > README.md", false],
    [`echo x > ${TEMPORARY}/a.ts`, false],
    ["printf x | tee a.ts", true],
    ["printf x | tee -a", false],
    ["mk > a.ts", false],
    ["sed -i s/a/b/ a.ts", true],
    ["sed -i s/a/b/ README.md", false],
    ["sed -e s/x-i/b/ a.ts", false],
    ["sed -n 1p a.ts", false],
    ["apply_patch x", true],
    ["cat a.ts", false],
  ])("%j: %s", (command, expected) => {
    expect(edits(call(command), pipelines)).toBe(expected);
  });

  it.each([
    [tool("Write", { file_path: "/x/a.ts" }), true],
    [tool("Write", { file_path: "/x/CHANGELOG.md" }), false],
    [tool("Read", { file_path: "/x/a.ts" }), false],
    [tool("search_replace"), true],
    [tool("default_api.edit_file"), true],
    [tool("research_replaced"), false],
    [call(`echo ${"x".repeat(8_000)} > a.ts`), false],
  ] as const)("%j: %s", (one, expected) => {
    expect(edits(one, pipelines)).toBe(expected);
  });
});
