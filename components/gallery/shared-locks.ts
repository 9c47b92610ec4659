import type { Lock, Member } from '@/lib/protocol/lock';
import { NO_OWNER_ID } from '@/lib/protocol/owner-id';
import {
  INSTANCE_A,
  INSTANCE_B,
  sampleHold,
  sampleLock,
  sampleOwner,
  sampleWaiting,
} from './locks';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const member = (id: string, deadline: number | null, more: Partial<Member> = {}): Member => ({
  id,
  refreshedAt: null,
  deadline,
  stale: false,
  ...more,
});

const nobody = sampleOwner({ id: NO_OWNER_ID, instance: null, thread: null });

/** Permits with deadlines of their own; one without, one past its time. */
export const permits = (now: number): Lock =>
  sampleLock('imports:slots', now, {
    format: 'redisson-permits',
    kind: 'semaphore',
    class: 'imports:slots',
    namespace: 'imports',
    hold: sampleHold(now, { renewals: 0, lastRenewalAt: null, renewalIntervalMs: null }),
    members: [
      member('5f1c0e7a9b3d42c8a6e1f0b2c4d6e8f0', now + 19 * SECOND, { role: 'permit' }),
      member('a0b1c2d3e4f5061728394a5b6c7d8e9f', now + 4 * MINUTE, { role: 'permit' }),
      member('0011223344556677889900aabbccddee', null, { role: 'permit' }),
      member('ffeeddccbbaa00998877665544332211', now - 95 * SECOND, {
        role: 'permit',
        stale: true,
      }),
    ],
    permits: { total: 5, free: 2 },
    waiting: sampleWaiting({ evidence: 'observed', count: 0, unit: 'instances', source: 'pubsub' }),
  });

/** A number and nothing else: no permit is left, and nobody knows who has them. */
export const counter = (now: number): Lock =>
  sampleLock('checkout:semaphore', now, {
    format: 'redisson-semaphore',
    kind: 'semaphore',
    class: 'checkout:semaphore',
    namespace: 'checkout',
    hold: sampleHold(now, {
      owner: nobody,
      deadline: null,
      leaseMs: null,
      renewals: 0,
      lastRenewalAt: null,
      renewalIntervalMs: null,
    }),
    permits: { total: null, free: 0 },
    waiting: sampleWaiting({ evidence: 'observed', count: 2, unit: 'instances', source: 'pubsub' }),
  });

/** Places of whom the machine and process are told, more than one page of a phone. */
export const crowdedSemaphore = (now: number): Lock =>
  sampleLock('render:gpu', now, {
    format: 'qoder-semaphore',
    kind: 'semaphore',
    class: 'render:gpu',
    namespace: 'render',
    members: Array.from({ length: 24 }, (_, at) =>
      member(`${INSTANCE_A}:${at}`, now + (at + 3) * SECOND, {
        role: 'permit',
        owner: sampleOwner({
          id: `${INSTANCE_A}:${at}`,
          app: 'renderer',
          host: `gpu-${at % 6}.render.internal`,
          pid: 4000 + at,
          liveness: at % 7 === 3 ? 'not-seen' : 'seen',
        }),
      }),
    ),
    permits: { total: 24, free: 0 },
    waiting: sampleWaiting({
      evidence: 'observed',
      count: 1,
      source: 'fair-queue',
      owners: [{ id: `${INSTANCE_B}:3`, since: now - 8 * SECOND, alive: true }],
    }),
  });

const reader = (id: string, deadline: number | null, more: Partial<Member> = {}): Member =>
  member(id, deadline, {
    role: 'reader',
    owner: sampleOwner({
      id,
      instance: id.split(':')[0] ?? null,
      thread: id.split(':')[1] ?? null,
    }),
    ...more,
  });

/** Read by three, of whom one is dead and one is past its time. */
export const readLock = (now: number): Lock =>
  sampleLock('catalogue:prices', now, {
    format: 'redisson-read-write',
    kind: 'read-write',
    class: 'catalogue:prices',
    namespace: 'catalogue',
    mode: 'read',
    members: [
      reader(`${INSTANCE_A}:57`, now + 21 * SECOND, { depth: 2 }),
      reader(`${INSTANCE_B}:12`, now + 27 * SECOND, {
        owner: sampleOwner({
          id: `${INSTANCE_B}:12`,
          instance: INSTANCE_B,
          thread: '12',
          host: 'shop-2',
          liveness: 'not-seen',
        }),
      }),
      reader('11111111-2222-4333-8444-555555555555:9', now - 40 * SECOND, { stale: true }),
    ],
    waiting: sampleWaiting({ evidence: 'observed', count: 1, unit: 'instances', source: 'pubsub' }),
  });

