import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { changeOfTexts } from "../../../../src/core/notes/changes/change.ts";
import { decide, type InForce, perhapsAbout } from "../../../../src/core/notes/changes/decide.ts";
import { CHANGES, DROPPED_RULES, ENDINGS, REJECTIONS } from "../../../../src/core/notes/changes/phrases.ts";
import { readSaid } from "../../../../src/core/notes/changes/reading.ts";
import { RELATIONS } from "../../../../src/core/notes/changes/relations.ts";

const kind = (before: string, after: string) => changeOfTexts(after, before).kind;

interface Pair {
  readonly author: string;
  readonly before: string;
  readonly after: string;
  readonly expect: string;
}

const CASES = new URL("../../../../bench/facts/cases/", import.meta.url);
const pairs: readonly Pair[] = fs
  .readdirSync(CASES)
  .filter((name) => name.startsWith("facts-"))
  .flatMap((name) => fs.readFileSync(new URL(name, CASES), "utf8").trim().split("\n"))
  .map((line) => JSON.parse(line));

describe("labelled pairs", () => {
  it("are never superseded where the label is another, and nine of ten are told as labelled", () => {
    const wrong = pairs.filter((pair) => kind(pair.before, pair.after) !== pair.expect);
    expect(wrong.filter((pair) => kind(pair.before, pair.after) === "replaces")).toEqual([]);
    expect(pairs.length).toBeGreaterThan(120);
    expect(wrong.length).toBeLessThan(pairs.length / 10);
  });

  it("stand beside one another the other way round wherever they stand beside", () => {
    const beside = pairs.filter((pair) => pair.expect === "beside");
    expect(beside.filter((pair) => kind(pair.after, pair.before) === "replaces")).toEqual([]);
  });
});

describe("the tables of words", () => {
  it.each([...CHANGES, ...REJECTIONS])("read what their example leaves: $example", ({ example }) => {
    expect(readSaid(example).from).toBeDefined();
  });
  it.each(ENDINGS)("read the end in their example: $example", ({ example }) => {
    expect(readSaid(example)).toMatchObject({ isEnded: true, negative: false });
  });
  it.each(DROPPED_RULES)("read the rule that goes in their example: $example", ({ example }) => {
    expect(readSaid(example).dropped?.length).toBeGreaterThan(0);
  });
  it.each(RELATIONS)("know the relation of their example: $id", ({ example: [before, after] }) => {
    expect(kind(before, after)).toBe("replaces");
  });
});

