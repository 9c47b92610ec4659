import type { Lock, LockDetail } from '@/lib/protocol/lock';
import { sampleHold, sampleLock, sampleOwner, sampleWaiting, semaphore } from './locks';
import type { Scene } from './scenes';
import {
  counter,
  crowdedSemaphore,
  deadHeadLock,
  latch,
  permits,
  readLock,
  writeLock,
  writerWaits,
} from './shared-locks';

const SECOND = 1000;

/** Makes a scene of a lock's page: what is shown of it beyond the lock itself, and the rest of the scene. */
export type MakeLockScene = (
  lock: Lock,
  detail?: Partial<LockDetail>,
  more?: Partial<Scene>,
) => Scene;

const removable: Partial<LockDetail> = { repairs: [{ kind: 'remove-member' }] };

const library = (more: Partial<LockDetail['library']>): LockDetail['library'] => ({
  name: 'a library',
  why: 'its shape',
  releaseNotes: [],
  wakes: false,
  readOnly: false,
  ...more,
});

/** A lock of a library that tells nothing of who waits. */
const polled = (now: number, more: Partial<Lock> = {}): Lock =>
  sampleLock('invoices:close:2026-07', now, {
    format: 'redlock',
    class: 'invoices:close:*',
    namespace: 'invoices',
    hold: sampleHold(now, {
      owner: sampleOwner({ id: '9f86d081884c7d659a2feaa0c55ad015', instance: null, thread: null }),
    }),
    waiting: sampleWaiting(),
    ...more,
  });

/** Nobody holds it, and somebody sleeps all the same. */
const freeButWaited = (now: number): Lock =>
  polled(now, {
    format: 'redisson',
    state: 'free',
    hold: null,
    waiting: sampleWaiting({ evidence: 'observed', count: 2, unit: 'instances', source: 'pubsub' }),
    alerts: ['free-but-waited'],
  });

const blocked = (now: number): Lock =>
  polled(now, {
    format: 'python-redis-lock',
    waiting: sampleWaiting({
      evidence: 'inferred',
      source: 'blocked-clients',
      hints: [
        { source: 'blocked-clients', evidence: 'inferred', count: 3, at: now - 2 * SECOND },
        { source: 'signal-list', evidence: 'observed', count: 4, at: now - 20 * SECOND },
      ],
    }),
  });

const touched = (now: number): Lock =>
  polled(now, {
    waiting: sampleWaiting({
      evidence: 'inferred',
      source: 'idle-time',
      hints: [{ source: 'idle-time', evidence: 'inferred', count: null, at: now - 4 * SECOND }],
    }),
  });

const because = (id: string) => [{ id: `because:${id}`, values: {} }];

const AMBIGUOUS: Partial<LockDetail> = {
  candidates: [
    { format: 'pottery', name: 'pottery Redlock', why: because('uuid') },
    { format: 'redlock-net', name: 'RedLock.net', why: because('uuid') },
    { format: 'redlock-rb', name: 'redlock-rb', why: because('uuid') },
  ],
};

/** What locks of every kind look like on their pages. `now` in epoch ms. */
export function lockScenes(scene: MakeLockScene, now: number): Record<string, Scene> {
  const readers = scene(readLock(now), removable);
  const sampled = {
    from: now - 65 * SECOND,
    to: now - 60 * SECOND,
    attempts: 12,
    failed: 10,
    clients: 1,
    evidence: 'observed' as const,
  };
  return {
    'lock-semaphore': scene(semaphore(now), removable),
    'lock-permits': scene(permits(now), removable),
    'lock-permits-viewer': scene(permits(now), removable, { role: 'viewer' }),
    'lock-permits-many': scene(crowdedSemaphore(now), removable),
    'lock-counter': scene(counter(now)),
    'lock-latch': scene(latch(now)),
    'lock-readers': readers,
    'lock-writer': scene(writeLock(now), removable),
    'lock-writer-waits': scene(writerWaits(now)),
    'lock-dead-head': scene(deadHeadLock(now), {
      repairs: [{ kind: 'wake' }, { kind: 'drop-waiter' }],
    }),
    'lock-free-waited': scene(freeButWaited(now), { repairs: [{ kind: 'wake' }] }),
    'lock-free-waited-viewer': scene(
      freeButWaited(now),
      {
        repairs: [
          {
            kind: 'wake',
            because: [{ id: 'repair:needs-role', values: { role: 'viewer' } }],
          },
        ],
      },
      { role: 'viewer' },
    ),
    'lock-blocked-clients': scene(blocked(now)),
    'lock-idle-time': scene(touched(now)),
    'lock-sampled': scene(polled(now), { sampled }),
    'lock-traceable': scene(polled(now), {}, { role: 'admin' }),
    'lock-ambiguous': scene(
      polled(now, {
        format: 'pottery',
        formatCertain: false,
        otherFormats: ['redlock-net', 'redlock-rb'],
      }),
      AMBIGUOUS,
    ),
    'lock-revives': scene(polled(now), { library: library({ oldHolder: 'revives' }) }),
    'lock-steals': scene(polled(now, { format: 'shedlock' }), {
      library: library({ oldHolder: 'steals', releaseNotes: ['unchecked-unlock'] }),
    }),
    'lock-broken-structure': scene(
      polled(now, {
        format: 'sidekiq-unique-jobs',
        kind: 'job',
        state: 'broken',
        hold: null,
        waiting: sampleWaiting({ source: 'not-probed' }),
      }),
      { broken: 'the key uniquejobs:5f1c0e7a9b3d42c8:LOCKED is missing' },
    ),
    'lock-holder-gone': scene(
      polled(now, {
        hold: sampleHold(now, {
          owner: sampleOwner({ host: 'worker-7', app: 'billing', liveness: 'not-seen' }),
          lastRenewalAt: now - 47 * SECOND,
        }),
      }),
    ),
  };
}
