import type { Bytes } from '@/lib/protocol/bytes';
import { compileGlob } from '@/lib/analysis/glob';

/** What the operator calls a lock: by pattern in the settings, or key by key. */
export function createDeclared(patterns: readonly Bytes[]) {
  const tests = patterns.map(compileGlob);
  const keys = new Set<string>();
  return {
    add: (db: number, key: Bytes): void => void keys.add(`${db}:${key}`),
    has: (db: number, key: Bytes): boolean =>
      keys.has(`${db}:${key}`) || tests.some((matches) => matches(key)),
  };
}
