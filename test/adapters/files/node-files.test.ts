import fs from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { nodeFiles } from "../../../src/adapters/files/node-files.ts";
import { MemoryError } from "../../../src/core/shared/errors.ts";
import { scratch } from "../../support/scratch.ts";

describe("the files of this machine", () => {
  it("say what became of a name that was to be given or moved", () => {
    const root = scratch();
    fs.writeFileSync(`${root}/a`, "a");
    expect([nodeFiles.link(`${root}/a`, `${root}/b`), nodeFiles.link(`${root}/a`, `${root}/b`)]).toEqual([
      "linked",
      "exists",
    ]);
    expect(() => nodeFiles.link(`${root}/none`, `${root}/c`)).toThrow(expect.objectContaining({ code: "io" }));
    expect([nodeFiles.rename(`${root}/a`, `${root}/d`), nodeFiles.rename(`${root}/a`, `${root}/e`)]).toEqual([
      "renamed",
      "absent",
    ]);
    expect(fs.readdirSync(root).toSorted()).toEqual(["b", "d"]);
  });

  const CALLS = {
    link: (refuse: () => never) => (
      vi.spyOn(fs, "linkSync").mockImplementation(refuse),
      () => nodeFiles.link("/a", "/b")
    ),
    rename: (refuse: () => never) => (
      vi.spyOn(fs, "renameSync").mockImplementation(refuse),
      () => nodeFiles.rename("/a", "/b")
    ),
    read: (refuse: () => never) => (
      vi.spyOn(fs, "readFileSync").mockImplementation(refuse),
      () => nodeFiles.read("/a")
    ),
  };

  it.each([
    ["link", "EPERM ENOTSUP EOPNOTSUPP ENOSYS EMLINK", "unsupported"],
    ["link", "EEXIST", "exists"],
    ["link", "EACCES", "permission"],
    ["link", "ENOSPC", "disk-full"],
    ["rename", "EXDEV", "cross-device"],
    ["rename", "ENOENT", "absent"],
    ["rename", "EROFS", "permission"],
    ["rename", "EDQUOT", "disk-full"],
    ["rename", "EMFILE", "io"],
    ["read", "ENOENT ENOTDIR ELOOP", undefined],
    ["read", "EIO", "io"],
  ] as const)("say of a %s that the system refuses with %s: %s", (call, codes, wanted) => {
    const told = codes.split(" ").map((code) => {
      const work = CALLS[call](() => {
        throw Object.assign(new Error(code), { code });
      });
      try {
        return work();
      } catch (error) {
        return error instanceof MemoryError ? error.code : error;
      } finally {
        vi.restoreAllMocks();
      }
    });
    expect(new Set(told)).toEqual(new Set([wanted]));
  });

  it("are removed though they are not there, and a directory with all that is in it", () => {
    const root = scratch();
    nodeFiles.remove(`${root}/none`);
    nodeFiles.removeTree(`${root}/none`);
    fs.mkdirSync(`${root}/full/of`, { recursive: true });
    fs.writeFileSync(`${root}/full/of/files`, "x");
    nodeFiles.removeTree(`${root}/full`);
    expect(fs.readdirSync(root)).toEqual([]);
  });

  it.skipIf(!fs.existsSync("/proc/self/fd"))("leave none of them open, whatever is done to them", () => {
    const root = scratch();
    nodeFiles.makeDirectory(`${root}/sub`);
    nodeFiles.create(`${root}/sub/a`, Buffer.from("a"));
    nodeFiles.append(`${root}/sub/a`, Buffer.from("b"));
    nodeFiles.jot(`${root}/sub/a`, Buffer.from("c"));
    nodeFiles.note(`${root}/sub/b`, Buffer.from("d"));
    nodeFiles.copyMode(`${root}/sub/a`, `${root}/sub/b`);
    nodeFiles.syncDirectory(`${root}/sub`);
    expect(Buffer.from(nodeFiles.read(`${root}/sub/a`) ?? []).toString()).toBe("abc");
    const open = fs.readdirSync("/proc/self/fd").flatMap((fd) => {
      const link = `/proc/self/fd/${fd}`;
      return fs.existsSync(link) ? [fs.readlinkSync(link)].filter((file) => file.startsWith(root)) : [];
    });
    expect(open).toEqual([]);
  });
});
