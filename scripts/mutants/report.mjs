/** The results in readable form. */

const COUNTED = new Set(["noticed", "timeout", "survived"]);

/** Counts of one area or of all; a mutant that no longer ends counts as noticed. */
export function countsOf(results) {
  const count = (verdict) => results.filter((one) => one.verdict === verdict).length;
  const judged = results.filter(({ verdict }) => COUNTED.has(verdict)).length;
  const survived = count("survived");
  const share = judged === 0 ? undefined : (100 * (judged - survived)) / judged;
  return { judged, noticed: count("noticed"), timeout: count("timeout"), survived, invalid: count("invalid"), share };
}

export function tableOf(results) {
  const areas = [...new Set(results.map(({ area }) => area))];
  const rows = areas.map((area) => [area, countsOf(results.filter((one) => one.area === area))]);
  if (areas.length > 1) rows.push(["all", countsOf(results)]);
  const lines = rows.map(
    ([area, { judged, noticed, timeout, survived, share }]) =>
      `| ${area} | ${judged} | ${noticed} | ${timeout} | ${survived} | ${percent(share)} |`,
  );
  return [
    "| area | mutants | noticed | never ended | survived | share noticed |",
    "|---|---|---|---|---|---|",
    ...lines,
  ].join("\n");
}

export function survivorsOf(results) {
  const survivors = results.filter(({ verdict }) => verdict === "survived");
  return survivors
    .map(({ path, line, operator, was, replacement, isBounded }) => {
      const bounded = isBounded === true ? " (the time for one mutant was over)" : "";
      return `${path}:${line} ${operator}${bounded}\n  - ${oneLine(was)}\n  + ${oneLine(replacement)}`;
    })
    .join("\n");
}

export function percent(share) {
  return share === undefined ? "-" : `${share.toFixed(0)}%`;
}

function oneLine(text) {
  const line = text.replace(/\s+/gu, " ");
  return line === "" ? "(nothing)" : line.length > 160 ? `${line.slice(0, 159)}…` : line;
}
