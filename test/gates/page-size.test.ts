import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { checkPageSize } from "../../scripts/gates/page-size.mjs";
import { plantTree, rulesFor } from "./tree.ts";

const PROJECT = { "web/tsconfig.json": "{}", "package.json": '{ "type": "module" }' };
/** So many bytes that no compression makes smaller. */
const noise = (bytes: number): string => `export const noise = "${randomBytes(bytes).toString("base64")}";\n`;

describe("the gate of the page's size", () => {
  it("rejects a page that loads more than 40 KB at once", async () => {
    const page = {
      "web/app.tsx": 'import { noise } from "./noise.ts";\nconsole.log(noise);\n',
      "web/noise.ts": noise(42_000),
    };
    const { findings } = await checkPageSize(plantTree({ ...PROJECT, ...page }));
    expect(rulesFor(findings, "web/app.tsx")).toEqual(["page-size"]);
  });

  it("accepts the same where it is loaded when needed", async () => {
    const page = {
      "web/app.tsx": 'void import("./noise.ts").then(({ noise }) => console.log(noise));\n',
      "web/noise.ts": noise(42_000),
    };
    expect((await checkPageSize(plantTree({ ...PROJECT, ...page }))).findings).toEqual([]);
  });

  it("checks nothing where there is no page and says so", async () => {
    expect((await checkPageSize(plantTree(PROJECT))).checked).toBe(0);
  });
});
