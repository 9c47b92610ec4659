import { ensureBuild } from '../bootstrap/build.js';
import { captureChild } from '../bootstrap/child.js';
import { ensureDependencies } from '../bootstrap/install.js';
import { runTests } from './test/tests.js';

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
    else total.failed++;
  }
}

/** Every check and test; arguments narrow the tests to matching files. Last line: the totals. */
export async function run(filters) {
  await ensureDependencies();
  const total = { passed: 0, failed: 0, skipped: 0 };
  await runSteps(total);
  const tests = await runTests(filters);
  for (const key of Object.keys(total)) total[key] += tests[key];
  const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
  process.stdout.write(`${total.passed} passed, ${total.failed} failed${skipped}\n`);
  return total.failed > 0 ? 1 : 0;
}
