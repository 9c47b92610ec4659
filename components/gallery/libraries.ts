import type { Discovery, LibrariesPage, Library, Proposal } from '@/lib/protocol/libraries';

const aLibrary = (over: Partial<Library> & Pick<Library, 'id' | 'name'>): Library => ({
  kind: 'mutex',
  type: 'string',
  prefixes: [],
  waiters: 'poll',
  wakes: false,
  oldHolder: 'fails',
  readOnly: false,
  locks: 0,
  held: 0,
  ...over,
});

const LIBRARIES: readonly Library[] = [
  aLibrary({
    ...{ id: 'redisson', name: 'Redisson', type: 'hash', waiters: 'pubsub', wakes: true },
    ...{ locks: 1204, held: 37 },
  }),
  aLibrary({
    ...{ id: 'redisson-fair', name: 'Redisson fair lock', kind: 'fair', type: 'hash' },
    ...{ waiters: 'fair-queue', wakes: true, prefixes: ['redisson_lock_queue:'] },
  }),
  aLibrary({
    ...{ id: 'shedlock', name: 'ShedLock', kind: 'job', waiters: 'never-waits' },
    ...{ oldHolder: 'steals', prefixes: ['job-lock:default:'], locks: 4, held: 1 },
  }),
  aLibrary({ id: 'redis-py', name: 'redis-py' }),
  aLibrary({ id: 'bullmq', name: 'BullMQ', kind: 'job', readOnly: true, prefixes: ['bull:'] }),
  aLibrary({ id: 'redlock', name: 'redlock (node)', oldHolder: 'revives', locks: 2, held: 2 }),
];

const LONG = `order_sync:${'very-long-name-of-a-tenant-'.repeat(8)}*`;

export function sampleLibraries(now: number): LibrariesPage {
  return {
    pins: [
      {
        pattern: 'order_sync:*',
        format: 'redis-py',
        createdAt: now - 60_000,
        actor: 'mara@example.com',
        reason: 'The Python workers take these; the values fit redlock as well.',
        locks: 14,
      },
      {
        pattern: LONG,
        format: 'redisson',
        createdAt: now - 86_400_000,
        actor: 'token:admin',
        reason: 'ours',
        locks: 0,
      },
    ],
    libraries: [...LIBRARIES],
    discoveries: [
      { id: 'run-2', state: 'done', startedAt: now - 30_000, actor: 'mara@example.com' },
      { id: 'run-1', state: 'stopped', startedAt: now - 900_000, actor: 'token:admin' },
    ],
  };
}

export const noPins = (now: number): LibrariesPage => ({
  ...sampleLibraries(now),
  pins: [],
  discoveries: [],
});

const aProposal = (over: Partial<Proposal> & Pick<Proposal, 'pattern' | 'sure'>): Proposal => ({
  canPin: true,
  formats: [
    {
      ...{ id: 'redisson', name: 'Redisson', certainty: over.sure, fits: 5 },
      because: 'hash whose field is <uuid>:<thread>',
      sentences: [{ id: 'because:hash-uuid-thread', values: {} }],
    },
  ],
  ...{ keys: 412, sampled: 5, withTtl: 5, types: ['hash'], contended: 0, watched: false },
  examples: ['stock-1004', 'stock-1007', 'stock-2211'],
  ...over,
});

const PROPOSALS: readonly Proposal[] = [
  aProposal({ pattern: 'stock-*', sure: 'certain', contended: 3 }),
  aProposal({ pattern: 'billing/*', sure: 'certain', watched: true }),
  aProposal({
    ...{ pattern: 'payout:*', sure: 'likely', types: ['string'], keys: 1, sampled: 1, withTtl: 1 },
    formats: ['redlock-rb', 'aioredlock'].map((id) => ({
      ...({ id, name: id, certainty: 'likely', fits: 1, because: 'value is a uuid' } as const),
      sentences: [{ id: 'because:uuid', values: {} }],
    })),
  }),
  aProposal({ pattern: LONG, sure: 'looks-like', examples: [LONG] }),
  aProposal({ pattern: '*', sure: 'looks-like', canPin: false, withTtl: 0, keys: 17 }),
];

export function sampleDiscovery(now: number, over: Partial<Discovery> = {}): Discovery {
  return {
    ...{ id: 'run-2', state: 'done', startedAt: now - 30_000, actor: 'mara@example.com' },
    ...{ ended: 'key-budget', failedBecause: null, dbs: [0], maxKeys: 200_000, seconds: 20 },
    ...{ scanned: 200_318, keysInDb: 1_204_117, watched: 1_311, sampled: 2_204 },
    ...{ elapsedMs: 4_871, keysPerSecond: 41_120, pingMs: 0.41, rateLimit: 50_000 },
    ...{ channels: 12, classes: 481, proposals: [...PROPOSALS] },
    ...over,
  };
}

export const runningDiscovery = (now: number): Discovery =>
  sampleDiscovery(now, {
    ...{ state: 'running', ended: null, scanned: 61_022, elapsedMs: 1_804, keysPerSecond: 33_800 },
    ...{ pingMs: 11.2, rateLimit: 12_500, channels: null, proposals: [] },
  });

export const manyProposals = (now: number): Discovery =>
  sampleDiscovery(now, {
    proposals: Array.from({ length: 200 }, (_, i) =>
      aProposal({ pattern: `kind-${i}:*`, sure: i < 20 ? 'certain' : 'looks-like' }),
    ),
  });

export function manyPins(now: number): LibrariesPage {
  const page = sampleLibraries(now);
  const [first] = page.pins;
  const pins = Array.from({ length: 100 }, (_, i) => ({
    ...{ format: 'redlock', createdAt: now, actor: 'token:admin', reason: 'ours', locks: i },
    ...first,
    pattern: `team-${i}:*`,
  }));
  return { ...page, pins };
}
