/**
 * Opens a store, prints what it says of how long that takes, and is killed soon after it has said so: by itself, for
 * whoever reads what it says may come too late.
 */
import { createStore } from '@/server/store/store';

const GOES_ON_FOR_MS = 20;

const [dataDir = '', databaseUrl = ''] = process.argv.slice(2);
const store = createStore({
  dataDir,
  databaseUrl: databaseUrl || null,
  now: Date.now,
  tidies: false,
  tell: (sentence) => {
    process.stdout.write(`${sentence}\n`);
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), GOES_ON_FOR_MS);
  },
});
await store.start();
process.stdout.write('ready\n');
setInterval(() => {}, 1000);
