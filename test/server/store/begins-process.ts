/** Opens a store, and prints what it says of how long that takes. */
import { createStore } from '@/server/store/store';

const [dataDir = '', databaseUrl = ''] = process.argv.slice(2);
const store = createStore({
  dataDir,
  databaseUrl: databaseUrl || null,
  now: Date.now,
  tidies: false,
  tell: (sentence) => process.stdout.write(`${sentence}\n`),
});
await store.start();
process.stdout.write('ready\n');
setInterval(() => {}, 1000);
