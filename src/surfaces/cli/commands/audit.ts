import { noteReference } from "../../../core/shared/note-reference.ts";
import { AUDIT_CODES, type AuditFinding } from "../../../app/care/audit.ts";
import { auditNotes } from "../../../app/care/audit-notes.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import type { Invocation } from "../command.ts";
import { EXIT, type Io, json, line, paint } from "../io.ts";
import { wrap } from "../wrap.ts";

/** Findings shown per kind, unless all are requested. */
const SHOWN = 10;

export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const workspace = invocation.workspace();
  if (workspace.mode === "off")
    throw new MemoryError("refused", `memory is off (${workspace.locations.modeReason ?? ""}); nothing was read`);
  const findings = await auditNotes(workspace);
  if (invocation.flag("json")) json(io, bounded(findings, invocation.flag("all")));
  else print(io, findings, invocation.flag("all"));
  return findings.length === 0 ? EXIT.ok : EXIT.failed;
}

/** Findings given to a program per kind, unless all are requested. */
const GIVEN = 100;

function bounded(findings: readonly AuditFinding[], all: boolean): object {
  if (all) return { findings };
  const byCode = AUDIT_CODES.map((code) => findings.filter((finding) => finding.code === code));
  const omitted = Object.fromEntries(
    byCode.flatMap((own) => (own.length > GIVEN && own[0] ? [[own[0].code, own.length - GIVEN]] : [])),
  );
  const given = byCode.flatMap((own) => own.slice(0, GIVEN));
  return { findings: given, ...(Object.keys(omitted).length > 0 && { omitted }) };
}

function print(io: Io, findings: readonly AuditFinding[], all: boolean): void {
  if (findings.length === 0) {
    line(io, "no problems found");
    return;
  }
  for (const code of AUDIT_CODES) {
    const own = findings.filter((finding) => finding.code === code);
    if (own.length === 0) continue;
    line(io, paint(io, "bold", `${code} (${own.length})`));
    for (const { scope, files, message, mend, hint } of all ? own : own.slice(0, SHOWN)) {
      const names = files.map((file) => noteReference({ scope, file })).join(", ");
      for (const row of wrap(`${names === "" ? scope : names}: ${message}`, io.width, "  ", "    ")) line(io, row);
      // A command stays on one line, whatever its length, so that it can be copied.
      line(io, paint(io, "dim", `    → ${mend}`));
      if (hint !== undefined)
        for (const row of wrap(hint, io.width, "      ", "      ")) line(io, paint(io, "dim", row));
    }
    if (!all && own.length > SHOWN) line(io, paint(io, "dim", `  and ${own.length - SHOWN} more (--all)`));
  }
}
