import type { Bytes } from '@/lib/protocol/bytes';
import { longestLiteral } from '@/lib/analysis/glob';

/** What every pinned key must contain, so that a pin says something of some keys and not of all. */
const LEAST_LITERAL_BYTES = 2;

/** The pattern would match nearly every key. */
export const isTooWide = (pattern: Bytes): boolean =>
  longestLiteral(pattern).length < LEAST_LITERAL_BYTES;
