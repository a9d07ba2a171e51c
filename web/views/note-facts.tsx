/** What is known of a note beside its text. */
import type { ComponentChild } from "preact";
import { useState } from "preact/hooks";
import type { CheckedClaim, GuardView, LinkedNote, NoteView } from "../../src/surfaces/web/api.ts";
import { hrefOf } from "../base/route.ts";
import { state } from "../base/store.ts";
import { fateWord, percent } from "../base/words.ts";
import { Command, NoteLink, Score, Section, Tag } from "../parts/parts.tsx";
import { T, Time } from "../parts/text.tsx";

const RECALLS_SHOWN = 8;

function Links({ links, none }: { readonly links: readonly LinkedNote[]; readonly none: string }): ComponentChild {
  if (links.length === 0) return <p class="dim">{none}</p>;
  return (
    <ul class="plain">
      {links.map(({ target, id, name }) => (
        <li key={id ?? target}>
          {id === undefined ? (
            <span class="dead">
              <T>{target}</T> <Tag tone="warn">leads nowhere</Tag>
            </span>
          ) : (
            <NoteLink id={id} {...(name !== undefined && { name })} />
          )}
        </li>
      ))}
    </ul>
  );
}

function Evidence({ note }: { readonly note: NoteView }): ComponentChild {
  if (note.evidence === undefined) return <p class="dim">None: it was not captured from a session.</p>;
  const { session, message, quotation } = note.evidence;
  return (
    <>
      {quotation !== undefined && (
        <blockquote class="quotation">
          <T>{quotation}</T>
        </blockquote>
      )}
      <p>
        <a href={hrefOf("sessions", session)}>
          session <T>{session}</T>
        </a>
        <span class="dim">
          , message <T>{message}</T>
        </span>
      </p>
    </>
  );
}

const VERDICTS = {
  holds: { tone: "good", word: "holds" },
  gone: { tone: "bad", word: "gone" },
  renamed: { tone: "warn", word: "renamed" },
  unchecked: { tone: "quiet", word: "not checked" },
} as const;

