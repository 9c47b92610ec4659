import { stdout } from 'node:process';
import type { Rollup } from '@/server/store/history-contract';
import { createStore } from '@/server/store/store';
import { aStep } from './rollups';
import { batchesOfHolds } from './holds';

/**
 * Writes holds and steps without end until it is killed, and says of each batch what is acknowledged: how many holds
 * and how many acquisitions in steps. Arguments: data folder, number of the first row.
 */
const [dataDir = '', first = '0'] = process.argv.slice(2);
const now = 1_800_000_000_000;
const store = createStore({ databaseUrl: null, dataDir, now: () => now });
await store.start();
const sumOf = (rollups: readonly Rollup[]): number =>
  rollups.reduce((sum, { acquisitions }) => sum + acquisitions, 0);
const [holds = []] = batchesOfHolds({ count: 200, size: 200, now });
for (let batch = Number(first); ; batch++) {
  const rows = holds.map((row, i) => ({
    ...row,
    past: { ...row.past, generation: batch * 200 + i + 1 },
  }));
  const rollups = aStep(now - 3_600_000 - (batch % 300) * 10_000, 50);
  await store.writeHolds(rows);
  stdout.write(`holds ${rows.length}\n`);
  await store.writeRollups({ rollups, blame: [] });
  stdout.write(`acquisitions ${sumOf(rollups)}\n`);
}
