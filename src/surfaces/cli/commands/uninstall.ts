import { type FilePlan, installPlace, refusalText } from "../../../app/install/install.ts";
import { leavingSteps } from "../../../app/install/review.ts";
import { noteFolders, planUninstall, uninstall } from "../../../app/install/uninstall.ts";
import { publishedCopies, withdrawCopies } from "../../../app/skills/publish.ts";
import type { Invocation } from "../command.ts";
import { EXIT, type Io, json, line, paint } from "../io.ts";
import { paragraph } from "../wrap.ts";
import { fileJson, isAgreed, namedClients, printDiff, scopeOf } from "./install-words.ts";
import { counted } from "../../../core/shared/text.ts";

export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const workspace = invocation.workspace();
  const { locations } = workspace;
  io.ifInterrupted("nothing was changed");
  const place = installPlace(locations, { rule: true });
  const wanted = { clients: namedClients(invocation), scope: scopeOf(invocation) };
  const plans = planUninstall(place, wanted);
  const isJson = invocation.flag("json");
  const copies = publishedCopies(workspace, wanted.clients);
  if (!isJson) {
    show(io, plans);
    if (copies.length > 0) line(io, `${counted(copies.length, "copy", "copies")} of learnt skills in clients' folders`);
  }
  const changes = plans.filter(({ outcome }) => outcome.state === "change").length + copies.length;
  const done =
    !invocation.flag("dry-run") &&
    (changes === 0 || (await isAgreed(invocation, `Make these changes (${counted(changes, "file")})?`, "uninstall")));
  const kept = done ? withdrawCopies(workspace, wanted.clients) : [];
  if (done) uninstall(place, wanted);
  if (isJson)
    json(io, {
      done: done && changes > 0,
      files: plans.map(fileJson),
      skills: copies,
      keptSkills: kept,
      stays: locations.memdirHome,
    });
  else {
    if (done)
      for (const path of copies) line(io, `${kept.includes(path) ? "kept, you changed it" : "removed  "} ${path}`);
    tell(io, plans, done, locations.memdirHome);
  }
  return EXIT.ok;
}

function show(io: Io, plans: readonly FilePlan[]): void {
  for (const plan of plans) {
    if (plan.outcome.state === "change") printDiff(io, plan);
    if (plan.outcome.state === "refused") paragraph(io, paint(io, "yellow", refusalText(plan.file, plan.outcome)));
  }
}

function warning(folders: readonly string[]): string {
  if (folders.length === 0) return "";
  return ` (${folders.join(", ")} in it ${folders.length === 1 ? "holds" : "hold"} notes of yours)`;
}

function tell(io: Io, plans: readonly FilePlan[], done: boolean, memdirHome: string): void {
  const changed = plans.filter(({ outcome }) => outcome.state === "change");
  if (changed.length === 0) line(io, "no client's settings mention memdir; nothing to remove");
  else if (!done) line(io, "Nothing changed.");
  else {
    for (const { file, outcome } of changed)
      line(io, `${outcome.state === "change" && outcome.after === undefined ? "removed  " : "restored "} ${file}`);
    paragraph(
      io,
      `\nYour notes stay where they are. memdir's history and logs stay too, in ${memdirHome}${warning(noteFolders(memdirHome))}, and compiled code in ~/.cache/memdir. You can delete both; a repository also has the file .git/memdir-id.`,
    );
    for (const step of leavingSteps(changed.map(({ agent }) => agent))) paragraph(io, step);
  }
}
