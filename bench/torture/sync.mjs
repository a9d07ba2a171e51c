/**
 * The torture of sync (`npm run torture -- --sync`): half of the devices share a repository, half a `memdir-server`.
 * Usage: npm run torture -- --sync --processes 20 --operations 10000 --seconds 300 --seed 1 [--keep] [--dist DIR].
 * It ends when either the operations or the seconds are used up. Then the faults stop, and every device must have the
 * same notes after each has synced; nothing may be lost or resurrected, and no forgotten byte may remain.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { isPlanted, plant } from "./plant.mjs";
import { differing, forgottenBytes, judgeNotes } from "./sync-check.mjs";
import { command, count } from "./sync-command.mjs";
import { append, createModel, forget, live, makeHot, notesOf, openDevice, rewrite, syncNow } from "./sync-devices.mjs";
import { fillDisk, openRepository, openServer, smallDisk } from "./sync-remotes.mjs";
import { seededRandom } from "./store.mjs";

/** Longer than the time for which a displaced copy waits for late writes. */
const GRACE_MS = 2_600;
const [DEVICE_DISK_MB, REMOTE_DISK_MB] = [48, 400];
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

export async function tortureSync({ processes, operations, seconds, seed, dist, keep }) {
  const started = performance.now();
  const fault = process.env.MEMDIR_TORTURE_FAULT ?? "";
  const planted = isPlanted(fault) ? plant(dist, fault) : undefined;
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "memdir-torture-sync-")));
  console.log(
    `seed ${seed}, ${processes} devices, up to ${operations} operations or ${seconds} s${fault === "" ? "" : `, planted fault "${fault}"`}`,
  );
  const worlds = [];
  let evidence = [];
  try {
    for (const [kind, devices] of [
      ["git", Math.floor(processes / 2)],
      ["server", Math.ceil(processes / 2)],
    ])
      if (devices > 0) worlds.push(await openWorld({ kind, devices, root, dist: planted ?? dist, seed }));
    const until = performance.now() + seconds * 1000;
    const done = () => worlds.reduce((sum, { model }) => sum + model.operations, 0);
    const isOver = () => performance.now() > until || done() >= operations;
    await Promise.all(worlds.map((world) => torment(world, isOver)));
    const ends = await Promise.all(worlds.map(settleAndJudge));
    evidence = report(worlds, ends, started);
  } finally {
    const isKept = keep || (evidence.length > 0 && fault === "");
    for (const { unmount } of worlds) unmount(isKept);
    if (planted !== undefined) fs.rmSync(planted, { recursive: true, force: true });
    if (isKept) console.log(`kept: ${root}`);
    else fs.rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  }
  return evidence.length > 0 ? 1 : 0;
}

async function openWorld({ kind, devices, root, dist, seed }) {
  const random = seededRandom(seed * 131 + kind.length);
  const model = createModel(kind);
  model.restores = [];
  let made = 0;
  // The two spaces share no id.
  const nextId = () => `qz${kind === "git" ? 1 : 2}${String(made++).padStart(5, "0")}x`;
  const names = Array.from({ length: devices }, (_, at) => `d${at}`);
  const top = path.join(root, kind);
  const disks = [];
  const mountAt = (directory, megabytes) => {
    const disk = smallDisk(directory, megabytes);
    disks.push(disk);
    return disk.isMounted;
  };
  const directory = path.join(top, "remote");
  const remoteIsSmall = mountAt(directory, REMOTE_DISK_MB);
  const counts = (what) => count(model, what);
  const parts = { directory, dist, random, counts, errors: model.errors, devices: names };
  const remote = kind === "git" ? await openRepository(parts) : await openServer(parts);
  for (const name of names) {
    const isSmall = name === "d0" && mountAt(path.join(top, name), DEVICE_DISK_MB);
    const device = openDevice({
      root: top,
      dist,
      name,
      model,
      random: seededRandom(seed * 977 + made * 31 + Number(name.slice(1)) * 7919 + kind.length),
      nextId,
    });
    if (isSmall) device.fillDisk = (work) => whileFull(model, device.home, work);
  }
  await setUpAll(model, remote);
  return { model, remote, random, remoteIsSmall, unmount: (isKept) => disks.forEach((disk) => disk.unmount(isKept)) };
}

async function whileFull(model, directory, work) {
  const makeRoom = fillDisk(directory);
  count(model, "full disks");
  try {
    await work();
  } finally {
    makeRoom();
  }
}

