import type { BesideKeys, RawValue } from '@/lib/formats/format';

/** Values of keys as a read would return them. */
export const text = (bytes: string, truncated = false): RawValue => ({
  type: 'string',
  bytes,
  size: bytes.length,
  truncated,
});

export const hash = (...fields: [string, string][]): RawValue => ({
  type: 'hash',
  fields,
  size: fields.length,
  truncated: false,
});

export const zset = (...members: [string, number][]): RawValue => ({
  type: 'zset',
  members,
  size: members.length,
  truncated: false,
});

export const list = (...items: string[]): RawValue => ({
  type: 'list',
  items,
  size: items.length,
  truncated: false,
});

export const set = (...members: string[]): RawValue => ({
  type: 'set',
  members,
  size: members.length,
  truncated: false,
});

/** Keys that were read beside a lock: their values, or how long a string there still has to live. */
export const beside = (keys: Record<string, RawValue | { pttl: number } | null>): BesideKeys =>
  new Map(
    Object.entries(keys).map(([key, found]) => [
      key,
      found && 'pttl' in found
        ? { value: text('1'), pttl: found.pttl }
        : { value: found, pttl: null },
    ]),
  );
