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

  it.each<[string, Partial<Record<"linkSync" | "renameSync" | "readFileSync" | "mkdirSync" | "statSync", string>>, () => unknown, string]>([
    ...["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].map(
      (code) => [`link: ${code}`, { linkSync: code }, () => nodeFiles.link("/a", "/b"), "unsupported"] as const,
    ),
    ["link: EEXIST", { linkSync: "EEXIST" }, () => nodeFiles.link("/a", "/b"), "exists"],
    ["link: EACCES", { linkSync: "EACCES" }, () => nodeFiles.link("/a", "/b"), "permission"],
    ["link: ENOSPC", { linkSync: "ENOSPC" }, () => nodeFiles.link("/a", "/b"), "disk-full"],
    ["rename: EXDEV", { renameSync: "EXDEV" }, () => nodeFiles.rename("/a", "/b"), "cross-device"],
    ["rename: ENOENT", { renameSync: "ENOENT" }, () => nodeFiles.rename("/a", "/b"), "absent"],
    ["rename: EROFS", { renameSync: "EROFS" }, () => nodeFiles.rename("/a", "/b"), "permission"],
    ["rename: EDQUOT", { renameSync: "EDQUOT" }, () => nodeFiles.rename("/a", "/b"), "disk-full"],
    ["rename: EMFILE", { renameSync: "EMFILE" }, () => nodeFiles.rename("/a", "/b"), "io"],
    ...["ENOENT", "ENOTDIR", "ELOOP"].map(
      (code) => [`read: ${code}`, { readFileSync: code }, () => nodeFiles.read("/a"), undefined] as const,
    ),
    ["read: EIO", { readFileSync: "EIO" }, () => nodeFiles.read("/a"), "io"],
  ])("say what the system answered: %s", (_, faults, work, wanted) => {
    for (const [call, code] of Object.entries(faults))
      vi.spyOn(fs, call as keyof typeof faults).mockImplementation(() => {
        throw Object.assign(new Error(code), { code });
      });
    let told: unknown;
    try {
      told = work();
    } catch (error) {
      told = error instanceof MemoryError ? error.code : error;
    } finally {
      vi.restoreAllMocks();
    }
    expect(told).toBe(wanted);
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
