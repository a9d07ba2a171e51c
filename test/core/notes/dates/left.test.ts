import { describe, expect, it } from "vitest";
import { withDates } from "../../../../src/core/notes/dates/date-resolver.ts";
import { dateResolver } from "../../../../src/core/notes/dates/resolve.ts";

// A Thursday.
const said = { ms: Date.parse("2026-11-26T12:00:00Z"), timeZone: "UTC" };
const stored = (text: string): string => withDates(text, said, dateResolver);

describe("a count that is not exact stays in words", () => {
  it.each([
    "Half a year ago we left the old host.",
    "The vendor raised prices a quarter of a year ago.",
    "Three quarters of a year ago Mia joined the team.",
    "We lost a third of a month ago's data.",
    "A year and a half ago we moved to Postgres.",
    "Hace un año y medio cambiamos de proveedor.",
    "Há um ano e meio trocamos o provedor.",
    "Il y a un an et demi, nous avons quitté Heroku.",
    "Vor einem Jahr und drei Monaten haben wir gewechselt.",
    "A year and three months ago we changed the bank.",
    "The importer broke four or five days ago.",
    "The importer broke 2.5 weeks ago.",
    "The disk failed two or three weeks ago.",
    "Leo left between two and three days ago.",
    "The key leaked one or two months ago.",
    "The key leaked 3 to 4 weeks ago.",
    "The disk failed two weeks or three weeks ago.",
    "Quatro ou cinco dias atrás o servidor caiu.",
    "Quattro o cinque giorni fa è caduto il server.",
    "De dienst viel twee à drie weken geleden uit.",
    "Twenty two days ago we moved.",
    "We will be back in a week or two.",
    "Vier of vijf dagen geleden is de server gecrasht.",
    "2,5 settimane fa abbiamo cambiato fornitore.",
    "四五天前服务器崩了。",
    "三四个月前我们换了供应商。",
    "二十天前我们换了证书。",
    "一年零三个月前我们换了供应商。",
    "2、3日前にサーバーが落ちました。",
    "2〜3週間前に移行しました。",
    "二、三週間前に移行しました。",
    "1年3か月前に契約しました。",
    "Roughly two weeks ago the queue filled up.",
    "The cache was cleared a good two weeks ago.",
    "The build broke maybe three days ago.",
    "The build broke two weeks ago or so.",
    "The build broke two weeks ago, give or take.",
    "Ungefähr vor zwei Wochen ist der Build gebrochen.",
    "Vor zwei Wochen oder so ist der Build gebrochen.",
    "Fast vor drei Wochen haben wir gewechselt.",
    "Il y a deux semaines environ, le serveur est tombé.",
    "Presque il y a deux semaines, le serveur est tombé.",
    "Hace dos semanas más o menos se cayó el servidor.",
    "Casi hace dos semanas se cayó el servidor.",
    "Quase duas semanas atrás o servidor caiu.",
    "Há duas semanas mais ou menos o servidor caiu.",
    "Quasi due settimane fa è caduto il server.",
    "Due settimane fa circa è caduto il server.",
    "Bijna twee weken geleden is de server gecrasht.",
    "将近三周前我们迁移了数据库。",
    "差不多两周前我们迁移了数据库。",
    "几乎两个月前我们迁移了数据库。",
    "两周前左右服务器崩了。",
    "ほぼ2週間前に移行しました。",
    "約3日前にサーバーが落ちました。",
    "2週間前後に移行しました。",
    "3日前ごろサーバーが落ちました。",
  ])("%s", (text) => {
    expect(stored(text)).toBe(text);
  });
});

describe("a duration, a saying or a name is no day", () => {
  it.each([
    "Debug logs are kept 7 days from now on.",
    "Previews live 2 weeks from now on.",
    "説明日は未定です。",
    "証明日を記入してください",
    "今日子さんがレビューしました。",
    "明日美さんが担当です。",
    "2020年以来週次で公開している。",
    "来年度の予算を決めました。",
    "リリース3日前に凍結します。",
    "明天科技是我们的供应商。",
    "后天性测试数据放在这里。",
    "说明天气接口的文档在这里。",
    "证明日期写在合同里。",
    "版本周期是两周。",
    "今日头条是我们的客户。",
    "过去年度的报表在这里。",
    "Von heute auf morgen kann der Anbieter kündigen.",
    "Dieses Framework ist von gestern.",
    "Cette API est d'hier.",
    "Il n'est pas né d'hier.",
    "Hoy en día usamos pnpm.",
    "Hoje em dia usamos pnpm.",
    "Al giorno d'oggi usiamo pnpm.",
    "Dat kan van vandaag op morgen veranderen.",
    "The auditors were not born yesterday.",
  ])("%s", (text) => {
    expect(stored(text)).toBe(text);
  });
});

