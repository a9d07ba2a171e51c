import { noteInTime } from "../../../app/notes/find-note.ts";
import { diffOf, versionRef, versionsOf } from "../../../app/notes/versions.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import type { ScopedStore } from "../../../app/workspace/workspace.ts";
import type { Invocation } from "../command.ts";
import { EXIT, json, line, paint } from "../io.ts";
import { noteOrVersion, storeOfVersion } from "./parse-input.ts";

export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const workspace = invocation.workspace();
  const wanted = noteOrVersion(invocation);
  const { reference, id } = wanted;
  const ref = reference === undefined ? undefined : noteInTime(workspace, reference);
  const scoped: ScopedStore | undefined = storeOfVersion(workspace, ref, wanted);
  const versions = scoped === undefined ? [] : versionsOf(scoped, ref?.file);
  const version = id === undefined ? versions[0] : versions.find((one) => one.id === id);
  if (scoped === undefined || version === undefined)
    throw new MemoryError(
      "not-found",
      id === undefined
        ? "there are no versions yet"
        : `there is no version ${id}${ref === undefined ? "" : ` of ${ref.file}`}; see \`memdir history\``,
    );
  const diff = diffOf(workspace, scoped, version, ref?.file);
  if (invocation.flag("json")) {
    json(io, { version, diff });
    return EXIT.ok;
  }
  line(
    io,
    paint(
      io,
      "bold",
      `version ${versionRef(scoped, version)}, ${version.time}, by ${version.actor}: ${version.reason}`,
    ),
  );
  for (const text of diff.split("\n"))
    line(io, text.startsWith("+") ? paint(io, "green", text) : text.startsWith("-") ? paint(io, "red", text) : text);
  return EXIT.ok;
}
