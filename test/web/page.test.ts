import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { hasChromium, openBrowser, VIEWS } from "../../scripts/browser.mjs";
import { buildPage } from "../../scripts/web.mjs";
import { demoNotes } from "../support/page-data.mjs";
import { pageMemory, servePage } from "../support/page-server.mjs";

const ROOT = join(import.meta.dirname, "..", "..");
const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const WIDTHS = [320, 768, 1440];
const NOTE = "project:feedback_0.md";

if (!hasChromium)
  process.stderr.write(
    "\nSKIPPED: the page was not tested, /usr/bin/chromium is missing (apt-get install chromium)\n\n",
  );

const addressOf = (hash: string): string =>
  hash.replace("{note}", encodeURIComponent(NOTE)).replace("{session}", "s-c41f2");

describe.skipIf(!hasChromium)("the page", () => {
  let browser: { readonly context: BrowserContext; readonly close: () => Promise<void> };
  let directory: string;
  let output: string;
  let page: Page;
  let complaints: string[];
  let served: Awaited<ReturnType<typeof servePage>> | undefined;

  beforeAll(async () => {
    output = mkdtempSync(join(tmpdir(), "page-"));
    await buildPage(ROOT, output);
    directory = join(output, "web");
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    rmSync(output, { recursive: true, force: true });
  });
  beforeEach(async () => {
    complaints = [];
    page = await browser.context.newPage();
    page.on("console", (message) => {
      if (message.type() === "error" || /Content Security Policy|Trusted/u.test(message.text()))
        complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    page.setDefaultTimeout(15_000);
  });
  afterEach(async () => {
    await page.close();
    await served?.stop();
    served = undefined;
  });

  async function open(memory: ReturnType<typeof pageMemory>, hash = "#/notes"): Promise<void> {
    served = await servePage(directory, memory);
    await page.goto(served.url);
    await page.waitForSelector(".rail nav", { state: "attached" });
    await goTo(hash);
  }
  async function goTo(hash: string): Promise<void> {
    await page.evaluate(`location.hash = ${JSON.stringify(addressOf(hash))}`);
    await settled();
  }
  /** No view is still loading, lazy parts included. */
  async function settled(): Promise<void> {
    await page.evaluate("new Promise((then) => requestAnimationFrame(() => setTimeout(then)))");
    await until("document.querySelector('.loading, .prose.waiting') === null");
  }
  /** The policy of the page forbids the evaluation of strings that `waitForFunction` needs. */
  async function until(expression: string): Promise<void> {
    await expect.poll(() => page.evaluate(expression), { timeout: 15_000, interval: 25 }).toBe(true);
  }
  const text = (selector: string): Promise<string> => page.locator(selector).first().innerText();
  const overflow = (): Promise<unknown> =>
    page.evaluate(
      "[...document.querySelectorAll('html, main, .note-pane')].filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.className || one.tagName)",
    );

  async function violations(): Promise<string[]> {
    const found = await page.evaluate(
      "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes.slice(0, 2).map(({ html, failureSummary }) => html.slice(0, 160) + failureSummary.slice(0, 200)).join(' | ')))",
    );
    return Array.isArray(found) ? found.map(String) : ["axe did not answer"];
  }

  it.each(Object.entries(VIEWS))(
    "shows %s in light and dark at three widths, readable for all and without sideways scrolling",
    async (_name, hash) => {
      await open(pageMemory(), hash);
      // Evaluated, not added as a script: the policy of the page forbids foreign scripts.
      await page.evaluate(readFileSync(AXE, "utf8"));
      for (const colorScheme of ["light", "dark"] as const)
        for (const width of WIDTHS) {
          await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
          await page.setViewportSize({ width, height: 800 });
          await settled();
          const where = `${colorScheme} ${width}`;
          expect([where, await overflow()]).toEqual([where, []]);
          expect([where, width === 768 ? [] : await violations()]).toEqual([where, []]);
        }
      expect(complaints).toEqual([]);
    },
  );

  it("goes through all views with the keyboard only", async () => {
    await open(pageMemory());
    await page.waitForSelector(".row");
    await page.keyboard.press("j");
    await page.waitForSelector(".note-title");
    const first = await text(".note-title");
    await page.keyboard.press("j");
    await until(`document.querySelector(".note-title").innerText !== ${JSON.stringify(first)}`);
    await page.keyboard.press("[");
    await page.waitForSelector(".version-texts .diff");
    await page.keyboard.press("]");
    await page.waitForSelector(".version-texts", { state: "detached" });
    await page.keyboard.press("/");
    await until('document.activeElement.type === "search"');
    await page.keyboard.type("4250");
    await until('document.querySelectorAll(".row").length === 1');
    await page.keyboard.press("Escape");
    for (const [key, title] of Object.entries({
      a: "Ask",
      r: "Review",
      x: "Conflicts",
      t: "Timeline",
      s: "Sessions",
      d: "Dreams",
      l: "Links",
      k: "Skills",
      y: "Sync",
      h: "Health",
      c: "Cost",
      n: "Notes",
    })) {
      await page.keyboard.press("g");
      await page.keyboard.press(key);
      await until(`document.querySelector("h1")?.innerText === ${JSON.stringify(title)}`);
    }
    await page.keyboard.press("?");
    await page.waitForSelector("dialog[open]");
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog", { state: "detached" });
    expect(complaints).toEqual([]);
  });

  it("leaves single keys alone where they are switched off, and never takes them from a field", async () => {
    const memory = pageMemory();
    await open(memory, VIEWS.note);
    await page.keyboard.press("?");
    await page.locator(".check input").uncheck();
    await page.keyboard.press("Escape");
    await page.keyboard.press("p");
    await page.locator(".search input").fill("");
    await page.locator(".search input").press("p");
    await until('document.querySelector(".search input").value === "p"');
    expect(memory.sent).toEqual([]);
  });

  it("sends the hash that was seen, and shows both texts where another wrote in between", async () => {
    const memory = pageMemory();
    memory.answers["POST revise"] = (body: { readonly seen: string }) =>
      body.seen === "aa0"
        ? {
            status: 409,
            body: {
              error: { code: "conflict", message: "The note was changed." },
              conflict: { id: NOTE, yours: "my own words", theirs: "words of another", version: "later" },
            },
          }
        : { status: 200, body: { outcome: "written", says: "Saved.", version: "new" } };
    await open(memory, VIEWS.note);
    await page.waitForSelector(".actions");
    await page.keyboard.press("e");
    await page.locator(".edit textarea").fill("my own words");
    await page.locator(".edit button[type=submit]").click();
    await page.waitForSelector("dialog .diff");
    expect(await text("dialog .diff .added")).toContain("my own words");
    expect(await text("dialog .diff .removed")).toContain("words of another");
    await page.getByRole("button", { name: "Do mine anyway" }).click();
    await page.waitForSelector(".toast.done");
    expect(memory.sent.map(({ body }) => body)).toEqual([
      { id: NOTE, seen: "aa0", text: "my own words" },
      { id: NOTE, seen: "later", text: "my own words" },
    ]);
  });

  it("undoes where there is something to undo, says what, and takes a refusal away with its view", async () => {
    const memory = pageMemory();
    memory.answers["POST undo"] = { status: 422, body: { error: { code: "stale", message: "It is too late." } } };
    const undo = page.getByRole("button", { name: /^Undo/u });
    const isPinned = (pinned: boolean) => demoNotes().find((note) => (note.pinned === true) === pinned)?.id ?? "none";
    await open(memory, `#/notes/${encodeURIComponent(isPinned(false))}`);
    await page.waitForSelector(".actions");
    expect([await undo.isDisabled(), await undo.getAttribute("title")]).toEqual([true, "Nothing to take back"]);
    await page.keyboard.press("u");
    expect(memory.sent).toEqual([]);
    await goTo(`#/notes/${encodeURIComponent(isPinned(true))}`);
    await until("document.querySelector('.actions [title=\"Do again: pinned\"]:enabled') !== null");
    await page.keyboard.press("u");
    await page.waitForSelector(".toast.failed");
    await goTo("#/timeline");
    await until("document.querySelector('.toast') === null");
  });

  it("closes the menu of a small screen with Esc and when the address changes, and counts what waits there", async () => {
    await page.setViewportSize({ width: 375, height: 700 });
    await open(pageMemory(), VIEWS.review);
    const menu = page.locator(".menu-button");
    expect(await text(".menu-button .badge")).toMatch(/^\d/u);
    await menu.click();
    await page.waitForSelector(".rail.open");
    await page.keyboard.press("Escape");
    await until("document.querySelector('.rail.open') === null");
    await menu.click();
    await page.waitForSelector(".rail.open");
    await goTo("#/cost");
    await until("document.querySelector('.rail.open') === null");
  });

  it("judges a proposal with a and with r, as it was seen", async () => {
    const memory = pageMemory();
    await open(memory, VIEWS.review);
    await page.waitForSelector(".proposal.current");
    await page.keyboard.press("a");
    await page.waitForSelector(".toast.done");
    // Keys are not heard while the queue loads again.
    const second = page.locator(".proposal").nth(1);
    await expect
      .poll(async () => {
        if ((await second.getAttribute("aria-current")) !== "true") await page.keyboard.press("j");
        return second.getAttribute("aria-current");
      })
      .toBe("true");
    await page.keyboard.press("r");
    await expect.poll(() => memory.sent.length).toBe(2);
    expect(memory.sent).toEqual([
      { path: "review/accept", body: { id: "p1", seen: "p1v" } },
      { path: "review/reject", body: { id: "p2", seen: "p2v" } },
    ]);
  });

  it("says in different words that there is no note, that nothing matches, and that loading failed", async () => {
    await open(pageMemory({ notes: [] }));
    expect(await text(".list-pane .empty-title")).toBe("No notes yet");
    await served?.stop();
    await open(pageMemory());
    await page.locator(".search input").fill("no note has these words");
    expect(await text(".list-pane .empty-title")).toBe("Nothing matches");
    expect(await page.locator(".choice").count()).toBe(4);
    await page.getByRole("button", { name: "Clear the filters" }).click();
    await page.waitForSelector(".row");
    await served?.stop();
    const broken = pageMemory();
    broken.answers["GET notes"] = { status: 503, body: { error: { code: "locked", message: "The store is locked." } } };
    served = await servePage(directory, broken);
    await page.goto(served.url);
    await page.waitForSelector(".list-pane .failure");
    expect(await text(".list-pane .failure")).toContain("The store is locked.");
  });

  it("says that memory is off and how to switch it on, and what may only be read", async () => {
    await open(pageMemory({ state: { mode: "off", modeReason: "set for this project" } }));
    expect(await text("main .empty")).toContain("memdir mode auto");
    await served?.stop();
    const scopes = [
      {
        scope: "project",
        directory: "/home/you",
        mode: "recall-only",
        notes: 1,
        exists: true,
        readOnly: "The mode is recall-only.",
      },
    ];
    await open(pageMemory({ state: { scopes } }), VIEWS.note);
    expect(await text(".banner.calm")).toContain("The mode is recall-only.");
    expect(await page.locator(".actions button:disabled").count()).toBeGreaterThanOrEqual(3);
  });

  it("keeps its place and what was typed when it is loaded again and when the server ends", async () => {
    await open(pageMemory(), VIEWS.note);
    await page.waitForSelector(".actions");
    await page.keyboard.press("e");
    await page.locator(".edit textarea").fill("half a thought");
    await page.reload();
    await page.waitForSelector(".edit textarea");
    expect(await page.locator(".edit textarea").inputValue()).toBe("half a thought");
    await served?.stop();
    await page.waitForSelector(".banner");
    expect(await text(".banner")).toContain("memdir web");
    expect(await page.locator(".edit textarea").inputValue()).toBe("half a thought");
    expect(await page.locator(".row").count()).toBeGreaterThan(5);
  });

  it("asks for a fresh link where it has no session, and takes the code out of the address", async () => {
    await open(pageMemory());
    expect(new URL(page.url()).hash).toBe("#/notes");
    const other = await browser.context.newPage();
    await other.goto(served?.origin ?? "");
    await other.waitForSelector(".alone .empty");
    expect(await other.locator(".alone").innerText()).toContain("memdir web");
    await other.close();
  });

  const HOSTILE = `<script>window.ran = 1</script><img src=x onerror="window.ran = 2"><svg onload="window.ran = 3"></svg>
<iframe src="https://attacker.example"></iframe>

[click](javascript:window.ran=4) [data](data:text/html,<script>window.ran=5</script>) [fine](https://example.com)
![beacon](https://attacker.example/pixel.png) <https://example.com/auto> \u001b[31mred\u001b[0m \u202eturned &copy;

[[<img src=x onerror=window.ran=6>]] <a href="javascript:window.ran=7">x</a>
`;

  it("runs and loads nothing of a hostile note", async () => {
    const id = "project:feedback_0.md";
    const notes = pageMemory().answer("GET", "notes", {}, {}).body.notes;
    const bad = {
      ...notes[0],
      name: `<img src=x onerror=window.ran=8> \u202eevil`,
      description: HOSTILE,
      type: `"><script>window.ran=9</script>`,
    };
    const foreign: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith("http://127.0.0.1:")) foreign.push(request.url());
    });
    await open(pageMemory({ notes: [bad, ...notes.slice(1)], bodies: { [id]: HOSTILE } }), VIEWS.note);
    await page.waitForSelector(".prose a");
    expect(await page.evaluate("window.ran")).toBeUndefined();
    expect(
      await page.locator("#page iframe, #page img, #page script, #page form:not(.edit), #page svg:not(.mark)").count(),
    ).toBe(0);
    expect(
      await page.locator(".note > .prose a").evaluateAll((links) => links.map((link) => link.getAttribute("href"))),
    ).toEqual(["https://example.com", "https://example.com/auto"]);
    expect(await text(".note-title")).toContain("U+202E");
    expect(await text(".note > .prose")).toContain("U+001B");
    expect(await text(".note > .prose")).toContain("©");
    expect(foreign).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it.each([
    ["5,000 nested quotations", `${">".repeat(5000)} deep\n`],
    ["8,000 open links", "[a](".repeat(8000)],
    ["300 KB of Markdown", "**word** and `code` in a line of its own, again and again.\n\n".repeat(5200)],
  ])("does not freeze on %s", async (_name, body) => {
    await open(pageMemory({ bodies: { [NOTE]: body } }), VIEWS.note);
    await page.waitForSelector(".note > .prose:not(.waiting), .note > pre.file");
    await page.getByRole("button", { name: "File", exact: true }).click();
    await page.waitForSelector(".as-file");
    expect(complaints).toEqual([]);
  });

  it("draws only the rows in sight of 10,000 notes and finds one of them while it is typed", async () => {
    const some = pageMemory().answer("GET", "notes", {}, {}).body.notes;
    const notes = Array.from({ length: 10_000 }, (_, at) => ({
      ...some[at % some.length],
      id: `project:n${at}.md`,
      file: `n${at}.md`,
      name: `Note number ${at}`,
    }));
    await open(pageMemory({ notes }));
    await page.waitForSelector(".row");
    expect(await page.locator(".row").count()).toBeLessThan(60);
    await page.locator(".search input").fill("number 7321");
    await until('document.querySelectorAll(".row").length === 1');
    expect(await text(".tally")).toContain("1 of 10,000");
  });
});
