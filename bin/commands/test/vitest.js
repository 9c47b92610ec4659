import { readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { runChild } from '../../bootstrap/child.js';
import { ROOT } from '../../bootstrap/root.js';

const RESULTS = join(ROOT, 'test', 'results');

/** A file that could not even be loaded has no assertions and counts as one failure. */
function countFile(file, total) {
  const results = file.assertionResults;
  for (const { status, fullName } of results) {
    if (status === 'passed') total.passed++;
    else if (status === 'failed') total.failed++;
    else {
      total.skipped++;
      process.stdout.write(`↓ ${relative(ROOT, file.name)} › ${fullName}\n`);
    }
  }
  if (file.status === 'failed' && !results.some(({ status }) => status === 'failed')) {
    total.failed++;
    process.stdout.write(`✗ ${relative(ROOT, file.name)}: ${file.message}\n`);
  }
}

/**
 * Runs the tests with vitest and counts them. Names each one that was skipped. `report` names the file in
 * test/results that vitest writes.
 */
export async function runVitest(filters, excluded, report = 'vitest.json') {
  const path = join(RESULTS, report);
  rmSync(path, { force: true });
  const args = [
    join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${path}`,
    ...excluded.flatMap((file) => ['--exclude', file]),
    ...filters,
  ];
  const code = await runChild(process.execPath, args);
  const total = { passed: 0, failed: 0, skipped: 0 };
  let found;
  try {
    found = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    process.stdout.write('✗ vitest ended without a report\n');
    return { ...total, failed: 1 };
  }
  for (const file of found.testResults) countFile(file, total);
  if (code !== 0 && total.failed === 0) {
    // An error outside of any test, for instance one thrown after the last test ended.
    process.stdout.write('✗ errors outside of tests\n');
    total.failed = 1;
  }
  return total;
}
