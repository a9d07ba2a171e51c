import fs from "node:fs";
import { expect, it } from "vitest";
import { openMemory } from "../../../src/app/memory.ts";
import { cli, type CliResult, emptyHome, homeOf } from "../../support/cli.ts";
import { locate } from "../../../src/app/workspace/locations.ts";
import { scratch } from "../../support/scratch.ts";
import { noteText } from "../../support/store.ts";

function shop() {
  const root = scratch();
  const cwd = `${homeOf(root)}/shop`;
  fs.mkdirSync(`${cwd}/.git`, { recursive: true });
  const environment = emptyHome(root);
  const memdir = (...argv: readonly string[]): Promise<CliResult> => cli(argv, { cwd, environment });
  const names = async (): Promise<readonly string[]> =>
    JSON.parse((await memdir("list", "--json")).out)
      .notes.map(({ file }: { file: string }) => file)
      .toSorted();
  return { cwd, environment, memdir, names };
}

const BOTH = ["project_importer.md", "user_tea.md"];

async function filled() {
  const place = shop();
  await place.memdir("remember", "The importer listens on port 4017.", "--type", "project", "--name", "importer");
  await place.memdir("remember", "I drink tea.", "--type", "user", "--name", "tea", "--scope", "user");
  expect(await place.names()).toEqual(BOTH);
  return place;
}

it("a bare undo takes back the newest change of all scopes, and a bare redo does it again", async () => {
  const { memdir, names } = await filled();
  expect((await memdir("rm", "tea")).out).toContain("`memdir undo` brings it back");
  expect(await names()).toEqual(["project_importer.md"]);
  expect((await memdir("undo")).code).toBe(0);
  expect(await names()).toEqual(BOTH);
  expect((await memdir("redo")).code).toBe(0);
  expect(await names()).toEqual(["project_importer.md"]);
  await memdir("undo");
  await memdir("rm", "importer");
  await memdir("undo");
  expect(await names()).toEqual(BOTH);
});

it("a bare undo passes over a scope in which nothing was changed but by hand", async () => {
  const { cwd, environment, memdir, names } = shop();
  await memdir("remember", "The importer listens on port 4017.", "--type", "project", "--name", "importer");
  const user = locate({ cwd, environment }).stores.find(({ scope }) => scope === "user")?.directory ?? "";
  fs.mkdirSync(user, { recursive: true });
  fs.writeFileSync(`${user}/user_tea.md`, noteText("tea", "I drink tea", "I drink tea.", "user"));
  expect(await names()).toEqual(BOTH);
  expect((await memdir("undo")).code).toBe(0);
  expect(await names()).toEqual(["user_tea.md"]);
});

it("so it is for the library", async () => {
  const { cwd, environment, names } = await filled();
  const memory = openMemory({ cwd, environment });
  memory.remove("user:user_tea.md");
  expect(memory.undo()).toMatchObject({ outcome: "undone" });
  expect(await names()).toEqual(BOTH);
  expect(memory.redo()).toMatchObject({ outcome: "undone" });
  expect(await names()).toEqual(["project_importer.md"]);
  await memory.close();
});
