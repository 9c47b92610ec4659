import { ensureBuild } from '../bootstrap/build.js';
import { ensureDependencies } from '../bootstrap/install.js';
import { onAskedRedis, takeRedis } from './test/on-redis.js';
import { runTests } from './test/tests.js';
import { printTotals } from './test/totals.js';

/**
 * The tests with the real lock libraries; arguments narrow them to languages or files, `--redis VERSION` runs them on
 * another Redis than the system's.
 */
export async function run(args) {
  const { version, rest } = takeRedis(args);
  await ensureDependencies();
  await ensureBuild();
  const filters = rest.length > 0 ? rest.map((part) => `test/interop/${part}`) : ['test/interop/'];
  return printTotals(await onAskedRedis(version, () => runTests(filters)));
}
