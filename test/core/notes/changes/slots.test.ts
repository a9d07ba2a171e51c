import { describe, expect, it } from "vitest";
import { changeOfTexts } from "../../../../src/core/notes/changes/change.ts";

/** What is over for another customer, place, purpose or version, or for a part, is not over for the note. */
const ELSEWHERE: readonly (readonly [before: string, after: string])[] = [
  ["Kestrel gets weekly exports", "Merlin no longer gets weekly exports"],
  ["Fatima reviews the migrations", "Oskar stopped reviewing the migrations"],
  ["The importer talks to RabbitMQ", "The exporter no longer talks to RabbitMQ"],
  ["Branch 7.x gets backports", "Branch 6.x no longer gets backports"],
  ["Parcels over 20 kg need a signature", "Parcels over 5 kg no longer need a signature"],
  ["Client K needs TLS 1.2", "Client M needs TLS 1.3, no longer TLS 1.2"],
  ["v3 of the feed needs a token", "v4 of the feed needs OAuth, no longer a token"],
  ["We use Notion", "We no longer use Notion for meeting notes"],
  ["We use Ansible", "We no longer use Ansible for DNS"],
  ["We deploy to Hetzner", "We no longer deploy to Hetzner on Mondays"],
  ["At most 4 retries for imports", "At most 6 retries for reports from now on"],
  ["The trial lasts 21 days", "The school trial lasts 45 days from now on"],
  ["The EU warehouse ships with GLS", "The US warehouse ships with FedEx instead of GLS"],
  ["Wir nutzen Kafka für Rechnungen", "Wir nutzen Kafka nicht mehr für Mahnungen"],
  ["Das Büro in Kiel nutzt Teams", "Das Büro in Ulm nutzt Teams nicht mehr"],
  ["Le client Fournier veut du CSV", "Le client Garnier ne veut plus de CSV, il veut du JSON"],
  ["El almacén de Vigo usa Odoo", "El almacén de Cádiz ya no usa Odoo"],
  ["Il cliente Rossi usa Stripe", "Il cliente Bianchi non usa più Stripe"],
  ["A loja de Braga usa MBWay", "A loja do Faro já não usa MBWay"],
  ["Клиент Север использует Kafka", "Клиент Восток больше не использует Kafka"],
  ["We use React for the dashboard", "React Router is out, the dashboard uses TanStack Router now"],
  ["Log retention is 30 days", "Backup retention is now 90 days, up from 30 days"],
  ["Il frontend usa Vue", "Il pannello di amministrazione non usa più Vue; il frontend resta com'è"],
  ["バックエンドは Java 17 を使う。", "バッチ処理は Java 17 から Java 21 に上げました。バックエンドはそのままです。"],
  ["Python services use 4 workers", "The Python services still use 4 workers, now with 8 threads instead of 4"],
  ["The invoice job retries twice", "The mail job retries eight times, the provider just drops connections"],
  ["The quota of the importers is 4 GB", "The quota on the exporters got cut to 2 GB"],
];

const CHANGED: readonly (readonly [before: string, after: string])[] = [
  ["Builds go through TeamCity", "TeamCity is gone, builds go through GitHub Actions"],
  ["Pull requests need 3 approvals", "one approval is enough for pull requests now"],
  ["Request timeouts are 20 seconds", "we bumped request timeouts to 45 seconds"],
  ["The cache host is cache-old", "cache host was renamed to cache-new"],
  ["Le quota est de 200 requêtes par minute", "Le quota est passé à 800 requêtes par minute"],
  ["I backup stanno su Backblaze", "I backup non stanno più su Backblaze ma su Wasabi"],
  ["El límite de subida es de 15 MB", "El límite de subida ha pasado a 40 MB"],
  ["Refresh tokens expire after 90 days", "As of today refresh tokens are only valid for 30 days"],
  ["The invoice parser is written in Perl", "The invoice parser was rewritten in Rust"],
  ["The product search runs on Solr", "The product search was migrated to Typesense and Solr is switched off"],
  ["La garde change le jeudi à 17 h", "La garde ne change plus le jeudi mais le mardi à 11 h"],
  ["The minimum supported Python version is 3.9", "As of this release the minimum supported Python version is 3.12"],
  ["Feature toggles come from Flagsmith", "We no longer use Flagsmith, the contract ran out"],
];

describe("what differs in the same place of two statements", () => {
  it.each(ELSEWHERE)("is another subject: %s / %s", (before, after) => {
    expect(changeOfTexts(after, before).kind).not.toBe("replaces");
  });

  it.each(CHANGED)("is a new value of the same subject: %s / %s", (before, after) => {
    expect(changeOfTexts(after, before).kind).toBe("replaces");
  });
});

describe("a statement that speaks of less than the note", () => {
  it.each([
    ["The API listens on port 8080", "The metrics endpoint of the API now listens on port 9100"],
    ["Der Server läuft auf Port 8080", "Der Testserver läuft jetzt auf Port 9090"],
    ["Le serveur tourne sur le port 8080", "Le serveur de test tourne maintenant sur le port 9090"],
    ["El servidor usa el puerto 8080", "El servidor de pruebas usa ahora el puerto 9090"],
    ["On utilise npm", "Pour le site de doc on utilise désormais pnpm au lieu de npm"],
    ["Timeout of the payment client is 10s", "Timeout of the payment client is 60s for refunds"],
    ["Use port 5432 for the primary", "Use port 5433, not 5432, for the replica"],
    ["Prod database backups run at 2am", "Prod database backups run at 4am on Sundays"],
    ["CI and local builds use Java 17", "Local builds were upgraded to Java 21, CI is still on 17"],
    ["The Java server and the docs site are built with Bazel", "The docs site is no longer built with Bazel"],
    ["During a freeze two approvals are needed", "Outside a freeze one approval is enough"],
  ])("never supersedes it: %s / %s", (before, after) => {
    expect(changeOfTexts(after, before).kind).not.toBe("replaces");
  });

  it.each([
    ["The API listens on port 8080", "The API now listens on port 9100"],
    ["Der Server läuft auf Port 8080", "Der Server läuft jetzt auf Port 9090"],
    ["Prod database backups run at 2am", "Prod database backups now run at 4am"],
    ["CI and local builds use Java 17", "CI and local builds use Java 21"],
  ])("but does where it speaks of all: %s / %s", (before, after) => {
    expect(changeOfTexts(after, before).kind).toBe("replaces");
  });
});

describe("another unit, direction or order", () => {
  it.each([
    ["Rate limit is 100 requests per minute", "Rate limit is 100 requests per second"],
    ["Keep the lockfile in git", "Keep the lockfile out of git"],
    ["We deploy from main to release", "We deploy from release to main"],
    ["Wir deployen von main nach release", "Wir deployen von release nach main"],
    ["The token is valid for 15 minutes", "The token is valid for 15 hours"],
    ["Alice reports to Bob", "Bob reports to Alice"],
    ["Invoices are rounded up", "Invoices are rounded down"],
    ["Use HTTP for the health check", "Use HTTPS for the health check"],
    ["Volume is mounted read-only", "Volume is mounted read-write"],
  ])("is not the same: %s / %s", (before, after) => {
    expect(changeOfTexts(after, before).kind).not.toBe("same");
  });
});
