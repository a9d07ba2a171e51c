import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { openCodePlugin } from "../../../src/core/install/opencode-plugin.ts";
import { scratch } from "../../support/scratch.ts";

/** Notes each event when it is done with it, and takes its time with the end of a turn. */
const HOOK = `
const fs = require("node:fs"), path = require("node:path");
const { hook_event_name: event } = JSON.parse(fs.readFileSync(0, "utf8"));
setTimeout(() => fs.appendFileSync(path.join(__dirname, "events"), event + "\\n"), event === "Stop" ? 300 : 0);
`;

it("OpenCode's plugin tells the end of a session after the end of its last turn, even when it is disposed of meanwhile", async () => {
  const root = scratch();
  fs.writeFileSync(path.join(root, "hook.cjs"), HOOK);
  fs.writeFileSync(path.join(root, "memdir.mjs"), openCodePlugin([process.execPath, path.join(root, "hook.cjs")]));
  const { Memdir } = await import(pathToFileURL(path.join(root, "memdir.mjs")).href);
  const plugin = await Memdir({ directory: root });
  await plugin["chat.message"]({ sessionID: "s" }, { message: { id: "m" }, parts: [{ type: "text", text: "hello" }] });
  await Promise.all([
    plugin.event({ event: { type: "session.idle", properties: { sessionID: "s" } } }),
    plugin.dispose(),
  ]);
  expect(fs.readFileSync(path.join(root, "events"), "utf8").trim().split("\n")).toEqual([
    "SessionStart",
    "UserPromptSubmit",
    "Stop",
    "SessionEnd",
  ]);
});
