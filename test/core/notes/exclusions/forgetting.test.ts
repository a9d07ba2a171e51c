import { describe, expect, it } from "vitest";
import { excludedBy, explainExclusion } from "../../../../src/core/notes/exclusions/exclusion.ts";
import { asksToForget } from "../../../../src/core/notes/exclusions/forgetting.ts";
import table from "../../../../src/core/notes/exclusions/forgetting.json" with { type: "json" };
import { cli, emptyHome } from "../../../support/cli.ts";
import { scratch } from "../../../support/scratch.ts";

describe("a wish to forget", () => {
  it.each(table.examples.forgets)("is one: %s", (text) => {
    expect(asksToForget(text)).toBe(true);
    const excluded = excludedBy(text);
    expect(excluded?.reason).toBe("wish-to-forget");
    expect(excluded && explainExclusion(excluded)).toContain("`memdir forget NOTE`");
  });

  it.each(table.examples.keeps)("is not one: %s", (text) => {
    expect(asksToForget(text)).toBe(false);
  });

  it("is not kept by `memdir remember`, which names the command, and is with --force", async () => {
    const root = scratch();
    const options = { cwd: root, environment: emptyHome(root) };
    const refused = await cli(["remember", "Forget what I said about npm"], options);
    expect(refused).toMatchObject({ code: 4, err: expect.stringContaining("memdir forget NOTE") });
    expect((await cli(["list"], options)).out).toContain("no notes yet");
    expect(await cli(["remember", "--force", "Forget what I said about npm"], options)).toMatchObject({ code: 0 });
  });
});
