/** Two texts of a file: blue with + came, orange with − went. */
import type { ComponentChild } from "preact";
import { useMemo } from "preact/hooks";
import { diffLines, folded } from "../base/diff.ts";
import { T } from "./text.tsx";

const SIGNS = { same: " ", added: "+", removed: "−", skipped: "" } as const;

export function Diff({
  before,
  after,
}: {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}): ComponentChild {
  const lines = useMemo(() => folded(diffLines(before ?? "", after ?? "")), [before, after]);
  if (lines.every(({ kind }) => kind === "same" || kind === "skipped")) return <p class="dim">The text is the same.</p>;
  return (
    <div class="diff" tabIndex={0} role="group" aria-label="What changed">
      {lines.map(({ kind, text }, at) =>
        kind === "skipped" ? (
          <div key={at} class="skipped">
            {text} unchanged {text === "1" ? "line" : "lines"}
          </div>
        ) : (
          <div key={at} class={kind}>
            <span
              class="sign"
              aria-label={kind === "same" ? undefined : kind}
              role={kind === "same" ? undefined : "img"}
            >
              {SIGNS[kind]}
            </span>
            <span class="line">
              <T>{text}</T>
            </span>
          </div>
        ),
      )}
    </div>
  );
}
