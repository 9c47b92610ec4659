import { bytesFromText, printable, toBase64Url, type Bytes } from '@/lib/protocol/bytes';
import type { Hold, Lock, Owner, Waiting } from '@/lib/protocol/lock';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const TARGET = '127.0.0.1:6379';
export const INSTANCE_A = '0b7e4c1a-52d7-4c11-9c5f-8a7e0e1f2d3c';
export const INSTANCE_B = 'f3a90d22-7b1e-4e0f-8f44-1c6b5a9d8e70';

export const sampleOwner = (overrides: Partial<Owner> = {}): Owner => ({
  id: `${INSTANCE_A}:57`,
  instance: INSTANCE_A,
  thread: '57',
  host: null,
  ip: null,
  pid: null,
  app: null,
  liveness: 'unknown',
  ...overrides,
});

export const sampleHold = (now: number, overrides: Partial<Hold> = {}): Hold => ({
  generation: 12,
  version: '12.9f2ab77c01d4e633',
  owner: sampleOwner(),
  since: now - 42 * SECOND,
  sinceEvidence: 'observed',
  deadline: now + 21 * SECOND,
  leaseMs: 30 * SECOND,
  renewals: 4,
  lastRenewalAt: now - 9 * SECOND,
  renewalIntervalMs: 10 * SECOND,
  depth: 1,
  maxDepth: 1,
  businessId: null,
  fence: null,
  finishedAt: null,
  notes: [],
  ...overrides,
});

export const sampleWaiting = (overrides: Partial<Waiting> = {}): Waiting => ({
  evidence: 'unknown',
  count: null,
  unit: 'owners',
  source: 'poll',
  owners: [],
  ...overrides,
});

/** A lock of the given key; everything else may be overridden. */
export function sampleLock(key: Bytes, now: number, overrides: Partial<Lock> = {}): Lock {
  return {
    target: TARGET,
    db: 0,
    key: printable(key),
    keyB64: toBase64Url(key),
    format: 'redisson',
    formatCertain: true,
    kind: 'mutex',
    class: 'order_sync:*',
    namespace: 'order_sync',
    state: 'held',
    hold: sampleHold(now),
    members: [],
    waiting: sampleWaiting({ evidence: 'observed', count: 0, source: 'pubsub', unit: 'instances' }),
    lastEnd: null,
    acquisitions: 12,
    alerts: [],
    ...overrides,
  };
}

const free = (now: number, reason: 'released' | 'lease-ended' = 'released'): Partial<Lock> => ({
  state: 'free',
  hold: null,
  lastEnd: {
    generation: 3,
    owner: `${INSTANCE_B}:12`,
    at: now - 95 * SECOND,
    reason,
    evidence: 'observed',
    notes: [],
  },
});

/** One lock of each kind that is hard to show. */
export function sampleLocks(now: number): Lock[] {
  return [
    fairLock(now),
    sampleLock('invoices:close:2026-06', now, {
      format: 'redlock',
      class: 'invoices:close:*',
      namespace: 'invoices',
      hold: sampleHold(now, {
        owner: sampleOwner({
          id: '9f86d081884c7d659a2feaa0c55ad015',
          instance: null,
          thread: null,
        }),
        since: now - 47 * MINUTE,
        deadline: null,
        leaseMs: null,
        renewals: 0,
        lastRenewalAt: null,
      }),
      waiting: sampleWaiting(),
      alerts: ['no-expiry', 'long-hold'],
    }),
    sampleLock('job-lock:default:nightly-report', now, {
      format: 'shedlock',
      class: 'job-lock:default:nightly-report',
      namespace: 'default',
      state: 'cooling-down',
      hold: sampleHold(now, {
        owner: sampleOwner({ id: 'report-7f9c:0b7e', host: 'report-7f9c', thread: null }),
        finishedAt: now - 50 * SECOND,
        leaseMs: 5 * MINUTE,
        deadline: now + 4 * MINUTE,
        renewals: 0,
        lastRenewalAt: null,
        notes: ['finished-kept'],
      }),
      waiting: sampleWaiting({ evidence: 'inferred', count: 0, source: 'never-waits' }),
    }),
    sampleLock('inventory:sku-7731', now, {
      format: 'redis-py',
      formatCertain: false,
      class: 'inventory:sku-*',
      namespace: 'inventory',
      hold: sampleHold(now, {
        owner: sampleOwner({
          id: '12fd2086ec4611f188df02fc00000001',
          instance: '02:fc:00:00:00:01',
          thread: null,
          host: 'a-very-long-host-name.eu-central-1.compute.internal',
          liveness: 'not-seen',
        }),
        deadline: now + 3 * SECOND,
        renewals: 0,
        lastRenewalAt: null,
      }),
      waiting: sampleWaiting(),
    }),
    sampleLock('redisson-orphan', now, {
      format: 'redisson-fair',
      kind: 'fair',
      class: 'redisson-orphan',
      namespace: '',
      state: 'orphan-queue',
      hold: null,
      waiting: deadQueue(now),
      alerts: ['orphan-queue'],
    }),
    sampleLock('payment:9281', now, {
      ...free(now, 'lease-ended'),
      format: 'redis-semaphore-mutex',
      class: 'payment:*',
      namespace: 'payment',
      waiting: sampleWaiting(),
    }),
    sampleLock('lock:cache', now, {
      format: 'pattern',
      formatCertain: false,
      class: 'lock:cache',
      namespace: 'cache',
      state: 'broken',
      hold: null,
      waiting: sampleWaiting({ source: 'not-probed' }),
    }),
    semaphore(now),
    ...hostileLocks(now),
  ];
}