describe("a statement with another value", () => {
  it.each([
    ["We use Redis for sessions", "We switched from Redis to Memcached"],
    ["Use axios for requests", "Use fetch instead of axios"],
    ["Use moment for dates", "Use date-fns for dates"],
    ["Always run the auth tests with 3 workers", "Always run the auth tests with 9 workers"],
    ["The vendor allows only 64 calls a minute", "The vendor allows only 12 calls a minute"],
    ["The queue takes 40 jobs per hour", "The queue takes 90 jobs per hour"],
    [
      "Never merge changes of auth with fewer than 3 approvals",
      "Never merge changes of auth with fewer than 5 approvals",
    ],
    ["The API listens on port 8080", "The API listens on 9090"],
    ["Squash merges need a ticket", "Drop the squash merge rule"],
    ["We use Yarn as our package manager", "We switched from Yarn to Bun"],
    ["Wir nutzen Yarn als Paketmanager", "Wir sind von Yarn auf Bun umgestiegen"],
    ["De release is op woensdag", "We hebben de release verplaatst van woensdag naar maandag"],
    ["Geheimen bewaren we in Vault", "Geheimen bewaren we voortaan in Doppler, niet in Vault"],
    ["File uploads are limited to 10 MB", "We raised the upload limit to 25 MB"],
    ["The project uses Node 18", "Bumped the project to Node 22"],
    ["We deploy the shop on Heroku", "From this week (week of 2026-11-23) on we deploy the shop on Fly.io"],
    ["On envoie les mails avec SendGrid", "On n'utilise plus SendGrid pour envoyer les mails"],
    ["Das Kundenportal wird bei Hetzner gehostet", "Wir sind mit dem Kundenportal von Hetzner zu Scaleway umgezogen"],
    [
      "O responsável pelo módulo fiscal é o Tiago",
      "O Tiago mudou de equipe; agora a responsável pelo módulo fiscal é a Camila",
    ],
  ])("takes the place of the older one: %j and %j", (before, after) => {
    expect(kind(before, after)).toBe("replaces");
  });

  it.each([
    ["Our feature flags come from LaunchDarkly", "We migrated our feature flags from LaunchDarkly to Unleash"],
    ["We format our Python code with Black", "Ruff, not Black, formats our Python code"],
    ["I prefer answers in bullet points", "I prefer answers in full prose, not in bullet points"],
    ["Kafka carries our order events", "Since the cost review, NATS carries our order events instead of Kafka"],
    ["Usamos Redis para la cola de trabajos.", "Cambiamos la cola de trabajos de Redis a RabbitMQ."],
    ["Hospedamos o servidor de partidas na Hetzner.", "Migramos o servidor de partidas da Hetzner para a OVH."],
    ["社内チャットはSlackを使っている。", "社内チャットはSlackからMattermostに移行した。"],
    ["テストはJestで書く。", "テストはJestではなくVitestで書く。"],
    ["数据仓库跑在 Hive 上。", "数据仓库从 Hive 迁到了 ClickHouse。"],
    ["I prefer reviews as a bullet list", "I prefer reviews as short prose"],
    ["The lab's safety officer is Dr. Okafor", "The lab's safety officer is Dr. Lindqvist"],
    ["Segments are six seconds long", "Segments are two seconds long as of this season"],
  ])("says what took the place of the older one, in its own order of words: %j and %j", (before, after) => {
    expect(kind(before, after)).toBe("replaces");
  });

  it.each([
    ["The upload service stores files in Minio", "We migrated the mail archive from Minio to Ceph"],
    ["Parcel notifications go out by Zalo", "One-time passwords were switched from Zalo back to SMS"],
    ["The web shop formats code with Black", "Ruff, not Black, formats the code of the kiosk"],
    ["The redesign goes live on 12 May", "E-prescription slipped: we go live on 12 January, signed off this morning"],
  ])("leaves another thing that had the same value: %j and %j", (before, after) => {
    expect(kind(before, after)).not.toBe("replaces");
  });

  it.each([
    ["The data team owns the churn model", "The churn model is owned by the data team"],
    ["Never log full card numbers.", "Full card numbers must never be logged."],
    ["Preise werden in Cent gespeichert.", "Wir speichern Preise in Cent."],
    ["Nous écrivons les messages de commit en anglais.", "Les messages de commit sont écrits en anglais."],
  ])("is the same in another order of words: %j and %j", (before, after) => {
    expect(kind(before, after)).toBe("same");
  });

  it.each([
    ["Copy the nightly dumps from Oslo to Lima", "Copy the nightly dumps from Lima to Oslo"],
    ["Backups go from Berlin to Oslo", "Backups go from Oslo to Berlin"],
  ])("is not the same with the two exchanged: %j and %j", (before, after) => {
    expect(kind(before, after)).not.toBe("same");
  });

  it.each([
    ["We use snake_case in JSON payloads", "Maybe we use camelCase in JSON payloads now, I'm not sure"],
    ["Jonas is the product owner", "Our product owner is Mira"],
    ["Jonas is the product owner", "Mira is the product owner"],
    ["Our product owner is Jonas", "Mira is the product owner"],
  ])("may be changed by another value, though nothing is said to have changed: %j and %j", (before, after) => {
    expect(kind(before, after)).toBe("contradicts");
  });

  it.each([
    ["Our message broker is RabbitMQ.", "We moved from RabbitMQ to NATS last sprint."],
    ["We use PagerDuty to page the on-call engineer.", "We switched from PagerDuty to Opsgenie."],
    ["Do zarządzania pakietami używamy npm.", "Przeszliśmy z npm na pnpm."],
    ["The default branch is called master.", "We renamed the default branch to main."],
    ["Use containerd not Docker on the nodes.", "Use CRI-O not containerd on the nodes."],
    ["The churn dashboard is owned by Priya.", "Marek owns the churn dashboard."],
    ["Use moment for date handling.", "Don't use moment for date handling, use date-fns."],
    ["Für Hotfixes brauchen wir die Freigabe von Jürgen.", "Für Hotfixes brauchen wir keine Freigabe von Jürgen mehr."],
    ["Always squash commits before merging.", "The rule about squashing commits before merging no longer applies."],
    ["Os notebooks rodam no Databricks Runtime 12.2.", "Os notebooks rodam no Databricks Runtime 14.3."],
    ["Standup is at 9:30", "Standup has been moved to 10:00"],
    ["Der Ansprechpartner für Mails ist Herr Vogt.", "Der Ansprechpartner für Mails ist jetzt Frau Brandt."],
  ])("replaces what it says is over, renamed, dropped or in other hands: %j and %j", (before, after) => {
    expect(kind(before, after)).toBe("replaces");
  });

  it.each([
    ["The billing service is written in Go.", "In 2019 we switched the billing service from Java to Go."],
    ["The admin page uses Select2.", "Drop the rule about Select2 on the public landing page; use native menus there."],
    ["Alice uses Vim.", "Alice's brother was a Vim user and has now switched to Zed."],
    [
      "Customer Initech gets releases weekly.",
      "Customer Hooli no longer gets releases weekly; they were moved to a monthly train.",
    ],
    ["The CLI prints JSON by default.", 'A user wrote: "I wish the CLI no longer printed JSON by default."'],
    [
      "Severity 1 incidents must be acknowledged within 5 minutes.",
      "Severity 3 incidents must be acknowledged within 60 minutes.",
    ],
    ["The grade entry form has autosave.", "The grade entry form also has an undo button."],
    ["За релизы отвечает Марина.", "За документацию теперь отвечает не Марина, а Павел."],
  ])("leaves what is about something else, or what was so before: %j and %j", (before, after) => {
    expect(kind(before, after)).not.toBe("replaces");
  });

  it.each([
    ["Code freeze starts December 18", "Code freeze starts December 20"],
    ["Der Code-Freeze beginnt am 18. Dezember", "Der Code-Freeze beginnt am 20. Dezember"],
    ["The ferry app goes live on 3 May", "The ferry app goes live on 21 June"],
    ["We deploy on Tuesdays and the docs follow on Fridays", "We deploy on Tuesdays and the docs follow on Mondays"],
  ])(
    "takes its place, though nothing is said to have changed, where the rest is the same: %j and %j",
    (before, after) => {
      expect(kind(before, after)).toBe("replaces");
    },
  );

  it.each([
    ["Server 3 has 16 GB of memory", "Server 4 has 16 GB of memory"],
    ["Issue 412 is about the login timeout", "Issue 413 is about the login timeout"],
    ["PR 88 fixes the flaky upload test", "PR 91 fixes the flaky upload test"],
    ["The upload limit for guests is 5 MB", "The upload limit for members is 12 MB"],
    [
      "Every deployment that touches 1 needs a second reviewer",
      "Every deployment that touches 8080 needs a second reviewer",
    ],
    ["Jonas is a product owner", "Mira is a product owner"],
    ["See page 12 of the handbook", "See page 14 of the handbook"],
    ["Never deploy on Fridays", "Never deploy on Mondays"],
    ["Alice is a designer", "Alice is a climber"],
    ["Ask Ann about the billing tables", "Ask Bob about the billing tables"],
    ["Copy snapshots from staging to production", "Copy snapshots from production to staging"],
    ["We pay the Heroku bill in March", "We switched from Heroku to AWS"],
    ["Use Jest in the backend", "Use Vitest instead of Jest in the frontend"],
    ["never use pnpm", "use bun not pnpm"],
    ["Ticket 88 is about uploads", "Ticket 91 is about uploads"],
    ["En producción el proxy escucha en el puerto 443", "En preproducción el proxy escucha en el puerto 8443"],
    ["生产环境的日志保留30天", "测试环境的日志保留7天"],
    ["Deploy orders with the blue pipeline", "Deploy invoices with the blue pipeline"],
    ["The app supports Linux", "The app now supports Windows"],
    [
      "From now on always deploy service number50 with the blue50 pipeline",
      "From now on always deploy service number100 with the blue100 pipeline",
    ],
    ["Never run more than 3 exports on staging", "Never run more than 5 exports on production"],
  ])("is about something else: %j and %j", (before, after) => {
    expect(kind(before, after)).toBe("beside");
  });

  it.each([
    ["Use mocks for the bank", "Use fixtures for the bank"],
    ["We use Redis", "We do not use Redis"],
    ["Squash commits", "Do not squash commits"],
    ["We use Netlify", "We switched from Heroku to AWS"],
    ["We use Jest", "We switched the frontend from Jest to Vitest"],
    ["We deploy on Heroku. The dashboard needs a VPN.", "We switched from Heroku to AWS"],
  ])("is in doubt where nothing tells that it changed, or the older says more: %j and %j", (before, after) => {
    expect(kind(before, after)).toBe("contradicts");
  });

  it("is noticed where it is worded otherwise", () => {
    const [before, after] = [
      "Backups of the registry are kept for 30 days",
      "The auditors decided: registry backups stay 180 days",
    ];
    expect(["replaces", "contradicts"]).toContain(kind(before, after));
  });

  it("tells by itself which of two is older, or does not", () => {
    expect(changeOfTexts("We switched from Heroku to AWS", "We deploy on Heroku").isTold).toBe(true);
    expect(changeOfTexts("The API listens on port 1", "The API listens on port 2").isTold).toBeUndefined();
  });
});

