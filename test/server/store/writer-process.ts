/**
 * Writes holds, sums and audit entries for ever and prints a line for each that the store acknowledged, while the
 * steps of the rounds before are made longer ones in the background.
 */
import { createStore } from '@/server/store/store';
import { DEFAULT_RETENTION } from '@/server/store/tiers';
import { aBlame, aHold, anAuditDraft, aRollup } from './samples';

const STEPS_A_ROUND = 40;
const MINUTE_MS = 60_000;

const [dataDir = '', databaseUrl = '', round = '0'] = process.argv.slice(2);
const firstStep = 10_000_000 + Number(round) * STEPS_A_ROUND * 10_000;
const store = createStore({
  dataDir,
  databaseUrl: databaseUrl || null,
  now: () => firstStep + 20 * MINUTE_MS,
  retention: DEFAULT_RETENTION,
});
await store.start();
for (let i = 0; ; i++) {
  const start = 1_000_000 + i;
  const rows = Array.from({ length: 20 }, (_, n) =>
    aHold({ key: `${round}:${n}`, past: { generation: i, start, end: start + 1 } }),
  );
  const name = {
    class: `${round}:${i}`,
    step: firstStep + (i % STEPS_A_ROUND) * 10_000,
  };
  const lock = { db: 0, key: `${round}:${i}` };
  const [entry] = await Promise.all([
    store.appendAudit(anAuditDraft({ requestId: `${round}-${i}` })),
    store.writeHolds(rows),
    store.writeRollups({
      rollups: [aRollup(name), aRollup({ ...name, lock })],
      blame: [aBlame({ ...name, lock, waiterMs: 1 })],
    }),
  ]);
  process.stdout.write(`${i} ${entry.seq}\n`);
}
