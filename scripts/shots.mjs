/**
 * `npm run shots [-- DIR]`: pictures of every view, light and dark, at three widths, from the real page over the memory
 * that `filled-memory.mjs` creates. `--docs`, which npm passes, also draws docs/web-light.png and docs/web-dark.png.
 */
import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CHROMIUM, hasChromium, openBrowser, VIEWS } from "./browser.mjs";
import { ensureBuild, ROOT } from "./ensure-build.mjs";
import { emptyMemory, fillMemory, NOTES } from "./filled-memory.mjs";
import { servePage } from "./page-server.mjs";

const WIDTHS = [320, 768, 1440];
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

/** Two pictures for the documents: a note in light mode, and what would be recalled in dark mode. */
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
const { url, stop } = await servePage(fillMemory(home));
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
  emptyMemory(home);
}
