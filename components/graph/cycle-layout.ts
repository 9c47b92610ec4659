import type { Deadlock } from '@/lib/protocol/deadlock';

export interface Point {
  x: number;
  y: number;
}

export interface CycleNode extends Point {
  kind: 'owner' | 'lock';
  label: string;
  /** Index of the wait in the cycle. */
  index: number;
  /** Where a text beside the node keeps clear of the edges. */
  outside: 'above' | 'below';
  /** Which end of that text is at the node: at the far left and right it leaves the edges the inside. */
  anchor: 'start' | 'middle' | 'end';
}

export interface CycleEdge {
  from: Point;
  to: Point;
  /** Control point of the curve. */
  bend: Point;
  kind: 'waits' | 'held';
  /** 1-based, in the order of the list in words; only waits are numbered. */
  number: number | null;
}

export interface CycleDrawing {
  width: number;
  height: number;
  nodes: CycleNode[];
  edges: CycleEdge[];
}

/** Beyond this a circle of boxes cannot be read, and the list in words says it better. */
export const MAX_DRAWN = 8;
export const OWNER_RADIUS = 17;
export const LOCK_WIDTH = 132;
export const LOCK_HEIGHT = 30;

const PADDING = 26;
const LABEL_ROOM = 22;

/**
 * Owners and locks in turn on an ellipse, the first owner at the left: owner → lock is a wait, lock →
 * next owner says who holds it. A cycle of n waits has 2n nodes and 2n edges.
 */
export function layOutCycle(cycle: Deadlock['cycle']): CycleDrawing {
  const count = cycle.length * 2;
  const radiusX = Math.max(140, 46 * cycle.length);
  const radiusY = Math.max(64, 40 * cycle.length);
  const centre = {
    x: radiusX + LOCK_WIDTH / 2 + PADDING,
    y: radiusY + OWNER_RADIUS + LABEL_ROOM,
  };
  const at = (slot: number): Point => {
    const angle = Math.PI + (slot / count) * 2 * Math.PI;
    return { x: centre.x + radiusX * Math.cos(angle), y: centre.y + radiusY * Math.sin(angle) };
  };
  const sideOf = (point: Point) => (point.y < centre.y - 1 ? 'above' : 'below');
  const anchorOf = (point: Point): CycleNode['anchor'] =>
    Math.abs(point.y - centre.y) > 1 ? 'middle' : point.x < centre.x ? 'end' : 'start';
  const textOf = (point: Point): Pick<CycleNode, 'outside' | 'anchor'> => ({
    outside: sideOf(point),
    anchor: anchorOf(point),
  });
  const nodes: CycleNode[] = [];
  const edges: CycleEdge[] = [];
  cycle.forEach((wait, index) => {
    const owner = at(index * 2);
    const lock = at(index * 2 + 1);
    const next = at(index * 2 + 2);
    const label = wait.ownerApp ?? wait.owner;
    nodes.push({ ...owner, kind: 'owner', label, index, ...textOf(owner) });
    nodes.push({ ...lock, kind: 'lock', label: wait.waitsFor.key, index, ...textOf(lock) });
    edges.push({ ...curve(owner, lock, centre, 'owner'), kind: 'waits', number: index + 1 });
    edges.push({ ...curve(lock, next, centre, 'lock'), kind: 'held', number: null });
  });
  return { width: centre.x * 2, height: centre.y * 2, nodes, edges };
}

/** From rim to rim, bent outwards so that the circle is seen as one. */
function curve(from: Point, to: Point, centre: Point, start: 'owner' | 'lock') {
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  const away = { x: middle.x - centre.x, y: middle.y - centre.y };
  const length = Math.hypot(away.x, away.y) || 1;
  const out = 14;
  const bend = { x: middle.x + (away.x / length) * out, y: middle.y + (away.y / length) * out };
  const startsAtOwner = start === 'owner';
  return {
    from: startsAtOwner ? circleRim(from, bend, OWNER_RADIUS + 3) : boxRim(from, bend, 3),
    to: startsAtOwner ? boxRim(to, bend, 7) : circleRim(to, bend, OWNER_RADIUS + 7),
    bend,
  };
}

function circleRim(centre: Point, towards: Point, radius: number): Point {
  const length = Math.hypot(towards.x - centre.x, towards.y - centre.y) || 1;
  return {
    x: centre.x + ((towards.x - centre.x) / length) * radius,
    y: centre.y + ((towards.y - centre.y) / length) * radius,
  };
}

function boxRim(centre: Point, towards: Point, gap: number): Point {
  const dx = towards.x - centre.x;
  const dy = towards.y - centre.y;
  const halfWidth = LOCK_WIDTH / 2 + gap;
  const halfHeight = LOCK_HEIGHT / 2 + gap;
  const scale = Math.min(
    dx === 0 ? Infinity : halfWidth / Math.abs(dx),
    dy === 0 ? Infinity : halfHeight / Math.abs(dy),
  );
  return { x: centre.x + dx * scale, y: centre.y + dy * scale };
}
