/**
 * The second half of the torture: real commands, a real MCP server and an editor work on the same notes in five stores.
 * They create, move, promote, demote, import, revise, edit and purge; commands and the server are killed and stopped.
 * Afterwards each line and each byte is accounted for.
 */
import fs from "node:fs";
import path from "node:path";
import { createModel, linesIn, purge, startActors } from "./life-actors.mjs";
import { moveAndPurge, reviseAndPurge, reviseOverAnEdit } from "./life-endings.mjs";
import { judgeLines, purgedBytes } from "./life-check.mjs";
import { openHome } from "./life-home.mjs";
import { seededRandom } from "./store.mjs";

/** Longer than the time for which a displaced copy waits for late writes. */
const GRACE_MS = 2_500;

export async function startLife({ root, dist, seed, seconds }) {
  const random = seededRandom(seed * 31 + 7);
  const counts = { kills: 0, stops: 0 };
  const home = openHome({ root: fs.mkdtempSync(path.join(root, "life-")), dist, random, counts });
  const calm = (args) => home.run(args, { mayDie: false });
  for (const args of [
    ["group", "add", "shop"],
    ["team", "use", ".memdir/team"],
  ])
    await calm(args);
  const model = createModel(random);
  const until = performance.now() + seconds * 1000;
  const world = { model, home, random, isOver: () => performance.now() > until, server: undefined };
  const actors = Promise.all(startActors(world));
  return {
    async end() {
      await actors;
      await settle(world, calm);
      return judge(world, counts);
    },
  };
}

/** Normal commands finish what was cut off; then a person forgets again what an import brought back. */
async function settle(world, calm) {
  const { model, home } = world;
  await calm(["list"]);
  await new Promise((done) => setTimeout(done, GRACE_MS));
  await calm(["list"]);
  const names = home.noteFiles().map((file) => path.basename(file));
  for (const note of model.notes.values()) {
    if (note.purge === undefined) continue;
    const cause = importedAgain(model, note) || !note.purge.acknowledged;
    if (names.some((name) => name.includes(note.id)) && !cause) note.purge.cameBack = true;
    if (cause) await purge(world, note, { mayDie: false });
  }
  // These always happen, whatever chance did before; nothing is killed any more.
  for (const ending of [reviseOverAnEdit, moveAndPurge, reviseAndPurge]) await ending(world);
  await calm(["history"]);
}

/** Whether an archive that may hold the note was imported while or after it was forgotten. */
function importedAgain({ operations }, { id, purge: { begin, end } }) {
  return operations.some(
    (one) => one.kind === "import" && one.note === id && one.end > begin && one.begin < (end ?? Number.MAX_VALUE),
  );
}

async function judge({ model, home }, counts) {
  const archive = path.join(home.root, "at-the-end");
  const exported = await home.run(["export", archive, "--all"], { mayDie: false });
  const texts = exported.code === 0 ? readAll(archive) : "";
  const { lost, resurrected, judged } = judgeLines(model, home, new Set(linesIn(texts)));
  const { purged, found, bytes } = purgedBytes(model, home);
  const cameBack = [...model.notes.values()].filter(({ purge: forgotten }) => forgotten?.cameBack);
  const unfinished = ["forgets", "transfers/pending"].flatMap((name) => {
    const directory = path.join(home.home, ".memdir", name);
    return fs.existsSync(directory) ? fs.readdirSync(directory).map((one) => `${name}/${one}`) : [];
  });
  const unpurged = [...model.notes.values()].filter(({ purge: one }) => one !== undefined && !one.acknowledged);
  const evidence = [
    ...lost.map((one) => `LOST ${JSON.stringify(one)}`),
    ...resurrected.map((one) => `RESURRECTED ${JSON.stringify(one)}`),
    ...cameBack.map((one) => `RESURRECTED after it was forgotten: ${JSON.stringify(one)}`),
    ...found.map((one) => `NOT FORGOTTEN ${JSON.stringify(one)}`),
    ...unfinished.map((one) => `unfinished: ${one}`),
    ...unpurged.map(({ id }) => `${id} could not be forgotten`),
    ...model.errors,
    ...(exported.code === 0 ? [] : [`export: ${exported.code} ${exported.errors.trim()}`]),
  ];
  const done = (kind) => model.operations.filter((one) => one.kind === kind && one.acknowledged).length;
  const saved = done("append") + done("save");
  const rows = [
    ["moves", done("move")],
    ["imports", new Set(model.operations.filter((one) => one.kind === "import").map(({ end }) => end)).size],
    ["revisions", done("revise")],
    ["edits by hand", saved],
    ["notes purged", purged],
    ["removals", judged],
    ["bytes searched", bytes],
    ["forgotten bytes", found.length],
  ];
  return { lost: lost.length, resurrected: resurrected.length + cameBack.length, evidence, rows, counts };
}

function readAll(directory) {
  const files = fs.readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map((entry) => fs.readFileSync(path.join(entry.parentPath, entry.name), "utf8")).join("\n");
}
