/** How the torture ends: cases that show a fault only by luck are made on purpose, without kills. */
import { append, command, isLive, make, purge, readAndRevise, refOf, refsOf } from "./life-actors.mjs";
import { sharedNow } from "./store.mjs";

const CALM = { mayDie: false };

/** A note that only this ending touches, and its file. */
async function fresh(world, scope) {
  const note = await make(world, { scope, ...CALM });
  const file = world.home.noteFiles().find((one) => world.model.noteOf(one) === note);
  if (file === undefined) throw new Error(`${note.id} was not made, so the torture cannot end`);
  return { note, file };
}

/** A person writes a line between a model's reading of a note and its revision; both must stay. */
export async function reviseOverAnEdit(world) {
  const { home, model } = world;
  const { note, file } = await fresh(world, "project");
  const server = home.serve();
  await server.ready;
  const known = model.operations.length;
  const line = model.newLine(note);
  await readAndRevise({ ...world, server }, file, {
    beforeRevising() {
      const begin = sharedNow();
      const done = append(file, line);
      model.add({ note: note.id, line, begin, end: sharedNow(), acknowledged: true, isJudged: true, ...done });
    },
  });
  if (!model.operations.slice(known).some(({ kind, acknowledged }) => kind === "revise" && acknowledged))
    model.errors.push(`${note.id} could not be revised over an edit`);
  // The note may be forgotten next, so its words are checked at once.
  if (!isLive(home, [line])) model.errors.push(`${line} was lost when the note was revised from an older text`);
  await server.end();
}

/** Purges a note that was in three stores. */
export async function moveAndPurge(world) {
  const { home, model } = world;
  const { note } = await fresh(world, "user");
  for (const scope of ["local", "project"]) {
    const [ref] = (await refsOf(world, note)) ?? [];
    const moved = await home.run(["mv", ref, scope], CALM);
    if (moved.code !== 0) model.errors.push(`${note.id} could not be moved to ${scope}: ${moved.errors.trim()}`);
  }
  const refs = await refsOf(world, note);
  // One forget is enough wherever the note has been; only a note that exists twice, as after an import, needs another.
  if (refs?.length === 1) {
    const done = await home.run(["forget", refs[0], "--yes"], CALM);
    const left = await refsOf(world, note);
    if (done.code === 0 && left?.length > 0)
      model.errors.push(`${note.id} was forgotten as ${refs[0]} and is still listed as ${left.join(", ")}`);
  }
  await purge(world, note, CALM);
}

/**
 * Purges a note just after it was revised, while the earlier text is still among the displaced copies. The next command
 * would clear them anyway, so they are checked at once.
 */
export async function reviseAndPurge(world) {
  const { home, model } = world;
  const { note, file } = await fresh(world, "project");
  const server = home.serve();
  await server.ready;
  await readAndRevise({ ...world, server }, file);
  await command(world, ["forget", refOf(home, file), "--yes"], { kind: "purge", note: note.id }, CALM);
  const left = home.displacedCopies().filter((copy) => model.noteOf(copy) === note);
  if (left.length > 0) model.errors.push(`${note.id} was purged and is still a displaced copy: ${left.join(", ")}`);
  await server.end();
  await purge(world, note, CALM);
}
