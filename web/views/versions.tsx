/** What changed in a note, when and by whom. */
import type { ComponentChild } from "preact";
import { useState } from "preact/hooks";
import type { VersionItem, VersionView } from "../../src/surfaces/web/api.ts";
import { useKeys } from "../base/keys.ts";
import { hrefOf } from "../base/route.ts";
import { change, readOnlyReason, useRead } from "../base/store.ts";
import { actorWord } from "../base/words.ts";
import { Diff } from "../parts/diff.tsx";
import { Await, Section } from "../parts/parts.tsx";
import { T, Time } from "../parts/text.tsx";

/** The texts of one version; without a note, of every file that it changed. */
export function VersionTexts({ version, id }: { readonly version: VersionItem; readonly id?: string }): ComponentChild {
  const asked = new URLSearchParams({
    scope: version.scope,
    seq: String(version.seq),
    ...(id !== undefined && { id }),
  });
  const [loaded, again] = useRead<VersionView>(`version?${asked.toString()}`);
  return (
    <Await loaded={loaded} what="the texts" again={again}>
      {({ files, more }) => (
        <>
          {files.map(({ file, before, after }) => (
            <div key={file}>
              {id === undefined && (
                <p class="file-name">
                  <code>
                    <T>{file}</T>
                  </code>
                </p>
              )}
              <Diff before={before} after={after} />
            </div>
          ))}
          {files.length === 0 && <p class="dim">The texts of this version are not kept any more.</p>}
          {more > 0 && <p class="dim">And {more} more files.</p>}
        </>
      )}
    </Await>
  );
}

export function Versions({
  id,
  versions,
  version,
}: {
  readonly id: string;
  readonly versions: readonly VersionItem[];
  readonly version: string;
}): ComponentChild {
  const [open, setOpen] = useState(-1);
  const locked = readOnlyReason(id.slice(0, id.indexOf(":"))) !== undefined;
  useKeys({
    "[": () => setOpen(Math.min(versions.length - 1, open + 1)),
    "]": () => setOpen(Math.max(-1, open - 1)),
  });
  return (
    <Section title="Versions" count={versions.length}>
      {versions.length === 0 && <p class="dim">No history is kept here: git is missing, or the note is new.</p>}
      <ol class="versions">
        {versions.map((one, at) => (
          <li key={one.seq}>
            <button
              type="button"
              class="version"
              aria-expanded={at === open}
              onClick={() => setOpen(at === open ? -1 : at)}
            >
              <span class="when">
                <Time time={one.time} />
              </span>
              <b>{actorWord(one.actor)}</b>
              <span>
                <T>{one.reason}</T>
              </span>
            </button>
            {at === open && (
              <div class="version-texts">
                <VersionTexts version={one} id={id} />
                <p class="version-foot">
                  {one.session !== undefined && (
                    <a href={hrefOf("sessions", one.session)}>
                      from session <T>{one.session}</T>
                    </a>
                  )}
                  <button
                    type="button"
                    disabled={locked}
                    onClick={() => void change("undo", { id, seen: version, seq: one.seq })}
                  >
                    Undo this change
                  </button>
                </p>
              </div>
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
}
