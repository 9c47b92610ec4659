import { ensureBuild } from '../bootstrap/build.js';
import { captureChild } from '../bootstrap/child.js';
import { ensureDependencies } from '../bootstrap/install.js';
import { onAskedRedis, onRedis, takeRedis } from './test/on-redis.js';
import { runTests } from './test/tests.js';
import { addResults, noResults, printTotals } from './test/totals.js';

const STEPS = [
  { name: 'format', run: () => captureChild('npm', ['run', '--silent', 'format:check']) },
  { name: 'lint', run: () => captureChild('npm', ['run', '--silent', 'lint']) },
  { name: 'types', run: () => captureChild('npm', ['run', '--silent', 'types']) },
  { name: 'build', run: buildStep },
];

async function buildStep() {
  try {
    await ensureBuild();
    return { code: 0, output: '' };
  } catch (error) {
    return { code: 1, output: error.message };
  }
}

async function runSteps(total) {
  for (const { name, run } of STEPS) {
    const startedAt = performance.now();
    const { code, output } = await run();
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    if (code !== 0) process.stdout.write(`${output.trimEnd()}\n`);
    process.stdout.write(`${code === 0 ? '✓' : '✗'} ${name} (${seconds} s)\n`);
    if (code === 0) total.passed++;
    else {
      total.failed++;
      total.failures.push(name);
    }
  }
}

/** What is run once more on a newer Redis than the system's: whatever depends on its events and replies. */
const ON_NEWER = ['test/server/watch/', 'test/server/state/live', 'test/lib/formats/'];
const NEWER = '8.2';

async function runOnNewer() {
  const tests = await onRedis(NEWER, () => runTests(ON_NEWER));
  if (tests) return tests;
  process.stdout.write(`↓ everything on Redis ${NEWER}: it cannot be had on this machine\n`);
  return { ...noResults(), skipped: 1 };
}

/**
 * Every check and test; arguments narrow the tests to matching files, `--redis VERSION` runs them on another Redis
 * than the system's. What failed and the totals come last.
 */
export async function run(args) {
  const { version, rest: filters } = takeRedis(args);
  await ensureDependencies();
  const total = noResults();
  await runSteps(total);
  addResults(total, await onAskedRedis(version, () => runTests(filters)));
  if (filters.length === 0 && version === null) addResults(total, await runOnNewer());
  return printTotals(total);
}
