/** Where notes meet with other devices, how far they are, and what waits for a person. */
import type { ComponentChild } from "preact";
import { useState } from "preact/hooks";
import type { DevicesView, SyncItem, SyncView } from "../../src/surfaces/web/api.ts";
import { activity, useRead } from "../base/store.ts";
import { plural } from "../base/words.ts";
import { Await, Command, Empty, NoteLink, Page, Section, Tag } from "../parts/parts.tsx";
import { T, Time } from "../parts/text.tsx";

const KINDS: Readonly<Record<string, string>> = {
  git: "git repository",
  server: "memdir-server",
  store: "memory store of the Anthropic API",
};
/** Who can read a space that keeps no list of its devices. */
const READERS: Readonly<Record<string, string>> = {
  git: "Whoever can read the repository can read these notes. It keeps no list of devices.",
  store: "Whoever has a key of the account can read these notes. It keeps no list of devices.",
};
const STATES = {
  idle: { word: "in step", tone: "good" },
  "never-run": { word: "never ran", tone: "quiet" },
  offline: { word: "offline", tone: "warn" },
  paused: { word: "paused", tone: "quiet" },
  ask: { word: "asks you", tone: "warn" },
  key: { word: "needs a key", tone: "warn" },
} as const;

const BEHIND = { word: "has changes to send", tone: "warn" } as const;

/** What to run next, where a person can do something. */
function commandOf({ state, scope, keys }: SyncItem): string {
  if (state === "paused") return `memdir sync resume --scope ${scope}`;
  if (state === "ask") return "memdir sync approve";
  if (keys !== undefined && keys.requests > 0) return "memdir sync approve --device WORDS";
  return `memdir sync now --scope ${scope}`;
}

function Keys({ keys }: { readonly keys: NonNullable<SyncItem["keys"]> }): ComponentChild {
  return (
    <>
      <p>
        <span class="dim">Encrypted; keys have</span>{" "}
        {keys.devices.map(({ id, name, here }) => `${name}${here ? " (this device)" : ""} ${id}`).join(", ")}
      </p>
      {keys.requests > 0 && <p class="remark warn">{plural(keys.requests, "device")} asks for the keys.</p>}
      {keys.words !== undefined && (
        <p class="remark">
          This device waits for the keys. Approve it on another one with the words <b>{keys.words}</b>
        </p>
      )}
    </>
  );
}

