/** What memory costs: tokens given a day, the start of a session, models. */
import type { ComponentChild } from "preact";
import type { CostView } from "../../src/surfaces/web/api.ts";
import { activity, useRead } from "../base/store.ts";
import { plural } from "../base/words.ts";
import { Await, Empty, NoteLink, Page, Section } from "../parts/parts.tsx";
import { T } from "../parts/text.tsx";

type Day = CostView["days"][number];

const DAYS = 60;
const WIDTH = 720;
const HEIGHT = 220;
const FOOT = 30;
const SIDE = 66;
const DAY_MS = 86_400_000;

/** The days up to the last one, those without a recall too. */
function filled(days: readonly Day[]): Day[] {
  const last = days.at(-1);
  if (last === undefined) return [];
  const known = new Map(days.map((one) => [one.day, one]));
  const end = Date.parse(`${last.day}T00:00:00Z`);
  const first = Date.parse(`${days[0]?.day ?? last.day}T00:00:00Z`);
  const count = Math.min(DAYS, Math.round((end - first) / DAY_MS) + 1);
  return Array.from({ length: Math.max(14, count) }, (_, at) => {
    const name = new Date(end - (Math.max(14, count) - 1 - at) * DAY_MS).toISOString().slice(0, 10);
    return known.get(name) ?? { day: name, recalls: 0, tokens: 0, sessions: 0 };
  });
}

/** A round number at or above the highest bar. */
function ceilingOf(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return [1, 2, 2.5, 5, 10].map((step) => step * power).find((one) => one >= most) ?? most;
}

function Chart({ days }: { readonly days: readonly Day[] }): ComponentChild {
  const shown = filled(days);
  const top = ceilingOf(Math.max(...shown.map(({ tokens }) => tokens)));
  const room = (WIDTH - SIDE) / shown.length;
  const high = (tokens: number): number => (tokens / top) * (HEIGHT - FOOT - 18);
  const every = Math.ceil(shown.length / 6);
  return (
    <svg
      class="chart"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label="Tokens given a day; the table below has the figures"
    >
      {[0, 0.5, 1].map((share) => {
        const y = HEIGHT - FOOT - high(top * share);
        return (
          <g key={share}>
            <line class="grid" x1={SIDE} x2={WIDTH} y1={y} y2={y} />
            <text x={SIDE - 8} y={y + 4} text-anchor="end">
              {Math.round(top * share).toLocaleString("en")}
            </text>
          </g>
        );
      })}
      {shown.map(({ day, tokens, recalls }, at) => (
        <g key={day}>
          <rect
            class="bar"
            x={SIDE + at * room + Math.min(3, room * 0.15)}
            width={Math.max(1, room - 2 * Math.min(3, room * 0.15))}
            y={HEIGHT - FOOT - high(tokens)}
            height={high(tokens)}
            rx={Math.min(2, room / 4)}
          >
            <title>{`${day}: ${tokens.toLocaleString("en")} tokens, ${plural(recalls, "recall")}`}</title>
          </rect>
          {(shown.length - 1 - at) % every === 0 && (
            <text
              x={at === shown.length - 1 ? WIDTH : SIDE + (at + 0.5) * room}
              y={HEIGHT - 6}
              text-anchor={at === shown.length - 1 ? "end" : "middle"}
            >
              {day.slice(5)}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}

function Table({
  head,
  rows,
  label,
}: {
  readonly label: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly ComponentChild[])[];
}): ComponentChild {
  return (
    <div class="wide" tabIndex={0} role="group" aria-label={label}>
      <table class="figures">
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) => (
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const figure = (value: number): string => value.toLocaleString("en");

function Days({ days }: { readonly days: readonly Day[] }): ComponentChild {
  if (days.length === 0)
    return (
      <Empty title="No recall yet">
        <p>Once agents are given notes, the tokens of each day stand here.</p>
      </Empty>
    );
  const sum = days.reduce((all, { tokens }) => all + tokens, 0);
  const recalls = days.reduce((all, day) => all + day.recalls, 0);
  return (
    <>
      <p class="big-figures">
        <span>
          <b>{figure(sum)}</b> tokens given
        </span>
        <span>
          <b>{figure(recalls)}</b> recalls
        </span>
        <span>
          <b>{figure(Math.round(sum / Math.max(1, recalls)))}</b> tokens a recall
        </span>
      </p>
      <Chart days={days} />
      <details>
        <summary>As a table</summary>
        <Table
          label="Tokens a day"
          head={["Day", "Tokens", "Recalls", "Sessions"]}
          rows={days
            .toReversed()
            .map((one) => [one.day, figure(one.tokens), figure(one.recalls), figure(one.sessions)])}
        />
      </details>
    </>
  );
}

export function CostPage(): ComponentChild {
  const [loaded, again] = useRead<CostView>("cost", activity.value);
  return (
    <Page title="Cost" lead="Tokens that memory puts into sessions, estimated, and what models were paid.">
      <Await loaded={loaded} what="the cost" again={again}>
        {(view) => (
          <>
            <Days days={view.days} />
            <div class="columns">
              <Section title="At the start of each session">
                {view.start.length === 0 && <p class="dim">No scope has an index yet.</p>}
                {view.start.length > 0 && (
                  <Table
                    label="MEMORY.md"
                    head={["MEMORY.md of", "Tokens", "Lines"]}
                    rows={view.start.map((one) => [<T>{one.scope}</T>, figure(one.tokens), figure(one.lines)])}
                  />
                )}
              </Section>
              <Section title="Given most often">
                {view.notes.length === 0 && <p class="dim">No note was given yet.</p>}
                <ul class="hubs">
                  {view.notes.slice(0, 10).map(({ id, times }) => (
                    <li key={id}>
                      <NoteLink id={id} />
                      <span class="meter" aria-hidden="true">
                        <span style={{ width: `${(100 * times) / Math.max(1, view.notes[0]?.times ?? 1)}%` }} />
                      </span>
                      <span class="dim numbers">{plural(times, "time")}</span>
                    </li>
                  ))}
                </ul>
              </Section>
            </div>
            <Section title="Models">
              {view.models.length === 0 ? (
                <p class="dim">No model was asked.</p>
              ) : (
                <Table
                  label="Spent on models"
                  head={["Day", "Requests", "Tokens", "US dollars"]}
                  rows={view.models.map((one) => [
                    one.day,
                    figure(one.requests),
                    figure(one.tokens),
                    one.dollars.toFixed(2),
                  ])}
                />
              )}
            </Section>
          </>
        )}
      </Await>
    </Page>
  );
}
