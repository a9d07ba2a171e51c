// A generated person and a year of sessions. Only this module decides what is a lasting wish, a change of one, or junk.

const MODULES = ["auth", "billing", "search", "quota", "export", "mailer", "catalog", "ledger"];
const WISHES = [
  (m, v) => [`From now on retries in ${m} must wait ${v} seconds.`, `${v} seconds`],
  (m, v) => [`Always run the ${m} tests with ${v} workers.`, `${v} workers`],
  (m, v) => [`Never merge changes of ${m} with fewer than ${v} approvals, the auditors count them.`, `${v} approvals`],
  (m, v) => [`Remember that the ${m} service of the vendor allows only ${v} calls a minute.`, `${v} calls`],
  (m, v) => [`We decided to keep the logs of ${m} for ${v} days because legal asked for it.`, `${v} days`],
  (m, v) => [`In ${m}, always split commits after ${v} files.`, `${v} files`],
];
const SINGLE = [
  ["Please always answer in short sentences, I read on my phone.", "short sentences"],
  ["I'm a backend engineer and quite new to React.", "new to React"],
  ["Never commit to main directly, the release robot works from it.", "ommit to main directly"],
  ["From now on write commit messages in English.", "commit messages in English"],
  ["Bugs of the shop are tracked in Linear, project SHOP.", "tracked in Linear"],
  ["We release every Thursday, so never merge migrations on a Thursday.", "migrations on a Thursday"],
  ["I prefer table-driven tests.", "table-driven tests"],
  ["Don't add dependencies without asking me first, security reviews each of them.", "dependencies without asking"],
];
const ORDERS = [
  (m) => `Refactor the ${m} config loader.`,
  (m) => `Please fix the failing test in src/${m}/index.test.ts.`,
  (m) => `In this commit keep the old name of the ${m} client.`,
  (m) => `For now skip the e2e tests of ${m}.`,
  (m) => `This time don't push the ${m} branch.`,
  (m) => `Rename the helper in ${m} to loadAll.`,
  (m) => `Add a retry button to the ${m} page.`,
  (m) => `Why does ${m} answer so slowly?`,
];
const PASTES = [
  (m) =>
    `I get this:\n\nerror TS2322: Type 'string' is not assignable to type '${m}Options'.\n  at src/${m}/index.ts:14:7\nwarning: always use the new interface instead of the old one`,
  (m) =>
    `The log says:\n2026-02-03 10:00:00 ERROR ${m}: never retry a failed charge\n2026-02-03 10:00:01 WARN ${m}: remember to rotate keys`,
];

/** A small generator: the same seed gives the same year. */
function random(seed) {
  let state = seed >>> 0 || 1;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return { next, pick: (list) => list[Math.floor(next() * list.length)] };
}

/**
 * The sessions of a year: `messages` of the person; `wishes` with `text` and `key` (the part that must be kept), and
 * for a change `old`, the words that must no longer be in force; `junk`, pieces of text that no note may hold.
 */
export function yearOf(seed, sessions = 150) {
  const { next, pick } = random(seed);
  const inForce = new Map();
  const singles = [...SINGLE];
  return Array.from({ length: sessions }, (_, index) => {
    const messages = [];
    const wishes = [];
    const junk = [];
    const module = pick(MODULES);
    if (next() < 0.65) {
      const kind = Math.floor(next() * WISHES.length);
      const subject = `${kind}:${module}`;
      const old = inForce.get(subject);
      const value = 2 + Math.floor(next() * 90);
      const [text, key] = WISHES[kind](module, value);
      if (old?.key !== key) {
        inForce.set(subject, { key, module });
        wishes.push({ key, module, old: old?.key, text });
        messages.push(text);
      }
    } else if (singles.length > 0 && next() < 0.4) {
      const [text, key] = singles.shift();
      wishes.push({ key, module: "", old: undefined, text });
      messages.push(text);
    }
    for (let count = 0; count < 3 + Math.floor(next() * 8); count++) {
      const text = next() < 0.15 ? pick(PASTES)(module) : pick(ORDERS)(module);
      // A task stays a task even if it is stated three times.
      for (let times = next() < 0.2 ? 3 : 1; times > 0; times--) messages.push(text);
      junk.push(
        text
          .split("\n")
          .at(-1)
          .replace(/^[-\d: ]+/u, "")
          .slice(0, 30),
      );
    }
    return { index, module, messages, wishes, junk };
  });
}
