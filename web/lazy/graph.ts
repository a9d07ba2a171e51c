/** Linked notes on a canvas. The lists of the page say the same; this shows its shape. */
import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } from "d3-force";
import type { GraphView } from "../../src/surfaces/web/api.ts";
import { type Box, placeName } from "./labels.ts";

interface Dot {
  readonly name: string;
  readonly size: number;
  x: number;
  y: number;
  vx?: number;
  vy?: number;
}

interface Reader {
  readonly over: (at: number | undefined) => void;
  readonly open: (at: number) => void;
}

interface Sight {
  x: number;
  y: number;
  zoom: number;
}

/** Names are drawn beside the best linked notes only, or all would cover one another. */
const NAMED = 14;
const GOLDEN = 2.399963;

function dotsOf(graph: GraphView): Dot[] {
  return graph.nodes.map((node, at) => ({
    name: node.name,
    size: 3 + Math.min(9, Math.sqrt(node.in + node.out) * 1.6),
    x: Math.cos(at * GOLDEN) * Math.sqrt(at) * 14,
    y: Math.sin(at * GOLDEN) * Math.sqrt(at) * 14,
  }));
}

interface Colours {
  readonly line: string;
  readonly dot: string;
  readonly text: string;
  readonly back: string;
}

/** The dots that each is linked with, by position. */
type Linked = ReadonlyMap<number, ReadonlySet<number>>;

interface Picture {
  readonly dots: readonly Dot[];
  readonly edges: GraphView["edges"];
  readonly linked: Linked;
}

function linksOf({ edges }: GraphView): Linked {
  const linked = new Map<number, Set<number>>();
  const add = (one: number, other: number): void => {
    linked.set(one, (linked.get(one) ?? new Set()).add(other));
  };
  for (const [from, to] of edges) {
    add(from, to);
    add(to, from);
  }
  return linked;
}

function colours(place: HTMLElement): Colours {
  const style = getComputedStyle(place);
  const of = (name: string): string => style.getPropertyValue(name).trim();
  return { line: of("--line-strong"), dot: of("--accent"), text: of("--text"), back: of("--bg") };
}

/** What is in sight, in the graph's own measure. */
function inSight({ canvas }: CanvasRenderingContext2D, sight: Sight): Box {
  const [half, high] = [canvas.width / devicePixelRatio / 2, canvas.height / devicePixelRatio / 2];
  return {
    left: (6 - half - sight.x) / sight.zoom,
    right: (half - 6 - sight.x) / sight.zoom,
    top: (6 - high - sight.y) / sight.zoom,
    bottom: (high - 6 - sight.y) / sight.zoom,
  };
}

/** Without a dot under the pointer, the best linked ones have their names; else that one and those it is linked with. */
function namedDots(dots: readonly Dot[], linked: Linked, over: number | undefined): readonly number[] {
  if (over !== undefined) return [over, ...(linked.get(over) ?? [])].slice(0, NAMED);
  return [...dots.keys()].toSorted((one, other) => (dots[other]?.size ?? 0) - (dots[one]?.size ?? 0)).slice(0, NAMED);
}

function paintNames(
  pen: CanvasRenderingContext2D,
  { dots, linked }: Picture,
  sight: Sight,
  over: number | undefined,
  { text, back }: Colours,
): void {
  pen.font = `${12 / sight.zoom}px system-ui, sans-serif`;
  pen.textBaseline = "middle";
  pen.lineWidth = 4 / sight.zoom;
  pen.lineJoin = "round";
  const height = 15 / sight.zoom;
  const bounds = inSight(pen, sight);
  const written: Box[] = [];
  for (const at of namedDots(dots, linked, over)) {
    const one = dots[at];
    if (one === undefined) continue;
    const name = one.name.length > 32 ? `${one.name.slice(0, 31)}…` : one.name;
    const ends = [...(linked.get(at) ?? [])].flatMap((end) => dots[end] ?? []);
    const others = dots.filter((dot) => dot !== one);
    const box = placeName(one, pen.measureText(name).width, height, { ends, dots: others, written, sight: bounds });
    if (box === undefined) continue;
    written.push(box);
    const y = (box.top + box.bottom) / 2;
    pen.strokeStyle = back;
    pen.strokeText(name, box.left, y);
    pen.fillStyle = text;
    pen.fillText(name, box.left, y);
  }
}

/** All lines at once, or those of one dot. */
function paintLines(pen: CanvasRenderingContext2D, { dots, edges }: Picture, of?: number): void {
  pen.beginPath();
  for (const [from, to] of edges) {
    const one = dots[from];
    const other = dots[to];
    if (one === undefined || other === undefined || (of !== undefined && from !== of && to !== of)) continue;
    pen.moveTo(one.x, one.y);
    pen.lineTo(other.x, other.y);
  }
  pen.stroke();
}

