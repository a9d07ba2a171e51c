import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { INSTALLABLE } from "../../src/app/install/targets.ts";
import { CLIENTS, OTHER_CLIENTS } from "../../src/core/install/clients.ts";

const SITE = fileURLToPath(new URL("../../site", import.meta.url));

describe("the pages of the site", async () => {
  const { clientPages, TOPICS } = await import(pathToFileURL(path.join(SITE, "pages.mjs")).href);
  const pages: ReadonlyMap<string, string> = new Map(
    clientPages().map(({ file, text }: { readonly file: string; readonly text: string }) => [file, text]),
  );

  it("are one for every client that memdir installs itself into or prints for", () => {
    expect([...pages.keys()].toSorted()).toEqual(
      INSTALLABLE.filter((name) => name !== "mcp")
        .map((name) => `clients/${name}.md`)
        .toSorted(),
    );
  });

  it("say what is written where, and what was not tried", () => {
    for (const name of OTHER_CLIENTS) {
      const text = pages.get(`clients/${name}.md`) ?? "";
      for (const { path: file } of CLIENTS[name].files)
        expect(text).toContain(`\`${file.replace("%", CLIENTS[name].directory)}\``);
      expect(text.includes("not tried with the client itself")).toBe(CLIENTS[name].seen === "documentation");
    }
  });

  it("are in the menu once each", () => {
    const files: readonly string[] = TOPICS.flatMap((topic: { readonly files: readonly string[] }) => topic.files);
    expect(new Set(files).size).toBe(files.length);
    expect(files).toContain("recall.md");
  });
});
