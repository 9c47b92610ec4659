import { nodeId, type BlameNode } from './blame-tree';

/** One box of the picture. */
export interface IcicleBox {
  /** Unique among the boxes of one picture. */
  id: string;
  /** Null: neighbours too narrow to be drawn one by one. */
  node: BlameNode | null;
  /** 0 = the node that is zoomed into. */
  depth: number;
  /** 0…1 of the width. */
  left: number;
  width: number;
  waitMs: number;
  /** How many nodes a merged box stands for; 1 otherwise. */
  merged: number;
  /** Index of the box above; null for the first. */
  parent: number | null;
}

/** As long as fewer than this are narrow, merging would hide more than it clears up. */
const LEAST_MERGED = 2;

/**
 * Lays a tree out as an icicle: a row for each level, each box as wide as its share of the box above. Boxes below
 * `leastShare` of the whole width end as one "n more" at the right of their siblings. In reading order: each box
 * comes after the one above it.
 */
export function icicleBoxes(root: BlameNode, leastShare: number): IcicleBox[] {
  const boxes: IcicleBox[] = [];
  const place = (node: BlameNode, at: Pick<IcicleBox, 'depth' | 'left' | 'width' | 'parent'>) => {
    const index = boxes.length;
    boxes.push({ ...at, id: nodeId(node), node, waitMs: node.waitMs, merged: 1 });
    if (node.waitMs <= 0) return;
    const widthOf = (waitMs: number): number => (waitMs / node.waitMs) * at.width;
    const narrow = new Set(node.children.filter((child) => widthOf(child.waitMs) < leastShare));
    const isMerged = narrow.size >= LEAST_MERGED;
    let { left } = at;
    for (const child of node.children) {
      if (isMerged && narrow.has(child)) continue;
      const width = widthOf(child.waitMs);
      place(child, { depth: at.depth + 1, left, width, parent: index });
      left += width;
    }
    if (!isMerged) return;
    const waitMs = [...narrow].reduce((sum, child) => sum + child.waitMs, 0);
    boxes.push({
      id: `${nodeId(node)}…`,
      node: null,
      depth: at.depth + 1,
      left,
      width: widthOf(waitMs),
      waitMs,
      merged: narrow.size,
      parent: index,
    });
  };
  place(root, { depth: 0, left: 0, width: 1, parent: null });
  return boxes;
}

/** Where an arrow key leads from a box; null = nowhere. Left and right stay on the level. */
export function boxTowards(boxes: readonly IcicleBox[], from: number, key: string): number | null {
  const box = boxes[from];
  if (!box) return null;
  switch (key) {
    case 'ArrowUp':
      return box.parent;
    case 'ArrowDown':
      return firstIndex(boxes, (each) => each.parent === from);
    case 'ArrowLeft':
      return beside(boxes, box, -1);
    case 'ArrowRight':
      return beside(boxes, box, 1);
    case 'Home':
      return boxes.length > 0 ? 0 : null;
    default:
      return null;
  }
}

function firstIndex(
  boxes: readonly IcicleBox[],
  isWanted: (box: IcicleBox) => boolean,
): number | null {
  const index = boxes.findIndex(isWanted);
  return index < 0 ? null : index;
}

function beside(boxes: readonly IcicleBox[], box: IcicleBox, step: 1 | -1): number | null {
  const row = boxes
    .map((each, index) => ({ each, index }))
    .filter(({ each }) => each.depth === box.depth)
    .toSorted((a, b) => a.each.left - b.each.left);
  const at = row.findIndex(({ each }) => each === box);
  return row[at + step]?.index ?? null;
}
