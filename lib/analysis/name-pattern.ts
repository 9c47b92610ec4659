import { bytesFromText } from '@/lib/protocol/bytes';
import type { NamePattern } from '@/lib/protocol/name-pattern';
import { compileGlob } from './glob';

/** A test for printable names; null and undefined = there is none, which nothing fits. */
export function compileName(pattern: NamePattern): (name: string | null | undefined) => boolean {
  if (typeof pattern === 'string') return (name) => name === pattern;
  const glob = compileGlob(bytesFromText(pattern.glob));
  return (name) => name != null && glob(bytesFromText(name));
}

/** Whether every name fits, whatever it is. */
export const fitsEveryName = (pattern: NamePattern): boolean =>
  typeof pattern !== 'string' && /^\*+$/.test(pattern.glob);