/** As users do it; the line is already unreliable, so it may take several attempts. */
async function setUpAll({ devices }, remote) {
  await Promise.all(
    devices.map(async (device) => {
      const token = remote.tokens === undefined ? [] : ["--token-file", remote.tokens[device.name]];
      const args = ["sync", "setup", ...remote.args, ...token, "--scope", "user", "--manual", "--yes"];
      for (let tried = 0; tried < 20; tried++) {
        const { code, errors } = await command(device, args);
        if (code === 0 || hasSpace(device)) return;
        if (tried === 19) throw new Error(`${device.name} could not set up sync: ${errors}`);
      }
    }),
  );
}

/** A setup that could not reach the remote may have left a list without a space. */
function hasSpace({ home }) {
  const file = path.join(home, ".memdir", "sync", "spaces.json");
  return fs.existsSync(file) && JSON.parse(fs.readFileSync(file, "utf8")).spaces.length > 0;
}

/** Devices live; meanwhile the remote is killed, restored and runs out of disk. */
async function torment(world, isOver) {
  const { model, remote, random, remoteIsSmall } = world;
  const lives = Promise.all(model.devices.map((device) => live(device, isOver)));
  const trouble = (async () => {
    while (!isOver()) {
      const next = performance.now() + 5_000 + random.below(8_000);
      while (performance.now() < next && !isOver()) await sleep(100);
      const luck = random.next();
      if (luck < 0.6) {
        await remote.kill();
        count(model, "remote kills");
      } else if (luck < 0.8) {
        const restored = await remote.restore();
        if (restored !== undefined) model.restores.push({ at: restored.at, now: performance.now() });
        if (restored !== undefined) count(model, "restores");
      } else if (remoteIsSmall) {
        await whileFull(model, remote.directory, () => sleep(500 + random.below(1_500)));
        await remote.recovers?.();
      }
    }
  })();
  await Promise.all([lives, trouble]);
}

async function settleAndJudge({ model, remote }) {
  const { devices, errors } = model;
  await remote.calm();
  await remote.recovers?.();
  const calmly = async (device) => {
    const { code, report: done } = await syncNow(device, { isCalm: true });
    // What another device held up is retried until nothing waits; a device that never succeeds is named at the end.
    if (code !== 0 && code !== OFFLINE)
      errors.push(`${device.name}: the last syncs ended with ${code}: ${JSON.stringify(done?.spaces?.[0]?.message)}`);
    return done;
  };
  // A few at a time, as many as the machine can run: the result is judged, not the speed.
  const each = async (work) => {
    const waiting = [...devices];
    const next = async () => {
      for (let device = waiting.shift(); device !== undefined; device = waiting.shift()) await work(device);
    };
    await Promise.all([next(), next()]);
  };
  // The next commands finish what was cut off, and what an editor wrote into a displaced copy comes back.
  await each((device) => command(device, ["list"]));
  await sleep(GRACE_MS);
  await each((device) => command(device, ["list"]));
  await each(async (device) => {
    for (const found of notesOf(device)) if (isUnfinished(found.note, device)) await forget(device, found);
  });
  await each(calmly);
  await forgetOverRestore({ model, remote }, calmly);
  await each(calmly);
  await changeUnderWay({ model, remote }, calmly);
  await each(saveUnread);
  const unsettled = await settle(each, calmly);
  for (const { device, done } of unsettled)
    errors.push(
      `${device.name} never had all: ${done?.pushed} sent, ${done?.pulled} taken at last, ${done?.spaces?.[0]?.message}`,
    );
  const differences = differing(devices);
  await remote.end();
  return { ...judgeNotes(model), ...forgottenBytes(model, remote), differences };
}

/** A note made under a name that was forgotten at that moment is not read: as memdir asks, it is saved under another. */
async function saveUnread(device) {
  const { out } = await command(device, ["sync", "status", "--json"]);
  for (const [at, file] of JSON.parse(out)
    .spaces.flatMap(({ unread }) => unread)
    .entries())
    fs.renameSync(path.join(device.directory, file), path.join(device.directory, `saved_${device.name}_${at}.md`));
}

