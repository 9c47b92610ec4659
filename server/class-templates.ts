import { bytesFromText, type Bytes } from '@/lib/protocol/bytes';
import type { Settings } from './config';

/** What our own lock client puts before a name unless it is told otherwise. */
const OWN_PREFIX = 'qoder:lock:';
const VARIABLE = /\$\{[^}]*\}/g;

/**
 * The classes that were declared, as templates over keys: those of LOCKSCOPE_CLASSES, then each
 * `lock_key_template`, whose variables stand for any text, as it is and as our own client writes it.
 */
export function classTemplatesOf({ classes, provider }: Settings): Bytes[] {
  const globs = provider.lockKeyTemplates
    .map((template) => template.replace(VARIABLE, '*'))
    // A template without a constant part would take every key for its own.
    .filter((glob) => /[^*:]/.test(glob));
  return [...classes, ...globs, ...globs.map((glob) => `${OWN_PREFIX}${glob}`)].map(bytesFromText);
}
