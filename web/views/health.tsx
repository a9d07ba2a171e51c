/** What is wrong, and the command that fixes it. */
import type { ComponentChild } from "preact";
import { useState } from "preact/hooks";
import type { HealthFinding, HealthView } from "../../src/surfaces/web/api.ts";
import { plural } from "../base/words.ts";
import { JobView } from "../parts/job.tsx";
import { Command, Empty, NoteLink, Page, Section, Tag } from "../parts/parts.tsx";
import { Sentence, T } from "../parts/text.tsx";

const LEVELS = {
  ok: { tone: "good", word: "fine" },
  warn: { tone: "warn", word: "look at this" },
  fail: { tone: "bad", word: "broken" },
} as const;
const NOTES_SHOWN = 5;

function Finding({ finding }: { readonly finding: HealthFinding }): ComponentChild {
  const [all, setAll] = useState(false);
  const shown = all ? finding.notes : finding.notes.slice(0, NOTES_SHOWN);
  return (
    <li class="finding">
      <p class="finding-head">
        <Tag tone={LEVELS[finding.level].tone}>{LEVELS[finding.level].word}</Tag>
        <b>
          <T>{finding.check}</T>
        </b>
      </p>
      <p>
        <Sentence>{finding.message}</Sentence>
      </p>
      {finding.why !== undefined && (
        <p class="dim">
          <Sentence>{finding.why}</Sentence>
        </p>
      )}
      {finding.notes.length > 0 && (
        <ul class="plain">
          {shown.map((id) => (
            <li key={id}>
              <NoteLink id={id} />
            </li>
          ))}
        </ul>
      )}
      {finding.notes.length > shown.length && (
        <button type="button" class="quiet" onClick={() => setAll(true)}>
          {finding.notes.length - shown.length} more notes
        </button>
      )}
      {finding.command !== undefined && <Command text={finding.command} />}
      {finding.hint !== undefined && (
        <p class="dim">
          <Sentence>{finding.hint}</Sentence>
        </p>
      )}
    </li>
  );
}

function Findings({ view }: { readonly view: HealthView }): ComponentChild {
  const open = view.findings.filter(({ level }) => level !== "ok");
  const fine = view.findings.filter(({ level }) => level === "ok");
  const ranked = [...open.filter(({ level }) => level === "fail"), ...open.filter(({ level }) => level === "warn")];
  return (
    <>
      {ranked.length === 0 && (
        <Empty title="All is well">
          <p>{plural(fine.length, "check")} found nothing to fix.</p>
        </Empty>
      )}
      <ol class="findings">
        {ranked.map((finding, at) => (
          <Finding key={at} finding={finding} />
        ))}
      </ol>
      {view.omitted > 0 && <p class="dim">{view.omitted.toLocaleString("en")} more of the same kinds.</p>}
      {fine.length > 0 && (
        <Section title="Fine" count={fine.length}>
          <ul class="rows">
            {fine.map((finding, at) => (
              <li key={at}>
                <Tag tone="good">fine</Tag>
                <span>
                  <b>
                    <T>{finding.check}</T>
                  </b>{" "}
                  <span class="dim">
                    <Sentence>{finding.message}</Sentence>
                  </span>
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

export function HealthPage(): ComponentChild {
  return (
    <Page title="Health" lead="The installation and the notes, each finding with the command that fixes it.">
      <JobView<HealthView>
        name="health"
        idle="The installation, the index and all notes are checked, in the background."
        start="Check now"
      >
        {(view) => <Findings view={view} />}
      </JobView>
    </Page>
  );
}
