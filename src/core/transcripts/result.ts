import type { ToolResult } from "./turn.ts";

/** How much of a call's output is kept, from its beginning and its end (characters): verification results come last. */
const HEAD = 500;
const TAIL = 1_500;
/** How shells and clients report a command's exit status. */
const EXIT_STATUS =
  /^(?:Process exited with code|Exit code:?|Exit Code:|Command exited with code|\(exit code)\s*(-?\d+)/imu;

export type CallStatus = ToolResult["status"];

/** A call's result with shortened output; `status` is the client's, or what the output says about an exit status. */
export function resultOf(output: string, status: CallStatus): ToolResult {
  return {
    status: status === "unknown" || status === "ok" ? (statusInText(output) ?? status) : status,
    head: output.slice(0, HEAD),
    tail: output.length <= HEAD ? "" : output.slice(Math.max(HEAD, output.length - TAIL)),
  };
}

/** The kept output of a call. */
export function outputOf({ head, tail }: ToolResult): string {
  return tail === "" ? head : `${head}\n${tail}`;
}

/** The line must be at the very beginning or the very end; elsewhere a program printed it. */
function statusInText(output: string): CallStatus | undefined {
  const found = EXIT_STATUS.exec(output.slice(0, 400)) ?? EXIT_STATUS.exec(output.slice(-200));
  return found === null ? undefined : Number(found[1]) === 0 ? "ok" : "failed";
}
