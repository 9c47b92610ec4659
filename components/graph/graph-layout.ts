import type { Deadlock, DeadlockEdge } from '@/lib/protocol/deadlock';
import { boxRim, circleRim, type Point } from './rims';
import { numbersOf } from './wait-order';

export type { Point } from './rims';

export interface GraphNode extends Point {
  /** The same for the same owner or lock. */
  id: string;
  kind: 'owner' | 'lock';
  label: string;
  /** The lock, or for an owner its whole id. */
  lock: DeadlockEdge['waitsFor'] | null;
  owner: string | null;
  /** Where a text beside the node keeps clear of the edges. */
  outside: 'above' | 'below';
  /** Which end of that text is at the node: at the far left and right it leaves the edges the inside. */
  anchor: 'start' | 'middle' | 'end';
}

export interface GraphEdge {
  id: string;
  from: Point;
  to: Point;
  /** Control point of the curve. */
  bend: Point;
  kind: 'waits' | 'held';
  /** From 1, in the order in which the waits began; only waits are numbered. */
  number: number | null;
  isInferred: boolean;
  /** One of several holders of whom any one would do. */
  isAnyOf: boolean;
  /** What it stands for. */
  of: DeadlockEdge;
}

export interface GraphDrawing {
  width: number;
  height: number;
  /** In the order of the circle: an owner, the lock it waits for, who holds that. */
  nodes: GraphNode[];
  edges: GraphEdge[];
}

/** Beyond this many waits a circle of boxes cannot be read, and the list in words says it better. */
export const MAX_DRAWN = 8;
export const OWNER_RADIUS = 17;
export const LOCK_WIDTH = 132;
export const LOCK_HEIGHT = 30;

const PADDING = 26;
const LABEL_ROOM = 22;

const ownerId = (owner: string): string => `owner ${owner}`;
const lockId = ({ db, keyB64 }: DeadlockEdge['waitsFor']): string => `lock ${db}:${keyB64}`;

type Named = Pick<GraphNode, 'id' | 'kind' | 'label' | 'lock' | 'owner'>;

/** Owners and locks, each once, in the order in which they are met along the waits. */
function membersOf(cycle: Deadlock['cycle']): Named[] {
  const apps = new Map<string, string>();
  for (const { owner, ownerApp, heldBy, heldByApp } of cycle) {
    if (ownerApp !== undefined) apps.set(owner, ownerApp);
    if (heldByApp !== undefined) apps.set(heldBy, heldByApp);
  }
  const nodes = new Map<string, Named>();
  const meetOwner = (owner: string): void => {
    const id = ownerId(owner);
    const label = apps.get(owner) ?? owner;
    if (!nodes.has(id)) nodes.set(id, { id, kind: 'owner', label, lock: null, owner });
  };
  for (const { owner, waitsFor, heldBy } of cycle) {
    meetOwner(owner);
    const id = lockId(waitsFor);
    const label = waitsFor.key;
    if (!nodes.has(id)) nodes.set(id, { id, kind: 'lock', label, lock: waitsFor, owner: null });
    meetOwner(heldBy);
  }
  return [...nodes.values()];
}

/**
 * Owners and locks on an ellipse, the first owner at the left: owner → lock is a wait, lock → owner says who holds it.
 * A plain circle of n waits has 2n nodes, in turn, and 2n edges; where a lock has several holders some edges cross the
 * inside.
 */
export function layOutGraph({
  cycle,
  evidence,
}: Pick<Deadlock, 'cycle' | 'evidence'>): GraphDrawing {
  const members = membersOf(cycle);
  const half = members.length / 2;
  const radiusX = Math.max(140, 46 * half);
  const radiusY = Math.max(64, 40 * half);
  const centre = {
    x: radiusX + LOCK_WIDTH / 2 + PADDING,
    y: radiusY + OWNER_RADIUS + LABEL_ROOM,
  };
  const nodes = members.map((member, slot): GraphNode => {
    const angle = Math.PI + (slot / members.length) * 2 * Math.PI;
    const at = { x: centre.x + radiusX * Math.cos(angle), y: centre.y + radiusY * Math.sin(angle) };
    const isAside = Math.abs(at.y - centre.y) <= 1;
    const anchor = !isAside ? 'middle' : at.x < centre.x ? 'end' : 'start';
    return { ...member, ...at, outside: at.y < centre.y - 1 ? 'above' : 'below', anchor };
  });
  return {
    width: centre.x * 2,
    height: centre.y * 2,
    nodes,
    edges: edgesOf(cycle, { nodes, centre, evidence }),
  };
}

interface Placed {
  nodes: readonly GraphNode[];
  centre: Point;
  evidence: Deadlock['evidence'];
}

function edgesOf(cycle: Deadlock['cycle'], { nodes, centre, evidence }: Placed): GraphEdge[] {
  const slots = new Map(nodes.map(({ id }, slot) => [id, slot]));
  const numbers = numbersOf(cycle);
  const edges = new Map<string, GraphEdge>();
  const join = (fromId: string, toId: string, edge: Omit<GraphEdge, keyof Curve | 'id'>): void => {
    const id = `${fromId} > ${toId}`;
    const [a, b] = [slots.get(fromId), slots.get(toId)];
    const from = a === undefined ? undefined : nodes[a];
    const to = b === undefined ? undefined : nodes[b];
    if (!from || !to || a === undefined || b === undefined || edges.has(id)) return;
    const apart = Math.abs(a - b);
    const isBeside = apart === 1 || apart === nodes.length - 1;
    edges.set(id, { id, ...curve({ from, to }, isBeside ? centre : null), ...edge });
  };
  cycle.forEach((of, index) => {
    const isInferred = (of.evidence ?? evidence) !== 'observed';
    const about = { isInferred, isAnyOf: of.needs === 'or', of };
    const [owner, lock, holder] = [ownerId(of.owner), lockId(of.waitsFor), ownerId(of.heldBy)];
    join(owner, lock, { ...about, kind: 'waits', number: numbers[index] ?? null });
    join(lock, holder, { ...about, kind: 'held', number: null });
  });
  return [...edges.values()];
}

type Curve = Pick<GraphEdge, 'from' | 'to' | 'bend'>;

/** From rim to rim, bent away from `centre` so that the circle is seen as one; straight without. */
function curve({ from, to }: { from: GraphNode; to: GraphNode }, centre: Point | null): Curve {
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  const bend = centre === null ? middle : awayFrom(centre, middle);
  return { from: rimOf(from, bend, 3), to: rimOf(to, bend, 7), bend };
}

const BENT_BY = 14;

function awayFrom(centre: Point, point: Point): Point {
  const away = { x: point.x - centre.x, y: point.y - centre.y };
  const length = Math.hypot(away.x, away.y) || 1;
  return { x: point.x + (away.x / length) * BENT_BY, y: point.y + (away.y / length) * BENT_BY };
}

const rimOf = (node: GraphNode, towards: Point, gap: number): Point =>
  node.kind === 'owner'
    ? circleRim(node, towards, OWNER_RADIUS + gap)
    : boxRim(node, towards, { width: LOCK_WIDTH / 2 + gap, height: LOCK_HEIGHT / 2 + gap });
