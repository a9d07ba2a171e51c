import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const blocks = [...fs.readFileSync(path.join(ROOT, "docs/library.md"), "utf8").matchAll(/```ts\n([\s\S]*?)```/gu)].map(([, code]) => code ?? "");

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
    paths: { memdir: [path.join(ROOT, "src/index.ts")], "memdir/ai-sdk": [path.join(ROOT, "src/surfaces/ai-sdk/middleware.ts")] },
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
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(({ messageText }) => `${path.basename(file)}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`);
  });
}

describe("the examples of docs/library.md", () => {
  it("fit the real types, and one that does not would be seen", () => {
    expect(blocks.length).toBeGreaterThanOrEqual(6);
    const wrong = 'import { openMemory } from "memdir";\nopenMemory().recal("x");\n';
    expect(problems([...blocks, wrong])).toEqual([expect.stringContaining(`example-${blocks.length}.mts: Property 'recal' does not exist`)]);
  }, 180_000);
});
