/** A file below a directory. */
export interface Entry {
  readonly path: string;
  readonly bytes: number;
}

/** Files and directories two levels deep, each directory before what is in it; hidden ones are left out. */
export function entriesBelow(files: readonly Entry[]): readonly Entry[] {
  return level(
    files.filter(({ path }) => path.split("/").every((part) => !part.startsWith(".") && part !== "node_modules")),
    "",
    1,
  );
}

function level(files: readonly Entry[], prefix: string, depth: number): readonly Entry[] {
  const inside = files.filter(({ path }) => path.startsWith(prefix));
  const names = [...new Set(inside.map(({ path }) => path.slice(prefix.length).split("/")[0] ?? ""))].toSorted(byUnits);
  return names.flatMap((name): readonly Entry[] => {
    const path = `${prefix}${name}`;
    const file = inside.find((one) => one.path === path);
    if (file !== undefined) return [file];
    const directory = `${path}/`;
    const held = inside.filter((one) => one.path.startsWith(directory));
    const bytes = held.reduce((sum, one) => sum + one.bytes, 0);
    return [{ path: directory, bytes }, ...(depth < 2 ? level(held, directory, depth + 1) : [])];
  });
}

function byUnits(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

const UNITS = ["B", "K", "M", "G"];

export function sizeOf(bytes: number): string {
  const step = bytes === 0 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log(bytes) / Math.log(1024)));
  const size = bytes / 1024 ** step;
  return `${Number.isInteger(size) ? size : size.toFixed(1)}${UNITS[step]}`;
}

const NUMBER_WIDTH = 6;

/** Lines with their numbers, the first of which is `from`. */
export function numbered(lines: readonly string[], from: number): string {
  return lines.map((line, index) => `${String(index + from).padStart(NUMBER_WIDTH)}\t${line}`).join("\n");
}
