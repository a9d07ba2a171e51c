import { loggedRecalls } from "../../../app/recall/log-recall.ts";
import { type LossReason, type Replay, type ReplayedRecall, replayRecalls } from "../../../app/recall/replay.ts";
import type { LoggedRecall } from "../../../core/recall/log-line.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError, type Io, json, line, paint } from "../io.ts";
import { paragraph } from "../wrap.ts";
import { sinceTime } from "./parse-input.ts";
import { shortPrompt } from "./why.ts";
import { counted } from "../../../core/shared/text.ts";

const USUAL = 50;

export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const wanted = logged(invocation);
  const workspace = invocation.workspace();
  const replay = replayRecalls(workspace, wanted);
  const lost = replay.recalls.filter(({ difference }) => difference.outcome === "lost").length;
  const code = lost === 0 ? EXIT.ok : EXIT.failed;
  if (invocation.flag("json")) json(io, { ...counts(replay), ...replay });
  else if (workspace.mode === "off")
    line(
      io,
      `memory is off (${workspace.locations.modeReason ?? ""}): memdir recalls nothing, so there is nothing to compare`,
    );
  else print(io, replay);
  return workspace.mode === "off" ? EXIT.ok : code;
}

function logged(invocation: Invocation): readonly LoggedRecall[] {
  const last = invocation.option("last");
  const since = invocation.option("since");
  if (last !== undefined && since !== undefined) throw new UsageError("give --last or --since, not both");
  const most = Number(last ?? USUAL);
  if (!Number.isInteger(most) || most < 1) throw new UsageError("--last takes a whole number from 1 on");
  const from = since === undefined ? undefined : sinceTime(since);
  const { mode, recallLog } = invocation.workspace();
  const all = mode === "off" ? [] : loggedRecalls(recallLog).filter(({ by }) => by === "rules");
  return from === undefined ? all.slice(-most) : all.filter(({ time }) => Date.parse(time) >= from);
}

function counts({ recalls }: Replay): Readonly<Record<"same" | "gained" | "moved" | "lost", number>> {
  const of = (outcome: string): number => recalls.filter(({ difference }) => difference.outcome === outcome).length;
  return { same: of("same"), gained: of("gained"), moved: of("moved"), lost: of("lost") };
}

function print(io: Io, replay: Replay): void {
  const { recalls, unreadable } = replay;
  if (recalls.length === 0)
    line(
      io,
      `no logged prompt to run again${unreadable > 0 ? ` (${unreadable} are kept as a hash only)` : "; each `memdir recall` adds one"}`,
    );
  for (const recall of recalls) if (recall.difference.outcome !== "same") printChange(io, recall);
  if (recalls.length === 0) return;
  const { same, gained, moved, lost } = counts(replay);
  paragraph(
    io,
    `${counted(recalls.length, "prompt")} run again: ${same} the same, ${gained} gained a note, ${moved} changed between whole and one line, ${paint(io, lost > 0 ? "red" : "green", `${lost} lost a note`)}.`,
  );
  if (unreadable > 0) paragraph(io, `${unreadable} more could not be run: memdir kept only a hash of the prompt.`);
  if (lost > 0)
    paragraph(
      io,
      "`memdir why-not NOTE 'PROMPT'` says what is missing; `memdir history` lists changes, `memdir undo` undoes one.",
    );
}

const REASONS: Readonly<Record<LossReason, string>> = {
  removed: "it is gone",
  superseded: "another note replaced it and is not found either",
  "not-chosen": "it exists but is no longer chosen",
};

function printChange(io: Io, { prompt, difference, reasons }: ReplayedRecall): void {
  paragraph(io, shortPrompt(prompt, 200), "", "  ");
  const shown = (key: string): string => key.replace(/^project:/u, "");
  for (const key of difference.lost)
    paragraph(
      io,
      `${paint(io, "red", "lost")}    ${shown(key)}: ${REASONS[reasons[key] ?? "not-chosen"]}`,
      "  ",
      "          ",
    );
  for (const key of difference.lowered)
    paragraph(io, `lowered ${shown(key)}: shown whole before, in one line now`, "  ", "          ");
  for (const key of difference.raised)
    paragraph(io, `raised  ${shown(key)}: in one line before, shown whole now`, "  ", "          ");
  for (const key of difference.gained)
    paragraph(io, `${paint(io, "green", "gained")}  ${shown(key)}`, "  ", "          ");
  line(io);
}