function Claims({ claims }: { readonly claims: readonly CheckedClaim[] | undefined }): ComponentChild {
  if (claims === undefined || claims.length === 0) return null;
  return (
    <Section title="What it claims" count={claims.length}>
      <ul class="rows">
        {claims.map(({ claim, kind, verdict, line }) => (
          <li key={`${kind} ${claim}`}>
            <Tag tone={VERDICTS[verdict].tone}>{VERDICTS[verdict].word}</Tag>
            <code>
              <T>{claim}</T>
            </code>
            <span class="dim">{verdict === "holds" || verdict === "unchecked" ? kind : <T>{line}</T>}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Guard({ rule }: { readonly rule: GuardView | undefined }): ComponentChild {
  if (rule === undefined) return null;
  const tone = rule.state === "approved" ? "good" : rule.state === "waiting" ? "warn" : "bad";
  return (
    <Section title="Guard">
      <p>
        <Tag tone={tone}>{rule.state === "waiting" ? "waits for your approval" : rule.state}</Tag>{" "}
        {rule.action !== undefined && (
          <>
            <b>
              <T>{rule.action}</T>
            </b>{" "}
            on{" "}
            <code>
              <T>{`${rule.tool ?? "any tool"}${rule.pattern === undefined ? "" : ` /${rule.pattern}/`}`}</T>
            </code>
          </>
        )}
      </p>
      {rule.message !== undefined && (
        <p>
          <T>{rule.message}</T>
        </p>
      )}
      {rule.reason !== undefined && (
        <p class="dim">
          <T>{rule.reason}</T>
        </p>
      )}
      {rule.state === "waiting" && rule.command !== undefined && <Command text={rule.command} />}
    </Section>
  );
}

type Recalled = NoteView["recalls"][number];

function RecallRow({ recall, note }: { readonly recall: Recalled; readonly note: NoteView }): ComponentChild {
  return (
    <li>
      <span class="when">
        <Time time={recall.time} />
      </span>
      <span class="prompt">
        {recall.prompt === undefined ? (
          <span class="dim">the log keeps only a hash of the prompt</span>
        ) : (
          <a href={hrefOf("ask", undefined, { prompt: recall.prompt, note: note.id })} title="Ask again now">
            <T>{recall.prompt}</T>
          </a>
        )}
        {recall.session !== undefined && (
          <a class="dim" href={hrefOf("sessions", recall.session)}>
            <T>{recall.session.slice(0, 12)}</T>
          </a>
        )}
      </span>
      <span class="fate">
        <Tag tone={recall.fate === "shown" ? "good" : recall.fate === "pointed" ? "plain" : "quiet"}>
          {fateWord(recall.fate)}
        </Tag>
        <Score score={recall.score} />
        <b>{percent(recall.score)}</b>
      </span>
    </li>
  );
}

function RecallRows({
  recalls,
  note,
}: {
  readonly recalls: readonly Recalled[];
  readonly note: NoteView;
}): ComponentChild {
  const [all, setAll] = useState(false);
  return (
    <>
      <ul class="rows recalls">
        {(all ? recalls : recalls.slice(0, RECALLS_SHOWN)).map((recall, at) => (
          <RecallRow key={at} recall={recall} note={note} />
        ))}
      </ul>
      {recalls.length > RECALLS_SHOWN && (
        <button type="button" class="quiet" onClick={() => setAll(!all)}>
          {all ? "Show fewer" : `Show all ${recalls.length}`}
        </button>
      )}
    </>
  );
}

function isGiven({ fate }: Recalled): boolean {
  return fate === "shown" || fate === "pointed";
}

function Recalls({ note }: { readonly note: NoteView }): ComponentChild {
  const log = state.value?.recallLog;
  const given = note.recalls.filter(isGiven);
  const passedOver = note.recalls.filter((recall) => !isGiven(recall));
  return (
    <>
      <Section title="Recalled" count={note.recalled?.times ?? given.length}>
        {given.length === 0 && (
          <p class="dim">
            {log?.keeps === "nothing"
              ? "The log of recalls is off (MEMDIR_RECALL_LOG)."
              : "Never, as far as the log goes back."}
          </p>
        )}
        {given.some(({ prompt }) => prompt !== undefined) && (
          <p class="dim hint">What was given then. Open a prompt to ask again, with the notes as they are now.</p>
        )}
        <RecallRows recalls={given} note={note} />
      </Section>
      {passedOver.length > 0 && (
        <Section title="Considered, not given" count={passedOver.length}>
          <RecallRows recalls={passedOver} note={note} />
        </Section>
      )}
    </>
  );
}

function timeOf(from: string | undefined, to: string | undefined): string {
  if (to === undefined) return from === undefined ? "holds now" : `holds since ${from}`;
  return from === undefined ? `until ${to}` : `${from} to ${to}`;
}

function Chain({ note }: { readonly note: NoteView }): ComponentChild {
  if (note.chain.length < 2) return null;
  return (
    <Section title="What held when">
      <ol class="chain">
        {note.chain.map(({ id, description, validFrom, validTo }) => (
          <li key={id} class={validTo === undefined ? "holds" : ""}>
            {id === note.id ? (
              <b>
                <T>{description}</T>
              </b>
            ) : (
              <NoteLink id={id} name={description} />
            )}
            <span class="dim">
              <T>{timeOf(validFrom?.slice(0, 10), validTo?.slice(0, 10))}</T>
            </span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

export function NoteFacts({ note }: { readonly note: NoteView }): ComponentChild {
  return (
    <>
      <div class="facts">
        <Section title="Evidence">
          <Evidence note={note} />
        </Section>
        <Section title="Links to">
          <Links links={note.links} none="No other note." />
        </Section>
        <Section title="Linked from">
          <Links links={note.backlinks} none="No other note." />
        </Section>
      </div>
      <Chain note={note} />
      <Guard rule={note.guardRule} />
      <Claims claims={note.claims} />
      <Recalls note={note} />
    </>
  );
}
