import { bytesFromText, type Bytes } from '@/lib/protocol/bytes';
import type { NamePattern } from '@/lib/protocol/name-pattern';
import { compileGlob } from './glob';

/**
 * A test for printable names; null and undefined = there is none, which nothing fits. `bytesOf`: as
 * {@link bytesFromText}, of whoever tries the same names on many patterns.
 */
export function compileName(
  pattern: NamePattern,
  bytesOf: (name: string) => Bytes = bytesFromText,
): (name: string | null | undefined) => boolean {
  if (typeof pattern === 'string') return (name) => name === pattern;
  const glob = compileGlob(bytesFromText(pattern.glob));
  return (name) => name != null && glob(bytesOf(name));
}

/** Whether every name fits, whatever it is. */
export const fitsEveryName = (pattern: NamePattern): boolean =>
  typeof pattern !== 'string' && /^\*+$/.test(pattern.glob);

const EACH_BYTE: readonly Bytes[] = Array.from({ length: 256 }, (_, byte) =>
  String.fromCharCode(byte),
);

/**
 * Whether every name fits that is not empty: one of stars, and at most one place that any byte may take. A pattern
 * that fits each byte alone has no more than one place, and one that fits two bytes as well has a star beside it.
 */
export function fitsEveryFullName(pattern: NamePattern): boolean {
  if (typeof pattern === 'string') return false;
  const glob = compileGlob(bytesFromText(pattern.glob));
  return glob('aa') && EACH_BYTE.every(glob);
}
