/** Notes generated from a seed, with word frequencies like those of prose (Zipf), about 100 words each. */

const COMMON =
  "service test deploy database queue order import cache session login parser retry policy staging production branch release config schema migration worker index token request response handler client server module package build pipeline error timeout limit user team project file path script hook event stream".split(
    " ",
  );
const SYLLABLES = "ba ke li mo nu ra se ti vo zu pra ster blin dor fen gal hix jom lur pez".split(" ");

/** A small deterministic generator (mulberry32). */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The n-th most likely word of an infinite vocabulary. */
function wordAt(rank) {
  if (rank < COMMON.length) return COMMON[rank];
  let rest = rank - COMMON.length;
  let word = "";
  do {
    word += SYLLABLES[rest % SYLLABLES.length];
    rest = Math.floor(rest / SYLLABLES.length);
  } while (rest > 0);
  return word + SYLLABLES[rank % 7];
}

function zipfWord(random) {
  return wordAt(Math.floor(20_000 ** random()) - 1);
}

function sentence(random, words) {
  const text = Array.from({ length: words }, () => zipfWord(random)).join(" ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** One note as the text of a file. */
export function makeNote(random, number) {
  const type = ["project", "feedback", "reference", "user"][number % 4];
  const body = Array.from({ length: 8 }, () => sentence(random, 11)).join("\n");
  return `---\nname: note-${number}-${zipfWord(random)}\ndescription: ${sentence(random, 9)}\nmetadata:\n  type: ${type}\n---\n\n${body}\n`;
}
