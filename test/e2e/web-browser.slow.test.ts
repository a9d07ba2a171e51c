import { execFileSync } from "node:child_process";
import fs from "node:fs";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { hasChromium, openBrowser, VIEWS } from "../../scripts/browser.mjs";
import { COMMAND } from "../../scripts/ensure-build.mjs";
import { servePage } from "../../scripts/page-server.mjs";
import { agentNote } from "../support/dream-store.ts";
import { emptyHome } from "../support/cli.ts";
import { scratch } from "../support/scratch.ts";

if (!hasChromium)
  process.stderr.write(
    "\nSKIPPED: the page was not tested with its server, /usr/bin/chromium is missing (apt-get install chromium)\n\n",
  );

const HOSTILE = `<script>window.ran = 1</script><img src=x onerror="window.ran = 2"> [click](javascript:window.ran=3)
![beacon](https://attacker.example/pixel.png) \u202eturned`;

/** The page as people have it: the built command as a process, its notes in a directory with spaces and umlauts. */
describe.skipIf(!hasChromium)("the page over its own server", { timeout: 120_000 }, () => {
  let browser: { readonly context: BrowserContext; readonly close: () => Promise<void> };
  let page: Page;
  let complaints: string[];
  let notes: string;
  let served: Awaited<ReturnType<typeof servePage>> | undefined;
  let environment: Record<string, string | undefined>;

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
  });
  beforeEach(async () => {
    const root = scratch();
    environment = emptyHome(root);
    notes = `${root}/Jané Döe/my notes`;
    fs.mkdirSync(notes, { recursive: true });
    const write = (name: string, body: string, day = "2026-01-12"): void =>
      fs.writeFileSync(`${notes}/project_${name}.md`, agentNote(name, body, day));
    write("importer-old", "The importer service listens on port 4017.");
    write("importer-new", "The importer service listens on port 4250.", "2026-02-02");
    write("staging-region", "The staging cluster runs in eu-west-1 with three nodes.");
    write("staging-nodes", "The staging cluster runs in eu-west-1 with three nodes.", "2026-01-13");
    for (const thing of ["mailer", "search", "ledger", "archive"]) write(thing, `The ${thing} is looked after by Ann.`);
    fs.writeFileSync(`${notes}/project_hostile.md`, agentNote("hostile", `hostile note\n\n${HOSTILE}`, "2026-01-12"));
    complaints = [];
    page = await browser.context.newPage();
    page.on("console", (message) => {
      if (message.type() === "error" || /Content Security Policy|Trusted/u.test(message.text()))
        complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    page.setDefaultTimeout(30_000);
  });
  afterEach(async () => {
    await page.close();
    await served?.stop();
  });

  function memdir(...args: readonly string[]): string {
    return execFileSync(process.execPath, [COMMAND, ...args, "--dir", notes], {
      cwd: notes,
      env: environment,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  }
  async function open(hash = "#/notes"): Promise<void> {
    served = await servePage({ project: notes, environment, args: ["--dir", notes] });
    await page.goto(served.url);
    await page.waitForSelector(".row");
    await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  }
  const read = (name: string): string => fs.readFileSync(`${notes}/project_${name}.md`, "utf8");
  const noteAt = (name: string): string => `#/notes/${encodeURIComponent(`project:project_${name}.md`)}`;
  const button = (name: string | RegExp) => page.getByRole("button", { name }).first();

  it("shows every view without an error, and runs nothing of a hostile note", async () => {
    memdir("recall", "which port does the importer listen on?", "--session", "s-1", "--raw");
    await open();
    for (const hash of Object.values(VIEWS)) {
      const address = hash.replace("#/notes/{note}", noteAt("hostile")).replace("{session}", "s-1");
      await page.evaluate(`location.hash = ${JSON.stringify(address)}`);
      await page.waitForSelector("h1, .note-title");
      await expect.poll(() => page.evaluate("document.querySelector('.loading, .prose.waiting') === null")).toBe(true);
      expect([address, await page.locator(".failure").count()]).toEqual([address, 0]);
    }
    expect(await page.evaluate("window.ran")).toBeUndefined();
    expect(complaints).toEqual([]);
  });

  it("says why a note was recalled: the prompt, its score, and the words that it has", async () => {
    memdir("recall", "which port does the importer listen on?", "--session", "s-1", "--raw");
    await open(noteAt("importer-new"));
    await page.locator(".recalls .prompt a").first().click();
    await page.waitForSelector(".candidate");
    const candidate = page.locator(".candidate", { hasText: "importer-new" }).first();
    expect(await candidate.innerText()).toMatch(/has[\s\S]*importer/u);
  });

  it("writes an edit to the file, and shows both texts where an editor wrote in between", async () => {
    await open(noteAt("mailer"));
    await button(/^Edit/u).click();
    const before = await page.locator(".edit textarea").inputValue();
    await page.locator(".edit textarea").fill(before.replaceAll("by Ann", "by Ben"));
    await page.locator(".edit button[type=submit]").click();
    await page.waitForSelector(".toast.done");
    expect(read("mailer")).toContain("is looked after by Ben");
    await button(/^Edit/u).click();
    await page.locator(".edit textarea").fill(read("mailer").replaceAll("by Ben", "by Cid"));
    fs.writeFileSync(`${notes}/project_mailer.md`, read("mailer").replaceAll("by Ben", "by Dora"));
    await page.locator(".edit button[type=submit]").click();
    await page.waitForSelector("dialog .diff");
    expect(await page.locator("dialog").innerText()).toContain("by Dora");
    expect(read("mailer")).toContain("by Dora");
  });

  it("settles a contradiction: the one that holds supersedes the other", async () => {
    await open("#/conflicts");
    await button("Look for contradictions").click();
    await page.waitForSelector(".conflict");
    const side = page.locator(".side", { hasText: "4250" });
    await side.getByRole("button").first().click();
    await page.waitForSelector(".toast.done");
    await page.waitForSelector(".conflict .tag.good");
    expect(await page.locator(".conflict button:enabled").count()).toBe(0);
    expect(read("importer-old")).toMatch(/superseded[-_ ]?by/iu);
    expect(read("importer-new")).not.toMatch(/superseded[-_ ]?by/iu);
  });

  it("takes a dream back: the files are what they were", async () => {
    const texts = (): string =>
      fs
        .readdirSync(notes)
        .filter((name) => name.startsWith("project_"))
        .map((name) => fs.readFileSync(`${notes}/${name}`, "utf8"))
        .join("\n");
    const before = texts();
    memdir("dream", "--apply");
    expect(texts()).not.toBe(before);
    await open("#/dreams");
    await button("Take this dream back").click();
    await page.waitForSelector(".toast.done");
    expect(texts()).toBe(before);
    await page.waitForSelector(".dream .tag.warn");
  });

  it("types into the text at once, and beside it no key changes a note while it is edited", async () => {
    await open(noteAt("mailer"));
    const before = read("mailer");
    await page.waitForSelector(".actions");
    await page.keyboard.press("e");
    await page.waitForSelector(".edit textarea:focus");
    await page.evaluate("document.activeElement.blur()");
    await page.keyboard.type("pjpu");
    expect(await page.locator(".edit textarea").count()).toBe(1);
    expect(await page.evaluate("location.hash")).toBe(noteAt("mailer"));
    expect(read("mailer")).toBe(before);
  });

  it("brings a removed note back from the message that says it is removed", async () => {
    await open(noteAt("ledger"));
    const before = read("ledger");
    await page.locator(".menu summary").click();
    await button("Remove").click();
    await page.waitForSelector(".toast.done");
    expect(fs.existsSync(`${notes}/project_ledger.md`)).toBe(false);
    await page.locator(".toast button", { hasText: "Undo" }).first().click();
    await expect.poll(() => fs.existsSync(`${notes}/project_ledger.md`)).toBe(true);
    expect(read("ledger")).toBe(before);
  });

  it("searches notes with / from every view", async () => {
    await open("#/timeline");
    await page.waitForSelector("h1");
    await page.keyboard.press("/");
    await page.waitForSelector(".filters input[type=search]:focus");
    expect(await page.evaluate("location.hash")).toBe("#/notes");
  });

  it("tells what was given from what was only considered", async () => {
    memdir("recall", "which port does the importer service listen on in the cluster?", "--session", "s-1", "--raw");
    await open(noteAt("staging-region"));
    const section = (title: string) => page.locator("section", { hasText: new RegExp(`^${title}`, "u") });
    await expect.poll(() => section("Considered, not given").count()).toBe(1);
    expect(await section("Recalled").innerText()).toContain("Never");
  });

  it("loses nothing when its process is killed: what was typed stays, and no file is cut", async () => {
    await open(noteAt("search"));
    await button(/^Edit/u).click();
    const typed = (await page.locator(".edit textarea").inputValue()).replaceAll("by Ann", "by Eve");
    await page.locator(".edit textarea").fill(typed);
    if (served !== undefined) process.kill(served.pid ?? 0, "SIGKILL");
    await page.waitForSelector(".banner");
    expect(await page.locator(".edit textarea").inputValue()).toBe(typed);
    expect(read("search")).toContain("by Ann");
    await page.locator(".edit button[type=submit]").click();
    await page.waitForSelector(".toast.failed");
    expect(await page.locator(".edit textarea").inputValue()).toBe(typed);
  });
});
