import {
  type Check,
  type Claim,
  NOT_CHECKED_YET,
  type Verdict,
  type CommitMark,
  type PathFact,
  type TreeFacts,
  type TreeQuery,
  type WordFact,
  type WorkingTree,
} from "./claim.ts";
import { wordsOfFlag, wordsOfSymbol } from "./names.ts";

/** Limits of one query to a working tree, whatever the notes name. */
const MOST = { paths: 200, words: 300 } as const;

const ORDER: readonly Verdict[] = ["gone", "renamed", "holds", "unchecked"];

/** Checks the claims of several notes with one query to the tree. Answers in the notes' order, gravest first. */
export function checkClaims(
  notes: readonly (readonly Claim[])[],
  tree: Pick<WorkingTree, "ask">,
  budgetMs: number,
): readonly (readonly Check[])[] {
  const all = notes.flat();
  if (all.length === 0) return notes.map(() => []);
  const facts = tree.ask(queryOf(all), budgetMs);
  return notes.map((claims) =>
    claims.map((claim) => judge(claim, facts)).toSorted((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict)),
  );
}

function queryOf(claims: readonly Claim[]): TreeQuery {
  const names = (kind: Claim["kind"]): string[] => [
    ...new Set(claims.filter((claim) => claim.kind === kind).map(({ name }) => name)),
  ];
  return {
    paths: names("path").slice(0, MOST.paths),
    words: [
      ...new Set([
        ...names("symbol").flatMap(wordsOfSymbol),
        ...names("flag").flatMap((name) => wordsOfFlag(name).any),
      ]),
    ].slice(0, MOST.words),
    scripts: names("script"),
    packages: names("package"),
    branches: names("branch"),
  };
}

function judge(claim: Claim, facts: TreeFacts): Check {
  const { kind, text, name } = claim;
  const [verdict, found] = verdictOf(claim, facts);
  const isLate = verdict === "unchecked" && facts.outOfTime === true && !isAnswered(claim, facts);
  const detail = isLate ? NOT_CHECKED_YET : found;
  return {
    claim: kind === "script" ? text : kind === "flag" ? `--${name}` : text,
    kind,
    verdict,
    ...(detail === undefined ? {} : { detail }),
  };
}

/** Whether there is an answer, even "unknown", for everything that a claim depends on. */
function isAnswered({ kind, name }: Claim, facts: TreeFacts): boolean {
  switch (kind) {
    case "path":
      return facts.paths.has(name);
    case "symbol":
      return wordsOfSymbol(name).every((word) => facts.words.has(word));
    case "flag":
      return wordsOfFlag(name).any.every((word) => facts.words.has(word));
    case "script":
      return facts.scripts.has(name);
    case "package":
      return facts.packages.has(name);
    case "branch":
      return facts.branches.has(name);
    case "host":
      return true;
  }
}

type Judgement = readonly [Verdict, string?];

function verdictOf({ kind, name, certain }: Claim, facts: TreeFacts): Judgement {
  switch (kind) {
    case "path":
      return ofPath(name, facts.paths.get(name));
    case "symbol":
      return ofSymbol(wordsOfSymbol(name), facts.words);
    case "flag":
      return ofFlag(name, facts.words);
    case "script": {
      const fact = facts.scripts.get(name);
      if (fact === undefined) return ["unchecked"];
      if (fact.state === "here") return ["holds"];
      return certain ? ["gone", "no such script in package.json"] : ["unchecked", "no such script in package.json"];
    }
    case "package": {
      const fact = facts.packages.get(name);
      if (fact?.state === "here") return ["holds"];
      if (fact?.state === "former") return ["gone", `no longer a dependency since ${marked(fact.by)}`];
      return fact === undefined ? ["unchecked"] : ["unchecked", "not a dependency here"];
    }
    case "branch": {
      const fact = facts.branches.get(name);
      if (fact?.state === "here") return ["holds"];
      return fact === undefined
        ? ["unchecked"]
        : ["gone", "was checked out here once; now neither a local nor a remote-tracking branch"];
    }
    case "host":
      return ["unchecked", "hosts are never contacted"];
  }
}

function ofPath(path: string, fact: PathFact | undefined): Judgement {
  switch (fact?.state) {
    case undefined:
      return ["unchecked"];
    case "here":
      return fact.at === undefined ? ["holds"] : ["holds", `at ${fact.at}`];
    case "renamed":
      return ["renamed", `${fact.to}${fact.by === undefined ? " (not committed yet)" : ` (${marked(fact.by)})`}`];
    case "deleted": {
      const as = fact.as === undefined || fact.as === path ? "" : `${fact.as} `;
      return ["gone", fact.by === undefined ? `${as}deleted, not committed yet` : `${as}deleted in ${marked(fact.by)}`];
    }
    case "absent":
      return ["gone", "not in the project"];
    case "never":
      return ["unchecked", "not here, and git has no trace of it"];
    case "outside":
      return ["unchecked", "outside the project"];
  }
}

function ofSymbol(words: readonly string[], facts: ReadonlyMap<string, WordFact>): Judgement {
  const found = words.map((word) => facts.get(word));
  if (found.length > 0 && found.every((fact) => fact?.state === "here")) return ["holds"];
  for (const fact of found) if (fact?.state === "former") return ["gone", lastIn(fact)];
  return ["unchecked"];
}

function ofFlag(name: string, facts: ReadonlyMap<string, WordFact>): Judgement {
  const { sure, any } = wordsOfFlag(name);
  if (sure.some((word) => facts.get(word)?.state === "here")) return ["holds"];
  const states = any.map((word) => facts.get(word));
  if (states.some((fact) => fact === undefined || fact.state === "here")) return ["unchecked"];
  for (const word of sure) {
    const fact = facts.get(word);
    if (fact?.state === "former") return ["gone", lastIn(fact)];
  }
  return ["unchecked"];
}

function lastIn({ by, file }: Extract<WordFact, { state: "former" }>): string {
  return `last in ${file}, removed in ${marked(by)}`;
}

function marked({ commit, date }: CommitMark): string {
  return `${commit}, ${date}`;
}

/** The new name that a `renamed` check found. */
export function renamedTo({ verdict, detail }: Pick<Check, "verdict" | "detail">): string | undefined {
  return verdict === "renamed"
    ? /^(.+) \((?:not committed yet|[0-9a-f]+, \d{4}-\d{2}-\d{2})\)$/u.exec(detail ?? "")?.[1]
    : undefined;
}
