import { readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { runChild } from '../../bootstrap/child.js';
import { ROOT } from '../../bootstrap/root.js';
import { noResults } from './totals.js';

const RESULTS = join(ROOT, 'test', 'results');

/** Enough of a failure to know it again without the whole output. */
const REASON_LINES = 6;

function countFailure(total, where, messages) {
  total.failed++;
  const reason = messages.join('\n').split('\n').slice(0, REASON_LINES);
  total.failures.push([where, ...reason].join('\n    '));
}

/** A file that could not even be loaded has no assertions and counts as one failure. */
function countFile(file, total) {
  const results = file.assertionResults;
  const path = relative(ROOT, file.name);
  for (const { status, fullName, failureMessages } of results) {
    if (status === 'passed') total.passed++;
    else if (status === 'failed') countFailure(total, `${path} › ${fullName}`, failureMessages);
    else {
      total.skipped++;
      process.stdout.write(`↓ ${path} › ${fullName}\n`);
    }
  }
  if (file.status === 'failed' && !results.some(({ status }) => status === 'failed')) {
    countFailure(total, path, [file.message]);
  }
}

/**
 * Runs the tests with vitest and counts them. Names each one that was skipped. `report` names the file in
 * test/results that vitest writes; `flags` go to vitest.
 */
export async function runVitest(filters, excluded, report = 'vitest.json', flags = []) {
  const path = join(RESULTS, report);
  rmSync(path, { force: true });
  const args = [
    join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${path}`,
    ...excluded.flatMap((file) => ['--exclude', file]),
    ...flags,
    ...filters,
  ];
  const code = await runChild(process.execPath, args);
  const total = noResults();
  let found;
  try {
    found = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    countFailure(total, 'vitest ended without a report', []);
    return total;
  }
  for (const file of found.testResults) countFile(file, total);
  if (code !== 0 && total.failed === 0) {
    // An error outside of any test, for instance one thrown after the last test ended.
    countFailure(total, 'errors outside of tests', []);
  }
  return total;
}
