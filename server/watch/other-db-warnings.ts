import { sentence, verbatim } from '@/lib/messages/sentence';
import { printable } from '@/lib/protocol/bytes';
import { unwatchedDbs, type NodeState } from './node-status';
import type { ToldWarning } from './told-warning';

const LONGEST_NAME = 120;

/** A db that is not watched is none of our business once all its names were seen and none looks like a lock. */
export function otherDbWarnings(state: NodeState): ToldWarning[] {
  const looked = unwatchedDbs(state).flatMap((db) => {
    const seen = state.otherDbs.get(db);
    return seen?.isComplete && seen.lock === null ? [] : [{ db, lock: seen?.lock ?? null }];
  });
  if (looked.length === 0) return [];
  const dbs = looked.map(({ db }) => db);
  const all = [...state.dbs, ...dbs].sort((a, b) => a - b);
  const locks = looked.flatMap(({ lock }) => (lock === null ? [] : [clipped(printable(lock))]));
  return [
    {
      code: 'db-mismatch',
      message: [
        sentence('warning:unwatched', { count: dbs.length, dbs: dbs.join(', ') }),
        ...(locks.length > 0
          ? [sentence('warning:unwatched-locks', { locks: locks.join(', ') })]
          : []),
      ],
      remedy: verbatim(`LOCKSCOPE_DBS=${all.join(',')}`),
    },
  ];
}

const clipped = (text: string): string =>
  text.length <= LONGEST_NAME ? text : `${text.slice(0, LONGEST_NAME)}…`;
