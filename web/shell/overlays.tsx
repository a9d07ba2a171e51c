/** What lies over the page for a moment: messages, two texts of one note, the keys. */
import type { ComponentChild } from "preact";
import { useEffect } from "preact/hooks";
import { helpOpen, singleKeys, switchSingleKeys } from "../base/keys.ts";
import { clash, message, refresh } from "../base/store.ts";
import { Diff } from "../parts/diff.tsx";
import { Copy, Dialog } from "../parts/parts.tsx";
import { T } from "../parts/text.tsx";

const DONE_MS = 9000;

export function Toast(): ComponentChild {
  const now = message.value;
  useEffect(() => {
    if (now === undefined || now.kind === "failed") return undefined;
    const timer = setTimeout(() => {
      if (message.peek() === now) message.value = undefined;
    }, DONE_MS);
    return () => clearTimeout(timer);
  }, [now]);
  return (
    <div class="toasts" aria-live="polite">
      {now !== undefined && (
        <div class={`toast ${now.kind}`} role={now.kind === "failed" ? "alert" : "status"}>
          <p>
            <T>{now.text}</T>
          </p>
          {now.undo !== undefined && (
            <button
              type="button"
              onClick={() => {
                message.value = undefined;
                now.undo?.();
              }}
            >
              Undo
            </button>
          )}
          <button
            type="button"
            class="quiet"
            aria-label="Close the message"
            onClick={() => (message.value = undefined)}
          >
            ✕
          </button>
        </div>
      )}
    </div>
  );
}

export function ClashDialog(): ComponentChild {
  const now = clash.value;
  const seen = now?.failed.conflict;
  if (now === undefined || seen === undefined) return null;
  const close = (): void => {
    clash.value = undefined;
    void refresh();
  };
  const { again } = now;
  const { version } = seen;
  return (
    <Dialog title="Another program changed this note" close={close} wide>
      <p>
        <T>{now.failed.message}</T> Nothing was written. This is what differs, from the text there now to yours:
      </p>
      <Diff before={seen.theirs} after={seen.yours} />
      <div class="two-texts">
        <section>
          <h3>There now</h3>
          <pre class="file" tabIndex={0}>
            <T>{seen.theirs ?? "The note is gone."}</T>
          </pre>
        </section>
        <section>
          <h3>Yours {seen.yours !== undefined && <Copy text={seen.yours} />}</h3>
          <pre class="file" tabIndex={0}>
            <T>{seen.yours ?? ""}</T>
          </pre>
        </section>
      </div>
      <div class="buttons">
        <button type="button" class="primary" onClick={close}>
          Leave what is there
        </button>
        {again !== undefined && version !== undefined && (
          <button
            type="button"
            onClick={() => {
              clash.value = undefined;
              again(version);
            }}
          >
            Do mine anyway
          </button>
        )}
      </div>
    </Dialog>
  );
}

type Keys = readonly (readonly [keys: string, does: string])[];

const ACTIONS: Keys = [
  ["/", "search notes"],
  ["j k", "next, previous"],
  ["Enter", "open"],
  ["Esc", "leave a field, close"],
  ["p", "pin or unpin the note"],
  ["e", "edit the note"],
  ["u", "undo the note's last change"],
  ["[ ]", "older, newer version"],
  ["a r", "accept, reject in the review"],
  ["?", "this help"],
];
const PLACES: Keys = [
  ["g n", "notes"],
  ["g a", "ask"],
  ["g r", "review"],
  ["g x", "conflicts"],
  ["g t", "timeline"],
  ["g s", "sessions"],
  ["g d", "dreams"],
  ["g l", "links"],
  ["g k", "skills"],
  ["g y", "sync"],
  ["g h", "health"],
  ["g c", "cost"],
];

function KeyList({ keys }: { readonly keys: Keys }): ComponentChild {
  return (
    <dl>
      {keys.map(([chain, does]) => (
        <div key={chain}>
          <dt>
            {chain.split(" ").map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Help(): ComponentChild {
  if (!helpOpen.value) return null;
  return (
    <Dialog title="Keys" close={() => (helpOpen.value = false)}>
      <div class="keys">
        <KeyList keys={ACTIONS} />
        <KeyList keys={PLACES} />
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={singleKeys.value}
          onChange={(event) => switchSingleKeys(event.currentTarget.checked)}
        />
        Single keys act (never inside a field)
      </label>
    </Dialog>
  );
}
