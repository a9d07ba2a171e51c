import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { SYNC_WORKER_FILE, syncWishes } from "../../../src/app/background/want-sync.ts";
import type { HookParts } from "../../../src/surfaces/hooks/hook.ts";
import { runHook } from "../../../src/surfaces/hooks/run-hook.ts";
import { noteSaying, syncDevice } from "../../support/sync-device.ts";
import { startSpaceServer } from "../../support/sync-server.ts";

it("a session's start and end leave a wish to sync and ask no network, a prompt does not, and the start says what waits", async () => {
  const server = await startSpaceServer();
  const one = await syncDevice(server, { isManual: false });
  const secret = ["ghp", "_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("");
  one.write("project_a.md", noteSaying(`The token is ${secret}`));
  await one.sync();
  // A worker seems to be at work, so that none is started.
  fs.writeFileSync(path.join(one.memdirHome, SYNC_WORKER_FILE), String(process.pid));
  const asked = server.received();
  const wishes = syncWishes(one.memdirHome);
  const nothing = { answerQuickly: () => true } as never;
  const parts: Pick<HookParts, "answers" | "full" | "shell"> = {
    answers: () => nothing,
    full: () => nothing,
    shell: () => nothing,
  };
  const hook = async (event: object): Promise<string> => {
    let out = "";
    await runHook(["claude-code"], {
      ...parts,
      environment: one.environment,
      file: "hook.cjs",
      read: () => JSON.stringify({ session_id: "s", cwd: one.cwd, ...event }),
      write: (text) => {
        out += text;
        return true;
      },
    });
    return out;
  };
  await hook({ hook_event_name: "UserPromptSubmit", prompt: "which port does the shop use" });
  expect(wishes.next()).toBeUndefined();
  const said = await hook({ hook_event_name: "SessionStart", source: "startup" });
  expect(JSON.parse(said)).toMatchObject({
    systemMessage: "memdir: sync of project: 1 note refused and not sent (`memdir sync status`)",
  });
  expect(wishes.next()?.wish.why).toBe("session");
  wishes.take(wishes.next()?.name ?? "");
  expect(await hook({ hook_event_name: "SessionStart", source: "startup" })).not.toContain("refused");
  wishes.take(wishes.next()?.name ?? "");
  await hook({ hook_event_name: "SessionEnd" });
  expect(wishes.next()?.wish.why).toBe("session");
  expect(server.received()).toBe(asked);
});