function paint(canvas: HTMLCanvasElement, picture: Picture, sight: Sight, over: number | undefined): void {
  const pen = canvas.getContext("2d");
  if (pen === null) return;
  const scale = devicePixelRatio;
  const palette = colours(canvas);
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.clearRect(0, 0, canvas.width, canvas.height);
  pen.setTransform(
    scale * sight.zoom,
    0,
    0,
    scale * sight.zoom,
    canvas.width / 2 + sight.x * scale,
    canvas.height / 2 + sight.y * scale,
  );
  pen.strokeStyle = palette.line;
  pen.lineWidth = 1 / sight.zoom;
  paintLines(pen, picture);
  if (over !== undefined) {
    pen.strokeStyle = palette.dot;
    pen.lineWidth = 1.5 / sight.zoom;
    paintLines(pen, picture, over);
  }
  pen.lineWidth = 1 / sight.zoom;
  for (const [at, { x, y, size }] of picture.dots.entries()) {
    pen.beginPath();
    pen.arc(x, y, at === over ? size + 2 : size, 0, 2 * Math.PI);
    pen.fillStyle = palette.dot;
    pen.fill();
    pen.strokeStyle = palette.back;
    pen.stroke();
  }
  paintNames(pen, picture, sight, over, palette);
}

/** So that all of it is in sight at first. */
function fit(canvas: HTMLCanvasElement, dots: readonly Dot[], sight: Sight): void {
  let reach = 60;
  for (const { x, y } of dots) reach = Math.max(reach, Math.abs(x) * 1.15, Math.abs(y) * 1.15);
  sight.zoom = Math.min(1.6, Math.min(canvas.clientWidth, canvas.clientHeight) / 2 / reach);
}

function simulationOf(dots: Dot[], graph: GraphView) {
  const links = graph.edges.map(([source, target]) => ({ source, target }));
  return forceSimulation(dots)
    .force("link", forceLink(links).distance(64).strength(0.5))
    .force("apart", forceManyBody().strength(-160).distanceMax(420))
    .force(
      "collide",
      forceCollide<Dot>((one) => one.size + 3),
    )
    .force("x", forceX(0).strength(0.05))
    .force("y", forceY(0).strength(0.07))
    .stop();
}

interface Events {
  readonly move: (event: PointerEvent) => void;
  readonly down: (event: PointerEvent) => void;
  readonly up: (event: PointerEvent) => void;
  readonly wheel: (event: WheelEvent) => void;
}

function listen(canvas: HTMLCanvasElement, { move, down, up, wheel }: Events): () => void {
  canvas.addEventListener("pointermove", move);
  canvas.addEventListener("pointerdown", down);
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("wheel", wheel, { passive: false });
  return () => {
    canvas.removeEventListener("pointermove", move);
    canvas.removeEventListener("pointerdown", down);
    canvas.removeEventListener("pointerup", up);
    canvas.removeEventListener("wheel", wheel);
  };
}

function dotAt(canvas: HTMLCanvasElement, dots: readonly Dot[], sight: Sight, event: PointerEvent): number | undefined {
  const x = (event.offsetX - canvas.clientWidth / 2 - sight.x) / sight.zoom;
  const y = (event.offsetY - canvas.clientHeight / 2 - sight.y) / sight.zoom;
  const near = dots.findIndex((dot) => Math.hypot(dot.x - x, dot.y - y) < dot.size + 5 / sight.zoom);
  return near < 0 ? undefined : near;
}

function zoomBy(sight: Sight, event: WheelEvent): void {
  event.preventDefault();
  sight.zoom = Math.max(0.1, Math.min(5, sight.zoom * Math.exp(-event.deltaY / 300)));
}

/** The canvas has a point for each of the screen's. */
function watchSize(canvas: HTMLCanvasElement, changed: () => void): () => void {
  const watch = new ResizeObserver(() => {
    canvas.width = canvas.clientWidth * devicePixelRatio;
    canvas.height = canvas.clientHeight * devicePixelRatio;
    changed();
  });
  watch.observe(canvas);
  return () => watch.disconnect();
}

/** @returns what stops it. */
export function drawGraph(canvas: HTMLCanvasElement, graph: GraphView, reader: Reader): () => void {
  const dots = dotsOf(graph);
  const picture = { dots, edges: graph.edges, linked: linksOf(graph) };
  const sight: Sight = { x: 0, y: 0, zoom: 1 };
  const simulation = simulationOf(dots, graph);
  let over: number | undefined;
  let [moved, held, touched] = [false, false, false];
  let frame = 0;
  const show = (): void => paint(canvas, picture, sight, over);
  const step = (): void => {
    simulation.tick();
    if (!touched) fit(canvas, dots, sight);
    show();
    if (simulation.alpha() > simulation.alphaMin()) frame = requestAnimationFrame(step);
  };
  const at = (event: PointerEvent): number | undefined => dotAt(canvas, dots, sight, event);
  const forgetEvents = listen(canvas, {
    move: (event) => {
      if (held) {
        sight.x += event.movementX;
        sight.y += event.movementY;
        moved ||= Math.abs(event.movementX) + Math.abs(event.movementY) > 2;
        touched = true;
        return show();
      }
      const next = at(event);
      if (next === over) return;
      over = next;
      reader.over(over);
      canvas.classList.toggle("over", over !== undefined);
      show();
    },
    down: () => {
      held = true;
      moved = false;
    },
    up: (event) => {
      held = false;
      const one = at(event);
      if (!moved && one !== undefined) reader.open(one);
    },
    wheel: (event) => {
      if (!event.ctrlKey) return;
      touched = true;
      zoomBy(sight, event);
      show();
    },
  });
  const forgetSize = watchSize(canvas, () => {
    if (!touched) fit(canvas, dots, sight);
    show();
  });
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) simulation.tick(300);
  frame = requestAnimationFrame(step);
  return () => {
    cancelAnimationFrame(frame);
    forgetSize();
    forgetEvents();
  };
}
