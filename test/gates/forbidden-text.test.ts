import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FAKE_TOKEN } from "../../scripts/demo/session-script.mjs";
import { checkText, localRules, scan } from "../../scripts/gates/forbidden-text.mjs";
import { PROJECT, plantTree } from "./tree.ts";

/** Planted text is put together here, so that this file itself passes the gate. */
const joined = (...parts: readonly string[]): string => parts.join("");

const CLEAN = {
  "README.md":
    "Write to help@example.com or git@github.com. Try /home/dev/orders, C:\\Users\\jane\\notes and ~/work/notes.\n",
  "src/a.ts": 'export const paths = ["src/home/a.ts", "./tmp/b", "/etc/claude-code", "@scope/name@1.2.3"];\n',
  "package-lock.json": '{ "funding": "https://example.org/fund" }\n',
};

const PLANTED: readonly (readonly [rule: string, text: string])[] = [
  ["machine-path", joined("/wo", "rk/main/src")],
  ["machine-path", joined("/tm", "p/notes")],
  ["machine-path", joined("/ro", "ot/.claude")],
  ["machine-path", joined("/ho", "me/kmiller/memdir")],
  ["machine-path", joined("/Us", "ers/kmiller/memdir")],
  ["machine-path", joined("C:\\Us", "ers\\kmiller\\memdir")],
  ["registry-host", joined("https://regi", "stry.npmjs.org/yaml")],
  ["registry-host", joined("https://npm.p", "kg.github.com/yaml")],
  ["e-mail", joined("kmiller", "@", "mail-company.com")],
  ["secret", joined("gh", "p_", "A1b2C3d4E5f6A1b2C3d4E5f6A1b2C3d4E5f6")],
  ["secret", joined("npm", "_", "A1b2C3d4E5f6A1b2C3d4E5f6A1b2C3d4E5f6")],
  ["secret", joined("github", "_pat_", "A1b2C3d4E5f6A1b2C3d4E5f6")],
  ["secret", joined("glp", "at-", "A1b2C3d4E5f6A1b2C3d4")],
  ["secret", joined("xo", "xb-", "1234567890-abcdef")],
  ["secret", joined("AK", "IA", "ABCDEFGHIJKLMNOP")],
  ["secret", joined("AI", "za", "A1b2C3d4E5f6A1b2C3d4E5f6A1b2C3d4E5f")],
  ["secret", joined("sk-", "ant-", "A1b2C3d4E5f6A1b2C3d4E5f6")],
  ["secret", joined("sk_", "live_", "A1b2C3d4E5f6A1b2")],
  ["secret", joined("-----BEGIN ", "RSA PRIVATE KEY-----")],
  ["secret", joined("ey", "JhbGciOiJIUzI1NiJ9.ey", "JzdWIiOiIxMjM0NTYifQ.abcdefghijklmnop")],
];

describe("the forbidden-text gate", () => {
  it("accepts a clean tree", () => {
    expect(checkText(plantTree(CLEAN))).toEqual({ checked: 4, findings: [] });
  });

  const pathOf = (text: string): string => `docs/${PLANTED.findIndex(([, planted]) => planted === text)}.md`;
  const files = PLANTED.map(([, text]) => [pathOf(text), `One line.\nSee ${text} for more.\n`] as const);
  const { findings } = checkText(plantTree(Object.fromEntries(files)));

  it.each(PLANTED)("rejects as %s: %s", (rule, text) => {
    expect(findings).toContainEqual(expect.objectContaining({ rule, path: pathOf(text), line: 2 }));
  });

  it("rejects the place of the checkout itself, wherever that is", () => {
    const root = plantTree({});
    writeFileSync(join(root, "place.md"), `One line.\nBuilt in ${root}/src.\n`);
    expect(checkText(root).findings).toContainEqual(
      expect.objectContaining({ rule: "machine-path", path: "place.md", line: 2 }),
    );
    expect(
      scan(
        "place.md",
        "Built in /check/build/memdir/src.",
        localRules([{ rule: "machine-path", text: "/check/build/memdir" }]),
      ),
    ).toMatchObject([{ rule: "machine-path", line: 1 }]);
  });

  it("rejects what names the machine it runs on, and no longer path that only ends alike", () => {
    const rules = localRules([
      { rule: "machine-path", text: "/data/builds/" },
      { rule: "registry-host", text: "packages.company.example" },
      { rule: "machine-path", text: "/home/dev/" },
    ]);
    const text = "from /data/builds/7\nvia packages.company.example\nsrc/data/builds/a.ts\n/home/dev/orders\n";
    expect(scan("a.md", text, rules)).toMatchObject([
      { rule: "machine-path", line: 1 },
      { rule: "registry-host", line: 2 },
    ]);
  });

  it("lets the demo's invented token stand in the demo session and nowhere else", () => {
    const text = `forget ${FAKE_TOKEN}\n`;
    expect(checkText(plantTree({ "demo/session.jsonl": text })).findings).toEqual([]);
    expect(checkText(plantTree({ "demo/README.md": text })).findings).toMatchObject([{ rule: "secret" }]);
  });

  it("never prints a whole secret", () => {
    const secret = joined("gh", "p_", "A1b2C3d4E5f6A1b2C3d4E5f6A1b2C3d4E5f6");
    const found = JSON.stringify(checkText(plantTree({ "a.txt": secret })).findings);
    expect(found).toContain("secret");
    expect(found).not.toContain(secret);
  });
});

describe("a gate as a command", () => {
  const run = (root: string, env: Readonly<Record<string, string>> = {}): number | null =>
    spawnSync(process.execPath, [join(PROJECT, "scripts/gates/forbidden-text.mjs"), root], {
      env: { ...process.env, ...env },
    }).status;

  it("exits 0 for a clean tree and 1 for a planted one", () => {
    expect(run(plantTree(CLEAN))).toBe(0);
    expect(run(plantTree({ "a.txt": joined("/tm", "p/notes") }))).toBe(1);
  });

  it("knows the home of whoever runs it", () => {
    const home = { HOME: "/data/people/kmiller", USERPROFILE: "/data/people/kmiller" };
    expect(run(plantTree({ "a.txt": "kept in /data/people/kmiller/notes\n" }), home)).toBe(1);
    expect(run(plantTree({ "a.txt": "kept in /data/people/jane/notes\n" }), home)).toBe(0);
  });
});
