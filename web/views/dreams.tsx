/** What dreams changed, before and after, and the way back. */
import type { ComponentChild } from "preact";
import { useState } from "preact/hooks";
import type { DreamItem, DreamsView, VersionItem } from "../../src/surfaces/web/api.ts";
import { activity, change, readOnlyReason, useRead } from "../base/store.ts";
import { plural } from "../base/words.ts";
import { Await, Command, Empty, NoteLinks, Page, Tag } from "../parts/parts.tsx";
import { T, Time } from "../parts/text.tsx";
import { VersionTexts } from "./versions.tsx";

interface Line {
  readonly kind: string;
  /** First the note that stays. */
  readonly files: readonly string[];
  readonly reason: string;
  readonly why?: string;
}

function About({ line: { kind, files }, scope }: { readonly line: Line; readonly scope: string }): ComponentChild {
  const ids = files.map((file) => `${scope}:${file}`);
  if (kind !== "merge" && kind !== "supersede") return <NoteLinks ids={ids} />;
  return (
    <span class="stays-goes">
      <span>
        <span class="dim">stays</span> <NoteLinks ids={ids.slice(0, 1)} />
      </span>
      <span>
        <span class="dim">goes</span> <NoteLinks ids={ids.slice(1)} />
      </span>
    </span>
  );
}

function Lines({
  title,
  lines,
  scope,
}: {
  readonly title: string;
  readonly scope: string;
  readonly lines: readonly Line[];
}): ComponentChild {
  if (lines.length === 0) return null;
  return (
    <>
      <h2>
        {title} <span class="count">{lines.length}</span>
      </h2>
      <ul class="rows">
        {lines.map((line, at) => (
          <li key={at}>
            <Tag>{line.kind}</Tag>
            <span>
              <T>{line.reason}</T>
              {line.why !== undefined && (
                <span class="dim">
                  {" "}
                  <T>{line.why}</T>
                </span>
              )}{" "}
              <About line={line} scope={scope} />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Dream({ dream }: { readonly dream: DreamItem }): ComponentChild {
  const [open, setOpen] = useState(false);
  const { version, scope } = dream;
  const whole: VersionItem | undefined =
    version === undefined
      ? undefined
      : { scope, seq: version, time: dream.time, actor: "dream", reason: "", files: [] };
  return (
    <li class="dream">
      <p class="dream-head">
        <b>
          <Time time={dream.time} />
        </b>
        <span class="dim">
          <T>{scope}</T> scope · {plural(dream.notes, "note")} · {(dream.ms / 1000).toFixed(1)} s
          {dream.model !== undefined && ` · ${dream.model.id}`}
        </span>
        {dream.undone && <Tag tone="warn">taken back</Tag>}
        {dream.failure !== undefined && <Tag tone="bad">failed</Tag>}
      </p>
      {dream.failure !== undefined && (
        <p class="remark warn">
          <T>{dream.failure}</T>
        </p>
      )}
      {dream.applied.length + dream.refused.length + dream.told.length === 0 && (
        <p class="dim">It found nothing to tidy.</p>
      )}
      <Lines title={dream.undone ? "Changed, and taken back" : "Changed"} lines={dream.applied} scope={scope} />
      <Lines title="Refused" lines={dream.refused} scope={scope} />
      <Lines title="Noticed, not changed" lines={dream.told} scope={scope} />
      {whole !== undefined && (
        <div class="actions">
          <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
            Before and after
          </button>
          {!dream.undone && (
            <button
              type="button"
              disabled={readOnlyReason(scope) !== undefined}
              onClick={() => void change("dreams/undo", { scope, seq: whole.seq })}
            >
              Take this dream back
            </button>
          )}
        </div>
      )}
      {open && whole !== undefined && <VersionTexts version={whole} />}
    </li>
  );
}

export function DreamsPage(): ComponentChild {
  const [loaded, again] = useRead<DreamsView>("dreams", activity.value);
  return (
    <Page
      title="Dreams"
      lead="A dream tidies notes: it merges notes that say the same and retires stale ones. You can take a whole dream back."
    >
      <Await loaded={loaded} what="the dreams" again={again}>
        {(view) => (
          <>
            <p class="next">
              <span>
                <b>Last</b> {view.last === undefined ? "none yet" : <Time time={view.last} />}
              </span>
              <span>
                <b>Next</b> <T>{view.next}</T>
              </span>
            </p>
            {view.dreams.length === 0 && (
              <Empty title="No dream yet">
                <p>To start one now:</p>
                <Command text="memdir dream" />
              </Empty>
            )}
            <ol class="dreams">
              {view.dreams.map((dream) => (
                <Dream key={`${dream.scope} ${dream.time}`} dream={dream} />
              ))}
            </ol>
          </>
        )}
      </Await>
    </Page>
  );
}
