import { pathsInProse, pathsInSpan } from "../claims/names.ts";

/** A sentence with placeholders for code, so that its structure is visible. */
export interface Masked {
  readonly text: string;
  /** The number of placeholders of each kind. */
  readonly paths: number;
  readonly names: number;
  readonly signatures: number;
}

const PATH = "⟦p⟧";
const NAME = "⟦c⟧";
const SIGNATURE = "⟦s⟧";
const COMMIT = "⟦h⟧";
const REQUEST = "⟦r⟧";
const COMMAND = "⟦k⟧";
const ADDRESS = "⟦u⟧";

/** Replaces code spans, addresses, paths, signatures, commits and identifiers. */
export function mask(sentence: string): Masked {
  const text = maskNames(
    maskPaths(
      sentence
        .replace(/https?:\/\/[^\s)>\]"'」』]+/giu, ADDRESS)
        .replace(/(?<![\w/.@-])(?:[a-z][\w-]*\.)+[a-z][\w-]*\/(?!\s)[\w./#?=&%-]*[\w/]/giu, (found) =>
          HOST.test(found) ? ADDRESS : found,
        )
        .replace(/`([^`\n]+)`/gu, (_, span: string) => maskSpan(span))
        .replace(SIGNATURE_SHAPE, SIGNATURE)
        .replace(CALL_SHAPE, SIGNATURE)
        .replace(REQUEST_SHAPE, REQUEST)
        .replace(COMMIT_SHAPE, COMMIT),
    ),
  );
  const count = (mark: string): number => text.split(mark).length - 1;
  return {
    text,
    paths: count(PATH),
    names: count(NAME),
    signatures: count(SIGNATURE),
  };
}

/** `grafana.internal/d/x`, not `src.lib/x.ts`. */
const HOST = /^(?:[\w-]+\.)+(?:com|org|net|io|dev|ai|app|co|internal|local|cloud|fr|de|eu|uk|es|pl|ru|cn|jp)\//iu;

/** `name(a: string, b = 1): Promise<X>`, `def load(path) -> dict`. */
const SIGNATURE_SHAPE =
  /(?:\b(?:export |async |public |private |static |def |func |fn |function )*)[A-Za-z_$][\w$.]*(?:<[^<>\s]{1,40}>)?\((?:[^()\n]*[:=,][^()\n]*)\)\s*(?:->|=>|:)\s*[A-Za-z_$][\w$<>[\]|., ]{0,40}?(?=[\s.;:,`]|$)/gu;
/** `formatPrice(amount, currency)`: more than one argument, and no space before the bracket. */
const CALL_SHAPE = /\b[A-Za-z_$][\w$.]*\((?:[\w$.'"]+, ?)+[\w$.'"]+\)/gu;
/** An abbreviated or full commit id with at least one letter and one digit. */
const COMMIT_SHAPE = /(?<![\p{L}\p{N}_#/.-])(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{7,40}(?![\p{L}\p{N}_-])/giu;
/** The number of a pull request. */
const REQUEST_SHAPE = /\b(?:PR|MR|pull[- ]?request|merge[- ]?request) ?(?:[#!]|no\.? ?|nr\.? ?)?\d+\b/giu;

function maskSpan(span: string): string {
  const text = span.trim();
  if (new RegExp(`^(?:${SIGNATURE_SHAPE.source})$`, "u").test(text)) return SIGNATURE;
  if (/^[0-9a-f]{7,40}$/u.test(text)) return COMMIT;
  // `retry(fn, times)` is code; `npm run build` is a command.
  if (/^[A-Za-z_$][\w$.]*\([^()]*\)$/u.test(text)) return NAME;
  if (/\s/u.test(text)) return COMMAND;
  return pathsInSpan(text).length > 0 || /^[\w.@-]+\/[\w./@*-]*$/u.test(text) ? PATH : NAME;
}

/** Usual directories of a program, followed by a slash. */
const CODE_DIRECTORY =
  /^(?:\.{0,2}\/)?(?:src|lib|libs|app|apps|tests?|specs?|packages?|internal|cmd|pkg|docs?|scripts|config|db|database|server|client|components?|utils?|hooks?|resources|public|api|bin|tools?|modules?|core|store|models?|views?|controllers?|services?|middlewares?|alembic|migrations|helpers?|features?|pages?|routes?|styles|types|assets|static|templates|include|crates|frontend|backend|web|infra|deploy)\//u;

function maskPaths(text: string): string {
  const found = pathsInProse(text).map(({ path }) => path);
  const known = found.reduce((masked, path) => masked.replaceAll(path, PATH), text);
  return known.replace(/(?<![\p{L}\p{N}_/.@⟧-])(?:\.{0,2}\/)?[\w@.-]+(?:\/[\w@.*-]+)*\/?(?![\w/])/gu, (token) => {
    const path = token.replace(/[.]+$/u, "");
    const rest = token.slice(path.length);
    if (/^(?:feature|fix|hotfix|bugfix|chore|release|feat)\//u.test(path)) return token;
    if (path.includes("/") && (path.endsWith("/") || CODE_DIRECTORY.test(path))) return PATH + rest;
    return isFile(path) ? PATH + rest : token;
  });
}

function isFile(word: string): boolean {
  return pathsInSpan(word).length > 0 || /^\*\.[a-z]+(?:\.[a-z]+)*$/u.test(word);
}

/** Written with humps, but not code. */
const PRODUCTS =
  /^(?:JavaScript|TypeScript|CoffeeScript|GitHub|GitLab|BitBucket|PostgreSQL|PostGIS|MySQL|MariaDB|MongoDB|DynamoDB|CockroachDB|ClickHouse|GraphQL|LaunchDarkly|PagerDuty|DataDog|OpenAI|OpenAPI|OpenTelemetry|CircleCI|TeamCity|IntelliJ|PyCharm|WebStorm|VSCode|DevOps|YouTrack|YouTube|LinkedIn|WhatsApp|PayPal|JetBrains|TensorFlow|PyTorch|NumPy|SciPy|FastAPI|SQLAlchemy|SQLite|NoSQL|NodeJS|NextJS|ReactJS|VueJS|AngularJS|NestJS|RabbitMQ|ActiveMQ|ElasticSearch|OpenSearch|HashiCorp|CloudFlare|CloudFront|CloudWatch|DigitalOcean|SharePoint|OneDrive|PowerShell|PowerPoint|OneNote|MacOS|FreeBSD|OpenBSD|WordPress|WooCommerce|HubSpot|SendGrid|MailChimp|BigQuery|DataFrame|SwiftUI|UIKit|AppStore|PlayStore|IPv4|IPv6|OAuth|WebSocket|WebAssembly|WebGL|WebGPU|LaTeX|McDonald|StackOverflow|HackerNews|ChatGPT|DeepSeek|LangChain|CapRover|ArgoCD|GitOps|TestFlight|BrowserStack|PostHog|MixPanel|MetaBase|LastPass|BitWarden|StatusPage|OpsGenie|VictorOps|LogRocket|NewRelic|SonarQube|JFrog)s?$/u;

function maskNames(text: string): string {
  return text.replace(
    /(?<![\p{L}\p{N}_⟦/@#.-])(?:[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*\([^()\s]{0,40}\)|[A-Za-z][\w$]*)(?![\p{L}\p{N}_⟧])/gu,
    (word) => {
      if (word.endsWith(")")) return NAME;
      if (PRODUCTS.test(word)) return word;
      const isName =
        /^[a-z]+\d*(?:[A-Z][a-z0-9]+)+$/u.test(word) ||
        /^(?:[A-Z][a-z0-9]+){2,}$/u.test(word) ||
        /^[A-Z]{2,}[a-z]+(?:[A-Z][a-z0-9]+)+$/u.test(word) ||
        /^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/u.test(word) ||
        /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/u.test(word) ||
        (/^I[A-Z][a-z]+(?:[A-Z][a-z]+)*$/u.test(word) && word.length > 4);
      return isName ? NAME : word;
    },
  );
}
