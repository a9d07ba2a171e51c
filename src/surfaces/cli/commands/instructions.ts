import {
  approvedPath,
  checkPlace,
  type Instructions,
  locateInstructions,
} from "../../../app/instructions/instructions.ts";
import type { InstructionFinding, NotLoaded } from "../../../core/instructions/section.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError, json, line, paint, unknownAction } from "../io.ts";
import { agentOf } from "./context.ts";

export async function run(invocation: Invocation): Promise<number> {
  const [verb, ...paths] = invocation.positionals;
  const { locations, clock } = invocation.workspace();
  const instructions = locateInstructions(locations, agentOf(invocation.option("agent")));
  switch (verb) {
    case "check":
      return check(invocation, checkPlace(instructions, locations.environment), locations.cwd);
    case "list":
      return list(invocation, instructions);
    case "approve":
      return approve(invocation, instructions, paths, new Date(clock.now()).toISOString());
    case "revoke":
      return revoke(invocation, instructions, paths);
    default:
      if (verb === undefined) throw new UsageError("instructions needs one of check, list, approve, revoke");
      throw unknownAction(verb, ["check", "list", "approve", "revoke"]);
  }
}

function check({ io, flag }: Invocation, findings: readonly InstructionFinding[], cwd: string): number {
  if (flag("json")) json(io, { ok: findings.length === 0, findings });
  else if (findings.length === 0) line(io, "no problems in the instruction files");
  else {
    // Paths relative to the current directory; JSON has them in full.
    const short = (words: string): string => words.replaceAll(`${cwd}/`, "");
    for (const { kind, path, message, suggestion } of findings) {
      line(io, `${paint(io, "yellow", kind)} ${short(path)}`);
      line(io, `    ${short(message)}`);
      line(io, paint(io, "dim", `    ${suggestion}`));
    }
  }
  return findings.length === 0 ? EXIT.ok : EXIT.failed;
}

function list({ io, flag }: Invocation, instructions: Instructions): number {
  const approved = instructions.approvals.list();
  const { pending } = instructions.open().start();
  if (flag("json")) {
    json(io, { approved, pending });
    return EXIT.ok;
  }
  if (approved.length + pending.length === 0) line(io, "no file of this project imports from outside it");
  for (const { file, approvedAt } of approved)
    line(io, `approved  ${file}  ${paint(io, "dim", approvedAt.slice(0, 10))}`);
  for (const { path, importedBy } of pending)
    line(io, `${paint(io, "yellow", "pending")}   ${path}  ${paint(io, "dim", `imported by ${importedBy ?? ""}`)}`);
  return EXIT.ok;
}

async function approve(
  invocation: Invocation,
  { place, approvals, open }: Instructions,
  paths: readonly string[],
  now: string,
): Promise<number> {
  const { io } = invocation;
  const pending = paths.length > 0 ? [] : open().start().pending;
  const files = [
    ...new Set((paths.length > 0 ? paths : pending.map(({ path }) => path)).map((path) => approvedPath(place, path))),
  ];
  if (paths.length === 0 && !(await isWanted(invocation, pending))) return EXIT.ok;
  const results = files.map((file) => ({ file, outcome: approvals.approve(file, now) }));
  if (invocation.flag("json")) json(io, { approved: results });
  else if (results.length === 0) line(io, "nothing waits for approval");
  else
    for (const { file, outcome } of results)
      line(io, `${outcome === "already" ? "already approved" : "approved"}: ${file}`);
  return EXIT.ok;
}

async function isWanted({ io, flag }: Invocation, pending: readonly NotLoaded[]): Promise<boolean> {
  if (pending.length === 0 || flag("yes")) return true;
  for (const { path, importedBy } of pending) line(io, `${path}, imported by ${importedBy ?? ""}`);
  const answer = await io.confirm("Let this project's instruction files import these?");
  if (answer === undefined)
    throw new UsageError("approve gives an agent the text of files outside the project: name them, or add --yes");
  return answer;
}

function revoke({ io, flag }: Invocation, { place, approvals }: Instructions, paths: readonly string[]): number {
  if (paths.length === 0)
    throw new UsageError("revoke needs the path of an approved file; `memdir instructions list` shows them");
  // A deleted file can still be revoked by its former path.
  const known = new Set(approvals.list().map(({ file }) => file));
  const results = paths
    .map((path) => (known.has(path) ? path : approvedPath(place, path)))
    .map((file) => ({ file, revoked: approvals.revoke(file) }));
  if (flag("json")) json(io, { revoked: results });
  else for (const { file, revoked } of results) line(io, revoked ? `revoked: ${file}` : `${file} was not approved`);
  return results.every(({ revoked }) => revoked) ? EXIT.ok : EXIT.notFound;
}
