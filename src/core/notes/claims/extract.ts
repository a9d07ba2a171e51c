import { CLAIM_KINDS, type Claim, type ClaimKind } from "./claim.ts";
import { branchesIn, flagsIn, type FoundName, hostsIn, packagesIn, scriptsIn, symbolInSpan } from "./names.ts";
import { assertsExistence, type CodeSpan, type Passage, type Prose, proseOf } from "./passages.ts";
import { pathsInProse, pathsInSpan } from "./paths.ts";

/** A note that names more is a listing; the rest is left unchecked. */
const CLAIMS_A_NOTE = 40;
const MOST_FOUND = 200;
/** Characters; notes beyond are data, and their beginning is enough. */
const LONGEST_NOTE = 20_000;
/** How much of a sentence before and after a name bears on it (characters). */
const NEAR = 300;

interface Placed {
  readonly kind: ClaimKind;
  readonly at: number;
  readonly found: Omit<FoundName, "index">;
}

/**
 * What a note says is there: paths, symbols, options, scripts, packages, branches, hosts; the most telling kind
 * first, then as they stand. Cautious: what may be an example, somebody else's, or is said not to exist is left
 * out. Never throws; every claim's text is part of the note.
 */
export function extractClaims(note: string): readonly Claim[] {
  const source = note.slice(0, LONGEST_NOTE);
  const prose = proseOf(source);
  const placed: Placed[] = [
    ...fromSpans(prose.spans),
    ...prose.sentences.flatMap((sentence) => fromSentence(prose, sentence)),
  ]
    .slice(0, MOST_FOUND)
    .filter(({ at, found }) => {
      const sentence = prose.sentences.find(({ start, end }) => start <= at && at < end);
      if (sentence === undefined || !source.startsWith(found.text, at)) return false;
      // What a name says (`delete-user.ts`) is not what the sentence says.
      const before = prose.masked.slice(Math.max(sentence.start, at - NEAR), at);
      const end = at + found.text.length;
      const around = `${before}\u0060${prose.masked.slice(end, Math.min(sentence.end, end + NEAR))}`;
      return assertsExistence(around.replace(/\S*\/\S*/gu, "`"), before.slice(-60));
    });
  for (const { start, end } of prose.commands)
    placed.push(
      ...scriptsIn(source.slice(start, end), false).map((found): Placed => ({
        kind: "script",
        at: start + found.index,
        found,
      })),
    );
  placed.push(...hostsIn(source).map((found): Placed => ({ kind: "host", at: found.index, found })));
  return distinct(placed);
}

function fromSpans(spans: readonly CodeSpan[]): Placed[] {
  return spans.flatMap((span): Placed[] => {
    const paths = pathsInSpan(span.text);
    const out = paths.map(({ index, path }): Placed => ({
      kind: "path",
      at: span.start + index,
      found: { text: path, name: path, certain: false },
    }));
    const symbol = paths.length > 0 ? undefined : symbolInSpan(span.text);
    if (symbol !== undefined) out.push({ kind: "symbol", at: span.start + symbol.index, found: symbol });
    for (const found of flagsIn(span.text)) out.push({ kind: "flag", at: span.start + found.index, found });
    for (const found of scriptsIn(span.text, true)) out.push({ kind: "script", at: span.start + found.index, found });
    return out;
  });
}

function fromSentence({ text, masked }: Prose, { start, end }: Passage): Placed[] {
  const sentence = text.slice(start, end);
  // What stands in code spans has been looked at; phrases look at both.
  const plain = masked.slice(start, end);
  const place =
    (kind: ClaimKind) =>
    (found: FoundName): Placed => ({ kind, at: start + found.index, found });
  return [
    ...pathsInProse(plain).map(({ index, path }): Placed => ({
      kind: "path",
      at: start + index,
      found: { text: path, name: path, certain: false },
    })),
    ...flagsIn(plain).map(place("flag")),
    ...scriptsIn(plain, false).map(place("script")),
    ...packagesIn(sentence).map(place("package")),
    ...branchesIn(sentence)
      .filter(() => !/\bmerg\w+/iu.test(sentence))
      .map(place("branch")),
  ];
}

function distinct(placed: readonly Placed[]): Claim[] {
  const claims = new Map<string, Claim>();
  const ordered = placed.toSorted((a, b) => CLAIM_KINDS.indexOf(a.kind) - CLAIM_KINDS.indexOf(b.kind) || a.at - b.at);
  for (const {
    kind,
    found: { text, name, certain },
  } of ordered) {
    const known = claims.get(`${kind} ${name}`);
    if (known === undefined || (certain && !known.certain))
      claims.set(`${kind} ${name}`, { kind, text, name, certain });
  }
  return [...claims.values()].slice(0, CLAIMS_A_NOTE);
}
