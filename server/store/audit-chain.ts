import { createHash } from 'node:crypto';

/** `prevHash` of the first entry. */
export const CHAIN_START = '0'.repeat(64);

/**
 * JSON with the members of every object sorted by name (UTF-16 order), no spaces, members without a value
 * left out: equal content gives equal text, whoever writes it. Same result as RFC 8785 for the values that
 * JSON.stringify can produce.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => (isPlain(member) ? sorted(member) : member));
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted(value: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  // A null prototype, so that a member named `__proto__` is only a member.
  const bare: object = Object.create(null);
  return Object.assign(bare, Object.fromEntries(entries));
}

/** Hex SHA-256 over the previous link and the canonical JSON of an entry without its two hashes. */
export const linkHash = (prevHash: string, entry: string): string =>
  createHash('sha256').update(prevHash).update(entry).digest('hex');
