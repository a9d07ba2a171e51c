import { describe, expect, it } from "vitest";
import { createSecretScanner } from "../../../src/adapters/secrets/scanner.ts";
import { loggedPrompt } from "../../../src/core/recall/log-line.ts";
import { holdsToken, maskLines, redactTokens, safeId } from "../../../src/core/shared/sanitize.ts";
import { PLANTED_SECRETS } from "../../support/planted-secrets.ts";

/** Joined from parts: nothing here is, or may look like, a secret of anybody's. */
const SECRETS: readonly string[] = [
  ["gh", "p_", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"].join(""),
  ["github", "_pat_", "11ABCDEFG0aB3dE5fG7hJ9_kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE"].join(""),
  ["AK", "IA", "Q3EGRZ7XKD2LM5NP"].join(""),
  ["sk", "-ant-", "api03-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY"].join(""),
  ["xo", "xb-", "123456789012-aB3dE5fG7hJ9"].join(""),
  ["ey", "JhbGciOiJIUzI1NiJ9", ".", "eyJzdWIiOiIxMjM0NTY3ODkwIn0", ".", "dozjgNryP4J3jVmNHl0w5N"].join(""),
  ["gl", "pat-", "aB3dE5fG7hJ9kL1mN3pQ"].join(""),
  ["n", "pm_", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"].join(""),
  ["AI", "za", "SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q"].join(""),
];

describe("redacting tokens", () => {
  it.each(SECRETS.map((secret, index) => [index, secret] as const))(
    "takes token %i out and leaves the words around it",
    (_, secret) => {
      const text = redactTokens(`please deploy with ${secret} to staging`);
      expect(text).toBe("please deploy with [redacted] to staging");
    },
  );

  it.each(PLANTED_SECRETS)("leaves nothing of a $name in the log of recalls, and the words around it", (planted) => {
    const logged = loggedPrompt(`please look at this first\n${planted.text}\nand then deploy`);
    expect(logged).not.toContain(planted.secret);
    expect(logged).not.toContain(planted.secret.slice(0, 12));
    expect(logged).toMatch(/^please look at this first\n[^]*\[redacted\][^]*and then deploy$/u);
  });

  it("takes out what a label gives away, and the password of an address", () => {
    expect(redactTokens(`the password is ${"hunter"}${"2x"} there`)).toBe("the password is [redacted] there");
    expect(redactTokens(`API_KEY=${"correct"}${"horse"}`)).toBe("API_KEY=[redacted]");
    expect(redactTokens(`postgres://jane:${"s3cr"}${"et!"}@db.example.com/orders`)).toBe(
      "postgres://jane:[redacted]@db.example.com/orders",
    );
  });

  it("takes out a private key, whole or torn off", () => {
    const key = `-----BEGIN ${"PRIVATE KEY"}-----\nMIIEvQIBADANBg\n`;
    expect(redactTokens(`here:\n${key}-----END PRIVATE KEY-----\nthanks`)).toBe("here:\n[redacted]\nthanks");
    expect(redactTokens(`here:\n${key}`)).toBe("here:\n[redacted]");
  });

  it.each([
    "write integration tests for the order import",
    "the token is expired, refresh it in src/core/auth/refresh-token.ts",
    "rename parse_order_lines_from_csv_file to readOrderLines",
    "why does the nightly job of 2026-03-02T09:00:00Z fail?",
    "Jané Döe fragt: wann ist der Umzug? 集成测试必须使用真实数据库",
  ])("leaves %j as it is", (prompt) => {
    expect(redactTokens(prompt)).toBe(prompt);
  });

  it("leaves nothing that the secret scanner would stop", async () => {
    const left = redactTokens(SECRETS.join("\n"));
    expect(await createSecretScanner().scan(left)).toEqual([]);
  });

  it("stays fast on what could make a pattern wander", () => {
    const started = performance.now();
    for (const text of [
      "a".repeat(50_000),
      "pass".repeat(20_000),
      "://a:".repeat(20_000),
      "-----BEGIN ".repeat(5000),
      "A1b".repeat(20_000),
    ])
      redactTokens(text);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

const HEX = "0123456789abcdef";

describe("what only looks like a secret", () => {
  it.each([
    ["a hash", `run of ${HEX}${HEX}`, "run of [redacted]"],
    ["letters and digits at random", `the one in ${"aB3dE5fG7hJ9"}${"kL1mN3pQ"}`, "the one in [redacted]"],
    [
      "a value that was said, with a sign in it",
      `the password is ${"correct"}-${"horse"}.`,
      "the password is [redacted]",
    ],
    ["the same before a word", `the password is ${"correct"}-${"horse"} now`, "the password is [redacted] now"],
  ])("goes from a log: %s", (_name, text, left) => {
    expect(redactTokens(text)).toBe(left);
  });

  it.each([
    "the token is expired. Renew it",
    "call map(token => parsed) once",
    "see build-2026-03-02-nightly-europe-west",
    "read_the_tokens_from_2_files_in_here",
  ])("is no word of %j", (text) => {
    expect(redactTokens(text)).toBe(text);
  });

  it("is blotted out letter by letter, whatever stands around it", () => {
    const [one, other] = [SECRETS[0] ?? "", SECRETS[2] ?? ""];
    expect(maskLines(`use ${one},\nthen ${other} and ${HEX}${HEX} too`)).toBe(
      `use ${"•".repeat(one.length)},\nthen ${"•".repeat(other.length)} and ${"•".repeat(32)} too`,
    );
  });
});

describe("an id that is to be written down", () => {
  const made = ["3f2a9c1d-4e5b-6f7a-8091-a2b3c4d5e6f7", "ses_0123456789abABCDEFGHIJKLMN"];

  it.each([...made, "chatcmpl-aB3dE5fG7hJ9kL1mN3pQ5rS7", "session-12", "run-3f2a9c1d4e5b6f7a8091a2b3c4d5e6f7"])(
    "stays %s, as a client made it",
    (id) => {
      expect(holdsToken(id)).toBe(false);
      expect(safeId(id)).toBe(id);
    },
  );

  it.each([...SECRETS, `token=${"correct"}${"horse"}`, `${made[0]} password=${"correct"}${"horse"}`])(
    "becomes a hash where it holds a token (%#), the same each time and another one for another id",
    (id) => {
      const safe = safeId(id);
      expect(safe).toMatch(/^hidden-[0-9a-f]{24}$/u);
      expect(safeId("session-12")).toBe("session-12");
      expect(safeId(id)).toBe(safe);
      expect(safeId(`${id}x`)).not.toBe(safe);
    },
  );
});
