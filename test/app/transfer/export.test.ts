import fs from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { person } from "../../support/person.ts";
import { filesBelow } from "../../support/scratch.ts";

/** What stands at the target before, and whether an export may take its place. */
const TARGETS: readonly (readonly [string, string, (target: string) => void, boolean])[] = [
  ["nothing", "out", () => undefined, true],
  ["an empty directory", "out", (target) => fs.mkdirSync(target), true],
  [
    "a directory with one file",
    "out",
    (target) => (fs.mkdirSync(target), fs.writeFileSync(`${target}/own.txt`, "own")),
    false,
  ],
  ["a directory with a directory", "out", (target) => void fs.mkdirSync(`${target}/own`, { recursive: true }), false],
  ["a file", "out", (target) => fs.writeFileSync(target, "own"), false],
  ["nothing", "out.tar.gz", () => undefined, true],
  ["an archive", "out.tgz", (target) => fs.writeFileSync(target, "own"), false],
];

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("an export", () => {
  it.each(TARGETS)("where there is %s (%s) takes the place only of nothing", async (_there, name, put, isTaken) => {
    const { root, memdir } = person();
    await memdir(["remember", "--name", "port", "The importer listens on port 8080"]);
    const outside = `${root}/backup`;
    fs.mkdirSync(outside);
    fs.mkdirSync(`${root}/temporary`);
    vi.stubEnv("TMPDIR", `${root}/temporary`);
    put(`${outside}/${name}`);
    const before = filesBelow(outside);
    const { code, err } = await memdir(["export", `${outside}/${name}`]);
    const after = filesBelow(outside);
    expect({ isTaken: code === 0, isRefused: err.includes("already exists") }, err).toEqual({
      isTaken,
      isRefused: !isTaken,
    });
    expect(after.size > before.size).toBe(isTaken);
    expect([...before].every(([file, content]) => after.get(file)?.equals(content) === true)).toBe(true);
    expect(fs.readdirSync(outside), "nothing half made is left").toEqual([name]);
    expect(fs.readdirSync(`${root}/temporary`), "nothing half made is left").toEqual([]);
  });

  it.each(["out", "out.tgz"])(
    "to %s removes what one to the same place left that was killed, and nothing else",
    async (name) => {
      const { root, memdir } = person();
      const outside = `${root}/backup`;
      // Beyond every process that Linux or macOS can have; the number of this process may be one of another container.
      const [gone, alive] = [2 ** 22 + 1, process.ppid];
      const left = [`${name}.memdir-${gone}`, `${name}.memdir-${process.pid}`];
      const others = [
        `${name}.memdir-${alive}`,
        `my-${name}.memdir-${gone}`,
        `${name}.memdir-${gone}.md`,
        `${name}-memdir-${gone}`,
      ];
      for (const one of [...left, ...others]) fs.mkdirSync(`${outside}/${one}/stores`, { recursive: true });
      expect((await memdir(["export", `${outside}/${name}`])).code).toBe(0);
      expect(fs.readdirSync(outside)).toEqual([...others, name].toSorted());
    },
  );
});
