import { describe, expect, it } from "vitest";
import { changeOfTexts } from "../../../../src/core/notes/changes/change.ts";

const kind = (before: string, after: string) => changeOfTexts(after, before).kind;

describe("the same words in another order", () => {
  it.each([
    ["Service 0-1 deploys on its own", "Service 1-0 deploys on its own"],
    ["Scale the pool from 3 to 12 nodes at night", "Scale the pool from 12 to 3 nodes at night"],
    ["Alice reviews Bob's code in the payments repo", "Bob reviews Alice's code in the payments repo"],
    ["Compress the archive, then encrypt it", "Encrypt the archive, then compress it"],
    ["Run the migrations before you restart the workers", "Before you run the migrations, restart the workers"],
    ["The staging cluster can reach the production database", "The production cluster can reach the staging database"],
    ["The monthly report includes users without orders", "The monthly report includes orders without users"],
    [
      "Minor upgrades are automatic, major upgrades are manual",
      "Major upgrades are automatic, minor upgrades are manual",
    ],
    ["Il modulo core non deve importare il modulo ui", "Il modulo ui non deve importare il modulo core"],
    ["認証サービスが通知サービスを呼び出す", "認証サービスを通知サービスが呼び出す"],
    ["스케줄러가 워커를 재시작한다", "스케줄러를 워커가 재시작한다"],
  ])("say something else where two parts are exchanged: %s / %s", (before, after) => {
    expect(kind(before, after)).not.toBe("same");
  });

  it.each([
    ["The checkout service calls the billing service", "The checkout service is called by the billing service"],
    ["Mia hired Tom for the mobile team", "Mia was hired by Tom for the mobile team"],
    ["A release requires approval from security and legal", "A release requires approval from security or legal"],
    ["The export endpoint only returns CSV", "The export endpoint also returns CSV"],
    ["The parser's input is UTF-8 without a BOM", "The parser's output is UTF-8 without a BOM"],
    ["배치 크기는 100 이상이어야 한다", "배치 크기는 100 미만이어야 한다"],
    ["Commit messages must reference a ticket", "Commit messages may reference a ticket"],
    ["The code freeze lasts until December 20", "The code freeze lasts from December 20"],
    ["We don't allow unsigned commits", "We don't disallow unsigned commits"],
    ["Retry when the load is < 80", "Retry when the load is >= 80"],
    ["请求超时时间是30秒。", "请求超时时间是30分钟。"],
    ["mainにはリリース担当だけがプッシュできる。", "mainにはリリース担当もプッシュできる。"],
    ["Testy uruchamiamy przed każdym merge'em.", "Testy uruchamiamy po każdym merge'u."],
    ["The export job for billing runs in its own region", "The export job for shipping runs in its own region"],
  ])("say something else where a small word differs: %s / %s", (before, after) => {
    expect(kind(before, after)).not.toBe("same");
  });

  it.each([
    ["On Mondays we deploy the docs", "We deploy the docs on Mondays"],
    ["Always run terraform plan before terraform apply", "Before a terraform apply, always do a terraform plan first"],
    ["The simulation uses a random seed of 1337", "1337 is the random seed of the simulation"],
    [
      "Restores are tested on the first Tuesday of every month",
      "We test restores monthly, always on the first Tuesday",
    ],
    ["Autoscaling is turned off on the worker pool", "The worker pool has autoscaling disabled"],
    ["Vor jedem Commit müssen die Tests laufen", "Die Tests müssen vor jedem Commit laufen"],
    ["The data team owns the model", "The model is owned by the data team"],
    [
      "Run the database migrations before starting the API server",
      "Before you start the API server, run the DB migrations",
    ],
    ["The portal is available in English and French", "The portal is available in French and English"],
    ["Der Lizenzserver startet jede Nacht neu", "Jede Nacht wird der Lizenzserver neu gestartet"],
  ])("say the same where a part only moved: %s / %s", (before, after) => {
    expect(kind(before, after)).toBe("same");
  });
});
