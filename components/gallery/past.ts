import { bytesFromText, printable, toBase64Url } from '@/lib/protocol/bytes';
import type { PastHold } from '@/lib/protocol/lock';
import type { HistoryKept, PlacedOwner } from '@/lib/protocol/measures';
import type { Past, PastLock, PastLockMoment, PastWaiter } from '@/lib/protocol/past';
import { INSTANCE_A, INSTANCE_B } from './locks';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long before now the moment of the gallery is. */
export const MOMENT_AGO_MS = 12 * MINUTE + 41_250;

const holdOf = (owner: string, start: number, more: Partial<PastHold> = {}): PastHold => ({
  generation: 1,
  owner,
  start,
  end: start + 4200,
  endReason: 'released',
  evidence: 'observed',
  renewals: 0,
  maxDepth: 1,
  endedBy: null,
  lateReleaseMs: null,
  notes: [],
  ...more,
});

const waiterOf = (owner: string, start: number, end: number): PastWaiter => ({
  owner,
  start,
  end,
  outcome: 'granted',
  evidence: 'observed',
});

function pastLock(key: string, more: Partial<PastLock> = {}): PastLock {
  const bytes = bytesFromText(key);
  return {
    target: '127.0.0.1:6379',
    db: 0,
    key: printable(bytes),
    keyB64: toBase64Url(bytes),
    class: key.replace(/\d+/g, '*'),
    namespace: key.split(':')[0] ?? '',
    format: 'redisson-fair',
    hold: null,
    waiters: [],
    waitersEvidence: 'observed',
    ...more,
  };
}

/** The locks of a moment, in all that may be known of one. */
function pastLocks(at: number): PastLock[] {
  return [
    pastLock('order_sync:20771', {
      hold: holdOf(`${INSTANCE_A}:57`, at - 2310, { end: at + 12_480 }),
      waiters: [
        waiterOf(`${INSTANCE_B}:12`, at - 1810, at + 12_483),
        { ...waiterOf(`${INSTANCE_B}:14`, at - 440, at + 3000), outcome: 'left' },
      ],
    }),
    pastLock('stock:sku:99-A', {
      hold: holdOf(`${INSTANCE_B}:3`, at - 2 * HOUR, { end: null, endReason: null }),
      waiters: [{ ...waiterOf('worker-b:3', at - 90, at), end: null, outcome: null }],
    }),
    pastLock('invoices:close:2026-07', {
      format: 'redlock',
      hold: holdOf('9f86d081884c7d659a2feaa0c55ad015', at - 31, {
        end: at + 870,
        endReason: 'lease-ended',
        evidence: 'inferred',
      }),
      waitersEvidence: 'unknown',
    }),
    pastLock('account:4711', {
      waiters: [waiterOf('pod-1:1', at - 2, at + 1)],
    }),
    pastLock(`stock:sku:${'<b>a very long name</b>-'.repeat(40)}`, {
      hold: holdOf('owner-'.repeat(60), at - 100, { endReason: 'overwritten', end: at + 1 }),
    }),
    pastLock('nightly-report', {
      format: 'shedlock',
      hold: holdOf('', at - 8 * MINUTE, { owner: null, end: at + DAY, evidence: 'inferred' }),
      waitersEvidence: 'inferred',
    }),
  ];
}

const PLACES: PlacedOwner[] = [`${INSTANCE_A}:57`, `${INSTANCE_B}:12`].map((owner, i) => ({
  owner,
  app: `order-${i + 7}`,
  host: `worker-${i + 1}`,
  ip: `10.1.2.${i + 3}`,
  pid: 4711 + i,
}));

type Moment = Pick<Past, 'at' | 'gap' | 'keptFrom'>;

const momentOf = (at: number, more: Partial<Moment> = {}): Moment => ({
  at,
  gap: null,
  keptFrom: at - 3 * DAY,
  ...more,
});

const gapAround = (at: number) => ({
  from: at - 21 * SECOND,
  to: at + 9 * SECOND,
  reason: 'connection-lost' as const,
});

