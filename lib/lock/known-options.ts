import { LockError } from './errors.js';

/**
 * A misspelt option would be as good as none. `within` stands before the names in the sentence. Throws
 * BAD_OPTIONS, which names the options that there are.
 */
export function checkNames(given: object, known: readonly string[], within = ''): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const option = within + unknown;
  const message = `There is no option ${option}; there are ${known.join(', ')}.`;
  throw new LockError('BAD_OPTIONS', message, { option });
}
