import { sampleDeadlocks } from './incidents';
import {
  blindPastLock,
  freePastLock,
  manyPast,
  MOMENT_AGO_MS,
  pastBeforeKept,
  pastInGap,
  sampleHistory,
  samplePast,
  samplePastLock,
  unknownPastLock,
} from './past';
import type { SampleLiveOptions } from './sample-live';
import type { Scene } from './scenes';

type Queries = SampleLiveOptions['queries'];

const failure = {
  error: { code: 'STORE_UNAVAILABLE', message: 'The history cannot be read: the disk is full.' },
};

/** Pages as they were at a moment, in its usual and its awkward states. `base` answers all queries. */
export function pastScenes(base: Queries, now: number): Record<string, Scene> {
  const at = now - MOMENT_AGO_MS;
  const scene = (page: Scene['page'], queries: Queries, more: Partial<Scene> = {}): Scene => ({
    page,
    role: 'operator',
    queries: { ...base, ...queries },
    actions: {},
    at,
    ...more,
  });
  const locks = (past: () => unknown, more?: Partial<Scene>) => scene('locks', { past }, more);
  const lock = (answer: () => unknown) => scene('lock', { 'past-lock': answer });
  const stoodThen = sampleDeadlocks(at).slice(0, 2);
  const nothing = samplePast(at, { items: [], total: 0 });
  const kept = (answer: () => unknown) => scene('settings', { history: answer }, { at: undefined });
  return {
    'past-locks': locks(() => samplePast(at)),
    'past-locks-many': locks(() => manyPast(at)),
    'past-locks-none': locks(() => nothing),
    'past-locks-gap': locks(() => pastInGap(at)),
    'past-locks-unkept': locks(() => pastBeforeKept(at)),
    'past-locks-failed': locks(() => failure),
    'past-locks-stale': locks(() => samplePast(at), { loses: true }),
    'past-lock': lock(() => samplePastLock(at)),
    'past-lock-free': lock(() => freePastLock(at)),
    'past-lock-gap': lock(() => blindPastLock(at)),
    'past-lock-unknown': lock(() => unknownPastLock(at)),
    'past-deadlocks': scene('deadlocks', { deadlocks: () => stoodThen }),
    'past-deadlocks-none': scene('deadlocks', { deadlocks: () => [] }),
    'past-heatmap': scene('heatmap', {}),
    'settings-cut': kept(() => sampleHistory(now, { cutAt: now - 3_600_000, lostRows: 1204 })),
  };
}