describe("a rule or a habit keeps its moving day", () => {
  it.each([
    "Keep dumps from yesterday only.",
    "Seed the database with a user who logged in last week.",
    "The bot posts what changed yesterday.",
    "Anyone who paid last month is exempt.",
    "Items added last week carry a badge.",
    "Orders placed today arrive tomorrow.",
    "Wer gestern bestellt hat, bekommt heute ein Paket.",
    "Bestellungen von gestern gehen heute um acht raus.",
    "Ceux qui ont commandé hier reçoivent un mail.",
    "Quien compró ayer recibe un correo.",
    "Quem comprou ontem recebe um e-mail.",
    "Chi ha ordinato ieri riceve una mail.",
    "Wie gisteren bestelde, krijgt vandaag een mail.",
    "昨天下单的客户今天会收到短信。",
    "昨日注文したお客様には今日メールが届く。",
    "Archive the mails of last month.",
    "Customers who ordered last week get a survey.",
    "The accounts that were opened last month are checked by hand.",
    "Branches untouched since last month are deleted by a job.",
    "Orders placed yesterday ship at noon.",
    "Fixtures must use a start date three weeks ago.",
    "The seed needs a member who joined two days ago.",
    "Labels in the app read like yesterday, last week, 3 days ago.",
    "Use words like yesterday or last week in the feed.",
    "The cashier sees the rate of the day before yesterday until noon.",
    "The bank books payments from yesterday at six.",
    "The courier's sandbox serves yesterday's labels after 18:00.",
    "The kiosk sells tomorrow's paper from 22:00.",
    "Invoices that are due next week get a reminder.",
    "Nutzer, die sich letzte Woche angemeldet haben, bekommen die Umfrage.",
    "Die Tickets, die gestern erstellt wurden, schließt der Bot.",
    "Die Testdaten brauchen eine Bestellung von letzter Woche.",
    "Die Bank bucht Zahlungen von gestern um sechs Uhr.",
    "Der Test muss einen Kunden enthalten, der letzte Woche gekündigt hat.",
    "Les clients qui ont commandé la semaine dernière reçoivent un sondage.",
    "Les tickets créés hier sont fermés par le bot.",
    "Les jeux de test doivent contenir une commande d'hier.",
    "Le prix d'hier est affiché jusqu'à midi.",
    "Los clientes que pidieron la semana pasada reciben una encuesta.",
    "Los pedidos creados ayer salen a mediodía.",
    "Las pruebas deben tener un pedido de ayer.",
    "El banco contabiliza los pagos de ayer a las seis.",
    "Os clientes que compraram na semana passada recebem um questionário.",
    "Os dados de teste precisam de um pedido de ontem.",
    "O banco lança os pagamentos de ontem às seis.",
    "I clienti che hanno ordinato la settimana scorsa ricevono un sondaggio.",
    "I dati di test devono contenere un ordine di ieri.",
    "La banca registra i pagamenti di ieri alle sei.",
    "Klanten die vorige week besteld hebben, krijgen een enquête.",
    "De testdata moeten een bestelling van gisteren bevatten.",
    "De bank boekt betalingen van gisteren om zes uur.",
    "测试数据要有一条上周的订单。",
    "上周注册的用户会收到邮件。",
    "首页显示昨天的销量。",
    "テストデータには昨日の注文が必要。",
    "先週登録したユーザーにメールを送る。",
    "銀行は昨日の振込を6時に処理する。",
  ])("%s", (text) => {
    expect(stored(text)).toBe(text);
  });
});

