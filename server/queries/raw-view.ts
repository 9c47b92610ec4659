import { toMoment } from '@/lib/protocol/time';
import { printable, type Bytes } from '@/lib/protocol/bytes';
import type { RawValueView } from '@/lib/protocol/lock';
import type { RawValue } from '@/lib/formats/format';
import type { LockRecord } from '@/server/state/lock-record';

const hexOf = (bytes: Bytes): string => Buffer.from(bytes, 'latin1').toString('hex');
const entryOf = (name: Bytes | null, value: Bytes): RawValueView['entries'][number] => ({
  name: name === null ? null : printable(name),
  text: printable(value),
  hex: hexOf(value),
});

function entriesOf(raw: RawValue): RawValueView['entries'] {
  switch (raw.type) {
    case 'string':
      return [entryOf(null, raw.bytes)];
    case 'hash':
      return raw.fields.map(([field, value]) => entryOf(field, value));
    case 'zset':
      // The score is a number; what may be unprintable is the member, so that is shown in hex.
      return raw.members.map(([member, score]) => ({
        name: printable(member),
        text: String(score),
        hex: hexOf(member),
      }));
    case 'list':
      return raw.items.map((item) => entryOf(null, item));
    case 'set':
      return raw.members.map((member) => entryOf(null, member));
    default:
      return [];
  }
}

/** An event said that the key is gone: what was read before is not there any more. */
const isGone = ({ state, members, queue, raw }: LockRecord): boolean =>
  state === 'free' && members.length === 0 && queue.length === 0 && raw !== null;

/** The value as last read; null when it never was. */
export function rawView(record: LockRecord): RawValueView | null {
  if (record.rawAt === 0) return null;
  if (isGone(record)) {
    const readAt = record.ended[0]?.end ?? record.rawAt;
    return { type: 'none', entries: [], size: 0, truncated: false, pttlMs: null, readAt };
  }
  return {
    type: record.raw?.type ?? 'none',
    entries: record.raw ? entriesOf(record.raw) : [],
    size: record.raw?.size ?? 0,
    truncated: record.raw?.truncated ?? false,
    pttlMs: record.rawPttl === null ? null : toMoment(record.rawPttl),
    readAt: record.rawAt,
  };
}
