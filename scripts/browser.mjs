/** Debian's Chromium with a new, empty profile. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

export const CHROMIUM = "/usr/bin/chromium";
export const hasChromium = existsSync(CHROMIUM);

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync", "--no-first-run"];

/** @returns a browser context; `close` ends the browser and removes its profile. */
export async function openBrowser(options = {}) {
  const profile = mkdtempSync(join(tmpdir(), "memdir-browser-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    headless: true,
    args: FLAGS,
    ...options,
  });
  return {
    context,
    close: async () => {
      await context.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** The views of the page by address; `{note}` is a note's id. */
export const VIEWS = {
  notes: "#/notes",
  note: "#/notes/{note}",
  ask: "#/ask?prompt=write+integration+tests+for+the+importer",
  review: "#/review",
  conflicts: "#/conflicts",
  timeline: "#/timeline",
  sessions: "#/sessions",
  session: "#/sessions/{session}",
  dreams: "#/dreams",
  links: "#/links",
  skills: "#/skills",
  sync: "#/sync",
  health: "#/health",
  cost: "#/cost",
};
