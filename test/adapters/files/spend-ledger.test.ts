import { execFile } from "node:child_process";
import fs from "node:fs";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { nodeFiles } from "../../../src/adapters/files/node-files.ts";
import { openSpendLedger } from "../../../src/adapters/files/spend-ledger.ts";
import type { SpendEntry } from "../../../src/core/models/spend.ts";
import { scratch } from "../../support/scratch.ts";

const entry = (id: string, more: Partial<SpendEntry> = {}): SpendEntry => ({
  id,
  time: 1000,
  model: "openai/gpt-4.1-mini",
  purpose: "recall",
  state: "answer",
  ms: 12.5,
  dollars: 0.001,
  inputTokens: 5,
  outputTokens: 6,
  cachedTokens: 1,
  ...more,
});

describe("the ledger of spending", () => {
  it("gives back what was written, from a moment on", () => {
    const directory = `${scratch()}/home`;
    const ledger = openSpendLedger({ directory, files: nodeFiles });
    expect(ledger.since(0)).toEqual([]);
    ledger.append(entry("a"));
    ledger.append(entry("b", { time: 2000 }));
    expect(ledger.since(0)).toEqual([entry("a"), entry("b", { time: 2000 })]);
    expect(ledger.since(1500).map(({ id }) => id)).toEqual(["b"]);
  });

  it.skipIf(process.platform === "win32")("is for this user alone", () => {
    const directory = scratch();
    openSpendLedger({ directory, files: nodeFiles }).append(entry("a"));
    expect(fs.statSync(`${directory}/spend.jsonl`).mode & 0o777).toBe(0o600);
  });

  it("leaves out torn and strange lines and reads on", () => {
    const directory = scratch();
    const ledger = openSpendLedger({ directory, files: nodeFiles });
    ledger.append(entry("a"));
    fs.appendFileSync(
      `${directory}/spend.jsonl`,
      '{"id":"torn","time":1\n{"id":7}\n[]\n{"id":"x","state":"eaten"}\n{"id":"odd","state":"begun","ms":-5,"dollars":"much","time":1e999}\n\u0000\u0000',
    );
    ledger.append(entry("b"));
    expect(ledger.since(0).map(({ id, ms, dollars }) => [id, ms, dollars])).toEqual([
      ["a", 12.5, 0.001],
      ["odd", 0, 0],
      ["b", 12.5, 0.001],
    ]);
  });

  it("stays small and keeps the latest entries", () => {
    const directory = scratch();
    const note = { ...nodeFiles, append: (file: string, bytes: Uint8Array) => fs.appendFileSync(file, bytes) };
    const ledger = openSpendLedger({ directory, files: note });
    for (let i = 0; i < 9000; i++) ledger.append(entry(`id-${i}`, { time: i }));
    const sizes = fs.readdirSync(directory).map((name) => fs.statSync(`${directory}/${name}`).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1 << 20);
    const kept = ledger.since(0).map(({ time }) => time);
    expect(kept.at(-1)).toBe(8999);
    expect(kept.length).toBeGreaterThan(2500);
    expect(kept).toEqual(Array.from(kept, (_, i) => 9000 - kept.length + i));
  });

  it("loses no entry of several processes that write at once", async () => {
    const directory = scratch();
    const line = JSON.stringify(entry("ID"));
    const writer = `for (let i = 0; i < 200; i++) require("node:fs").appendFileSync(process.argv[1], "\\n" + process.argv[2].replace("ID", process.pid + "-" + i) + "\\n")`;
    await Promise.all(
      [1, 2, 3].map(() => promisify(execFile)(process.execPath, ["-e", writer, `${directory}/spend.jsonl`, line])),
    );
    expect(
      new Set(
        openSpendLedger({ directory, files: nodeFiles })
          .since(0)
          .map(({ id }) => id),
      ).size,
    ).toBe(600);
  });
});
