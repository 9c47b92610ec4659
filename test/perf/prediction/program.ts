import type { LockMode, OrderedLock } from '@/lib/analysis/lock-order-shape';

/** One operation of a thread. A `try` that fails goes on at `otherwise`. */
export type Operation =
  | { kind: 'lock'; lock: OrderedLock; mode: LockMode }
  | { kind: 'try'; lock: OrderedLock; mode: LockMode; otherwise: number }
  | { kind: 'unlock'; lock: OrderedLock };

/** Straight-line code that takes and gives back locks. */
export interface Thread {
  name: string;
  operations: Operation[];
}

/**
 * Threads that run at the same time, once each. Where they work on ids, every world is one way to give them theirs:
 * each run is of one of them.
 */
export interface Program {
  kind: string;
  worlds: Thread[][];
}

/** A lock, what is done while it is held, and whether it is only tried. */
export interface Block {
  lock: OrderedLock;
  mode?: LockMode;
  isTry?: boolean;
  inside?: Block[];
}

export const lockOf = (template: string, id: number | string = ''): OrderedLock => ({
  db: 0,
  key: template.replace('*', `${id}`),
  class: template,
});

/** The operations of blocks one after another. */
export function operationsOf(blocks: readonly Block[]): Operation[] {
  const operations: Operation[] = [];
  const add = ({ lock, mode = 'write', isTry = false, inside = [] }: Block): void => {
    const attempt = { kind: 'try', lock, mode, otherwise: 0 } as const;
    const at = operations.push(isTry ? attempt : { kind: 'lock', lock, mode }) - 1;
    inside.forEach(add);
    operations.push({ kind: 'unlock', lock });
    if (isTry) operations[at] = { ...attempt, otherwise: operations.length };
  };
  blocks.forEach(add);
  return operations;
}

/** Blocks in each other, the first outermost. */
export const nested = ([outer, ...inner]: readonly Block[]): Block[] =>
  outer ? [{ ...outer, inside: nested(inner) }] : [];

export const threadOf = (number: number, ...blocks: Block[]): Thread => ({
  name: `thread-${number}`,
  operations: operationsOf(blocks),
});
