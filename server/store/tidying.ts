import type { Backend } from './backend';
import { compactionStep, joiningStep, type Compaction } from './compaction';
import type { Retention } from './history-contract';
import { createNameSweep } from './name-sweep';
import { retentionStep } from './retention';
import type { createSerial } from './serial';
import type { SeriesNames } from './series-names';

/** Pages of several parts are looked for this often. */
const JOIN_EVERY_MS = 60_000;

/** A step of all that is done to history in the background; to be called again while it says true. */
export function createTidying({
  backend,
  names,
  history,
  now,
  retention,
}: {
  backend: Backend;
  names: SeriesNames;
  history: ReturnType<typeof createSerial>;
  now: () => number;
  retention: Retention;
}): () => Promise<boolean> {
  const sweep = createNameSweep({ backend, retention }, () => names.clear());
  let joinedAt = -Infinity;

  return async () => {
    const at = now();
    const compaction: Compaction = { backend, tiers: retention.tiers, now: at, inTurn: history };
    if (await compactionStep(compaction)) return true;
    if (Math.abs(at - joinedAt) >= JOIN_EVERY_MS) {
      if (await joiningStep(compaction)) return true;
      joinedAt = at;
    }
    if (await history(() => retentionStep({ backend, retention, now: at }))) return true;
    return await history(() => sweep(at));
  };
}
