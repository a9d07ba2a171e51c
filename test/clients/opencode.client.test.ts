import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { howToInstall, installation } from "./installed.ts";
import { layOut } from "./layout.ts";
import { OPENCODE_LAYOUTS } from "./layouts-opencode.ts";
import { memdirSections } from "./memdir-sections.ts";
import {
  type OpenCode,
  OPENCODE_PACKAGE,
  openCodeBinary,
  openCodeView,
  shownAsOpenCode,
  startOpenCode,
} from "./opencode.ts";
import { differences } from "./sections.ts";

const folder = installation("opencode");
const binary = folder === undefined ? undefined : openCodeBinary(folder);
if (binary === undefined) process.stderr.write(howToInstall("opencode", OPENCODE_PACKAGE));

/** One after the other: most layouts share one process of the client. */
describe("OpenCode", () => {
  let client: OpenCode | undefined;
  beforeAll(async () => {
    if (binary !== undefined) client = await startOpenCode(binary);
  });
  afterAll(async () => client?.close());

  it.skipIf(binary === undefined).for(OPENCODE_LAYOUTS)("$name: $proves", async (layout) => {
    const ground = layOut(layout);
    try {
      const sent = openCodeView((await client?.ask(layout, ground)) ?? []);
      expect(differences(sent, shownAsOpenCode(await memdirSections("opencode", ground)))).toEqual([]);
    } finally {
      ground.remove();
    }
  });
});
