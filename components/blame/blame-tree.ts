import type { Blame, BlameLeaf } from '@/lib/protocol/measures';

export type BlameLevel = 'all' | 'namespace' | 'class' | 'lock' | 'holder';
const LEVELS: readonly BlameLevel[] = ['all', 'namespace', 'class', 'lock', 'holder'];

/** Waiting time caused within one namespace, class, lock, or by one holder of a lock. */
export interface BlameNode {
  /** Ids from the first level below the root down to this one; empty for the root. */
  path: readonly string[];
  level: BlameLevel;
  /** One of the leaves below: all of them agree in what the level says. Null for the root and for what is left out. */
  leaf: BlameLeaf | null;
  waitMs: number;
  /** The greatest first, and last what is left out. */
  children: BlameNode[];
  /** How many leaves are missing in the answer; set on the node that stands for them. */
  leftOut: number;
}

/** The id of the node for leaves beyond the limit. */
const LEFT_OUT = 'left-out';

const lockId = ({ lock }: BlameLeaf): string =>
  lock === null ? 'small' : `${lock.db}:${lock.keyB64}`;
/** What tells nodes of one level apart. */
const ID: Record<Exclude<BlameLevel, 'all'>, (leaf: BlameLeaf) => string> = {
  namespace: (leaf) => leaf.namespace,
  class: (leaf) => leaf.class,
  lock: lockId,
  holder: (leaf) => `${leaf.cause}:${leaf.owner ?? ''}`,
};

/** Tells nodes apart. As text of its own: names may be empty and hold any character. */
export const nodeId = ({ path }: BlameNode): string => JSON.stringify(path);

interface Growing extends BlameNode {
  children: Growing[];
  byId: Map<string, Growing>;
}

const grow = (path: readonly string[], level: BlameLevel, leaf: BlameLeaf | null): Growing => ({
  path,
  level,
  leaf,
  waitMs: 0,
  children: [],
  leftOut: 0,
  byId: new Map(),
});

/** Adds the leaves up to a tree: namespace › class › lock › holder. */
export function blameTree({ leaves, leftOut }: Pick<Blame, 'leaves' | 'leftOut'>): BlameNode {
  const root = grow([], 'all', null);
  for (const leaf of leaves) {
    let node = root;
    node.waitMs += leaf.waitMs;
    for (const level of LEVELS) {
      if (level === 'all') continue;
      const id = ID[level](leaf);
      let child = node.byId.get(id);
      if (!child) {
        child = grow([...node.path, id], level, leaf);
        node.byId.set(id, child);
        node.children.push(child);
      }
      child.waitMs += leaf.waitMs;
      node = child;
    }
  }
  if (leftOut.count > 0) {
    const rest = grow([LEFT_OUT], 'namespace', null);
    root.children.push({ ...rest, waitMs: leftOut.waitMs, leftOut: leftOut.count });
    root.waitMs += leftOut.waitMs;
  }
  return sorted(root);
}

function sorted(node: Growing): BlameNode {
  const { byId: _byId, ...plain } = node;
  const children = node.children
    .map(sorted)
    // What is left out is no part that could be looked into, however large.
    .toSorted((a, b) => Number(a.leftOut > 0) - Number(b.leftOut > 0) || b.waitMs - a.waitMs);
  return { ...plain, children };
}

/** The node at the end of a path and all above it, the root first; as far as the path leads. */
export function nodesAlong(root: BlameNode, path: readonly string[]): BlameNode[] {
  const nodes = [root];
  let node = root;
  for (const id of path) {
    const next = node.children.find((child) => child.path.at(-1) === id);
    if (!next) break;
    nodes.push(next);
    node = next;
  }
  return nodes;
}

/** Whether the leaf lies below the node at the end of the path. */
export function isWithin(leaf: BlameLeaf, path: readonly string[]): boolean {
  return path.every((id, depth) => {
    const level = LEVELS[depth + 1];
    return level !== undefined && level !== 'all' && ID[level](leaf) === id;
  });
}
