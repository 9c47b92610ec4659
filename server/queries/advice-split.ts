import {
  dropOf,
  replayAsIs,
  replaySplit,
  splitBy,
  SPLITS,
  WANTED_DROP,
} from '@/lib/analysis/advice-split';
import { createSeededRandom } from '@/lib/analysis/replay-random';
import { recordingOf } from '@/lib/analysis/replay-record';
import { stableHash } from '@/lib/analysis/stable-hash';
import { printable, toBase64Url } from '@/lib/protocol/bytes';
import type { Advice } from '@/lib/protocol/measures';
import type { LockName } from '@/server/store/history-contract';
import type { Rollup } from '@/server/store/history-contract';
import { MOST_HOLDS, isReproduced, type Silence } from './advice-rules';
import { percentilesOfMs, sampleHolds, sampleLeaves, turn } from './advice-sample';
import type { ServerContext } from './query-context';

/** The same advice for the same record, whenever it is asked for. */
const SEED = 0x10c5c09e;

/** A lock for which much is waited, and its sums. */
export interface HotLock {
  lock: LockName;
  sums: Rollup;
}

/** Into how many segments a hot lock had best be split, or why nothing can be said. */
export async function adviseSplit(
  context: ServerContext,
  { lock, sums }: HotLock,
  range: { from: number; to: number },
): Promise<Advice | Silence> {
  const sample = await sampleHolds(context, { lock }, { ...range, limit: MOST_HOLDS });
  const { from } = sample;
  const leaves =
    (sums.timeouts ?? 0) > 0 ? await sampleLeaves(context, lock, { from, to: range.to }) : [];
  await turn();
  const recording = recordingOf(sample.holds, leaves);
  await turn();
  const now = replayAsIs(recording);
  if (!isReproduced(recording.waiterMs, now.waiterMs)) return 'not-reproduced';
  const by = splitBy(recording);
  const random = createSeededRandom(SEED);
  const spanMs = Math.max(1, range.to - from);
  const tried = [];
  for (const segments of SPLITS) {
    await turn();
    const replayed = replaySplit(recording, segments, { by, random });
    tried.push({ segments, replayed, drop: dropOf(now.waiterMs, replayed.waiterMs) });
  }
  await turn();
  const best = tried.find(({ drop }) => drop >= WANTED_DROP);
  if (!best) return 'nothing-helps';
  const { namespace, class: lockClass } = sums;
  return {
    id: stableHash(`split\n${lock.db}\n${lock.key}`),
    kind: 'split',
    namespace,
    classes: [lockClass],
    lock: { db: lock.db, key: printable(lock.key), keyB64: toBase64Url(lock.key) },
    segments: best.segments,
    contentionNow: now.waiterMs / spanMs,
    contentionThen: best.replayed.waiterMs / spanMs,
    drop: best.drop,
    options: tried.map(({ segments, replayed, drop }) => ({
      segments,
      contention: replayed.waiterMs / spanMs,
      drop,
    })),
    waitMsThen: percentilesOfMs(best.replayed.waits),
    basis: {
      from,
      to: range.to,
      arrivals: recording.arrivals.length,
      together: null,
      recorded: recording.waiterMs / spanMs,
      holdMs: percentilesOfMs(sample.holds.map(({ start, end }) => end - start)),
      waitMs: percentilesOfMs([
        ...sample.holds.map(({ waitedMs }) => waitedMs),
        ...leaves.map(({ start, end }) => end - start),
      ]),
    },
    assumes: by,
    evidence: sample.evidence,
  };
}
