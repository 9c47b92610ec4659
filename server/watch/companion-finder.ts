import type { Bytes } from '@/lib/protocol/bytes';
import type { FormatTable, LockFormat } from '@/lib/formats/format';
import type { KeyFilter } from './key-filter';
import type { ReadCompanions } from './read-script';

const NONE: ReadCompanions = { list: '', timeouts: '', fence: '' };

/** Which other keys to read together with a key whose format may not be known yet. */
export interface CompanionFinder {
  companionsOf: (key: Bytes) => ReadCompanions;
  /** Where a queued owner of this lock would listen; null when its formats have no fair queue. */
  waiterChannel: (key: Bytes, owner: Bytes) => Bytes | null;
}

export function createCompanionFinder(
  formats: FormatTable,
  isDeclared: KeyFilter,
): CompanionFinder {
  const hashFormats = formats.formats.filter((format) => format.type === 'hash');

  /** The name decides, or else the first format that may have such a key and a queue. */
  const formatOf = (key: Bytes): LockFormat | null => {
    const byName = formats.byName(key, isDeclared(key));
    if (byName?.nameIsProof && byName.type !== 'hash') return null;
    const candidates = byName?.type === 'hash' ? [byName, ...hashFormats] : hashFormats;
    return (
      candidates.find(
        (format) => format.matchesKey(key) && format.companions(key).queue !== null,
      ) ?? null
    );
  };

  return {
    companionsOf: (key) => {
      const companions = formatOf(key)?.companions(key);
      if (!companions?.queue) return NONE;
      const { list, timeouts } = companions.queue;
      return { list, timeouts, fence: companions.fence ?? '' };
    },
    waiterChannel: (key, owner) =>
      formatOf(key)?.companions(key).queue?.waiterChannel(owner) ?? null,
  };
}
