/** Writes holds and audit entries for ever and prints a line for each that the store acknowledged. */
import { createStore } from '@/server/store/store';
import { aHold, anAuditDraft } from './samples';

const [dataDir = '', databaseUrl = '', round = '0'] = process.argv.slice(2);
const store = createStore({ dataDir, databaseUrl: databaseUrl || null, now: () => 2_000_000 });
await store.start();
for (let i = 0; ; i++) {
  const start = 1_000_000 + i;
  const rows = Array.from({ length: 20 }, (_, n) =>
    aHold({ key: `${round}:${n}`, past: { generation: i, start, end: start + 1 } }),
  );
  const [entry] = await Promise.all([
    store.appendAudit(anAuditDraft({ requestId: `${round}-${i}` })),
    store.writeHolds(rows),
  ]);
  process.stdout.write(`${i} ${entry.seq}\n`);
}
