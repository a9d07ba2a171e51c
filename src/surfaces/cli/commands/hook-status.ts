import { approvedGuards, noteState } from "../../../app/guards/guard-registry.ts";
import { isStillApproved } from "../../../app/guards/guard-approval.ts";
import { roomProblem } from "../../../app/workspace/text-file.ts";
import { hookFailures, hookTraceFile } from "../../../app/background/hook-trace.ts";
import type { Locations } from "../../../app/workspace/locations.ts";

/** Failures of memdir inside coding agents, and the guards in force here. */
export interface HookStatus {
  readonly failures: number;
  readonly last:
    | { readonly time: string; readonly client: string; readonly event: string; readonly message: string }
    | undefined;
  readonly trace: string;
  /** A full disk, on which no hook can record anything. */
  readonly disk: string | undefined;
  readonly guards: {
    readonly inForce: number;
    /** Approved, then changed or removed. */ readonly lapsed: readonly string[];
  };
}

export function hookStatus(locations: Locations): HookStatus {
  const failures = hookFailures(locations.memdirHome);
  const guards = approvedGuards(locations);
  const lapsed = guards
    .filter((guard) => noteState(guard) !== "same" && !isStillApproved(locations, guard))
    .map(({ file }) => file);
  const last = failures.at(-1);
  return {
    failures: failures.length,
    last: last && { time: last.time, client: last.client, event: last.event, message: last.message },
    trace: hookTraceFile(locations.memdirHome),
    disk: roomProblem(locations.memdirHome),
    guards: { inForce: guards.length - lapsed.length, lapsed },
  };
}

/** The lines of `status` about hooks: a key and its text each. */
export function hookLines({ failures, last, trace, disk, guards }: HookStatus): readonly (readonly string[])[] {
  const failed =
    last === undefined
      ? "no failure on record"
      : `last failure ${last.time.slice(0, 19).replace("T", " ")} in ${last.client}, ${last.event}: ${last.message} (${failures} on record: ${trace})`;
  const lapsed = `off, because the note changed or is gone since you enabled them: ${guards.lapsed.join(", ")}; \`memdir guard list\``;
  return [
    ["hooks", failed],
    ...(disk === undefined ? [] : [["disk", disk]]),
    ...(guards.inForce === 0 ? [] : [["guards", `${guards.inForce} on here`]]),
    ...(guards.lapsed.length === 0 ? [] : [["guards", lapsed]]),
  ];
}