describe("the notes in force", () => {
  const note = (file: string, body: string, fields: Partial<InForce> = {}): InForce => ({
    file,
    type: "project",
    description: body,
    body,
    isProtected: false,
    ...fields,
  });
  const decided = (body: string, notes: readonly InForce[]) =>
    decide({ type: "project", description: body, body }, notes).map((rival) => [rival.note.file, rival.kind]);

  it("are superseded only where they are of the same type and nobody pinned them", () => {
    const heroku = "We deploy on Heroku";
    const notes = [
      note("plain.md", heroku),
      note("pinned.md", heroku, { isProtected: true }),
      note("wish.md", heroku, { type: "feedback" }),
    ];
    expect(decided("We switched from Heroku to AWS", notes)).toEqual([
      ["plain.md", "replaces"],
      ["pinned.md", "contradicts"],
      ["wish.md", "contradicts"],
    ]);
  });

  it("are left to a person where one statement would retire many, or a rule is not named clearly", () => {
    const many = ["a", "b", "c", "d"].map((name) => note(name, "We deploy on Heroku"));
    expect(new Set(decided("We switched from Heroku to AWS", many).map(([, what]) => what))).toEqual(
      new Set(["contradicts"]),
    );
    const rules = [note("a", "Squash merges need a ticket"), note("b", "Squash merges need two reviews")];
    expect(decided("Drop the rule about squash merges", rules)).toEqual([
      ["a", "contradicts"],
      ["b", "contradicts"],
    ]);
  });
});

