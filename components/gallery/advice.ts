import { ADVICE_SILENCES } from '@/lib/protocol/closed-sets';
import type { Advice, AdvicePage } from '@/lib/protocol/measures';
import { bytesFromText, toBase64Url } from '@/lib/protocol/bytes';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const MANY = 12;

const splitOf = (now: number, key: string, overrides: Partial<Advice> = {}): Advice => ({
  id: `split-${key}`,
  kind: 'split',
  namespace: key.split(':')[0] ?? '',
  classes: [key],
  lock: { db: 0, key, keyB64: toBase64Url(bytesFromText(key)) },
  segments: 4,
  contentionNow: 6.24,
  contentionThen: 1.31,
  drop: 0.79,
  options: [
    { segments: 2, contention: 3.9, drop: 0.375 },
    { segments: 4, contention: 1.31, drop: 0.79 },
    { segments: 8, contention: 0.42, drop: 0.933 },
    { segments: 10, contention: 0.31, drop: 0.95 },
    { segments: 16, contention: 0.15, drop: 0.976 },
  ],
  waitMsThen: { p50: 0, p95: 180, p99: 410, count: 10_000 },
  basis: {
    from: now - 42 * MINUTE_MS,
    to: now,
    arrivals: 10_000,
    together: null,
    recorded: 6.31,
    holdMs: { p50: 84, p95: 210, p99: 380, count: 10_000 },
    waitMs: { p50: 412, p95: 1900, p99: 3400, count: 10_000 },
  },
  assumes: 'any-segment',
  evidence: 'observed',
  ...overrides,
});

const group = (now: number): Advice => ({
  ...splitOf(now, ''),
  id: 'group',
  kind: 'group',
  namespace: 'account',
  classes: ['account:settlement', 'ledger:main'],
  lock: undefined,
  segments: null,
  contentionNow: 27.9,
  contentionThen: 11.7,
  drop: 0.58,
  options: [],
  basis: { ...splitOf(now, '').basis, arrivals: 8211, together: 3902, recorded: 28.4 },
  assumes: 'held-together',
  evidence: 'inferred',
});

const page = (now: number, items: Advice[], silent: AdvicePage['silent'] = []): AdvicePage => ({
  from: now - HOUR_MS,
  to: now,
  items,
  silent,
});

const SILENT: AdvicePage['silent'] = [
  { class: 'log_analysis:LOG-*', namespace: 'log_analysis', because: 'waits-unknown' },
  { class: 'billing:invoice:*:close', namespace: 'billing', because: 'spread' },
];

export const sampleAdvice = (now: number): AdvicePage =>
  page(
    now,
    [
      group(now),
      splitOf(now, 'stock:sku-4711'),
      splitOf(now, 'sync:all', { segments: 2, assumes: 'business-id', evidence: 'inferred' }),
    ],
    SILENT,
  );

/** More than anybody will do, with names that are hard to show. */
export const manyAdvice = (now: number): AdvicePage =>
  page(
    now,
    [
      splitOf(now, `report:${'quarter-'.repeat(24)}2026`),
      splitOf(now, 'a`${b}"<i>c</i>', { contentionNow: 812_440, contentionThen: 0.0004 }),
      ...Array.from({ length: MANY }, (_, n) => splitOf(now, `stock:sku-${n}`)),
    ],
    ADVICE_SILENCES.map((because, n) => ({
      class: n === 0 ? `report:${'month-'.repeat(30)}*` : `task-${n}:*`,
      namespace: 'report',
      because,
    })),
  );

export const silentAdvice = (now: number): AdvicePage => page(now, [], SILENT);
export const noAdvice = (now: number): AdvicePage => page(now, []);
