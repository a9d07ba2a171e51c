import fs from "node:fs";

/** Notes directly in a directory, without opening it as a store. */
export function countNotes(directory: string): number {
  const names = fs.existsSync(directory) ? fs.readdirSync(directory) : [];
  return names.filter((name) => !name.startsWith(".") && /\.md$/iu.test(name) && name.toUpperCase() !== "MEMORY.MD").length;
}
