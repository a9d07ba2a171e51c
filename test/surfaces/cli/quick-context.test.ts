import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { contextQuickly } from "../../../src/surfaces/cli/quick-context.ts";
import { cli, emptyHome } from "../../support/cli.ts";
import { scratch } from "../../support/scratch.ts";

describe("context, the short path", () => {
  it("leaves a directory that is not there to the full command line, which names it", async () => {
    const root = scratch();
    const argv = ["--json", "--dir", `${root}/no notes`];
    expect(contextQuickly(argv, emptyHome(root))).toBeUndefined();
    expect(await cli(["context", ...argv], { environment: emptyHome(root) })).toMatchObject({
      code: 0,
      err: expect.stringContaining(`${root}/no notes does not exist`),
    });
    expect(fs.existsSync(`${root}/no notes`)).toBe(false);
  });
});
