import type { WorkingTree } from "../claims/claim.ts";
import { mask } from "../exclusions/masked.ts";
import { keyWords } from "../wording/words.ts";

/** "in the billing module", "of our API", "in this repo". */
const NAMED =
  /\b(?:this|our) (?:project|repo(?:sitory)?|app(?:lication)?|codebase|monorepo|product|service)\b|\b(?:module|service|component|package|crate|library|endpoint|worker|screen|workspace)\b|(?<!\p{L})(?:in diesem (?:projekt|repo)|dans ce (?:projet|dépôt)|en este (?:proyecto|repo)|neste (?:projeto|repo)|в этом (?:проекте|репозитории)|w tym (?:projekcie|repozytorium))(?!\p{L})|这个(?:项目|仓库|模块)|このプロジェクト|이 프로젝트/iu;
const MOST_WORDS = 12;
const BUDGET_MS = 40;

/** Whether a preference speaks of a part of this project, so that it means nothing in another. */
export function isOfThisProject(text: string, tree: WorkingTree | undefined): boolean {
  const { paths, names, signatures } = mask(text);
  if (paths + names + signatures > 0 || NAMED.test(text)) return true;
  // A bare word may be the name of a directory: "for local runs of quota".
  const words = keyWords(text)
    .filter((word) => /^[a-z][a-z\d_-]{3,}$/u.test(word) && !EVERYWHERE.has(word))
    .slice(0, MOST_WORDS);
  if (tree === undefined || words.length === 0) return false;
  const directories = words.map((word) => `${word}/`);
  const facts = tree.ask({ paths: directories, words: [], scripts: [], packages: [], branches: [] }, BUDGET_MS);
  return directories.some((directory) => facts.paths.get(directory)?.state === "here");
}

/** Directories that every project has, and words that mean something else in a wish. */
const EVERYWHERE: ReadonlySet<string> = new Set(
  "tests test docs scripts build dist examples tools code lib src public assets config bin components hooks utils styles types pages english german french spanish terminal editor comments answers commits review reviews".split(
    " ",
  ),
);
