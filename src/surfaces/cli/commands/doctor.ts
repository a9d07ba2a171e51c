import { diagnose, type Finding } from "../../../app/care/doctor.ts";
import type { Invocation } from "../command.ts";
import { EXIT, json, line, paint } from "../io.ts";
import { keepWhole, paragraph, placesOf } from "../wrap.ts";
import { counted } from "../../../core/shared/text.ts";

const MARKS = { ok: ["green", "✓"], warn: ["yellow", "!"], fail: ["red", "✗"] } as const;

export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const findings: Finding[] = [];
  const places = placesOf(invocation.workspace());
  const explained = new Set<string>();
  for await (const finding of diagnose(invocation.workspace())) {
    findings.push(finding);
    if (invocation.flag("json")) continue;
    const [style, mark] = MARKS[finding.level];
    paragraph(io, keepWhole(`${paint(io, style, mark)} ${finding.check}: ${finding.result}`, places), "", "    ");
    // The purpose of a check is the same in every scope.
    if (!explained.has(finding.why)) paragraph(io, paint(io, "dim", finding.why), "    ");
    explained.add(finding.why);
    if (finding.remedy !== undefined) paragraph(io, keepWhole(`Fix: ${finding.remedy}`, places), "    ");
  }
  const failed = findings.filter(({ level }) => level === "fail").length;
  if (invocation.flag("json")) json(io, { ok: failed === 0, checks: findings });
  else line(io, failed === 0 ? "\nmemdir works here" : `\n${counted(failed, "check")} failed`);
  return failed === 0 ? EXIT.ok : EXIT.failed;
}
