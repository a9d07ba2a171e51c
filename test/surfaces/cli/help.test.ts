import { describe, expect, it } from "vitest";
import { cli } from "../../support/cli.ts";

describe("memdir help", () => {
  it("is JSON for programs, of all commands or one", async () => {
    const { commands } = JSON.parse((await cli(["help", "--json"])).out);
    expect(commands.map(({ name }: { name: string }) => name)).toContain("remember");
    expect(JSON.parse((await cli(["help", "remember", "--json"])).out)).toMatchObject({
      name: "remember",
      usage: expect.stringMatching(/^memdir remember /u),
      options: expect.arrayContaining([expect.objectContaining({ name: "force", type: "boolean" })]),
    });
  });

  it("explains itself when asked for help on help, and knows no other options", async () => {
    const overview = (await cli(["help"])).out;
    for (const argv of [["help", "--help"], ["help", "-h"], ["help", "help"], ["--help"]])
      expect(await cli(argv)).toMatchObject({ code: 0, out: overview });
    expect(await cli(["help", "--nothing"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("unknown option --nothing"),
    });
    expect((await cli(["help", "rembember"])).err).toContain("did you mean `memdir remember`");
  });
});
