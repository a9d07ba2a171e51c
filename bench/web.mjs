/**
 * npm run bench:web [-- --notes 10000]: the page of `memdir web` over generated notes, a thousand of them linked, in
 * Debian's Chromium: first paint, list, a key typed into search, scrolling, the graph, memory of the server. The
 * baseline is a page of one line from a bare server, in the same browser.
 */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { hasChromium, openBrowser } from "../scripts/browser.mjs";
import { COMMAND } from "../scripts/ensure-build.mjs";
import { servePage } from "../scripts/page-server.mjs";
import { makeNote, seeded } from "./synthetic-notes.mjs";

const { values } = parseArgs({ options: { notes: { type: "string", default: "10000" } } });
const size = Number(values.notes);
if (!Number.isInteger(size) || size < 10) {
  console.error("usage: npm run bench:web -- --notes NUMBER; a whole number from 10 on");
  process.exit(2);
}
if (!hasChromium) {
  console.error("bench:web needs Chromium: apt-get install chromium");
  process.exit(2);
}
const LINKED = 1_000;
const WORDS = "deploy staging";
const WATCHED_MS = 2_000;
const at = (times, share) => times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * share)];
const root = fs.mkdtempSync(path.join(os.tmpdir(), "memdir-web-"));

function makeStore() {
  const project = path.join(root, "notes");
  fs.mkdirSync(project);
  const random = seeded(7);
  const notes = Array.from({ length: size }, (_, number) => makeNote(random, number));
  const names = notes.map((note) => /^name: (.*)$/mu.exec(note)[1]);
  for (const [number, note] of notes.entries()) {
    const link = number < LINKED ? `\nSee [[${names[Math.floor(random() * Math.min(LINKED, size))]}]].\n` : "";
    fs.writeFileSync(path.join(project, `project_note_${number}.md`), note + link);
  }
  return project;
}

async function bareServer() {
  const server = http.createServer((_, response) => response.end("<!doctype html><title>bare</title><p>one line"));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, stop: () => server.close() };
}

/** Runs first in the page: records when the first row appears, and how long each key takes until painted. */
function watch() {
  globalThis.keys = [];
  const look = () => {
    if (document.querySelector(".row") === null) requestAnimationFrame(look);
    else globalThis.listed ??= performance.now();
  };
  requestAnimationFrame(look);
  addEventListener(
    "keydown",
    ({ timeStamp }) =>
      requestAnimationFrame(() => setTimeout(() => globalThis.keys.push(performance.now() - timeStamp))),
    true,
  );
}

const firstPaint = async (page) => {
  for (let tries = 0; tries < 100; tries++) {
    const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
    if (paint !== undefined) return paint;
    await page.waitForTimeout(20);
  }
  return Number.NaN;
};

/** Milliseconds between frames while something moves. */
async function frames(page, move) {
  await page.evaluate((ms) => {
    globalThis.intervals = [];
    let before = performance.now();
    const until = before + ms;
    const next = (now) => {
      globalThis.intervals.push(now - before);
      before = now;
      if (now < until) requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  }, WATCHED_MS);
  const until = performance.now() + WATCHED_MS;
  while (performance.now() < until) await move();
  const times = (await page.evaluate(() => globalThis.intervals)).slice(1);
  return { p50: at(times, 0.5), p95: at(times, 0.95), worst: at(times, 1) };
}

function mostMemory(pid) {
  return Number(/VmHWM:\s+(\d+)/u.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;
}

async function measure(context, served) {
  const page = await context.newPage();
  await page.addInitScript(watch);
  await page.goto(served.url);
  await page.waitForFunction(() => globalThis.listed !== undefined, undefined, { timeout: 120_000 });
  const paint = await firstPaint(page);
  const listed = await page.evaluate(() => globalThis.listed);
  await page.locator("input[type=search]").first().click();
  for (const key of WORDS) await page.keyboard.press(key === " " ? "Space" : key);
  await page.waitForFunction((count) => globalThis.keys.length >= count, WORDS.length);
  const keys = await page.evaluate(() => globalThis.keys);
  for (let letter = 0; letter < WORDS.length; letter++) await page.keyboard.press("Backspace");
  await page.locator(".row").first().hover();
  const scrolled = await frames(page, () => page.mouse.wheel(0, 400));
  const list = mostMemory(served.pid);
  await page.evaluate(() => (location.hash = "#/links"));
  await page.waitForSelector("canvas", { timeout: 120_000 });
  const graph = await frames(page, () => page.mouse.move(400 + Math.random() * 200, 300));
  return { paint, listed, keys, scrolled, graph, memory: { list, all: mostMemory(served.pid) } };
}

const shown = ({ p50, p95, worst }) => `p50 ${p50.toFixed(0)}, p95 ${p95.toFixed(0)}, worst ${worst.toFixed(0)} ms`;
const { context, close } = await openBrowser({ viewport: { width: 1440, height: 900 } });
const bare = await bareServer();
const project = makeStore();
const environment = { HOME: path.join(root, "home"), PATH: process.env.PATH };
try {
  const page = await context.newPage();
  await page.goto(bare.url);
  const baseline = await firstPaint(page);
  // In practice the index already exists: a hook or an earlier command has made it.
  execFileSync(process.execPath, [COMMAND, "status", "--dir", project], { env: environment, stdio: "ignore" });
  const served = await servePage({ project, environment, args: ["--dir", project] });
  const result = await measure(context, served);
  await served.stop();
  const browser = context.browser()?.version() ?? "Chromium";
  console.log(
    `memdir web with ${size} notes: Node ${process.versions.node}, ${browser}, ${os.cpus()[0]?.model ?? "?"} x ${os.cpus().length}, load ${os.loadavg()[0].toFixed(1)}`,
  );
  console.log(
    `first paint             ${result.paint.toFixed(0)} ms (bare page ${baseline.toFixed(0)} ms; wanted 300)`,
  );
  console.log(`list usable             ${result.listed.toFixed(0)} ms (wanted 1,000)`);
  console.log(
    `a key of search         p50 ${at(result.keys, 0.5).toFixed(0)}, worst ${at(result.keys, 1).toFixed(0)} ms (wanted 30)`,
  );
  console.log(`between two frames, scrolling the list      ${shown(result.scrolled)}`);
  console.log(`between two frames, graph of ${Math.min(LINKED, size)} linked notes  ${shown(result.graph)}`);
  console.log(
    `most memory of the server  ${result.memory.list.toFixed(0)} MB with the list, ${result.memory.all.toFixed(0)} MB with links (wanted 160)`,
  );
} finally {
  bare.stop();
  await close();
  fs.rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
}
