import { describe, expect, it } from "vitest";
import type { FileStat } from "../../../src/core/notes/file-port.ts";
import { comparablePath, identifyProject, otherSpellings, type PathRules } from "../../../src/core/notes/project.ts";
import { slugOf } from "../../../src/core/notes/names.ts";

/** Where WSL mounts Windows drives; put together here, because whole paths of machines stay out of the repository. */
const MNT = ["", "mnt"].join("/");
const POSIX: PathRules = { flavour: "posix", ignoreCase: false };
const WINDOWS: PathRules = { flavour: "windows", ignoreCase: true };
const WSL: PathRules = { flavour: "wsl", ignoreCase: false };

/** Files with their content; `undefined` is a directory. */
function disk(entries: Readonly<Record<string, string | undefined>>): Parameters<typeof identifyProject>[1] {
  const known = new Map(Object.entries(entries));
  const kindOf = (path: string): FileStat["kind"] => (known.get(path) === undefined ? "directory" : "file");
  return {
    stat: (path) => (known.has(path) ? { kind: kindOf(path), size: 0, mtimeMs: 0 } : undefined),
    read: (path) => (known.get(path) === undefined ? undefined : new TextEncoder().encode(known.get(path))),
  };
}

describe("the project of a directory", () => {
  it("is the checkout above it", () => {
    expect(identifyProject("/home/jane/app/src/deep", disk({ "/home/jane/app/.git": undefined }), POSIX)).toMatchObject(
      { root: "/home/jane/app", gitDirectory: "/home/jane/app/.git", slug: "-home-jane-app" },
    );
  });

  it("is the main checkout for a worktree, whether git wrote absolute or relative paths", () => {
    const main = { root: "/home/jane/app", gitDirectory: "/home/jane/app/.git" };
    const files = { "/home/jane/app/.git": undefined, "/home/jane/app/.git/worktrees/w/commondir": "../..\n" };
    expect(
      identifyProject(
        "/home/jane/w/src",
        disk({ ...files, "/home/jane/w/.git": "gitdir: /home/jane/app/.git/worktrees/w\n" }),
        POSIX,
      ),
    ).toMatchObject(main);
    expect(
      identifyProject(
        "/home/jane/w",
        disk({ ...files, "/home/jane/w/.git": "gitdir: ../app/.git/worktrees/w\n" }),
        POSIX,
      ),
    ).toMatchObject(main);
  });

  it("is the worktree itself where the repository is bare", () => {
    const files = disk({
      "/srv/w/.git": "gitdir: /srv/app.git/worktrees/w\n",
      "/srv/app.git/worktrees/w/commondir": "../..\n",
    });
    expect(identifyProject("/srv/w", files, POSIX)).toMatchObject({ root: "/srv/w", gitDirectory: "/srv/app.git" });
  });

  it("is the submodule, not the repository around it", () => {
    const files = disk({ "/app/.git": undefined, "/app/lib/.git": "gitdir: ../.git/modules/lib\n" });
    expect(identifyProject("/app/lib/src", files, POSIX)).toMatchObject({
      root: "/app/lib",
      gitDirectory: "/app/.git/modules/lib",
    });
  });

  it("is the directory itself without git, or when the .git file says nothing", () => {
    expect(identifyProject("/srv/x", disk({}), POSIX)).toMatchObject({ root: "/srv/x", gitDirectory: undefined });
    expect(identifyProject("/srv/x", disk({ "/srv/x/.git": "nonsense" }), POSIX)).toMatchObject({ root: "/srv/x" });
    expect(identifyProject("/", disk({ "/.git": undefined }), POSIX)).toMatchObject({ root: "/" });
  });

  it.each([
    ["C:\\code\\app\\src", "C:\\code\\app"],
    ["C:\\code\\app", "C:\\code\\app"],
    ["\\\\server\\share\\app\\src\\deep", "\\\\server\\share\\app"],
    ["\\\\?\\C:\\code\\app\\src", "\\\\?\\C:\\code\\app"],
    ["C:/code/app/src", "C:/code/app"],
    ["C:\\src", "C:\\"],
  ])("is found on Windows from %j", (cwd, root) => {
    const separator = root.includes("/") ? "/" : "\\";
    const files = disk({ [`${root}${root.endsWith(separator) ? "" : separator}.git`]: undefined });
    expect(identifyProject(cwd, files, WINDOWS)).toMatchObject({ root, slug: slugOf(root) });
    expect(identifyProject(cwd, disk({}), WINDOWS)).toMatchObject({ root: cwd });
  });
});

describe("two spellings of a path", () => {
  it.each([
    [WINDOWS, "C:\\Code\\Jane", "c:/code/jane/"],
    [WINDOWS, "\\\\?\\C:\\Code\\Jane", "C:\\Code\\Jane"],
    [WINDOWS, "\\\\?\\UNC\\server\\share\\x", "\\\\server\\share\\x"],
    [WSL, `${MNT}/c/Code/Jane`, "C:\\Code\\Jane"],
    [WSL, "\\\\wsl.localhost\\Ubuntu\\home\\jane", "/home/jane"],
    [POSIX, "/srv/Jan\u00e9", "/srv/Jane\u0301"],
    [{ flavour: "posix", ignoreCase: true }, "/Volumes/Jane", "/volumes/jane"],
  ] as const)("are one place (%o): %j and %j", (rules, one, other) => {
    expect(comparablePath(one, rules)).toBe(comparablePath(other, rules));
  });

  it.each([
    [POSIX, "/srv/Jane", "/srv/jane"],
    [POSIX, `${MNT}/c/x`, "C:\\x"],
    [WSL, "/home/user/J", "/home/user/j"],
    [WINDOWS, "C:\\x", "D:\\x"],
    [WINDOWS, "\\\\server\\one", "\\\\server\\two"],
  ] as const)("are two places (%o): %j and %j", (rules, one, other) => {
    expect(comparablePath(one, rules)).not.toBe(comparablePath(other, rules));
  });

  it("are looked for under every slug that a client may have used", () => {
    expect(otherSpellings("C:\\Code", WINDOWS)).toEqual(expect.arrayContaining(["c:\\Code", `${MNT}/c/Code`]));
    expect(otherSpellings(`${MNT}/c/Code`, WSL)).toEqual(expect.arrayContaining(["C:\\Code", "c:\\Code"]));
    expect(otherSpellings("/srv/Jan\u00e9", POSIX)).toEqual(["/srv/Jane\u0301"]);
    expect(otherSpellings(`${MNT}/c/Code`, POSIX)).toEqual([]);
  });
});
