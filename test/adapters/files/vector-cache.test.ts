import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { nodeFiles } from "../../../src/adapters/files/node-files.ts";
import { openVectorCache } from "../../../src/adapters/files/vector-cache.ts";
import { cosine } from "../../../src/core/recall/embedding-selector.ts";
import { scratch } from "../../support/scratch.ts";

const vector = Float32Array.from([0.12, -0.5, 0.33, 0.08]);
const open = (state: string, embedder = "ollama/nomic") => openVectorCache({ state, embedder, files: nodeFiles });

describe("vectors on disk", () => {
  it("are there for the next process, pointing the same way", () => {
    const state = scratch();
    open(state).keep(new Map([["the text", vector]]));
    const again = open(state).get("the text");
    expect(again && cosine(again, vector)).toBeGreaterThan(0.999);
    expect(open(state).get("another text")).toBeUndefined();
  });

  it("are not mixed up with those of another embedder, and hold no word of a text", () => {
    const state = scratch();
    open(state).keep(new Map([["the text", vector]]));
    expect(open(state, "ollama/other").get("the text")).toBeUndefined();
    const written = fs
      .readdirSync(`${state}/vectors`)
      .map((name) => fs.readFileSync(`${state}/vectors/${name}`, "utf8"))
      .join("");
    expect(written).not.toContain('text":"the');
    expect(written).not.toContain("the text");
  });

  it("survive a torn line and another process that appends", () => {
    const state = scratch();
    const [one, two] = [open(state), open(state)];
    one.keep(new Map([["first", vector]]));
    const [name] = fs.readdirSync(`${state}/vectors`);
    fs.appendFileSync(`${state}/vectors/${name}`, '{"text":"00000000');
    two.keep(new Map([["second", vector]]));
    const later = open(state);
    expect([later.get("first"), later.get("second")].map((found) => found?.length)).toEqual([4, 4]);
  });

  it("that cannot be written cost nothing but asking again", () => {
    const state = scratch();
    fs.writeFileSync(`${state}/vectors`, "a file where the directory should be");
    const cache = open(state);
    cache.keep(new Map([["the text", vector]]));
    expect(cache.get("the text")).toBeDefined();
    expect(open(state).get("the text")).toBeUndefined();
  });
});