/** Every device syncs until none has anything to send or receive. @returns those that never finished. */
async function settle(each, calmly) {
  let unsettled = [];
  for (let round = 0; round < MOST_ROUNDS; round++) {
    unsettled = [];
    await each(async (device) => {
      const done = await calmly(device);
      const isDone = done?.pushed === 0 && done.pulled === 0 && done.spaces.every(({ state }) => state === "idle");
      if (!isDone) unsettled.push({ device, done });
    });
    if (unsettled.length === 0) break;
  }
  return unsettled;
}

/** The exit code of a sync that could not end. */
const OFFLINE = 6;
/** What one device merges, the others take over in the next round. */
const MOST_ROUNDS = 6;

/** Done on purpose, without waiting for chance: a note is forgotten, and a backup brings it back. */
async function forgetOverRestore({ model, remote }, calmly) {
  const restore = async () => {
    const restored = await remote.restore();
    if (restored !== undefined) model.restores.push({ at: restored.at, now: performance.now() });
    return restored !== undefined;
  };
  if (await restore()) await restore();
  const [device, other] = model.devices;
  const isHot = ({ note }) => note.kind === "hot" && note.forget === undefined;
  const found = notesOf(device).find(isHot) ?? makeHot(device);
  found.note.forget = { device: device.name, isAcknowledged: false };
  await forget(device, found);
  await calmly(device);
  if (other !== undefined) await calmly(other);
  await restore();
}

/**
 * Also on purpose: a push is held while another device forgets one of its notes and edits the other. The forgotten one
 * is under way as the copy of a conflict, which names no base.
 */
async function changeUnderWay({ model, remote }, calmly) {
  const [device, other] = model.devices;
  if (other === undefined || remote.holdPush === undefined) return;
  const [gone, edited] = [makeHot(device), makeHot(device)];
  await calmly(device);
  await calmly(other);
  for (const one of [device, other]) rewrite(one, gone);
  await calmly(device);
  append(other, edited);
  const hold = remote.holdPush();
  const sending = syncNow(other, { isCalm: true });
  await Promise.race([hold.met, sending]);
  append(device, edited);
  gone.note.forget = { device: device.name, isAcknowledged: false };
  await forget(device, gone);
  await calmly(device);
  hold.release();
  await sending;
}

/** The user, who still sees the note, repeats a forget that was killed. */
function isUnfinished({ forget: asked }, { name }) {
  return asked !== undefined && !asked.isAcknowledged && asked.device === name;
}

function report(worlds, ends, started) {
  const evidence = evidenceOf(worlds, ends);
  for (const line of evidence.slice(0, 40)) console.log(line);
  if (evidence.length > 40) console.log(`… and ${evidence.length - 40} more`);
  const row = (name, values) =>
    console.log(`${name.padEnd(24)}${values.map((value) => String(value).padStart(12)).join("")}`);
  row(
    "",
    worlds.map(({ model }) => model.name),
  );
  row(
    "operations",
    worlds.map(({ model }) => model.operations),
  );
  const names = [...new Set(worlds.flatMap(({ model }) => Object.keys(model.counts)))].toSorted();
  for (const name of names)
    row(
      name,
      worlds.map(({ model }) => model.counts[name] ?? 0),
    );
  row(
    "removals judged",
    ends.map(({ judged }) => judged),
  );
  row(
    "notes forgotten",
    ends.map(({ forgotten }) => forgotten),
  );
  row(
    "bytes searched",
    ends.map(({ bytes }) => bytes),
  );
  row(
    "lost",
    ends.map(({ lost }) => lost.length),
  );
  row(
    "resurrected",
    ends.map(({ resurrected }) => resurrected.length),
  );
  row(
    "forgotten bytes",
    ends.map(({ found }) => found.length),
  );
  row(
    "different replicas",
    ends.map(({ differences }) => differences.length),
  );
  console.log(`violations ${String(evidence.length).padStart(7)}`);
  console.log(`seconds ${((performance.now() - started) / 1000).toFixed(1).padStart(10)}`);
  return evidence;
}

function evidenceOf(worlds, ends) {
  return worlds.flatMap(({ model }, at) => {
    const { lost, resurrected, found, differences } = ends[at];
    // The cause first, since the rest follows from it.
    return [
      ...model.errors,
      ...resurrected.map((one) => `RESURRECTED ${one}`),
      ...lost.map((one) => `LOST ${one}`),
      ...differences.map((one) => `NOT THE SAME ${one}`),
      ...found.map((one) => `NOT FORGOTTEN ${one}`),
    ].map((one) => `${model.name}: ${one}`);
  });
}
