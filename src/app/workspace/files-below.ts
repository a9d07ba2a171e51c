import fs from "node:fs";
import path from "node:path";

/** Every ordinary file below a directory, relative to it, in order. */
export function filesBelow(directory: string): readonly string[] {
  if (!fs.existsSync(directory)) return [];
  const visit = (relative: string): string[] =>
    fs.readdirSync(path.join(directory, relative), { withFileTypes: true }).flatMap((entry) => {
      const name = relative === "" ? entry.name : `${relative}/${entry.name}`;
      if (entry.isDirectory()) return visit(name);
      return entry.isFile() ? [name] : [];
    });
  return visit("").toSorted();
}
