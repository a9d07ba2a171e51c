import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { emptyHome } from "../support/cli.ts";
import { scratch } from "../support/scratch.ts";

const DIST = fileURLToPath(new URL("../../dist", import.meta.url));
const WINDOWS = fileURLToPath(new URL("../support/as-on-windows.cjs", import.meta.url));

/** A bundle that takes this system for Windows: no user ids, `process.platform` is `win32`. Its paths stay those of here. */
function onWindows(cwd: string, bundle: string, args: readonly string[], input = "") {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["-r", WINDOWS, path.join(DIST, bundle), ...args], {
    cwd,
    env: { ...emptyHome(cwd), TEMP: cwd, SystemRoot: cwd },
    input,
    encoding: "utf8",
  });
  return { code: status, out: stdout, err: stderr };
}

describe("what runs on Windows", () => {
  it("starts, keeps a note and finds it again", () => {
    const root = scratch();
    expect(onWindows(root, "memdir.cjs", ["--version"])).toMatchObject({ code: 0, err: "" });
    const kept = onWindows(
      root,
      "memdir.cjs",
      ["remember", "-", "--name", "lines"],
      "Releases are cut\r\non Thursdays\r\n",
    );
    expect(kept).toMatchObject({ code: 0, err: "" });
    const listed = onWindows(root, "memdir.cjs", ["list"]);
    expect(listed).toMatchObject({ code: 0, err: "" });
    expect(listed.out).toContain("Releases are cut");
    expect(onWindows(root, "memdir.cjs", ["recall", "when are releases cut"]).out).toContain("Thursdays");
    expect(onWindows(root, "memdir.cjs", ["doctor"]).code).toBe(0);
  });

  it("answers a hook and the first call of an MCP client", () => {
    const root = scratch();
    const event = { hook_event_name: "SessionStart", session_id: "s1", cwd: root, source: "startup" };
    expect(onWindows(root, "hook.cjs", ["claude-code"], `${JSON.stringify(event)}\r\n`)).toMatchObject({
      code: 0,
      err: "",
    });
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } };
    const call = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
    const answer = onWindows(root, "memdir.cjs", ["mcp"], `${call}\r\n`);
    expect(JSON.parse(answer.out)).toMatchObject({ id: 1, result: { serverInfo: { name: "memdir" } } });
  });

  it("gives scripts and manifests to clients that any line end suits: none of them holds a carriage return", () => {
    const files = fs.readdirSync(path.join(DIST, "plugins"), { recursive: true, withFileTypes: true });
    for (const one of files.filter((entry) => entry.isFile()))
      expect(fs.readFileSync(path.join(one.parentPath, one.name), "utf8"), one.name).not.toContain("\r");
  });
});
