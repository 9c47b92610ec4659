import type { Bytes } from '@/lib/protocol/bytes';
import type { FormatTable, LockFormat } from '@/lib/formats/format';
import type { ReadCompanions } from './read-script';

const NONE: ReadCompanions = { list: '', timeouts: '', fence: '' };

/** Which other keys to read together with a key whose format may not be known yet. */
export interface CompanionFinder {
  companionsOf: (key: Bytes) => ReadCompanions;
  /** Where a queued owner of this lock would listen; null when its formats have no fair queue. */
  waiterChannel: (key: Bytes, owner: Bytes) => Bytes | null;
}

export function createCompanionFinder(formats: FormatTable): CompanionFinder {
  const queued = formats.formats.filter((format) => format.companions('').queue !== null);

  /** A name seldom tells the type, so what has a queue in one format is read for all such keys. */
  const formatOf = (key: Bytes): LockFormat | null => {
    for (const format of queued) if (format.matchesKey(key)) return format;
    return null;
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
