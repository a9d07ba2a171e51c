import { describe, expect, it } from "vitest";
import { changeOfTexts } from "../../../../src/core/notes/changes/change.ts";

const kind = (before: string, after: string): string => changeOfTexts(after, before).kind;

describe("a statement about another time", () => {
  it.each([
    ["The gateway listens on port 7443", "The gateway used to listen on port 7080"],
    ["The Postgres port is 5432", "The old Postgres port was 5431"],
    ["The worker is written in Go", "The worker was written in Ruby until last year"],
    ["The budget for logs is 900 EUR a month", "The budget for logs was 700 EUR a month last year"],
    ["Die Suche läuft auf Port 9200", "Die Suche lief früher auf Port 9100"],
    ["Le port du cache est 6379", "Avant, le port du cache était 6378"],
    ["We deploy with Kamal", "We have not switched from Kamal to Nomad yet"],
  ])("leaves a note that holds now: %s / %s", (before, after) => {
    expect(kind(before, after)).toBe("beside");
  });

  it.each([
    ["The daily is at 9:15", "Tomorrow the daily is at 10:00"],
    ["The daily is at 9:15", "For one week the daily moves to 10:00"],
    ["Das Daily ist um 9:15", "Diese Woche ist das Daily um 10:00 statt 9:15"],
    ["Releases happen on Tuesdays", "This week the release happens on Wednesday instead of Tuesday"],
  ])("is an exception to it: %s / %s", (before, after) => {
    expect(kind(before, after)).toBe("refines");
  });

  it.each([
    ["We deploy with Capistrano", "We used to deploy with Capistrano, now we use Kamal"],
    ["The gateway listens on port 7080", "The gateway now listens on port 7443, it was 7080 until last week"],
    ["The daily is at 9:15", "As of this week the daily is at 10:00"],
    ["We use Mocha", "This week we switched from Mocha to Vitest"],
  ])("ends it where it tells of a change: %s / %s", (before, after) => {
    expect(kind(before, after)).toBe("replaces");
  });
});

describe("a statement about a part, or about another version", () => {
  it.each([
    ["We support Python 3.11", "We dropped Python 3.9"],
    ["We support Android 12", "We stopped supporting Android 10"],
    ["We use Yarn", "We stopped using Yarn in the website"],
    ["Wir nutzen Yarn", "Wir nutzen Yarn nicht mehr in der Website"],
    ["Use pnpm for every package", "We no longer use pnpm in the docs package"],
    ["The gateway listens on port 7443", "On my laptop the gateway listens on port 8443"],
    ["The gateway listens on port 7443", "The gateway health check listens on port 7444"],
  ])("does not end the note: %s / %s", (before, after) => {
    expect(kind(before, after)).not.toBe("replaces");
  });
});

describe("another tense", () => {
  it.each([
    ["Kim signs off the budget", "Kim signed off the budget"],
    ["Jonas reviews the contract", "Jonas has reviewed the contract"],
    ["Backups are tested monthly", "Backups were tested monthly"],
    ["Only admins can delete projects", "Admins can delete only projects"],
  ])("is not the same: %s / %s", (before, after) => {
    expect(kind(before, after)).not.toBe("same");
  });
});
