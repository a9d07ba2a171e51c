import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { counted } from "../../../src/core/shared/text.ts";

const SOURCES = fileURLToPath(new URL("../../../src/", import.meta.url));

describe("a number with its noun", () => {
  it("is one thing, or several", () => {
    expect([
      counted(0, "note"),
      counted(1, "note"),
      counted(2, "note"),
      counted(1, "note is", "notes are"),
      counted(3, "entry", "entries"),
    ]).toEqual(["0 notes", "1 note", "2 notes", "1 note is", "3 entries"]);
  });

  it("is made in one place alone", () => {
    const files = fs
      .readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.endsWith("shared/text.ts"));
    const own = files.filter((file) =>
      /\$\{([\w.]+)\} (?:[a-z]+ )?\$\{\1 === 1 \? "/u.test(fs.readFileSync(`${SOURCES}/${file}`, "utf8")),
    );
    expect(own).toEqual([]);
  });
});
