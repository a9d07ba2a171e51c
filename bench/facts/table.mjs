/** Wrong, verbatim and right for each group, then for each of its authors and languages. */
export function printTable(results) {
  console.log(row("", "cases", "wrong", "verbatim", "right", "right %"));
  for (const [group, own] of by(results, "group")) {
    console.log(row(group, ...counts(own)));
    for (const key of ["author", "lang", ...(group === "dates" ? [] : ["expect"])])
      for (const [name, some] of by(own, key)) console.log(row(`  ${key} ${name}`, ...counts(some)));
  }
}

function by(results, key) {
  const groups = new Map();
  for (const result of results) {
    const name = String(result[key]);
    groups.set(name, [...(groups.get(name) ?? []), result]);
  }
  return [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function counts(results) {
  const count = (verdict) => results.filter((result) => result.verdict === verdict).length;
  const right = count("right");
  return [results.length, count("wrong"), count("verbatim"), right, ((100 * right) / results.length).toFixed(1)];
}

function row(label, ...cells) {
  return label.padEnd(24) + cells.map((cell) => String(cell).padStart(10)).join("");
}
