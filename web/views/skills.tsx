/** What was learnt from finished tasks, on what evidence. Approvals are commands: the page shows them. */
import type { ComponentChild } from "preact";
import { useState } from "preact/hooks";
import type { SkillCandidate, SkillItem, SkillsView } from "../../src/surfaces/web/api.ts";
import { hrefOf } from "../base/route.ts";
import { activity, useRead } from "../base/store.ts";
import { plural } from "../base/words.ts";
import { Await, Command, Empty, Page, Section, Tag } from "../parts/parts.tsx";
import { T, Time } from "../parts/text.tsx";

const STAGES: Readonly<Record<string, { readonly word: string; readonly tone: "good" | "plain" | "bad" | "quiet" }>> = {
  promoted: { word: "promoted", tone: "good" },
  trial: { word: "on trial", tone: "plain" },
  draft: { word: "draft", tone: "quiet" },
  demoted: { word: "demoted", tone: "bad" },
  retired: { word: "retired", tone: "quiet" },
  human: { word: "yours", tone: "plain" },
};
/** Modes in which nothing is offered, and why. */
const SILENT: Readonly<Record<string, string>> = {
  observe: "memdir notes candidates and keeps drafts, and offers nothing. To offer what you agreed to:",
  off: "memdir learns and offers nothing. To let it learn, and offer what you agreed to:",
};

function Stage({ of }: { readonly of: string }): ComponentChild {
  const { word, tone } = STAGES[of] ?? { word: of, tone: "plain" };
  return <Tag tone={tone}>{word}</Tag>;
}

