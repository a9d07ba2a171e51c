import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  makeMissingDirectories,
  readSettingsFile,
  replaceSettingsFile,
} from "../../../src/adapters/files/settings-file.ts";
import { scratch } from "../../support/scratch.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("replacing a settings file of another program", () => {
  it("does not happen when that program wrote in between, and leaves nothing behind", () => {
    const directory = scratch();
    const file = path.join(directory, "settings.json");
    fs.writeFileSync(file, "theirs, just now");
    expect(replaceSettingsFile(file, bytes("what was read"), bytes("ours"))).toBe("changed");
    expect(replaceSettingsFile(file, undefined, bytes("ours"))).toBe("changed");
    expect(replaceSettingsFile(file, bytes("what was read"), undefined)).toBe("changed");
    expect(replaceSettingsFile(path.join(directory, "gone.json"), bytes("what was read"), bytes("ours"))).toBe(
      "changed",
    );
    expect(fs.readdirSync(directory)).toEqual(["settings.json"]);
    expect(fs.readFileSync(file, "utf8")).toBe("theirs, just now");
  });

  it("happens in one step, and removes what is to be removed", () => {
    const file = path.join(scratch(), "settings.json");
    expect(replaceSettingsFile(file, undefined, bytes("first"))).toBe("done");
    expect(replaceSettingsFile(file, bytes("first"), bytes("second"))).toBe("done");
    expect(readSettingsFile(file)).toMatchObject({ state: "read", bytes: Buffer.from("second") });
    expect(replaceSettingsFile(file, bytes("second"), undefined)).toBe("done");
    expect(readSettingsFile(file)).toEqual({ state: "absent", target: file });
  });

  it("is refused where there is no ordinary file", () => {
    const directory = scratch();
    fs.symlinkSync("circle", path.join(directory, "circle"));
    expect(readSettingsFile(path.join(directory, "circle"))).toMatchObject({
      state: "unreadable",
      why: expect.stringContaining("link"),
    });
    expect(readSettingsFile(directory)).toMatchObject({ state: "unreadable" });
    fs.writeFileSync(path.join(directory, "file"), "");
    expect(() => makeMissingDirectories(path.join(directory, "file", "below"))).toThrow(/cannot create the directory/u);
  });
});
