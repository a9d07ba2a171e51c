/** A list of any length: only rows in sight are in the document. */
import { type ComponentChild, Fragment } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { kept } from "../base/connect.ts";

const BEYOND = 6;

interface List<Item> {
  readonly items: readonly Item[];
  readonly rowHeight: number;
  /** Under this name the place in the list outlives a reload. */
  readonly keep: string;
  /** A row to keep in sight. */
  readonly at: number;
  readonly label: string;
  readonly draw: (item: Item, index: number) => ComponentChild;
}

export function VirtualList<Item>({ items, rowHeight, keep, at, label, draw }: List<Item>): ComponentChild {
  const place = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(800);
  useLayoutEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    element.scrollTop = Number(kept.get(keep));
    setTop(element.scrollTop);
    const watch = new ResizeObserver(() => setHeight(element.clientHeight));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  useEffect(() => {
    const element = place.current;
    if (element === null || at < 0 || element.clientHeight === 0) return;
    const row = at * rowHeight;
    if (row < element.scrollTop) element.scrollTop = row;
    else if (row + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = row + rowHeight - element.clientHeight;
  }, [at]);
  const first = Math.max(0, Math.floor(top / rowHeight) - BEYOND);
  const last = Math.min(items.length, Math.ceil((top + height) / rowHeight) + BEYOND);
  return (
    <div
      class="virtual"
      ref={place}
      onScroll={(event) => {
        setTop(event.currentTarget.scrollTop);
        kept.set(keep, String(Math.round(event.currentTarget.scrollTop)));
      }}
    >
      <ul aria-label={label} style={{ height: `${items.length * rowHeight}px` }}>
        {items.slice(first, last).map((item, offset) => (
          <li
            key={first + offset}
            aria-setsize={items.length}
            aria-posinset={first + offset + 1}
            style={{ transform: `translateY(${(first + offset) * rowHeight}px)`, height: `${rowHeight}px` }}
          >
            <Fragment>{draw(item, first + offset)}</Fragment>
          </li>
        ))}
      </ul>
    </div>
  );
}
