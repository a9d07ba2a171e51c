import fs from "node:fs";
import { expect, it } from "vitest";
import { openMemory } from "../../src/index.ts";
import { holdsToken, safeId } from "../../src/core/shared/sanitize.ts";
import { findSecrets } from "../../src/core/shared/secrets/find-secrets.ts";
import { emptyHome, homeOf } from "../support/cli.ts";
import { planter } from "../support/planted.ts";
import { memoryDirectory, scratch } from "../support/scratch.ts";

it.each([
  "93a7c1de-4b1f-4c55-9d3e-0f6a1b2c3d4e",
  "ses_7Hq2LkPz9RtXvBn4Mw6YcD1e",
  "V1StGXR8_Z5jdHi6B-myT",
  "01HZX3Y8K2QWERTYUIOPASDFGH",
  "2f9d1c0b7a6e5d4c3b2a19087f6e5d4c3b2a1908",
  "s1",
  "",
])("an id stays as it is: %s", (id) => {
  expect([safeId(id), holdsToken(id)]).toEqual([id, false]);
});

/** Ids as clients make them, many of each kind: a scan that is wrong once in a thousand loses memory every day. */
const MAKERS: Readonly<Record<string, (random: (length: number, letters: string) => string) => string>> = {
  uuid: (random) => [8, 4, 4, 4, 12].map((length) => random(length, HEX)).join("-"),
  "hex of 40": (random) => random(40, HEX),
  "hex of 64": (random) => random(64, HEX),
  ulid: (random) => `01${random(24, "0123456789ABCDEFGHJKMNPQRSTVWXYZ")}`,
  "prefixed by a client": (random) => `ses_${random(26, `${HEX}GHIJKLMNOPQRSTUVWXYZ`)}`,
  "of OpenCode": (random) =>
    `ses_${random(12, HEX)}${random(14, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")}`,
  "of a tool call": (random) => `toolu_01${random(22, `${HEX}GHIJKLMNOPQRSTUVWXYZ`)}`,
};
const HEX = "0123456789abcdef";

it.each(Object.entries(MAKERS))("an id is no secret, alone or as evidence of a note: %s", (_, make) => {
  let state = 20_261_122;
  const random = (length: number, letters: string): string =>
    Array.from({ length }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return letters[Math.floor((state / 2 ** 32) * letters.length)] ?? "";
    }).join("");
  const wrong: string[] = [];
  for (let round = 0; round < 500; round++) {
    const id = make(random);
    const note = `---\nname: a\nmetadata:\n  originSessionId: ${id}\n  evidence:\n    session: ${id}\n    message: ${id}\n---\n\nWe use pnpm.\n`;
    for (const text of [id, note]) if (findSecrets(text).length > 0) wrong.push(text);
    if (safeId(id) !== id || holdsToken(id)) wrong.push(`safeId ${id}`);
  }
  expect(wrong).toEqual([]);
});

it.each(["notes", "log"])(
  "an id that holds a token becomes a hash, the same each time, and what rests on it is captured into %s all the same",
  async (to) => {
    const root = scratch(memoryDirectory());
    fs.mkdirSync(`${root}/orders/.git`, { recursive: true });
    const { plant, found } = planter(3);
    const [session, message] = [plant("session"), plant("message")];
    expect(safeId(session)).toBe(safeId(session));
    expect(safeId(session)).not.toBe(safeId(message));
    const turn = {
      role: "user",
      id: message,
      text: "From now on always squash merges.",
      time: "2026-03-02T09:00:00Z",
      toolCalls: [],
    } as const;
    const transcript = { agent: "claude-code", session, cwd: undefined, turns: [turn], toolTexts: [], problems: [] };
    fs.mkdirSync(`${homeOf(root)}/.memdir`, { recursive: true });
    fs.writeFileSync(`${homeOf(root)}/.memdir/settings.json`, JSON.stringify({ capture: { to } }));
    const memory = openMemory({ cwd: `${root}/orders`, environment: emptyHome(root), model: "off" });
    const { notes, logged = [] } = await memory.capture({ ...transcript, session });
    expect([...notes, ...logged], to).toHaveLength(1);
    memory.close();
    expect(found(homeOf(root))).toEqual([]);
  },
);
