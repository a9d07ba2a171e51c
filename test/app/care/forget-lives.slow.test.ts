import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { locate } from "../../../src/app/workspace/locations.ts";
import { openWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import { revise } from "../../../src/app/notes/revise.ts";
import { cli, emptyHome } from "../../support/cli.ts";
import { agentNote } from "../../support/dream-store.ts";
import { whereIs } from "../../support/every-byte.ts";
import { scratch } from "../../support/scratch.ts";

/** `MEMDIR_SEED` begins elsewhere, `MEMDIR_RUNS` lives more lives; each failure names its seed. */
const FIRST_SEED = Number(process.env["MEMDIR_SEED"] ?? 1);
const RUNS = Number(process.env["MEMDIR_RUNS"] ?? 8);
const STEPS = 7;

const BYSTANDER = "The pelican rota is kept on the whiteboard beside the harbour door.";

interface Life {
  readonly root: string;
  readonly marker: string;
  readonly random: (most: number) => number;
  memdir(...argv: string[]): ReturnType<typeof cli>;
  /** Files of notes that hold the marker, as a command names them and on the disk. */
  homes(): readonly Home[];
  readonly told: string[];
  /** A merge was taken back: what had become one note is two again. */
  isApart: boolean;
  last: Home;
}

interface Home {
  readonly ref: string;
  readonly path: string;
}

/** Small, seeded, good enough to choose by. */
function chooser(seed: number): (most: number) => number {
  let state = seed * 2_654_435_761;
  return (most) => {
    state = (Math.imul(state ^ (state >>> 15), 1 | state) + 0x6d2b79f5) | 0;
    return ((state ^ (state >>> 13)) >>> 0) % most;
  };
}

function begin(seed: number): Life {
  const root = scratch();
  const project = `${root}/all/project`;
  fs.mkdirSync(project, { recursive: true });
  const environment = emptyHome(`${root}/all`);
  const marker = `zebra${seed}marker`;
  const options = { cwd: project, environment };
  return {
    root,
    marker,
    random: chooser(seed),
    told: [],
    isApart: false,
    last: { ref: "feeding time", path: "" },
    memdir: (...argv) => cli(argv, options),
    homes() {
      const workspace = openWorkspace(locate(options));
      try {
        return workspace.stores.flatMap(({ scope, store }) => {
          store.reconcile("full");
          return store.index
            .entries()
            .map(({ file }) => ({ ref: `${scope}:${file}`, path: path.join(store.directory, file) }))
            .filter((home) => fs.readFileSync(home.path, "utf8").includes(marker));
        });
      } finally {
        workspace.close();
      }
    },
  };
}

function one(life: Life): Home {
  const homes = life.homes();
  life.last = homes[life.random(homes.length)] ?? life.last;
  return life.last;
}

async function did(life: Life, ...argv: string[]): Promise<void> {
  const { code, out, err } = await life.memdir(...argv);
  life.told.push(`${argv.join(" ")} = ${code}`);
  if (code === 1) throw new Error(`${argv.join(" ")}: ${out}${err}`);
}

const STEPS_OF_A_LIFE: Readonly<Record<string, (life: Life, step: number) => Promise<void>>> = {
  edit: (life, step) =>
    did(life, "edit", one(life).ref, "--body", `Step ${step}: the ${life.marker} moved to pier ${step}.`),
  "edit by hand": async (life, step) => {
    fs.appendFileSync(one(life).path, `\nBy hand in step ${step}, ${life.marker} again.\n`);
    await did(life, "list");
  },
  "rename by hand": async (life, step) => {
    const { path: from } = one(life);
    fs.renameSync(from, path.join(path.dirname(from), `by_hand_${life.marker}_${step}.md`));
    if (life.random(2) === 0) await did(life, "list");
  },
  "copy and remove by hand": async (life, step) => {
    const { path: from } = one(life);
    fs.copyFileSync(from, path.join(path.dirname(from), `copied_${step}.md`));
    await did(life, "list");
    fs.rmSync(from);
    await did(life, "list");
  },
  "give a name": (life, step) => did(life, "edit", one(life).ref, "--name", `${life.marker} name ${step}`),
  move: (life, step) => {
    const scope = ["user", "local", "project"][life.random(3)] ?? "user";
    return did(life, "mv", one(life).ref, life.random(2) === 0 ? scope : `${scope}:moved ${step}`);
  },
  promote: (life) => did(life, "promote", one(life).ref),
  demote: (life) => did(life, "demote", one(life).ref),
  "conflict copy": async (life, step) => {
    const { ref } = one(life);
    const [scope, file = ""] = ref.split(":");
    const workspace = openWorkspace(
      locate({ cwd: `${life.root}/all/project`, environment: emptyHome(`${life.root}/all`) }),
    );
    const scoped = workspace.stores.find((store) => store.scope === scope);
    const base = scoped?.store.read(file);
    if (scoped !== undefined && base !== undefined) {
      const text = new TextDecoder().decode(base);
      fs.writeFileSync(
        path.join(scoped.store.directory, file),
        text.replaceAll(life.marker, `${life.marker} theirs ${step}`),
      );
      await revise(
        workspace,
        { scoped, file },
        { text: text.replaceAll(life.marker, `${life.marker} ours ${step}`) },
        base,
      );
    }
    workspace.close();
  },
  "remove and restore": async (life) => {
    const { ref } = one(life);
    await did(life, "remove", ref);
    await did(life, "restore", ref);
  },
  undo: async (life) => {
    life.isApart ||= life.told.includes("[merge in a dream]");
    await did(life, "undo", one(life).ref);
  },
  "export and import": async (life, step) => {
    const archive = `${life.root}/export-${step}.tar.gz`;
    await did(life, "export", archive);
    const { ref } = one(life);
    if (life.random(2) === 0) await did(life, "remove", ref);
    else await did(life, "edit", ref, "--body", `Changed in step ${step} after the export of ${life.marker}.`);
    await did(life, "import", archive, "--yes");
  },
  "merge in a dream": async (life, step) => {
    const directory = path.dirname(one(life).path);
    const rule = `Integration tests of ${life.marker} use the postgres container ${step}.`;
    fs.writeFileSync(`${directory}/project_once_${step}.md`, agentNote(`once ${step}`, rule, "2025-01-02T09:00:00Z"));
    const own = life.homes().find(({ path: file }) => path.dirname(file) === directory && !file.includes("_once_"));
    if (own !== undefined)
      fs.writeFileSync(own.path, agentNote(`own ${step}`, `Please remember: ${rule}`, "2025-02-02T09:00:00Z"));
    await did(
      life,
      "dream",
      "--apply",
      "--scope",
      own?.path.includes("/user/") === true ? "user" : own?.path.includes("/local/") === true ? "local" : "project",
    );
    if (fs.readFileSync(`${directory}/project_once_${step}.md`, "utf8").includes("supersededBy")) return;
    life.told.push("not merged");
    await did(life, "forget", path.basename(`project_once_${step}.md`), "--yes");
  },
};

async function live(life: Life): Promise<void> {
  await did(life, "remember", `The ${life.marker} is fed at nine in the north tower.`, "--name", "feeding time");
  await did(life, "remember", BYSTANDER, "--name", "pelican rota");
  const names = Object.keys(STEPS_OF_A_LIFE);
  // An undo may take the note away: a removed note is forgotten as well.
  for (let step = 1; step <= STEPS && life.homes().length > 0; step++) {
    const name = names[life.random(names.length)] ?? "edit";
    life.told.push(`[${name}]`);
    await STEPS_OF_A_LIFE[name]?.(life, step);
  }
}

describe("after a life of any kind", () => {
  it.each(Array.from({ length: RUNS }, (_, run) => FIRST_SEED + run))(
    "a forgotten note is nowhere (seed %i)",
    async (seed) => {
      const life = begin(seed);
      try {
        await live(life);
        const before = (await life.memdir("history", "pelican rota")).out;
        life.told.push(
          `forget one of ${life
            .homes()
            .map(({ ref }) => ref)
            .join(", ")}`,
        );
        expect(await life.memdir("forget", one(life).ref, "--yes")).toMatchObject({ code: 0 });
        for (let rest = life.homes()[0]; life.isApart && rest !== undefined; rest = life.homes()[0])
          await did(life, "forget", rest.ref, "--yes");
        expect(whereIs(life.marker, `${life.root}/all`)).toEqual([]);
        for (const command of [["list"], ["history"], ["list", "--as-of", "2099-01-01"]])
          expect((await life.memdir(...command)).out).not.toContain(life.marker);
        expect((await life.memdir("undo", "feeding time")).code).toBe(3);
        expect((await life.memdir("show", "pelican rota")).out).toContain(BYSTANDER);
        expect((await life.memdir("history", "pelican rota")).out).toBe(before);
      } catch (error) {
        throw new Error(
          `seed ${seed}: ${life.told.join("; ")}: ${error instanceof Error ? error.message : String(error)}`,
          { cause: error },
        );
      }
    },
    60_000,
  );
});
