import { sentence } from '@/lib/messages/sentence';
import { printable, type Bytes } from '@/lib/protocol/bytes';
import type { Change } from '@/server/state/change';
import { lockId } from '@/server/state/lock-record';
import type { Analyser, View } from './analyser';
import type { Finding } from './finding';
import { clip, lockIncident, lockSubject } from './subject';

/** After this without another refusal it is over. */
const QUIET_MS = 60_000;
const MOST_LOCKS = 200;

type Refused = Extract<Change, { kind: 'attempts-refused' }>;

interface Storm {
  db: number;
  key: Bytes;
  since: number;
  lastAt: number;
  lastOwner: Bytes;
  count: number;
}

function findingOf(storm: Storm, { now }: View): Finding {
  const owner = clip(printable(storm.lastOwner));
  const values = { count: storm.count, lastsMs: Math.max(0, now - storm.since), owner };
  return {
    id: lockIncident('retry-storm', storm),
    code: 'retry-storm',
    severity: 'warning',
    subject: lockSubject(storm),
    summary: [sentence('retry-storm:refused', values)],
    remedy: [sentence('retry-storm:remedy', {})],
    since: storm.since,
    count: storm.count,
    evidence: 'observed',
    moment: false,
  };
}

/** Attempts that clients of our own refused because they were over a limit, as the clients report them. */
export function createRateLimited(): Analyser {
  /** By the time of the last refusal, oldest first. */
  const storms = new Map<string, Storm>();

  const add = ({ at, db, key, owner, count }: Refused): void => {
    const id = lockId(db, key);
    const storm = storms.get(id) ?? { db, key, since: at, lastAt: at, lastOwner: owner, count: 0 };
    storm.count += count;
    storm.lastAt = at;
    storm.lastOwner = owner;
    storms.delete(id);
    storms.set(id, storm);
    if (storms.size <= MOST_LOCKS) return;
    for (const oldest of storms.keys()) {
      storms.delete(oldest);
      return;
    }
  };

  return {
    needs: 'nothing',
    observe: (changes) => {
      for (const change of changes) if (change.kind === 'attempts-refused') add(change);
    },
    findings: (view) => {
      for (const [id, { lastAt }] of storms) if (view.now - lastAt > QUIET_MS) storms.delete(id);
      return [...storms.values()].map((storm) => findingOf(storm, view));
    },
  };
}
