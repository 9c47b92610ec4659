import type { RawValue } from '@/lib/formats/format';

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
