import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sanitise } from "../../scripts/demo/sanitise.mjs";
import { sessionScript } from "../../scripts/demo/session-script.mjs";
import { PROJECT } from "./tree.ts";

const SESSION = join(PROJECT, "demo", "session.jsonl");

function linesOf(jsonl: string): string[] {
  return jsonl.trimEnd().split("\n");
}

describe("the shipped demo session", () => {
  const lines = linesOf(readFileSync(SESSION, "utf8"));

  it("is valid JSONL of less than 200 KB", () => {
    expect(statSync(SESSION).size).toBeLessThan(200_000);
    for (const line of lines) expect(JSON.parse(line)).toHaveProperty("type");
  });

  it("holds every prompt of its script, as the client recorded it", () => {
    const typed = new Set(lines.map((line) => JSON.parse(line)?.message?.content));
    for (const { prompt } of sessionScript("/home/dev/orders")) expect(typed).toContain(prompt);
  });

  it("holds no copy of a request and none of the client's own prompts", () => {
    const types = new Set(lines.map((line) => String(JSON.parse(line)?.type)));
    expect([...types].filter((type) => type === "attachment" || type.startsWith("api-request"))).toEqual([]);
    expect(lines.join("\n")).not.toContain("<system-reminder>");
  });
});

describe("sanitising a recorded session", () => {
  const recorded = [
    { type: "user", uuid: "a", parentUuid: null, cwd: "/home/jane/x", message: { content: "hello" } },
    { type: "attachment", uuid: "b", parentUuid: "a", attachment: { type: "environment" } },
    { type: "attachment", uuid: "c", parentUuid: "b", attachment: { type: "instructions" } },
    { type: "api-request-blob", hash: "1" },
    { type: "assistant", uuid: "d", parentUuid: "c", message: { content: "in /home/jane/x" } },
    { type: "last-prompt", leafUuid: "c" },
  ];
  const jsonl = recorded.map((record) => `${JSON.stringify(record)}\n`).join("");
  const kept = linesOf(sanitise(jsonl, [["/home/jane/x", "/home/dev/orders"]])).map((line): unknown =>
    JSON.parse(line),
  );

  it("drops the client's own records and links the rest over them", () => {
    expect(kept).toMatchObject([
      { uuid: "a", parentUuid: null },
      { uuid: "d", parentUuid: "a" },
      { type: "last-prompt", leafUuid: "a" },
    ]);
  });

  it("replaces machine paths wherever they stand", () => {
    expect(JSON.stringify(kept)).not.toContain("jane");
    expect(kept).toMatchObject([{ cwd: "/home/dev/orders" }, { message: { content: "in /home/dev/orders" } }, {}]);
  });
});
