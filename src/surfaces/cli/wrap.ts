import { displayWidth, type Io, line } from "./io.ts";

/** Prints a paragraph broken at spaces to the width of the terminal; lines after the first begin with `hanging`. */
export function paragraph(io: Io, text: string, indent = "", hanging = indent): void {
  for (const row of wrap(text, io.width, indent, hanging)) line(io, row);
}

/** Rows of at most `width` columns, broken at spaces. */
export function wrap(text: string, width: number, indent: string, hanging: string): string[] {
  const rows: string[] = [];
  let row = indent;
  let isEmpty = true;
  for (const word of text.split(/\s+/u).filter((one) => one !== "")) {
    if (!isEmpty && displayWidth(row) + 1 + displayWidth(word) > width) {
      rows.push(row);
      row = hanging;
      isEmpty = true;
    }
    row += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return isEmpty ? rows : [...rows, row];
}