describe("what is said of now", () => {
  it.each([
    ["Mail goes out via SES", "Mail now goes out via Postmark"],
    ["Anna kümmert sich um die Suche", "Bernd kümmert sich jetzt um die Suche"],
    ["The log level is info", "The log level is debug now"],
    ["Nina gère la facturation", "Maintenant Omar gère la facturation"],
    ["搜索服务由小张负责", "搜索服务现在由小陈负责"],
    ["検索の担当は鈴木です", "検索の担当は高橋になりました"],
    ["The wiki is on host-2", "The wiki has moved to host-9"],
    ["We use Trello for planning", "We don't use Trello for planning any more, we use Linear"],
    ["Wir verwenden Maven", "Wir verwenden nicht mehr Maven, sondern Gradle"],
    ["Chat: Slack", "Chat: Zulip"],
    ["The bot is called Rex", "Rex is now called Max"],
    ["The archive is owned by Dr. Abel", "The archive is now owned by Ms. Cho"],
    ["Releases need two reviews", "Releases need four reviews"],
    ["The licence is MIT", "The licence is now BSD"],
    ["議事録はNotionで管理する", "議事録はNotionからConfluenceに移行した"],
    ["Use yarn, thanks", "Use pnpm and not yarn, please"],
  ])("ends what was there before: %s / %s", (before, after) => {
    expect(kind(before, after)).toBe("replaces");
  });
  it.each([
    ["Two approvals are fine", "Three reviews are fine"],
    ["The API depends on Redis", "The API now depends on Kafka"],
    ["The build server is slow", "The build server is required now"],
    ["Ann is in the team", "Marcus is in the team now"],
    ["We use Grafana", "We now use Loki"],
    ["We are working on search", "We are now working on billing"],
    ["We deploy to staging", "We deploy to production now"],
    ["The app supports Linux", "The app now supports Windows"],
    ["Ann reviews migrations", "Ben reviews styles now"],
    ["测试环境用 MySQL", "生产环境现在用 PostgreSQL"],
    ["検索の担当は鈴木です", "決済の担当は高橋になりました"],
    ["The wiki is on host-2", "The database has moved to host-9"],
    ["Chat: Slack", "Editor: Vim"],
    ["We use Trello for planning", "We no longer use Jira, we use Linear"],
  ])("leaves what is about something else: %s / %s", (before, after) => {
    expect(kind(before, after)).not.toBe("replaces");
  });
  it.each([
    ["Immer vor dem Merge rebasen", "Nie vor dem Merge rebasen"],
    ["Siempre firma los commits", "Nunca firma los commits"],
  ])("is denied in other languages: %s / %s", (before, after) => {
    expect(kind(before, after)).toBe("contradicts");
  });
});

