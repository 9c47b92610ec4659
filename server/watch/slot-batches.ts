import { keySlot } from '@/lib/analysis/key-slot';
import type { Batch } from './read-queue';

/** The same keys in batches of one slot each: a Redis Cluster refuses a script whose keys lie in several. */
export function slotBatches(batch: Batch): Batch[] {
  const parts = new Map<number, Batch>();
  batch.keys.forEach((key, i) => {
    const slot = keySlot(key);
    const part: Batch = parts.get(slot) ?? {
      ...{ db: batch.db, background: batch.background, keys: [], causes: [] },
      ...{ checked: new Set(), waiters: new Map() },
    };
    parts.set(slot, part);
    part.keys.push(key);
    part.causes.push(batch.causes[i] ?? 'asked');
    if (batch.checked.has(key)) part.checked.add(key);
    const waiters = batch.waiters.get(key);
    if (waiters) part.waiters.set(key, waiters);
  });
  return [...parts.values()];
}