export function samplePast(at: number, more: Partial<Past> = {}): Past {
  const items = pastLocks(at);
  return {
    ...momentOf(at),
    items,
    places: PLACES,
    total: items.length,
    truncated: false,
    offset: 0,
    cursor: null,
    ...more,
  };
}

const blind = (lock: PastLock): PastLock => ({
  ...lock,
  hold: lock.hold && { ...lock.hold, evidence: 'unknown' },
  waiters: lock.waiters.map((waiter) => ({ ...waiter, evidence: 'unknown' })),
  waitersEvidence: 'unknown',
});

export const pastInGap = (at: number): Past =>
  samplePast(at, { items: pastLocks(at).map(blind), gap: gapAround(at) });

export const pastBeforeKept = (at: number): Past =>
  samplePast(at, { items: [], total: 0, keptFrom: at + HOUR });

export function manyPast(at: number): Past {
  const items = Array.from({ length: 100 }, (_, i) =>
    pastLock(`order_sync:${i}`, {
      hold: holdOf(`${INSTANCE_A}:${i}`, at - i * 731, { end: at + 40 + i * 13 }),
    }),
  );
  return samplePast(at, { items, total: 10_001, truncated: true, cursor: '100' });
}

/** Holds one after the other around the moment, the last one open. */
function holdsAround(at: number): PastHold[] {
  return [
    holdOf(`${INSTANCE_B}:12`, at - 31_000, { generation: 40, end: at - 25_000 }),
    holdOf(`${INSTANCE_B}:14`, at - 24_000, {
      generation: 41,
      end: at - 2310,
      endReason: 'lease-ended',
    }),
    holdOf(`${INSTANCE_A}:57`, at - 2310, {
      generation: 42,
      end: at + 12_480,
      renewals: 3,
      maxDepth: 2,
      businessId: 'order-20771',
      notes: ['depth-inferred'],
    }),
    holdOf(`${INSTANCE_B}:12`, at + 12_483, { generation: 43, end: at + 17_000 }),
    holdOf(`${INSTANCE_A}:58`, at + 60_000, { generation: 44, end: null, endReason: null }),
  ];
}

export function samplePastLock(at: number, more: Partial<PastLockMoment> = {}): PastLockMoment {
  const around = holdsAround(at);
  const [, before = null, , after = null] = around;
  return {
    ...momentOf(at),
    lock: { ...pastLock('order_sync:20771'), ...pastLocks(at)[0], hold: around[2] ?? null },
    before,
    after,
    around,
    places: PLACES,
    ...more,
  };
}

/** Between two holds. */
export function freePastLock(at: number): PastLockMoment {
  const around = holdsAround(at).filter(({ generation }) => generation !== 42);
  return samplePastLock(at, { lock: pastLock('order_sync:20771'), around });
}

export function blindPastLock(at: number): PastLockMoment {
  const { lock, ...moment } = samplePastLock(at);
  return { ...moment, lock: lock && blind(lock), gap: gapAround(at) };
}

export const unknownPastLock = (at: number): PastLockMoment =>
  samplePastLock(at, { lock: null, before: null, after: null, around: [] });

export function sampleHistory(now: number, more: Partial<HistoryKept> = {}): HistoryKept {
  const tier = (spanMs: number, keepMs: number) => ({
    spanMs,
    keepMs,
    from: now - Math.min(keepMs, 3 * DAY),
  });
  return {
    kind: 'sqlite',
    diskBytes: 1_870_000_000,
    maxBytes: 10_000_000_000,
    cutAt: null,
    tiers: [
      tier(10 * SECOND, 2 * HOUR),
      tier(MINUTE, DAY),
      tier(5 * MINUTE, 7 * DAY),
      tier(HOUR, 90 * DAY),
    ],
    holds: { keepMs: 7 * DAY, from: now - 3 * DAY },
    gaps: [
      { from: now - 31 * HOUR, to: now - 30 * HOUR, reason: 'console-stopped' },
      { from: now - 47 * MINUTE, to: now - 41 * MINUTE, reason: 'connection-lost' },
      { from: now - 6 * MINUTE, to: now - 5 * MINUTE, reason: 'buffer-cut' },
    ],
    lostRows: 0,
    ...more,
  };
}