function deadQueue(now: number): Waiting {
  return sampleWaiting({
    evidence: 'observed',
    count: 2,
    source: 'fair-queue',
    owners: [
      { id: `${INSTANCE_A}:99`, since: now - 4 * MINUTE, alive: false },
      { id: `${INSTANCE_B}:12`, since: now - 3 * MINUTE, alive: true },
    ],
  });
}

/** Held, reentered, renewed, fenced, and queued for. */
export const fairLock = (now: number): Lock =>
  sampleLock('order_sync:1042', now, {
    format: 'redisson-fair',
    kind: 'fair',
    hold: sampleHold(now, {
      since: now - 47 * MINUTE,
      renewals: 282,
      depth: 2,
      maxDepth: 3,
      fence: '8812',
      businessId: 'ORD-2026-06-1042',
    }),
    waiting: sampleWaiting({
      evidence: 'observed',
      count: 3,
      source: 'fair-queue',
      owners: [
        { id: `${INSTANCE_B}:12`, since: now - 31 * SECOND, alive: true },
        { id: `${INSTANCE_A}:99`, since: now - 12 * SECOND, alive: false },
        { id: `${INSTANCE_B}:31`, since: null, alive: null },
      ],
    }),
    alerts: ['long-hold', 'waiter-pileup'],
  });

export const semaphore = (now: number): Lock =>
  sampleLock('semaphore:pool', now, {
    format: 'redis-semaphore',
    kind: 'semaphore',
    class: 'semaphore:pool',
    namespace: 'pool',
    members: [
      {
        id: 'worker-live',
        refreshedAt: now - 2 * SECOND,
        deadline: now + 8 * SECOND,
        stale: false,
      },
      { id: 'worker-old', refreshedAt: now - 10 * MINUTE, deadline: now - 9 * MINUTE, stale: true },
      { id: 'worker-forever', refreshedAt: null, deadline: null, stale: false },
    ],
    waiting: sampleWaiting(),
  });

/** Keys that try to break the page: 5,000 bytes, markup, controls, another script, no bytes at all. */
export const hostileLocks = (now: number): Lock[] =>
  [
    `lock:${'x'.repeat(4985)}:the-end`,
    bytesFromText('lock:<img src=x onerror=alert(1)><script>alert(2)</script>'),
    'lock:\u0000\u0007\u001b[31mred\u007f\u00ff\u00fe',
    bytesFromText('lock:\u202eסדר-1042‏-\u200bעברית-مفتاح'),
    '',
  ].map((key) =>
    sampleLock(key, now, { class: printable(key).slice(0, 400), namespace: '', format: 'pattern' }),
  );

/** Row `index` of a list of any length. */
export const manyLock = (index: number, now: number): Lock =>
  sampleLock(`order_sync:${100_000 + index}`, now, {
    hold: sampleHold(now, {
      since: now - (index % 500) * SECOND,
      deadline: now + (index % 30) * SECOND,
      renewals: index % 40,
      owner: sampleOwner({ id: `${INSTANCE_A}:${index}` }),
    }),
  });
