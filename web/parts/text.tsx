/** Text of notes: what a reader could not see is shown by its number. */
import { type ComponentChild, h } from "preact";
import { useEffect, useState } from "preact/hooks";
import { findHidden } from "../../src/core/shared/hidden.ts";
import type { Branch, Tree } from "../base/tree.ts";
import { age, minute } from "../base/words.ts";
import { hrefOf } from "../base/route.ts";

const numberOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

const marksOf = (characters: string, most: number): string =>
  Array.from(characters).slice(0, most).map(numberOf).join(" ");

/** Text that is not the page's own. */
export function T({ children }: { readonly children: string }): ComponentChild {
  const runs = findHidden(children);
  if (runs.length === 0) return children;
  const parts: ComponentChild[] = [];
  let from = 0;
  for (const { start, end } of runs) {
    const marks = marksOf(children.slice(start, end), 20);
    parts.push(children.slice(from, start), <mark class="unseen">{marks}</mark>);
    from = end;
  }
  parts.push(children.slice(from));
  return <bdi>{parts}</bdi>;
}

/** A sentence of the server, in which commands and files stand between backticks. */
export function Sentence({ children }: { readonly children: string }): ComponentChild {
  return children.split("`").map((part, at) =>
    at % 2 === 0 ? (
      <T key={at}>{part}</T>
    ) : (
      <code key={at}>
        <T>{part}</T>
      </code>
    ),
  );
}

/** The same, for a title or a label, which hold no elements. */
export function plainly(text: string): string {
  let out = "";
  let from = 0;
  for (const { start, end } of findHidden(text)) {
    out += `${text.slice(from, start)}<${marksOf(text.slice(start, end), 5)}>`;
    from = end;
  }
  return out + text.slice(from);
}

export function Time({ time, short = false }: { readonly time: string; readonly short?: boolean }): ComponentChild {
  // A note that only tells its day stands at midnight, UTC: an hour there would be made up.
  const exact = time.endsWith("T00:00:00.000Z") ? time.slice(0, 10) : minute(time);
  return (
    <time dateTime={time} title={short ? exact : `${age(time)} ago`}>
      {short ? age(time) : exact}
    </time>
  );
}

/** Longer texts are shown as they are: reading them as Markdown could take long. */
const LONGEST = 200_000;
const TAGS = new Set(
  "p h2 h3 h4 h5 h6 ul ol li blockquote em strong s code pre hr br table thead tbody tr th td".split(" "),
);

type Targets = ReadonlyMap<string, string>;

function special({ tag, target = "", children }: Branch, targets: Targets): ComponentChild {
  const inside = children.map((child) => drawn(child, targets));
  if (tag === "a")
    return (
      <a href={target} target="_blank" rel="noopener noreferrer" title={plainly(target)}>
        {inside}
      </a>
    );
  if (tag === "image")
    return (
      <span class="image">
        image: {inside} <T>{target.slice(0, 300)}</T>
      </span>
    );
  if (tag === "address")
    return (
      <span>
        {inside}{" "}
        <span class="dim">
          (<T>{target.slice(0, 300)}</T>)
        </span>
      </span>
    );
  const id = targets.get(target);
  return id === undefined ? (
    <span class="dead" title="No note has this name">
      {inside}
    </span>
  ) : (
    <a href={hrefOf("notes", id)}>{inside}</a>
  );
}

function drawn(tree: Tree, targets: Targets): ComponentChild {
  if (typeof tree === "string") return <T>{tree}</T>;
  if (!TAGS.has(tree.tag)) return special(tree, targets);
  const inside = tree.children.map((child) => drawn(child, targets));
  if (tree.tag === "pre")
    return (
      <pre tabIndex={0}>
        <code>{inside}</code>
      </pre>
    );
  if (tree.tag === "table")
    return (
      <div class="wide" tabIndex={0} role="group" aria-label="Table">
        <table>{inside}</table>
      </div>
    );
  if (tree.tag === "br" || tree.tag === "hr") return h(tree.tag, null);
  const attributes = {
    ...(tree.start !== undefined && { start: tree.start }),
    ...(tree.align !== undefined && { class: `to-${tree.align}` }),
  };
  return h(tree.tag, attributes, inside);
}

/** A note's text, read as Markdown once the part of the page that does so is there. */
export function Prose({ text, targets }: { readonly text: string; readonly targets: Targets }): ComponentChild {
  const [tree, setTree] = useState<readonly Tree[] | "plain">();
  useEffect(() => {
    let current = true;
    if (text.length > LONGEST) {
      setTree("plain");
      return undefined;
    }
    import("../lazy/markdown.ts")
      .then(({ parse }) => {
        if (current) setTree(parse(text) ?? "plain");
      })
      .catch(() => {
        // Neither read nor loaded: the text itself is always there.
        if (current) setTree("plain");
      });
    return () => {
      current = false;
    };
  }, [text]);
  if (tree === undefined) return <div class="prose waiting" />;
  if (tree === "plain") return <FileText text={text} />;
  return <div class="prose">{tree.map((part) => drawn(part, targets))}</div>;
}

/** A text as its file has it. */
export function FileText({ text }: { readonly text: string }): ComponentChild {
  return (
    <pre class="file" tabIndex={0}>
      <T>{text}</T>
    </pre>
  );
}
