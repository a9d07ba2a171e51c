import fs from "node:fs";
import { cli, emptyHome } from "./cli.ts";
import { scratch } from "./scratch.ts";

/** A user with an empty home, in a project whose path has a space, accents and a quotation mark. */
export function person(parent?: string) {
  const root = scratch(parent);
  const cwd = `${root}/Jané Döe's shop`;
  fs.mkdirSync(`${cwd}/.git`, { recursive: true });
  const environment = emptyHome(root);
  const memdir = (argv: readonly string[], more: Parameters<typeof cli>[1] = {}) =>
    cli(argv, { environment, cwd, ...more });
  const json = async (argv: readonly string[]) => JSON.parse((await memdir([...argv, "--json"])).out);
  return { root, cwd, environment, memdir, json };
}
