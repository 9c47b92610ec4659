import { createSketch } from '@/lib/analysis/sketch';
import type { PastHold } from '@/lib/protocol/lock';
import type { HoldRow } from '@/server/store/store-contract';
import { rollupOf, type History } from '@/test/support/seeded-history';

const STEP_MS = 10_000;
const HOUR_MS = 3_600_000;
/** A shop's last full hour that ended a while ago, so that nothing more is added to it. */
export const TO = Math.floor((Date.now() - 300_000) / 600_000) * 600_000;
export const FROM = TO - HOUR_MS;
/** From here on everybody waits twice as long. */
export const SLOWER_AT = FROM + HOUR_MS / 2;
/** The lock that is waited for. */
export const HOT_KEY = 'shop:order:4711';
/** How long the longest wait took, and when it ended. */
export const LONGEST_MS = 41_000;
export const LONGEST_END = TO - 600_000;

const sketchOf = (...values: number[]): Uint8Array => {
  const sketch = createSketch();
  for (const value of values) sketch.add(value);
  return sketch.serialise();
};

const past = (owner: string, start: number, end: number): PastHold => ({
  generation: Math.round(start / STEP_MS),
  owner,
  start,
  end,
  endReason: 'released',
  evidence: 'observed',
  renewals: 0,
  maxDepth: 1,
  endedBy: null,
  lateReleaseMs: null,
  notes: [],
});

/** `order-7` holds the hot lock; `order-9` waits for all of the end of that, and then has it. */
function longestWait(target: string): HoldRow[] {
  const about = {
    ...{ target, db: 0, key: HOT_KEY, class: 'shop:order:*', namespace: 'shop' },
    ...{ formatId: 'redisson-fair', token: null, acquisitions: 1 },
  };
  return [
    { ...about, waited: null, past: past('order-7', LONGEST_END - 60_000, LONGEST_END - 500) },
    {
      ...about,
      waited: { ms: LONGEST_MS, source: 'report', evidence: 'observed' },
      past: past('order-9', LONGEST_END, LONGEST_END + 2000),
    },
  ];
}

/**
 * Locks of a shop of which waits are reported, one of them hot, and of a mailer whose library polls. Ten waits in
 * each step took 100 ms, and 200 ms from `SLOWER_AT` on.
 */
export function* shopHistory(target: string): Generator<History> {
  const about = { target, spanMs: STEP_MS };
  const orders = { ...about, namespace: 'shop', class: 'shop:order:*' };
  const hot = { db: 0, key: HOT_KEY };
  for (let step = FROM; step < TO; step += STEP_MS) {
    const waitMs = step < SLOWER_AT ? 100 : 200;
    const waited = {
      ...{ acquisitions: 12, heldMs: 6000, waiterMs: 10 * waitMs, waits: 10, waitMs: 10 * waitMs },
      sketches: {
        hold: sketchOf(400, 500, 600),
        report: sketchOf(...Array.from({ length: 10 }, () => waitMs)),
      },
    };
    const mail = { ...about, namespace: 'mail', class: 'mail:send:*', formatId: 'redlock' };
    // Hardly anything, so that its box is a narrow one.
    const quiet = {
      ...{ ...orders, namespace: 'quiet', formatId: 'redisson-fair', step },
      ...({ lock: null, cause: 'others', owner: null } as const),
    };
    const blamed = { ...orders, formatId: 'redisson-fair', step };
    yield {
      rollups: [
        rollupOf({ ...orders, ...waited, step }),
        rollupOf({ ...orders, ...waited, step, lock: hot }),
        rollupOf({
          ...{ ...mail, step, acquisitions: 1, heldMs: 100 },
          sketches: { hold: sketchOf(100) },
        }),
      ],
      blame: [
        { ...blamed, lock: hot, cause: 'holder', owner: 'order-7', waiterMs: 6 * waitMs },
        { ...blamed, lock: hot, cause: 'holder', owner: 'order-8', waiterMs: 2 * waitMs },
        { ...blamed, lock: hot, cause: 'nobody', owner: null, waiterMs: waitMs },
        { ...blamed, lock: null, cause: 'others', owner: null, waiterMs: waitMs },
        { ...quiet, waiterMs: waitMs / 10 },
      ],
    };
  }
  yield { rollups: [], holds: longestWait(target) };
}