function Evidence({ skill }: { readonly skill: SkillItem }): ComponentChild {
  return (
    <>
      <p class="meta">
        <span>
          <b>{skill.offers}</b> offered
        </span>
        <span>
          <b>{skill.loads}</b> loaded
        </span>
        <span>
          <b>{skill.follows}</b> followed
        </span>
        {skill.revisions.map(({ revision, stage, author, passes, fails }) => (
          <span key={revision}>
            <b>revision {revision}</b> by {author}: {stage}, {passes} passed, {fails} failed
          </span>
        ))}
      </p>
      <ul class="rows">
        {skill.events.map((event, at) => (
          <li key={at}>
            <span class="dim">
              <Time time={event.time} />
            </span>
            <span>
              <T>{event.says}</T>
              {event.session !== undefined && (
                <>
                  {" in "}
                  <a href={hrefOf("sessions", event.session)}>
                    <T>{event.session}</T>
                  </a>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Facts({ skill }: { readonly skill: SkillItem }): ComponentChild {
  return (
    <>
      {skill.stale !== undefined && (
        <p class="remark warn">
          <T>{skill.stale}</T>
        </p>
      )}
      {skill.check !== undefined && (
        <p>
          <span class="dim">Proved by</span>{" "}
          <code>
            <T>{skill.check}</T>
          </code>
        </p>
      )}
      {skill.next !== undefined && (
        <p>
          Revision {skill.next.revision} is tried beside it: {skill.next.stage}, <T>{skill.next.evidence}</T>.
        </p>
      )}
    </>
  );
}

function Skill({ skill }: { readonly skill: SkillItem }): ComponentChild {
  const [open, setOpen] = useState<"text" | "evidence">();
  const toggle = (what: "text" | "evidence", label: string): ComponentChild => (
    <button type="button" aria-expanded={open === what} onClick={() => setOpen(open === what ? undefined : what)}>
      {open === what ? `Hide ${label}` : `Show ${label}`}
    </button>
  );
  return (
    <li class="dream">
      <p class="dream-head">
        <b>
          <T>{skill.name}</T>
        </b>
        <Stage of={skill.stage} />
        {skill.pinned === true && <Tag>pinned</Tag>}
        <span class="dim">
          <T>{skill.scope}</T> scope · <T>{skill.evidence}</T>
          {skill.sessions > 0 && ` in ${plural(skill.sessions, "session")}`}
          {skill.lastUse !== undefined && (
            <>
              {", last "}
              <Time time={skill.lastUse} />
            </>
          )}
        </span>
      </p>
      <p>
        <T>{skill.description}</T>
      </p>
      <p class="dim">
        <T>{skill.why}</T>. Offered: <T>{skill.where}</T>.
      </p>
      <Facts skill={skill} />
      <div class="actions">
        {toggle("text", "the text")}
        {toggle("evidence", "the evidence")}
      </div>
      {open === "text" && (
        <pre class="as-file">
          <T>{skill.text}</T>
        </pre>
      )}
      {open === "evidence" && <Evidence skill={skill} />}
    </li>
  );
}

function fateOf({ draft, refused, wants }: SkillCandidate): ComponentChild {
  if (draft !== undefined) return <Tag tone="good">became a draft</Tag>;
  if (refused.length > 0) return <Tag tone="quiet">not used</Tag>;
  return wants.length > 0 ? <Tag>may become a draft</Tag> : <Tag tone="quiet">waits to recur</Tag>;
}

function Candidate({ candidate }: { readonly candidate: SkillCandidate }): ComponentChild {
  const reasons = [...candidate.refused, ...candidate.wants];
  return (
    <li class="finding">
      <p class="finding-head">
        {fateOf(candidate)}
        <b>
          <T>{candidate.description}</T>
        </b>
        <span class="dim">
          <Time time={candidate.time} />
        </span>
      </p>
      {reasons.length > 0 && <p class="dim">{reasons.join(", ")}</p>}
      <details>
        <summary>{plural(candidate.steps.length, "step")}</summary>
        <pre class="as-file">
          <T>{[...candidate.steps, ...(candidate.check === undefined ? [] : [candidate.check])].join("\n")}</T>
        </pre>
      </details>
    </li>
  );
}

function Waiting({ view }: { readonly view: SkillsView }): ComponentChild {
  if (view.waiting.length === 0) return null;
  return (
    <Section title="Waits for you" count={view.waiting.length}>
      <ul class="findings">
        {view.waiting.map(({ name, says, commands }) => (
          <li key={commands[0]} class="finding">
            <p>
              <b>
                <T>{name}</T>
              </b>
            </p>
            <p>
              <T>{says}</T>
            </p>
            {commands.map((command) => (
              <Command key={command} text={command} />
            ))}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Skills({ view }: { readonly view: SkillsView }): ComponentChild {
  const silent = SILENT[view.mode];
  return (
    <>
      <p class="next">
        <span>
          <b>Mode</b> {view.mode}
        </span>
        {view.people > 0 && (
          <span class="dim">{plural(view.people, "skill")} of your own, which memdir only reads</span>
        )}
      </p>
      {silent !== undefined && (
        <div class="hint">
          <p class="dim">{silent}</p>
          <Command text="memdir mode --skills confirm" />
        </div>
      )}
      {view.damaged.map((problem) => (
        <p key={problem} class="remark warn">
          <T>{problem}</T>
        </p>
      ))}
      <Waiting view={view} />
      {view.skills.length === 0 && view.candidates.length === 0 && (
        <Empty title="Nothing learnt yet">
          <p>memdir notes a task of five calls or more that ended well and could be checked.</p>
        </Empty>
      )}
      {view.skills.length > 0 && (
        <Section title="Skills" count={view.skills.length}>
          <ol class="dreams">
            {view.skills.map((skill) => (
              <Skill key={skill.path} skill={skill} />
            ))}
          </ol>
        </Section>
      )}
      {view.candidates.length > 0 && (
        <Section title="Candidates" count={view.candidates.length + view.moreCandidates}>
          <ol class="findings">
            {view.candidates.map((candidate) => (
              <Candidate key={candidate.id} candidate={candidate} />
            ))}
          </ol>
        </Section>
      )}
    </>
  );
}

export function SkillsPage(): ComponentChild {
  const [loaded, again] = useRead<SkillsView>("skills", activity.value);
  return (
    <Page
      title="Skills"
      lead="Procedures learnt from finished tasks. Only their own check, passed in use, makes them trusted."
    >
      <Await loaded={loaded} what="the skills" again={again}>
        {(view) => <Skills view={view} />}
      </Await>
    </Page>
  );
}
