/** Work that takes seconds: started by hand, with progress, and it can be stopped. */
import type { ComponentChild } from "preact";
import { useEffect } from "preact/hooks";
import type { Job, JobName } from "../../src/surfaces/web/api.ts";
import { send } from "../base/connect.ts";
import { message, stamp, useRead } from "../base/store.ts";
import { Await, Empty } from "./parts.tsx";
import { T, Time } from "./text.tsx";

const POLL_MS = 500;

function Working({
  step,
  done,
  total,
  stop,
}: {
  readonly step: string;
  readonly done: number;
  readonly total: number;
  readonly stop: () => void;
}): ComponentChild {
  return (
    <div class="working">
      <p role="status">
        <T>{step}</T> …
      </p>
      <progress max={Math.max(1, total)} value={done} aria-label="Progress" />
      <button type="button" onClick={stop}>
        Stop
      </button>
    </div>
  );
}

interface Work<Result> {
  readonly name: JobName;
  /** What it would do, for people. */
  readonly idle: string;
  readonly start: string;
  readonly children: (result: Result) => ComponentChild;
}

export function JobView<Result>({ name, idle, start, children }: Work<Result>): ComponentChild {
  const [loaded, again] = useRead<Job<Result>>(name, stamp.value);
  const working = loaded.state === "ready" && loaded.value.state === "working";
  useEffect(() => {
    if (!working) return undefined;
    const timer = setTimeout(again, POLL_MS);
    return () => clearTimeout(timer);
  });
  const run = async (what: "start" | "cancel"): Promise<void> => {
    const answer = await send("jobs", { job: name, do: what });
    if (!answer.ok) message.value = { kind: "failed", text: answer.message };
    again();
  };
  const button = (label: string): ComponentChild => (
    <button type="button" class="primary" onClick={() => void run("start")}>
      {label}
    </button>
  );
  return (
    <Await loaded={loaded} what={name} again={again}>
      {(job) => {
        if (job.state === "idle")
          return (
            <Empty title="Not checked yet">
              <p>{idle}</p>
              {button(start)}
            </Empty>
          );
        if (job.state === "working") return <Working {...job} stop={() => void run("cancel")} />;
        if (job.state === "failed")
          return (
            <Empty title="This could not be finished">
              <p>
                <T>{job.message}</T>
              </p>
              {button("Try again")}
            </Empty>
          );
        return (
          <>
            <p class="checked">
              <span class="dim">
                Checked <Time time={job.time} />, in {(job.ms / 1000).toFixed(1)} s.
              </span>
              {job.stale && <b>Notes changed since.</b>}
              <button type="button" onClick={() => void run("start")}>
                Check again
              </button>
            </p>
            {children(job.result)}
          </>
        );
      }}
    </Await>
  );
}
