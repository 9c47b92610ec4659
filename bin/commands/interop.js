import { ensureBuild } from '../bootstrap/build.js';
import { ensureDependencies } from '../bootstrap/install.js';
import { runTests } from './test/tests.js';

/** The tests with the real lock libraries; arguments narrow them to languages or files. */
export async function run(args) {
  await ensureDependencies();
  await ensureBuild();
  const filters = args.length > 0 ? args.map((part) => `test/interop/${part}`) : ['test/interop/'];
  const { passed, failed, skipped } = await runTests(filters);
  process.stdout.write(
    `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
  );
  return failed > 0 ? 1 : 0;
}
