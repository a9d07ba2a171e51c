/**
 * `npm run shots -- DIR`: pictures of every view, light and dark, at three widths, from the real page over the notes that
 * `memdir demo` leaves. `--docs` also draws docs/web-light.png and docs/web-dark.png.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CHROMIUM, hasChromium, openBrowser, VIEWS } from "./browser.mjs";
import { COMMAND, ensureBuild, ROOT } from "./ensure-build.mjs";
import { servePage } from "./page-server.mjs";

const WIDTHS = [320, 768, 1440];
const NOTES = [
  [
    "feedback",
    "Tests use the real database",
    "Integration tests run against PostgreSQL in Docker, never against mocks.\n\n**Why:** the mocked tests were green while the migration failed in production.\n\n**How to apply:**\n\n- Start it with `make db`; each test file gets a schema of its own.\n- See [[Migrations run by hand]].",
  ],
  [
    "project",
    "Migrations run by hand",
    "Migrations are started by hand after the deploy, with `make migrate`. See [[Who owns checkout]].",
  ],
  [
    "project",
    "Importer listens on port 4250",
    "The importer service listens on port 4250 in every environment. See [[Who owns checkout]].",
  ],
  ["reference", "Who owns checkout", "The checkout belongs to the shop team; ask in #checkout."],
  ["user", "Prefers short answers", "Answers in a few lines; details only when asked for."],
  ["feedback", "No default exports", "Named exports only: a rename stays visible in a review."],
  [
    "project",
    "Freeze before Black Friday",
    "No deploys from 23 to 30 November without Ana. See [[Migrations run by hand]].",
  ],
  ["reference", "Error dashboard", "Errors of the checkout are in Grafana, board checkout-errors."],
];
const PROMPTS = [
  "write integration tests for the importer",
  "which port does the importer listen on?",
  "who owns the checkout?",
];

/** A project with notes, recalls and a pin, made by the command itself. */
function demoStore(home) {
  const project = join(home, "shop");
  mkdirSync(project, { recursive: true });
  const environment = { HOME: home, PATH: process.env.PATH, NO_COLOR: "1" };
  const run = (...args) =>
    execFileSync(process.execPath, [COMMAND, ...args], { cwd: project, env: environment, encoding: "utf8" });
  for (const [type, name, text] of NOTES) run("remember", text, "--name", name, "--type", type, "--beside");
  run("pin", NOTES[0][1]);
  for (const [at, prompt] of PROMPTS.entries()) run("recall", prompt, "--session", `session-${at + 1}`, "--raw");
  return { project, environment };
}

async function settled(page) {
  const open = ".loading, .prose.waiting, .working";
  for (let tries = 0; tries < 100; tries += 1) {
    await page.waitForTimeout(150);
    if (await page.evaluate(`document.querySelector(${JSON.stringify(open)}) === null`)) return;
  }
}

async function visit(page, hash) {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  await settled(page);
  const start = page.getByRole("button", { name: /^(?:Check now|Look for contradictions)$/u });
  if ((await start.count()) > 0) {
    await start.click();
    await page.waitForSelector(".checked", { timeout: 60_000 });
  }
}

async function addresses(page) {
  await page.waitForSelector(".row");
  const note = await page.locator(".row", { hasText: NOTES[0][1] }).first().getAttribute("href");
  return Object.entries(VIEWS).map(([name, hash]) => [
    name,
    hash.replace("#/notes/{note}", note ?? "#/notes").replace("{session}", "session-1"),
  ]);
}

async function draw(page, directory) {
  const complaints = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  for (const [name, hash] of await addresses(page)) {
    await visit(page, hash);
    for (const colorScheme of ["light", "dark"])
      for (const width of WIDTHS) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await page.setViewportSize({ width, height: width === 320 ? 700 : 900 });
        await settled(page);
        await page.screenshot({ path: join(directory, `${name}-${width}-${colorScheme}.png`) });
      }
  }
  return complaints;
}

/** Two for the documents: a note in light, what would be recalled in dark. */
async function drawForDocs(page) {
  const views = Object.fromEntries(await addresses(page));
  await page.setViewportSize({ width: 1200, height: 720 });
  for (const [colorScheme, view] of [
    ["light", "note"],
    ["dark", "ask"],
  ]) {
    await visit(page, views[view]);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await settled(page);
    await page.screenshot({ path: join(ROOT, "docs", `web-${colorScheme}.png`) });
  }
}

if (!hasChromium) throw new Error(`${CHROMIUM} is missing: apt-get install chromium`);
await ensureBuild();
const directory = process.argv.slice(2).find((word) => !word.startsWith("--")) ?? join(ROOT, ".bench", "shots");
mkdirSync(directory, { recursive: true });
const home = mkdtempSync(join(tmpdir(), "memdir-shots-"));
const { url, stop } = await servePage(demoStore(home));
const { context, close } = await openBrowser();
try {
  const page = await context.newPage();
  await page.goto(url);
  await page.setViewportSize({ width: 1440, height: 900 });
  if (process.argv.includes("--docs")) await drawForDocs(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  if (!process.argv.includes("--only-docs")) {
    await page.evaluate('location.hash = "#/notes"');
    const complaints = await draw(page, directory);
    process.stdout.write(`${directory}\n${complaints.map((one) => `console: ${one}\n`).join("")}`);
  }
} finally {
  await close();
  await stop();
  // A detached process of the last command may still write its last line.
  rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
}
