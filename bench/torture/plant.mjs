/** Faulty products that the torture must reject: a copy of dist in which one thing is not done. */
import fs from "node:fs";
import path from "node:path";

/** As in the bundles: without white space, and names may have a number at the end. */
const PLANTS = {
  "purge-keeps-history": [/attempt\d*\("the history",/u, '((..._)=>undefined)("the history",'],
  "purge-skips-displaced": [/context\d*\.replacer\.purge\(name\)/u, "undefined"],
  "purge-in-one-store": [/homes\.map\(\(\{store\}\)=>purgeOne/u, "homes.slice(0,1).map(({store})=>purgeOne"],
  "move-drops-lineage": [/lineageFor=movedLineages\(\{source,target\},files\d*\)/u, "lineageFor=()=>({})"],
  "revise-ignores-version": [
    /(function seenBase\(memory,ref,\w+\)\{return )[^}]*(baseOf\d*)\(ref,\w+\)\)?\}/u,
    "$1$2(ref,void 0)}",
  ],
  "sync-no-base-check": [/\(now\?\.seq\?\?\(base>0&&draft\.ended\.get\(key\)===base\?base:0\)\)!==base/u, "false"],
  "sync-dead-accepted": [
    [/draft\.dead\.has\(lineage\)\?\{outcome:"forgotten",key\}:/u, ""],
    [/if\((seen\d*)\.dead\.has\(entry\.lineage\)\)\{/u, "if(false){"],
  ],
  "sync-forget-not-carried": [/(function forgetHere\d*\([^)]*\)\{)/u, "$1return;"],
};
/** The bundles with the code of the commands and the server. */
const BUNDLES = ["commands.cjs", "mcp.cjs", "memdir-server.cjs"];

export const isPlanted = (fault) => Object.hasOwn(PLANTS, fault);

/** The directory of the planted copy, from which packages are found as from the real one; the caller removes it. */
export function plant(dist, fault) {
  const steps = Array.isArray(PLANTS[fault][0]) ? PLANTS[fault] : [PLANTS[fault]];
  const cache = path.join(import.meta.dirname, "..", "..", "node_modules", ".cache");
  fs.mkdirSync(cache, { recursive: true });
  const copy = fs.mkdtempSync(path.join(cache, "memdir-torture-"));
  fs.cpSync(dist, copy, { recursive: true, filter: (name) => !name.endsWith(".cache") });
  for (const [right, wrong] of steps) {
    const planted = BUNDLES.filter((file) => {
      const before = fs.readFileSync(path.join(copy, file), "utf8");
      const after = before.replace(right, wrong);
      if (after !== before) fs.writeFileSync(path.join(copy, file), after);
      return after !== before;
    });
    if (planted.length === 0) throw new Error(`${fault} cannot be planted: no bundle holds ${right}`);
  }
  return copy;
}
