import { isExclusion, noteScope, noteType } from "../../../app/notes/gate.ts";
import type { InferredType } from "../../../core/notes/types/infer-type.ts";
import { remember, type RememberResult } from "../../../app/notes/remember.ts";
import { shownRef, type Workspace } from "../../../app/workspace/workspace.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError, json, line, warn } from "../io.ts";
import { headroomNote } from "./note-lines.ts";
import { textGiven } from "./parse-input.ts";

/** Which type was inferred, and how to change it. */
function inferredLine(shown: string, { type, other }: InferredType): string {
  return other === undefined
    ? `type: ${type}`
    : `type: ${type}, or perhaps ${other}: \`memdir edit ${shown} --type ${other}\` changes it`;
}

/** What happened to older notes, one line each. */
function rivalLines(
  workspace: Workspace,
  { ref: { scoped, file }, superseded, contradicts, perhaps }: Extract<RememberResult, { readonly outcome: "created" }>,
): readonly string[] {
  const shown = (other: string): string => shownRef(workspace, { scoped, file: other });
  return [
    ...superseded.map(
      (old) =>
        `superseded ${shown(old.file)}: "${old.says}" (\`memdir undo ${shown(file)}\` restores it and removes the new note)`,
    ),
    ...contradicts.map(
      (old) =>
        `contradicts ${shown(old.file)}: "${old.says}"; recall shows the newer first until you decide with \`memdir conflicts\``,
    ),
    ...perhaps.map(
      (old) =>
        `this may change ${shown(old.file)}: "${old.says}". If it does, run \`memdir supersede ${shown(old.file)} ${shown(file)}\``,
    ),
  ];
}

function createdJson(result: Extract<RememberResult, { readonly outcome: "created" }>): object {
  const { type, headroom, superseded, contradicts, perhaps, inferred, forced, nameTaken } = result;
  return {
    type,
    headroom,
    superseded,
    contradicts,
    perhaps,
    ...(inferred && { inferred }),
    ...(forced && { forced }),
    ...(nameTaken !== undefined && { nameTaken }),
  };
}

/** `memdir remember`: reads the text and the options, saves the note and says what became of older ones. */
export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const type = noteType(invocation.option("type"));
  const scope = noteScope(invocation.option("scope"));
  const name = invocation.option("name");
  const description = invocation.option("description");
  if (invocation.option("replaces") !== undefined && invocation.flag("beside"))
    throw new UsageError("give --replaces or --beside, not both");
  const body = await textGiven(io, invocation.positionals);
  const workspace = invocation.workspace();
  warn(io, workspace.likelierStore());
  const result = await remember(workspace, {
    body,
    ...(type && { type }),
    ...(scope && { scope }),
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(invocation.option("asked") !== undefined && { asked: [invocation.option("asked") ?? ""] }),
    ...(invocation.flag("force") && { insist: true }),
    ...(invocation.option("replaces") !== undefined && { replaces: [invocation.option("replaces") ?? ""] }),
    ...(invocation.flag("beside") && { beside: true }),
  });
  if (result.outcome === "refused") {
    if (invocation.flag("json")) json(io, result);
    else io.err(`memdir: refused: ${result.message}${isExclusion(result) ? ", or keep this with --force" : ""}\n`);
    return EXIT.refused;
  }
  const { file, scoped } = result.ref;
  const shown = shownRef(workspace, result.ref);
  if (result.outcome === "similar") {
    if (invocation.flag("json")) json(io, { file, scope: scoped.scope, outcome: result.outcome, says: result.says });
    else
      io.err(
        `memdir: nothing saved: ${shown} says nearly the same: "${result.says}". Change it with \`memdir edit ${shown}\`, or save a second note with --force or another --name\n`,
      );
    return EXIT.conflict;
  }
  if (invocation.flag("json"))
    json(io, {
      file,
      scope: scoped.scope,
      outcome: result.outcome,
      ...(result.outcome === "created" && createdJson(result)),
    });
  else if (result.outcome === "known")
    line(io, `already remembered: ${shown} (\`memdir edit ${shown}\` changes it, --force saves a second note)`);
  else {
    line(io, `remembered: ${shown}${headroomNote(result.headroom)}`);
    if (name !== undefined && result.nameTaken !== undefined)
      line(io, `the name "${name}" is taken: ${shownRef(workspace, { scoped, file: result.nameTaken })}`);
    if (result.dated) line(io, `with dates: ${result.dated.join(", ")}`);
    if (result.inferred) line(io, inferredLine(shown, result.inferred));
    if (result.forced) line(io, `kept because of --force; the note records that it was refused (${result.forced})`);
    for (const told of rivalLines(workspace, result)) line(io, told);
  }
  return EXIT.ok;
}
