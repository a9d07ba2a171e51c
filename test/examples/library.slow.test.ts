import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { emptyHome } from "../support/cli.ts";
import { scratch } from "../support/scratch.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const blocks = [...fs.readFileSync(path.join(ROOT, "docs/library.md"), "utf8").matchAll(/```ts\n([\s\S]*?)```/gu)].map(
  ([, code]) => code ?? "",
);

/** What the compiler says about the examples, as files of this package that know `memdir` by its name. */
function problems(sources: readonly string[]): readonly string[] {
  const files = new Map(sources.map((source, index) => [path.join(ROOT, `example-${index}.mts`), source]));
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ["lib.es2023.d.ts"],
    types: ["node"],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    paths: {
      memdir: [path.join(ROOT, "src/index.ts")],
      "memdir/ai-sdk": [path.join(ROOT, "src/surfaces/ai-sdk/middleware.ts")],
    },
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (file) => files.has(file) || fileExists(file);
  host.readFile = (file) => files.get(file) ?? readFile(file);
  host.getSourceFile = (file, version) => {
    const text = files.get(file);
    return text === undefined ? getSourceFile(file, version) : ts.createSourceFile(file, text, version);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return [...files.keys()].flatMap((file) => {
    const source = program.getSourceFile(file);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText }) => `${path.basename(file)}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
    );
  });
}

describe("the examples of docs/library.md", () => {
  it("fit the real types, and one that does not would be seen", () => {
    expect(blocks.length).toBeGreaterThanOrEqual(6);
    const wrong = 'import { openMemory } from "memdir";\nopenMemory().recal("x");\n';
    expect(problems([...blocks, wrong])).toEqual([
      expect.stringContaining(`example-${blocks.length}.mts: Property 'recal' does not exist`),
    ]);
  }, 180_000);

  it("run one after the other in one project; only the past before its history is refused, as they say", () => {
    const root = scratch();
    fs.mkdirSync(`${root}/shop/.git`, { recursive: true });
    const failures = blocks.map((block) => run(block, root)).filter(({ status }) => status !== 0);
    expect(failures.map(({ stderr }) => /MemoryError: .*/u.exec(stderr)?.[0] ?? stderr)).toEqual([
      expect.stringContaining("history begins later"),
    ]);
  }, 180_000);
});

describe("the library", () => {
  const program = `import(${JSON.stringify(pathToFileURL(path.join(ROOT, "dist/index.js")).href)}).then(async ({ openMemory }) => {
    const memory = openMemory();
    console.log("memdir says", (await memory.remember({ body: "Releases are cut on Thursdays." })).outcome);
    await memory.close();
  })`;

  it.each(["-e", "-p"])("works under `node %s`, far from its packages", { timeout: 60_000 }, (flag) => {
    const root = scratch();
    const { stdout, stderr } = spawnSync(process.execPath, [flag, program], {
      cwd: root,
      env: emptyHome(root),
      encoding: "utf8",
    });
    expect(stdout + stderr).toContain("memdir says created");
  });
});

/** One example as a program of its own, with the built package under memdir's name. */
function run(block: string, root: string): { readonly status: number | null; readonly stderr: string } {
  const files = {
    memdir: path.join(ROOT, "dist/index.js"),
    "memdir/ai-sdk": path.join(ROOT, "dist/surfaces/ai-sdk/middleware.js"),
    ai: createRequire(import.meta.url).resolve("ai"),
  };
  const { outputText } = ts.transpileModule(block, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  const program = Object.entries(files).reduce(
    (text, [name, file]) => text.replace(`from "${name}"`, `from "${pathToFileURL(file).href}"`),
    outputText,
  );
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd: `${root}/shop`,
    env: emptyHome(root),
    encoding: "utf8",
  });
  return { status, stderr };
}
