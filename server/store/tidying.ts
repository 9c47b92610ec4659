import type { Backend } from './backend';
import { compactionStep, joiningStep, type Compaction } from './compaction';
import { createDiskBound } from './disk-bound';
import type { Retention } from './history-contract';
import { createNameSweep } from './name-sweep';
import { retentionStep, type Tidying } from './retention';
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
  const bound = createDiskBound();
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
    const tidied = { backend, retention, now: at };
    if (await history(() => retentionStep(tidied))) return true;
    if (await history(() => bound.step(tidied))) {
      sweep.again();
      return true;
    }
    if (await history(() => sweep.step(at))) return true;
    if (await bound.measure(tidied)) return true;
    return await history(() => giveBack(tidied));
  };
}

/** Space that is free is left to new rows, unless it is much, or the bound is passed. */
async function giveBack({ backend, retention: { maxBytes } }: Tidying): Promise<boolean> {
  const [disk, used] = [await backend.diskBytes(), await backend.usedBytes()];
  if (disk === null || used === null) return false;
  return await backend.giveBack(maxBytes !== null && disk > maxBytes ? 0 : used / 4);
}
