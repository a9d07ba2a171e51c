/** How notes name one another: lists first, the picture second. */
import type { ComponentChild } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { GraphView } from "../../src/surfaces/web/api.ts";
import { go, hrefOf } from "../base/route.ts";
import { stamp, useRead } from "../base/store.ts";
import { plural } from "../base/words.ts";
import { Await, Empty, NoteLink, Page, Section } from "../parts/parts.tsx";
import { plainly, T } from "../parts/text.tsx";

const HUBS = 12;
const DEAD = 20;
/** Fewer linked notes are easier to read as lists. */
const WORTH_A_PICTURE = 4;

function Picture({ graph }: { readonly graph: GraphView }): ComponentChild {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [shown, setShown] = useState("");
  useEffect(() => {
    const place = canvas.current;
    if (place === null) return undefined;
    let stop: (() => void) | undefined;
    let current = true;
    import("../lazy/graph.ts")
      .then(({ drawGraph }) => {
        if (!current) return;
        stop = drawGraph(place, graph, {
          over: (at) => setShown(at === undefined ? "" : plainly(graph.nodes[at]?.name ?? "")),
          open: (at) => {
            const node = graph.nodes[at];
            if (node !== undefined) go(hrefOf("notes", node.id));
          },
        });
      })
      .catch(() => {
        // The server ended before the picture was loaded; the lists say the same.
      });
    return () => {
      current = false;
      stop?.();
    };
  }, [graph]);
  return (
    <figure class="graph">
      <canvas
        ref={canvas}
        role="img"
        aria-label={`${graph.nodes.length} linked notes and their ${graph.edges.length} links; the lists above say the same`}
      />
      <figcaption>{shown === "" ? "Drag to move, scroll with Ctrl to zoom, click to open." : shown}</figcaption>
    </figure>
  );
}

function Lists({ graph }: { readonly graph: GraphView }): ComponentChild {
  const [all, setAll] = useState(false);
  const hubs = graph.nodes.toSorted((one, other) => other.in + other.out - one.in - one.out).slice(0, HUBS);
  const dead = all ? graph.dead : graph.dead.slice(0, DEAD);
  const most = Math.max(1, ...hubs.map((node) => node.in + node.out));
  return (
    <div class="columns">
      <Section title="Most linked">
        <ul class="hubs">
          {hubs.map((node) => (
            <li key={node.id}>
              <NoteLink id={node.id} name={node.name} />
              <span class="meter" aria-hidden="true">
                <span style={{ width: `${(100 * (node.in + node.out)) / most}%` }} />
              </span>
              <span class="dim numbers">
                {node.in} in, {node.out} out
              </span>
            </li>
          ))}
        </ul>
      </Section>
      <Section title="Lead nowhere" count={graph.dead.length}>
        {graph.dead.length === 0 && <p class="dim">Every link has its note.</p>}
        <ul class="rows">
          {dead.map(({ id, target }) => (
            <li key={`${id} ${target}`}>
              <NoteLink id={id} />
              <span class="dead">
                <T>{target}</T>
              </span>
            </li>
          ))}
        </ul>
        {graph.dead.length > dead.length && (
          <button type="button" class="quiet" onClick={() => setAll(true)}>
            Show all {graph.dead.length}
          </button>
        )}
      </Section>
    </div>
  );
}

export function LinksPage(): ComponentChild {
  const [loaded, again] = useRead<GraphView>("graph", stamp.value);
  return (
    <Page title="Links" lead="How notes name one another.">
      <Await loaded={loaded} what="the links" again={again}>
        {(graph) =>
          graph.nodes.length === 0 && graph.dead.length === 0 ? (
            <Empty title="No links yet">
              <p>
                A note links to another with <code>[[its name]]</code>.
              </p>
            </Empty>
          ) : (
            <>
              <p class="dim">
                {plural(graph.nodes.length, "linked note")}, {plural(graph.edges.length, "link")};{" "}
                {plural(graph.orphans, "note")} without any.
              </p>
              <Lists graph={graph} />
              {graph.nodes.length >= WORTH_A_PICTURE && <Picture graph={graph} />}
            </>
          )
        }
      </Await>
    </Page>
  );
}