describe("a promise to anyone names no day", () => {
  it.each([
    "Refunds will be paid in 14 days, that is the law.",
    "New customers will get their card in three days.",
    "A parcel will arrive in 5 days, tell customers that.",
    "Parcels arrive in 5 days.",
    "Rückerstattungen kommen in 14 Tagen.",
    "Kunden werden ihr Geld in drei Tagen sehen.",
    "Les clients recevront leur argent dans trois jours.",
    "Un remboursement arrivera dans 5 jours.",
    "Los clientes recibirán su dinero dentro de tres días.",
    "Os clientes vão receber o dinheiro daqui a três dias.",
    "I clienti riceveranno i soldi tra tre giorni.",
    "Klanten krijgen hun geld over drie dagen.",
    "退款将在14天后到账。",
    "返金は14日後に行われます。",
  ])("%s", (text) => {
    expect(stored(text)).toBe(text);
  });
});

describe("what is done at the end of the month, with nothing announced, is done each month", () => {
  it.each([
    "Invoices are sent at the end of the month.",
    "Payroll runs at the end of the month.",
    "Die Rechnungen werden am Ende des Monats verschickt.",
  ])("%s", (text) => {
    expect(stored(text)).toBe(text);
  });

  it("is this month's where it is due", () => {
    expect(stored("The release is due at the end of the month.")).toBe(
      "The release is due at the end of the month (2026-11-30).",
    );
  });
});

describe("what is closed or open on a weekday names no day", () => {
  it.each([
    "Op dinsdag is de robotcel gesloten.",
    "Am Dienstag ist die Zelle geschlossen.",
    "Mardi, la cellule est fermée.",
    "Martedì la cella è chiusa.",
    "El martes la celda está cerrada.",
    "On Tuesday the cell is closed.",
  ])("%s", (text) => {
    expect(stored(text)).toBe(text);
  });
});

describe("a person may be called as a weekday is", () => {
  it.each([
    "Domingo revisó los textos de facturación.",
    "Domingo revisou os textos.",
    "Domenica ha controllato i testi.",
  ])("%s", (text) => {
    expect(stored(text)).toBe(text);
  });
});

describe("a report gets its date", () => {
  it.each([
    ["Bob deployed the hotfix last Tuesday.", "2026-11-24"],
    ["Two weeks ago the vendor capped us.", "2026-11-12"],
    ["Since last week we use Valkey.", "2026-11-16"],
    ["The freeze starts in two weeks.", "2026-12-10"],
    ["Freezes will start in two weeks.", "2026-12-10"],
    ["We will get the keys in three days.", "2026-11-29"],
    ["Customers who ordered last week were charged twice.", "2026-11-16"],
    ["We fixed the bugs that came in yesterday.", "2026-11-25"],
    ["The last commit is from yesterday.", "2026-11-25"],
    ["A few users who joined last month asked for SSO.", "2026-10"],
    ["We have a customer who signed up last week and cannot log in.", "2026-11-16"],
    ["Seats for tomorrow's workshop are booked.", "2026-11-27"],
    ["The team must deliver the report next week.", "2026-11-30"],
    ["Yesterday's deploy broke the login.", "2026-11-25"],
    ["Tomorrow's demo starts at 10.", "2026-11-27"],
    ["We must fix the leak that Bob introduced last week.", "2026-11-16"],
    ["Two years ago the team was in Oslo.", "2024"],
    ["Nutzer, die sich letzte Woche angemeldet haben, wurden doppelt belastet.", "2026-11-16"],
    ["Das Deployment von gestern ist fehlgeschlagen.", "2026-11-25"],
    ["Vor zwei Wochen hat der Anbieter uns gedrosselt.", "2026-11-12"],
    ["Les clients qui ont commandé hier ont été débités deux fois.", "2026-11-25"],
    ["Le déploiement d'hier a échoué.", "2026-11-25"],
    ["Los clientes que pidieron ayer no pudieron pagar.", "2026-11-25"],
    ["Ayer el despliegue rompió el acceso.", "2026-11-25"],
    ["Ontem o deploy quebrou o login.", "2026-11-25"],
    ["Il rilascio di ieri ha rotto il login.", "2026-11-25"],
    ["Klanten die gisteren besteld hebben, konden niet betalen.", "2026-11-25"],
    ["昨天的部署失败了。", "2026-11-25"],
    ["三天前我们换了证书。", "2026-11-23"],
    ["昨日のデプロイで障害が出ました。", "2026-11-25"],
    ["3日前にサーバーが落ちました。", "2026-11-23"],
    ["昨日田中さんがリリースしました。", "2026-11-25"],
  ])("%s", (text, day) => {
    expect(stored(text)).toContain(day);
  });
});
