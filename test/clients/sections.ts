/** One instruction file as it reached a model: where it came from, what it was called, and its text. */
export interface Section {
  readonly path: string;
  /** What the client tells the model about the file; `undefined` where it tells nothing. */
  readonly label: string | undefined;
  readonly body: string;
}

/** What was in the model's context at the start, and what joined it after each file that was read. */
export interface View {
  readonly start: readonly Section[];
  readonly touched: readonly Section[];
}

/** The quoted words at the end of a cut text that tell of the cut. */
const CUT = /\n\n> (?![\s\S]*\n\n)[\s\S]*$/u;

/** The view without what its maker says about a text that it cut. */
export function withoutOwnWords({ start, touched }: View): View {
  const strip = (section: Section): Section => ({ ...section, body: section.body.replace(CUT, "") });
  return { start: start.map(strip), touched: touched.map(strip) };
}

/**
 * Differences between what a client sent and what memdir shows, in words; none means equal: the same
 * files in the same order, each with the same label and the same text.
 */
export function differences(client: View, memdir: View): readonly string[] {
  return [
    ...compare("at start", client.start, memdir.start),
    ...compare("after reading", client.touched, memdir.touched),
  ];
}

function compare(when: string, client: readonly Section[], memdir: readonly Section[]): readonly string[] {
  const [expected, got] = [client.map(({ path }) => path), memdir.map(({ path }) => path)];
  const missing = expected.filter((path) => !got.includes(path)).map((path) => `${when}: memdir leaves out ${path}`);
  const added = got.filter((path) => !expected.includes(path)).map((path) => `${when}: memdir adds ${path}`);
  const ordered = missing.length + added.length > 0 || expected.join("\n") === got.join("\n");
  const order = ordered ? [] : [`${when}: the client's order is ${expected.join(", ")}; memdir's is ${got.join(", ")}`];
  return [
    ...missing,
    ...added,
    ...order,
    ...client.flatMap((section, index) => compareOne(when, section, pairOf(section, index, client, memdir))),
  ];
}

/** A file that appears twice is compared occurrence by occurrence. */
function pairOf(
  section: Section,
  index: number,
  client: readonly Section[],
  memdir: readonly Section[],
): Section | undefined {
  const occurrence = client.slice(0, index).filter(({ path }) => path === section.path).length;
  return memdir.filter(({ path }) => path === section.path)[occurrence];
}

function compareOne(when: string, client: Section, memdir: Section | undefined): readonly string[] {
  if (memdir === undefined) return [];
  const label =
    client.label === memdir.label
      ? []
      : [`${when}: ${client.path} is called ${shown(client.label)} by the client, ${shown(memdir.label)} by memdir`];
  return [...label, ...compareBodies(when, client, memdir)];
}

function compareBodies(when: string, client: Section, memdir: Section): readonly string[] {
  if (client.body === memdir.body) return [];
  const at = [...client.body].findIndex((character, index) => character !== memdir.body[index]);
  const from = Math.max(0, (at < 0 ? client.body.length : at) - 20);
  const sizes = `${client.body.length} and ${memdir.body.length} characters`;
  return [
    `${when}: the text of ${client.path} differs (${sizes}): client …${shown(client.body.slice(from, from + 80))}, memdir …${shown(memdir.body.slice(from, from + 80))}`,
  ];
}

function shown(value: string | undefined): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}