/** Written by one who reads as well. */
export const writeLock = (now: number): Lock =>
  sampleLock('catalogue:stock', now, {
    format: 'redisson-read-write',
    kind: 'read-write',
    class: 'catalogue:stock',
    namespace: 'catalogue',
    mode: 'write',
    hold: sampleHold(now, {
      owner: sampleOwner({ id: `${INSTANCE_A}:57:write`, liveness: 'seen' }),
      depth: 2,
      maxDepth: 2,
    }),
    members: [
      reader(`${INSTANCE_A}:57:write`, now + 21 * SECOND, { role: 'writer', depth: 2 }),
      reader(`${INSTANCE_A}:57`, now + 21 * SECOND),
    ],
    waiting: sampleWaiting({ evidence: 'observed', count: 3, unit: 'instances', source: 'pubsub' }),
  });

/** Read while a writer waits beside it. */
export const writerWaits = (now: number): Lock =>
  sampleLock('ledger.readers', now, {
    format: 'medallion-readers',
    kind: 'read-write',
    class: 'ledger.readers',
    namespace: '',
    mode: 'read',
    members: [
      'web-3_8812_9f86d081884c7d659a2feaa0c55ad015',
      'web-4_17_00112233445566778899aabbccddeeff',
    ].map((id) =>
      member(id, null, {
        role: 'reader',
        owner: sampleOwner({
          id,
          host: id.split('_')[0] ?? null,
          pid: Number(id.split('_')[1]),
          instance: null,
          thread: null,
        }),
      }),
    ),
    waiting: sampleWaiting({
      evidence: 'observed',
      count: 1,
      source: 'beside',
      owners: [{ id: 'batch-1_44_aabbccddeeff00112233445566778899', since: null, alive: null }],
    }),
  });

export const latch = (now: number): Lock =>
  sampleLock('migration:countdown', now, {
    format: 'redisson-latch',
    kind: 'latch',
    class: 'migration:countdown',
    namespace: 'migration',
    hold: sampleHold(now, {
      owner: nobody,
      deadline: null,
      leaseMs: null,
      renewals: 0,
      lastRenewalAt: null,
      renewalIntervalMs: null,
      depth: 3,
      maxDepth: 8,
    }),
    permits: { total: null, free: null },
    waiting: sampleWaiting({ evidence: 'observed', count: 4, unit: 'instances', source: 'pubsub' }),
  });

/** A queue whose first two are dead, as their library lets nobody pass them. */
export const deadHeadLock = (now: number): Lock =>
  sampleLock('inventory:reindex', now, {
    format: 'redisson-fair',
    kind: 'fair',
    class: 'inventory:reindex',
    namespace: 'inventory',
    state: 'orphan-queue',
    hold: null,
    waiting: sampleWaiting({
      evidence: 'observed',
      count: 4,
      source: 'fair-queue',
      owners: [
        {
          id: `${INSTANCE_A}:99`,
          since: now - 4 * MINUTE,
          alive: false,
          deadline: now + 61 * SECOND,
        },
        {
          id: `${INSTANCE_A}:100`,
          since: now - 3 * MINUTE,
          alive: false,
          deadline: now + 6 * MINUTE,
        },
        {
          id: `${INSTANCE_B}:12`,
          since: now - 2 * MINUTE,
          alive: true,
          deadline: now + 11 * MINUTE,
        },
        { id: `${INSTANCE_B}:31`, since: null, alive: null, deadline: now + 16 * MINUTE },
      ],
    }),
    alerts: ['orphan-queue'],
  });

/** One lock of each kind that several may hold, and one that several libraries may have written. */
export const sharedLocks = (now: number): Lock[] => [
  permits(now),
  counter(now),
  readLock(now),
  writeLock(now),
  latch(now),
  sampleLock('redlock:payout', now, {
    format: 'pottery',
    formatCertain: false,
    otherFormats: ['redlock-net', 'redlock-rb'],
    class: 'redlock:payout',
    namespace: 'payout',
    waiting: sampleWaiting(),
  }),
];
