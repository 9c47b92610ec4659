import { pathToFileURL } from 'node:url';
import { ensureDependencies } from '../bootstrap/install.js';
import { SetUpError } from '../bootstrap/say.js';
import { HOW_TO_GET, ensureRedisServer } from '../bootstrap/tools.js';

/** Each is a folder test/perf/<name> whose index.ts exports `run(args)`. */
const BENCHES = ['lock', 'stock', 'takeover', 'config'];

/** Measures the lock client, or what is built on it, on a Redis of its own. Options: see the bench. */
export async function run([name = '', ...args]) {
  if (!BENCHES.includes(name)) {
    process.stderr.write(`usage: lockscope bench ${BENCHES.join('|')} [options]\n`);
    return 2;
  }
  if (!(await ensureRedisServer())) throw new SetUpError(HOW_TO_GET['redis-server']);
  await ensureDependencies();
  const { bundleBench } = await import('../bootstrap/bundle.js');
  const program = await bundleBench(name);
  process.setSourceMapsEnabled(true);
  const bench = await import(pathToFileURL(program).href);
  return await bench.run(args);
}
