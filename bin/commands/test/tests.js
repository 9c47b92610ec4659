import { ensureChromium, ensureRedisServer } from '../../bootstrap/tools.js';
import { say } from '../../bootstrap/say.js';
import { withoutTools } from './needs.js';
import { runVitest } from './vitest.js';

/** What a missing tool keeps from running: skipped by name for a user, a failure under CI=true. */
function countMissing(missing, total) {
  for (const { file, tool } of missing) {
    process.stdout.write(`${process.env.CI === 'true' ? '✗' : '↓'} ${file} needs ${tool}\n`);
    if (process.env.CI === 'true') total.failed++;
    else total.skipped++;
  }
}

/** Runs the tests whose path contains one of `filters`, without any: all. Returns the totals. */
export async function runTests(filters) {
  const tools = { 'redis-server': await ensureRedisServer(), chromium: await ensureChromium() };
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
