import type { ToolResult } from "./turn.ts";

/** What is kept of a call's output, from its beginning and from its end (characters): verification speaks last. */
const HEAD = 500;
const TAIL = 1_500;
/** How shells and clients say how a command ended. */
const EXIT_STATUS =
  /^(?:Process exited with code|Exit code:?|Exit Code:|Command exited with code|\(exit code)\s*(-?\d+)/imu;

export type CallStatus = ToolResult["status"];

/** A call's result with its output cut; `status` as the client has it, or what the output says of an exit status. */
export function resultOf(output: string, status: CallStatus): ToolResult {
  return {
    status: status === "unknown" || status === "ok" ? (statusInText(output) ?? status) : status,
    head: output.slice(0, HEAD),
    tail: output.length <= HEAD ? "" : output.slice(Math.max(HEAD, output.length - TAIL)),
  };
}

/** Output of a call as far as it was kept. */
export function outputOf({ head, tail }: ToolResult): string {
  return tail === "" ? head : `${head}\n${tail}`;
}

/** The line stands at the very beginning or at the very end; elsewhere it is what a program printed. */
function statusInText(output: string): CallStatus | undefined {
  const found = EXIT_STATUS.exec(output.slice(0, 400)) ?? EXIT_STATUS.exec(output.slice(-200));
  return found === null ? undefined : Number(found[1]) === 0 ? "ok" : "failed";
}
