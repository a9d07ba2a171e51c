import { describe, expect, it } from "vitest";
import { checkDeclarations } from "../../scripts/gates/declarations.mjs";
import { plantTree, rulesFor } from "./tree.ts";

const MANIFEST = {
  name: "planted",
  type: "module",
  exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } },
  dependencies: { yaml: "^2.0.0" },
};

const planted = (files: Readonly<Record<string, string>>, manifest: object = MANIFEST): string =>
  plantTree({ "package.json": JSON.stringify(manifest), ...files });

describe("the gate of the published types", { timeout: 120_000 }, () => {
  it("rejects an entry that the package leaves out, and a file that an entry reaches", () => {
    expect(rulesFor(checkDeclarations(planted({})).findings, "package.json")).toEqual(["not-in-package"]);
    const root = planted({
      "dist/index.d.ts": 'export type { Shelf } from "./compose/shelf.ts";\n',
      "dist/compose/shelf.d.ts": 'export type Shelf = import("../files/settled.ts").Settled;\n',
    });
    expect(checkDeclarations(root).findings).toMatchObject([
      {
        rule: "not-in-package",
        path: "dist/compose/shelf.d.ts",
        message: "dist/files/settled.d.ts is not in the package",
      },
    ]);
  });

  it("rejects a package that nobody installs", () => {
    const root = planted({ "dist/index.d.ts": 'export type { Model } from "@big/sdk/models";\n' });
    expect(checkDeclarations(root).findings).toMatchObject([
      { rule: "not-installed", message: "@big/sdk is not installed with the package" },
    ]);
  });

  it("rejects what only compiles with skipLibCheck, and what takes Node's types for granted", () => {
    const root = planted({
      "dist/index.d.ts":
        'export type { Bytes } from "./bytes.js";\nexport interface Note {\n  readonly at: Instant;\n}\n',
      "dist/bytes.d.ts": "export type Bytes = Buffer;\n",
    });
    const { findings } = checkDeclarations(root);
    expect(rulesFor(findings, "dist/index.d.ts")).toEqual(["TS2304"]);
    expect(rulesFor(findings, "dist/bytes.d.ts")).toEqual([expect.stringMatching(/^TS/u)]);
  });

  it("accepts a package that is whole, and says when there are no types", () => {
    const whole = {
      "dist/index.d.ts":
        'export type { Note } from "./note.js";\nexport declare const stream: ReadableStream<string>;\n',
      "dist/note.d.ts": "export interface Note {\n  readonly name: string;\n}\n",
    };
    expect(checkDeclarations(planted(whole))).toEqual({ checked: 2, findings: [] });
    expect(checkDeclarations(planted({}, { name: "bare" })).checked).toBe(0);
  });
});
