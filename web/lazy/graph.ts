/** Linked notes on a canvas. The lists of the page say the same; this shows its shape. */
import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } from "d3-force";
import type { GraphView } from "../../src/surfaces/web/api.ts";

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

function colours(place: HTMLElement): {
  readonly line: string;
  readonly dot: string;
  readonly text: string;
  readonly back: string;
} {
  const style = getComputedStyle(place);
  const of = (name: string): string => style.getPropertyValue(name).trim();
  return { line: of("--line-strong"), dot: of("--accent"), text: of("--text"), back: of("--bg") };
}

function paintNames(
  pen: CanvasRenderingContext2D,
  dots: readonly Dot[],
  sight: Sight,
  over: number | undefined,
  text: string,
  back: string,
): void {
  const named = [...dots.keys()]
    .toSorted((one, other) => (dots[other]?.size ?? 0) - (dots[one]?.size ?? 0))
    .slice(0, NAMED);
  pen.font = `${12 / sight.zoom}px system-ui, sans-serif`;
  pen.textBaseline = "middle";
  pen.lineWidth = 3 / sight.zoom;
  const edge = (pen.canvas.width / devicePixelRatio / 2 - sight.x - 6) / sight.zoom;
  const written: Box[] = [];
  for (const at of over === undefined ? named : [over]) {
    const one = dots[at];
    if (one === undefined) continue;
    const name = one.name.length > 32 ? `${one.name.slice(0, 31)}…` : one.name;
    const { width } = pen.measureText(name);
    const gap = one.size + 4 / sight.zoom;
    // Below its dot where it would leave the picture beside it.
    const leaves = one.x + gap + width > edge;
    const x = leaves ? edge - width : one.x + gap;
    const y = leaves ? one.y + one.size + 10 / sight.zoom : one.y;
    const box = { left: x, right: x + width, y, height: 15 / sight.zoom };
    if (written.some((other) => overlap(box, other))) continue;
    written.push(box);
    pen.strokeStyle = back;
    pen.strokeText(name, x, y);
    pen.fillStyle = text;
    pen.fillText(name, x, y);
  }
}

function paint(
  canvas: HTMLCanvasElement,
  dots: readonly Dot[],
  graph: GraphView,
  sight: Sight,
  over: number | undefined,
): void {
  const pen = canvas.getContext("2d");
  if (pen === null) return;
  const scale = devicePixelRatio;
  const { line, dot, text, back } = colours(canvas);
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
  pen.strokeStyle = line;
  pen.lineWidth = 1 / sight.zoom;
  pen.beginPath();
  for (const [from, to] of graph.edges) {
    const one = dots[from];
    const other = dots[to];
    if (one === undefined || other === undefined) continue;
    pen.moveTo(one.x, one.y);
    pen.lineTo(other.x, other.y);
  }
  pen.stroke();
  for (const [at, { x, y, size }] of dots.entries()) {
    pen.beginPath();
    pen.arc(x, y, at === over ? size + 2 : size, 0, 2 * Math.PI);
    pen.fillStyle = dot;
    pen.fill();
    pen.strokeStyle = back;
    pen.stroke();
  }
  paintNames(pen, dots, sight, over, text, back);
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly y: number;
  readonly height: number;
}

function overlap(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && Math.abs(one.y - other.y) < one.height;
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
  const sight: Sight = { x: 0, y: 0, zoom: 1 };
  const simulation = simulationOf(dots, graph);
  let over: number | undefined;
  let [moved, held, touched] = [false, false, false];
  let frame = 0;
  const show = (): void => paint(canvas, dots, graph, sight, over);
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
