import type { Lock, LockDetail, Overrun, PastHold } from '@/lib/protocol/lock';
import { en } from '@/lib/messages/en';
import { INSTANCE_A, INSTANCE_B } from './locks';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const past = (now: number, overrides: Partial<PastHold>): PastHold => ({
  generation: 1,
  owner: `${INSTANCE_A}:57`,
  start: now - HOUR,
  end: now - HOUR + 40 * SECOND,
  endReason: 'released',
  evidence: 'observed',
  renewals: 3,
  maxDepth: 1,
  endedBy: null,
  lateReleaseMs: null,
  notes: [],
  ...overrides,
});

function pastHolds(now: number): PastHold[] {
  const at = (minutesAgo: number): number => now - minutesAgo * MINUTE;
  return [
    past(now, {
      generation: 11,
      start: at(52),
      end: at(48),
      endReason: 'force-released',
      endedBy: 'mara@example.com',
    }),
    past(now, {
      generation: 10,
      owner: `${INSTANCE_B}:12`,
      start: at(60),
      end: at(53),
      endReason: 'lease-ended',
      renewals: 0,
      lateReleaseMs: 1900,
      notes: ['late-release', 'overrun', 'confirmed-by-check'],
    }),
    past(now, {
      generation: 9,
      start: at(66),
      end: at(61),
      endReason: 'overwritten',
      endedBy: `${INSTANCE_B}:12`,
    }),
    past(now, { generation: 8, start: at(74), end: at(67), maxDepth: 3 }),
    past(now, {
      generation: 7,
      owner: null,
      start: at(80),
      end: at(79.99),
      notes: ['owner-not-seen'],
    }),
    past(now, {
      generation: 6,
      start: at(95),
      end: at(82),
      endReason: 'unknown',
      evidence: 'inferred',
      notes: ['ended-in-gap', 'touches-gap'],
    }),
    past(now, {
      generation: 5,
      start: at(120),
      end: at(98),
      endReason: 'vanished',
      evidence: 'inferred',
      notes: ['flushed', 'started-before-watch'],
    }),
  ];
}

const overrun = (now: number, count: number, inferred: number): Overrun => ({
  ...{ since: now - 6 * 86_400_000, count, inferred, lateReleases: 1, lastAt: now - 53 * MINUTE },
});

/** The page of a lock; anything on it may be overridden. */
export function sampleDetail(
  lock: Lock,
  now: number,
  overrides: Partial<LockDetail> = {},
): LockDetail {
  const token = lock.hold?.owner.id ?? '';
  return {
    ...lock,
    holds: pastHolds(now),
    overruns: {
      lock: overrun(now, 4, 1),
      holders: [{ kind: 'instance', name: INSTANCE_B, ...overrun(now, 12, 0) }],
    },
    waiters: lock.waiting.owners,
    raw: {
      type: lock.state === 'orphan-queue' ? 'none' : 'hash',
      entries: lock.hold ? [{ name: token, text: '2', hex: '32' }] : [],
      size: 1,
      truncated: false,
      pttlMs: lock.hold?.deadline ? lock.hold.deadline - now : null,
      readAt: now - 3 * SECOND,
    },
    library: {
      name: lock.format,
      why: 'hash whose field is <uuid>:<thread>',
      releaseNotes: Object.keys(en.formats[lock.format] ?? {}).filter((note) => note !== 'name'),
      wakes: ['fair-queue', 'pubsub', 'blocked-clients'].includes(lock.waiting.source),
      readOnly: false,
    },
    commands: [
      {
        purpose: 'look',
        command: `redis-cli -h 10.0.0.7 -p 6379 -n ${lock.db} hgetall ${lock.key.slice(0, 200)}`,
      },
      {
        purpose: 'ttl',
        command: `redis-cli -h 10.0.0.7 -p 6379 -n ${lock.db} pttl ${lock.key.slice(0, 200)}`,
      },
    ],
    canRelease: lock.hold !== null,
    cannotReleaseBecause: lock.hold ? null : 'Nobody holds this lock now.',
    ...overrides,
  };
}
