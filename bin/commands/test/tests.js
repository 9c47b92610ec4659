import { PEERS } from '../../bootstrap/interop/index.js';
import { ensureChromium, ensureRedisServer } from '../../bootstrap/tools.js';
import { ensureRedisson } from '../../bootstrap/redisson.js';
import { ensureServer } from '../../bootstrap/servers.js';
import { say } from '../../bootstrap/say.js';
import { forgetInterop, summariseInterop } from './interop-summary.js';
import { needing, testFiles, withoutTools } from './needs.js';
import { addResults, noResults } from './totals.js';
import { runVitest } from './vitest.js';

/** Tools that nothing but one comparison needs: left out wherever they are missing. */
const OPTIONAL = ['java', 'redis-server 6.2', 'alertmanager'];

const INTEROP = 'test/interop/';
const isInterop = (file) => file.startsWith(INTEROP);
/** Tests that compare times with the truth: nothing runs beside them. */
const TRUTH = 'test/truth/';
const isTruth = (file) => file.startsWith(TRUTH);
/** What hangs fails by a limit of minutes, and often everywhere at once: so many failures say enough of it. */
const MOST_FAILURES = 20;

/** What a missing tool keeps from running: skipped by name for a user, a failure under CI=true. */
function countMissing(missing, total) {
  for (const { file, tool } of missing) {
    const isFailure = process.env.CI === 'true' && !OPTIONAL.includes(tool);
    if (isFailure) {
      total.failed++;
      total.failures.push(`${file} needs ${tool}`);
    } else {
      total.skipped++;
      process.stdout.write(`↓ ${file} needs ${tool}\n`);
    }
  }
}

/** Whether each tool is there, installed where it can be; peers only where an asked file needs them. */
async function ensureTools(asked) {
  const tools = {
    'redis-server': await ensureRedisServer(),
    chromium: await ensureChromium(),
    java: await ensureRedisson(),
    'redis-server 6.2': await ensureServer('6.2'),
  };
  for (const [tool, { ensure }] of Object.entries(PEERS)) {
    if (needing([tool]).some(({ file }) => asked.includes(file))) tools[tool] = await ensure();
  }
  return tools;
}

/**
 * Runs the tests whose path contains one of `filters`, without any: all. Those that measure come last: one after the
 * other those that are held to the truth, then those with the real libraries. Returns the totals.
 */
export async function runTests(filters) {
  const isAsked = (file) => filters.length === 0 || filters.some((part) => file.includes(part));
  const asked = testFiles().filter(isAsked);
  const interop = asked.filter(isInterop);
  const tools = await ensureTools(asked);
  const missing = withoutTools(Object.keys(tools).filter((tool) => !tools[tool])).filter(
    ({ file }) => isAsked(file),
  );
  const excluded = missing.map(({ file }) => file);
  say('running the tests…');
  const total = noResults();
  const truth = asked.filter((file) => isTruth(file) && !excluded.includes(file));
  if (asked.length === 0 || asked.some((file) => !isInterop(file) && !isTruth(file))) {
    const elsewhere = [`${INTEROP}**`, `${TRUTH}**`];
    const flags = [`--bail=${MOST_FAILURES}`];
    addResults(total, await runVitest(filters, [...excluded, ...elsewhere], 'vitest.json', flags));
  }
  if (truth.length > 0) {
    addResults(total, await runVitest(truth, [], 'vitest-truth.json', ['--no-file-parallelism']));
  }
  if (interop.length > 0) {
    forgetInterop(interop);
    const runnable = interop.filter((file) => !excluded.includes(file));
    if (runnable.length > 0)
      addResults(total, await runVitest(runnable, [], 'vitest-interop.json'));
    summariseInterop(missing.filter(({ file }) => isInterop(file)));
  }
  countMissing(missing, total);
  return total;
}
