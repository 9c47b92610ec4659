import { createSketch, mergeBytes } from '@/lib/analysis/sketch';
import { isCodedError } from '@/lib/protocol/errors';
import type { PastHolds, UsualHolds } from '@/server/analysers/usual-holds';
import { ROLLUP_STEP_MS } from '@/server/store/history-contract';
import type { HistoryReader } from './history-reader';
import { inTurns } from './in-turns';

/** What is usual is what was in so long. */
const USUAL_MS = 7 * 86_400_000;
/** What is older leaves, and what other consoles saw comes, that often. */
const AGAIN_MS = 3_600_000;
/** The second time, and where the store is broken. */
const SOON_MS = 60_000;

/** How often {@link UsualHistory.turn} looks whether something is due. */
export const USUAL_TURN_MS = 1000;

/** Keeps what is usual of a class to the last seven days of history, over restarts. */
export interface UsualHistory {
  /** Reads what is due: at once after the start, soon after that, then hourly. Never throws for a store that is broken. */
  turn: () => Promise<void>;
  /** Resolves when history was read once, where it can be read. */
  known: () => Promise<void>;
}

const stepBefore = (at: number): number => Math.floor(at / ROLLUP_STEP_MS) * ROLLUP_STEP_MS;

export function createUsualHistory({
  history,
  usual,
  now,
}: {
  history: Pick<HistoryReader, 'rollups' | 'knownFrom'>;
  usual: UsualHolds;
  now: () => number;
}): UsualHistory {
  /** Where history ends and what is seen here begins: no hold is on both sides. */
  let border = stepBefore(now());
  usual.divide(border);
  let isDivided = true;
  let dueAt = -Infinity;
  let isKnown = false;
  let reading: Promise<void> | null = null;

  const readPast = async (): Promise<void> => {
    const from = border - USUAL_MS;
    const knownFrom = await history.knownFrom();
    const query = { level: 'class', stepMs: null, sketches: ['hold'] } as const;
    const past = new Map<string, PastHolds>();
    await inTurns(await history.rollups({ ...query, from, to: border }), (rollup) => {
      const { namespace, class: lockClass, sketches } = rollup;
      if (!sketches.hold) return;
      const name = `${namespace}\n${lockClass}`;
      const known = past.get(name) ?? { namespace, class: lockClass, holds: createSketch() };
      past.set(name, known);
      mergeBytes(sketches.hold, [known.holds]);
    });
    // Nothing known = what is seen here is all there is.
    usual.replacePast([...past.values()], Math.max(from, knownFrom ?? border));
    isDivided = false;
    // The first one lacks what the console that ran before saw in its last step.
    dueAt = now() + (isKnown ? AGAIN_MS : SOON_MS);
    isKnown = true;
  };

  const read = async (): Promise<void> => {
    try {
      await readPast();
    } catch (error) {
      dueAt = now() + SOON_MS;
      // Its health says so; what is usual rests meanwhile on what was known, and says since when that is.
      if (!isCodedError(error) || error.code !== 'STORE_UNAVAILABLE') throw error;
    }
  };
  const readOnce = (): Promise<void> => {
    reading ??= read().finally(() => (reading = null));
    return reading;
  };

  return {
    turn: async () => {
      if (now() < dueAt || reading) return;
      if (!isDivided) {
        border = stepBefore(now()) + ROLLUP_STEP_MS;
        usual.divide(border);
        isDivided = true;
      }
      if (now() >= border) await readOnce();
    },
    known: async () => {
      if (!isKnown) await readOnce();
    },
  };
}
