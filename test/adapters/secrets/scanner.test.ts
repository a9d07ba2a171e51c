import { describe, expect, it } from "vitest";
import { createSecretScanner } from "../../../src/adapters/secrets/scanner.ts";

const secrets = createSecretScanner();
// Built at run time: the source must not contain the shape of a token.
const join = (...parts: readonly string[]): string => parts.join("");
const letters = (count: number): string => "aB3dE5fG7hJ9kL2mN4pQ6rS8tU1vW".repeat(4).slice(0, count);
const hex = (count: number): string => "0f1e2d3c4b5a69788796a5b4c3d2e1f0".repeat(3).slice(0, count);
const UUID = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
const alpha = (count: number): string => "AbCdEfGhIjKlMnOpQrStUvWxYz".repeat(3).slice(0, count);

describe("createSecretScanner", () => {
  it("leaves nothing behind in the process, so that the thousandth scan costs what the first does", async () => {
    for (let n = 0; n < 5; n++)
      expect((await secrets.scan(`deploy ${n} with ${join("gh", "p_", letters(36))}`)).length).toBe(1);
    expect(performance.getEntries().filter(({ name }) => /lint|rule|core/u.test(name))).toEqual([]);
  });

  it.each([
    ["Stripe", join("sk_", "live_", letters(24))],
    ["Google", join("AI", "za", letters(35))],
    ["JWT", join("ey", "J", letters(20), ".ey", "J", letters(24), ".", letters(30))],
    ["GitHub", join("gh", "p_", letters(36))],
    ["GitLab", join("gl", "pat-", letters(20))],
    ["Hugging Face", join("h", "f_", alpha(34))],
    ["npm", join("np", "m_", letters(36))],
    ["shortened npm", join("np", "m_", letters(20))],
    ["made-up npm", join("np", "m_FAKE0000", "DUMMY0000EXAMPLE00")],
    ["AWS pair", join("aws_secret_", "access_key = ", letters(40))],
    ["AWS key id", join("AK", "IA", "QWERTYUIOPASDFGH")],
    ["Azure", join("Account", "Key=", letters(60), "==")],
    ["Twilio", join("S", "K", hex(32))],
    ["Telegram", join("123456789", ":", letters(35))],
    ["Discord webhook", join("https://discord", ".com/api/web", "hooks/123456789012345678/", letters(40))],
    ["Slack", join("xo", "xb-123456789012-", letters(24))],
    ["Shopify", join("shp", "at_", hex(32))],
    ["Linear", join("lin_", "api_", letters(40))],
    ["Notion", join("nt", "n_12345678901", letters(35))],
    ["1Password", join("op", "s_ey", "J", letters(60))],
    ["age", join("AGE-", "SECRET-KEY-1", alpha(50).toUpperCase())],
    ["private key", join("-----BEGIN ", "RSA PRIVATE KEY-----\n", letters(60), "\n-----END RSA ", "PRIVATE KEY-----")],
    ["Postgres URL", join("postgres", "://app:", "hunter2secret", "@db.internal/shop")],
    ["MongoDB URL", join("mongodb+srv", "://app:", "pa55word99", "@cluster0.example.net")],
    ["URL with a dull password", join("ftps", "://admin:", "password", "@files.example.com/drop")],
    [
      "a URL with a password that begins like a placeholder",
      join("postgres", "://app:", "replaced4ever", "@db.internal/shop"),
    ],
    ["bearer header", join("Authorization: Bear", "er ", letters(30))],
    ["assigned password", join("pass", "word: ", "Tr0ub4dor&3")],
    ["passwd", join("pass", "wd=", "s3cr3tP4ss")],
    ["token in words", join("the tok", "en is ", "DUMMY-not-a-real-key-", "1234567890abcdef")],
    ["environment variable", join("DB_PASS", "WORD=", "x7Fq2LmZ")],
    ["database client variable", join("PGPASS", "WORD=", "orchard-tall")],
    ["passphrase", join("pass", "phrase = ", "walrus-orchard-copper")],
    ["camelCase password", join("dbPass", 'word: "', 'x7Fq2LmZ"')],
    ["npmrc", join("//npm.example.com/:_auth", "Token=", letters(30))],
    ["flag", join("deploy --pass", "word ", "x7Fq2LmZ!")],
    ["curl user", join("curl -s -u jane:", "orchard7 https://ci.example.com/api")],
    ["netrc", join("machine git.example.com login jane pass", "word orchard7")],
    ["session cookie", join("Cookie: lang=en; session", "id=", letters(32))],
    ["bcrypt hash", join("$2", "b$12$", letters(53))],
    ["German", join("das Passwort ", "ist Sommer2026!")],
    ["Chinese", join("密码", "是 Xk29fLq8")],
    ["Russian", join("пароль", ": Leto2026x")],
    ["Azure client", join("abc8", "Q~", letters(34))],
    ["Postman", join("PM", "AK-", hex(24), "-", hex(34))],
    ["New Relic", join("NR", "AK-", letters(27).toUpperCase())],
    ["Netlify", join("nf", "p_", letters(36))],
    ["Replicate", join("r", "8_", letters(37))],
    ["HubSpot", join("pat", "-na1-01234567-89ab-cdef-0123-456789abcdef")],
    ["Sourcegraph", join("sg", "p_", hex(40))],
    ["Square", join("sq0", "csp-", letters(43))],
    ["Mapbox", join("sk", ".ey", "J", letters(40), ".", letters(22))],
    ["Pinecone", join("pc", "sk_", letters(6), "_", letters(60))],
    ["LangSmith", join("lsv2", "_pt_", hex(32), "_", hex(10))],
    ["Sonar", join("sq", "u_", hex(40))],
    ["Terraform", join(letters(14), ".atlas", "v1.", letters(64))],
    ["curl with quotes", join('curl -u "jane:', 'orchard 77" https://ci.example.com')],
    ["curl without a name", join("curl --user ':", "orchard77' https://ci.example.com")],
    ["curl over several lines", join("curl -s \\\n  --user jane:", "orchard77 \\\n  https://ci.example.com")],
    ["raw Authorization", join("Authorization", ": ", letters(32))],
    ["Authorization with a scheme of its own", join("Authorization", ": SSWS 00", letters(40))],
    ["Api-Key header", join("Api-", "Key: ", hex(32))],
    ["X-Api-Key header", join('"X-Api', '-Key": "', letters(28), '"')],
    ["short Basic", join("Authorization: Basic ", btoa("jane:orchard"))],
    ["OpenShift", join("sha256", "~", letters(43))],
    ["UUID with =", join("ACME_KEY = ", UUID)],
    ["UUID with :=", join("acmeKey := ", UUID)],
    ["UUID with ?=", join("ACME_API_TOKEN ?= ", UUID)],
    ["UUID with ::=", join("acme-secret ::= ", UUID)],
    ["UUID in an object", join('"acme_access_key": "', UUID, '"')],
    ["*_LOGIN", join("SONAR_LOGIN=", hex(40))],
    ["*.LOGIN", join("sonar.login=", hex(40))],
    ["Bundler", join("BUNDLE_GEMS__EXAMPLE__COM: ", "0f1e2d3c:", "4b5a6978")],
    ["Sourcegraph with an instance", join("sg", "p_", hex(16), "_", hex(40))],
    ["Intra 42", join("s-s4t2", "ud-", hex(64))],
    ["Facebook app", join("1234567890123456", "|", letters(27))],
    ["1Password secret key", join("A", "3-ASWWYB-798JRYLJVD4-23DC2-86TVM-H43EB")],
    ["Okta", join("okta: ", "00", letters(40))],
    ["Supabase", join("sb", "_secret_", letters(31))],
    ["Rails", join("SECRET_KEY", "_BASE=", hex(64))],
    ["token in an address", join("https", "://", letters(32), "@git.example.com/shop.git")],
    ["kubeconfig", join("client-key", "-data: ", btoa(letters(60)))],
    ["docker login", join('"auths": {"ghcr.io": {"au', 'th": "', btoa("jane:orchard7"), '"}}')],
    ["apr1 hash", join("$ap", "r1$", "a1b2c3d4$", letters(22))],
    ["Slack cookie", join("xo", "xd-", letters(40))],
    ["DeepSeek", join("s", "k-", hex(32))],
    [
      "SSH2 private key",
      join(
        "---- BEGIN SSH2 ENCRYPTED ",
        "PRIVATE KEY ----\n",
        letters(60),
        "\n---- END SSH2 ENCRYPTED ",
        "PRIVATE KEY ----",
      ),
    ],
    ["token in base64", btoa(join("x", "\n", "gh", "p_", letters(36)))],
    ["private key in base64", btoa(join("-----BEGIN ", "RSA PRIVATE KEY-----\n", letters(60)))],
    ["bind pw", join("bind ", "pw: ", "Orch4rd!x")],
    ["aws secret in words", join("aws ", "secret ", letters(40))],
    ["password of something", join("the pass", "word of the staging db is ", "hunter2-Xy9!")],
    ["sshpass", join("ssh", "pass -p 'orchard7' ssh jane@db.example")],
    ["token with a zero-width space", join("gh", "p_", letters(9), "\u200B", letters(27))],
    ["token with a soft hyphen", join("gh", "p_", letters(9), "\u00AD", letters(27))],
    ["password compared with", join("if (pass", 'word == "', 'team10x")')],
    ["Grafana-like unknown vendor", join("zqv", "_live_", letters(32))],
    ["vendor without a list: name, word, value", join("zorbly ACCESS ", hex(32))],
    ["vendor without a list: joined", join("zorblySECRET=", hex(40))],
    ["vendor without a list: value alone behind its name", join("\nzorbly ", hex(40), "\n")],
  ])("finds a %s secret and where it stands", async (_name, secret) => {
    const text = `before ${secret} after`;
    const findings = await secrets.scan(text);
    expect(findings.length).toBeGreaterThan(0);
    for (const { start, end } of findings) {
      expect(start).toBeGreaterThanOrEqual("before ".length);
      expect(end).toBeLessThanOrEqual(text.length - " after".length);
      expect(end).toBeGreaterThan(start);
    }
  });

  it("hides the rest of a line that calls itself secret, and leaves the next one", async () => {
    const text = "This is strictly confidential: the margin is nine percent.\nTHIS IS SECRET B\nThe rest is public.";
    const findings = await secrets.scan(text);
    expect(findings.map(({ start, end }) => text.slice(start, end))).toEqual([
      "This is strictly confidential: the margin is nine percent.",
      "THIS IS SECRET B",
    ]);
  });

  it("returns ranges in order that do not overlap", async () => {
    const findings = await secrets.scan(`${join("np", "m_", letters(36))} and pass${join("word: ", "Tr0ub4dor&3")}`);
    expect(findings).toHaveLength(2);
    expect(findings[0]?.end).toBeLessThanOrEqual(findings[1]?.start ?? 0);
  });

  it.each([
    "",
    "The password is stored in 1Password, never in the repository.",
    "Use a token instead of logging in.",
    "password: <your password>",
    "token=process.env.API_TOKEN",
    "Set API_KEY=your_api_key in the environment.",
    "const token = await getToken(user);",
    "postgres://user:${DB_PASSWORD}@localhost/db",
    "See https://example.com/docs?page=2 for the token format.",
    "Commit 3f2a9c1d4e5b6a7f8091a2b3c4d5e6f708192a3b fixed it.",
    "The id is 123e4567-e89b-12d3-a456-426614174000.",
    join("postgres", "://app:", "REPLACE_WITH_PASSWORD", "@db.example.com/shop"),
    join("amqp", "://app:", "insert-your-password-here", "@localhost/shop"),
    join("redis", "://:", "change_me", "@localhost:6379"),
    "secret: required",
    "sha512-Z4FvY1mY0Q==",
    "Pass --token-budget 5000 and keep the secret santa list out of it.",
    "The passwordReset handler takes a resetToken parameter.",
    "curl -u $USER:$TOKEN https://ci.example.com",
    "Cookies: the session cookie lasts 30 days.",
    "das Passwort steht im Tresor",
    "This is a secret manager, and that is secret sharing.",
    "It is no secret that this is secret-scanning code.",
    "task-management and risk-assessment are fine words",
    "http://localhost:8080/path@v2",
    "see http://localhost:3000?ref=a@b and http://127.0.0.1:80#x@y",
    "docker run -u 1000:1000 alpine",
    join("originSessionId: ", UUID),
    join("commit ", hex(40)),
    join("- merge ", hex(40)),
    join("the primary key is ", UUID),
    join("AWS_KEY_ID=", hex(20)),
    join("AUTH0_DOMAIN=appman", "18922506.auth0.com"),
    join("sha256:", hex(64)),
    "Each carries its own private\n`TestSqliteConnectionFactory`",
    join("toolu_01", letters(22)),
    "the password field is labelled 'Password'",
    "this.addPassword = '#add-password';",
    "The access log of 2026-03-02T09:00:00Z shows 20260302T090000Z",
    "export default draft2020Vocabularies",
  ])("finds nothing in %j", async (text) => {
    expect(await secrets.scan(text)).toEqual([]);
  });
});
