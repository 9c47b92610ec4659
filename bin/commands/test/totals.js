/** How many checks passed, failed and were skipped, and a line for each that failed. */
export const noResults = () => ({ passed: 0, failed: 0, skipped: 0, failures: [] });

export function addResults(total, more) {
  total.passed += more.passed;
  total.failed += more.failed;
  total.skipped += more.skipped;
  total.failures.push(...more.failures);
}

/**
 * Prints what failed, each with the first lines of its reason, then the totals as the last line: the end is all that
 * is kept of a long output. Returns the exit code.
 */
export function printTotals({ passed, failed, skipped, failures }) {
  for (const failure of failures) process.stdout.write(`✗ ${failure}\n`);
  const left = skipped > 0 ? `, ${skipped} skipped` : '';
  process.stdout.write(`${passed} passed, ${failed} failed${left}\n`);
  return failed > 0 ? 1 : 0;
}
