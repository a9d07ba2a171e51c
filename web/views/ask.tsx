/** What an agent would be given for a prompt, and why. */
import type { ComponentChild } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { AskedNote, AskedWord, AskView, WhyNot } from "../../src/surfaces/web/api.ts";
import { type Answer, kept, send } from "../base/connect.ts";
import { hrefOf, route } from "../base/route.ts";
import { nameOf, notes, stamp } from "../base/store.ts";
import { percent, plural } from "../base/words.ts";
import { Copy, Empty, Failure, Loading, NoteLink, Page, Score, Section, Tag } from "../parts/parts.tsx";
import { T } from "../parts/text.tsx";

const WAIT_MS = 250;

/** The answer to a prompt, once the writer pauses; the one before stays in sight until then. */
function useAsk(prompt: string, note: string): Answer<AskView> | undefined {
  const [answer, setAnswer] = useState<Answer<AskView>>();
  const seen = stamp.value;
  useEffect(() => {
    if (prompt.trim() === "") {
      setAnswer(undefined);
      return undefined;
    }
    let current = true;
    const timer = setTimeout(() => {
      void send<AskView>("ask", { prompt, ...(note !== "" && { note }) }).then((got) => {
        if (current) setAnswer(got);
      });
    }, WAIT_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [prompt, note, seen]);
  return answer;
}

function Words({ words }: { readonly words: readonly AskedWord[] }): ComponentChild {
  return (
    <ul class="words" aria-label="Words of the prompt, with how many notes have each">
      {words.map(({ word, notes: count, telling }) => (
        <li
          key={word}
          class={telling ? "" : "common"}
          title={telling ? `in ${count} notes` : "too common to tell anything"}
        >
          <T>{word}</T> {telling && <span>{count.toLocaleString("en")}</span>}
        </li>
      ))}
    </ul>
  );
}

function Why({ note }: { readonly note: AskedNote }): ComponentChild {
  const part = (label: string, words: readonly string[], quiet = false): ComponentChild =>
    words.length > 0 && (
      <span class={quiet ? "dim" : ""}>
        {label}{" "}
        {quiet ? (
          <T>{words.join(", ")}</T>
        ) : (
          <b>
            <T>{words.join(", ")}</T>
          </b>
        )}
      </span>
    );
  return (
    <p class="why">
      {part("has", note.has)}
      {part("related", note.relates)}
      {part("lacks", note.lacks, true)}
    </p>
  );
}

function Candidate({ note, floor }: { readonly note: AskedNote; readonly floor: number }): ComponentChild {
  const tone = note.fate === "shown" ? "good" : note.fate === "pointed" ? "plain" : "quiet";
  return (
    <li class={note.fate === "shown" || note.fate === "pointed" ? "candidate" : "candidate left-out"}>
      <p class="candidate-head">
        <NoteLink id={note.id} name={note.name} />
        <Tag tone={tone}>
          <T>{note.says}</T>
        </Tag>
        <b class="share">{percent(note.score)}</b>
      </p>
      <Score score={note.score} floor={floor} />
      <p class="candidate-says">
        <T>{note.description}</T>
      </p>
      <Why note={note} />
    </li>
  );
}

function WhyNotCard({ why, close }: { readonly why: WhyNot; readonly close: () => void }): ComponentChild {
  return (
    <div class="card">
      <p class="candidate-head">
        <b>
          <NoteLink id={why.id} />
        </b>
        {why.rank !== undefined && <Tag>place {why.rank}</Tag>}
        <b class="share">{percent(why.score)}</b>
      </p>
      <p>
        <T>{why.says}</T>
      </p>
      {why.places.length > 0 && (
        <ul class="plain dim">
          {why.places.map((place) => (
            <li key={place}>
              <T>{place}</T>
            </li>
          ))}
        </ul>
      )}
      {why.remedy !== undefined && (
        <p>
          <T>{why.remedy}</T> <a href={hrefOf("notes", why.id)}>Open the note</a>
        </p>
      )}
      <button type="button" class="quiet" onClick={close}>
        Close
      </button>
    </div>
  );
}

function WhyNotField({ ask }: { readonly ask: (id: string) => void }): ComponentChild {
  const [words, setWords] = useState("");
  const all = notes.value.state === "ready" ? notes.value.value : [];
  const wanted = words.trim().toLowerCase();
  const found =
    wanted === ""
      ? []
      : all.filter((one) => `${one.name} ${one.description}`.toLowerCase().includes(wanted)).slice(0, 6);
  return (
    <div class="why-not">
      <input
        type="search"
        aria-label="Why not this note? Search by name"
        placeholder="Name of a note that you missed"
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
      />
      <ul class="choose">
        {found.map((one) => (
          <li key={one.id}>
            <button
              type="button"
              onClick={() => {
                ask(one.id);
                setWords("");
              }}
            >
              <b>
                <T>{one.name}</T>
              </b>
              <span>
                <T>{one.description}</T>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Given({ view }: { readonly view: AskView }): ComponentChild {
  if (view.given.length === 0 || view.given.every(({ text }) => text === ""))
    return <p class="dim">Nothing: no note is likely enough to help, and that is a right answer.</p>;
  return (
    <>
      {view.given.map(({ clients, text, tokens }) => (
        <details key={clients.join()} class="given" open={view.given.length === 1}>
          <summary>
            <b>{clients.join(", ")}</b> <span class="dim">about {tokens.toLocaleString("en")} tokens</span>
          </summary>
          <pre class="file" tabIndex={0}>
            <T>{text}</T>
          </pre>
          <Copy text={text} />
        </details>
      ))}
    </>
  );
}

/** The notes stand below with their names: how many there are is enough here. */
function verdictOf({ candidates, says }: AskView): string {
  const count = (fate: string): number => candidates.filter((one) => one.fate === fate).length;
  const [whole, lines] = [count("shown"), count("pointed")];
  if (whole + lines === 0) return says;
  if (lines === 0) return `${plural(whole, "note")} given whole`;
  return whole === 0
    ? `${plural(lines, "note")} given in one line`
    : `${plural(whole, "note")} given whole, ${lines} in one line`;
}

function isGiven({ candidates }: AskView, id: string): boolean {
  return candidates.some((one) => one.id === id && (one.fate === "shown" || one.fate === "pointed"));
}

function Result({ view, setNote }: { readonly view: AskView; readonly setNote: (id: string) => void }): ComponentChild {
  return (
    <div class="answer">
      <div>
        <p class="verdict" role="status">
          <T>{verdictOf(view)}</T>
          {view.ms !== undefined && <span class="dim">{Math.round(view.ms)} ms</span>}
        </p>
        <Words words={view.words} />
        {view.remarks.map((remark) => (
          <p key={remark} class="remark">
            <T>{remark}</T>
          </p>
        ))}
        {view.whyNot !== undefined && (
          <Section title={isGiven(view, view.whyNot.id) ? "Why this note" : "Why not this note"}>
            <WhyNotCard why={view.whyNot} close={() => setNote("")} />
          </Section>
        )}
        {view.candidates.length > 0 && (
          <>
            <p class="legend dim">
              Bars: how likely the note helps. The mark at {percent(view.floors.whole)} is where a note is shown whole,
              from {percent(view.floors.pointer)} it gets one line.
            </p>
            <ol class="candidates">
              {view.candidates.map((note) => (
                <Candidate key={note.id} note={note} floor={view.floors.whole} />
              ))}
            </ol>
          </>
        )}
        {view.more > 0 && <p class="dim">{view.more.toLocaleString("en")} more were less likely.</p>}
        <Section title="Why not …">
          <WhyNotField ask={setNote} />
        </Section>
      </div>
      <div class="answer-given">
        <Section title="What the agent is given">
          <Given view={view} />
        </Section>
      </div>
    </div>
  );
}

export function AskPage(): ComponentChild {
  const asked = route.value.query;
  const [prompt, setPrompt] = useState(asked.get("prompt") ?? kept.get("prompt"));
  const [note, setNote] = useState(asked.get("note") ?? "");
  const answer = useAsk(prompt, note);
  useEffect(() => {
    const given = asked.get("prompt");
    if (given !== null) setPrompt(given);
    setNote(asked.get("note") ?? "");
  }, [route.value]);
  return (
    <Page
      title="Ask"
      lead="Type a prompt and see what an agent would be given, and why. It is worked out now, from the notes as they are; nothing is counted or logged."
    >
      <textarea
        class="ask-field"
        aria-label="Prompt"
        rows={2}
        placeholder="For example: write integration tests for the importer"
        value={prompt}
        onInput={(event) => {
          setPrompt(event.currentTarget.value);
          kept.set("prompt", event.currentTarget.value);
        }}
      />
      {prompt.trim() === "" && (
        <Empty title="No prompt yet">
          <p>The answer appears while you type.</p>
        </Empty>
      )}
      {prompt.trim() !== "" && answer === undefined && <Loading what="the answer" />}
      {answer?.ok === false && <Failure failed={answer} />}
      {answer?.ok === true && <Result view={answer.value} setNote={setNote} />}
      {answer?.ok === true && note !== "" && answer.value.whyNot === undefined && (
        <p class="dim">{nameOf(note)}: asking …</p>
      )}
    </Page>
  );
}
