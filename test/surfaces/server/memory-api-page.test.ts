import fs from "node:fs";
import path from "node:path";
import Anthropic from "@anthropic-ai/sdk";
import { expect, it } from "vitest";

const PAGE = path.join(import.meta.dirname, "../../../docs/memory-api.md");

/** What the official client can do with memory: `memories.create` and the like. */
function methodsOfTheClient(): string[] {
  const { memoryStores, dreams } = new Anthropic({ apiKey: "none" }).beta;
  const { memories, memoryVersions } = memoryStores;
  return Object.entries({ memoryStores, memories, memoryVersions, dreams }).flatMap(([resource, object]) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(object))
      .filter((name) => name !== "constructor" && !name.startsWith("_"))
      .map((name) => `${resource}.${name}`),
  );
}

/** The first column of the page's table; `.list` is short for the same resource. */
function methodsOfThePage(): string[] {
  const [, table = ""] = /## Calls\n([\s\S]*?)\n\n[A-Z]/u.exec(fs.readFileSync(PAGE, "utf8")) ?? [];
  return table.split("\n").flatMap((row) => {
    let resource = "";
    return [...(row.split("|")[1] ?? "").matchAll(/`(\w*)\.(\w+)`/gu)].map(([, named = "", method = ""]) => {
      resource = named || resource;
      return `${resource}.${method}`;
    });
  });
}

it("the page has a row for every call of the official client, and no other", () => {
  const methods = methodsOfTheClient();
  expect(methods.length).toBeGreaterThan(15);
  expect(methodsOfThePage().toSorted()).toEqual(methods.toSorted());
});
