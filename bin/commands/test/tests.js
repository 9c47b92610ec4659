import { ensureChromium, ensureRedisServer } from '../../bootstrap/tools.js';
import { ensureRedisson } from '../../bootstrap/redisson.js';
import { say } from '../../bootstrap/say.js';
import { withoutTools } from './needs.js';
import { runVitest } from './vitest.js';

/** Tools that nothing but one comparison needs: left out wherever they are missing. */
const OPTIONAL = ['java'];

/** What a missing tool keeps from running: skipped by name for a user, a failure under CI=true. */
function countMissing(missing, total) {
  for (const { file, tool } of missing) {
    const isFailure = process.env.CI === 'true' && !OPTIONAL.includes(tool);
    process.stdout.write(`${isFailure ? '✗' : '↓'} ${file} needs ${tool}\n`);
    if (isFailure) total.failed++;
    else total.skipped++;
  }
}

/** Runs the tests whose path contains one of `filters`, without any: all. Returns the totals. */
export async function runTests(filters) {
  const tools = {
    'redis-server': await ensureRedisServer(),
    chromium: await ensureChromium(),
    java: await ensureRedisson(),
  };
  const isAsked = ({ file }) => filters.length === 0 || filters.some((part) => file.includes(part));
  const missing = withoutTools(Object.keys(tools).filter((tool) => !tools[tool])).filter(isAsked);
  say('running the tests…');
  const total = await runVitest(
    filters,
    missing.map(({ file }) => file),
  );
  countMissing(missing, total);
  return total;
}
