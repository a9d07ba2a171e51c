/** Where names stand beside the dots of a graph: on the side where they cover the least. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface Around {
  /** Where lines of this dot's end. */
  readonly ends: readonly Point[];
  readonly dots: readonly (Point & { readonly size: number })[];
  readonly written: readonly Box[];
  /** What is in sight. */
  readonly sight: Box;
}

/** Right, left, below and above a dot, a gap away. */
function placesOf({ x, y, size }: Point & { readonly size: number }, width: number, height: number): readonly Box[] {
  const gap = size + height * 0.3;
  const middle = { top: y - height / 2, bottom: y + height / 2 };
  const centre = { left: x - width / 2, right: x + width / 2 };
  return [
    { left: x + gap, right: x + gap + width, ...middle },
    { left: x - gap - width, right: x - gap, ...middle },
    { ...centre, top: y + gap, bottom: y + gap + height },
    { ...centre, top: y - gap - height, bottom: y - gap },
  ];
}

function overlap(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

function isWithin(box: Box, sight: Box): boolean {
  return box.left >= sight.left && box.right <= sight.right && box.top >= sight.top && box.bottom <= sight.bottom;
}

/** Whether a line between two points runs through a box. */
function crosses(from: Point, to: Point, box: Box): boolean {
  let [enter, leave] = [0, 1];
  const sides: readonly (readonly [number, number, number, number])[] = [
    [from.x, to.x - from.x, box.left, box.right],
    [from.y, to.y - from.y, box.top, box.bottom],
  ];
  for (const [start, way, low, high] of sides) {
    if (way === 0) {
      if (start < low || start > high) return false;
      continue;
    }
    const [first, second] = [(low - start) / way, (high - start) / way];
    enter = Math.max(enter, Math.min(first, second));
    leave = Math.min(leave, Math.max(first, second));
  }
  return enter <= leave;
}

/** The place for a name of this size, or `undefined` where each would cover another name or leave the picture. */
export function placeName(
  dot: Point & { readonly size: number },
  width: number,
  height: number,
  { ends, dots, written, sight }: Around,
): Box | undefined {
  let [best, least]: [Box | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
  for (const box of placesOf(dot, width, height)) {
    if (!isWithin(box, sight) || written.some((other) => overlap(box, other))) continue;
    const lines = ends.filter((end) => crosses(dot, end, box)).length;
    const covered = dots.filter(
      ({ x, y, size }) => x + size > box.left && x - size < box.right && y + size > box.top && y - size < box.bottom,
    ).length;
    const cost = lines + 2 * covered;
    if (cost < least) [best, least] = [box, cost];
  }
  return best;
}
