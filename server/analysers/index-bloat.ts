import { sentence } from '@/lib/messages/sentence';
import { printable } from '@/lib/protocol/bytes';
import { lockId } from '@/server/state/lock-record';
import type { Analyser, View } from './analyser';
import type { Finding } from './finding';
import { targetSubject } from './subject';

/** A list this short costs nothing, whatever it lists. */
const LEAST_MEMBERS = 1_000;
/** Locks come and go between two counts, and a few are always left over. */
const TIMES_THE_LOCKS = 10;
const LISTING_FORMATS = 'sidekiq';

/** A library's list of its locks is far longer than the locks there are: what is listed is gone, or was never freed. */
export function createIndexBloat(): Analyser {
  let held = new Map<number, number>();
  const since = new Map<string, number>();

  const findingOf = (index: View['table']['indexes'][number], view: View): Finding => {
    const { db, key, members } = index;
    const id = lockId(db, key);
    const first = since.get(id) ?? view.now;
    since.set(id, first);
    const values = { list: printable(key), count: members, locks: held.get(db) ?? 0, db };
    return {
      id: `index-bloat:${id}`,
      code: 'index-bloat',
      severity: 'warning',
      subject: targetSubject(view.target.id),
      summary: [sentence('index-bloat:longer', values)],
      remedy: [sentence('index-bloat:remedy', {})],
      since: first,
      count: 1,
      evidence: 'observed',
      moment: false,
    };
  };

  return {
    needs: 'table',
    held: ({ db, format }) => {
      if (format.id.startsWith(LISTING_FORMATS)) held.set(db, (held.get(db) ?? 0) + 1);
    },
    findings: (view) => {
      // Before the first sweep most locks are not known yet.
      const isSwept = view.target.nodes.every(({ sweep }) => sweep.finishedAt !== null);
      const bloated = view.table.indexes.filter(
        ({ db, members }) =>
          members > LEAST_MEMBERS && members > TIMES_THE_LOCKS * (held.get(db) ?? 0),
      );
      const found = isSwept ? bloated.map((index) => findingOf(index, view)) : [];
      const ids = new Set(bloated.map(({ db, key }) => lockId(db, key)));
      for (const id of since.keys()) if (!ids.has(id)) since.delete(id);
      held = new Map();
      return found;
    },
  };
}
