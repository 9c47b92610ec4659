import { bytesFromText, toBase64Url } from '@/lib/protocol/bytes';
import type { Deadlock, OrderExample, Orders, WaitChain } from '@/lib/protocol/deadlock';

type LockName = OrderExample['first'];

const lockOf = (key: string): LockName => ({ db: 0, key, keyB64: toBase64Url(bytesFromText(key)) });

const example = (owner: string, [first, second]: [string, string], at: number): OrderExample => ({
  owner,
  first: lockOf(first),
  second: lockOf(second),
  at,
});

/** Two classes taken in both orders, and one circle of three that somebody meant. */
export function samplePredicted(now: number): Deadlock[] {
  const predicted = (
    id: string,
    classes: string[],
    examples: OrderExample[],
    intended: Deadlock['intended'] = null,
  ): Deadlock => ({
    ...{ id, state: 'predicted', target: '127.0.0.1:6379', since: now - 7_200_000 },
    cycle: examples.map(({ owner, second }, i) => ({
      owner,
      waitsFor: second,
      heldBy: examples[(i + 1) % examples.length]?.owner ?? owner,
      waitingSince: null,
      deadline: null,
      renewed: false,
    })),
    resolvedAt: null,
    evidence: 'inferred',
    ...{ classes, examples, intended },
  });
  const transfer = '8743c9c0-0795-4907-87fd-6c719a6b4586:14';
  return [
    predicted(
      'p-1',
      ['account:*', 'ledger:*'],
      [
        { ...example(transfer, ['account:4711', 'ledger:eu'], now - 40_000), ownerApp: 'transfer' },
        example(
          'f3a90d22-7b1e-4e0f-8f44-1c6b5a9d8e70:3',
          ['ledger:eu', 'account:4711'],
          now - 7000,
        ),
      ],
    ),
    predicted(
      'p-2',
      ['stock:*', 'cart:*', `mail:${'<b>very long</b>-'.repeat(20)}*`],
      [
        example('pod-1:1', ['stock:9', 'cart:1'], now - 900_000),
        example('pod-2:7', ['cart:1', 'mail:x'], now - 800_000),
        example('pod-3:2', ['mail:x', 'stock:9'], now - 700_000),
      ],
      { actor: 'mira@example.com', reason: 'never at once: nightly job', at: now - 600_000 },
    ),
  ];
}

export const sampleOrders = (now: number): Orders => ({
  items: [
    ['account:*', 'ledger:*', 48_210],
    ['ledger:*', 'account:*', 3],
    ['stock:*', 'cart:*', 977],
    [`import:${'very-long-'.repeat(12)}*`, 'report:*', 1],
  ].map(([first, second, times], i) => ({
    ...{ first: String(first), second: String(second), times: Number(times) },
    lastAt: now - i * 61_000,
    example: example('8743c9c0-0795-4907-87fd-6c719a6b4586:14', ['account:1', 'ledger:eu'], now),
  })),
  unfollowed: [
    { format: 'redlock', locks: 12 },
    { format: 'laravel', locks: 3 },
  ],
  dropped: 2,
});

/** A small tree, and one with more than are listed. */
export function sampleChains(now: number): WaitChain[] {
  const wait = (
    owner: string,
    key: string,
    [behind, depth]: [number | null, number],
  ): WaitChain['waits'][number] => ({
    ...{ owner, lock: lockOf(key), behind, depth, evidence: 'observed' },
    since: now - 90_000 + depth * 11_000,
  });
  const holds = [
    { ...lockOf('month-end'), since: now - 95_000, deadline: null, renewed: true },
    { ...lockOf('billing:eu'), since: now - 60_000, deadline: now + 21_000, renewed: false },
  ];
  return [
    {
      ...{ id: 'c-1', root: 'pod-9:1', rootApp: 'closing', holds, blocked: 5, depth: 3 },
      waits: [
        wait('pod-1:1', 'month-end', [null, 1]),
        wait('pod-2:1', 'billing:eu', [null, 1]),
        wait('pod-3:4', 'report:7', [0, 2]),
        wait('pod-4:4', 'report:7', [0, 2]),
        wait('f3a90d22-7b1e-4e0f-8f44-1c6b5a9d8e70:3', 'mail:7', [2, 3]),
      ],
      ...{ since: now - 79_000, evidence: 'observed' },
    },
    {
      ...{ id: 'c-2', root: 'pod-0:1', holds: holds.slice(0, 1), blocked: 740, depth: 1 },
      waits: Array.from({ length: 500 }, (_, i) => wait(`pod-${i}:1`, 'month-end', [null, 1])),
      ...{ since: now - 79_000, evidence: 'inferred' },
    },
  ];
}