describe("a change that is announced in any order of words", () => {
  it.each([
    ["The staging cluster runs in eu-west-1.", "We moved the staging cluster to eu-central-1 last weekend."],
    ["Sprint demo is on Thursdays at 15:00.", "Sprint demo got shifted to Wednesdays, same time."],
    [
      "Regression results are recorded in TestRail.",
      "TestRail was cancelled; regression results get recorded in Xray instead.",
    ],
    [
      "Use tabs in shader files, Kenji is strict about that.",
      "Kenji gave in: four spaces in the shader files, no more tabs.",
    ],
  ])("supersedes what it is about: %s / %s", (before, after) => {
    expect(kind(before, after)).toBe("replaces");
  });

  it.each([
    ["The staging cluster runs in eu-west-1.", "The production cluster moved to eu-central-1."],
    ["The docs are built with Sphinx.", "We moved the team calendar to Notion."],
    ["The app supports Linux", "The app now supports Windows"],
    ["Sprint demo is on Thursdays at 15:00.", "Sprint planning is on Wednesdays at 15:00."],
  ])("leaves what is about something else: %s / %s", (before, after) => {
    expect(kind(before, after)).not.toBe("replaces");
  });

  it("does not take the reason of a note for a part of what changes", () => {
    const after = "We moved from Jenkins to GitHub Actions";
    expect(kind("CI runs on Jenkins, because the licence is paid", after)).toBe("contradicts");
    expect(kind("We deploy on Heroku, because it is cheap", "We switched from Heroku to AWS")).toBe("replaces");
  });

  it("takes no account of several sentences for a change of a note", () => {
    const before = "The staging cluster runs in eu-west-1.";
    const account = "We moved the staging cluster to eu-central-1. It took a weekend. The old one stays until May.";
    expect(kind(before, account)).toBe("beside");
    expect(
      kind(`${before} It has three nodes. Ann pays for it.`, "We moved the staging cluster to eu-central-1."),
    ).toBe("beside");
  });

  it("asks about a near note where too little is shared to judge", () => {
    const note = (file: string, body: string) => ({
      file,
      body,
      type: "project" as const,
      description: body,
      isProtected: false,
    });
    const near = [
      note("launch.md", "Launch date of the partner portal is 14 March."),
      note("lunch.md", "Lunch is at noon."),
    ];
    const asked = (body: string): readonly string[] =>
      perhapsAbout({ type: "project", description: body, body }, near).map(({ file }) => file);
    expect(asked("The partner portal slipped, it now ships April 2nd.")).toEqual(["launch.md"]);
    expect(asked("The partner portal ships April 2nd.")).toEqual(["launch.md"]);
    expect(asked("The partner portal greets visitors by name.")).toEqual([]);
  });
});
