import type { BlameRow, Rollup, WaitRow } from '@/server/store/history-contract';
import type { HoldRow } from '@/server/store/store-contract';
import { createStore } from '@/server/store/store';
import { emptySums } from '@/server/store/sums';
import type { TestConsole } from '@/test/support/console';

export interface History {
  rollups: Rollup[];
  blame?: BlameRow[];
  holds?: HoldRow[];
  leftWaits?: WaitRow[];
}

/** A rollup of nothing but what is given. */
export const rollupOf = (
  over: Partial<Rollup> & Pick<Rollup, 'target' | 'class' | 'namespace' | 'step' | 'spanMs'>,
): Rollup => ({ formatId: 'redisson-fair', lock: null, ...emptySums(), sketches: {}, ...over });

/**
 * Gives a console a past: stops it, writes into its database, one part after the other, and starts it again.
 * Works on the embedded database.
 */
export async function seedHistory(
  console: TestConsole,
  history: (target: string) => Iterable<History>,
): Promise<void> {
  const [target] = await console.query('targets');
  if (!target) throw new Error('the console watches nothing');
  await console.terminate();
  const { dataDir } = console;
  const store = createStore({ databaseUrl: null, dataDir, now: Date.now, tidies: false });
  await store.start();
  try {
    for (const { rollups, blame = [], holds = [], leftWaits = [] } of history(target.id)) {
      await store.writeRollups({ rollups, blame });
      if (holds.length > 0) await store.writeHolds(holds);
      if (leftWaits.length > 0) await store.writeLeftWaits(leftWaits);
    }
  } finally {
    await store.stop();
  }
  await console.restart();
}
