import type { BlameLeaf } from '@/lib/protocol/measures';
import type { ListKind } from './blame-view';

/** One line of the ranking. */
export interface BlameLine {
  id: string;
  cause: BlameLeaf['cause'];
  owner: string | null;
  place: BlameLeaf['place'];
  /** Null where the line is of several locks. */
  leaf: BlameLeaf | null;
  /** Of how many locks, as far as they are told apart. */
  locks: number;
  waitMs: number;
}

const causeId = ({ cause, owner }: BlameLeaf): string => `${cause}\n${owner ?? ''}`;

/** The leaves as they are, or each holder's added up over its locks; the greatest first. */
export function blameLines(leaves: readonly BlameLeaf[], kind: ListKind): BlameLine[] {
  const lines = leaves.map((leaf): BlameLine => {
    const lock = leaf.lock === null ? '' : `${leaf.lock.db}:${leaf.lock.keyB64}`;
    return {
      id: [leaf.namespace, leaf.class, lock, causeId(leaf)].join('\n'),
      cause: leaf.cause,
      owner: leaf.owner,
      place: leaf.place,
      leaf,
      locks: 1,
      waitMs: leaf.waitMs,
    };
  });
  const wanted = kind === 'lock' ? lines : addedUp(lines);
  return wanted.toSorted((a, b) => b.waitMs - a.waitMs);
}

function addedUp(lines: readonly BlameLine[]): BlameLine[] {
  const byHolder = new Map<string, BlameLine>();
  for (const line of lines) {
    const id = `${line.cause}\n${line.owner ?? ''}`;
    const before = byHolder.get(id);
    byHolder.set(
      id,
      before
        ? {
            ...before,
            leaf: null,
            place: before.place ?? line.place,
            locks: before.locks + 1,
            waitMs: before.waitMs + line.waitMs,
          }
        : { ...line, id },
    );
  }
  return [...byHolder.values()];
}