function KeptHere({ refused }: Pick<SyncItem, "refused">): ComponentChild {
  if (refused.length === 0) return null;
  return (
    <ul class="rows">
      {refused.map(({ path, why }) => (
        <li key={path}>
          <Tag tone="warn">kept here</Tag>
          <span>
            <T>{path}</T> <span class="dim">{why}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function Space({ space }: { readonly space: SyncItem }): ComponentChild {
  const { word, tone } = space.state === "idle" && space.pending > 0 ? BEHIND : STATES[space.state];
  return (
    <li class="dream">
      <p class="dream-head">
        <b>
          <T>{space.scope}</T>
        </b>
        <Tag tone={tone}>{word}</Tag>
        <span class="dim">
          {KINDS[space.kind] ?? space.kind} · {space.automatic ? "syncs on its own" : "only when you ask"}
        </span>
      </p>
      <p class="address">
        <code>
          <T>{space.remote}</T>
        </code>
      </p>
      <p class="dim">
        {space.pending === 0 ? "Nothing to send" : `${plural(space.pending, "change")} to send`}
        {space.lastRun === undefined ? "" : ", last run "}
        {space.lastRun !== undefined && <Time time={space.lastRun} />}
        {space.retryAt !== undefined && (
          <>
            , tried again from <Time time={space.retryAt} /> on
          </>
        )}
        .
      </p>
      {space.message !== "" && (
        <p class="remark warn">
          <T>{space.message}</T>
        </p>
      )}
      {space.conflicts.length > 0 && (
        <p>
          Both texts were kept:{" "}
          {space.conflicts.map((file) => (
            <span key={file}>
              <NoteLink id={`${space.scope}:${file}`} />{" "}
            </span>
          ))}
        </p>
      )}
      <KeptHere refused={space.refused} />
      {space.keys !== undefined && <Keys keys={space.keys} />}
      {(space.state !== "idle" || space.pending > 0) && <Command text={commandOf(space)} />}
    </li>
  );
}

function Devices(): ComponentChild {
  const [loaded, again] = useRead<DevicesView>("devices");
  return (
    <Await loaded={loaded} what="the devices" again={again}>
      {({ spaces }) => (
        <>
          {spaces.map(({ scope, remote, kind, devices, openForgets }) => (
            <div key={remote}>
              <h3>
                <T>{scope}</T>
              </h3>
              {devices === undefined ? (
                <p class="dim">{READERS[kind]}</p>
              ) : (
                <ul class="rows">
                  {devices.map(({ device, user, seen, current }) => (
                    <li key={`${device} ${user}`}>
                      <Tag tone={current ? "good" : "warn"}>{current ? "has all" : "behind"}</Tag>
                      <span>
                        <T>{device}</T>{" "}
                        <span class="dim">
                          of <T>{user}</T>, seen <Time time={seen} />
                        </span>
                      </span>
                    </li>
                  ))}
                </ul>
              )}
              {openForgets > 0 && (
                <p class="remark warn">
                  {plural(openForgets, "forgotten note")} still {openForgets === 1 ? "lies" : "lie"} on a device that
                  was not here since.
                </p>
              )}
            </div>
          ))}
        </>
      )}
    </Await>
  );
}

function Runs({ runs }: { readonly runs: SyncView["runs"] }): ComponentChild {
  if (runs.length === 0) return <p class="dim">No run did anything yet.</p>;
  return (
    <ul class="rows">
      {runs.map((run, at) => (
        <li key={at}>
          <span class="dim">
            <Time time={run.time} />
          </span>
          <span>
            <T>{run.scope}</T>: {run.pulled} came, {run.pushed} went
            {run.conflicts > 0 && `, ${plural(run.conflicts, "conflict")}`}
            {run.refused > 0 && `, ${run.refused} kept here`}{" "}
            <span class="dim">
              <T>{run.message}</T>
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function Spaces({ view }: { readonly view: SyncView }): ComponentChild {
  const [asked, ask] = useState(false);
  if (view.spaces.length === 0)
    return (
      <Empty title={view.waiting === undefined ? "These notes stay on this machine" : "Sync cannot be shown"}>
        <p>
          {view.waiting ?? "To meet with other devices through a git repository, a memdir-server or a memory store:"}
        </p>
        <Command text={view.waiting === undefined ? "memdir sync --help" : "memdir doctor"} />
      </Empty>
    );
  return (
    <>
      {view.working && <p class="remark">A process syncs now.</p>}
      {view.waiting !== undefined && (
        <p class="remark warn">
          <T>{view.waiting}</T>
        </p>
      )}
      <ol class="dreams">
        {view.spaces.map((space) => (
          <Space key={`${space.scope} ${space.remote}`} space={space} />
        ))}
      </ol>
      <Section title="Devices">
        {asked ? (
          <Devices />
        ) : (
          <p>
            <button type="button" onClick={() => ask(true)}>
              Ask who has these notes
            </button>{" "}
            <span class="dim">asks the remote, over the network</span>
          </p>
        )}
      </Section>
      <Section title="Last runs">
        <Runs runs={view.runs} />
      </Section>
    </>
  );
}

export function SyncPage(): ComponentChild {
  const [loaded, again] = useRead<SyncView>("sync", activity.value);
  return (
    <Page title="Sync" lead="Where these notes meet with other devices, and how far they are.">
      <Await loaded={loaded} what="sync" again={again}>
        {(view) => <Spaces view={view} />}
      </Await>
    </Page>
  );
}
